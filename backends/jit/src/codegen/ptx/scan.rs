//! Running sums and products, each in the order of its line.
//!
//! A thread goes along a line, or a part of one ([`Walk::Line`]). Where lines are columns, neighbours read
//! neighbours. Rows are read by a warp, in tiles that it passes on through shared memory, converted there and back by all its threads, for 32 rows or for
//! one ([`Walk::Rows`]), while the tile after is on its way. Integers wrap in any order alike: long lines of them are
//! taken in parts, of which the totals are found first, and then what comes before each ([`Walk::Before`]).

mod rows;

use super::text::{Bank, Held, Loop, Text};
use super::{Form, Words};
use crate::ir::Param;
use crate::lower::Running;
use ivy_kernels::scan::BLOCK;

/// Elements that are read before the first of them is used, where they are near.
const AHEAD: usize = 8;
/// The bytes that a thread has asked for before it waits, where there are few threads: a line has one.
const AWAITED: usize = 256;
/// Elements of that, at most: the assembler's time goes by them.
const ROUNDS: usize = 64;
/// Parts that a thread looks at at once: a line has a multiple of it.
pub const PARTS: usize = 8;

/// Which function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Walk {
    /// A thread for each part of a line.
    Line(Part),
    /// A thread for each line: what comes before each part of it.
    Before,
    /// A warp for so many rows, which is 32 or 1.
    Rows(u32),
}

/// What is done with a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// It is the whole line.
    Whole,
    /// Its total is found.
    Total,
    /// It is written, after what comes before it.
    Rest,
}

/// The words of a launch's argument, 8 bytes each, for all functions. A line has an element for each of
/// `length`, `inner` elements apart.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The units of work: parts of lines, lines, or warps.
    pub units: usize,
    /// The elements of a line.
    pub length: usize,
    /// Lines side by side.
    pub inner: usize,
    /// The parts of a line, and the elements of a part.
    pub parts: (usize, usize),
    /// All lines.
    pub lines: usize,
    /// 1 if what there is of nothing comes first, else 0.
    pub initial: usize,
    /// The elements.
    pub from: u64,
    /// The results.
    pub to: u64,
    /// The total of each part, and what comes before it; 8 bytes each.
    pub totals: [u64; 2],
}

impl Numbers {
    /// In order.
    pub fn words(&self) -> [u64; 11] {
        let Numbers { units, length, inner, parts, lines, initial, from, to, totals } = *self;
        let [units, length, inner, parts, part, lines, initial] =
            [units, length, inner, parts.0, parts.1, lines, initial].map(|n| n as u64);
        [units, length, inner, parts, part, lines, initial, from, to, totals[0], totals[1]]
    }
}

impl Walk {
    /// The function. Its argument are [`Numbers::words`].
    pub fn function(self, running: &Running, name: &str) -> String {
        let mut text = Text::new(&[], Form::new(0, true));
        text.arguments(11);
        let [widen, narrow] =
            [&running.widen, &running.narrow].map(|kernel| kernel.as_ref().map(|kernel| text.held(kernel)));
        let step = text.held(&running.step);
        let joined = running.step.params[0];
        let element = running.widen.as_ref().map_or(joined, |kernel| kernel.params[0]);
        let join = running.join.as_ref().map(|kernel| text.held(kernel));
        let (carried, before) = (Vec::new(), Vec::new());
        let mut writer =
            Writer { text, running, element, joined, widen, step, narrow, join, carried, before };
        match self {
            Walk::Line(part) => writer.line(part),
            Walk::Before => writer.before(),
            Walk::Rows(rows) => writer.rows(rows),
        }
        writer.text.finish(name)
    }
}

struct Writer<'k> {
    text: Text<'k>,
    running: &'k Running,
    /// An element, and what it is joined as.
    element: Param,
    joined: Param,
    widen: Option<Held<'k>>,
    step: Held<'k>,
    narrow: Option<Held<'k>>,
    join: Option<Held<'k>>,
    /// What is carried, of a block where those are joined.
    carried: Vec<String>,
    /// What the blocks before carry.
    before: Vec<String>,
}

impl<'k> Writer<'k> {
    fn bytes(&self) -> usize {
        self.element.bytes()
    }

    /// Elements that a thread asks for at once, and those of a tile for each thread.
    fn rounds(&self) -> usize {
        (AWAITED / self.bytes()).min(ROUNDS)
    }

    fn words<const N: usize>(&mut self, words: [usize; N]) -> [String; N] {
        words.map(|word| self.text.word(word))
    }

    fn times(&mut self, a: &str, b: &str) -> String {
        self.text.number("mul.lo", 'u', &[a, b])
    }

    fn plus(&mut self, a: &str, b: &str) -> String {
        self.text.number("add", 'u', &[a, b])
    }

    /// A loop over the units of work.
    fn units(&mut self) -> Loop {
        let (number, threads) = self.text.thread();
        let (first, threads) = (self.text.widened(&number), self.text.widened(&threads));
        let units = self.text.word(Words::UNITS);
        self.text.open("unit", &first, &units, &threads)
    }

    fn begin(&mut self) {
        let running = self.running;
        let mut begin =
            || running.begin.iter().map(|&(ty, bits)| self.text.constant(ty, bits)).collect::<Vec<_>>();
        (self.carried, self.before) = (begin(), begin());
    }

    /// What the blocks before and this one carry: the value after both, and what is carried next.
    fn joined(&mut self) -> Option<Vec<Vec<String>>> {
        let inputs = self.before.iter().chain(&self.carried).map(|c| vec![c.clone()]).collect();
        self.join.as_ref().map(|join| self.text.inlined(join, inputs))
    }

    /// Begins a block, if so many elements are whole ones.
    fn block(&mut self, done: &str) {
        if self.join.is_none() {
            return;
        }
        let skip = self.text.label("block");
        let beyond = self.text.put(Bank::Double, "and.b64", &[done, &(BLOCK - 1).to_string()]);
        let begins = self.text.compare("eq", &beyond, "0");
        self.text.line(format_args!("@!{begins} bra {skip};"));
        let next = self.joined().unwrap_or_default().into_iter().skip(1);
        let running = self.running;
        for (((before, carried), next), &(ty, bits)) in
            self.before.iter().zip(&self.carried).zip(next).zip(&running.begin)
        {
            self.text.assign(Bank::of(ty), before, &next[0]);
            let begin = self.text.constant(ty, bits);
            self.text.assign(Bank::of(ty), carried, &begin);
        }
        self.text.place(&skip);
    }

    /// An element as it is joined.
    fn widened(&mut self, x: Vec<String>) -> Vec<String> {
        match &self.widen {
            Some(held) => self.text.inlined(held, vec![x]).pop().unwrap_or_default(),
            None => x,
        }
    }

    /// What is joined as an element.
    fn narrowed(&mut self, x: Vec<String>) -> Vec<String> {
        match &self.narrow {
            Some(held) => self.text.inlined(held, vec![x]).pop().unwrap_or_default(),
            None => x,
        }
    }

    /// A step: the value there.
    fn step(&mut self, x: Vec<String>) -> Vec<String> {
        let carried = self.carried.iter().map(|c| vec![c.clone()]);
        let inputs = std::iter::once(x).chain(carried).collect();
        let mut stored = self.text.inlined(&self.step, inputs).into_iter();
        let value = stored.next().unwrap_or_default();
        for ((to, next), &(ty, _)) in self.carried.iter().zip(stored).zip(&self.running.begin) {
            self.text.assign(Bank::of(ty), to, &next[0]);
        }
        self.joined().and_then(|stored| stored.into_iter().next()).unwrap_or(value)
    }

    /// An element at an address and a distance in bytes, or what is joined.
    fn fetch(&mut self, what: Param, space: &str, at: &str, distance: usize) -> Vec<String> {
        let Param { ty, parts, .. } = what;
        let part = |part: usize| format!("[{at}+{}]", distance + part * ty.bytes());
        (0..parts as usize).map(|n| self.text.fetch(ty, space, &part(n))).collect()
    }

    /// Writes an element.
    fn keep(&mut self, to: &str, value: &[String]) {
        self.text.keep(self.element.ty, "global", to, value);
    }

    /// Writes what there is of nothing.
    fn nothing(&mut self, to: &str) {
        let ty = self.element.ty;
        let value: Vec<String> =
            self.running.identity.iter().map(|&bits| self.text.constant(ty, bits)).collect();
        self.keep(to, &value);
    }

    /// The element at an address, which moves on.
    fn next(&mut self, from: &str, step: &str) -> Vec<String> {
        let x = self.fetch(self.element, "global.nc", from, 0);
        self.text.set(from, "add.u64", &[from, step]);
        x
    }

    /// Joins an element, and writes the value, if it is wanted, to an address, which moves on.
    fn take_in(&mut self, x: Vec<String>, to: Option<(&str, &str)>) {
        let x = self.widened(x);
        let value = self.step(x);
        if let Some((to, step)) = to {
            let value = self.narrowed(value);
            self.keep(to, &value);
            self.text.set(to, "add.u64", &[to, step]);
        }
    }

    /// Many elements at a time, of those that are left, while as many after them are on their way.
    fn far(&mut self, (length, left): (&str, &str), (from, to, step): (&str, &str, &str), write: bool) {
        let (rounds, ty) = (self.rounds(), self.element.ty);
        let (again, last, done) = (self.text.label("far"), self.text.label("last"), self.text.label("done"));
        let count = rounds.to_string();
        let some = self.text.test("setp.ge.s64", &[left, &count]);
        self.text.line(format_args!("@!{some} bra {done};"));
        let held: Vec<Vec<String>> = (0..rounds).map(|_| self.next(from, step)).collect();
        let more = self.text.register(Bank::Truth);
        self.text.place(&again);
        let gone = self.text.number("sub", 's', &[length, left]);
        self.block(&gone);
        self.text.set(left, "sub.s64", &[left, &count]);
        self.text.set(&more, "setp.ge.s64", &[left, &count]);
        let coming: Vec<Vec<String>> = (0..rounds).map(|_| self.room()).collect();
        self.text.line(format_args!("@!{more} bra {last};"));
        for to in &coming {
            let x = self.next(from, step);
            to.iter().zip(&x).for_each(|(to, x)| self.text.assign(Bank::of(ty), to, x));
        }
        self.text.place(&last);
        held.iter().for_each(|x| self.take_in(x.clone(), write.then_some((to, step))));
        self.text.line(format_args!("@!{more} bra {done};"));
        for (to, x) in held.iter().flatten().zip(coming.iter().flatten()) {
            self.text.assign(Bank::of(ty), to, x);
        }
        self.text.line(format_args!("bra {again};"));
        self.text.place(&done);
    }

    /// Calls for groups of elements, of those that are left, then for single ones.
    fn groups(&mut self, left: &str, each: impl Fn(&mut Self, usize)) {
        for count in [AHEAD, 1] {
            let (again, done) = (self.text.label("group"), self.text.label("done"));
            self.text.place(&again);
            let some = self.text.test("setp.ge.s64", &[left, &count.to_string()]);
            self.text.line(format_args!("@!{some} bra {done};"));
            each(self, count);
            self.text.set(left, "sub.s64", &[left, &count.to_string()]);
            self.text.line(format_args!("bra {again};"));
            self.text.place(&done);
        }
    }

    fn line(&mut self, part: Part) {
        let each = self.units();
        let [length, inner, parts, most, initial] = self.words([1, 2, 3, 4, 6]);
        let (number, column) = self.text.split(&each.i, &inner);
        let (outer, number) = self.text.split(&number, &parts);
        let first = self.times(&number, &most);
        let left = self.text.number("sub", 's', &[&length, &first]);
        let left = self.text.number("min", 's', &[&left, &most]);
        let left = self.text.copy(Bank::Double, &left);
        let bytes = self.bytes();
        // The address of the first element, in lines of a length.
        let place = |w: &mut Self, word: usize, length: &str, before: &str| {
            let row = w.times(&outer, length);
            let row = w.plus(&row, before);
            let row = w.plus(&row, &first);
            let index = w.text.number("mad.lo", 'u', &[&row, &inner, &column]);
            let base = w.text.address(word);
            let at = w.text.element(&base, &index, bytes);
            w.text.copy(Bank::Double, &at)
        };
        let from = place(self, 7, &length, "0");
        let step = self.times(&inner, &bytes.to_string());
        let slot = |w: &mut Self, word: usize| {
            let base = w.text.address(word);
            w.text.element(&base, &each.i, 8)
        };
        self.begin();
        if part == Part::Rest {
            let at = slot(self, 10);
            let ty = self.running.begin[0].0;
            let value = self.text.fetch(ty, "global.nc", &format!("[{at}]"));
            let carried = self.carried[0].clone();
            self.text.assign(Bank::of(ty), &carried, &value);
        }
        let mut to = String::new();
        if part != Part::Total {
            let longer = self.plus(&length, &initial);
            to = place(self, 8, &longer, &initial);
            let begins = self.text.compare("eq", &first, "0");
            let wanted = self.text.compare("ne", &initial, "0");
            let wanted = self.text.test("and.pred", &[&begins, &wanted]);
            let after = self.text.label("after");
            self.text.line(format_args!("@!{wanted} bra {after};"));
            let before = self.text.number("sub", 'u', &[&to, &step]);
            self.nothing(&before);
            self.text.place(&after);
        }
        let write = part != Part::Total;
        self.far((&length, &left), (&from, &to, &step), write);
        self.groups(&left, |w, count| {
            // Of whole lines, as those that have blocks are.
            let gone = w.text.number("sub", 's', &[&length, &left]);
            w.block(&gone);
            let elements: Vec<Vec<String>> = (0..count).map(|_| w.next(&from, &step)).collect();
            elements.into_iter().for_each(|x| w.take_in(x, write.then_some((&to, &step))));
        });
        if part == Part::Total {
            let (at, ty) = (slot(self, 9), self.running.begin[0].0);
            self.text.keep(ty, "global", &at, &self.carried.clone());
        }
        self.text.close(each);
    }

    /// Of integers: what is carried is joined as it is by a step.
    fn before(&mut self) {
        let each = self.units();
        let [inner, parts] = self.words([2, 3]);
        let (outer, column) = self.text.split(&each.i, &inner);
        let first = self.times(&outer, &parts);
        let first = self.text.number("mad.lo", 'u', &[&first, &inner, &column]);
        let [totals, before] = [9, 10].map(|word| {
            let base = self.text.address(word);
            let at = self.text.element(&base, &first, 8);
            self.text.copy(Bank::Double, &at)
        });
        let step = self.times(&inner, "8");
        self.begin();
        let (ty, carried) = (self.running.begin[0].0, self.carried[0].clone());
        let group = self.text.open("parts", "0", &parts, &PARTS.to_string());
        let some: Vec<String> = (0..PARTS)
            .map(|_| {
                let total = self.text.fetch(ty, "global.nc", &format!("[{totals}]"));
                self.text.set(&totals, "add.u64", &[&totals, &step]);
                total
            })
            .collect();
        for total in some {
            self.text.keep(ty, "global", &before, std::slice::from_ref(&carried));
            self.text.set(&before, "add.u64", &[&before, &step]);
            self.step(vec![total]);
        }
        self.text.close(group);
        self.text.close(each);
    }

    /// Registers for an element.
    fn room(&mut self) -> Vec<String> {
        (0..self.element.parts).map(|_| self.text.register(Bank::of(self.element.ty))).collect()
    }
}
