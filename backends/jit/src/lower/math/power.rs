//! Powers and lengths.

use super::coefficients::{ATANH_2, ATANH_NEXT, LN_2, LOG2_E};
use super::exponential::{exp2_factor, reduce, rest, rounder, scale};
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

/// `exp(y ln)`, of what is not NaN.
fn magnitude<'f, 'b>(ln: Pair<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let p = times(y, ln);
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
    if x.is_double() {
        magnitude(ln(x, None), y).rarely(is_ordinary(x).and(y.abs().lt(f64::INFINITY)).not(), || {
            special(x, y, |a, scale| ln(a, scale), magnitude)
        })
    } else {
        let exponent = times(y, log2(x, None));
        // Not so of infinity and NaN.
        let normal = exponent.high.abs().lt(126.0);
        exp2_normal(exponent).rarely(is_ordinary(x).and(normal).not(), || {
            special(x, y, |a, scale| log2(a, scale), |log, y| exp2(times(y, log)))
        })
    }
}

/// True of positive normal numbers.
fn is_ordinary<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let (least, infinity) =
        x.by((0x0080_0000u64, 0x7f80_0000u64), (0x0010_0000_0000_0000, 0x7ff0_0000_0000_0000));
    // As unsigned numbers, those below and negative ones are large.
    (x.int() - least).cast(x.by(Type::U32, Type::U64)).lt(infinity - least)
}

/// `x^y` for all operands, by a logarithm of positive normal numbers, which may be scaled, and
/// the power that is made of it.
fn special<'f, 'b>(
    x: Value<'f, 'b>,
    y: Value<'f, 'b>,
    log: impl Fn(Value<'f, 'b>, Option<f64>) -> Pair<'f, 'b>,
    power_of: impl Fn(Pair<'f, 'b>, Value<'f, 'b>) -> Value<'f, 'b>,
) -> Value<'f, 'b> {
    let a = x.abs();
    let power = x.by(24, 54);
    let subnormal = a.lt(x.by(f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE));
    let (small, plain) = (log(a * 2f64.powi(power), Some(-f64::from(power))), log(a, None));
    let high = subnormal.choose(small.high, plain.high);
    let low = subnormal.choose(small.low, plain.low);
    let high = high.unless(a.eq(0.0), f64::NEG_INFINITY).unless(a.eq(f64::INFINITY), f64::INFINITY);
    let low = low.unless(a.eq(0.0).or(a.eq(f64::INFINITY)), 0.0);
    let value = power_of(Pair { high, low }, y);
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
}

/// `y` times a number of about twice the precision.
fn times<'f, 'b>(y: Value<'f, 'b>, number: Pair<'f, 'b>) -> Pair<'f, 'b> {
    let p = product(y, number.high);
    Pair { high: p.high, low: y.fma(number.low, p.low) }
}

/// `log2 x` of a positive normal float32, scaled by a power of two before, to a part in 2^31.
fn log2<'f, 'b>(x: Value<'f, 'b>, scale: Option<f64>) -> Pair<'f, 'b> {
    const ROOT: f32 = std::f32::consts::SQRT_2;
    // x = 2^k m, with m from 2^(-1/4) to 2^(3/4): near 1, or near its root.
    let bits = x.int();
    let k = (bits - u64::from(FOURTH.recip().to_bits())).shr(23u64);
    let m = (bits - k.shl(23u64)).float();
    let far = m.number(FOURTH.into()).lt(m);
    let k = k.convert(Type::F32) + far.choose(m.number(0.5), 0.0);
    let k = scale.map_or(k, |s| k + s);
    let near = far.choose(m.number(ROOT.into()), 1.0);
    let rounding = far.choose(m.number(ROOT_LOG2 - 0.5), 0.0);
    // With s = (m - c) / (m + c): log2(m / c) = 2 atanh(s) / ln 2.
    let (above, below) = (m - near, m + near);
    let inverse = m.number(1.0) / below;
    let s = above * inverse;
    let left = (-s).fma((near - below) + m, (-s).fma(below, above));
    let square = s * s;
    let [factor, factor_low, _] = LOG2_E.single.map(|p| 2.0 * p);
    let more = square.fma(square.polynomial(&ATANH_2), factor_low);
    let slope = more + factor;
    let slope_low = (m.number(factor) - slope) + more;
    let high = s * slope;
    let low = s.fma(slope_low, rounding);
    // By what the quotient lacks the series changes as by its derivative.
    let low = (left * inverse).fma(square.fma(factor, factor), low);
    let low = s.fma(slope, -high) + low;
    let total = fast_sum(k, high);
    total.plus(low)
}

/// The binary logarithm of the root, as a float32 has it.
const ROOT_LOG2: f64 = 0.5 - 2.469_067_416_306_028e-8;

/// The fourth root of 2.
const FOURTH: f32 = 1.189_207_1;

/// `2^x` for `|x| < 126`.
fn exp2_normal<'f, 'b>(x: Pair<'f, 'b>) -> Value<'f, 'b> {
    let (sum, value) = exp2_parts(x);
    (value.int() + sum.int().shl(23u64)).float()
}

/// `2^x` of what is not NaN.
fn exp2<'f, 'b>(x: Pair<'f, 'b>) -> Value<'f, 'b> {
    // Beyond, it is 0 or infinity.
    let inside = x.high.abs().lt(160.0);
    let high = x.high.at_least(-160.0).at_most(160.0);
    let (sum, value) = exp2_parts(Pair { high, low: inside.choose(x.low, 0.0) });
    scale(value, sum.int() - high.number(rounder(high)).int())
}

/// An integer by [`rounder`], and `2` to the power of what is left, which is between its roots.
fn exp2_parts<'f, 'b>(x: Pair<'f, 'b>) -> (Value<'f, 'b>, Value<'f, 'b>) {
    let magic = rounder(x.high);
    let sum = x.high + magic;
    let f = (x.high - (sum - magic)) + x.low;
    (sum, f.fma(exp2_factor(f), 1.0))
}
