//! Sorting, searching and sets.

use crate::array::IntoOperand;
use crate::call::{call, call_one};
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

describe! {
    SORT = "sort", Sorting, Primary, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Sort::new(), example: [&[2, 2]], Body::Op(lower_sort)
}

fn lower_sort(request: &Request<'_>) -> Result<Op> {
    let params = request.params::<Sort>();
    let axis = shape::normalize_axis(request.function.name, params.axis, request.shape(0).len())?;
    Ok(Op::Sort { axis, descending: params.descending })
}

/// The elements sorted along an axis; NaN comes last, also when descending.
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

/// The results of [`unique_all`].
#[derive(Clone, Debug)]
pub struct UniqueAll {
    /// The distinct elements, ascending.
    pub values: Array,
    /// Index of each one's first occurrence in the flat array; int64.
    pub indices: Array,
    /// The index into `values` of each element, in the operand's shape; int64.
    pub inverse_indices: Array,
    /// How often each one occurs; int64.
    pub counts: Array,
}

describe! {
    UNIQUE_ALL = "unique_all", Set, Primary, (x: Promoted), Promote -> [Compute, Index, Index, Index],
    Bound::Exact, params: (), example: [&[2]], Body::Op(|_| Ok(Op::Unique))
}

/// The distinct elements, ascending, with first indices, inverse indices and counts. Each NaN
/// is distinct; 0.0 and -0.0 are one.
///
/// ```
/// use ivy::prelude::*;
/// let unique = ivy::unique_all(&Array::try_from([3i32, 1, 3])?)?;
/// assert_eq!(unique.values.to_vec::<i32>()?, [1, 3]);
/// assert_eq!(unique.indices.to_vec::<i64>()?, [1, 0]);
/// assert_eq!(unique.inverse_indices.to_vec::<i64>()?, [1, 0, 1]);
/// assert_eq!(unique.counts.to_vec::<i64>()?, [1, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the backend.
pub fn unique_all<'a>(x: impl IntoOperand<'a>) -> Result<UniqueAll> {
    let mut outputs = call(&UNIQUE_ALL, &[x.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("unique_all has four results");
    Ok(UniqueAll { values: next(), indices: next(), inverse_indices: next(), counts: next() })
}
