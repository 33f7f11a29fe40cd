//! Inverse trigonometric functions.

use super::coefficients::{ASIN, ATAN, FRAC_PI_2, PI};
use super::expr::{Pair, Value, cubed, cubed_pair, fast_sum};

pub(super) fn atan<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let steep = a.number(1.0).lt(a);
    let inverse = a.number(1.0) / a;
    let z = a.unless(steep, inverse);
    // What the quotient has lost; nothing where that is no number.
    let lost = (-inverse).fma(a, 1.0) * inverse;
    let lost = lost.unless(lost.is_nan().or(steep.not()), 0.0);
    let tail = cubed_pair(z, &ATAN);
    let [first, second, _] = a.parts(&FRAC_PI_2);
    // pi / 2 - atan(1 / a) where that is steep.
    let (base, low) = (steep.choose(a.number(first), 0.0), steep.choose(a.number(second), 0.0));
    let z = z.unless(steep, -z);
    let (high, further) = (tail.high.unless(steep, -tail.high), tail.low.unless(steep, -tail.low));
    let lost = lost.unless(steep, -lost);
    // The small parts first: each sum with the tail would round it.
    let total = fast_sum(base, z);
    let whole = fast_sum(total.high, high);
    (whole.high + (whole.low + (further + (total.low + (low + lost))))).flip(x.sign())
}

/// The angle of the point `(x, y)`.
pub(super) fn atan2<'f, 'b>(y: Value<'f, 'b>, x: Value<'f, 'b>) -> Value<'f, 'b> {
    let (across, up) = (x.abs(), y.abs());
    let steep = across.lt(up);
    let (small, large) = (steep.choose(across, up), steep.choose(up, across));
    let z = small / large;
    // Of two zeros and of two infinities.
    let lost = (-z).fma(large, small) / large;
    let lost = lost.unless(lost.is_nan(), 0.0);
    let z = z.unless(large.eq(0.0), 0.0).unless(small.eq(f64::INFINITY), 1.0);
    let tail = cubed(z, &ATAN);
    let back = x.int().lt(0u64);
    let [half, half_low, _] = x.parts(&FRAC_PI_2);
    let [pi, pi_low, _] = x.parts(&PI);
    // From the axis that is nearest: 0, half or all of pi, towards it or away.
    let base = steep.choose(x.number(half), back.choose(x.number(pi), 0.0));
    let low = steep.choose(x.number(half_low), back.choose(x.number(pi_low), 0.0));
    let towards = steep.xor(back);
    let (z, tail) = (z.unless(towards, -z), tail.unless(towards, -tail));
    let lost = lost.unless(towards, -lost);
    let total = fast_sum(base, z);
    let value = (total.high + (tail + (total.low + (low + lost)))).flip(y.sign());
    value.unless(x.is_nan().or(y.is_nan()), f64::NAN)
}

/// What asin and acos of `a >= 0` are made of: `z` and `asin(z) - z`, where `z` is `a` itself up
/// to a half, and beyond the sine of half of what is left to a right angle.
fn half<'f, 'b>(a: Value<'f, 'b>) -> (Value<'f, 'b>, Pair<'f, 'b>) {
    let far = a.number(0.5).lt(a);
    let square = (a * a).unless(far, (-a + 1.0) * 0.5);
    let root = square.sqrt();
    // Where the root is not 0, nothing is added.
    let correction = (-root).fma(root, square) / (root + root + 1e-30);
    let high = a.unless(far, root);
    let low = (high * square).fma(square.polynomial(&ASIN), far.choose(correction, 0.0));
    (far, Pair { high, low })
}

pub(super) fn asin<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let (far, z) = half(a);
    let [first, second, _] = a.parts(&FRAC_PI_2);
    let (base, low) = (far.choose(a.number(first), 0.0), far.choose(a.number(second), 0.0));
    let factor = far.choose(a.number(-2.0), 1.0);
    fast_sum(base, z.high * factor).plus(z.low.fma(factor, low)).value().flip(x.sign())
}

pub(super) fn acos<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let (far, z) = half(a);
    let back = x.int().lt(0u64);
    let [pi, pi_low, _] = x.parts(&PI);
    let [right, right_low, _] = x.parts(&FRAC_PI_2);
    // Near 1, twice z; near -1, pi less that; else a right angle less the asin.
    let base = far.choose(back.choose(x.number(pi), 0.0), right);
    let low = far.choose(back.choose(x.number(pi_low), 0.0), right_low);
    let factor = far.choose(x.number(2.0), -1.0);
    let factor = factor.unless(back, -factor);
    fast_sum(base, z.high * factor).plus(z.low.fma(factor, low)).value()
}
