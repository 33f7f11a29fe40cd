//! Logarithms.

use super::coefficients::{LN, LN_2, LOG2_E, LOG10_2, LOG10_E};
use super::expr::{Pair, Parts3, Value, fast_sum, product, sum};
use crate::ir::Type;

/// `x = 2^k (1 + f)`, with `1 + f` between the square roots of 1/2 and 2.
pub(super) struct Split<'f, 'b> {
    /// As an integer.
    pub(super) k: Value<'f, 'b>,
    pub(super) f: Value<'f, 'b>,
}

/// For positive normal numbers.
pub(super) fn split<'f, 'b>(x: Value<'f, 'b>) -> Split<'f, 'b> {
    let bits = x.int();
    let root = x.by(u64::from(0.5f32.sqrt().to_bits()), 0.5f64.sqrt().to_bits());
    let mantissa = x.by(23u64, 52);
    let k = (bits - root).shr(mantissa);
    Split { k, f: (bits - k.shl(mantissa)).float() - 1.0 }
}

/// `ln(1 + f) - f`.
fn tail<'f, 'b>(f: Value<'f, 'b>) -> Value<'f, 'b> {
    let square = f * f;
    (square * f).fma(f.polynomial(&LN), square * -0.5)
}

/// `value(x)` for positive normal numbers `x`; else of `x` scaled, with the exponent of the scale,
/// or what a logarithm of it is.
fn everywhere<'f, 'b>(
    x: Value<'f, 'b>,
    value: impl Fn(Value<'f, 'b>, Option<f64>) -> Value<'f, 'b>,
) -> Value<'f, 'b> {
    let (least, infinity) =
        x.by((0x0080_0000u64, 0x7f80_0000u64), (0x0010_0000_0000_0000, 0x7ff0_0000_0000_0000));
    // As unsigned numbers, those below and negative ones are large.
    let place = (x.int() - least).cast(x.by(Type::U32, Type::U64));
    let ordinary = place.lt(infinity - least);
    value(x, None).rarely(ordinary.not(), || {
        let power = x.by(24, 54);
        let positive = x.number(0.0).lt(x);
        let scaled = value(x * 2f64.powi(power), Some(-f64::from(power)));
        let finite = x.lt(f64::INFINITY);
        let special = x.eq(0.0).choose(x.number(f64::NEG_INFINITY), f64::NAN);
        let special = special.unless(x.eq(f64::INFINITY), f64::INFINITY);
        let special = special.unless(positive.and(finite), scaled);
        // What is normal needs no scale, which might be too much for it.
        special.unless(ordinary, value(x, None))
    })
}

/// `k` with a scale's exponent, as a float.
fn exponent<'f, 'b>(k: Value<'f, 'b>, f: Value<'f, 'b>, scale: Option<f64>) -> Value<'f, 'b> {
    let k = k.convert(f.ty());
    scale.map_or(k, |s| k + s)
}

/// `k c`, with `c` in two parts.
fn times<'f, 'b>(k: Value<'f, 'b>, c: &Parts3) -> Pair<'f, 'b> {
    let [first, second, _] = k.parts(c);
    let p = product(k, first);
    Pair { high: p.high, low: k.fma(second, p.low) }
}

pub(super) fn log<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    everywhere(x, |x, scale| {
        let Split { k, f } = split(x);
        let ks = times(exponent(k, f, scale), &LN_2);
        fast_sum(ks.high, f).plus(ks.low + tail(f)).value()
    })
}

/// `f` and `tail` times a constant.
fn converted<'f, 'b>(f: Value<'f, 'b>, c: &Parts3) -> Pair<'f, 'b> {
    let (p, [factor, ..]) = (times(f, c), f.parts(c));
    // What the square in the tail has lost counts where the result is just below a power of two.
    let low = f.fma(f, -(f * f)).fma(-0.5 * factor, p.low);
    Pair { high: p.high, low: tail(f).fma(factor, low) }
}

pub(super) fn log2<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    everywhere(x, |x, scale| {
        let Split { k, f } = split(x);
        let fs = converted(f, &LOG2_E);
        fast_sum(exponent(k, f, scale), fs.high).plus(fs.low).value()
    })
}

pub(super) fn log10<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    everywhere(x, |x, scale| {
        let Split { k, f } = split(x);
        let (ks, fs) = (times(exponent(k, f, scale), &LOG10_2), converted(f, &LOG10_E));
        fast_sum(ks.high, fs.high).plus(ks.low + fs.low).value()
    })
}

/// `ln(1 + y)`, with a number of times `ln 2` added.
pub(super) fn ln_one_plus<'f, 'b>(y: Pair<'f, 'b>, more: Option<Value<'f, 'b>>) -> Value<'f, 'b> {
    let total = sum(y.high.number(1.0), y.high);
    let Split { k, f } = split(total.high);
    // What the sum has lost, in the same scale; where that is large, it is nothing.
    let hundred = k.constant(100);
    let back = (-hundred.lt(k).choose(hundred, k)).power_of_two();
    let f = fast_sum(f, (total.low + y.low) * back);
    let k = k.convert(f.high.ty());
    let ks = times(more.map_or(k, |m| k + m), &LN_2);
    // What the square in the tail has lost counts here, where results are small.
    let lost = f.high.fma(f.high, -(f.high * f.high)) * -0.5;
    // The slope of the logarithm is about 1 - f.
    let low = ks.low + (tail(f.high) + (f.low.fma(-f.high, f.low) + lost));
    let value = fast_sum(ks.high, f.high).plus(low).value();
    let value = value.unless(y.high.eq(-1.0), f64::NEG_INFINITY);
    let value = value.unless(y.high.lt(-1.0).or(y.high.is_nan()), f64::NAN);
    value.unless(y.high.eq(f64::INFINITY), f64::INFINITY)
}

pub(super) fn log1p<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let zero = x.number(0.0);
    ln_one_plus(Pair { high: x, low: zero }, None).unless(x.eq(0.0), x)
}
