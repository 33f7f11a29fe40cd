//! Elements side by side in a row, which a thread computes at a time: inputs that are whole are read
//! by one instruction, results are written by one, and a statement is written for each element before
//! the next one, so that reads and long chains of operations wait together.

use super::places::{known, written};
use super::text::{Bank, Text, Values};
use super::{Shape, TILE, TILE_DEPTH, Words};
use crate::ir::{Access, Code, Id, Kernel, Param, Place, Rule, Type};

/// The bytes that one instruction reads or writes at most.
const VECTOR: usize = 16;
/// The statements that a thread's elements have at most together: the assembler's time goes by them.
const STATEMENTS: usize = 384;
/// The words of inputs that a thread's elements have at most together: registers hold them.
const WORDS: usize = 64;

/// What a kernel allows a thread to compute at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nature {
    /// The elements side by side: a power of two.
    pub most: u32,
    /// True if it may be done for elements of the space alone.
    pub exact: bool,
    /// True for tiles.
    pub tiles: bool,
}

impl Nature {
    /// Of a kernel.
    pub fn of(kernel: &Kernel) -> Nature {
        let has = |codes: &[Code]| codes.iter().any(|&code| kernel.has(code));
        let exact = has(&[Code::Check, Code::Gather, Code::LoadWhere]);
        let folds = Shape::of(&kernel.params) != Shape::Elements;
        // Threads of a warp go round a loop until the last one has ended.
        if folds || has(&[Code::Loop, Code::If]) {
            return Nature { most: 1, exact, tiles: false };
        }
        // Constants are one for all.
        let held = kernel.blocks.iter().skip(1).flatten();
        let statements = held.filter(|&&id| kernel.statement(id).code != Code::Constant).count();
        let each =
            |p: &&Param| !p.access.is_uniform() && !matches!(p.access, Access::Counter(_) | Access::Flag);
        let bytes = |p: &Param| p.bytes();
        let widest = kernel.params.iter().filter(each).map(bytes).max().unwrap_or(1);
        let inputs = kernel.params.iter().filter(|p| !p.access.is_written()).filter(each);
        let words: usize = inputs.map(|p| p.bytes().div_ceil(4)).sum();
        let fits = |count: usize| statements * count <= STATEMENTS && words * count <= WORDS;
        let mut most = VECTOR / widest.min(VECTOR);
        while most > 1 && !fits(most) {
            most /= 2;
        }
        Nature { most: most as u32, exact, tiles: fits((TILE / TILE_DEPTH) as usize) }
    }
}

/// How many elements side by side memory has in a vector: their type as words, and how many words.
fn vector(ty: Type, bytes: usize) -> (&'static str, usize) {
    match (ty.bytes(), bytes) {
        (8, _) => ("b64", bytes / 8),
        (_, 2) => ("u16", 1),
        _ => ("b32", bytes / 4),
    }
}

/// What makes a word of bytes of two: four numbers, the lowest first, of the first one's bytes from 0
/// on, and of the second one's from 4 on.
fn permutation(bytes: [u32; 4]) -> String {
    bytes.iter().rev().fold(0, |all, byte| all << 4 | byte).to_string()
}

impl Text<'_> {
    /// Results that have every element, of which a thread computes so many side by side.
    pub(super) fn elements(&mut self, each: u32, whole: u32, ragged: bool) {
        let whole = self.inputs(whole, |access| access == Access::Linear);
        let (number, count) = self.thread();
        let [first, step] = [number, count].map(|word| {
            let word = match each {
                1 => word,
                _ => self.put(Bank::Word, "mul.lo.u32", &[&word, &each.to_string()]),
            };
            self.widened(&word)
        });
        let units = self.word(Words::UNITS);
        let last = if ragged { self.number("sub", 'u', &[&units, "1"]) } else { String::new() };
        let mut values = Values::new();
        if self.form.outer == 0 {
            // One row: what is known for it is known for all.
            self.addresses(&[], true);
            self.top(&mut values);
        }
        let elements = self.open("element", &first, &units, &step);
        let at = self.coordinates(&elements.i, self.form.outer + 1);
        if self.form.outer > 0 {
            self.addresses(&at, true);
            self.top(&mut values);
        }
        self.addresses(&at, false);
        self.index = elements.i.clone();
        if each == 1 {
            self.body(&mut values);
        } else {
            let vectors: Vec<(usize, Vec<String>)> = (0..self.params.len())
                .filter(|&n| is_in(whole, n))
                .map(|n| (n, self.load_vectors(n, each)))
                .collect();
            self.apart(each, whole, ragged.then_some((&elements.i, &last)));
            let mut lanes = vec![values; each as usize];
            let Some(kernel) = self.kernel else { return };
            let body = kernel.body();
            let alone = |id: &Id| loaded(kernel, *id).is_some_and(|p| !is_in(whole, p));
            self.in_lanes(kernel, body.iter().copied().filter(alone), &mut lanes);
            for (n, words) in vectors {
                self.unpack(n, each, &words);
            }
            self.in_lanes(kernel, body.iter().copied().filter(|id| !alone(id)), &mut lanes);
        }
        self.close(elements);
    }

    /// Those of some parameters, of the first 32, whose elements are found in a certain way.
    pub(super) fn inputs(&self, some: u32, found: impl Fn(Access) -> bool) -> u32 {
        let all = self.params.iter().take(32).enumerate();
        some & all.fold(0, |set, (n, p)| set | u32::from(found(p.access)) << n)
    }

    /// Writes some statements, each for all lanes.
    pub(super) fn in_lanes(&mut self, kernel: &Kernel, ids: impl Iterator<Item = Id>, lanes: &mut [Values]) {
        for id in ids {
            if kernel.statement(id).code == Code::Rare {
                self.rare_abreast(kernel, id, lanes);
                continue;
            }
            for lane in 0..lanes.len() {
                self.lane = lane;
                match lanes[0].get(&id).filter(|_| kernel.statement(id).code == Code::Constant) {
                    Some(constant) => {
                        let constant = constant.clone();
                        lanes[lane].insert(id, constant);
                    }
                    None => self.one(kernel, id, &mut lanes[lane]),
                }
            }
        }
        self.lane = 0;
    }

    /// Reads so many elements of an input, which is whole.
    fn load_vectors(&mut self, n: usize, each: u32) -> Vec<String> {
        let p = self.params[n];
        let (from, by) = self.at(n);
        let bytes = p.bytes() * each as usize;
        let mut words = Vec::new();
        for first in (0..bytes).step_by(VECTOR) {
            let (word, count) = vector(p.ty, bytes.min(VECTOR));
            let some: Vec<String> = (0..count).map(|_| self.register(Bank::of(p.ty).memory())).collect();
            let from = format!("[{from}+{}]", by + first as i64);
            match some.as_slice() {
                [one] => self.line(format_args!("ld.global.nc.{word} {one}, {from};")),
                all => {
                    let all = all.join(", ");
                    self.line(format_args!("ld.global.nc.v{count}.{word} {{{all}}}, {from};"));
                }
            }
            words.extend(some);
        }
        words
    }

    /// Takes the elements of an input apart.
    fn unpack(&mut self, n: usize, each: u32, words: &[String]) {
        let p = self.params[n];
        let mut parts = Vec::new();
        for i in 0..(each * p.parts) as usize {
            let bytes = p.ty.bytes();
            let word = &words[i * bytes / Bank::of(p.ty).memory().bytes()];
            let first = (i * bytes % 4) as u32;
            // The sign is repeated, or zeros stand above.
            let sign = first + bytes as u32 - 1 + 8;
            let above = if p.ty.is_signed() { sign } else { 4 };
            let value = match bytes {
                1 => {
                    self.put(Bank::Word, "prmt.b32", &[word, "0", &permutation([first, above, above, above])])
                }
                2 => {
                    let bytes = permutation([first, first + 1, above, above]);
                    self.put(Bank::Word, "prmt.b32", &[word, "0", &bytes])
                }
                _ => word.clone(),
            };
            parts.push(if p.ty == Type::Bool { self.test("setp.ne.u32", &[&value, "0"]) } else { value });
        }
        for (lane, parts) in parts.chunks(p.parts as usize).enumerate() {
            self.read.insert((n, lane), parts.to_vec());
        }
    }

    /// Finds the elements of all lanes but the first, of inputs that are not whole; in a ragged row
    /// none after the last one.
    fn apart(&mut self, each: u32, whole: u32, ragged: Option<(&str, &str)>) {
        let moves =
            |n: usize, p: &Param| !p.access.is_written() && !p.access.is_uniform() && !is_in(whole, n);
        for lane in 1..each {
            self.lane = lane as usize;
            if let Some((i, last)) = ragged {
                let i = self.number("add", 'u', &[i, &lane.to_string()]);
                let i = self.number("min", 'u', &[&i, last]);
                self.addresses_of(&[i], moves);
                continue;
            }
            for (n, p) in self.params.iter().enumerate().filter(|(n, p)| moves(*n, p)) {
                let (first, by) = self.at[&(n, 0)].clone();
                let bytes = p.bytes() * lane as usize;
                let place = match known(p.access) {
                    Some(step) => (first, by + step as i64 * bytes as i64),
                    None => {
                        let step = self.word(self.words.base(self.params, n) + 1 + self.form.outer);
                        (self.element(&first, &step, bytes), by)
                    }
                };
                self.at.insert((n, lane as usize), place);
            }
        }
        self.lane = 0;
    }

    /// Keeps the element of a lane, and writes those of all once the last one is there.
    pub(super) fn store_abreast(&mut self, n: usize, parts: Vec<String>, each: u32) {
        let stored = self.stored.entry(n).or_default();
        stored.extend(parts);
        let p = self.params[n];
        if stored.len() < (each * p.parts) as usize {
            return;
        }
        let all = self.stored.remove(&n).unwrap_or_default();
        let bytes = all.len() * p.ty.bytes();
        let words = self.pack(p.ty, all);
        let index = self.index.clone();
        let to = self.result(n, &index);
        let (word, count) = vector(p.ty, bytes.min(VECTOR));
        for (i, some) in words.chunks(count).enumerate() {
            let to = format!("[{to}+{}]", i * VECTOR);
            match some {
                [one] => self.line(format_args!("st.{}.{word} {to}, {one};", written(p))),
                all => {
                    let all = all.join(", ");
                    self.line(format_args!("st.{}.v{count}.{word} {to}, {{{all}}};", written(p)));
                }
            }
        }
    }

    /// Values as memory has them side by side.
    fn pack(&mut self, ty: Type, values: Vec<String>) -> Vec<String> {
        let mut words = values;
        if ty == Type::Bool {
            words = words.iter().map(|x| self.put(Bank::Word, "selp.u32", &["1", "0", x])).collect();
        }
        let mut bytes = ty.bytes();
        while bytes < 4 && words.len() > 1 {
            let both = permutation(if bytes == 1 { [0, 4, 0, 0] } else { [0, 1, 4, 5] });
            words =
                words.chunks(2).map(|w| self.put(Bank::Word, "prmt.b32", &[&w[0], &w[1], &both])).collect();
            bytes *= 2;
        }
        words
    }
}

/// True if a set of the first 32 parameters has one.
pub(super) fn is_in(set: u32, param: usize) -> bool {
    param < 32 && set >> param & 1 > 0
}

/// The input that a statement reads where the walk leads to, if it does so.
pub(super) fn loaded(kernel: &Kernel, id: Id) -> Option<usize> {
    let s = kernel.statement(id);
    (s.code.rule() == Rule::Load).then(|| Place::of(s.imm).param as usize)
}
