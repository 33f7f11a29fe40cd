//! Rounding, parts of complex numbers, closeness, interpolation.

use super::casts::{by_rule, unsafely};
use super::help::{Out, axis_in, cut, flat, floats, holds, operand, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, CumulativeSum, Filled, Interp, NanToNum};
use ivy_core::{Array, Dtype, Operand, Result, Scalar, finfo};
use ivy_frontend::specials::complex_of;
use ivy_frontend::{Call, Keywords, Value};

/// An array and how many digits stay after the point.
pub fn round(call: &mut Call<'_>) -> Out {
    let (x, decimals) = (call.array(0)?, call.int(1)?);
    let whole = x.dtype().is_int();
    if x.dtype().is_bool() {
        return Ok(f::astype(x, Dtype::FLOAT16)?.into());
    }
    if whole && decimals >= 0 {
        return Ok(x.into());
    }
    if decimals == 0 {
        return Ok(f::round(&x)?.into());
    }
    let scale = 10f64.powi(i32::try_from(decimals.unsigned_abs()).unwrap_or(i32::MAX));
    let found = if decimals > 0 {
        f::divide(f::round(f::multiply(&x, scale))?, scale)?
    } else {
        f::multiply(f::round(f::divide(&x, scale))?, scale)?
    };
    Ok(f::astype(found, x.dtype())?.into())
}

/// The real part.
pub fn real(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    Ok(if x.dtype().is_complex() { f::real(x)? } else { x }.into())
}

fn imaginary(x: &Array) -> Result<Array> {
    if x.dtype().is_complex() { f::imag(x) } else { f::zeros_like(x, ()) }
}

/// The imaginary part; zeros of real numbers.
pub fn imag(call: &mut Call<'_>) -> Out {
    Ok(imaginary(&call.array(0)?)?.into())
}

/// `z deg`
pub fn angle(call: &mut Call<'_>) -> Out {
    let x = floats(call.array(0)?)?;
    let real = if x.dtype().is_complex() { f::real(&x)? } else { x.clone() };
    let found = f::atan2(imaginary(&x)?, real)?;
    Ok(if call.flag(1)? { f::multiply(found, 180.0 / std::f64::consts::PI)? } else { found }.into())
}

/// `a tol`
pub fn real_if_close(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if !x.dtype().is_complex() {
        return Ok(x.into());
    }
    let given = call.float(1)?;
    let bound = if given > 1.0 { given * finfo(x.dtype().real_part())?.eps } else { given };
    let close = holds(f::less(f::abs(f::imag(&x)), bound))?;
    Ok(if close { f::real(&x)? } else { x }.into())
}

/// Real floats with arguments 1 to 3 in the place of NaN and of both infinities: numbers, or an element for each of theirs.
fn numbers_for(call: &Call<'_>, x: &Array) -> Result<Array> {
    let is_number = |i: usize| match call.value(i) {
        Value::Array(given) => given.size() == 1,
        given => given.as_scalar().is_some(),
    };
    let number = |i: usize| if is_number(i) { call.float(i).map(Some) } else { Ok(None) };
    let mut params = NanToNum::new().nan(number(1)?.unwrap_or_default());
    (params.posinf, params.neginf) = (number(2)?.map(Into::into), number(3)?.map(Into::into));
    let mut found = f::nan_to_num(x, params)?;
    for i in (1..4).filter(|&i| !is_number(i) && !call.value(i).is_none()) {
        let given = f::astype(call.array(i)?, x.dtype())?;
        let each = f::broadcast_to(&given, x.shape().clone()).map_err(|_| {
            let (from, into) = (given.shape(), x.shape());
            let rule = format!("could not broadcast input array from shape {from} into shape {into}");
            value_error(call, ["x", "nan", "posinf", "neginf"][i], rule)
        })?;
        let place = match i {
            1 => f::isnan(x)?,
            2 => f::equal(x, f64::INFINITY)?,
            _ => f::equal(x, f64::NEG_INFINITY)?,
        };
        found = f::where_(place, each, found)?;
    }
    Ok(found)
}

/// `x nan posinf neginf`
pub fn nan_to_num(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.dtype().is_complex() {
        let (re, im) = (numbers_for(call, &f::real(&x)?)?, numbers_for(call, &f::imag(&x)?)?);
        return Ok(complex_of(call, &re, &im)?.into());
    }
    Ok(if x.dtype().is_float() { numbers_for(call, &x)? } else { x }.into())
}

/// The result of a function in the dtype and shape of the array that it is written to, by a kind of casting.
fn into_out(call: &Call<'_>, result: Array, out: &Value<'_>, casting: &str) -> Result<Array> {
    let target = match out {
        Value::Tuple(only) if only.len() == 1 => &only[0],
        out => out,
    };
    let Some(target) = target.as_array() else { return Ok(result) };
    let result = by_rule(call, &result, target.dtype(), casting)?;
    f::broadcast_to(&result, target.shape().clone()).map_err(|_| {
        let (from, into) = (result.shape(), target.shape());
        value_error(call, "out", format!("the result has shape {from}, the target {into}"))
    })
}

/// `a a_min a_max min max kwargs out`
pub fn clip(call: &mut Call<'_>) -> Out {
    let bounds = |first: usize, second: usize, name: &str| match (call.value(first), call.value(second)) {
        (Value::None, other) => Ok(other.clone()),
        (given, Value::None) => Ok(given.clone()),
        _ => Err(value_error(
            call,
            name,
            "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.",
        )),
    };
    let (low, high) = (bounds(1, 3, "min")?, bounds(2, 4, "max")?);
    let mut x = operand(call, 0)?.into_owned();
    let named = |name: &str| match call.value(5) {
        Value::Dict(entries) => entries.iter().find(|(known, _)| known == name).map(|(_, value)| value),
        _ => None,
    };
    if let Value::Dict(entries) = call.value(5)
        && let Some((name, _)) =
            entries.iter().find(|(name, _)| !matches!(name.as_str(), "dtype" | "casting"))
    {
        return Err(type_error(call, name, "it is no argument of the function"));
    }
    let (dtype, casting) = (named("dtype").cloned(), named("casting").and_then(Value::as_text));
    if let Some(dtype) = dtype {
        let dtype = call.to_dtype(&dtype)?.unwrap_or(Dtype::FLOAT64);
        x = Operand::Array(std::borrow::Cow::Owned(unsafely(&call.array(0)?, dtype)?));
    }
    let range = match &x {
        Operand::Array(x) => x.dtype().int_range(),
        _ => None,
    };
    // A whole number beyond the dtype bounds nothing.
    let beyond = |bound: &Value<'_>, below: bool| match (bound, range) {
        (Value::Int(i), Some((least, most))) => {
            if below {
                *i <= least
            } else {
                *i >= most
            }
        }
        _ => false,
    };
    if !low.is_none() && !beyond(&low, true) {
        x = Operand::Array(std::borrow::Cow::Owned(extreme(call, "maximum", x, &low)?));
    }
    if !high.is_none() && !beyond(&high, false) {
        x = Operand::Array(std::borrow::Cow::Owned(extreme(call, "minimum", x, &high)?));
    }
    let result = match x {
        Operand::Array(x) => x.into_owned(),
        _ => call.array(0)?,
    };
    Ok(into_out(call, result, call.value(6), casting.unwrap_or("same_kind"))?.into())
}

/// The greater or the less of an operand and a bound; of complex numbers by the order of their parts.
fn extreme(call: &Call<'_>, name: &str, x: Operand<'_>, bound: &Value<'_>) -> Result<Array> {
    let x = match x {
        Operand::Array(x) => Value::from(x.into_owned()),
        _ => call.value(0).clone(),
    };
    match call.frontend().call_entry(call.frontend().find(name)?, vec![x, bound.clone()], Keywords::new())? {
        Value::Array(found) => Ok(found.into_owned()),
        other => call.to_array(&other),
    }
}

/// `sin(pi x) / (pi x)`
pub fn sinc(call: &mut Call<'_>) -> Out {
    let x = floats(call.array(0)?)?;
    if !x.dtype().is_complex() {
        return Ok(f::sinc(x)?.into());
    }
    let zero = f::equal(&x, 0)?;
    let angle = f::multiply(f::where_(&zero, 1, &x)?, std::f64::consts::PI)?;
    Ok(f::where_(&zero, 1, f::divide(f::sin(&angle), &angle)?)?.into())
}

/// The modified Bessel function of order 0.
pub fn i0(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.dtype().is_complex() {
        return Err(type_error(call, "x", "i0 not supported for complex values"));
    }
    Ok(f::i0(floats(x)?)?.into())
}

/// `p discont axis period`
pub fn unwrap(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let axis = axis_in(call, call.int(2)?, x.ndim())?;
    let period = operand(call, 3)?.into_owned();
    let apart = f::subtract(cut(&x, axis, Some(1), None)?, cut(&x, axis, None, Some(-1))?)?;
    let whole =
        call.value(3).as_scalar().is_some_and(|s| matches!(s, Scalar::Int(_))) && apart.dtype().is_int();
    let number = call.float(3)?;
    let (half, even) = match whole {
        true => (Scalar::Int((number as i128).div_euclid(2)), number as i128 % 2 == 0),
        false => (Scalar::Float(number / 2.0), true),
    };
    let lower = match half {
        Scalar::Int(i) => Scalar::Int(-i),
        other => Scalar::Float(-other.to_f64()),
    };
    let limit = if call.value(1).is_none() { number / 2.0 } else { call.float(1)? };
    let mut turned = f::add(f::remainder(f::subtract(&apart, lower)?, period)?, lower)?;
    if even {
        let at_edge = f::logical_and(f::equal(&turned, lower), f::greater(&apart, 0))?;
        turned = f::where_(at_edge, half, turned)?;
    }
    let correct = f::subtract(turned, &apart)?;
    let correct = f::where_(f::less(f::abs(&apart), limit), 0, correct)?;
    let running = f::cumulative_sum(&correct, CumulativeSum::new().axis(axis as i64).dtype(correct.dtype()))?;
    let rest = f::add(cut(&x, axis, Some(1), None)?, running)?;
    let first = f::astype(cut(&x, axis, None, Some(1))?, rest.dtype())?;
    Ok(f::concat([first, rest], Concat::new().axis(axis as i64))?.into())
}

/// `x positive`: whether each element is infinite on that side.
pub fn is_infinite(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.dtype().is_complex() {
        return Err(type_error(
            call,
            "x",
            "This operation is not supported for complex values because it would be ambiguous.",
        ));
    }
    if !x.dtype().is_float() {
        return Ok(f::zeros(x.shape().clone(), Filled::new().dtype(Dtype::BOOL))?.into());
    }
    let side = if call.flag(1)? { f::greater(&x, 0)? } else { f::less(&x, 0)? };
    Ok(f::logical_and(f::isinf(&x)?, side)?.into())
}

/// `a b rtol atol equal_nan`
pub fn isclose(call: &mut Call<'_>) -> Out {
    let (a, b) = (call.array(0)?, call.array(1)?);
    let inexact = |x: &Array| x.dtype().is_float() || x.dtype().is_complex();
    // A number of the host has the dtype of the floats that it is compared with.
    let weak = matches!(call.value(1).as_scalar(), Some(Scalar::Float(_) | Scalar::Int(_)));
    let b = match inexact(&b) {
        _ if weak && inexact(&a) => f::astype(b, a.dtype())?,
        true => b,
        false => f::astype(b, Dtype::FLOAT64)?,
    };
    let a = if inexact(&a) { a } else { f::astype(a, Dtype::FLOAT64)? };
    let bound = f::add(operand(call, 3)?, f::multiply(operand(call, 2)?, f::abs(&b)?)?)?;
    let near = f::less_equal(f::abs(f::subtract(&a, &b)?)?, bound)?;
    let mut found = f::logical_or(f::logical_and(near, f::isfinite(&b)?)?, f::equal(&a, &b)?)?;
    if call.flag(4)? {
        found = f::logical_or(found, f::logical_and(f::isnan(&a)?, f::isnan(&b)?)?)?;
    }
    Ok(found.into())
}

/// `a1 a2 equal_nan`
pub fn array_equal(call: &mut Call<'_>) -> Out {
    let (a, b) = (call.array(0)?, call.array(1)?);
    if a.shape() != b.shape() {
        return Ok(false.into());
    }
    let mut same = f::equal(&a, &b)?;
    let inexact = |x: &Array| x.dtype().is_float() || x.dtype().is_complex();
    if call.flag(2)? && inexact(&a) && inexact(&b) {
        same = f::logical_or(same, f::logical_and(f::isnan(&a)?, f::isnan(&b)?)?)?;
    }
    Ok(holds(Ok(same))?.into())
}

/// `a1 a2`: whether they are equal where they broadcast to each other.
pub fn array_equiv(call: &mut Call<'_>) -> Out {
    let same = f::equal(call.array(0)?, call.array(1)?);
    match same {
        Ok(same) => Ok(holds(Ok(same))?.into()),
        Err(_) => Ok(false.into()),
    }
}

/// `x xp fp left right period`
pub fn interp(call: &mut Call<'_>) -> Out {
    let x = f::astype(call.array(0)?, Dtype::FLOAT64)?;
    let (xp, fp) = (f::astype(call.array(1)?, Dtype::FLOAT64)?, call.array(2)?);
    if xp.ndim() != 1 || fp.shape() != xp.shape() {
        return Err(value_error(call, "fp", "fp and xp are not of the same length."));
    }
    if xp.size() == 0 {
        return Err(value_error(call, "xp", "array of sample points is empty"));
    }
    let period = if call.value(5).is_none() { None } else { Some(call.float(5)?.abs()) };
    if period == Some(0.0) {
        return Err(value_error(call, "period", "period must be a non-zero value"));
    }
    let line = |fp: Array, pick: fn(num_complex::Complex64) -> f64| -> Result<Array> {
        let end = |i: usize| call.value(i).as_scalar().map(|s| pick(s.to_complex()));
        let mut params = Interp::new();
        (params.left, params.right, params.period) = (end(3), end(4), period);
        let flat_x = flat(&x)?;
        let found = f::interp(flat_x, &xp, f::astype(fp, Dtype::FLOAT64)?, params)?;
        f::reshape(found, super::help::lengths(x.shape()), ())
    };
    if fp.dtype().is_complex() {
        let (re, im) = (line(f::real(&fp)?, |z| z.re)?, line(f::imag(&fp)?, |z| z.im)?);
        return Ok(complex_of(call, &re, &im)?.into());
    }
    Ok(line(fp, |z| z.re)?.into())
}
