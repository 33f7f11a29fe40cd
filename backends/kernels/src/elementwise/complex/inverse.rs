//! Inverse circular and hyperbolic functions. All come from two functions on the quadrant of
//! non-negative parts, by symmetry; the formulas (Kahan's) add only numbers of one sign.

use super::exponential::{log_abs, sqrt};
use super::{c, turned, with_sign};
use crate::elementwise::math;
use num_complex::Complex64;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

/// Beyond this, 1 is nothing beside the square of the size.
const LARGE: f64 = 1e17;

/// Inverse sine of `a + bi`, and the real part of the inverse cosine; `a, b >= 0`, finite.
fn arcs(a: f64, b: f64) -> (Complex64, f64) {
    if a > LARGE || b > LARGE {
        return (c(math::atan2(a, b), log_abs(a, b) + LN_2), math::atan2(b, a));
    }
    let (minus, plus) = (sqrt(c(1.0 - a, -b)), sqrt(c(1.0 + a, b)));
    let real = math::atan2(a, minus.re * plus.re - minus.im * plus.im);
    let imaginary = math::asinh(minus.re * plus.im - minus.im * plus.re);
    (c(real, imaginary), 2.0 * math::atan2(minus.re, plus.re))
}

pub(super) fn asinh(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if x.is_finite() && y.is_finite() {
        let (asin, _) = arcs(y.abs(), x.abs());
        return c(with_sign(asin.im, x), with_sign(asin.re, y));
    }
    if x.is_infinite() {
        let angle = if y.is_infinite() { FRAC_PI_4 } else { 0.0 };
        return c(x, if y.is_nan() { y } else { with_sign(angle, y) });
    }
    if y.is_infinite() {
        let infinity = with_sign(f64::INFINITY, x);
        return c(infinity, if x.is_nan() { x } else { with_sign(FRAC_PI_2, y) });
    }
    if y == 0.0 { c(f64::NAN, y) } else { c(f64::NAN, f64::NAN) }
}

pub(super) fn acos(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if x.is_finite() && y.is_finite() {
        let (asin, acos) = arcs(x.abs(), y.abs());
        let real = if x.is_sign_negative() && x != 0.0 { PI - acos } else { acos };
        return c(real, -with_sign(asin.im, y));
    }
    if x.is_infinite() {
        if y.is_nan() {
            return c(y, x);
        }
        let real = match (x > 0.0, y.is_infinite()) {
            (true, false) => 0.0,
            (true, true) => FRAC_PI_4,
            (false, false) => PI,
            (false, true) => 3.0 * FRAC_PI_4,
        };
        return c(real, -with_sign(f64::INFINITY, y));
    }
    if y.is_infinite() {
        return c(if x.is_nan() { x } else { FRAC_PI_2 }, -y);
    }
    if x == 0.0 { c(FRAC_PI_2, f64::NAN) } else { c(f64::NAN, f64::NAN) }
}

pub(super) fn acosh(z: Complex64) -> Complex64 {
    let angle = acos(z);
    if z.re.is_nan() && z.im.is_nan() { angle } else { c(angle.im.abs(), with_sign(angle.re, z.im)) }
}

pub(super) fn atanh(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    let (a, b) = (x.abs(), y.abs());
    if a.is_infinite() || b.is_infinite() {
        let angle = if y.is_nan() { y } else { with_sign(FRAC_PI_2, y) };
        return c(with_sign(0.0, x), angle);
    }
    if a.is_nan() || b.is_nan() {
        return c(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    let (real, imaginary) = if a > LARGE || b > LARGE {
        let (a, b) = (a * 0.5, b * 0.5);
        let size = math::hypot(a, b);
        (a / size / size * 0.5, FRAC_PI_2)
    } else if a == 1.0 {
        if b == 0.0 { (f64::INFINITY, 0.0) } else { one_beside(b) }
    } else {
        let (below, above) = (1.0 - a, 1.0 + a);
        let real = 0.25 * math::log1p(4.0 * a / (below * below + b * b));
        (real, 0.5 * math::atan2(2.0 * b, below * above - b * b))
    };
    c(with_sign(real, x), with_sign(imaginary, y))
}

/// Inverse hyperbolic tangent of `1 + bi`, whose squares may vanish.
fn one_beside(b: f64) -> (f64, f64) {
    let real = if b < 1e-100 { -0.5 * (math::log(b) - LN_2) } else { 0.25 * math::log1p(4.0 / (b * b)) };
    (real, 0.5 * math::atan2(2.0, -b))
}

pub(super) fn asin(z: Complex64) -> Complex64 {
    turned(asinh(turned(z)))
}

pub(super) fn atan(z: Complex64) -> Complex64 {
    turned(atanh(turned(z)))
}
