//! Rows by a warp, in tiles that it passes on through shared memory.

use super::super::places::stored;
use super::super::text::Bank;
use super::super::{WARP, Words};
use super::Writer;
use ivy_kernels::scan::BLOCK;

impl Writer<'_> {
    /// Puts an element into shared memory.
    fn share(&mut self, at: &str, distance: usize, value: &[String]) {
        let ty = self.joined.ty;
        for (part, x) in value.iter().enumerate() {
            let to = format!("{at}+{}", distance + part * ty.bytes());
            self.text.keep(ty, "shared", &to, std::slice::from_ref(x));
        }
    }

    /// Waits for the warp.
    fn meet(&mut self) {
        self.text.line(format_args!("bar.warp.sync 0xffffffff;"));
    }

    /// How many of a length come from a number on, so many at most.
    fn left_of(&mut self, length: &str, begin: &str, most: u32) -> String {
        let some = self.text.compare("lt", begin, length);
        let left = self.text.number("sub", 'u', &[length, begin]);
        let left = self.text.number("min", 'u', &[&left, &most.to_string()]);
        let left = self.text.put(Bank::Word, "cvt.u32.u64", &[&left]);
        self.text.put(Bank::Word, "selp.u32", &[&left, "0", &some])
    }

    /// Whether the element of a round is there, of so many rows and columns.
    fn there(&mut self, (rows, columns): (&str, &str), (row, column): (u32, u32)) -> String {
        let row = self.text.test("setp.gt.u32", &[rows, &row.to_string()]);
        let column = self.text.test("setp.gt.u32", &[columns, &column.to_string()]);
        self.text.test("and.pred", &[&row, &column])
    }

    /// Reads a thread's elements of a tile, of so many rows and columns.
    fn take(
        &mut self,
        held: &[Vec<String>],
        (from, next): &(String, String),
        left: (&str, &str),
        round: impl Fn(u32) -> (u32, u32),
    ) {
        let ty = self.element.ty;
        let mut at = from.clone();
        for (n, value) in (0..).zip(held) {
            let there = self.there(left, round(n));
            let beyond = round(n).1 as usize * self.bytes();
            for (part, x) in value.iter().enumerate() {
                self.text.assign(Bank::of(ty), x, "0");
                let offset = beyond + part * ty.bytes();
                self.text.line(format_args!("@{there} ld.global.nc.{} {x}, [{at}+{offset}];", stored(ty)));
            }
            if round(n + 1).0 > round(n).0 {
                at = self.plus(&at, next);
            }
        }
    }

    pub(super) fn rows(&mut self, rows: u32) {
        // A tile is of one block.
        let rounds = (self.rounds() as u32).min(BLOCK as u32 * rows / WARP);
        let columns = WARP * rounds / rows;
        // Rows that a round reads a piece of each of.
        let (across, bytes) = (WARP.min(columns), self.bytes());
        let wide = self.joined.bytes();
        let beside = WARP / across;
        // Odd, so that threads at one column do not meet in a bank.
        let stride = columns as usize + 1;
        self.text.outside = format!("  .shared .align 8 .b8 shared[{}];\n", rows as usize * stride * wide);
        let shared = self.text.put(Bank::Word, "mov.u32", &["shared"]);
        let [lane, cta, ctas] = ["%tid.x", "%ctaid.x", "%nctaid.x"]
            .map(|special| self.text.put(Bank::Word, "mov.u32", &[special]));
        let bits = across.trailing_zeros().to_string();
        let row = self.text.put(Bank::Word, "shr.u32", &[&lane, &bits]);
        let column = self.text.put(Bank::Word, "and.b32", &[&lane, &(across - 1).to_string()]);
        let place = |w: &mut Self, row: &str, column: &str| {
            let at = w.text.put(Bank::Word, "mad.lo.u32", &[row, &stride.to_string(), column]);
            w.text.put(Bank::Word, "mad.lo.u32", &[&at, &wide.to_string(), &shared])
        };
        // Where a thread's elements stand in the tile, round by round, and the row that it goes along.
        let tile = place(self, &row, &column);
        let own = if rows == 1 { "0".to_string() } else { lane.clone() };
        let walked = place(self, &own, "0");
        let round = |n| round(rows, columns, n);
        let at = |n: u32| (round(n).0 as usize * stride + round(n).1 as usize) * wide;
        let [lane, row, column, cta, ctas] =
            [lane, row, column, cta, ctas].map(|word| self.text.widened(&word));
        let units = self.text.word(Words::UNITS);
        let each = self.text.open("rows", &cta, &units, &ctas);
        let [length, lines, initial] = self.words([1, 5, 6]);
        let first = self.times(&each.i, &rows.to_string());
        let own = if rows == 1 { first.clone() } else { self.plus(&first, &lane) };
        let mut goes = self.text.compare("lt", &own, &lines);
        if rows == 1 {
            let leads = self.text.compare("eq", &lane, "0");
            goes = self.text.test("and.pred", &[&goes, &leads]);
        }
        let longer = self.plus(&length, &initial);
        let skip = self.text.label("after");
        let wanted = self.text.compare("ne", &initial, "0");
        let wanted = self.text.test("and.pred", &[&goes, &wanted]);
        self.text.line(format_args!("@!{wanted} bra {skip};"));
        let index = self.times(&own, &longer);
        let base = self.text.address(8);
        let begin = self.text.element(&base, &index, bytes);
        self.nothing(&begin);
        self.text.place(&skip);
        let line = self.plus(&first, &row);
        let lines_left = self.left_of(&lines, &line, rows);
        // The addresses of a thread's first element, and from a row that it reads to the next.
        let [from, to] = [(7, &length, "0"), (8, &longer, initial.as_str())].map(|(word, length, before)| {
            let index = self.times(&line, length);
            let index = self.plus(&index, before);
            let index = self.plus(&index, &column);
            let base = self.text.address(word);
            let at = self.text.element(&base, &index, bytes);
            let next = self.times(length, &(beside as usize * bytes).to_string());
            (self.text.copy(Bank::Double, &at), next)
        });
        self.begin();
        let held: Vec<Vec<String>> = (0..rounds).map(|_| self.room()).collect();
        let done = self.text.copy(Bank::Double, "0");
        let columns_left = self.left_of(&length, &column, columns);
        self.take(&held, &from, (&lines_left, &columns_left), round);
        let (again, ended) = (self.text.label("tile"), self.text.label("ended"));
        self.text.place(&again);
        let more = self.text.compare("lt", &done, &length);
        self.text.line(format_args!("@!{more} bra {ended};"));
        self.meet();
        for (n, value) in (0..rounds).zip(&held) {
            let value = self.widened(value.clone());
            self.share(&tile, at(n), &value);
        }
        self.meet();
        let next = self.plus(&done, &columns.to_string());
        let tile_bytes = (columns as usize * bytes).to_string();
        self.text.set(&from.0, "add.u64", &[&from.0, &tile_bytes]);
        let [here, after] = [&done, &next].map(|tile| self.plus(&column, tile));
        let [here, after] = [here, after].map(|begin| self.left_of(&length, &begin, columns));
        self.take(&held, &from, (&lines_left, &after), round);
        let skip = self.text.label("after");
        self.text.line(format_args!("@!{goes} bra {skip};"));
        self.block(&done);
        let left = self.text.number("sub", 'u', &[&length, &done]);
        let left = self.text.number("min", 'u', &[&left, &columns.to_string()]);
        let left = self.text.copy(Bank::Double, &left);
        let along = self.text.copy(Bank::Word, &walked);
        self.groups(&left, |w, count| {
            let elements: Vec<Vec<String>> =
                (0..count).map(|i| w.fetch(w.joined, "shared", &along, i * wide)).collect();
            for (i, x) in elements.into_iter().enumerate() {
                let value = w.step(x);
                w.share(&along, i * wide, &value);
            }
            w.text.set(&along, "add.u32", &[&along, &(count * wide).to_string()]);
        });
        self.text.place(&skip);
        self.meet();
        let mut at_row = to.0.clone();
        for n in 0..rounds {
            let there = self.there((&lines_left, &here), round(n));
            let value = self.fetch(self.joined, "shared", &tile, at(n));
            let value = self.narrowed(value);
            let beyond = (round(n).1 as usize * bytes).to_string();
            let place = self.plus(&at_row, &beyond);
            self.text.inside = Some(there);
            self.keep(&place, &value);
            self.text.inside = None;
            if round(n + 1).0 > round(n).0 {
                at_row = self.plus(&at_row, &to.1);
            }
        }
        self.text.set(&to.0, "add.u64", &[&to.0, &tile_bytes]);
        self.text.assign(Bank::Double, &done, &next);
        self.text.line(format_args!("bra {again};"));
        self.text.place(&ended);
        self.meet();
        self.text.close(each);
    }
}

/// Where the element of a round is, from a thread's first of a tile: rows, and columns.
fn round(rows: u32, columns: u32, n: u32) -> (u32, u32) {
    // A row of a tile in pieces of a warp's width, or a warp's width of rows.
    let (pieces, beside) = ((columns / WARP).max(1), (WARP / columns).max(1));
    (n / pieces % rows * beside, n % pieces * WARP)
}
