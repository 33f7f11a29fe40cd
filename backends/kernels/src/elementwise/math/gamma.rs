//! The logarithm of the gamma function beside `libm`'s, and its derivative, which `libm` lacks.

use super::digamma_fit::{LARGE, ROOT, SLOPE};
use std::f64::consts::PI;

/// The derivative of `lgamma`; infinite at 0, NaN at negative whole numbers.
pub fn digamma(x: f64) -> f64 {
    if x >= 0.0 || x.is_nan() || x == 0.0 {
        return positive(x);
    }
    // By the cotangent of what lies beside a whole number, where that is exact.
    let a = -x;
    let above = a - a.floor();
    let beside = if above > 0.5 { above - 1.0 } else { above };
    if beside == 0.0 || beside.is_nan() {
        return f64::NAN;
    }
    // By the tangent of the lesser of the two angles, which loses nothing.
    let size = beside.abs();
    let cotangent = if size > 0.25 { PI * libm::tan((0.5 - size) * PI) } else { PI / libm::tan(size * PI) };
    // Near the root, what the sum of 1 and a loses would count.
    let above = if a < 1.0 {
        (a - (ROOT[0] - 1.0) - ROOT[1]) * polynomial(a - 0.5, &SLOPE)
    } else {
        positive(a + 1.0)
    };
    above + cotangent.copysign(beside)
}

fn positive(x: f64) -> f64 {
    // The inverses that lie between here and [1, 2).
    let (mut inside, mut between) = (x, 0.0);
    if x < 1.0 {
        (inside, between) = (x + 1.0, -1.0 / x);
    }
    if x >= 8.0 {
        let inverse = 1.0 / x;
        let square = inverse * inverse;
        return libm::log(x) - 0.5 * inverse + square * polynomial(square, &LARGE);
    }
    let mut inverses = 0.0;
    while inside >= 2.0 {
        inside -= 1.0;
        inverses += 1.0 / inside;
    }
    (inside - ROOT[0] - ROOT[1]) * polynomial(inside - 1.5, &SLOPE) + (inverses + between)
}

fn polynomial(t: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
}
