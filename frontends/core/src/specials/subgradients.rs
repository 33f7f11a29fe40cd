//! Subgradients at kinks and ties as frameworks have them, where they are other than the core's. Results are the core's; what is noted
//! for derivatives is made of other operations, where something is noted.

use super::{Out, tensor};
use crate::autograd::{detached, requires_grad};
use crate::{Call, Value, compute};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};

fn cast(x: &Array, dtype: Dtype) -> Result<Array> {
    if x.dtype() == dtype { Ok(x.clone()) } else { f::astype(x, dtype) }
}

/// `clamp(x, low, high)`: an array between bounds, each of which may be `None`. At a bound the derivative is the input's (the core
/// halves it).
///
/// # Errors
/// For what is no tensor; those of `clip`.
pub fn clamp(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let bound = |i: usize| call.value(i).borrowed();
    let clamped = compute!(call, "clip", [&x, bound(1), bound(2)])?;
    let noted = |i: usize| call.value(i).as_array().is_some_and(requires_grad);
    if !(noted(0) || noted(1) || noted(2)) || !clamped.dtype().is_float() {
        return Ok(clamped.into());
    }
    let mut found = cast(&x, clamped.dtype())?;
    for (i, passes) in [(1, "less"), (2, "greater")] {
        if bound(i).is_none() {
            continue;
        }
        let mut beyond = compute!(call, passes, [&found, bound(i)])?;
        if let Some(limit) = call.value(i).as_array() {
            // A bound that is NaN is the result.
            beyond = f::logical_or(&beyond, f::isnan(limit)?)?;
        }
        found = cast(&compute!(call, "where", [&beyond, bound(i), &found])?, clamped.dtype())?;
    }
    Ok(found.into())
}

/// `max(x, 0)`, whose derivative at 0 is 1: `clamp_min(0)`.
///
/// # Errors
/// Those of the core.
pub fn clamped_below(x: &Array) -> Result<Array> {
    match requires_grad(x) {
        true => f::where_(f::less(x, 0.0)?, 0.0, x),
        false => f::maximum(x, 0.0),
    }
}

/// `max(x, 0)`, whose derivative at 0 is 0.
///
/// # Errors
/// Those of the core.
pub fn positive_part(x: &Array) -> Result<Array> {
    match requires_grad(x) {
        true => f::where_(f::greater(x, 0.0)?, x, 0.0),
        false => f::maximum(x, 0.0),
    }
}

/// The norm of vectors along axes; the derivative of one of length 0 is 0, not NaN.
///
/// # Errors
/// Those of `linalg.vector_norm`.
pub fn vector_norm(
    call: &Call<'_>,
    x: &Array,
    order: f64,
    dims: Option<Vec<i64>>,
    keepdim: bool,
) -> Result<Array> {
    let norm = |x: &Array, keepdim: bool| {
        compute!(call, "linalg.vector_norm", [x], ord = order, axis = dims.clone(), keepdims = keepdim)
    };
    if !requires_grad(x) || order <= 1.0 || order.is_infinite() {
        return norm(x, keepdim);
    }
    let known = detached(x);
    let nothing = f::equal(norm(&known, true)?, 0.0)?;
    let found = f::where_(&nothing, 0.0, norm(&f::where_(&nothing, 1.0, x)?, true)?)?;
    if keepdim { Ok(found) } else { f::reshape(&found, norm(&known, false)?.shape().clone(), ()) }
}

/// A square root whose derivative at 0 is 0.
///
/// # Errors
/// Those of the core.
pub fn root(x: &Array) -> Result<Array> {
    if !requires_grad(x) {
        return f::sqrt(x);
    }
    let nothing = f::equal(x, 0.0)?;
    f::where_(&nothing, 0.0, f::sqrt(f::where_(&nothing, 1.0, x)?)?)
}

/// The elements at places along an axis, which have the derivative alone; `values` are the same elements, of whatever else is as great.
///
/// # Errors
/// Those of `take_along_axis`.
pub fn gathered(call: &Call<'_>, x: &Array, dim: i64, values: Array, places: &Array) -> Result<Array> {
    if !requires_grad(x) {
        return Ok(values);
    }
    let shape = values.shape().clone();
    let places = if places.ndim() == x.ndim() {
        places.clone()
    } else {
        compute!(call, "expand_dims", [places, dim])?
    };
    f::reshape(compute!(call, "take_along_axis", [x, &places], axis = dim)?, shape, ())
}

/// `extreme(name, x, y)`: `maximum` or `minimum`, of which the first of two equal elements has the derivative, as in TensorFlow (the core
/// halves it).
///
/// # Errors
/// Those of the function that is named.
pub fn extreme(call: &mut Call<'_>) -> Out {
    let (name, [x, y]) = (call.text(0)?.to_string(), [1, 2].map(|i| call.value(i).borrowed()));
    let found = compute!(call, &name, [x.borrowed(), y.borrowed()])?;
    let noted = |x: &Value<'_>| x.as_array().is_some_and(requires_grad);
    if !(noted(&x) || noted(&y)) || !found.dtype().is_float() {
        return Ok(found.into());
    }
    let first = if name == "maximum" { "greater_equal" } else { "less_equal" };
    let mut chosen = compute!(call, first, [x.borrowed(), y.borrowed()])?;
    if let Some(x) = x.as_array() {
        chosen = f::logical_or(chosen, f::isnan(x)?)?;
    }
    Ok(cast(&compute!(call, "where", [&chosen, x, y])?, found.dtype())?.into())
}
