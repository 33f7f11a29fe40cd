//! Kernels whose results are folded, in the order of [`crate::ir::fold`].

use super::text::{Bank, Text, Values};
use super::values::named;
use super::{DEPTH, Form, WARP, Words};
use crate::ir::fold::{BLOCK, Join, LANES};
use crate::ir::{Access, Code, Param, Type};

/// A part of a fold: its result, and the registers that hold it so far.
pub(super) struct Total {
    pub(super) param: usize,
    pub(super) ty: Type,
    pub(super) join: Join,
    pub(super) part: usize,
}

impl Total {
    pub(super) fn bank(&self) -> Bank {
        Bank::of(self.ty)
    }
}

/// The function that folds values side by side in pairs, pairs of pairs and so on, 32 at a time: of
/// so many results, each of so many values, a value for each 32 of a result. Its words are how
/// many values it gives, the values of a result, those that it gives for a result, and the two
/// addresses. The last such fold of a sum makes 0 of -0.
pub fn pairs(ty: Type, parts: u32, join: Join, wide: bool, name: &str) -> String {
    let params = [Param { ty, parts, access: Access::Along(join) }];
    let mut text = Text::new(&params, Form::new(0, wide));
    text.arguments(5);
    let (warp, lane, warps) = text.warps();
    let [units, count, groups] = [0, 1, 2].map(|word| text.word(word));
    let outer = text.open("group", &warp, &units, &warps);
    let (result, group) = text.split(&outer.i, &groups);
    let first = text.number("mul.lo", 'u', &[&group, &WARP.to_string()]);
    let i = text.number("add", 'u', &[&first, &lane]);
    let inside = text.compare("lt", &i, &count);
    let number = text.number("mul.lo", 'u', &[&result, &count]);
    let number = text.number("add", 'u', &[&number, &i]);
    let totals = text.totals();
    let values: Vec<String> = totals.iter().map(|t| text.identity(t)).collect();
    let after = text.label("after");
    text.line(format_args!("@!{inside} bra {after};"));
    let base = text.address(3);
    let from = text.element(&base, &number, params[0].bytes());
    for (t, to) in totals.iter().zip(&values) {
        let value = text.fetch(ty, "global", &format!("[{from}+{}]", t.part * ty.bytes()));
        text.assign(t.bank(), to, &value);
    }
    text.place(&after);
    let folded = text.shuffled(&totals, &values, &[1, 2, 4, 8, 16]);
    let one = text.compare("eq", &groups, "1");
    let folded = text.whole(&totals, folded, &one);
    let leader = text.compare("eq", &lane, "0");
    let after = text.label("after");
    text.line(format_args!("@!{leader} bra {after};"));
    let base = text.address(4);
    let to = text.element(&base, &outer.i, params[0].bytes());
    text.keep(ty, "global", &to, &folded);
    text.place(&after);
    text.close(outer);
    text.finish(name)
}

/// Two accumulators for each fold, which are joined with rows in turns: the first is the next one's, and whether
/// it is the second one of all.
struct Accumulators {
    next: Vec<String>,
    other: Vec<String>,
    odd: String,
}

/// Rows of a column that a thread computes at a time, and their statements, at most.
const ROWS: usize = 8;
const STATEMENTS: usize = 128;

impl Text<'_> {
    pub(super) fn totals(&self) -> Vec<Total> {
        let mut totals = Vec::new();
        for (param, p) in self.params.iter().enumerate() {
            if let Access::Along(join) | Access::Across(join) = p.access {
                totals.extend((0..p.parts as usize).map(|part| Total { param, ty: p.ty, join, part }));
            }
        }
        totals
    }

    /// A warp's number in the grid, a thread's in its warp, and how many warps there are.
    fn warps(&mut self) -> (String, String, String) {
        let (thread, threads) = self.thread();
        let bits = WARP.trailing_zeros().to_string();
        let warp = self.put(Bank::Word, "shr.u32", &[&thread, &bits]);
        let lane = self.put(Bank::Word, "and.b32", &[&thread, &(WARP - 1).to_string()]);
        let warps = self.put(Bank::Word, "shr.u32", &[&threads, &bits]);
        (self.widened(&warp), self.widened(&lane), self.widened(&warps))
    }

    /// A register with what changes no value that it is joined with.
    pub(super) fn identity(&mut self, t: &Total) -> String {
        self.constant(t.ty, t.join.identity(t.ty))
    }

    /// Both together.
    pub(super) fn join(&mut self, t: &Total, a: &str, b: &str) -> String {
        let (bank, name, float) = (t.bank(), named(t.ty), t.ty.is_float());
        let instruction = match (t.join, float) {
            (Join::And, _) => "and.pred".to_string(),
            (Join::Or, _) => "or.pred".to_string(),
            (Join::Add, true) => format!("add.rn.{name}"),
            (Join::Mul, true) => format!("mul.rn.{name}"),
            (Join::Add, _) => format!("add.{name}"),
            (Join::Mul, _) => format!("mul.lo.{name}"),
            (Join::Max | Join::Min, true) => {
                let how = if t.join == Join::Max { "gt" } else { "lt" };
                let first = self.test(&format!("setp.{how}.{name}"), &[a, b]);
                let is_nan = self.test(&format!("setp.nan.{name}"), &[a, a]);
                let first = self.test("or.pred", &[&first, &is_nan]);
                return self.select(t.ty, &first, a, b);
            }
            (join, _) => format!("{}.{name}", join.name()),
        };
        let value = self.put(bank, &instruction, &[a, b]);
        self.normal(t.ty, value)
    }

    /// The value of the lane that is so far behind; all lanes of the warp must be here.
    pub(super) fn behind(&mut self, bank: Bank, x: &str, distance: u32) -> String {
        self.shuffle(bank, x, "down", &distance.to_string())
    }

    /// The value of another lane, likewise: so far `down`, or of a number with `idx`.
    pub(super) fn shuffle(&mut self, bank: Bank, x: &str, how: &str, lane: &str) -> String {
        let instruction = format!("shfl.sync.{how}.b32");
        let moved =
            |text: &mut Self, x: &str| text.put(Bank::Word, &instruction, &[x, lane, "31", "0xffffffff"]);
        match bank {
            Bank::Word => moved(self, x),
            Bank::Truth => {
                let x = self.put(Bank::Word, "selp.u32", &["1", "0", x]);
                let x = moved(self, &x);
                self.test("setp.ne.u32", &[&x, "0"])
            }
            Bank::Double => {
                let [low, high] = [0; 2].map(|_| self.register(Bank::Word));
                self.line(format_args!("mov.b64 {{{low}, {high}}}, {x};"));
                let [low, high] = [low, high].map(|half| moved(self, &half));
                self.put(bank, "mov.b64", &[&format!("{{{low}, {high}}}")])
            }
        }
    }

    /// The lanes' values as one, in lane 0.
    pub(super) fn shuffled(&mut self, totals: &[Total], values: &[String], distances: &[u32]) -> Vec<String> {
        let mut folded = Vec::new();
        for (t, value) in totals.iter().zip(values) {
            let mut value = value.clone();
            for &distance in distances {
                let other = self.behind(t.bank(), &value, distance);
                value = self.join(t, &value, &other);
            }
            folded.push(value);
        }
        folded
    }

    /// The values, of which a sum of floats that is -0 becomes 0 if they are whole results.
    pub(super) fn whole(&mut self, totals: &[Total], values: Vec<String>, whole: &str) -> Vec<String> {
        let finish = |(t, value): (&Total, String)| {
            if t.join != Join::Add || !t.ty.is_float() {
                return value;
            }
            let [zero, nothing] = [0, t.join.identity(t.ty)].map(|bits| self.constant(t.ty, bits));
            let zero = self.select(t.ty, whole, &zero, &nothing);
            self.put(t.bank(), &format!("add.rn.{}", named(t.ty)), &[&value, &zero])
        };
        totals.iter().zip(values).map(finish).collect()
    }

    /// Joins what the body has stored.
    fn take(&mut self, totals: &[Total], values: &[String]) -> Vec<String> {
        let folded = std::mem::take(&mut self.folded);
        let new = |t: &Total| {
            let stored = folded.iter().find(|(n, _)| *n == t.param);
            stored.map_or_else(String::new, |(_, parts)| parts[t.part].clone())
        };
        totals.iter().zip(values).map(|(t, value)| self.join(t, value, &new(t))).collect()
    }

    fn write_totals(&mut self, totals: &[Total], values: &[String], index: &str) {
        let mut k = 0;
        while k < totals.len() {
            let n = totals[k].param;
            let parts = self.params[n].parts as usize;
            self.write(n, &values[k..k + parts], index);
            k += parts;
        }
    }

    /// The first number of a block, and the end of what there is of it.
    fn block_of(&mut self, block: &str, length: &str) -> (String, String) {
        let first = self.number("mul.lo", 'u', &[block, &BLOCK.to_string()]);
        let end = self.number("add", 'u', &[&first, &BLOCK.to_string()]);
        let end = self.number("min", 'u', &[&end, length]);
        (first, end)
    }

    /// A warp for each block of a row.
    pub(super) fn along(&mut self) {
        let outer = self.form.outer;
        let totals = self.totals();
        let (warp, lane, warps) = self.warps();
        let [units, blocks, length] =
            [Words::UNITS, Words::BLOCKS, self.words.length(outer)].map(|word| self.word(word));
        let each = self.open("block", &warp, &units, &warps);
        let (row, block) = self.split(&each.i, &blocks);
        let mut at = self.coordinates(&row, outer);
        let mut values = Values::new();
        self.addresses(&at, true);
        self.top(&mut values);
        let accumulators: Vec<String> = totals.iter().map(|t| self.identity(t)).collect();
        let (first, end) = self.block_of(&block, &length);
        let first = self.number("add", 'u', &[&first, &lane]);
        let elements = self.open("element", &first, &end, &LANES.to_string());
        at.push(elements.i.clone());
        self.addresses(&at, false);
        self.body(&mut values);
        for ((t, to), value) in totals.iter().zip(&accumulators).zip(self.take(&totals, &accumulators)) {
            self.assign(t.bank(), to, &value);
        }
        self.close(elements);
        let folded = self.shuffled(&totals, &accumulators, &[16, 8, 4, 2, 1]);
        let one = self.compare("eq", &blocks, "1");
        let folded = self.whole(&totals, folded, &one);
        let leader = self.compare("eq", &lane, "0");
        let after = self.label("after");
        self.line(format_args!("@!{leader} bra {after};"));
        let index = each.i.clone();
        self.write_totals(&totals, &folded, &index);
        self.place(&after);
        self.close(each);
    }

    /// Threads of a block for each tile of columns and block of rows: a column has one for each
    /// pair of lanes that is half the lanes apart, in the order in which halves of halves meet.
    pub(super) fn across(&mut self) {
        let outer = self.form.outer;
        let totals = self.totals();
        let [x, depth, cta, ctas] = ["%tid.x", "%tid.y", "%ctaid.x", "%nctaid.x"]
            .map(|special| self.put(Bank::Word, "mov.u32", &[special]));
        let lane = self.put(Bank::Word, "brev.b32", &[&depth]);
        let lane = self.put(Bank::Word, "shr.u32", &[&lane, &(32 - DEPTH.trailing_zeros()).to_string()]);
        // Where this thread's value stands among those of its column, and the column's first.
        let bytes = totals.iter().map(|t| t.ty.bytes()).max().unwrap_or(1) as u32;
        self.outside = format!("  .shared .align 8 .b8 shared[{}];\n", WARP * DEPTH * bytes);
        let shared = self.put(Bank::Word, "mov.u32", &["shared"]);
        let column_at = self.put(Bank::Word, "mad.lo.u32", &[&x, &bytes.to_string(), &shared]);
        let at_depth = self.put(Bank::Word, "mad.lo.u32", &[&depth, &(WARP * bytes).to_string(), &column_at]);
        let [x, lane, cta, ctas] = [x, lane, cta, ctas].map(|word| self.widened(&word));
        let [units, blocks, inner, down] =
            [Words::UNITS, Words::BLOCKS, self.words.length(outer), self.words.length(outer + 1)]
                .map(|word| self.word(word));
        let tiles = self.number("add", 'u', &[&inner, &(WARP - 1).to_string()]);
        let tiles = self.number("div", 'u', &[&tiles, &WARP.to_string()]);
        let each = self.open("tile", &cta, &units, &ctas);
        let (number, tile) = self.split(&each.i, &tiles);
        let (row, block) = self.split(&number, &blocks);
        let mut at = self.coordinates(&row, outer);
        let column = self.number("mul.lo", 'u', &[&tile, &WARP.to_string()]);
        let column = self.number("add", 'u', &[&column, &x]);
        at.push(column.clone());
        // Two accumulators take turns: the first is the next one's.
        let [next, other] = [0; 2].map(|_| totals.iter().map(|t| self.identity(t)).collect::<Vec<_>>());
        let odd = self.constant(Type::Bool, 0);
        let (none, outside) = (self.label("none"), self.compare("ge", &column, &inner));
        self.line(format_args!("@{outside} bra {none};"));
        let (first, end) = self.block_of(&block, &down);
        let first = self.number("add", 'u', &[&first, &lane]);
        let here = self.copy(self.bank(), &first);
        let mut accumulators = Accumulators { next, other, odd };
        let most = self.rows_at_once();
        for count in [most, 1].into_iter().skip(usize::from(most == 1)) {
            let (again, done) = (self.label("row"), self.label("done"));
            let reach = ((count as u32 - 1) * DEPTH).to_string();
            self.place(&again);
            let last = self.number("add", 'u', &[&here, &reach]);
            let beyond = self.compare("ge", &last, &end);
            self.line(format_args!("@{beyond} bra {done};"));
            self.rows_of_column(&totals, (&mut at, &here), count, &mut accumulators);
            let step = (count as u32 * DEPTH).to_string();
            self.set(&here, &format!("add.{}", if self.form.wide { "u64" } else { "u32" }), &[&here, &step]);
            self.line(format_args!("bra {again};"));
            self.place(&done);
        }
        let Accumulators { next, other, odd } = accumulators;
        self.place(&none);
        let mut folded = Vec::new();
        for (k, t) in totals.iter().enumerate() {
            let even_rows = self.select(t.ty, &odd, &other[k], &next[k]);
            let odd_rows = self.select(t.ty, &odd, &next[k], &other[k]);
            let value = self.join(t, &even_rows, &odd_rows);
            folded.push(self.column(t, &value, (&column_at, &at_depth), &depth, bytes));
        }
        // The first thread of each column has the values.
        let skip = self.label("after");
        let deep = self.test("setp.ne.u32", &[&depth, "0"]);
        let skipped = self.test("or.pred", &[&deep, &outside]);
        self.line(format_args!("@{skipped} bra {skip};"));
        let one = self.compare("eq", &blocks, "1");
        let folded = self.whole(&totals, folded, &one);
        let index = self.number("mad.lo", 'u', &[&row, &inner, &column]);
        let index = self.number("mad.lo", 'u', &[&index, &blocks, &block]);
        self.write_totals(&totals, &folded, &index);
        self.place(&skip);
        self.close(each);
    }

    /// Rows of which a thread reads the elements before it computes with them.
    fn rows_at_once(&self) -> usize {
        let Some(kernel) = self.kernel else { return 1 };
        let statements: usize = kernel.blocks.iter().map(Vec::len).sum();
        if kernel.has(Code::Loop) || kernel.has(Code::If) {
            1
        } else {
            (STATEMENTS / statements.max(1)).clamp(1, ROWS)
        }
    }

    /// Some rows of a column, which are [`DEPTH`] apart: their elements are joined with two accumulators in turns.
    fn rows_of_column(
        &mut self,
        totals: &[Total],
        (at, first): (&mut Vec<String>, &str),
        count: usize,
        accumulators: &mut Accumulators,
    ) {
        let Some(kernel) = self.kernel else { return };
        let mut lanes = Vec::new();
        for lane in 0..count {
            self.lane = lane;
            at.push(self.number("add", 'u', &[first, &(lane as u32 * DEPTH).to_string()]));
            let mut values = Values::new();
            self.addresses(at, true);
            self.top(&mut values);
            self.addresses(at, false);
            at.pop();
            lanes.push(values);
        }
        self.folded.clear();
        self.in_lanes(kernel, kernel.body().iter().copied(), &mut lanes);
        let mut stored = std::mem::take(&mut self.folded);
        // In order of the rows, where the statements are in order of the results.
        let results = stored.len() / count;
        for lane in 0..count {
            self.folded = (0..results).map(|n| std::mem::take(&mut stored[n * count + lane])).collect();
            let joined = self.take(totals, &accumulators.next);
            for (k, t) in totals.iter().enumerate() {
                self.assign(t.bank(), &accumulators.next[k], &accumulators.other[k]);
                self.assign(t.bank(), &accumulators.other[k], &joined[k]);
            }
        }
        if count % 2 == 1 {
            self.set(&accumulators.odd, "not.pred", &[&accumulators.odd]);
        }
    }

    /// The values of a column's threads in pairs, pairs of pairs and so on: in its first thread.
    fn column(
        &mut self,
        t: &Total,
        value: &str,
        (column_at, at_depth): (&str, &str),
        depth: &str,
        bytes: u32,
    ) -> String {
        self.keep(t.ty, "shared", at_depth, &[value.to_string()]);
        self.line(format_args!("bar.sync 0;"));
        let result = self.copy(t.bank(), value);
        let after = self.label("after");
        let deep = self.test("setp.ne.u32", &[depth, "0"]);
        self.line(format_args!("@{deep} bra {after};"));
        let mut values: Vec<String> = (0..DEPTH)
            .map(|i| self.fetch(t.ty, "shared", &format!("[{column_at}+{}]", i * WARP * bytes)))
            .collect();
        while values.len() > 1 {
            values = values.chunks(2).map(|pair| self.join(t, &pair[0], &pair[1])).collect();
        }
        self.assign(t.bank(), &result, &values[0]);
        self.place(&after);
        // Before the next value takes the place of this one.
        self.line(format_args!("bar.sync 0;"));
        result
    }
}
