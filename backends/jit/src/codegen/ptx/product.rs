//! Products of matrices: a tile of the result for each block of threads.
//!
//! Threads stand 16 by 16. Each computes as many rows and columns of its tile, 16 apart, from
//! strips of the operands that the block has copied to shared memory, so that an element is read
//! from far away once for each tile that needs it.
//!
//! The order is that of [`ivy_kernels::matmul::fused`], and so are the bits: upwards along `k` with
//! fused multiply-add within blocks of [`DEPTH`], each begun from zero, and the blocks in order.

use super::text::{Bank, Text};
use super::values::named;
use super::{Form, Words};
use crate::ir::Type;

/// Threads of a block along each axis.
pub const SIDE: u32 = 16;
/// Of a strip along `k`.
const STEP: usize = SIDE as usize;
/// Length of a block along `k`: the host's.
const DEPTH: usize = 256;

/// What a kernel for products is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Product {
    /// float32 or float64.
    pub ty: Type,
    /// Rows, and columns, of a thread.
    pub each: u32,
    /// Axes of the stack of matrices.
    pub leads: usize,
}

impl Product {
    /// Rows, and columns, of a tile.
    pub fn tile(self) -> usize {
        (self.each * SIDE) as usize
    }

    /// Where the words of a launch's argument are, 8 bytes each: how many tiles there are; `k`; the
    /// length of each axis of the stack, the tiles along the rows and those along the columns; then
    /// these, the addresses being of first elements, and steps in elements.
    fn word(self, what: Word) -> usize {
        let (first, leads) = (2 + self.leads + 2, self.leads);
        first
            + match what {
                Word::Rows => 0,
                Word::Columns => 1,
                Word::Result => 2,
                Word::Left => 3,
                Word::LeftStep(axis) => 4 + axis,
                Word::Right => 6 + leads,
                Word::RightStep(axis) => 7 + leads + axis,
            }
    }

    /// The words, in order, for these numbers.
    pub fn words(self, numbers: &Numbers<'_>) -> Vec<u64> {
        let size = |n: usize| n as u64;
        let tiles = [numbers.m, numbers.n].map(|n| n.div_ceil(self.tile()));
        let count = numbers.stack.iter().product::<usize>() * tiles[0] * tiles[1];
        let mut words = vec![size(count), size(numbers.k)];
        words.extend(numbers.stack.iter().chain(&tiles).map(|&n| size(n)));
        words.extend([size(numbers.m), size(numbers.n), numbers.result]);
        for (address, steps) in numbers.operands {
            words.push(address);
            words.extend(steps.iter().map(|&s| s as u64));
        }
        words
    }

    /// The function. Its argument are [`Product::words`].
    pub fn function(self, name: &str) -> String {
        let mut text = Text::new(&[], Form::new(self.leads + 1, true));
        text.arguments(self.word(Word::RightStep(self.leads + 2)));
        Writer { kind: self, text }.write(name)
    }
}

/// What a launch is about.
pub struct Numbers<'a> {
    /// The axes of the stack.
    pub stack: &'a [usize],
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// What is summed over.
    pub k: usize,
    /// The address of the result, which is row-major.
    pub result: u64,
    /// The address of each operand, and the elements that a step along each axis of the stack, a
    /// row down and a column to the right move.
    pub operands: [(u64, &'a [isize]); 2],
}

enum Word {
    Rows,
    Columns,
    Result,
    Left,
    LeftStep(usize),
    Right,
    RightStep(usize),
}

/// A thread's part in copying an operand's strip.
struct Side {
    /// Its first element's address, which moves along `k`.
    from: String,
    /// Bytes to the next one, 16 rows or columns on, and to the next strip.
    next: String,
    strip: String,
    /// Truth values: which of its elements are in the matrix.
    inside: Vec<String>,
    /// Where along `k` it reads, from the strip's first.
    along: String,
    /// Where its first element goes in shared memory.
    to: String,
}

struct Writer<'k> {
    kind: Product,
    text: Text<'k>,
}

impl Writer<'_> {
    fn bank(&self) -> Bank {
        Bank::of(self.kind.ty)
    }

    fn bytes(&self) -> usize {
        self.kind.ty.bytes()
    }

    /// Elements from a strip's place along `k` to the next: odd, so that threads that write down a
    /// column do not meet in a bank.
    fn stride(&self) -> usize {
        self.kind.tile() + 1
    }

    fn times(&mut self, a: &str, b: &str) -> String {
        self.text.number("mul.lo", 's', &[a, b])
    }

    fn plus(&mut self, a: &str, b: &str) -> String {
        self.text.number("add", 's', &[a, b])
    }

    fn step(&mut self, word: Word) -> String {
        let step = self.text.word(self.kind.word(word));
        self.times(&step, &self.bytes().to_string())
    }

    /// The numbers of a thread's rows or columns from its first on: which of them are there.
    fn inside(&mut self, first: &str, length: &str) -> Vec<String> {
        let each = 0..self.kind.each;
        each.map(|i| {
            let number = self.plus(first, &(i * SIDE).to_string());
            self.text.compare("lt", &number, length)
        })
        .collect()
    }

    fn write(mut self, name: &str) -> String {
        let (kind, bytes) = (self.kind, self.bytes());
        let strip = STEP * self.stride() * bytes;
        self.text.outside = format!("  .shared .align 8 .b8 shared[{}];\n", 2 * strip);
        let [x, y, cta, ctas] = ["%tid.x", "%tid.y", "%ctaid.x", "%nctaid.x"]
            .map(|special| self.text.put(Bank::Word, "mov.u32", &[special]));
        let left = self.text.put(Bank::Word, "mov.u32", &["shared"]);
        let right = self.text.put(Bank::Word, "add.u32", &[&left, &strip.to_string()]);
        // A thread copies down a column of the left strip and along a row of the right one.
        let place = |w: &mut Self, base: &str, k: &str, other: &str| {
            let at = w.text.put(Bank::Word, "mad.lo.u32", &[k, &w.stride().to_string(), other]);
            w.text.put(Bank::Word, "mad.lo.u32", &[&at, &bytes.to_string(), base])
        };
        let to = [place(&mut self, &left, &x, &y), place(&mut self, &right, &y, &x)];
        // It multiplies its rows by its columns.
        let reads = [(&y, &left), (&x, &right)]
            .map(|(i, base)| self.text.put(Bank::Word, "mad.lo.u32", &[i, &bytes.to_string(), base]));
        let [x, y, cta, ctas] = [x, y, cta, ctas].map(|word| self.text.widened(&word));
        let [units, k] = [Words::UNITS, Words::BLOCKS].map(|word| self.text.word(word));
        let [m, n] = [Word::Rows, Word::Columns].map(|word| self.text.word(kind.word(word)));
        let tile = self.text.open("tile", &cta, &units, &ctas);
        let (down, across) = (2 + kind.leads, 3 + kind.leads);
        let [tiles_down, tiles_across] = [down, across].map(|word| self.text.word(word));
        let (number, column) = self.text.split(&tile.i, &tiles_across);
        let (matrix, row) = self.text.split(&number, &tiles_down);
        let stack = self.text.coordinates(&matrix, kind.leads);
        let size = kind.tile().to_string();
        let [row, column] = [(row, &y), (column, &x)].map(|(tile, thread)| {
            let first = self.times(&tile, &size);
            self.plus(&first, thread)
        });
        let rows = self.inside(&row, &m);
        let columns = self.inside(&column, &n);
        let [to_left, to_right] = to;
        let left = self.side(&stack, true, (&row, &x), rows.clone(), to_left);
        let right = self.side(&stack, false, (&column, &y), columns.clone(), to_right);
        let first = self.times(&matrix, &m);
        let first = self.plus(&first, &row);
        let first = self.times(&first, &n);
        let first = self.plus(&first, &column);

        let done = self.text.copy(Bank::Double, "0");
        let block = self.text.label("block");
        self.text.place(&block);
        let sums = self.sums(&done, &k, &[left, right], &reads);
        self.keep(&sums, &first, &n, &done, (&rows, &columns));
        self.text.set(&done, "add.u64", &[&done, &DEPTH.to_string()]);
        let more = self.text.compare("lt", &done, &k);
        self.text.line(format_args!("@{more} bra {block};"));
        self.text.close(tile);
        self.text.finish(name)
    }

    /// How a thread copies an operand: of the left one a row for each of its own, of the right one a
    /// column.
    fn side(
        &mut self,
        stack: &[String],
        left: bool,
        (line, along): (&str, &str),
        inside: Vec<String>,
        to: String,
    ) -> Side {
        let word = if left { Word::LeftStep } else { Word::RightStep };
        let mut from = self.text.address(self.kind.word(if left { Word::Left } else { Word::Right }));
        let leads = stack.len();
        let (lines, ks) = if left { (leads, leads + 1) } else { (leads + 1, leads) };
        let [line_step, k_step] = [lines, ks].map(|axis| self.step(word(axis)));
        for (axis, x) in stack.iter().enumerate() {
            let step = self.step(word(axis));
            let far = self.times(x, &step);
            from = self.plus(&from, &far);
        }
        for (x, step) in [(line, &line_step), (along, &k_step)] {
            let far = self.times(x, step);
            from = self.plus(&from, &far);
        }
        let from = self.text.copy(Bank::Double, &from);
        let next = self.times(&line_step, &SIDE.to_string());
        let strip = self.times(&k_step, &STEP.to_string());
        Side { from, next, strip, inside, along: along.into(), to }
    }

    /// The sums of a thread's elements over a block along `k`, which begins there.
    fn sums(&mut self, first: &str, k: &str, sides: &[Side; 2], reads: &[String; 2]) -> Vec<Vec<String>> {
        let bank = self.bank();
        let each = self.kind.each;
        let sums: Vec<Vec<String>> =
            (0..each).map(|_| (0..each).map(|_| self.text.constant(self.kind.ty, 0)).collect()).collect();
        let end = self.text.number("add", 'u', &[first, &DEPTH.to_string()]);
        let end = self.text.number("min", 'u', &[&end, k]);
        let strip = self.text.open("strip", first, &end, &STEP.to_string());
        for side in sides {
            let number = self.plus(&strip.i, &side.along);
            let there = self.text.compare("lt", &number, &end);
            let mut from = side.from.clone();
            for (i, inside) in side.inside.iter().enumerate() {
                let there = self.text.test("and.pred", &[&there, inside]);
                let value = self.text.constant(self.kind.ty, 0);
                let bits = bank.bits();
                self.text.line(format_args!("@{there} ld.global.nc.{bits} {value}, [{from}];"));
                let at = i * SIDE as usize * self.bytes();
                self.text.line(format_args!("st.shared.{bits} [{}+{at}], {value};", side.to));
                from = self.plus(&from, &side.next);
            }
            self.text.set(&side.from, "add.s64", &[&side.from, &side.strip]);
        }
        self.text.line(format_args!("bar.sync 0;"));
        let left = self.text.number("sub", 'u', &[&end, &strip.i]);
        let whole = self.text.compare("ge", &left, &STEP.to_string());
        let (rest, done) = (self.text.label("rest"), self.text.label("done"));
        self.text.line(format_args!("@!{whole} bra {rest};"));
        for at in 0..STEP {
            self.multiply(&sums, reads, at);
        }
        self.text.line(format_args!("bra {done};"));
        // Not with zeros in place of what is missing: they would make 0 of -0.
        self.text.place(&rest);
        let moving = [0, 1].map(|i| self.text.copy(Bank::Word, &reads[i]));
        let one = self.text.open("one", "0", &left, "1");
        self.multiply(&sums, &moving, 0);
        let bytes = (self.stride() * self.bytes()).to_string();
        moving.iter().for_each(|at| self.text.set(at, "add.u32", &[at, &bytes]));
        self.text.close(one);
        self.text.place(&done);
        // Before the next strip takes the place of this one.
        self.text.line(format_args!("bar.sync 0;"));
        self.text.close(strip);
        sums
    }

    /// Adds the products at a place along `k` of the strips in shared memory.
    fn multiply(&mut self, sums: &[Vec<String>], reads: &[String; 2], k: usize) {
        let (bits, name) = (self.bank().bits(), named(self.kind.ty));
        let (bytes, stride) = (self.bytes(), self.stride());
        let [a, b] = [0, 1].map(|side| -> Vec<String> {
            let each = 0..self.kind.each as usize;
            each.map(|i| {
                let at = (k * stride + i * SIDE as usize) * bytes;
                self.text.put(
                    self.bank(),
                    &format!("ld.shared.{bits}"),
                    &[&format!("[{}+{at}]", reads[side])],
                )
            })
            .collect()
        });
        for (a, row) in a.iter().zip(sums) {
            for (b, sum) in b.iter().zip(row) {
                self.text.set(sum, &format!("fma.rn.{name}"), &[a, b, sum]);
            }
        }
    }

    /// Writes a block's sums, or adds them to those of the blocks before.
    fn keep(
        &mut self,
        sums: &[Vec<String>],
        first: &str,
        n: &str,
        done: &str,
        (rows, columns): (&[String], &[String]),
    ) {
        let (bank, bits, name) = (self.bank(), self.bank().bits(), named(self.kind.ty));
        let result = self.text.address(self.kind.word(Word::Result));
        let begins = self.text.compare("eq", done, "0");
        let goes_on = self.text.put(Bank::Truth, "not.pred", &[&begins]);
        let down = self.times(n, &SIDE.to_string());
        let mut index = first.to_string();
        for (row, sums) in rows.iter().zip(sums) {
            let at = self.text.element(&result, &index, self.bytes());
            for (j, (column, sum)) in columns.iter().zip(sums).enumerate() {
                let to = format!("[{at}+{}]", j * SIDE as usize * self.bytes());
                let inside = self.text.test("and.pred", &[row, column]);
                let adds = self.text.test("and.pred", &[&inside, &goes_on]);
                let before = self.text.constant(self.kind.ty, 0);
                self.text.line(format_args!("@{adds} ld.global.{bits} {before}, {to};"));
                let both = self.text.put(bank, &format!("add.rn.{name}"), &[&before, sum]);
                let value = self.text.select(self.kind.ty, &begins, sum, &both);
                self.text.line(format_args!("@{inside} st.global.{bits} {to}, {value};"));
            }
            index = self.plus(&index, &down);
        }
    }
}
