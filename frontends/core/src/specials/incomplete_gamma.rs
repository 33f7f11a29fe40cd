//! The regularized incomplete gamma functions: the power series (DLMF 8.11.4) below, the continued fraction (DLMF 8.9.2) above,
//! and Temme's uniform expansion (DLMF 8.12) near `x = a` for large `a`. All is computed in float64; errors are of the order
//! of 1e-14 of P and Q where they are not small.

use super::series::TEMME;
use ivy_core::functional as f;
use ivy_core::{Array, Result};
use std::f64::consts::TAU;

/// Terms of the power series, for `x` up to 20, or up to 0.6 `a`.
const TERMS: usize = 60;
/// Levels of the continued fraction, for `x` above 2 and `a`, or above 1.4 `a`.
const LEVELS: usize = 40;
/// From this `a` on there is the uniform expansion, where `|x - a|` is below `NEAR a`.
const LARGE: f64 = 20.0;
const NEAR: f64 = 0.4;

/// The lower function `P(a, x)` and the upper one `Q(a, x)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Lower,
    Upper,
}

/// The sum of `coefficients[n] x^n`.
fn polynomial(x: &Array, coefficients: impl DoubleEndedIterator<Item = f64>) -> Result<Array> {
    let mut sum = f::multiply(x, 0.0)?;
    for c in coefficients.rev() {
        sum = f::add(f::multiply(&sum, x)?, c)?;
    }
    Ok(sum)
}

/// The sum of `x^n / ((a + 1) ... (a + n))`.
fn power_series(a: &Array, x: &Array) -> Result<Array> {
    let mut term = f::add(f::multiply(x, 0.0)?, 1.0)?;
    let mut sum = term.clone();
    for n in 1..TERMS {
        term = f::multiply(&term, f::divide(x, f::add(a, n as f64)?)?)?;
        sum = f::add(&sum, &term)?;
    }
    Ok(sum)
}

/// `1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...))`, from its last level on.
fn continued_fraction(a: &Array, x: &Array) -> Result<Array> {
    let base = f::subtract(x, a)?;
    let mut value = f::add(&base, (2 * LEVELS + 1) as f64)?;
    for n in (1..=LEVELS).rev() {
        let n = n as f64;
        let numerator = f::multiply(f::subtract(a, n)?, n)?;
        value = f::add(f::add(&base, 2.0 * n - 1.0)?, f::divide(numerator, &value)?)?;
    }
    f::divide(1.0, value)
}

/// `Q`, or `P`, by the uniform expansion.
fn uniform(part: Part, a: &Array, x: &Array) -> Result<Array> {
    // eta^2 / 2 = s - ln(1 + s), and eta has the sign of s = x / a - 1.
    let s = f::divide(f::subtract(x, a)?, a)?;
    let halved = polynomial(&s, (2..46).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 } / f64::from(n)))?;
    let eta = f::multiply(&s, f::sqrt(f::multiply(halved, 2.0)?)?)?;
    let mut sum = f::multiply(&eta, 0.0)?;
    for row in TEMME.iter().rev() {
        sum = f::add(f::divide(&sum, a)?, polynomial(&eta, row.iter().copied())?)?;
    }
    let argument = f::multiply(&eta, f::sqrt(f::divide(a, 2.0)?)?)?;
    let gauss = f::exp(f::negative(f::multiply(&argument, &argument)?)?)?;
    let rest = f::multiply(f::divide(gauss, f::sqrt(f::multiply(a, TAU)?)?)?, sum)?;
    match part {
        Part::Upper => f::add(f::divide(f::erfc(&argument)?, 2.0)?, rest),
        Part::Lower => f::subtract(f::divide(f::erfc(f::negative(&argument)?)?, 2.0)?, rest),
    }
}

/// `x^a exp(-x) / Gamma(a + 1)`.
fn weight(a: &Array, x: &Array) -> Result<Array> {
    let logarithm = f::subtract(f::multiply(a, f::log(x)?)?, x)?;
    f::exp(f::subtract(logarithm, f::lgamma(f::add(a, 1.0)?)?)?)
}

fn all<const N: usize>(first: Result<Array>, rest: [Result<Array>; N]) -> Result<Array> {
    rest.into_iter().try_fold(first?, |all, condition| f::logical_and(all, condition?))
}

/// The regularized incomplete gamma function of `a` and `x`, which are of one shape: NaN of negative ones.
pub(super) fn incomplete_gamma(part: Part, a: &Array, x: &Array) -> Result<Array> {
    let is_inside = all(f::greater(a, 0.0), [f::greater(x, 0.0), f::isfinite(a), f::isfinite(x)])?;
    // What is outside is computed of ones.
    let found = inside(part, &f::where_(&is_inside, a, 1.0)?, &f::where_(&is_inside, x, 1.0)?)?;
    // P is 0 at x = 0 and as a grows, 1 at a = 0 and as x grows.
    let at_end = |less: &Array, more: &Array| {
        let is_end = f::logical_or(f::equal(less, 0.0)?, f::isinf(more)?);
        all(is_end, [f::greater_equal(less, 0.0), f::less(less, more)])
    };
    let (at_zero, at_one) = match part {
        Part::Lower => (at_end(x, a)?, at_end(a, x)?),
        Part::Upper => (at_end(a, x)?, at_end(x, a)?),
    };
    let outside = f::where_(at_zero, 0.0, f::where_(at_one, 1.0, f::full_like(a, f64::NAN, ())?)?)?;
    f::where_(is_inside, found, outside)
}

/// The function of `a` and `x` that are positive and finite.
fn inside(part: Part, a: &Array, x: &Array) -> Result<Array> {
    let distance = f::abs(f::subtract(x, a)?)?;
    let is_uniform = all(f::greater(a, LARGE), [f::less(&distance, f::multiply(a, NEAR)?)])?;
    let is_below = f::less_equal(x, f::maximum(a, 2.0)?)?;
    // Each way gets what it is for, and else arguments of which its value and derivative are finite.
    let uniform = {
        let a = f::where_(&is_uniform, a, LARGE)?;
        uniform(part, &a, &f::where_(&is_uniform, x, LARGE)?)?
    };
    let weight = weight(a, x)?;
    let (below, above) = (f::where_(&is_below, x, 1.0)?, f::where_(&is_below, 3.0, x)?);
    let lower = f::multiply(&weight, power_series(a, &below)?)?;
    let a_above = f::where_(&is_below, 1.0, a)?;
    let upper = f::multiply(f::multiply(&weight, a)?, continued_fraction(&a_above, &above)?)?;
    let (below, above) = match part {
        Part::Lower => (lower, f::subtract(1.0, upper)?),
        Part::Upper => (f::subtract(1.0, lower)?, upper),
    };
    f::where_(is_uniform, uniform, f::where_(is_below, below, above)?)
}
