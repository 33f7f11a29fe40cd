//! Functions of each element.

use super::help::{Out, beside, occurs, operand, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::DtypeArg;
use ivy_core::{Array, Dtype, Operand, Result, Scalar, ScalarKind, Shape};
use ivy_frontend::{Call, Value};

fn dtype_of(x: &Operand<'_>) -> Option<Dtype> {
    match x {
        Operand::Array(x) => Some(x.dtype()),
        _ => None,
    }
}

fn is_bool(x: &Operand<'_>) -> bool {
    match x {
        Operand::Array(x) => x.dtype().is_bool(),
        Operand::Scalar(s) => s.kind() == ScalarKind::Bool,
        _ => false,
    }
}

fn is_whole(x: &Operand<'_>) -> bool {
    match x {
        Operand::Array(x) => x.dtype().is_int() || x.dtype().is_bool(),
        Operand::Scalar(s) => matches!(s, Scalar::Int(_) | Scalar::Bool(_)),
        _ => false,
    }
}

/// An operand, and the other one: truth values beside numbers are numbers of their dtype.
pub fn beside_number(call: &mut Call<'_>) -> Out {
    let (x, other) = (operand(call, 0)?, operand(call, 1)?);
    if !is_bool(&x) || is_bool(&other) {
        return Ok(call.value(0).clone().into_owned());
    }
    let dtype = match &other {
        Operand::Array(other) => other.dtype(),
        Operand::Scalar(s) => match s.kind() {
            ScalarKind::Complex => Dtype::COMPLEX128,
            ScalarKind::Float => Dtype::FLOAT64,
            _ => Dtype::INT64,
        },
        _ => return Ok(call.value(0).clone().into_owned()),
    };
    Ok(f::astype(call.array(0)?, dtype)?.into())
}

/// An operand that has a sign: no truth value.
pub fn number(call: &mut Call<'_>) -> Out {
    if is_bool(&operand(call, 0)?) {
        return Err(type_error(call, "x", "the function is not defined for truth values"));
    }
    Ok(call.value(0).clone().into_owned())
}

/// `base(x1, x2)`: the base of a power, an integer if both are truth values. Integers have no negative powers.
pub fn base(call: &mut Call<'_>) -> Out {
    let (base, exponent) = (operand(call, 0)?, operand(call, 1)?);
    let unsigned = dtype_of(&base).is_some_and(Dtype::is_uint);
    let negative = match &exponent {
        // A negative number of the host is none of the unsigned dtype, which is refused as such.
        Operand::Scalar(Scalar::Int(i)) => *i < 0 && !unsigned,
        Operand::Array(x) if x.dtype().is_int() && !x.dtype().is_uint() => occurs(f::less(x.as_ref(), 0))?,
        _ => false,
    };
    if negative && is_whole(&base) {
        return Err(value_error(call, "x2", "Integers to negative integer powers are not allowed."));
    }
    if is_bool(&base) && is_bool(&exponent) {
        return Ok(f::astype(call.array(0)?, Dtype::INT8)?.into());
    }
    Ok(call.value(0).clone().into_owned())
}

/// One over a number; of integers the whole part, and 0 of 0.
pub fn reciprocal(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    if !is_whole(&x) {
        return Ok(f::reciprocal(x)?.into());
    }
    let x = call.array(0)?;
    let x = if x.dtype().is_bool() { f::astype(x, Dtype::INT8)? } else { x };
    Ok(f::where_(f::equal(f::abs(&x), 1), &x, f::multiply(&x, 0))?.into())
}

/// An operand, as integers if it and the other one are truth values.
pub fn whole(call: &mut Call<'_>) -> Out {
    let both = [operand(call, 0)?, operand(call, 1)?].iter().all(is_bool);
    let x = call.array(0)?;
    Ok(if both { f::astype(x, Dtype::INT8)? } else { x }.into())
}

/// Truth values in a dtype; all else is refused.
pub fn of_truths(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if !x.dtype().is_bool() {
        return Err(type_error(call, "x", format!("the function is not defined for {}", x.dtype())));
    }
    Ok(f::astype(x, call.dtype(1)?.unwrap_or(Dtype::BOOL))?.into())
}

/// Two operands as arrays of their common dtype, of which one at least has no order of its own: truth values, complex numbers.
fn unordered(call: &Call<'_>) -> Result<(Array, Array)> {
    let leaf = |i: usize| {
        Ok::<_, ivy_core::Error>(match call.value(i).as_scalar() {
            Some(scalar) if scalar.kind() > ScalarKind::Bool => DtypeArg::Scalar(scalar),
            _ => DtypeArg::Dtype(call.array(i)?.dtype()),
        })
    };
    let dtype = f::result_type([leaf(1)?, leaf(2)?])?;
    let both = f::broadcast_arrays([call.array(1)?, call.array(2)?])?;
    Ok((f::astype(&both[0], dtype)?, f::astype(&both[1], dtype)?))
}

/// Whether one is before the other: of complex numbers by the real parts, then by the imaginary ones.
pub(super) fn before(x: &Array, y: &Array, equal: bool) -> Result<Array> {
    if !x.dtype().is_complex() {
        let ordered = |x: &Array| if x.dtype().is_bool() { f::astype(x, Dtype::INT8) } else { Ok(x.clone()) };
        let (x, y) = (ordered(x)?, ordered(y)?);
        return if equal { f::less_equal(x, y) } else { f::less(x, y) };
    }
    let (a, b) = (f::real(x)?, f::real(y)?);
    let (c, d) = (f::imag(x)?, f::imag(y)?);
    let second = if equal { f::less_equal(c, d)? } else { f::less(c, d)? };
    f::logical_or(f::less(&a, &b)?, f::logical_and(f::equal(&a, &b)?, second)?)
}

/// `'less'` and the like of truth values and complex numbers.
pub fn order(call: &mut Call<'_>) -> Out {
    let (x, y) = unordered(call)?;
    let found = match call.text(0)? {
        "less" => before(&x, &y, false)?,
        "less_equal" => before(&x, &y, true)?,
        "greater" => before(&y, &x, false)?,
        _ => before(&y, &x, true)?,
    };
    Ok(found.into())
}

/// `'maximum'` and the like of truth values and complex numbers, whose NaN count by either part.
pub fn extremum(call: &mut Call<'_>) -> Out {
    let (x, y) = unordered(call)?;
    let name = call.text(0)?;
    // Truth values beside a number.
    if !x.dtype().is_complex() && !x.dtype().is_bool() {
        let found = match name {
            "maximum" => f::maximum(x, y),
            "minimum" => f::minimum(x, y),
            "fmax" => f::fmax(x, y),
            _ => f::fmin(x, y),
        };
        return Ok(found?.into());
    }
    let greatest = name.ends_with("max") || name.ends_with("maximum");
    let first = if greatest { before(&y, &x, true)? } else { before(&x, &y, true)? };
    let first = match (x.dtype().is_complex(), name.starts_with('f')) {
        (false, _) => first,
        (true, false) => f::logical_and(
            f::logical_or(first, f::isnan(&x)?)?,
            f::logical_or(f::isnan(&x)?, f::logical_not(f::isnan(&y)?)?)?,
        )?,
        (true, true) => f::logical_or(f::logical_and(first, f::logical_not(f::isnan(&x)?)?)?, f::isnan(&y)?)?,
    };
    Ok(f::where_(first, x, y)?.into())
}

/// The conjugate; of a real number itself.
pub fn conjugate(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    if is_bool(&x) {
        return Ok(f::astype(call.array(0)?, Dtype::INT8)?.into());
    }
    let complex = match &x {
        Operand::Scalar(s) => s.kind() == ScalarKind::Complex,
        other => dtype_of(other).is_some_and(Dtype::is_complex),
    };
    Ok(if complex { f::conj(x)? } else { f::positive(x)? }.into())
}

/// The real cube root: a power, and one step of Newton's method where it is finite and not 0.
pub fn cbrt(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    // The magnitude as a float, in the dtype of a float function of one argument.
    let magnitude = f::abs(f::copysign(&x, &x)?)?;
    let root = f::pow(&magnitude, 1.0 / 3.0)?;
    let apart = f::subtract(f::multiply(f::square(&root), &root), &magnitude);
    let step = f::divide(apart, f::multiply(f::square(&root), 3.0))?;
    let better = f::where_(f::isfinite(&step), f::subtract(&root, &step), &root)?;
    let root = f::where_(f::isfinite(f::square(&root)), better, &root)?;
    Ok(f::copysign(root, x)?.into())
}

/// The nearest whole number, of two the even one; a float also of an integer.
pub fn rint(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    if is_whole(&x) {
        return Ok(f::copysign(x.clone(), x)?.into());
    }
    Ok(f::round(x)?.into())
}

/// The kind of a host number; truth values of the host count as arrays of bool.
fn number_kind(x: &Operand<'_>) -> Option<ScalarKind> {
    match x {
        Operand::Scalar(s) => Some(s.kind()).filter(|&kind| kind > ScalarKind::Bool),
        _ => None,
    }
}

/// An operand of a float function of two, and the other one: integers and truth values become the least float that holds
/// their dtype, and float64 beside a host number of a higher kind.
pub fn as_float(call: &mut Call<'_>) -> Out {
    let (x, other) = (operand(call, 0)?, operand(call, 1)?);
    if number_kind(&x) == Some(ScalarKind::Int) {
        return Ok(call.float(0)?.into());
    }
    if number_kind(&x).is_some() || !is_whole(&x) {
        return Ok(call.value(0).clone().into_owned());
    }
    let own = if is_bool(&x) { ScalarKind::Bool } else { ScalarKind::Int };
    let higher = number_kind(&other).is_some_and(|kind| kind > own);
    let x = call.array(0)?;
    Ok(if higher { f::astype(x, Dtype::FLOAT64)? } else { f::copysign(&x, &x)? }.into())
}

/// The first operand of `ldexp`, and the second one: a host integer beside an array is one that the least float takes.
pub fn mantissa(call: &mut Call<'_>) -> Out {
    Ok(match call.value(0) {
        Value::Array(x) if x.dtype().is_bool() => f::astype(x.as_ref(), Dtype::FLOAT16)?.into(),
        Value::Int(_) if call.value(1).as_scalar().is_some() => call.float(0)?.into(),
        // The least float of the dtypes, of which int64 is one: a host integer beside truth values.
        x @ Value::Int(_) if call.value(1).as_array().is_some_and(|x| x.dtype().is_bool()) => {
            call.make_array(x, Some(Dtype::FLOAT64))?.into()
        }
        x @ Value::Int(_) => f::astype(call.make_array(x, Some(Dtype::FLOAT64))?, Dtype::FLOAT16)?.into(),
        Value::Bool(_) => call.array(0)?.into(),
        x => x.clone().into_owned(),
    })
}

/// The power of two of `ldexp`: truth values are integers, and what int64 does not hold is refused.
pub fn power_of_two(call: &mut Call<'_>) -> Out {
    match call.value(0) {
        Value::Bool(b) => Ok(Value::Int(i128::from(*b))),
        Value::Array(x) if x.dtype().is_bool() => Ok(f::astype(x.as_ref(), Dtype::INT8)?.into()),
        Value::Array(x) if x.dtype() == Dtype::UINT64 => {
            Err(type_error(call, "x2", "uint64 is not cast to int64, the dtype of powers of two"))
        }
        other => Ok(other.clone().into_owned()),
    }
}

/// A choice of `where`, and the other one: a host integer beside integers wraps in their dtype.
pub fn wrapped(call: &mut Call<'_>) -> Out {
    let own = || Ok(call.value(0).clone().into_owned());
    let (Value::Int(i), Some(others)) = (call.value(0), call.value(1).as_array()) else { return own() };
    if !others.dtype().is_int() {
        return own();
    }
    let wide = match (i64::try_from(*i), u64::try_from(*i)) {
        (Ok(signed), _) => beside(others, vec![signed], Shape::default())?,
        (_, Ok(unsigned)) => beside(others, vec![unsigned], Shape::default())?,
        _ => return own(),
    };
    Ok(f::astype(wide, others.dtype())?.into())
}

/// A power of float64 or complex128.
pub fn float_power(call: &mut Call<'_>) -> Out {
    let wide = |i: usize| -> Result<Operand<'static>> {
        Ok(match operand(call, i)? {
            Operand::Array(x) => {
                let dtype = if x.dtype().is_complex() { Dtype::COMPLEX128 } else { Dtype::FLOAT64 };
                Operand::Array(std::borrow::Cow::Owned(f::astype(x.as_ref(), dtype)?))
            }
            Operand::Scalar(Scalar::Int(i)) => Operand::Scalar(Scalar::Float(i as f64)),
            other => other.into_owned(),
        })
    };
    Ok(f::pow(wide(0)?, wide(1)?)?.into())
}

/// The distance to the next number away from 0, with the number's sign.
pub fn spacing(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let magnitude = f::abs(f::copysign(&x, &x)?)?;
    let step = f::subtract(f::nextafter(&magnitude, f64::INFINITY), &magnitude)?;
    Ok(f::copysign(step, x)?.into())
}

/// Fraction and power of two.
pub fn frexp(call: &mut Call<'_>) -> Out {
    // As a float, in the dtype of a float function of one argument.
    let x = operand(call, 0)?;
    let (fraction, exponent) = f::frexp(f::copysign(x.clone(), x))?;
    Ok((fraction, f::astype(exponent, Dtype::INT32)?).into())
}

/// How many bits of the magnitude are 1.
pub fn bitwise_count(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if !x.dtype().is_int() && !x.dtype().is_bool() {
        return Err(type_error(call, "x", "integers are needed"));
    }
    let magnitude = if x.dtype().is_uint() { x } else { f::abs(f::astype(x, Dtype::INT64))? };
    let x = f::astype(magnitude, Dtype::UINT64)?;
    // Pairs, quarters and bytes are counted side by side.
    let masked =
        |x: &ivy_core::Array, by: u64, mask: u64| f::bitwise_and(f::bitwise_right_shift(x, by), mask);
    let pairs = f::subtract(&x, masked(&x, 1, 0x5555_5555_5555_5555))?;
    let quarters =
        f::add(masked(&pairs, 0, 0x3333_3333_3333_3333), masked(&pairs, 2, 0x3333_3333_3333_3333))?;
    let bytes =
        f::bitwise_and(f::add(&quarters, f::bitwise_right_shift(&quarters, 4u64)), 0x0F0F_0F0F_0F0F_0F0Fu64)?;
    let sum = f::bitwise_right_shift(f::multiply(bytes, 0x0101_0101_0101_0101u64), 56u64)?;
    Ok(f::astype(sum, Dtype::UINT8)?.into())
}
