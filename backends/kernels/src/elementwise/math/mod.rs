//! Elementary functions of float64 numbers, which also serve the narrower floats.

pub mod digamma_fit;
pub mod double;
mod gamma;
pub(crate) mod narrow;
pub(crate) mod single;

pub use gamma::digamma;
pub(crate) use libm::{
    acos, asin, asinh, atan, atan2, atanh, cos, cosh, erf, erfc, exp, expm1, hypot, lgamma, log, log1p, log2,
    log10, pow, sin, sinh, tan, tanh,
};

/// Inverse hyperbolic cosine; NaN below 1, where `libm` has other values.
#[inline]
pub fn acosh(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

/// The remainder with the sign of `b`, as the Array API defines it.
#[inline]
pub(crate) fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 {
        return 0f64.copysign(b);
    }
    if (rest < 0.0) == (b < 0.0) || rest.is_nan() { rest } else { rest + b }
}

/// The quotient rounded down, as the Array API defines it: exact for finite operands also where
/// the rounded quotient would reach the next integer.
#[inline]
pub(crate) fn floor_divide(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if b == 0.0 || !a.is_finite() || !quotient.is_finite() || b.is_infinite() {
        return quotient;
    }
    let mut floor = quotient.floor();
    // Rounding reaches a whole number from either side, and never crosses one: the exact
    // remainder of the rounded quotient says from which.
    if floor == quotient {
        let above = libm::fma(quotient, b, -a);
        if above != 0.0 && (above > 0.0) == (b > 0.0) {
            floor -= 1.0;
        }
    }
    if floor == 0.0 { 0f64.copysign(quotient) } else { floor }
}

/// `log(exp(a) + exp(b))` without overflow.
#[inline]
pub fn logaddexp(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if high == low {
        return if high.is_finite() { double::log_twice_exp(high) } else { high };
    }
    // Below 0 the two terms cancel, and float64 alone would lose what the result is made of.
    if high < 0.0 && high > -4.0 {
        return double::logaddexp(high, low);
    }
    // The exponential magnifies what the difference loses by rounding, so that is made up for.
    let gap = double::two_sum(low, -high);
    let ratio = exp(gap.hi);
    let ratio = if gap.lo.is_finite() { ratio + ratio * gap.lo } else { ratio };
    high + log1p(ratio)
}
