//! Decomposition of floats: mantissa and exponent, integral and fractional part.

use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{
    abs, add, astype, copysign, divide, floor, full, greater, isfinite, isinf, less, log2, logical_and,
    multiply, not_equal, round, subtract, trunc, where_,
};
use crate::{Dtype, Result, Shape};
use smallvec::smallvec;

describe! {
    FREXP = "frexp", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute, Exponent],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(compose_frexp)
}

fn compose_frexp(call: &Composition<'_>) -> Result<Outputs> {
    let x = upcast(call.array(0))?;
    let power = |n: i32| 2f64.powi(n);
    // Bits of a mantissa, the exponents within which numbers are as they are, and how far others are moved there.
    let (bits, near, far) = if x.dtype() == Dtype::FLOAT64 { (53, 500, 600) } else { (24, 60, 96) };
    let plain = logical_and(isfinite(&x)?, not_equal(&x, 0)?)?;
    let number = where_(&plain, &x, 0.5)?;
    let size = abs(&number)?;
    let one = full(Shape::default(), 1.0, x.dtype())?;
    let down = where_(greater(&size, power(near))?, power(-far), one)?;
    let factor = where_(less(&size, power(-near))?, power(far), down)?;
    let scaled = multiply(&number, &factor)?;
    // The power of two at or below a magnitude: the first bit of a product that has no room for more than it and the
    // number, less what stands behind it.
    let product = multiply(&scaled, power(bits - 1) + 1.0)?;
    let unit = abs(subtract(&product, multiply(&product, 1.0 - power(-bits))?)?)?;
    // It is whole in these units, so that this changes nothing but says that the derivative is 0.
    let unit = multiply(floor(multiply(unit, power(near))?)?, power(-near))?;
    let mantissa = divide(multiply(scaled, 0.5)?, &unit)?;
    let mantissa = downcast(where_(plain, mantissa, &x)?, call.compute)?;
    let exponent = add(round(log2(divide(unit, factor)?)?)?, 1.0)?;
    Ok(smallvec![mantissa, astype(exponent, Dtype::INT32)?])
}

/// Mantissa and exponent: the mantissa, from 0.5 to below 1 in magnitude, and the int32 exponent of each element: `x`
/// is `mantissa * 2^exponent`, exactly, also of subnormal numbers. Zeros, infinities and NaN are their own mantissa,
/// with exponent 0.
///
/// ```
/// use ivy::prelude::*;
/// let (mantissa, exponent) = ivy::frexp(&Array::try_from([8.0f32, -0.75, 0.0])?)?;
/// assert_eq!(mantissa.to_vec::<f32>()?, [0.5, -0.75, 0.0]);
/// assert_eq!(exponent.to_vec::<i32>()?, [4, 0, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn frexp<'a>(x: impl IntoOperand<'a>) -> Result<(Array, Array)> {
    call(&FREXP, &[x.into_operand()], &()).map(pair)
}

/// The results of a function of two.
fn pair(outputs: Outputs) -> (Array, Array) {
    let mut outputs = outputs.into_iter();
    let mut next = || outputs.next().expect("a function of two results gave two");
    (next(), next())
}

describe! {
    MODF = "modf", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute, Compute],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(compose_modf)
}

fn compose_modf(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    let whole = trunc(x)?;
    let rest = where_(isinf(x)?, 0.0, subtract(x, &whole)?)?;
    Ok(smallvec![copysign(rest, x)?, whole])
}

/// Fractional and integral part: the fraction and the whole part of each element, both with its sign; they add up to it
/// exactly. An infinity has the fraction 0.
///
/// ```
/// use ivy::prelude::*;
/// let (fraction, whole) = ivy::modf(&Array::try_from([2.75f32, -1.5, 3.0])?)?;
/// assert_eq!(fraction.to_vec::<f32>()?, [0.75, -0.5, 0.0]);
/// assert_eq!(whole.to_vec::<f32>()?, [2.0, -1.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn modf<'a>(x: impl IntoOperand<'a>) -> Result<(Array, Array)> {
    call(&MODF, &[x.into_operand()], &()).map(pair)
}
