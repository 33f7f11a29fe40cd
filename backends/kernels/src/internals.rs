//! What the tests of this crate look into. They are a program of their own, so that the kernels are compiled once; nothing
//! here is part of the interface, or stays as it is.

pub use crate::elementwise::drive::PARALLEL as ELEMENTWISE_PARALLEL;
pub use crate::elementwise::math::{acosh, digamma, double, logaddexp};
pub use crate::isa::{Isa, best, limit};
pub use crate::matmul::entry::Field;
pub use crate::saturate::Saturating;
pub use crate::small::Real;
pub use crate::sort::{bits::Bits, key::Keyed};

use ivy_core::host::HostView;
use ivy_core::{ConvOp, Result};
use std::ops::Range;

/// Columns (the columns, the rows, the columns of a strip) as the input has them and as its padded copy has them.
pub type ReadColumns<'a> = &'a dyn Fn(Range<usize>, Range<usize>, usize) -> [Vec<f32>; 2];

/// Gives to `read` the columns of `im2col` of some entries, by the first one and their number, of a group; and whether the
/// padded copy is the input itself. False if there is no such copy.
///
/// # Errors
/// Shapes that are not those of the convolution.
pub fn conv_columns(
    operands: (&ConvOp, HostView, HostView),
    part: ((usize, usize), usize),
    read: &mut dyn FnMut(ReadColumns, bool),
) -> Result<bool> {
    crate::conv::columns(operands, part, read)
}
