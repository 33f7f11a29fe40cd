//! Sums, products and extremes under masks and with first values.

use super::help::{
    Out, axes, axes_in, core_axes, flag, floats, holds, lengths, occurs, over, sum_over, value_error,
};
use ivy_core::function::Axes;
use ivy_core::functional as f;
use ivy_core::functional::{ArgMax, TakeAlongAxis};
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
    if x.dtype().is_complex() && mask.is_none() && initial.is_none() && x.size() > 0 {
        return Ok(extreme_of_complex(&x, axis, keepdims, greatest, skips)?.into());
    }
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

/// The places of the greatest or least complex numbers along an axis, which stays with length 1: by the real parts, then by
/// the imaginary ones. The first NaN counts as beyond all, or as none where NaN are skipped.
fn places_of_complex(x: &Array, axis: i64, greatest: bool, skips: bool) -> Result<Array> {
    let kept = || over(Some(Axes::from(axis)), true);
    let nan = f::isnan(x)?;
    let furthest = if greatest { f64::NEG_INFINITY } else { f64::INFINITY };
    let best = |part: &Array| if greatest { f::max(part, kept()) } else { f::min(part, kept()) };
    let real = f::where_(&nan, furthest, f::real(x)?)?;
    let first = f::logical_and(f::equal(&real, best(&real)?), f::logical_not(&nan))?;
    let imaginary = f::where_(&first, f::imag(x)?, furthest)?;
    let second = f::logical_and(first, f::equal(&imaginary, best(&imaginary)?))?;
    let mut params = ArgMax::new();
    (params.axis, params.keepdims) = (Some(axis), true);
    let place = |mask: Array| f::argmax(f::astype(mask, Dtype::UINT8)?, params.clone());
    let found = place(second)?;
    if skips {
        return Ok(found);
    }
    f::where_(f::any(&nan, kept()), place(nan.clone())?, found)
}

/// The greatest or least complex numbers over axes.
fn extreme_of_complex(
    x: &Array,
    axis: Option<Axes>,
    keepdims: bool,
    greatest: bool,
    skips: bool,
) -> Result<Array> {
    let mut found = x.clone();
    let kept = |x: &Array| f::any(f::isnan(x), over(axis.clone(), true));
    let shape = kept(x)?.shape().clone();
    for place in 0..x.ndim() {
        if shape[place] == 1 && x.shape()[place] != 1 {
            let places = places_of_complex(&found, place as i64, greatest, skips)?;
            found = f::take_along_axis(&found, places, TakeAlongAxis::new().axis(place as i64))?;
        }
    }
    if keepdims {
        Ok(found)
    } else {
        f::reshape(found, lengths(f::any(f::isnan(x), over(axis, false))?.shape()), ())
    }
}

/// The place of the greatest or least complex number: array, axis, keepdims, whether the greatest.
pub fn complex_place(call: &mut Call<'_>) -> Out {
    let (x, keepdims, greatest) = (call.array(0)?, flag(call, 2)?, flag(call, 3)?);
    if !x.dtype().is_complex() {
        return Err(call.refuse(
            ivy_frontend::Fault::Dtype,
            "a",
            None,
            format!("it is not defined for {}", x.dtype()),
        ));
    }
    let (line, axis) = match call.value(1) {
        Value::None => (super::help::flat(&x)?, 0),
        _ => (x.clone(), super::help::axis_in(call, call.int(1)?, x.ndim())?),
    };
    if line.shape()[axis] == 0 {
        let what = if greatest { "argmax" } else { "argmin" };
        return Err(value_error(call, "a", format!("attempt to get {what} of an empty sequence")));
    }
    let found = places_of_complex(&line, axis as i64, greatest, false)?;
    let shape: Vec<i64> = match (call.value(1), keepdims) {
        (Value::None, true) => vec![1; x.ndim()],
        (Value::None, false) => Vec::new(),
        (_, true) => lengths(found.shape()),
        (_, false) => {
            lengths(x.shape()).into_iter().enumerate().filter(|&(a, _)| a != axis).map(|(_, d)| d).collect()
        }
    };
    Ok(f::reshape(found, shape, ())?.into())
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
