//! Top-k selection.

use super::{slice_axes, whole};
use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{ErrorKind, Op, Result, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`top_k`].
    pub struct TopKParams {
        /// How many elements.
        k: usize = 1usize,
        /// The axis to search.
        axis: i64 = -1,
        /// The greatest elements; the least ones if false.
        largest: bool = true,
        /// Whether the elements come in order. They always do here.
        sorted: bool = true,
    }
}

/// The results of [`top_k`].
#[derive(Clone, Debug)]
pub struct TopK {
    /// The elements, the greatest (or least) first.
    pub values: Array,
    /// Where each one stands along the axis; int64.
    pub indices: Array,
}

describe! {
    TOP_K = "top_k", Searching, Mixed, (x: Promoted), Promote -> [Compute, Index],
    Bound::Exact, params: TopKParams::new(), example: [&[2, 2]], Body::Compose(compose_top_k)
}

fn compose_top_k(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function) = (call.array(0), call.function.name);
    let &TopKParams { k, axis, largest, .. } = call.params::<TopKParams>();
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    if k > x.shape()[axis] {
        let value = format!("{k} for {} elements", x.shape()[axis]);
        let (argument, rule) = ("k", "at most the length of the axis");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    let order = primitive::run(function, &Op::Argsort { axis, descending: largest }, &[x])?;
    let mut axes = whole(x.shape());
    axes[axis].len = k;
    let indices = slice_axes(function, &order, axes)?;
    let values = primitive::run(function, &Op::TakeAlongAxis { axis }, &[x, &indices])?;
    Ok(smallvec![values, indices])
}

/// Top-k selection: the `k` greatest elements along an axis, or the least ones, in order, and where they stand. Of
/// equal elements the first come first. NaN stands behind all numbers either way, as [`sort`](crate::functional::sort)
/// has it.
///
/// ```
/// use ivy::{TopKParams, prelude::*};
/// let x = Array::try_from([3.0f32, 1.0, f32::NAN, 4.0])?;
/// let top = ivy::top_k(&x, 2, ())?;
/// assert_eq!((top.values.to_vec::<f32>()?, top.indices.to_vec::<i64>()?), (vec![4.0, 3.0], vec![3, 0]));
/// let least = ivy::top_k(&x, 2, TopKParams::new().largest(false))?;
/// assert_eq!(least.indices.to_vec::<i64>()?, [1, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the axis has fewer than `k` elements,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
#[doc(alias = "topk")]
pub fn top_k<'a>(x: impl IntoOperand<'a>, k: usize, params: impl Into<TopKParams>) -> Result<TopK> {
    let mut outputs = call(&TOP_K, &[x.into_operand()], &params.into().k(k))?.into_iter();
    let mut next = || outputs.next().expect("top_k has two results");
    Ok(TopK { values: next(), indices: next() })
}
