//! Products, quotients and powers.

use super::exponential::{exp, log};
use super::{c, with_sign};
use crate::elementwise::math::double;
use num_complex::Complex64;

#[inline(always)]
pub(super) fn multiply(a: Complex64, b: Complex64) -> Complex64 {
    c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/// The exponent of the greater part, for scaling; 0 for zero and what is not finite.
#[inline(always)]
fn exponent(z: Complex64) -> i32 {
    let high = z.re.abs().max(z.im.abs());
    if high == 0.0 || !high.is_finite() { 0 } else { ((high.to_bits() >> 52) as i32 - 1023).max(-1022) }
}

/// `z * 2^n`, in two steps that cannot leave the range of powers of two; `|n| <= 2044`.
#[inline(always)]
fn scale(z: Complex64, n: i32) -> Complex64 {
    let half = n / 2;
    let power = |n: i32| f64::from_bits(((n + 1023) as u64) << 52);
    let (first, second) = (power(half), power(n - half));
    c(z.re * first * second, z.im * first * second)
}

pub(super) fn divide(a: Complex64, b: Complex64) -> Complex64 {
    let (ea, eb) = (exponent(a), exponent(b));
    let (x, y) = (scale(a, -ea), scale(b, -eb));
    let size = y.re * y.re + y.im * y.im;
    let quotient = c((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size);
    if !quotient.re.is_nan() || !quotient.im.is_nan() {
        return scale(quotient, ea - eb);
    }
    // The values of C's Annex G where the formula has none.
    let infinite = |z: Complex64| z.re.is_infinite() || z.im.is_infinite();
    if b.re == 0.0 && b.im == 0.0 && (!a.re.is_nan() || !a.im.is_nan()) {
        let infinity = with_sign(f64::INFINITY, b.re);
        return c(infinity * a.re, infinity * a.im);
    }
    let unit = |part: f64| with_sign(if part.is_infinite() { 1.0 } else { 0.0 }, part);
    if infinite(a) && b.re.is_finite() && b.im.is_finite() {
        let (p, q) = (unit(a.re), unit(a.im));
        let infinity = f64::INFINITY;
        return c(infinity * (p * b.re + q * b.im), infinity * (q * b.re - p * b.im));
    }
    if infinite(b) && a.re.is_finite() && a.im.is_finite() {
        let (p, q) = (unit(b.re), unit(b.im));
        return c(0.0 * (a.re * p + a.im * q), 0.0 * (a.im * p - a.re * q));
    }
    quotient
}

pub(super) fn pow(a: Complex64, b: Complex64) -> Complex64 {
    if b.re == 0.0 && b.im == 0.0 {
        return c(1.0, 0.0);
    }
    if a.re == 0.0 && a.im == 0.0 && b.re > 0.0 && b.im.is_finite() {
        return c(0.0, 0.0);
    }
    // Beyond the limit the result is 0, infinite or without a known angle, and pairs would overflow.
    let known = a.is_finite() && b.re.abs().max(b.im.abs()) < 2f64.powi(960) && !b.is_nan();
    if !known || a.re == 0.0 && a.im == 0.0 {
        return exp(multiply(b, log(a)));
    }
    // exp magnifies the error of its argument by the argument's size, so that has 106 bits.
    let (size, angle) = double::log_polar(a.re, a.im);
    let re = size.times(b.re).plus(angle.times(-b.im));
    let im = double::turned(size.times(b.im).plus(angle.times(b.re)));
    let main = exp(c(re.hi, im.hi));
    if !main.is_finite() || !re.lo.is_finite() || !im.lo.is_finite() {
        return main;
    }
    // exp(w + e) is exp(w) (1 + e) for a tiny e. A zero keeps its sign.
    let plus = |x: f64, change: f64| if change == 0.0 { x } else { x + change };
    c(plus(main.re, main.re * re.lo - main.im * im.lo), plus(main.im, main.re * im.lo + main.im * re.lo))
}
