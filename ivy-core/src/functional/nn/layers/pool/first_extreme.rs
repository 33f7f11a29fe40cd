//! Extremes whose derivative is that of the first of equal elements, as JAX's and PyTorch's pools have it: windows of zeros
//! are common behind a rectifier. (`maximum` and `max` share it.)

use crate::functional::{
    ArgMax, ArgMin, Max, Min, Sum, argmax, argmin, equal, greater_equal, isnan, less_equal, logical_or, max,
    maximum, min, minimum, reshape, sum, where_,
};
use crate::transform::{custom_jvp, iota};
use crate::{Array, Dims, Result, Shape};
use std::sync::Arc;

/// The greater or the lesser of two elements; a NaN if one is.
pub(super) fn of_two(a: &Array, b: &Array, greatest: bool) -> Result<Array> {
    let extreme = move |a: &Array, b: &Array| if greatest { maximum(a, b) } else { minimum(a, b) };
    let rule = move |x: &[Array]| -> Result<Vec<Array>> {
        let [a, b, ta, tb] = x else { unreachable!("two operands and their tangents") };
        let ahead = if greatest { greater_equal(a, b)? } else { less_equal(a, b)? };
        let kept = logical_or(ahead, isnan(a)?)?;
        Ok(vec![extreme(a, b)?, where_(kept, ta, tb)?])
    };
    let plain = move |x: &[Array]| Ok(vec![extreme(&x[0], &x[1])?]);
    only(custom_jvp(&(Arc::new(plain) as _), &(Arc::new(rule) as _), &[a.clone(), b.clone()])?)
}

/// The greatest or the least element along an axis, which falls away.
pub(super) fn along(x: &Array, axis: usize, greatest: bool) -> Result<Array> {
    let at = axis as i64;
    let extreme = move |x: &Array| match greatest {
        true => max(x, Max::new().axis(at)),
        false => min(x, Min::new().axis(at)),
    };
    let rule = move |x: &[Array]| -> Result<Vec<Array>> {
        let place = match greatest {
            true => argmax(&x[0], ArgMax::new().axis(at).keepdims())?,
            false => argmin(&x[0], ArgMin::new().axis(at).keepdims())?,
        };
        // By comparison and not by a gather, whose transpose is a scatter: this one's is a choice for each element.
        let mut shape = Dims::from_elem(1, place.ndim());
        shape[axis] = x[0].shape()[axis];
        let numbers = reshape(iota(&place, shape[axis])?, Shape::from(shape), ())?;
        let change = where_(equal(numbers, place)?, &x[1], 0)?;
        Ok(vec![extreme(&x[0])?, sum(change, Sum::new().axis(at))?])
    };
    let plain = move |x: &[Array]| Ok(vec![extreme(&x[0])?]);
    only(custom_jvp(&(Arc::new(plain) as _), &(Arc::new(rule) as _), std::slice::from_ref(x))?)
}

fn only(mut results: Vec<Array>) -> Result<Array> {
    match results.pop() {
        Some(result) => Ok(result),
        None => unreachable!("a function of one result gave one"),
    }
}
