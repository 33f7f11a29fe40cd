//! What is asked of signs and kinds of numbers, and steps at zero.

use super::powers::{narrowed, wide};
use super::{
    abs, add, divide, equal, full, imag, isinf, less, multiply, remainder, round, sign, sin, square,
    subtract, where_,
};
use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::{binary, unary};
use crate::function::{Body, Bound, Composition, Outputs};
use smallvec::smallvec;
use std::f64::consts::PI;

elementwise_unary! {
    /// The nearest integer towards zero, as [`trunc`](crate::functional::trunc); integers stay as they are.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// assert_eq!(ivy::fix(&Array::try_from([2.7f32, -2.7])?)?.to_vec::<f32>()?, [2.0, -2.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    fix = Trunc: Promote -> Compute, Bound::Exact;
}

describe! {
    ISPOSINF = "isposinf", Elementwise, Compositional, (x: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(|call| is_infinity(call, f64::INFINITY))
}

describe! {
    ISNEGINF = "isneginf", Elementwise, Compositional, (x: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(|call| is_infinity(call, f64::NEG_INFINITY))
}

fn is_infinity(call: &Composition<'_>, which: f64) -> Result<Outputs> {
    let x = call.array(0);
    Ok(smallvec![if call.compute.is_float() { equal(x, which)? } else { isinf(x)? }])
}

/// True where an element is positive infinity.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([f32::INFINITY, f32::NEG_INFINITY, 1.0])?;
/// assert_eq!(ivy::isposinf(&x)?.to_vec::<bool>()?, [true, false, false]);
/// assert_eq!(ivy::isneginf(&x)?.to_vec::<bool>()?, [false, true, false]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers and bool.
pub fn isposinf<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ISPOSINF, x)
}

/// True where an element is negative infinity.
///
/// # Errors
/// As [`isposinf`].
pub fn isneginf<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ISNEGINF, x)
}

describe! {
    ISREAL = "isreal", Elementwise, Compositional, (x: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(compose_isreal)
}

fn compose_isreal(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    Ok(smallvec![match call.compute.is_complex() {
        true => equal(imag(x)?, 0)?,
        false => full(x.shape().clone(), true, ())?,
    }])
}

/// True where the imaginary part is 0: everywhere in arrays of other dtypes than complex ones.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::isreal(&Array::try_from([1.0f32, f32::NAN])?)?.to_vec::<bool>()?, [true, true]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal.
pub fn isreal<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ISREAL, x)
}

describe! {
    HEAVISIDE = "heaviside", Elementwise, Compositional, (x1: Promoted, x2: Promoted),
    PromoteFloat -> [Compute], Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_heaviside)
}

fn compose_heaviside(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    let step = multiply(add(sign(x1)?, 1)?, 0.5)?;
    Ok(smallvec![where_(equal(x1, 0)?, x2, step)?])
}

/// The step function: 0 where `x1` is negative, `x2` where it is 0, 1 where it is positive, NaN where it is NaN.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1.5f32, 0.0, 2.0])?;
/// assert_eq!(ivy::heaviside(&x, 0.5)?.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and as for any function of two operands.
pub fn heaviside<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&HEAVISIDE, x1, x2)
}

describe! {
    SINC = "sinc", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(6.0), params: (), example: [&[2]], Body::Compose(compose_sinc)
}

/// The distance from 0 below which `sinc` is the first three terms of its series: the fourth is `(pi x)^6 / 5040`.
const SERIES: f64 = 1.0 / 1024.0;

fn compose_sinc(call: &Composition<'_>) -> Result<Outputs> {
    let x = wide(call.array(0))?;
    // Next to 0 the series, whose derivatives at 0 are those of the function; what it leaves out is below the rounding
    // of float64.
    let near = less(abs(&x)?, SERIES)?;
    let angle = square(multiply(where_(&near, &x, 0.0)?, PI)?)?;
    let tail = subtract(multiply(&angle, 1.0 / 120.0)?, 1.0 / 6.0)?;
    let series = add(multiply(tail, angle)?, 1.0)?;
    let x = where_(&near, 1.0, x)?;
    // The rest of the nearest whole number is exact, so that the sine next to its zeros is as well as elsewhere.
    let whole = round(&x)?;
    let wave = sin(multiply(subtract(&x, &whole)?, PI)?)?;
    let turned = subtract(1.0, multiply(remainder(whole, 2.0)?, 2.0)?)?;
    let value = divide(multiply(wave, turned)?, multiply(x, PI)?)?;
    Ok(smallvec![narrowed(call, where_(near, series, value)?)?])
}

/// `sin(pi x) / (pi x)`, and 1 at 0; exactly 0 at all other whole numbers.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::sinc(&Array::try_from([0.0f64, 0.5, 3.0])?)?.to_vec::<f64>()?;
/// assert!(y[0] == 1.0 && (y[1] - std::f64::consts::FRAC_2_PI).abs() < 1e-15 && y[2] == 0.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn sinc<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&SINC, x)
}
