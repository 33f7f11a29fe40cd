//! Hyperbolic functions, and the circular ones through them.

use super::exponential::exp_times;
use super::{c, turned, with_sign};
use crate::elementwise::math;
use num_complex::Complex64;

/// Beyond this, exp(-|x|) is nothing beside exp(|x|).
const LARGE: f64 = 22.0;

pub(super) fn sinh(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if y == 0.0 {
        return c(math::sinh(x), y);
    }
    if x.is_finite() && y.is_finite() {
        if x.abs() < LARGE {
            return c(math::sinh(x) * math::cos(y), math::cosh(x) * math::sin(y));
        }
        let e = exp_times(x.abs(), y, 0.5);
        return c(e.re * with_sign(1.0, x), e.im);
    }
    if x == 0.0 {
        return c(x, f64::NAN);
    }
    if x.is_infinite() {
        let size = f64::INFINITY;
        return if y.is_finite() { c(x * math::cos(y), size * math::sin(y)) } else { c(x, f64::NAN) };
    }
    c(f64::NAN, f64::NAN)
}

pub(super) fn cosh(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    let sign = with_sign(1.0, x) * with_sign(1.0, y);
    if y == 0.0 {
        return c(math::cosh(x), 0.0 * sign);
    }
    if x.is_finite() && y.is_finite() {
        if x.abs() < LARGE {
            return c(math::cosh(x) * math::cos(y), math::sinh(x) * math::sin(y));
        }
        let e = exp_times(x.abs(), y, 0.5);
        return c(e.re, e.im * with_sign(1.0, x));
    }
    if x == 0.0 {
        return c(f64::NAN, 0.0 * sign);
    }
    if x.is_infinite() {
        let size = f64::INFINITY;
        return if y.is_finite() { c(size * math::cos(y), x * math::sin(y)) } else { c(size, f64::NAN) };
    }
    c(f64::NAN, f64::NAN)
}

pub(super) fn tanh(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if y == 0.0 {
        return c(math::tanh(x), y);
    }
    if x.is_infinite() {
        // The Array API's zero, with the angle's sign; C's turns with sin(2 y).
        return c(with_sign(1.0, x), with_sign(0.0, y));
    }
    if x.is_nan() || !y.is_finite() {
        return c(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    let (sin, cos) = (math::sin(y), math::cos(y));
    if x.abs() > LARGE {
        let e = math::exp(-x.abs());
        return c(with_sign(1.0, x), 4.0 * sin * cos * e * e);
    }
    let (sinh, cosh) = (math::sinh(x), math::cosh(x));
    // Both squares are positive: nothing cancels, also near the poles.
    let size = sinh * sinh + cos * cos;
    c(sinh * cosh / size, sin * cos / size)
}

pub(super) fn sin(z: Complex64) -> Complex64 {
    turned(sinh(turned(z)))
}

pub(super) fn cos(z: Complex64) -> Complex64 {
    cosh(turned(z)).conj()
}

pub(super) fn tan(z: Complex64) -> Complex64 {
    turned(tanh(turned(z)))
}
