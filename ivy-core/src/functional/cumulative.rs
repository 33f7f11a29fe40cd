//! Running sums and products.

use super::statistical::check_numeric;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{Array, Dtype, ErrorKind, Op, Result, ScanOp, params, shape};

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

/// Running sum along an axis. Dtypes are as for [`sum`](crate::functional::sum).
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

/// Running product along an axis. Dtypes are as for [`sum`](crate::functional::sum).
///
/// # Errors
/// As [`cumulative_sum`].
pub fn cumulative_prod<'a>(x: impl IntoOperand<'a>, params: impl Into<CumulativeProd>) -> Result<Array> {
    call_one(&CUMULATIVE_PROD, &[x.into_operand()], &params.into())
}
