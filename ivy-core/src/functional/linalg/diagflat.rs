//! Diagonal matrices of flattened arrays.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::zero;
use crate::functional::manipulation::slice_axes;
use crate::functional::{Diag, diag};
use crate::functional::{Filled, full, reshape, where_};
use crate::{AxisPad, AxisSlice, Dtype, ErrorKind, Op, Result, Shape, params, primitive};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`diagflat`].
    pub struct Diagflat {
        /// Which diagonal: positive is above the main one, negative below.
        offset: i64 = 0,
        /// What the elements beside the diagonal are.
        padding_value: f64 = 0.0,
        /// How many rows; as many as the diagonal and the offset need of a square matrix if not given.
        num_rows: Option<usize> = None,
        /// How many columns, by the same rule.
        num_cols: Option<usize> = None,
    }
}

describe! {
    DIAGFLAT = "diagflat", LinearAlgebra, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Diagflat::new(), example: [&[2]], Body::Compose(compose_diagflat)
}

fn compose_diagflat(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, x) = (call.function.name, call.params::<Diagflat>(), call.array(0));
    let (n, skipped) = (x.size(), usize::try_from(params.offset.unsigned_abs()).unwrap_or(usize::MAX));
    let side = n.saturating_add(skipped);
    let (rows, columns) = (params.num_rows.unwrap_or(side), params.num_cols.unwrap_or(side));
    let (least_rows, least_columns) = if params.offset < 0 { (side, n) } else { (n, side) };
    for (argument, given, least) in [("num_rows", rows, least_rows), ("num_cols", columns, least_columns)] {
        if given < least {
            let (value, rule) = (given.to_string(), "the matrix has room for the diagonal");
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        }
    }
    Shape::from([rows, columns]).checked_size(function, call.compute)?;
    let placed = |x: &Array| {
        let square = diag(reshape(x, Shape::from([n]), ())?, Diag::new().k(params.offset))?;
        let part = |len: usize| AxisSlice { start: 0, step: 1, len: len.min(side) };
        let part = slice_axes(function, &square, smallvec![part(rows), part(columns)])?;
        let pad = |len: usize| AxisPad { before: 0, after: len.saturating_sub(side) };
        let op = Op::Pad { axes: smallvec![pad(rows), pad(columns)], value: zero(x.dtype()) };
        primitive::run(function, &op, &[&part])
    };
    let matrix = placed(x)?;
    if params.padding_value == 0.0 {
        return Ok(smallvec![matrix]);
    }
    let there = placed(&full(Shape::from([n]), true, Filled::new().dtype(Dtype::BOOL))?)?;
    let padding = full([], params.padding_value, Filled::new().dtype(call.compute))?;
    Ok(smallvec![where_(there, matrix, padding)?])
}

/// Diagonal matrix of the flattened array: the matrix that has all elements of an array, in row-major order, along a
/// diagonal, and `padding_value` elsewhere.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Diagflat;
/// let x = Array::try_from([[1i32, 2]])?;
/// assert_eq!(ivy::diagflat(&x, ())?.to_vec::<i32>()?, [1, 0, 0, 2]);
/// let padded = Diagflat::new().offset(1).num_rows(2usize).padding_value(-1.0);
/// assert_eq!(ivy::diagflat(&x, padded)?.to_vec::<i32>()?, [-1, 1, -1, -1, -1, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for fewer rows or columns than the diagonal takes, and for a
/// `padding_value` that the dtype does not have; [`SizeOverflow`](ErrorKind::SizeOverflow).
pub fn diagflat<'a>(x: impl IntoOperand<'a>, params: impl Into<Diagflat>) -> Result<Array> {
    call_one(&DIAGFLAT, &[x.into_operand()], &params.into())
}
