//! Matrix diagonals and traces.

use super::checks::matrices;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Sum, moveaxis, reshape, sum};
use crate::{Array, AxisSlice, Dims, Dtype, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`diagonal`].
    pub struct Diagonal {
        /// Which diagonal: positive is above the main one, negative below.
        offset: i64 = 0,
        /// The axis of the matrices' rows.
        axis1: i64 = -2,
        /// The axis of the matrices' columns.
        axis2: i64 = -1,
    }
}

describe! {
    DIAGONAL = "diagonal", Linalg, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Diagonal::new(), example: [&[2, 2]], Body::Compose(|call| {
        let Diagonal { offset, axis1, axis2 } = *call.params::<Diagonal>();
        Ok(smallvec![taken(call.function.name, call.array(0), offset, [axis1, axis2])?])
    })
}

/// The diagonals of a stack of matrices, which lie along two axes.
fn taken(function: &'static str, x: &Array, offset: i64, axes: [i64; 2]) -> Result<Array> {
    matrices(function, "x", x.shape())?;
    let found = shape::normalize_axes(function, &axes, x.ndim())?;
    let x = &if found[..] == [x.ndim() - 2, x.ndim() - 1] { x.clone() } else { moveaxis(x, axes, [-2, -1])? };
    let split = x.ndim() - 2;
    let (rows, columns) = (x.shape()[split], x.shape()[split + 1]);
    let skipped = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    let (row, column) = if offset < 0 { (skipped, 0) } else { (0, skipped) };
    let len = rows.saturating_sub(row).min(columns.saturating_sub(column));
    // In a row of all elements they stand one row and one element apart.
    let mut flat = Dims::from_slice(&x.shape()[..split]);
    flat.push(rows * columns);
    let mut axes: Dims<AxisSlice> = flat.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
    let start = if len == 0 { 0 } else { row * columns + column };
    axes[split] = AxisSlice { start, step: columns as isize + 1, len };
    let x = reshape(x, Shape::from(flat), ())?;
    primitive::run(function, &Op::Slice { axes }, &[&x])
}

/// Matrix diagonal: a diagonal of each matrix: the last axis of the result, in place of the last two.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// assert_eq!(ivy::linalg::diagonal(&x, ())?.to_vec::<i32>()?, [1, 5]);
/// let above = ivy::linalg::Diagonal::new().offset(1);
/// assert_eq!(ivy::linalg::diagonal(&x, above)?.to_vec::<i32>()?, [2, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes.
pub fn diagonal<'a>(x: impl IntoOperand<'a>, params: impl Into<Diagonal>) -> Result<Array> {
    call_one(&DIAGONAL, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`trace`].
    pub struct Trace {
        /// Which diagonal: positive is above the main one, negative below.
        offset: i64 = 0,
        /// The dtype to add up in; the operand's if not given, small integers widened.
        dtype: Option<Dtype> = None,
        /// The axis of the matrices' rows.
        axis1: i64 = -2,
        /// The axis of the matrices' columns.
        axis2: i64 = -1,
    }
}

describe! {
    TRACE = "trace", Linalg, Compositional, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Trace::new(), example: [&[2, 2]], Body::Compose(compose_trace)
}

fn compose_trace(call: &Composition<'_>) -> Result<Outputs> {
    let Trace { offset, axis1, axis2, .. } = *call.params::<Trace>();
    let diagonal = taken(call.function.name, call.array(0), offset, [axis1, axis2])?;
    Ok(smallvec![sum(diagonal, Sum::new().axis(-1).dtype(call.compute))?])
}

/// Trace: the sum of a diagonal of each matrix. Integers narrower than the default one are added up in it, float16 and
/// bfloat16 in float32.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::linalg::trace(&x, ())?.item::<i32>()?, 5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes,
/// [`CastRefused`](crate::ErrorKind::CastRefused) for complex numbers and a real `dtype`.
pub fn trace<'a>(x: impl IntoOperand<'a>, params: impl Into<Trace>) -> Result<Array> {
    call_one(&TRACE, &[x.into_operand()], &params.into())
}
