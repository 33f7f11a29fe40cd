//! Kernels as PTX's text, which the CUDA driver assembles: no toolkit and no LLVM take part.
//!
//! A thread computes one element at a time. Kernels whose results have every element walk the
//! space in strides of the grid; folds along rows give a warp each block of a row, whose lanes are
//! the lanes of [`crate::ir::fold`], so that shuffles by halves are its order; folds across rows
//! give 16 threads of a column each pair of lanes of a block. Both write a value for each block,
//! and [`pairs`] does the rest of the order. [`Product`] multiplies matrices, and comes from no IR.
//!
//! Everything rounds as the IR says: `.rn` everywhere, which also forbids contraction, and no
//! `.ftz`. Integers of 8 and 16 bits are kept in registers of 32 bits, extended by their sign or
//! by zeros. The text needs sm_70 or newer.

mod flow;
mod folds;
mod places;
mod product;
mod text;
mod values;

pub use folds::pairs;
pub use product::{Numbers, Product, SIDE};
pub use text::{HEADER, empty, function, module};

use crate::ir::{Access, Param};

/// The name of the only function of a module.
pub const FUNCTION: &str = "ivy_kernel";
/// Threads of a block along x.
pub const WARP: u32 = 32;
/// Threads of a block along y, where columns are folded.
pub const DEPTH: u32 = 16;
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
/// - the units of work: elements; blocks of rows; or blocks of tiles of [`WARP`] columns;
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
