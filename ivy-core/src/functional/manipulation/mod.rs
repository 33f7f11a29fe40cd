//! Manipulation functions: shapes, axes, order, joins and splits.

mod as_strided;
mod associative_scan;
mod atleast;
mod axes;
mod broadcast;
mod fill_diagonal;
mod flatten;
mod flips;
mod hstack;
pub(super) mod join;
pub(super) mod pad;
mod repeat;
mod reshape;
mod split;
mod tensor_split;
mod top_k;
mod trim_zeros;
mod unfold;

pub use as_strided::*;
pub use associative_scan::*;
pub use atleast::*;
pub use axes::*;
pub use broadcast::*;
pub use fill_diagonal::*;
pub use flatten::*;
pub use flips::*;
pub use hstack::*;
pub use join::*;
pub use pad::*;
pub use repeat::*;
pub use reshape::*;
pub use split::*;
pub use tensor_split::*;
pub use top_k::*;
pub use trim_zeros::*;
pub use unfold::*;

use crate::{Array, AxisSlice, Dims, Dtype, ErrorKind, Op, Result, Shape, primitive};

/// A slice of every axis, inside a composition.
pub(crate) fn slice_axes(function: &'static str, x: &Array, axes: Dims<AxisSlice>) -> Result<Array> {
    primitive::run(function, &Op::Slice { axes }, &[x])
}

/// `len` elements along an axis from `start` on, `step` apart, inside a composition.
pub(crate) fn slice_along(
    function: &'static str,
    x: &Array,
    axis: usize,
    start: usize,
    step: isize,
    len: usize,
) -> Result<Array> {
    if (start, step, len) == (0, 1, x.shape()[axis]) {
        return Ok(x.clone());
    }
    let mut axes = whole(x.shape());
    axes[axis] = AxisSlice { start: if len == 0 { 0 } else { start }, step, len };
    slice_axes(function, x, axes)
}

/// The whole of each axis.
pub(super) fn whole(shape: &[usize]) -> Dims<AxisSlice> {
    shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect()
}

/// All elements along one axis.
pub(super) fn flat(x: &Array) -> Result<Array> {
    match x.ndim() {
        1 => Ok(x.clone()),
        _ => reshape(x, Shape::from([x.size()]), ()),
    }
}

/// Refuses a shape that no array has: too large, or empty with a length beyond any axis.
fn check_lengths(function: &'static str, dtype: Dtype, shape: &Shape) -> Result<()> {
    shape.checked_size(function, dtype)?;
    if shape.iter().any(|&d| d > isize::MAX as usize) {
        let (shape, dtype) = (shape.clone(), Some(dtype));
        return Err(ErrorKind::SizeOverflow { function, shape, dtype }.into());
    }
    Ok(())
}

/// Refuses an array with fewer axes.
fn check_rank(function: &'static str, x: &Array, rank: usize) -> Result<()> {
    if x.ndim() >= rank {
        return Ok(());
    }
    let (expected, actual) = (format!("at least {rank} axes"), x.shape().clone());
    Err(ErrorKind::ShapeMismatch { function, argument: "the array", expected, actual }.into())
}
