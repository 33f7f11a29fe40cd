//! Powers.

use super::super::coefficients::{FRAC_PI_2, LN_2, PI};
use super::super::double::{log1p, sin_cos, single, turned};
use super::super::expr::{Pair, Value, fast_sum, product, sum};
use super::super::inverse;
use super::super::logarithm::{Split, split};
use super::exponential::{exp, log};
use super::quotient::{exponent, scale};
use super::{Point, point};
use crate::ir::Type;

/// `a^b`, of float64 parts, which stand for those of the type.
pub(super) fn pow<'f, 'b>(a: Point<'f, 'b>, b: Point<'f, 'b>, ty: Type) -> Point<'f, 'b> {
    let (size, _) = b.sizes();
    // Beyond the limit the result is 0, infinite or without a known angle, and pairs would overflow.
    let known = a.is_zero().not().and(a.is_finite()).and(size.lt(2f64.powi(960)));
    let ordinary = known.and(size.eq(0.0).not());
    if ty == Type::F32 {
        let log = log(a);
        // Up to here float64 has all bits of the product that float32 needs, and neither part of the result
        // is beyond the range, where its sign alone would count.
        let w = multiply(b, log);
        let few = (size * log.sizes().0).lt(2f64.powi(20)).and(w.re.abs().lt(60.0));
        // A sum of pairs that is 0 has no sign.
        let usual = exp(w.unless(known, point(w.re + 0.0, w.im + 0.0)));
        usual.rarely(ordinary.and(few).not(), || special(a, b, usual.unless(known, by_pairs(a, b))))
    } else {
        let usual = by_pairs(a, b);
        usual.rarely(ordinary.not(), || special(a, b, exp(multiply(b, log(a))).unless(known, usual)))
    }
}

/// The value, but for what does not depend on it.
fn special<'f, 'b>(a: Point<'f, 'b>, b: Point<'f, 'b>, value: Point<'f, 'b>) -> Point<'f, 'b> {
    let [zero, one] = [0.0, 1.0].map(|v| b.re.number(v));
    let upwards = zero.lt(b.re).and(super::is_finite(b.im));
    let value = value.unless(a.is_zero().and(upwards), point(zero, zero));
    value.unless(b.is_zero(), point(one, zero))
}

fn multiply<'f, 'b>(a: Point<'f, 'b>, b: Point<'f, 'b>) -> Point<'f, 'b> {
    point(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/// `exp(b log a)`. The exponential magnifies the error of its argument by the argument's size, so that has
/// about a hundred bits.
fn by_pairs<'f, 'b>(a: Point<'f, 'b>, b: Point<'f, 'b>) -> Point<'f, 'b> {
    let (size, angle) = log_polar(a);
    let re = size.times_number(b.re).add(angle.times_number(-b.im));
    let im = turned(size.times_number(b.im).add(angle.times_number(b.re)));
    let main = exp(point(re.high, im.high));
    // exp(w + e) is exp(w) (1 + e) for a tiny e. A zero keeps its sign.
    let plus = |x: Value<'f, 'b>, change: Value<'f, 'b>| {
        let value = x + change;
        x.unless(super::is_finite(value).and(change.ne(0.0)), value)
    };
    point(
        plus(main.re, main.re * re.low - main.im * im.low),
        plus(main.im, main.re * im.low + main.im * re.low),
    )
}

/// Logarithm of the magnitude, and the angle, of a finite number that is not zero.
fn log_polar<'f, 'b>(z: Point<'f, 'b>) -> (Pair<'f, 'b>, Pair<'f, 'b>) {
    let exponent = exponent(z);
    let (large, small) = scale(z, -exponent).sizes();
    // |z|^2 = 4^exponent 2^k (1 + y), all of whose bits count near the unit circle.
    let (p, q) = (product(large, large), product(small, small));
    let total = fast_sum(p.high, q.high);
    let lower = sum(p.low, q.low);
    let low = sum(total.low, lower.high);
    let Split { k, f } = split(total.high);
    let back = (-k).power_of_two();
    let y = sum(f, low.high * back);
    let log = log1p(fast_sum(y.high, y.low + (low.low + lower.low) * back));
    let twos = (exponent + exponent + k).convert(Type::F64);
    let [first, second, _] = LN_2.double;
    let twos = Pair { high: twos.number(first), low: twos.number(second) }.times_number(twos);
    (twos.add(log).scaled(0.5), angle(z, large, small))
}

/// The angle, by the greater and the lesser magnitude of two parts in its direction.
fn angle<'f, 'b>(z: Point<'f, 'b>, large: Value<'f, 'b>, small: Value<'f, 'b>) -> Pair<'f, 'b> {
    // One step of Newton's: the point turned back by the angle lies almost on the axis.
    let near = inverse::atan(small / large);
    let (sin, cos) = sin_cos(near);
    let across = cos.times_number(small).add(sin.times_number(-large));
    let along = cos.high.fma(large, sin.high * small);
    let angle = fast_sum(near, across.high / along);
    // From the axis that is nearest: 0, half or all of pi, towards it or away.
    let (steep, back) = (z.re.abs().lt(z.im.abs()), z.re.lt(0.0));
    let axis = |part: usize| {
        let half = z.re.number(FRAC_PI_2.double[part]);
        steep.choose(half, back.choose(z.re.number(PI.double[part]), 0.0))
    };
    let angle = angle.unless(steep.xor(back), angle.negative());
    let angle = single(axis(0)).add(single(axis(1)).add(angle));
    let sign = z.im.sign();
    Pair { high: angle.high.flip(sign), low: angle.low.flip(sign) }
}
