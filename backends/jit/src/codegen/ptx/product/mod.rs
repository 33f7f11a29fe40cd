//! Products of matrices: a tile of the result for each block of threads ([`tiled`]), or an element
//! for each thread ([`plain`]).
//!
//! The order is that of [`ivy_kernels::matmul`], and so are the bits: upwards along `k` with
//! fused multiply-add within blocks of [`DEPTH`], each begun from zero, and the blocks in order.
//! What has few tiles can have its blocks computed side by side: they are parts, which
//! [`parts`] puts together.

mod plain;
mod tile;
mod tiled;

pub use plain::parts;
pub use tile::{STEP, Tile, tiles};

use super::text::{HEADER, Text};
use super::{Form, Words};
use crate::ir::Type;

/// Length of a block along `k`: the host's.
pub const DEPTH: usize = 256;

/// What a module that uses tensor cores begins with.
const TENSOR: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

/// How an operand's elements are copied: which way they stand side by side, so that a warp's reads
/// do, and whether 16 bytes are read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// Along `k`; else along the rows or columns of the result.
    pub along: bool,
    /// 16 bytes at once: the elements are neighbours, addresses are multiples of 16 bytes, and, but
    /// along `k`, the rows or columns are whole vectors.
    pub vectors: bool,
}

/// How the tiles of a product are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiled {
    /// Their shape.
    pub tile: Tile,
    /// Of the left operand and of the right one.
    pub reach: [Reach; 2],
    /// The result's rows are whole vectors.
    pub whole: bool,
}

/// What a kernel for products is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Product {
    /// float32 or float64.
    pub ty: Type,
    /// Axes of the stack of matrices.
    pub leads: usize,
    /// Tiles; without them a thread computes an element.
    pub tiled: Option<Tiled>,
}

impl Product {
    /// Rows and columns that a unit of work computes.
    fn sides(self) -> [usize; 2] {
        self.tiled.map_or([1; 2], |tiled| tiled.tile.sides(self.ty))
    }

    /// Threads of a block.
    pub fn threads(self) -> u32 {
        self.tiled.map_or(256, |tiled| tiled.tile.threads())
    }

    /// Where the words of a launch's argument are, 8 bytes each: how many units there are; `k`; how
    /// many parts, the length of each axis of the stack, the units along the rows and those along
    /// the columns; then these, the addresses being of first elements, and steps in elements.
    fn word(self, what: Word) -> usize {
        let (first, leads) = (2 + 1 + self.leads + 2, self.leads);
        first
            + match what {
                Word::Rows => 0,
                Word::Columns => 1,
                Word::Span => 2,
                Word::Result => 3,
                Word::Left => 4,
                Word::LeftStep(axis) => 5 + axis,
                Word::Right => 7 + leads,
                Word::RightStep(axis) => 8 + leads + axis,
            }
    }

    /// Blocks of threads that are one each for a unit of work.
    pub fn blocks(self, numbers: &Numbers<'_>) -> usize {
        let units = self.units(numbers);
        if self.tiled.is_some() { units } else { units.div_ceil(self.threads() as usize) }
    }

    /// Units of work: tiles of parts, or elements.
    fn units(self, numbers: &Numbers<'_>) -> usize {
        self.along(numbers).iter().chain(numbers.stack).product::<usize>() * numbers.parts
    }

    fn along(self, numbers: &Numbers<'_>) -> [usize; 2] {
        let [rows, columns] = self.sides();
        [numbers.m.div_ceil(rows), numbers.n.div_ceil(columns)]
    }

    /// The words, in order, for these numbers.
    pub fn words(self, numbers: &Numbers<'_>) -> Vec<u64> {
        let size = |n: usize| n as u64;
        let mut words = vec![size(self.units(numbers)), size(numbers.k), size(numbers.parts)];
        words.extend(numbers.stack.iter().chain(&self.along(numbers)).map(|&n| size(n)));
        let span = if numbers.parts > 1 { DEPTH } else { numbers.k };
        words.extend([size(numbers.m), size(numbers.n), size(span), numbers.result]);
        for (address, steps) in numbers.operands {
            words.push(address);
            words.extend(steps.iter().map(|&s| s as u64));
        }
        words
    }

    /// What a module begins with.
    pub fn header(self) -> &'static str {
        if self.tiled.is_some_and(|tiled| tiled.tile.tensor) { TENSOR } else { HEADER }
    }

    /// The function. Its argument are [`Product::words`].
    pub fn function(self, name: &str) -> String {
        // The parts are an axis before those of the stack.
        let mut text = Text::new(&[], Form::new(self.leads + 2, true));
        text.arguments(self.word(Word::RightStep(self.leads + 2)));
        match self.tiled {
            None => plain::write(self, text, name),
            Some(tiled) => tiled::write(self, tiled, text, name),
        }
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
    /// 1; else the blocks of [`DEPTH`] along `k`, each of which has a result of its own.
    pub parts: usize,
    /// The address of the result, which is row-major; those of parts follow each other.
    pub result: u64,
    /// The address of each operand, and the elements that a step along each axis of the stack, a
    /// row down and a column to the right move.
    pub operands: [(u64, &'a [isize]); 2],
}

#[derive(Clone, Copy)]
enum Word {
    Rows,
    Columns,
    Span,
    Result,
    Left,
    LeftStep(usize),
    Right,
    RightStep(usize),
}

/// A unit of work that is being written.
struct Unit {
    /// The number of its part and matrix together.
    matrix: String,
    /// Of its tiles, along the rows and along the columns.
    at: [String; 2],
    /// Coordinates in the stack.
    stack: Vec<String>,
    /// Along `k`, its first place and the one after its last.
    first: String,
    last: String,
}

/// An operand as a unit finds it: the address of its first matrix element, and the bytes from a row
/// or column of the result to the next, and along `k`.
struct Operand {
    from: String,
    line: String,
    k: String,
}

impl Product {
    fn unit(self, text: &mut Text<'_>, number: &str) -> Unit {
        let leads = self.leads;
        let [down, across] = [3, 4].map(|word| text.word(word + leads));
        let (number, column) = text.split(number, &across);
        let (matrix, row) = text.split(&number, &down);
        let mut stack = text.coordinates(&matrix, leads + 1);
        let part = stack.remove(0);
        let (span, k) = (text.word(self.word(Word::Span)), text.word(Words::BLOCKS));
        let first = text.number("mul.lo", 's', &[&part, &span]);
        let last = text.number("add", 'u', &[&first, &span]);
        let last = text.number("min", 'u', &[&last, &k]);
        Unit { matrix, at: [row, column], stack, first, last }
    }

    fn operand(self, text: &mut Text<'_>, unit: &Unit, left: bool) -> Operand {
        let word = if left { Word::LeftStep } else { Word::RightStep };
        let bytes = self.ty.bytes().to_string();
        let mut from = text.address(self.word(if left { Word::Left } else { Word::Right }));
        let step = |text: &mut Text<'_>, axis| {
            let step = text.word(self.word(word(axis)));
            text.number("mul.lo", 's', &[&step, &bytes])
        };
        for (axis, x) in unit.stack.iter().enumerate() {
            let step = step(text, axis);
            from = text.number("mad.lo", 's', &[x, &step, &from]);
        }
        let [line, k] = if left { [0, 1] } else { [1, 0] }.map(|axis| step(text, self.leads + axis));
        from = text.number("mad.lo", 's', &[&unit.first, &k, &from]);
        Operand { from, line, k }
    }
}
