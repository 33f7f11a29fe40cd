//! Cumulative sums and products.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::dtype::wrong_kind;
use crate::function::{Body, Bound, Composition, Outputs, Request};
use crate::functional::statistical::standard::check_numeric;
use crate::{Array, AxisSlice, Dims, Dtype, ErrorKind, Op, Result, ScanOp, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`cumulative_sum`] and [`cumulative_prod`].
    pub struct CumulativeSum {
        /// The axis; required if the array has more than one.
        axis: Option<i64> = None,
        /// The dtype to accumulate in and to give.
        dtype: Option<Dtype> = None,
        /// Begin with the sum (or product) of nothing, which makes the axis one longer.
        flag include_initial,
    }
}
/// Keyword arguments of [`cumulative_prod`], the same as of [`cumulative_sum`].
pub type CumulativeProd = CumulativeSum;

fn lower_scan(request: &Request<'_>, op: ScanOp) -> Result<Op> {
    check_numeric(request)?;
    let (function, ndim) = (request.function.name, request.shape(0).len());
    let params = request.params::<CumulativeSum>();
    let axis = match params.axis {
        Some(axis) => shape::normalize_axis(function, axis, ndim)?,
        None if ndim == 1 => 0,
        None => {
            let (value, rule) =
                (format!("None for {ndim} axes"), "needed unless the array has exactly one axis");
            return Err(ErrorKind::InvalidArgument { function, argument: "axis", value, rule }.into());
        }
    };
    Ok(Op::Scan { op, axis, include_initial: params.include_initial })
}

describe! {
    CUMULATIVE_SUM = "cumulative_sum", Statistical, Primary, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: CumulativeSum::new(), example: [&[2]], Body::Op(|request| lower_scan(request, ScanOp::Sum))
}

/// Cumulative sum along an axis. Dtypes are as for [`sum`](crate::functional::sum).
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i8, 2, 3])?;
/// let with_zero = ivy::cumulative_sum(&x, CumulativeSum::new().include_initial())?;
/// assert_eq!(with_zero.to_vec::<i32>()?, [0, 1, 3, 6]);
/// let products = ivy::cumulative_prod(&x, CumulativeProd::new().dtype(Dtype::INT8))?;
/// assert_eq!(products.to_vec::<i8>()?, [1, 2, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) without an axis, unless the array has
/// exactly one; [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), and
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for `dtype` bool.
pub fn cumulative_sum<'a>(x: impl IntoOperand<'a>, params: impl Into<CumulativeSum>) -> Result<Array> {
    call_one(&CUMULATIVE_SUM, &[x.into_operand()], &params.into())
}

describe! {
    CUMULATIVE_PROD = "cumulative_prod", Statistical, Primary, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: CumulativeProd::new(), example: [&[2]],
    Body::Op(|request| lower_scan(request, ScanOp::Prod))
}

/// Cumulative product along an axis. Dtypes are as for [`sum`](crate::functional::sum).
///
/// # Errors
/// As [`cumulative_sum`].
pub fn cumulative_prod<'a>(x: impl IntoOperand<'a>, params: impl Into<CumulativeProd>) -> Result<Array> {
    call_one(&CUMULATIVE_PROD, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`cumsum`] and [`cumprod`].
    pub struct Cumsum {
        /// The axis.
        axis: i64 = 0,
        /// Each result is of what stands before its element, which has no part in it.
        flag exclusive,
        /// From the end of the axis to its beginning.
        flag reverse,
        /// The dtype to accumulate in and to give.
        dtype: Option<Dtype> = None,
    }
}
/// Keyword arguments of [`cumprod`], the same as of [`cumsum`].
pub type Cumprod = Cumsum;

fn compose_scan(call: &Composition<'_>, op: ScanOp) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    if call.compute.is_bool() {
        return Err(wrong_kind(function, call.compute, "numeric"));
    }
    let &Cumsum { axis, exclusive, reverse, .. } = call.params::<Cumsum>();
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    let part = |x: &Array, slice: AxisSlice| {
        let mut axes: Dims<AxisSlice> =
            x.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        axes[axis] = slice;
        primitive::run(function, &Op::Slice { axes }, &[x])
    };
    let len = x.shape()[axis];
    let reversed = |x: &Array| match reverse && len > 1 {
        true => part(x, AxisSlice { start: len - 1, step: -1, len }),
        false => Ok(x.clone()),
    };
    let scan = Op::Scan { op, axis, include_initial: exclusive };
    let mut result = primitive::run(function, &scan, &[&reversed(x)?])?;
    if exclusive {
        result = part(&result, AxisSlice { start: 0, step: 1, len })?;
    }
    Ok(smallvec![reversed(&result)?])
}

describe! {
    CUMSUM = "cumsum", Statistical, Mixed, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Cumsum::new(), example: [&[2]], Body::Compose(|call| compose_scan(call, ScanOp::Sum))
}

/// Cumulative sum along an axis, as Ivy has it: from either end, with or without each element itself. Dtypes are as for
/// [`sum`](crate::functional::sum).
///
/// ```
/// use ivy::{Cumsum, prelude::*};
/// let x = Array::try_from([1i64, 2, 3])?;
/// assert_eq!(ivy::cumsum(&x, Cumsum::new().exclusive())?.to_vec::<i64>()?, [0, 1, 3]);
/// assert_eq!(ivy::cumsum(&x, Cumsum::new().reverse())?.to_vec::<i64>()?, [6, 5, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), and
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for `dtype` bool.
#[doc(alias = "prefix_sum")]
pub fn cumsum<'a>(x: impl IntoOperand<'a>, params: impl Into<Cumsum>) -> Result<Array> {
    call_one(&CUMSUM, &[x.into_operand()], &params.into())
}

describe! {
    CUMPROD = "cumprod", Statistical, Mixed, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Cumprod::new(), example: [&[2]], Body::Compose(|call| compose_scan(call, ScanOp::Prod))
}

/// Cumulative product along an axis, as Ivy has it: from either end, with or without each element itself.
///
/// # Errors
/// As [`cumsum`].
pub fn cumprod<'a>(x: impl IntoOperand<'a>, params: impl Into<Cumprod>) -> Result<Array> {
    call_one(&CUMPROD, &[x.into_operand()], &params.into())
}
