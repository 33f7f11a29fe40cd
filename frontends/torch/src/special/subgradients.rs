//! Subgradients at kinks and ties as PyTorch has them, where they are other than the core's. Results are the core's; what is noted for
//! derivatives is made of other operations, where something is noted.

use super::support::{Out, cast, reshaped, tensor};
use crate::autograd::{detached, requires_grad};
use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend::{Call, compute};

/// An array between bounds, each of which may be `None`: at a bound the derivative is the input's (the core halves it).
pub(crate) fn clamp(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let bound = |i: usize| call.value(i).borrowed();
    let clamped = compute!(call, "clip", [&x, bound(1), bound(2)])?;
    let noted = |i: usize| call.value(i).as_array().is_some_and(requires_grad);
    if !(noted(0) || noted(1) || noted(2)) || !clamped.dtype().is_float() {
        return Ok(clamped.into());
    }
    let mut found = cast(&x, Some(clamped.dtype()))?;
    for (i, passes) in [(1, "less"), (2, "greater")] {
        if bound(i).is_none() {
            continue;
        }
        let mut beyond = compute!(call, passes, [&found, bound(i)])?;
        if let Some(limit) = call.value(i).as_array() {
            // A bound that is NaN is the result.
            beyond = f::logical_or(&beyond, f::isnan(limit)?)?;
        }
        found = cast(&compute!(call, "where", [&beyond, bound(i), &found])?, Some(clamped.dtype()))?;
    }
    Ok(found.into())
}

/// `max(x, 0)`, whose derivative at 0 is 1: `clamp_min(0)`.
pub(super) fn clamped_below(x: &Array) -> Result<Array> {
    match requires_grad(x) {
        true => f::where_(f::less(x, 0.0)?, 0.0, x),
        false => f::maximum(x, 0.0),
    }
}

/// `max(x, 0)`, whose derivative at 0 is 0.
pub(super) fn positive_part(x: &Array) -> Result<Array> {
    match requires_grad(x) {
        true => f::where_(f::greater(x, 0.0)?, x, 0.0),
        false => f::maximum(x, 0.0),
    }
}

/// The norm of vectors along axes; the derivative of one of length 0 is 0, not NaN.
pub(super) fn vector_norm(
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
    if keepdim { Ok(found) } else { reshaped(&found, norm(&known, false)?.shape().clone()) }
}

/// A root whose derivative at 0 is 0.
pub(super) fn root(x: &Array) -> Result<Array> {
    if !requires_grad(x) {
        return f::sqrt(x);
    }
    let nothing = f::equal(x, 0.0)?;
    f::where_(&nothing, 0.0, f::sqrt(f::where_(&nothing, 1.0, x)?)?)
}

/// The elements at places along an axis, which have the derivative alone; `values` are the same elements, of whatever else is as great.
pub(super) fn gathered(call: &Call<'_>, x: &Array, dim: i64, values: Array, places: &Array) -> Result<Array> {
    if !requires_grad(x) {
        return Ok(values);
    }
    let shape = values.shape().clone();
    let places = if places.ndim() == x.ndim() {
        places.clone()
    } else {
        compute!(call, "expand_dims", [places, dim])?
    };
    reshaped(&compute!(call, "take_along_axis", [x, &places], axis = dim)?, shape)
}
