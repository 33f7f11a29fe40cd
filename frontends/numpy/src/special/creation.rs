//! Arrays from numbers, ranges, lists and texts.

use super::casts::unsafely;
use super::help::{Out, axis_in, floats, lengths, operand, promoted, shape_of, type_error, value_error};
use super::reductions::is_finite;
use ivy_core::functional as f;
use ivy_core::functional::{Arange, Filled};
use ivy_core::{Array, Dtype, Result, Scalar};
use ivy_frontend::{Call, Fault, Value};

/// The only device that NumPy names.
pub fn device(call: &mut Call<'_>) -> Out {
    match call.value(0) {
        Value::None => Ok(Value::None),
        Value::Text(name) if name == "cpu" => Ok(Value::None),
        _ => Err(value_error(call, "device", "Device not understood. Only \"cpu\" is allowed")),
    }
}

/// The shape that is given, or that of an array.
pub fn shape_like(call: &mut Call<'_>) -> Out {
    match call.ints(1)? {
        Some(given) => Ok(Value::from(&shape_of(call, &given)?)),
        None => Ok(Value::from(call.array(0)?.shape())),
    }
}

/// The lengths of the axes of a new array, none of them negative.
pub fn dimensions(call: &mut Call<'_>) -> Out {
    let given = call.ints(0)?.unwrap_or_default();
    Ok(Value::from(&shape_of(call, &given)?))
}

/// The dtype that is given, or that of an array.
pub fn dtype_like(call: &mut Call<'_>) -> Out {
    match call.dtype(1)? {
        Some(given) => Ok(given.into()),
        None => Ok(call.array(0)?.dtype().into()),
    }
}

/// A shape, what fills it, and the dtype.
pub fn full(call: &mut Call<'_>) -> Out {
    let shape = shape_of(call, &call.ints(0)?.unwrap_or_default())?;
    let dtype = call.dtype(2)?;
    let fill = match (call.value(1), dtype) {
        // A whole number has to fit; all else is cast.
        (Value::Int(_), _) | (_, None) => call.make_array(call.value(1), dtype)?,
        (value, Some(dtype)) => unsafely(&call.make_array(value, None)?, dtype)?,
    };
    Ok(f::broadcast_to(fill, shape)?.into())
}

/// `start`, `stop`, `step` and dtype: with `start` alone the numbers below it.
pub fn arange(call: &mut Call<'_>) -> Out {
    let number = |i: usize, missing: i64| -> Result<Scalar> {
        match call.value(i) {
            Value::None => Ok(missing.into()),
            Value::Array(x) => x.to_scalar(),
            value => value.as_scalar().ok_or_else(|| type_error(call, "start", "numbers are needed")),
        }
    };
    if call.value(0).is_none() && call.value(1).is_none() {
        return Err(type_error(call, "stop", "arange() requires stop to be specified."));
    }
    let (start, stop) = match call.value(1).is_none() {
        true => (Scalar::Int(0), number(0, 0)?),
        false => (number(0, 0)?, number(1, 0)?),
    };
    let step = number(2, 1)?;
    if step.to_complex().norm() == 0.0 {
        return Err(call.refuse(Fault::Division, "step", None, "division by zero"));
    }
    let dtype = call.dtype(3)?;
    let real = [start, stop, step].iter().any(|s| matches!(s, Scalar::Float(_)));
    if let (Some(dtype), true) = (dtype.filter(|d| d.is_int()), real) {
        // The first number and the step between the first two are whole; how many there are follows from all.
        let (a, b, d) = (start.to_f64(), stop.to_f64(), step.to_f64());
        let count = ((b - a) / d).ceil().max(0.0) as i64;
        let (first, step) = (a.trunc() as i64, (a + d).trunc() as i64 - a.trunc() as i64);
        let counts = f::arange(count, Arange::new().dtype(Dtype::INT64))?;
        return Ok(f::astype(f::add(f::multiply(counts, step), first)?, dtype)?.into());
    }
    let mut params = Arange::new();
    params.dtype = dtype;
    Ok(f::arange((start, stop, step), params)?.into())
}

/// `num` steps of an interval, as an array whose first axis they are, and the distance between them.
fn steps(first: &Array, last: &Array, num: usize, endpoint: bool) -> Result<(Array, Option<Array>)> {
    let (first, last) = (floats(first.clone())?, floats(last.clone())?);
    let dtype = promoted(&first, &last)?;
    let (first, last) = (f::astype(first, dtype)?, f::astype(last, dtype)?);
    let both = f::broadcast_arrays([&first, &last])?;
    let (first, last) = (&both[0], &both[1]);
    let parts = if endpoint { num.saturating_sub(1) } else { num };
    let column: Vec<i64> = std::iter::once(num as i64).chain(first.shape().iter().map(|_| 1)).collect();
    let counts = f::arange(num as i64, Arange::new().dtype(dtype.real_part()))?;
    let counts = f::reshape(counts, column, ())?;
    let whole = f::subtract(last, first)?;
    if parts == 0 {
        return Ok((f::add(f::multiply(counts, &whole), first)?, None));
    }
    let step = f::divide(&whole, parts as f64)?;
    // Where the step is nothing beside the interval, its parts are taken first.
    let small = f::equal(&step, 0)?;
    let by_parts = f::multiply(f::divide(&counts, parts as f64), &whole);
    let scaled = f::where_(small, by_parts, f::multiply(&counts, &step))?;
    let mut found = f::add(scaled, first)?;
    if endpoint && num > 1 {
        let is_last = f::equal(&counts, (num - 1) as f64)?;
        found = f::where_(is_last, last, found)?;
    }
    Ok((found, Some(step)))
}

/// How many numbers are asked for.
fn count(call: &Call<'_>, i: usize) -> Result<usize> {
    if matches!(call.value(i), Value::Float(_)) {
        return Err(type_error(call, "num", "'float' object cannot be interpreted as an integer"));
    }
    let num = call.int(i)?;
    usize::try_from(num)
        .map_err(|_| value_error(call, "num", format!("Number of samples, {num}, must be non-negative.")))
}

/// The first axis at a place, and the dtype that was asked for; whole numbers are rounded down.
fn placed(call: &Call<'_>, x: Array, dtype: Option<Dtype>, axis: i64) -> Result<Array> {
    let x = match dtype {
        Some(dtype) if dtype.is_int() => f::astype(f::floor(x), dtype)?,
        Some(dtype) => unsafely(&x, dtype)?,
        None => x,
    };
    let place = axis_in(call, axis, x.ndim())?;
    if place == 0 { Ok(x) } else { f::moveaxis(x, 0, place as i64) }
}

/// `start stop num endpoint retstep dtype axis`
pub fn linspace(call: &mut Call<'_>) -> Out {
    let num = count(call, 2)?;
    let (found, step) = steps(&call.array(0)?, &call.array(1)?, num, call.flag(3)?)?;
    let found = placed(call, found, call.dtype(5)?, call.int(6)?)?;
    if !call.flag(4)? {
        return Ok(found.into());
    }
    Ok(match step {
        Some(step) if step.ndim() == 0 => (found, Value::from(step.to_scalar()?)).into(),
        Some(step) => (found, step).into(),
        None => (found, f64::NAN).into(),
    })
}

/// `start stop num endpoint base dtype axis`
pub fn logspace(call: &mut Call<'_>) -> Out {
    let (exponents, _) = steps(&call.array(0)?, &call.array(1)?, count(call, 2)?, call.flag(3)?)?;
    let base = operand(call, 4)?;
    // Several bases have exponents each.
    let axes = call.array(4)?.ndim();
    let spread =
        (0..axes.saturating_sub(exponents.ndim() - 1)).try_fold(exponents, |x, _| f::expand_dims(x, 1))?;
    let found = f::pow(base, spread)?;
    let dtype = call.dtype(5)?;
    let found = match dtype {
        Some(dtype) => unsafely(&found, dtype)?,
        None => found,
    };
    Ok(placed(call, found, None, call.int(6)?)?.into())
}

/// `start stop num endpoint dtype axis`
pub fn geomspace(call: &mut Call<'_>) -> Out {
    let (first, last) = (floats(call.array(0)?)?, floats(call.array(1)?)?);
    let dtype = promoted(&first, &last)?;
    let (first, last) = (f::astype(first, dtype)?, f::astype(last, dtype)?);
    for x in [&first, &last] {
        if super::help::occurs(f::equal(x, 0))? {
            return Err(value_error(call, "start", "Geometric sequence cannot include zero"));
        }
    }
    let (num, endpoint) = (count(call, 2)?, call.flag(3)?);
    // Turned so that it begins on the positive side: the logarithms are then real where both ends have one direction.
    let out_sign = f::sign(&first)?;
    let (a, b) = (f::divide(&first, &out_sign)?, f::divide(&last, &out_sign)?);
    let (logs, _) = steps(&f::log10(&a)?, &f::log10(&b)?, num, endpoint)?;
    let mut found = f::pow(10.0, logs)?;
    if num > 0 {
        let column: Vec<i64> =
            std::iter::once(num as i64).chain(lengths(out_sign.shape()).iter().map(|_| 1)).collect();
        let counts = f::reshape(f::arange(num as i64, ())?, column, ())?;
        found = f::where_(f::equal(&counts, 0), &a, found)?;
        if endpoint && num > 1 {
            found = f::where_(f::equal(&counts, num as i64 - 1), &b, found)?;
        }
    }
    let found = f::multiply(found, out_sign)?;
    let found = match call.dtype(4)? {
        Some(dtype) => unsafely(&found, dtype)?,
        None => found,
    };
    Ok(placed(call, found, None, call.int(5)?)?.into())
}

/// What is to be an array, its dtype, whether it is copied, and how many axes it has at least.
pub fn array(call: &mut Call<'_>) -> Out {
    let dtype = call.dtype(1)?;
    let found = match (call.value(0), dtype) {
        (Value::Array(x), None) => x.as_ref().clone(),
        (Value::Array(x), Some(dtype)) => {
            if matches!(call.value(2), Value::Bool(false)) && x.dtype() != dtype {
                return Err(never_copied(call));
            }
            unsafely(x, dtype)?
        }
        (value, dtype) => {
            if matches!(call.value(2), Value::Bool(false)) {
                return Err(never_copied(call));
            }
            from_likes(call, value, dtype)?
        }
    };
    let least = usize::try_from(call.int(3)?).unwrap_or(0);
    if found.ndim() >= least {
        return Ok(found.into());
    }
    let shape = std::iter::repeat_n(1, least - found.ndim()).chain(lengths(found.shape()));
    Ok(f::reshape(&found, shape.collect::<Vec<i64>>(), ())?.into())
}

fn never_copied(call: &Call<'_>) -> ivy_core::Error {
    value_error(call, "copy", "Unable to avoid copy while creating an array as requested.")
}

/// Lists of numbers and of arrays as an array.
fn from_likes(call: &Call<'_>, value: &Value<'_>, dtype: Option<Dtype>) -> Result<Array> {
    let holds_arrays = |items: &[Value<'_>]| items.iter().any(|item| has_array(item));
    match value.items() {
        Some(items) if holds_arrays(items) => {
            let parts = items.iter().map(|item| from_likes(call, item, dtype)).collect::<Result<Vec<_>>>()?;
            let Some((first, rest)) = parts.split_first() else { return call.make_array(value, dtype) };
            let common = rest.iter().try_fold(first.dtype(), |d, x| f::result_type([d, x.dtype()]))?;
            f::stack(parts.iter().map(|x| f::astype(x, common)).collect::<Result<Vec<_>>>()?, ())
        }
        _ => call.make_array(value, dtype),
    }
}

fn has_array(value: &Value<'_>) -> bool {
    match value.items() {
        Some(items) => items.iter().any(has_array),
        None => value.as_array().is_some(),
    }
}

/// An array without NaN and infinities.
pub fn finite_array(call: &mut Call<'_>) -> Out {
    let x = from_likes(call, call.value(0), call.dtype(1)?)?;
    if (x.dtype().is_float() || x.dtype().is_complex()) && !is_finite(&x)? {
        return Err(value_error(call, "a", "array must not contain infs or NaNs"));
    }
    Ok(x.into())
}

/// Entries, their dtype, and how many of them are taken.
pub fn from_entries(call: &mut Call<'_>) -> Out {
    let dtype = call.dtype(1)?;
    let items = match call.value(0) {
        Value::Array(x) => f::unstack(x.as_ref(), ())?.into_iter().map(Value::from).collect(),
        other => other.items().ok_or_else(|| type_error(call, "iter", "an iterable is needed"))?.to_vec(),
    };
    let taken = match usize::try_from(call.int(2)?) {
        Ok(count) if count > items.len() => return Err(value_error(call, "count", "iterator too short")),
        Ok(count) => items[..count].to_vec(),
        Err(_) => items,
    };
    Ok(from_likes(call, &Value::List(taken), dtype)?.into())
}

/// A text of numbers, their dtype, how many of them are taken, and what stands between them.
pub fn from_text(call: &mut Call<'_>) -> Out {
    let (text, count, between) = (call.text(0)?, call.int(2)?, call.text(3)?.trim());
    let dtype = call.dtype(1)?.unwrap_or(Dtype::FLOAT64);
    let parts: Vec<&str> = match between {
        "" => text.split_whitespace().collect(),
        between => text.split(between).map(str::trim).filter(|part| !part.is_empty()).collect(),
    };
    let taken = usize::try_from(count).unwrap_or(parts.len()).min(parts.len());
    let number = |part: &&str| -> Result<Value<'static>> {
        let wrong = || value_error(call, "string", format!("`{part}` is no number"));
        match dtype.is_int() {
            true => part.parse::<i64>().map(Value::from).map_err(|_| wrong()),
            false => part.parse::<f64>().map(Value::from).map_err(|_| wrong()),
        }
    };
    let numbers = parts[..taken].iter().map(number).collect::<Result<Vec<_>>>()?;
    Ok(call.make_array(&Value::List(numbers), Some(dtype))?.into())
}

/// Zeros of a shape and dtype.
pub(super) fn zeros(shape: &ivy_core::Shape, dtype: Dtype) -> Result<Array> {
    f::zeros(shape.clone(), Filled::new().dtype(dtype))
}
