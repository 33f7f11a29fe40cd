//! Powers and lengths.

use super::coefficients::{ATANH_NEXT, LN_2};
use super::exponential::{reduce, rest, scale};
use super::expr::{Pair, Value, fast_sum, product, quotient};
use super::logarithm::{Split, split};
use crate::ir::Type;

/// `sqrt(x^2 + y^2)`, without overflow or underflow between.
pub(super) fn hypot<'f, 'b>(x: Value<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let (x, y) = (x.abs(), y.abs());
    let swap = x.lt(y);
    let (large, small) = (swap.choose(y, x), swap.choose(x, y));
    let up = x.by(2f64.powi(100), 2f64.powi(600));
    let factor = large.lt(x.by(2f64.powi(-40), 2f64.powi(-400))).choose(x.number(up), 1.0);
    let factor = factor.unless(x.number(x.by(2f64.powi(60), 2f64.powi(500))).lt(large), 1.0 / up);
    let back = factor.eq(1.0).choose(x.number(1.0), factor.eq(up).choose(x.number(1.0 / up), up));
    let (large, small) = (large * factor, small * factor);
    let square = product(large, large);
    let total = small.fma(small, square.high) + square.low;
    let length = total.sqrt() * back;
    let length = length.unless(x.is_nan().or(y.is_nan()), f64::NAN);
    length.unless(x.eq(f64::INFINITY).or(y.eq(f64::INFINITY)), f64::INFINITY)
}

/// `ln x` of a positive normal number, scaled by a power of two before, to about twice the
/// precision.
fn ln<'f, 'b>(x: Value<'f, 'b>, scale: Option<f64>) -> Pair<'f, 'b> {
    let Split { k, f } = split(x);
    let k = k.convert(f.ty());
    let k = scale.map_or(k, |s| k + s);
    // With s = f / (2 + f): ln(1 + f) = 2 atanh(s).
    let zero = f.number(0.0);
    let s = quotient(Pair { high: f, low: zero }, fast_sum(f.number(2.0), f));
    let s = fast_sum(s.high, s.low);
    // The first term of the series needs twice the precision, too.
    let square = s.times(s);
    let third = f.by(f64::from(1.0_f32 / 3.0), 1.0 / 3.0);
    let sum = fast_sum(f.number(third), square.high * square.high.polynomial(&ATANH_NEXT));
    let tail = s.times(square).times(sum.plus(f.number(f.by(THIRD_LOW.0, THIRD_LOW.1))));
    let atanh = fast_sum(s.high, tail.high).plus(s.low + tail.low);
    let [first, second, _] = f.parts(&LN_2);
    let ks = product(k, first);
    let ks_low = k.fma(second, ks.low);
    let total = fast_sum(ks.high, atanh.high + atanh.high);
    total.plus(ks_low + (atanh.low + atanh.low)).normal()
}

/// What a third in float32 and float64 lacks of a third.
const THIRD_LOW: (f64, f64) = (-9.934107481068821e-9, 1.850371707708594e-17);

/// `|x|^y`, but for special operands.
fn magnitude<'f, 'b>(ln: Pair<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let p = product(y, ln.high);
    let p = Pair { high: p.high, low: y.fma(ln.low, p.low) };
    // Beyond, it is 0 or infinity.
    let bound = y.by(110.0, 800.0);
    let inside = p.high.abs().lt(bound);
    let high = p.high.at_least(-bound).at_most(bound);
    let mut reduced = reduce(high);
    reduced.r.low = reduced.r.low + inside.choose(p.low, 0.0);
    let rest = rest(reduced.r.normal());
    scale(fast_sum(y.number(1.0), rest.high).plus(rest.low).value(), reduced.n)
}

pub(super) fn pow<'f, 'b>(x: Value<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let (least, infinity) =
        x.by((0x0080_0000u64, 0x7f80_0000u64), (0x0010_0000_0000_0000, 0x7ff0_0000_0000_0000));
    let place = (x.int() - least).cast(x.by(Type::U32, Type::U64));
    let ordinary = place.lt(infinity - least).and(y.abs().lt(f64::INFINITY));
    magnitude(ln(x, None), y).rarely(ordinary.not(), || {
        let a = x.abs();
        let power = x.by(24, 54);
        let subnormal = a.lt(x.by(f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE));
        let (small, plain) = (ln(a * 2f64.powi(power), Some(-f64::from(power))), ln(a, None));
        let high = subnormal.choose(small.high, plain.high);
        let low = subnormal.choose(small.low, plain.low);
        let high = high.unless(a.eq(0.0), f64::NEG_INFINITY).unless(a.eq(f64::INFINITY), f64::INFINITY);
        let low = low.unless(a.eq(0.0).or(a.eq(f64::INFINITY)), 0.0);
        let value = magnitude(Pair { high, low }, y);
        // Negative numbers have powers with whole exponents, negative ones with odd exponents.
        let whole = y.trunc().eq(y);
        let half = y * 0.5;
        let odd = whole.and(half.trunc().ne(half));
        let negative = x.int().lt(0u64);
        let value = value.unless(negative.and(odd), -value);
        let undefined = x.lt(0.0).and(a.lt(f64::INFINITY)).and(whole.not());
        let value = value.unless(undefined.or(x.is_nan()).or(y.is_nan()), f64::NAN);
        let minus_one = a.eq(1.0).and(y.abs().eq(f64::INFINITY));
        value.unless(minus_one.or(x.eq(1.0)).or(y.eq(0.0)), 1.0)
    })
}
