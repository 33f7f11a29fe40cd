//! Special functions that the core has not: Bessel functions, Ai, the incomplete gamma functions, scaled error functions.

use super::Out;
use super::bessel::{self, Order};
use super::incomplete_gamma::{Part, incomplete_gamma as regularized};
use crate::{Call, Fault, Value, compute};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};

/// An operand of real numbers as float64, and its own dtype, which integers have by the frontend's promotion with a float.
///
/// # Errors
/// For complex numbers.
pub fn float64_operand(call: &Call<'_>, i: usize) -> Result<(Array, Dtype)> {
    let given = match call.value(i) {
        Value::Array(x) | Value::Weak(x) => x.as_ref().clone(),
        other => call.make_array(other, None)?,
    };
    let x = match given.dtype() {
        dtype if dtype.is_complex() => {
            let rule = format!("real numbers are needed, not {dtype}");
            return Err(call.refuse(Fault::Dtype, "input", None, rule));
        }
        dtype if dtype.is_float() => given,
        _ => compute!(call, "multiply", [&given, 1.0])?,
    };
    Ok((f::astype(&x, Dtype::FLOAT64)?, x.dtype()))
}

/// `bessel(name, x)`: the function of the name, of each element: `j0 j1 y0 y1 i0 i1 i0e i1e k0 k1 k0e k1e` (those with `e` are
/// scaled by `exp(-|x|)`, or `exp(x)`), `spherical_j0` and `airy_ai`.
///
/// # Errors
/// For an unknown name, and for complex numbers.
pub fn bessel(call: &mut Call<'_>) -> Out {
    let (x, dtype) = float64_operand(call, 1)?;
    let found = match call.text(0)? {
        "j0" => bessel::j(Order::Zero, &x),
        "j1" => bessel::j(Order::One, &x),
        "y0" => bessel::y(Order::Zero, &x),
        "y1" => bessel::y(Order::One, &x),
        "i0" => bessel::i(Order::Zero, &x),
        "i1" => bessel::i(Order::One, &x),
        "i0e" => bessel::scaled_i(Order::Zero, &x),
        "i1e" => bessel::scaled_i(Order::One, &x),
        "k0" => bessel::k(Order::Zero, false, &x),
        "k1" => bessel::k(Order::One, false, &x),
        "k0e" => bessel::k(Order::Zero, true, &x),
        "k1e" => bessel::k(Order::One, true, &x),
        "spherical_j0" => bessel::spherical_j0(&x),
        "airy_ai" => bessel::airy(&x),
        _ => {
            return Err(call.refuse(Fault::Value, "name", Some(call.value(0)), "there is no such function"));
        }
    };
    Ok(f::astype(&found?, dtype)?.into())
}

/// `error_function(name, x)`: `erfcx`, which is `exp(x^2) erfc(x)`, or `log_ndtr`, the logarithm of the standard normal
/// distribution function, of each element.
///
/// # Errors
/// For an unknown name, and for complex numbers.
pub fn error_function(call: &mut Call<'_>) -> Out {
    let (x, dtype) = float64_operand(call, 1)?;
    let found = match call.text(0)? {
        "erfcx" => erfcx(&x),
        "log_ndtr" => log_ndtr(&x),
        _ => {
            return Err(call.refuse(Fault::Value, "name", Some(call.value(0)), "there is no such function"));
        }
    };
    Ok(f::astype(&found?, dtype)?.into())
}

/// By a continued fraction where `erfc` is small (DLMF 7.9.4).
fn erfcx(x: &Array) -> Result<Array> {
    let small = f::minimum(x, 2.0)?;
    let near = f::multiply(f::exp(f::square(&small)?)?, f::erfc(&small)?)?;
    let large = f::maximum(x, 2.0)?;
    // x + (1/2) / (x + 1 / (x + (3/2) / (x + ...))); 119 levels are enough for float64 from 2 on.
    let mut tail = large.clone();
    for k in (1..120).rev() {
        tail = f::add(&large, f::divide(k as f64 / 2.0, &tail)?)?;
    }
    let far = f::divide(1.0 / std::f64::consts::PI.sqrt(), &tail)?;
    f::where_(f::greater(x, 2.0)?, &far, &near)
}

/// `log(erfc(-x / sqrt(2)) / 2)`, of which the tail on the left is `log(erfcx(-x / sqrt(2)) / 2) - x^2 / 2`.
fn log_ndtr(x: &Array) -> Result<Array> {
    let scaled = f::multiply(x, std::f64::consts::FRAC_1_SQRT_2)?;
    let left = f::log(f::multiply(erfcx(&f::maximum(f::negative(&scaled)?, 0.0)?)?, 0.5)?)?;
    let left = f::subtract(left, f::square(&scaled)?)?;
    // The upper tail, which is small.
    let near = f::maximum(&scaled, -1.0)?;
    let right = f::log1p(f::multiply(f::erfc(&near)?, -0.5)?)?;
    f::where_(f::less(x, -1.0)?, &left, &right)
}

/// `multivariate_lgamma(x, p)`: the logarithm of the multivariate gamma function of dimension `p`.
///
/// # Errors
/// For a `p` below 1.
pub fn multivariate_lgamma(call: &mut Call<'_>) -> Out {
    let (x, p) = (call.array(0)?, call.int(1)?);
    if p < 1 {
        return Err(call.refuse(Fault::Runtime, call.name(1), None, "has to be greater than or equal to 1"));
    }
    let mut sum = f::lgamma(&x)?;
    for i in 1..p {
        sum = f::add(&sum, f::lgamma(f::subtract(&x, i as f64 / 2.0)?)?)?;
    }
    Ok(f::add(&sum, (p * (p - 1)) as f64 / 4.0 * std::f64::consts::PI.ln())?.into())
}

/// `incomplete_gamma(part, a, x)`: the regularized incomplete gamma function P, `lower`, or Q, `upper`.
///
/// # Errors
/// For what are no real floats, for another part, and for shapes that do not broadcast.
pub fn incomplete_gamma(call: &mut Call<'_>) -> Out {
    let part = match call.text(0)? {
        "lower" => Part::Lower,
        "upper" => Part::Upper,
        _ => {
            return Err(call.refuse(Fault::Value, "part", Some(call.value(0)), "lower or upper is needed"));
        }
    };
    let ((a, _), (x, _)) = (float64_operand(call, 1)?, float64_operand(call, 2)?);
    // Shape and dtype are those of a sum.
    let sum = compute!(call, "add", [call.value(1).borrowed(), call.value(2).borrowed()])?;
    let dtype = sum.dtype();
    if !dtype.is_float() {
        return Err(call.refuse(Fault::Dtype, "input", None, format!("real floats are needed, not {dtype}")));
    }
    let whole = |x: &Array| f::broadcast_to(x, sum.shape().clone());
    Ok(f::astype(&regularized(part, &whole(&a)?, &whole(&x)?)?, dtype)?.into())
}
