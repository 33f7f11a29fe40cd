//! Exponentials, logarithms and the square root.

use super::{c, with_sign};
use crate::elementwise::math;
use num_complex::Complex64;
use std::f64::consts::{LN_2, LN_10};

/// `factor * exp(x) * (cos y, sin y)` for finite `x` and `y`, without overflow between.
pub(super) fn exp_times(x: f64, y: f64, factor: f64) -> Complex64 {
    // exp(709) is finite, and x - 709 is exact where it is needed. Three such steps are more than
    // the smallest sine makes up for.
    const STEP: f64 = 709.0;
    let (sin, cos) = (math::sin(y), math::cos(y));
    if x <= STEP {
        let size = math::exp(x) * factor;
        return c(size * cos, size * sin);
    }
    let (large, rest) = (math::exp(STEP), x - STEP);
    let first = math::exp(rest.min(STEP)) * factor;
    let second = math::exp((rest - STEP).clamp(0.0, STEP));
    c(first * cos * second * large, first * sin * second * large)
}

pub(super) fn exp(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if y == 0.0 {
        return c(math::exp(x), y);
    }
    if x.is_infinite() {
        return match (x > 0.0, y.is_finite()) {
            (true, true) => c(x * math::cos(y), x * math::sin(y)),
            (true, false) => c(x, f64::NAN),
            (false, true) => c(with_sign(0.0, math::cos(y)), with_sign(0.0, math::sin(y))),
            // The sign of NaN is the machine's.
            (false, false) => c(0.0, if y.is_nan() { 0.0 } else { with_sign(0.0, y) }),
        };
    }
    if x.is_nan() || !y.is_finite() {
        return c(f64::NAN, f64::NAN);
    }
    exp_times(x, y, 1.0)
}

pub(super) fn expm1(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if x == 0.0 && y == 0.0 {
        // Unlike that of reals, this zero has no sign of its own.
        return c(0.0, y);
    }
    if y == 0.0 {
        return c(math::expm1(x), y);
    }
    if x.abs() > 40.0 || !x.is_finite() || !y.is_finite() {
        let e = exp(z);
        return c(e.re - 1.0, e.im);
    }
    // exp(x) cos y - 1 = (exp(x) - 1) cos y - 2 sin(y / 2)^2
    let half = math::sin(y * 0.5);
    c(math::expm1(x) * math::cos(y) - 2.0 * half * half, math::exp(x) * math::sin(y))
}

/// `log(hypot(x, y))` to a few units of the last place of the whole logarithm.
pub(super) fn log_abs(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (high, low) = if x < y { (y, x) } else { (x, y) };
    if x.is_nan() || y.is_nan() || high.is_infinite() || high == 0.0 {
        return math::log(math::hypot(x, y));
    }
    if high > 2f64.powi(1000) {
        return math::log(math::hypot(high * 0.25, low * 0.25)) + 2.0 * LN_2;
    }
    if high < 2f64.powi(-960) {
        let scale = 2f64.powi(100);
        return math::log(math::hypot(high * scale, low * scale)) - 100.0 * LN_2;
    }
    if high > 0.5 && high < 3.0 {
        // Near the unit circle the square of the size, minus one, has no large rounding error.
        let excess = (high - 1.0) * (high + 1.0) + low * low;
        if excess > -0.5 && excess < 3.0 {
            return 0.5 * math::log1p(excess);
        }
    }
    math::log(math::hypot(high, low))
}

pub(super) fn log(z: Complex64) -> Complex64 {
    c(log_abs(z.re, z.im), math::atan2(z.im, z.re))
}

pub(super) fn log2(z: Complex64) -> Complex64 {
    let l = log(z);
    c(l.re / LN_2, l.im / LN_2)
}

pub(super) fn log10(z: Complex64) -> Complex64 {
    let l = log(z);
    c(l.re / LN_10, l.im / LN_10)
}

pub(super) fn log1p(z: Complex64) -> Complex64 {
    if z.re == 0.0 && z.im == 0.0 {
        // As for reals, a zero keeps its sign.
        return z;
    }
    let Complex64 { re: x, im: y } = z;
    let angle = math::atan2(y, 1.0 + x);
    if x > -0.5 && x < 0.5 && y.abs() < 0.5 {
        return c(0.5 * math::log1p(x * (2.0 + x) + y * y), angle);
    }
    c(log_abs(1.0 + x, y), angle)
}

pub(super) fn sqrt(z: Complex64) -> Complex64 {
    let Complex64 { re: x, im: y } = z;
    if x == 0.0 && y == 0.0 {
        return c(0.0, y);
    }
    if y.is_infinite() {
        return c(f64::INFINITY, y);
    }
    if x.is_nan() {
        return c(x, f64::NAN);
    }
    if x.is_infinite() {
        let other = if y.is_nan() { y } else { 0.0 };
        return if x < 0.0 { c(other.abs(), with_sign(x.abs(), y)) } else { c(x, with_sign(other, y)) };
    }
    if y.is_nan() {
        return c(y, y);
    }
    let high = x.abs().max(y.abs());
    let (scale, back) = if high > 2f64.powi(1020) {
        (2f64.powi(-4), 4.0)
    } else if high < 2f64.powi(-960) {
        (2f64.powi(108), 2f64.powi(-54))
    } else {
        (1.0, 1.0)
    };
    let (a, b) = (x.abs() * scale, y.abs() * scale);
    let root = ((a + math::hypot(a, b)) * 0.5).sqrt();
    let other = b / (2.0 * root);
    let (root, other) = (root * back, other * back);
    if x >= 0.0 { c(root, with_sign(other, y)) } else { c(other, with_sign(root, y)) }
}
