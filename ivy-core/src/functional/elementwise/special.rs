//! Special functions that are composed: the inverse of the error function, the Bessel function of order 0, and the
//! zeta function of Hurwitz with what follows from it.

use crate::array::{Array, IntoOperand};
use crate::call::{binary, call_one, unary};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{
    Filled, abs, add, astype, copysign, digamma, divide, equal, erf, erfc, exp, full, greater, isnan, less,
    less_equal, log, logical_and, logical_not, logical_or, maximum, multiply, negative, pow, reciprocal,
    round, sin, sqrt, square, subtract, where_,
};
use crate::{Dtype, ErrorKind, Result, params};
use smallvec::smallvec;
use std::f64::consts::{FRAC_2_SQRT_PI, PI};

describe! {
    ERFINV = "erfinv", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Ulp { float32: 6.0, float64: 6.0 }, params: (), example: [&[2]], Body::Compose(compose_erfinv)
}

fn compose_erfinv(call: &Composition<'_>) -> Result<Outputs> {
    let x = upcast(call.array(0))?;
    let size = abs(&x)?;
    // Where there is no number, one is computed that is one, so that derivatives are as well.
    let given = where_(less(&size, 1)?, &size, 0.5)?;
    let rest = subtract(1.0, &given)?;
    // The formula of Winitzki, which is off by some thousandths.
    let logarithm = log(multiply(&rest, add(&given, 1.0)?)?)?;
    let middle = add(multiply(&logarithm, 0.5)?, 2.0 / (PI * 0.147))?;
    let inner = sqrt(subtract(square(&middle)?, divide(&logarithm, 0.147)?)?)?;
    let near = maximum(subtract(inner, &middle)?, 1e-9)?;
    let mut root = sqrt(near)?;
    // By steps of Halley; what is missing to 1 is exact where the error function is near it.
    let central = less(&given, 0.5)?;
    let steps = if x.dtype() == Dtype::FLOAT64 { 3 } else { 2 };
    for _ in 0..steps {
        let off = where_(&central, subtract(erf(&root)?, &given)?, subtract(&rest, erfc(&root)?)?)?;
        let slope = multiply(exp(multiply(square(&root)?, -1.0)?)?, FRAC_2_SQRT_PI)?;
        let step = divide(off, slope)?;
        root = subtract(&root, divide(&step, add(multiply(&root, &step)?, 1.0)?)?)?;
    }
    let ends = where_(equal(&size, 1)?, f64::INFINITY, f64::NAN)?;
    let found = copysign(where_(less(&size, 1)?, root, ends)?, &x)?;
    // Near 0 by the first terms of the series, which keep small numbers as exact as they are.
    let series = add(multiply(square(&given)?, PI / 12.0)?, 1.0)?;
    let series = multiply(multiply(&x, 1.0 / FRAC_2_SQRT_PI)?, series)?;
    let tiny = if x.dtype() == Dtype::FLOAT64 { 1e-4 } else { 1e-3 };
    let found = where_(less(&size, tiny)?, series, found)?;
    Ok(smallvec![downcast(found, call.compute)?])
}

/// Inverse error function: the number whose [`erf`] is `x`, infinite for 1 and -1, and NaN beyond.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::erfinv(&Array::try_from([0.0f64, 0.5, -1.0, 2.0])?)?.to_vec::<f64>()?;
/// assert!(x[0] == 0.0 && (x[1] - 0.4769362762044699).abs() < 1e-15 && x[2] == f64::NEG_INFINITY && x[3].is_nan());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn erfinv<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ERFINV, x)
}

/// `c[0] + c[1] x + c[2] x^2 + ...`, by Horner's rule.
fn polynomial(x: &Array, coefficients: &[f64]) -> Result<Array> {
    let (&highest, others) = coefficients.split_last().expect("a polynomial has coefficients");
    let mut sum = multiply(x, highest)?;
    for (k, &coefficient) in others.iter().enumerate().rev() {
        sum = add(sum, coefficient)?;
        if k > 0 {
            sum = multiply(sum, x)?;
        }
    }
    Ok(sum)
}

/// `exp(-x) I0(x)` of numbers of 0 and more.
pub(in crate::functional) fn scaled_i0(x: &Array) -> Result<Array> {
    // Up to which number the powers are added, how many of them, and how many terms of the series for greater ones.
    let (bound, powers, terms) = if x.dtype() == Dtype::FLOAT64 { (30.0, 46, 22) } else { (12.0, 22, 12) };
    let large = greater(x, bound)?;
    let small = where_(&large, 0.0, x)?;
    let mut factor = 1.0;
    let coefficients: Vec<f64> = (0..powers)
        .map(|k| {
            factor /= if k == 0 { 1.0 } else { f64::from(k * k) };
            factor
        })
        .collect();
    let near = polynomial(&multiply(square(&small)?, 0.25)?, &coefficients)?;
    let near = multiply(near, exp(multiply(&small, -1.0)?)?)?;
    let mut factor = 1.0;
    let coefficients: Vec<f64> = (0..terms)
        .map(|k| {
            factor *= if k == 0 { 1.0 } else { f64::from((2 * k - 1) * (2 * k - 1)) / f64::from(8 * k) };
            factor
        })
        .collect();
    let part = reciprocal(where_(&large, x, bound)?)?;
    let far = multiply(polynomial(&part, &coefficients)?, sqrt(multiply(&part, 0.5 / PI)?)?)?;
    where_(large, far, near)
}

describe! {
    I0 = "i0", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Ulp { float32: 8.0, float64: 12.0 }, params: (), example: [&[2]], Body::Compose(compose_i0)
}

fn compose_i0(call: &Composition<'_>) -> Result<Outputs> {
    let size = abs(upcast(call.array(0))?)?;
    // Half of the power twice, since all of it overflows where the product does not.
    let half = exp(multiply(&size, 0.5)?)?;
    let found = multiply(multiply(scaled_i0(&size)?, &half)?, half)?;
    let found = where_(equal(&size, f64::INFINITY)?, &size, found)?;
    Ok(smallvec![downcast(found, call.compute)?])
}

/// The modified Bessel function of the first kind and order 0: the sum of `(x^2 / 4)^k / (k!)^2`.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::i0(&Array::try_from([0.0f64, 1.0])?)?.to_vec::<f64>()?;
/// assert!(x[0] == 1.0 && (x[1] - 1.2660658777520084).abs() < 1e-15);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn i0<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&I0, x)
}

/// Numbers of Bernoulli with even indices, from the second one on, divided by the factorials of their indices.
const BERNOULLI: [f64; 10] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3_617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    -174_611.0 / 802_857_662_698_291_200_000.0,
];

/// How many terms are added one by one.
const TERMS: u32 = 10;

/// The sum of `1 / (q + k step)^x` for `k` from 0 on by the formula of Euler and Maclaurin, of exponents above 1 and
/// positive numbers.
fn hurwitz(x: &Array, q: &Array, step: f64) -> Result<Array> {
    let less_x = multiply(x, -1.0)?;
    let mut sum = pow(q, &less_x)?;
    for k in 1..TERMS {
        sum = add(sum, pow(add(q, f64::from(k) * step)?, &less_x)?)?;
    }
    let end = add(q, f64::from(TERMS) * step)?;
    let power = pow(&end, subtract(1.0, x)?)?;
    let inverse = divide(step, &end)?;
    // In multiples of that power: half of the first term that is left, what corrects it, and the integral.
    let mut rest = add(multiply(multiply(x, &inverse)?, BERNOULLI[0])?, 0.5)?;
    let mut rising = multiply(x, &inverse)?;
    for (j, number) in (1..).zip(&BERNOULLI[1..]) {
        let even = f64::from(2 * j);
        let pair = multiply(multiply(add(x, even - 1.0)?, &inverse)?, multiply(add(x, even)?, &inverse)?)?;
        rising = multiply(rising, pair)?;
        rest = add(rest, multiply(&rising, *number)?)?;
    }
    let rest = divide(add(multiply(rest, inverse)?, reciprocal(subtract(x, 1.0)?)?)?, step)?;
    // Of great exponents all but the first terms are 0, whatever the factors are.
    add(sum, where_(equal(&power, 0)?, 0.0, multiply(power, rest)?)?)
}

describe! {
    ZETA = "zeta", Elementwise, Compositional, (x: Promoted, q: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(24.0), params: (), example: [&[2], &[2]], Body::Compose(compose_zeta)
}

fn compose_zeta(call: &Composition<'_>) -> Result<Outputs> {
    let (x, q) = (upcast(call.array(0))?, upcast(call.array(1))?);
    let (regular, positive) = (greater(&x, 1)?, greater(&q, 0)?);
    let found = hurwitz(&where_(&regular, &x, 2.0)?, &where_(&positive, &q, 1.0)?, 1.0)?;
    // At 1 the sum is infinite, at 0 its first term is.
    let pole = logical_or(equal(&x, 1)?, equal(&q, 0)?)?;
    let elsewhere = where_(pole, f64::INFINITY, f64::NAN)?;
    let found = where_(&positive, where_(&regular, &found, &elsewhere)?, &elsewhere)?;
    let wrong = logical_or(less(&x, 1)?, logical_or(less(&q, 0)?, unordered(&x, &q)?)?)?;
    Ok(smallvec![downcast(where_(wrong, f64::NAN, found)?, call.compute)?])
}

/// True where one of two numbers is NaN.
fn unordered(x: &Array, q: &Array) -> Result<Array> {
    isnan(add(x, q)?)
}

/// Hurwitz zeta function: the sum of `1 / (q + k)^x` for `k` from 0 on, of real numbers `x` above 1 and `q` of 0 and
/// more. It is infinite where `x` is 1 or `q` is 0, and NaN below these.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeta(&Array::try_from([2.0f64, 1.0])?, 1.0)?.to_vec::<f64>()?;
/// assert!((x[0] - 1.6449340668482264).abs() < 1e-15 && x[1] == f64::INFINITY);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers, and as for any function of two operands.
pub fn zeta<'a, 'b>(x: impl IntoOperand<'a>, q: impl IntoOperand<'b>) -> Result<Array> {
    binary(&ZETA, x, q)
}

params! {
    /// Arguments of [`polygamma`].
    pub struct Polygamma {
        /// How often [`digamma`] is differentiated.
        n: usize = 1usize,
    }
}

describe! {
    POLYGAMMA = "polygamma", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(32.0), params: Polygamma::new(), example: [&[2]], Body::Compose(compose_polygamma)
}

fn compose_polygamma(call: &Composition<'_>) -> Result<Outputs> {
    let n = call.params::<Polygamma>().n;
    if n == 0 {
        return Ok(smallvec![digamma(call.array(0))?]);
    }
    if n > 30 {
        let (function, value) = (call.function.name, n.to_string());
        let rule = "0 to 30";
        return Err(ErrorKind::InvalidArgument { function, argument: "n", value, rule }.into());
    }
    let x = astype(call.array(0), Dtype::FLOAT64)?;
    let order = n as f64 + 1.0;
    // The factorial goes into the sum as far as it is a power of a power of two, so that neither is out of range where
    // their product is not.
    let factorial: f64 = (1..=n).map(|k| k as f64).product();
    let step = 0.5f64.powi((factorial.log2() / order) as i32);
    let factor = factorial * step.powi(n as i32 + 1);
    // Below 0 by reflection: of 1 - x, and of what the cotangent has there. Whole numbers below are poles, as 0 is.
    let (below, pole) = (less(&x, 0)?, logical_and(less_equal(&x, 0)?, equal(&x, round(&x)?)?)?);
    let inside = where_(&below, subtract(1.0, &x)?, where_(&pole, 1.0, &x)?)?;
    let exponent = full([], order, Filled::new().dtype(Dtype::FLOAT64))?;
    let sum = multiply(hurwitz(&exponent, &multiply(&inside, step)?, step)?, factor)?;
    let sign = if n.is_multiple_of(2) { -1.0 } else { 1.0 };
    let within = where_(logical_or(&pole, logical_not(&below)?)?, 0.5, &x)?;
    let reflected = subtract(negative(&sum)?, cotangent_derivative(n, &within)?)?;
    let found = where_(below, reflected, multiply(sum, sign)?)?;
    let found = where_(pole, sign * f64::INFINITY, found)?;
    Ok(smallvec![if call.compute == Dtype::FLOAT64 { found } else { astype(found, call.compute)? }])
}

/// The `n`th derivative of `pi cot(pi x)`: `pi^(n + 1)` times a polynomial of the cotangent, the first of which is the cotangent
/// itself and each other one `-(1 + c^2)` times the derivative of the one before.
fn cotangent_derivative(n: usize, x: &Array) -> Result<Array> {
    let mut polynomial = vec![0.0, 1.0];
    for _ in 0..n {
        let mut next = vec![0.0; polynomial.len() + 1];
        for (k, coefficient) in polynomial.iter().enumerate().skip(1) {
            next[k - 1] -= k as f64 * coefficient;
            next[k + 1] -= k as f64 * coefficient;
        }
        polynomial = next;
    }
    // The cosine as the sine of what is left to a right angle, which has all its digits.
    let rest = subtract(x, round(x)?)?;
    let sine = |turns: Array| sin(multiply(turns, PI)?);
    let ratio = divide(sine(subtract(0.5, abs(&rest)?)?)?, sine(abs(&rest)?)?)?;
    let cotangent = copysign(ratio, rest)?;
    // Every other power has a coefficient, which is not 0: an infinite square stays infinite.
    let square = multiply(&cotangent, &cotangent)?;
    let parity = (polynomial.len() - 1) % 2;
    let mut coefficients = polynomial[parity..].iter().step_by(2).rev();
    let leading = *coefficients.next().unwrap_or(&0.0);
    let mut sum = full([], leading, Filled::new().dtype(Dtype::FLOAT64))?;
    for &coefficient in coefficients {
        sum = add(multiply(sum, &square)?, coefficient)?;
    }
    let value = if parity == 1 { multiply(sum, cotangent)? } else { sum };
    multiply(value, PI.powi(n as i32 + 1))
}

/// Polygamma function: the `n`th derivative of [`digamma`], `(-1)^(n + 1) n!` times the [`zeta`] function of `n + 1`
/// and `x`, for `n` up to 30 and real numbers, infinite at 0 and at whole numbers below; `n` 0 is [`digamma`] itself.
/// The others are computed in float64 and rounded once, below 0 by the reflection formula (DLMF 5.15.6).
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::polygamma(1, &Array::try_from([1.0f64])?)?.item::<f64>()?;
/// assert!((x - 1.6449340668482264).abs() < 1e-15);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for another `n`, [`OutsideDomain`](ErrorKind::OutsideDomain) for
/// complex numbers.
pub fn polygamma<'a>(n: usize, x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&POLYGAMMA, &[x.into_operand()], &Polygamma { n })
}
