//! Kernels as PTX's text, which the CUDA driver assembles: no toolkit and no LLVM take part.
//!
//! Kernels whose results have every element walk the space in strides of the grid. A thread computes
//! one element at a time, or some side by side, which it reads and writes as vectors (`abreast`); or
//! the threads of a block compute a tile, whose inputs that run down the columns they turn in shared
//! memory (`tiles`). A launch says which ([`Walk`]). Folds along rows give a warp each block of a row, whose lanes are
//! the lanes of [`crate::ir::fold`], so that shuffles by halves are its order; folds across rows
//! give 16 threads of a column each pair of lanes of a block. Both write a value for each block,
//! and [`pairs`] does the rest of the order. [`program`] is all of a program over rows, in teams of
//! threads. [`Product`] multiplies matrices, [`radix`] puts numbers in order: both come from no IR. What
//! goes from element to element in order, [`put`] and [`scan`], holds a kernel of a single step. [`effects`]
//! is a kernel that may write: a thread has an element at a time, and each element one thread.
//!
//! Everything rounds as the IR says: `.rn` everywhere, which also forbids contraction, and no
//! `.ftz`. Integers of 8 and 16 bits are kept in registers of 32 bits, extended by their sign or
//! by zeros. The text needs sm_70 or newer; that of products by tensor cores sm_90.

mod abreast;
pub mod effects;
mod flow;
mod folds;
mod memory;
mod places;
mod product;
pub mod put;
pub mod radix;
mod rows;
pub mod scan;
mod slots;
mod text;
mod tiles;
mod values;

pub use abreast::Nature;
pub use effects::EffectWords;
pub use folds::pairs;
pub use product::{DEPTH as BLOCK, Numbers, Product, Reach, STEP, Tile, Tiled, parts, tiles};
pub use rows::{
    ABREAST, APART, PART, PARTIAL, Piece, RowWords, RowsForm, Stand, Team, WIDEST, Way, program, takes,
};
pub use slots::Slots;
pub use text::{HEADER, empty, function, module};
pub use tiles::shared_bytes;

use crate::ir::{Access, Param};

/// The name of the only function of a module.
pub const FUNCTION: &str = "ivy_kernel";
/// Threads of a block along x.
pub const WARP: u32 = 32;
/// Threads of a block along y, where columns are folded.
pub const DEPTH: u32 = 16;
/// Rows and columns of a tile, as many as a warp has threads.
pub const TILE: u32 = WARP;
/// Threads of a block along y, where it computes a tile: each computes every so many rows one element.
pub const TILE_DEPTH: u32 = 8;
/// Arguments of more bytes are read from memory, whose address is the argument then.
pub const ARGUMENT_BYTES: usize = 4096;

/// What a text is made for besides its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// Axes around a row.
    pub outer: usize,
    /// Numbers of elements have 64 bits; else all numbers of elements, and all distances in
    /// elements from where a parameter begins, are below 2^31.
    pub wide: bool,
    /// What a thread computes, of results that have every element.
    pub walk: Walk,
}

impl Form {
    /// One element at a time.
    pub const fn new(outer: usize, wide: bool) -> Form {
        Form { outer, wide, walk: Walk::SINGLE }
    }
}

/// What a thread computes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Walk {
    /// Elements side by side in a row.
    Abreast {
        /// How many: a power of two, which the length of a row is a multiple of, unless it is ragged.
        each: u32,
        /// A bit for each input, of the first 32, whose elements stand side by side in memory, at
        /// multiples of as many.
        whole: u32,
        /// There is one row alone, and its last elements are fewer. Elements after them are computed
        /// as well: what is whole has memory there, and all else is read at the last element.
        ragged: bool,
    },
    /// A column's elements of a square of [`TILE`] rows and columns.
    Tiles {
        /// The axis that columns are along.
        axis: usize,
        /// A bit for each input, of the first 32, that is read along columns, and transposed.
        transposed: u32,
        /// Rows and columns are as long, and tiles that mirror each other follow one another.
        mirrored: bool,
    },
}

impl Walk {
    /// One element.
    pub const SINGLE: Walk = Walk::Abreast { each: 1, whole: 0, ragged: false };
}

/// What a kernel's results are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All elements.
    Elements,
    /// A value for each block of a row.
    Along,
    /// A value for each block of a column.
    Across,
}

impl Shape {
    /// Of a kernel with these parameters.
    pub fn of(params: &[Param]) -> Shape {
        let folds = params.iter().find_map(|p| match p.access {
            Access::Along(_) => Some(Shape::Along),
            Access::Across(_) => Some(Shape::Across),
            _ => None,
        });
        folds.unwrap_or(Shape::Elements)
    }
}

/// Where the words of a launch's argument are, 8 bytes each:
/// - the units of work: elements; tiles, or pairs of them; blocks of rows; or blocks of tiles of [`WARP`] columns;
/// - the blocks of a row or column, for folds;
/// - the length of each axis: those around a row, the row, and then the column if columns are
///   folded;
/// - for each parameter, the address of its first element, and then, if it is an input, the
///   elements that a step along each axis moves.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    axes: usize,
}

impl Words {
    /// Of a kernel's text.
    pub fn new(params: &[Param], form: Form) -> Words {
        Words { axes: form.outer + 1 + usize::from(Shape::of(params) == Shape::Across) }
    }

    /// The units of work.
    pub const UNITS: usize = 0;
    /// The blocks of a row or a column.
    pub const BLOCKS: usize = 1;

    /// The number of axes.
    pub fn axes(self) -> usize {
        self.axes
    }

    /// The length of an axis.
    pub fn length(self, axis: usize) -> usize {
        2 + axis
    }

    /// The address of a parameter; its steps follow.
    pub fn base(self, params: &[Param], param: usize) -> usize {
        let steps = |p: &Param| if p.access.is_written() { 0 } else { self.axes };
        2 + self.axes + params[..param].iter().map(|p| 1 + steps(p)).sum::<usize>()
    }

    /// How many there are.
    pub fn count(self, params: &[Param]) -> usize {
        self.base(params, params.len())
    }
}
