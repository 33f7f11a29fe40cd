//! The logarithm of the gamma function beside `libm`'s, and its derivative, which `libm` lacks.

use super::digamma_fit::{LARGE, ROOT, SLOPE};
use std::f64::consts::PI;

/// The derivative of `lgamma`; infinite at 0, NaN at negative whole numbers.
pub(crate) fn digamma(x: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::digamma;

    /// Values with 17 digits, computed by mpmath 1.3.
    #[test]
    fn digamma_is_near() {
        for (x, want) in [
            (1e-300, -9.999999999999999e+299),
            (1e-08, -100000000.57721564),
            (0.25, -4.2274535333762655),
            (0.5, -1.9635100260214235),
            (0.999, -0.5788618021086455),
            (1.0, -0.5772156649015329),
            (1.25, -0.22745353337626542),
            (1.461632144968362, -3.072790566546293e-16),
            (1.5, 0.03648997397857652),
            (1.75, 0.24747245354686118),
            (2.0, 0.42278433509846713),
            (2.25, 0.5725464666237345),
            (3.0, 0.9227843350984671),
            (3.3, 1.0348224890596216),
            (4.75, 1.4492040552784629),
            (5.5, 1.6110931485817512),
            (6.9, 1.857310951331687),
            (7.999, 2.015508332090348),
            (8.0, 2.01564147795561),
            (12.5, 2.4851956512749123),
            (100.0, 4.600161852738087),
            (10000000000.0, 23.025850929890456),
            (1e+300, 690.7755278982137),
            (-0.25, 2.9141391202135276),
            (-0.75, -2.894120200042932),
            (-1.25, 3.714139120213528),
            (-3.75, -1.6923885983113303),
            (-10.25, 5.516858419886273),
            (-1e-10, 9999999999.422785),
            (-100000.25, 14.654525618536063),
        ] {
            let got = digamma(x);
            assert!(
                (got - want).abs() <= 4.0 * f64::EPSILON * want.abs(),
                "{x}: {got:e} instead of {want:e}"
            );
        }
    }

    #[test]
    fn digamma_at_the_ends() {
        assert_eq!(digamma(0.0), f64::NEG_INFINITY);
        assert_eq!(digamma(-0.0), f64::INFINITY);
        assert_eq!(digamma(f64::INFINITY), f64::INFINITY);
        for x in [f64::NAN, f64::NEG_INFINITY, -1.0, -2.0, -1e300] {
            assert!(digamma(x).is_nan(), "{x}");
        }
    }
}
