//! Weighted means, and peak-to-peak ranges.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::precision::{downcast, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{
    Reduce, Sum, divide, max, mean, min, multiply, permute_dims, reshape, squeeze, subtract, sum,
};
use crate::{Dims, Result, Shape, params, shape};
use smallvec::smallvec;
use std::mem;

/// Keyword arguments of [`ptp`], those that all reductions have.
pub type Ptp = Reduce;

describe! {
    PTP = "ptp", Statistical, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Ptp::new(), example: [&[2, 2]], Body::Compose(|call| {
        let (x, params) = (call.array(0), call.params::<Ptp>());
        Ok(smallvec![subtract(max(x, params.clone())?, min(x, params.clone())?)?])
    })
}

/// Peak-to-peak range over axes: the greatest element over axes less the least one. Integers wrap; NaN if there is a
/// NaN.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 5], [2, 2]])?;
/// assert_eq!(ivy::ptp(&x, ())?.item::<i32>()?, 4);
/// assert_eq!(ivy::ptp(&x, ivy::Ptp::new().axis(0))?.to_vec::<i32>()?, [1, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`max`].
#[doc(alias = "peak_to_peak")]
pub fn ptp<'a>(x: impl IntoOperand<'a>, params: impl Into<Ptp>) -> Result<Array> {
    call_one(&PTP, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`average`].
    pub struct Average {
        /// The axes to reduce; all if not given.
        axis: Option<Axes> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
        /// What each element counts for, in the shape of the elements, or in that of the axes in their order; all count
        /// the same if not given.
        operand weights,
    }
}

describe! {
    AVERAGE = "average", Statistical, Compositional, (x: Promoted, weights: Promoted optional),
    PromoteFloat -> [Compute], Bound::Sum, params: Average::new(), example: [&[2, 2], &[2, 2]],
    Body::Compose(compose_average)
}

fn compose_average(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, x) = (call.function.name, call.params::<Average>(), upcast(call.array(0))?);
    let axes = reduced_axes(function, &params.axis, x.ndim())?;
    let Some(weights) = call.arrays.get(1).and_then(Option::as_ref) else {
        let reduced = Reduce { axis: params.axis.clone(), keepdims: params.keepdims };
        return Ok(smallvec![downcast(mean(x, reduced)?, call.compute)?]);
    };
    let weights = match weights.shape() == x.shape() {
        true => upcast(weights)?,
        false => aligned(function, &upcast(weights)?, &x, &params.axis)?,
    };
    let total = |x: Array| sum(x, Sum { axis: Some(over(&axes)), dtype: None, keepdims: true });
    let found = downcast(divide(total(multiply(&x, &weights)?)?, total(weights)?)?, call.compute)?;
    Ok(smallvec![if params.keepdims { found } else { squeeze(found, over(&axes))? }])
}

fn over(axes: &[usize]) -> Axes {
    Axes(axes.iter().map(|&axis| axis as i64).collect())
}

/// Weights of the axes, in their order, as an array that broadcasts to the elements.
fn aligned(function: &'static str, weights: &Array, x: &Array, axis: &Option<Axes>) -> Result<Array> {
    let given: Dims = match axis {
        Some(axes) => {
            axes.0.iter().map(|&a| shape::normalize_axis(function, a, x.ndim())).collect::<Result<_>>()?
        }
        None => (0..x.ndim()).collect(),
    };
    let lengths: Shape = given.iter().map(|&a| x.shape()[a]).collect();
    if weights.shape() != &lengths {
        let expected = match lengths == *x.shape() {
            true => lengths.to_string(),
            false => format!("{} or {lengths}", x.shape()),
        };
        return Err(mismatch(function, "weights", expected, weights.shape()));
    }
    let mut order: Vec<usize> = (0..given.len()).collect();
    order.sort_by_key(|&i| given[i]);
    let sorted = permute_dims(weights, over(&order))?;
    let spread: Shape = (0..x.ndim()).map(|a| if given.contains(&a) { x.shape()[a] } else { 1 }).collect();
    reshape(sorted, spread, ())
}

/// Weighted mean over axes: `sum(x * weights) / sum(weights)`. NaN or infinite where the weights add up to 0. Without
/// weights it is the [`mean`].
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Average;
/// let x = Array::try_from([[1.0f32, 2.0], [3.0, 6.0]])?;
/// let weights = Array::try_from([3.0f32, 1.0])?;
/// assert_eq!(ivy::average(&x, ())?.item::<f32>()?, 3.0);
/// assert_eq!(ivy::average(&x, Average::new().axis(0).weights(&weights))?.to_vec::<f32>()?, [1.5, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for weights of another shape,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn average<'a>(x: impl IntoOperand<'a>, params: impl Into<Average>) -> Result<Array> {
    let mut params = params.into();
    let weights = mem::replace(&mut params.weights, Operand::Absent);
    call_one(&AVERAGE, &[x.into_operand(), weights], &params)
}
