//! Sorting functions of the Array API standard.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{Array, Op, Result, params, shape};

params! {
    /// Keyword arguments of [`sort`] and [`argsort`](crate::functional::argsort).
    pub struct Sort {
        /// The axis to sort along.
        axis: i64 = -1,
        /// Greatest first.
        flag descending,
        /// Whether equal elements keep their order. They always do here.
        stable: bool = true,
    }
}

/// Keyword arguments of [`argsort`], the same as of [`sort`].
pub type ArgSort = Sort;

describe! {
    SORT = "sort", Sorting, Primary, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Sort::new(), example: [&[2, 2]], Body::Op(lower_sort)
}

fn lower_sort(request: &Request<'_>) -> Result<Op> {
    let params = request.params::<Sort>();
    let axis = shape::normalize_axis(request.function.name, params.axis, request.shape(0).len())?;
    Ok(Op::Sort { axis, descending: params.descending })
}

/// Sort along an axis; NaN comes last, also when descending.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([3.0f32, f32::NAN, 1.0])?;
/// let sorted = ivy::sort(&x, Sort::new().descending())?.to_vec::<f32>()?;
/// assert_eq!(sorted[..2], [3.0, 1.0]);
/// assert!(sorted[2].is_nan());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes.
pub fn sort<'a>(x: impl IntoOperand<'a>, params: impl Into<Sort>) -> Result<Array> {
    call_one(&SORT, &[x.into_operand()], &params.into())
}

describe! {
    ARGSORT = "argsort", Sorting, Primary, (x: Promoted), Promote -> [Index],
    Bound::Exact, params: ArgSort::new(), example: [&[2, 2]], Body::Op(lower_argsort)
}

fn lower_argsort(request: &Request<'_>) -> Result<Op> {
    let params = request.params::<ArgSort>();
    let axis = shape::normalize_axis(request.function.name, params.axis, request.shape(0).len())?;
    Ok(Op::Argsort { axis, descending: params.descending })
}

/// Argsort: the indices along an axis that sort the elements; int64. NaN comes last, also when descending; equal
/// elements keep their order in both directions.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([2i32, 3, 2, 1])?;
/// assert_eq!(ivy::argsort(&x, ())?.to_vec::<i64>()?, [3, 0, 2, 1]);
/// assert_eq!(ivy::argsort(&x, ArgSort::new().descending())?.to_vec::<i64>()?, [1, 0, 2, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`sort`].
pub fn argsort<'a>(x: impl IntoOperand<'a>, params: impl Into<ArgSort>) -> Result<Array> {
    call_one(&ARGSORT, &[x.into_operand()], &params.into())
}
