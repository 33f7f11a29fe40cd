//! Functions that move elements: shapes, axes, order, joining and splitting.

mod axes;
mod broadcast;
mod greatest;
mod join;
mod order;
mod pad;
mod planes;
mod put;
mod ranks;
mod repeat;
mod reshape;
mod runs;
mod scan;
mod split;
mod strided;
mod trimmed;
mod turns;
mod unfolding;

pub use axes::*;
pub use broadcast::*;
pub use greatest::*;
pub use join::*;
pub use order::*;
pub use pad::*;
pub use planes::*;
pub use put::*;
pub use ranks::*;
pub use repeat::*;
pub use reshape::*;
pub use runs::*;
pub use scan::*;
pub use split::*;
pub use strided::*;
pub use trimmed::*;
pub use turns::*;
pub use unfolding::*;

use crate::{Array, AxisSlice, Dims, Dtype, ErrorKind, Op, Result, Shape, primitive};

/// A slice of every axis, inside a composition.
pub(crate) fn slice_axes(function: &'static str, x: &Array, axes: Dims<AxisSlice>) -> Result<Array> {
    primitive::run(function, &Op::Slice { axes }, &[x])
}

/// The whole of each axis.
fn whole(shape: &[usize]) -> Dims<AxisSlice> {
    shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect()
}

/// All elements along one axis.
fn flat(x: &Array) -> Result<Array> {
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
