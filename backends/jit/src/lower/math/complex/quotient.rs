//! Quotients, and directions.

use super::super::expr::Value;
use super::super::power;
use super::{Point, is_finite, is_infinite, point, with_sign};
use crate::ir::Type;

/// The exponent of the greater part, as an integer; 0 for zero and what is not finite.
pub(super) fn exponent<'f, 'b>(z: Point<'f, 'b>) -> Value<'f, 'b> {
    let (high, other) = z.sizes();
    let least = high.constant(f64::MIN_POSITIVE.to_bits());
    let bits = high.lt(f64::MIN_POSITIVE).choose(least, high).int();
    let n = bits.shr(52u64) - 1023u64;
    let none = high.eq(0.0).or(is_finite(high).and(is_finite(other)).not());
    n.unless(none, 0u64)
}

/// `z 2^n`, in two steps, neither of which is more than a power of two.
pub(super) fn scale<'f, 'b>(z: Point<'f, 'b>, n: Value<'f, 'b>) -> Point<'f, 'b> {
    let half = n.shr(1u64);
    z.scaled(half.power_of_two()).scaled((n - half).power_of_two())
}

/// Of float64 parts, which stand for those of the type.
pub(super) fn divide<'f, 'b>(a: Point<'f, 'b>, b: Point<'f, 'b>, ty: Type) -> Point<'f, 'b> {
    let plain = |x: Point<'f, 'b>, y: Point<'f, 'b>| {
        let size = y.re * y.re + y.im * y.im;
        point((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size)
    };
    // The squares of float32 neither overflow nor vanish.
    let usual = if ty == Type::F32 {
        plain(a, b)
    } else {
        let (ea, eb) = (exponent(a), exponent(b));
        scale(plain(scale(a, -ea), scale(b, -eb)), ea - eb)
    };
    usual.rarely(usual.re.is_nan().and(usual.im.is_nan()), || special(a, b, usual))
}

/// The values of C's Annex G where the formula has none.
fn special<'f, 'b>(a: Point<'f, 'b>, b: Point<'f, 'b>, usual: Point<'f, 'b>) -> Point<'f, 'b> {
    let [zero, one, infinity] = [0.0, 1.0, f64::INFINITY].map(|v| a.re.number(v));
    let unit = |part: Value<'f, 'b>| with_sign(is_infinite(part).choose(one, zero), part);
    let any = |z: Point<'f, 'b>| is_infinite(z.re).or(is_infinite(z.im));
    let (p, q) = (unit(b.re), unit(b.im));
    let over = point(zero * (a.re * p + a.im * q), zero * (a.im * p - a.re * q));
    let value = usual.unless(any(b).and(a.is_finite()), over);
    let (p, q) = (unit(a.re), unit(a.im));
    let under = point(infinity * (p * b.re + q * b.im), infinity * (q * b.re - p * b.im));
    let value = value.unless(any(a).and(b.is_finite()), under);
    let signed = with_sign(infinity, b.re);
    let known = a.re.is_nan().and(a.im.is_nan()).not();
    value.unless(b.is_zero().and(known), a.scaled(signed))
}

/// `z / |z|`, 0 at 0. One infinite part points along its axis; two have no direction.
pub(super) fn sign<'f, 'b>(z: Point<'f, 'b>) -> Point<'f, 'b> {
    let (size, _) = z.sizes();
    let direction = |z: Point<'f, 'b>| {
        let length = power::hypot(z.re, z.im);
        point(z.re / length, z.im / length)
    };
    let (least, most) = size.by((2f64.powi(-60), 2f64.powi(120)), (2f64.powi(-900), 2f64.powi(1000)));
    let ordinary = size.lt(most).and(size.number(least).lt(size)).and(z.is_finite());
    direction(z).rarely(ordinary.not(), || {
        // Brought near 1 first: the size may overflow, or be too small to be exact.
        let up = size.by(2f64.powi(90), 2f64.powi(110));
        let factor = size.lt(1.0).choose(size.number(up), 2f64.powi(-10));
        let [zero, one, nan] = [0.0, 1.0, f64::NAN].map(|v| size.number(v));
        let value = direction(z.scaled(factor)).unless(z.is_zero(), point(zero, zero));
        let along = point(with_sign(one, z.re), with_sign(zero, z.im));
        let value = value.unless(is_infinite(z.re), along);
        let up = point(with_sign(zero, z.re), with_sign(one, z.im));
        let value = value.unless(is_infinite(z.im), up);
        let none = z.re.is_nan().or(z.im.is_nan()).or(is_infinite(z.re).and(is_infinite(z.im)));
        value.unless(none, point(nan, nan))
    })
}
