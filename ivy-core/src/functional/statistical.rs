//! Sums, extremes and other statistics.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Request};
use crate::{Array, Dims, Dtype, Op, ReduceOp, Result, params, shape};

/// The axes that a reduction names, ascending; all if it names none.
pub(super) fn reduced_axes(function: &'static str, axis: &Option<Axes>, ndim: usize) -> Result<Dims> {
    match axis {
        None => Ok((0..ndim).collect()),
        Some(axes) => {
            let mut axes = shape::normalize_axes(function, &axes.0, ndim)?;
            axes.sort_unstable();
            Ok(axes)
        }
    }
}

params! {
    /// Keyword arguments of [`sum`] and [`prod`](crate::functional::prod).
    pub struct Sum {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// The dtype to accumulate in and to give.
        dtype: Option<Dtype> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
    }
}

describe! {
    SUM = "sum", Statistical, Primary, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Sum::new(), example: [&[2, 2]], Body::Op(lower_sum)
}

fn lower_sum(request: &Request<'_>) -> Result<Op> {
    let params = request.params::<Sum>();
    let axes = reduced_axes(request.function.name, &params.axis, request.shape(0).len())?;
    Ok(Op::Reduce { op: ReduceOp::Sum, axes, keepdims: params.keepdims })
}

/// Sum over axes; 0 of nothing. Integers narrower than the default integer dtype widen to it
/// (unsigned ones to the unsigned dtype of its width), bool counts. float16 and bfloat16
/// accumulate in float32.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1u8, 2], [3, 250]])?;
/// let total = ivy::sum(&x, ())?;
/// assert_eq!((total.dtype(), total.item::<u32>()?), (Dtype::UINT32, 256));
/// let rows = ivy::sum(&x, Sum::new().axis(-1).keepdims())?;
/// assert_eq!(rows.shape().to_string(), "(2, 1)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn sum<'a>(x: impl IntoOperand<'a>, params: impl Into<Sum>) -> Result<Array> {
    call_one(&SUM, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`max`], [`min`](crate::functional::min) and other reductions.
    pub struct Max {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
    }
}

/// Refuses to reduce nothing where there is no identity (decision S36).
fn check_not_empty(function: &'static str, shape: &[usize], axes: &[usize]) -> Result<()> {
    if axes.iter().any(|&a| shape[a] == 0) {
        return Err(crate::ErrorKind::EmptyReduction { function, shape: shape.into() }.into());
    }
    Ok(())
}

fn lower_extreme(request: &Request<'_>, op: ReduceOp) -> Result<Op> {
    let (params, shape) = (request.params::<Max>(), request.shape(0));
    let axes = reduced_axes(request.function.name, &params.axis, shape.len())?;
    check_not_empty(request.function.name, shape, &axes)?;
    Ok(Op::Reduce { op, axes, keepdims: params.keepdims })
}

describe! {
    MAX = "max", Statistical, Primary, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Max::new(), example: [&[2, 2]], Body::Op(|request| lower_extreme(request, ReduceOp::Max))
}

/// The greatest element over axes; NaN if there is one; true if any bool is.
///
/// # Errors
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) over no elements,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn max<'a>(x: impl IntoOperand<'a>, params: impl Into<Max>) -> Result<Array> {
    call_one(&MAX, &[x.into_operand()], &params.into())
}
