//! The logarithm of the gamma function, and its derivative.

use super::coefficients::{DIGAMMA, DIGAMMA_LARGE, DIGAMMA_ROOT, LGAMMA, STIRLING};
use super::expr::Value;
use super::logarithm::log;
use super::trigonometric;
use crate::ir::Type;
use std::f64::consts::PI;

/// From here on a series in `1 / x` serves for `lgamma`; below, the recurrence leads to where a
/// polynomial does.
const LARGE: f64 = 8.0;

/// `(ln(2 pi) - 1) / 2`.
const HALF_LN_2_PI_LESS_HALF: f64 = 0.418_938_533_204_672_7;

pub(super) fn lgamma<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    lgamma_positive(x.abs()).rarely(x.lt(0.0), || reflected(x, lgamma_negative))
}

pub(super) fn digamma<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    digamma_positive(x).rarely(x.lt(0.0), || reflected(x, digamma_negative))
}

/// In float64, as float32 has nothing of what is left near the zeros.
fn reflected<'f, 'b>(x: Value<'f, 'b>, value: impl Fn(Value<'f, 'b>) -> Value<'f, 'b>) -> Value<'f, 'b> {
    value(x.abs().convert(Type::F64)).convert(x.ty())
}

fn lgamma_positive<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    // As far from 2 + t, with t from -3/4 to 1/2, as the product says, which divides below.
    let (near, tiny) = (x.lt(1.25), x.lt(0.5));
    let (mut t, mut product) = (x - 2.0, x.number(1.0));
    for i in 1..=6 {
        let i = f64::from(i);
        let further = x.number(i + 1.5).le(x);
        product = product.unless(further, product * (x - i));
        t = t.unless(further, x - (i + 2.0));
    }
    let t = t.unless(near, tiny.choose(x, x - 1.0));
    let product = product.unless(near, tiny.choose(x.fma(x, x), x));
    let large = x.number(LARGE).le(x);
    let ln = log(product.unless(large, x));
    let small = t.fma(t.polynomial(&LGAMMA), ln.unless(near, -ln));
    let inverse = x.number(1.0) / x;
    let series = inverse * (inverse * inverse).polynomial(&STIRLING);
    let stirling = (x - 0.5).fma(ln - 1.0, series + HALF_LN_2_PI_LESS_HALF);
    small.unless(large, stirling)
}

/// Of `-a`, by the sine: `ln(pi / sin(pi a)) - lgamma(1 + a)`.
fn lgamma_negative<'f, 'b>(a: Value<'f, 'b>) -> Value<'f, 'b> {
    let beside = from_whole(a).abs();
    let part = trigonometric::sin(beside * PI) / PI;
    let tiny = a.lt(2f64.powi(-60));
    let value = -log(part.unless(tiny, a)) - lgamma_positive(a + 1.0);
    // At whole numbers, and at infinity.
    value.unless(beside.eq(0.0).or(beside.is_nan()), f64::INFINITY)
}

/// The distance to the nearest whole number, with its sign; NaN at infinity.
fn from_whole<'f, 'b>(a: Value<'f, 'b>) -> Value<'f, 'b> {
    let above = a - a.floor();
    above.unless(above.number(0.5).lt(above), above - 1.0)
}

fn digamma_positive<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let near = x.lt(1.0);
    let mut inside = x.unless(near, x + 1.0);
    // The inverses that lie between here and [1, 2), as one quotient.
    let (mut up, mut down) = (x.number(0.0).unless(near, -1.0), x.number(1.0).unless(near, x));
    // Few steps of float32, as each rounds.
    let (steps, large) = x.by((3, 5.0), (6, 8.0));
    for i in 1..=steps {
        let i = f64::from(i);
        let further = x.number(i + 1.0).le(x);
        let factor = x - i;
        up = up.unless(further, up.fma(factor, down));
        down = down.unless(further, down * factor);
        inside = inside.unless(further, factor);
    }
    let [root, root_low, _] = x.parts(&DIGAMMA_ROOT);
    let slope = (inside - 1.5).polynomial(&DIGAMMA);
    let small = (inside - root - root_low).fma(slope, up / down);
    let inverse = x.number(1.0) / x;
    let square = inverse * inverse;
    let series = square.fma(square.polynomial(&DIGAMMA_LARGE), inverse * -0.5);
    small.unless(x.number(large).le(x), log(x) + series)
}

/// Of `-a`, by the cotangent: `digamma(1 + a) + pi / tan(pi a)`.
fn digamma_negative<'f, 'b>(a: Value<'f, 'b>) -> Value<'f, 'b> {
    let beside = from_whole(a);
    // The cotangent by the tangent of the lesser of the two angles, which loses nothing.
    let size = beside.abs();
    let far = size.number(0.25).lt(size);
    let tan = trigonometric::tan(far.choose(-size + 0.5, size) * PI);
    let cotangent = far.choose(tan * PI, tan.number(PI) / tan);
    // Near its root, what the sum of 1 and a loses would count.
    let [root, root_low, _] = a.parts(&DIGAMMA_ROOT);
    let near = (a - (root - 1.0) - root_low) * (a - 0.5).polynomial(&DIGAMMA);
    let value = digamma_positive(a + 1.0).unless(a.lt(1.0), near) + cotangent.flip(beside.sign());
    value.unless(beside.eq(0.0), f64::NAN)
}
