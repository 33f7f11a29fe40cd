//! Extremes whose derivative is that of the first of equal elements, as JAX's and PyTorch's pools have it: windows of zeros
//! are common behind a rectifier. (`maximum` and `max` share it.)

use crate::functional::manipulation::slice_along;
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
        Ok(vec![extreme(a, b)?, where_(is_ahead(a, b, greatest)?, ta, tb)?])
    };
    let plain = move |x: &[Array]| Ok(vec![extreme(&x[0], &x[1])?]);
    only(custom_jvp(&(Arc::new(plain) as _), &(Arc::new(rule) as _), &[a.clone(), b.clone()])?)
}

/// The greatest or the least element along an axis, which falls away.
pub(super) fn along(function: &'static str, x: &Array, axis: usize, greatest: bool) -> Result<Array> {
    let at = axis as i64;
    let extreme = move |x: &Array| match greatest {
        true => max(x, Max::new().axis(at)),
        false => min(x, Min::new().axis(at)),
    };
    let rule = move |x: &[Array]| -> Result<Vec<Array>> {
        let change = where_(is_first(function, &x[0], axis, greatest)?, &x[1], 0)?;
        Ok(vec![extreme(&x[0])?, sum(change, Sum::new().axis(at))?])
    };
    let plain = move |x: &[Array]| Ok(vec![extreme(&x[0])?]);
    only(custom_jvp(&(Arc::new(plain) as _), &(Arc::new(rule) as _), std::slice::from_ref(x))?)
}

/// Whether the former of two elements is their extreme, which it is of equal ones.
fn is_ahead(a: &Array, b: &Array, greatest: bool) -> Result<Array> {
    let ahead = if greatest { greater_equal(a, b)? } else { less_equal(a, b)? };
    logical_or(ahead, isnan(a)?)
}

/// Whether each element is the first extreme one along an axis. By comparison and not by a gather, whose transpose is a
/// scatter: this one's is a choice for each element.
fn is_first(function: &'static str, x: &Array, axis: usize, greatest: bool) -> Result<Array> {
    let len = x.shape()[axis];
    let mut shape = Dims::from_elem(1, x.ndim());
    shape[axis] = len;
    let numbers = reshape(iota(x, len)?, Shape::from(shape), ())?;
    if len == 2 {
        // One comparison tells which of two it is.
        let element = |i| slice_along(function, x, axis, i, 1, 1);
        return equal(equal(numbers, 0)?, is_ahead(&element(0)?, &element(1)?, greatest)?);
    }
    let at = axis as i64;
    let place = match greatest {
        true => argmax(x, ArgMax::new().axis(at).keepdims())?,
        false => argmin(x, ArgMin::new().axis(at).keepdims())?,
    };
    equal(numbers, place)
}

fn only(mut results: Vec<Array>) -> Result<Array> {
    match results.pop() {
        Some(result) => Ok(result),
        None => unreachable!("a function of one result gave one"),
    }
}
