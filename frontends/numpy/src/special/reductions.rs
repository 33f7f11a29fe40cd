//! Sums, products and extremes under masks and with first values.

use super::help::{
    Out, axes, axes_in, core_axes, flag, floats, holds, lengths, occurs, over, sum_over, value_error,
};
use ivy_core::functional as f;
use ivy_core::functional::ArgMax;
use ivy_core::{Array, Dtype, Result, Scalar, iinfo};
use ivy_frontend::{Call, Value};

/// The mask of a reduction; nothing where all elements count.
pub(super) fn mask(call: &Call<'_>, i: usize, x: &Array) -> Result<Option<Array>> {
    if matches!(call.value(i), Value::None | Value::Bool(true)) {
        return Ok(None);
    }
    let mask = call.array(i)?;
    let mask = if mask.dtype().is_bool() { mask } else { f::not_equal(mask, 0)? };
    match f::broadcast_to(&mask, x.shape().clone()) {
        Ok(mask) => Ok(Some(mask)),
        Err(_) => {
            Err(value_error(call, "where", format!("the mask does not broadcast to the shape {}", x.shape())))
        }
    }
}

/// `'sum'` or `'prod'` of an array: axis, dtype, keepdims, initial, where.
pub fn total(call: &mut Call<'_>) -> Out {
    let is_sum = call.text(0)? == "sum";
    let mut x = call.array(1)?;
    if let Some(mask) = mask(call, 6, &x)? {
        x = f::where_(mask, &x, if is_sum { 0 } else { 1 })?;
    }
    let params = sum_over(core_axes(call, 2)?, call.dtype(3)?, flag(call, 4)?);
    let found = if is_sum { f::sum(x, params)? } else { f::prod(x, params)? };
    if call.value(5).is_none() {
        return Ok(found.into());
    }
    let initial = f::astype(call.array(5)?, found.dtype())?;
    Ok(if is_sum { f::add(found, initial)? } else { f::multiply(found, initial)? }.into())
}

/// The array with a number in the place of each NaN.
pub fn without_nan(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let fill = call.int(1)?;
    let has_nan = x.dtype().is_float() || x.dtype().is_complex();
    Ok(if has_nan { f::where_(f::isnan(&x), fill, &x)? } else { x }.into())
}

/// What is below (or above) all numbers of a dtype.
fn furthest(dtype: Dtype, below: bool) -> Result<Scalar> {
    Ok(match () {
        () if dtype.is_bool() => Scalar::Bool(!below),
        () if dtype.is_int() => {
            let info = iinfo(dtype)?;
            Scalar::Int(if below { info.min } else { info.max })
        }
        () => Scalar::Float(if below { f64::NEG_INFINITY } else { f64::INFINITY }),
    })
}

/// `'max'`, `'min'`, `'nanmax'` or `'nanmin'` of an array: axis, keepdims, initial, where.
pub fn extreme(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?;
    let (skips, greatest) = (name.starts_with("nan"), name.ends_with("max"));
    let x = call.array(1)?;
    let (axis, keepdims) = (core_axes(call, 2)?, flag(call, 3)?);
    let params = || over(axis.clone(), keepdims);
    let mask = mask(call, 5, &x)?;
    let initial = match call.value(4) {
        Value::None if mask.is_some() => {
            let rule = "a reduction without an identity needs 'initial' to use a where mask";
            return Err(value_error(call, "where", rule));
        }
        Value::None => None,
        _ => Some(f::astype(call.array(4)?, x.dtype())?),
    };
    let reduced = |x: &Array| if greatest { f::max(x, params()) } else { f::min(x, params()) };
    let beyond = |a: Array, b: &Array| if greatest { f::maximum(a, b) } else { f::minimum(a, b) };
    let numbers = match skips && x.dtype().is_float() {
        true => Some(f::logical_not(f::isnan(&x))?),
        false => None,
    };
    let counted = match (&mask, &numbers) {
        (Some(a), Some(b)) => Some(f::logical_and(a, b)?),
        (one, other) => one.clone().or(other.clone()),
    };
    let shape_left = || Ok::<_, ivy_core::Error>(f::any(&x, params())?.shape().clone());
    let empty = x.size() == 0 && shape_left()?.size() > 0;
    if let (true, Some(initial)) = (empty, &initial) {
        return Ok(f::broadcast_to(initial, shape_left()?)?.into());
    }
    let filled = match &counted {
        Some(counted) => f::where_(counted, &x, furthest(x.dtype(), greatest)?)?,
        None => x.clone(),
    };
    let mut found = reduced(&filled)?;
    if let Some(initial) = &initial {
        found = beyond(found, initial)?;
    } else if let Some(numbers) = &numbers {
        found = f::where_(f::any(numbers, params())?, found, f64::NAN)?;
    }
    Ok(found.into())
}

/// The place of the greatest or least number that is no NaN: axis, keepdims, whether the greatest.
pub fn nan_place(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let x = if x.dtype().is_bool() { f::astype(x, Dtype::UINT8)? } else { x };
    let (keepdims, greatest) = (flag(call, 2)?, flag(call, 3)?);
    let axis = if call.value(1).is_none() { None } else { Some(call.int(1)?) };
    let places = axes_in(call, axis.map(|axis| vec![axis]), x.ndim())?;
    let mut params = ArgMax::new();
    (params.axis, params.keepdims) = (axis, keepdims);
    let filled = if x.dtype().is_float() {
        let nan = f::isnan(&x)?;
        let reduced = over(Some(axes(&places)), false);
        if occurs(f::all(&nan, reduced))? {
            return Err(value_error(call, "a", "All-NaN slice encountered"));
        }
        f::where_(nan, furthest(x.dtype(), greatest)?, &x)?
    } else {
        x
    };
    Ok(if greatest { f::argmax(filled, params)? } else { f::argmin(filled, params)? }.into())
}

/// Means and variances under a mask; the parameters of a call.
pub(super) struct Masked {
    pub(super) axes: Vec<usize>,
    pub(super) keepdims: bool,
}

impl Masked {
    /// The sum over the axes, which stay with length 1.
    pub(super) fn kept(&self, x: Result<Array>, dtype: Option<Dtype>) -> Result<Array> {
        f::sum(x, sum_over(Some(axes(&self.axes)), dtype, true))
    }

    /// The result without the axes, if they are not to be kept.
    pub(super) fn finish(&self, x: Array) -> Result<Array> {
        if self.keepdims {
            return Ok(x);
        }
        let left = (0..x.ndim()).filter(|a| !self.axes.contains(a)).map(|a| lengths(x.shape())[a]);
        f::reshape(&x, left.collect::<Vec<i64>>(), ())
    }
}

/// Whether the array has floats only and none is NaN.
pub(super) fn is_finite(x: &Array) -> Result<bool> {
    holds(f::isfinite(floats(x.clone())?))
}
