//! Arithmetic that is JAX's own: rounding, clipping, bits.

use super::support::{self, Out, array, core, dtype, inexact, operand, shape};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// `inexact(x)`: integers and truth values as floats.
pub(crate) fn to_inexact(call: &mut Call<'_>) -> Out {
    inexact(call, call.value(0))
}

/// `strong(x)`: the same array, which is not weakly typed.
pub(crate) fn strong(call: &mut Call<'_>) -> Out {
    Ok(operand(call, 0)?.strong())
}

/// `typed_as(x, made)`: what was made of an array, weakly typed as that is.
pub(crate) fn typed_as(call: &mut Call<'_>) -> Out {
    Ok(support::weakly(operand(call, 1)?.strong(), support::is_weak(call.value(0))))
}

/// `round(a, decimals)`: integers are kept, short floats are computed in float32.
pub(crate) fn round(call: &mut Call<'_>) -> Out {
    let (x, decimals) = (call.value(0), call.int(1)?);
    let own = dtype(call, x)?;
    if own.is_int() || own.is_bool() {
        if decimals < 0 {
            let rule = "integers are rounded to no tens";
            return Err(call.refuse(Fault::Missing, "decimals", Some(call.value(1)), rule));
        }
        return Ok(x.clone().into_owned());
    }
    if decimals == 0 {
        return core!(call, "round", x);
    }
    let short = support::is_short_float(own);
    let wide = if short { core!(call, "astype", x, Dtype::FLOAT32)? } else { x.clone().into_owned() };
    let factor = 10f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    let out =
        core!(call, "divide", &core!(call, "round", &core!(call, "multiply", &wide, factor)?)?, factor)?;
    if short { core!(call, "astype", &out, own) } else { Ok(out) }
}

/// `clip(arr, min, max)`
pub(crate) fn clip(call: &mut Call<'_>) -> Out {
    let bounds = [call.value(0), call.value(1), call.value(2)];
    if bounds[0].is_none() {
        return Err(call.refuse(Fault::Type, "arr", None, "at least one argument is needed"));
    }
    for value in bounds.iter().filter(|v| !v.is_none()) {
        if dtype(call, value)?.is_complex() {
            return Err(call.refuse(Fault::Value, "arr", Some(value), "complex numbers have no order"));
        }
    }
    let raised = match bounds[1] {
        Value::None => bounds[0].clone().into_owned(),
        low => core!(call, "maximum", bounds[0], low)?,
    };
    match bounds[2] {
        Value::None => Ok(raised),
        high => core!(call, "minimum", &raised, high),
    }
}

/// `array_equal(a1, a2, equal_nan)`: arrays of two shapes are not equal.
pub(crate) fn array_equal(call: &mut Call<'_>) -> Out {
    let (a, b) = (Value::from(call.array(0)?), Value::from(call.array(1)?));
    if shape(call, &a)? != shape(call, &b)? {
        return core!(call, "asarray", false);
    }
    let mut same = core!(call, "equal", &a, &b)?;
    let nans = |v: &Value<'_>| dtype(call, v).map(|d| d.is_float() || d.is_complex());
    if call.flag(2)? && nans(&a)? && nans(&b)? {
        let both = core!(call, "logical_and", &core!(call, "isnan", &a)?, &core!(call, "isnan", &b)?)?;
        same = core!(call, "logical_or", &same, &both)?;
    }
    core!(call, "all", &same)
}

/// `polyder(p, m)`
pub(crate) fn polyder(call: &mut Call<'_>) -> Out {
    let (mut p, times) = (coefficients(call)?, order(call)?);
    for _ in 0..times {
        let n = shape(call, &p)?[0];
        if n < 2 {
            return support::cut(call, &p, 0, 0, 0);
        }
        let powers = core!(call, "arange", n - 1, 0, -1; dtype: dtype(call, &p)?)?;
        p = core!(call, "multiply", &support::cut(call, &p, 0, 0, n - 1)?, &powers)?;
    }
    Ok(p)
}

/// `polyint(p, m, k)`: the constants are given one for all, or one for each time.
pub(crate) fn polyint(call: &mut Call<'_>) -> Out {
    let (mut p, times) = (coefficients(call)?, order(call)?);
    let constants = match call.value(2) {
        Value::None => None,
        given => Some(array(call, given)?),
    };
    for turn in 0..times {
        let n = shape(call, &p)?[0];
        let powers = core!(call, "arange", n, 0, -1; dtype: dtype(call, &p)?)?;
        let raised = core!(call, "divide", &p, &powers)?;
        let constant = match &constants {
            None => core!(call, "zeros", support::ints([1i64]); dtype: dtype(call, &p)?)?,
            Some(k) => {
                let flat = core!(call, "reshape", k, [-1i64])?;
                let at = if k.size() == 1 { 0 } else { turn };
                core!(call, "astype", &support::cut(call, &flat, 0, at, at + 1)?, dtype(call, &p)?)?
            }
        };
        p = core!(call, "concat", vec![raised, constant])?;
    }
    Ok(p)
}

/// The coefficients of a polynomial: floats along one axis.
fn coefficients(call: &Call<'_>) -> Result<Value<'static>> {
    let p = call.array(0)?;
    if p.ndim() != 1 {
        let rule = format!("coefficients are of one axis, got shape {}", p.shape());
        return Err(call.refuse(Fault::Value, call.name(0), None, rule));
    }
    inexact(call, &p.into())
}

fn order(call: &Call<'_>) -> Result<i64> {
    let times = call.int(1)?;
    if times < 0 {
        return Err(call.refuse(Fault::Value, "m", Some(call.value(1)), "must not be negative"));
    }
    Ok(times)
}

/// The unsigned dtype of as many bits.
fn unsigned(dtype: Dtype) -> Option<Dtype> {
    Some(match dtype.bits() {
        8 => Dtype::UINT8,
        16 => Dtype::UINT16,
        32 => Dtype::UINT32,
        64 => Dtype::UINT64,
        _ => return None,
    })
}

fn words(call: &Call<'_>, x: &Value<'_>) -> Result<(Value<'static>, Dtype)> {
    let own = dtype(call, x)?;
    match unsigned(own) {
        Some(to) if own.is_int() => Ok((core!(call, "astype", x, to)?, own)),
        _ => Err(call.refuse(Fault::Type, "x", Some(x), "integers are needed")),
    }
}

/// How many bits of words are set, by sums of ever wider groups.
fn set_bits(call: &Call<'_>, words: &Value<'_>) -> Out {
    let bits = dtype(call, words)?.bits() as i64;
    let mut sum = core!(call, "bitwise_and", words, 1)?;
    for place in 1..bits {
        let bit = core!(call, "bitwise_and", &core!(call, "bitwise_right_shift", words, place)?, 1)?;
        sum = core!(call, "add", &sum, &bit)?;
    }
    Ok(sum)
}

/// `bit_count(x, dtype)`: of the magnitude for `dtype`, else of the word, in its own dtype.
pub(crate) fn bit_count(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    match call.dtype(1)? {
        Some(to) => {
            let own = dtype(call, &x)?;
            let x = if own.is_bool() { core!(call, "astype", &x, Dtype::UINT8)? } else { x };
            let (words, _) =
                words(call, &if dtype(call, &x)?.is_int() { core!(call, "abs", &x)? } else { x })?;
            core!(call, "astype", &set_bits(call, &words)?, to)
        }
        None => {
            let (words, own) = words(call, &x)?;
            core!(call, "astype", &set_bits(call, &words)?, own)
        }
    }
}

/// `leading_zeros(x)`: what is right of the first bit is set; what is left over are the zeros.
pub(crate) fn leading_zeros(call: &mut Call<'_>) -> Out {
    let (mut words, own) = words(call, &call.array(0)?.into())?;
    let bits = own.bits() as i64;
    let mut reach = 1;
    while reach < bits {
        words = core!(call, "bitwise_or", &words, &core!(call, "bitwise_right_shift", &words, reach)?)?;
        reach *= 2;
    }
    core!(call, "astype", &core!(call, "subtract", bits, &set_bits(call, &words)?)?, own)
}

/// `shift_right(arithmetic, x, y)`
pub(crate) fn shift_right(call: &mut Call<'_>) -> Out {
    let (arithmetic, mut pair) = (call.flag(0)?, super::lax::same(call, "shift_right", 1, 2)?);
    let (y, x) = (pair.pop().unwrap_or(Value::None), pair.pop().unwrap_or(Value::None));
    if !dtype(call, &x)?.is_int() {
        return Err(call.refuse(Fault::Type, "x", Some(&x), "shifts accept integers"));
    }
    let (mut x, own) =
        if arithmetic { (array(call, &x)?.into(), dtype(call, &x)?) } else { words(call, &x)? };
    let mut y = y;
    if !arithmetic && y.as_array().is_some() {
        y = core!(call, "astype", &y, dtype(call, &x)?)?;
    } else if arithmetic && !is_signed(own) {
        // The first bit counts as a sign.
        let signed = match own.bits() {
            8 => Dtype::INT8,
            16 => Dtype::INT16,
            32 => Dtype::INT32,
            _ => Dtype::INT64,
        };
        x = core!(call, "astype", &x, signed)?;
        y = if y.as_array().is_some() { core!(call, "astype", &y, signed)? } else { y };
    }
    core!(call, "astype", &core!(call, "bitwise_right_shift", &x, &y)?, own)
}

fn is_signed(dtype: Dtype) -> bool {
    dtype.is_int() && ivy_core::iinfo(dtype).is_ok_and(|info| info.min < 0)
}
