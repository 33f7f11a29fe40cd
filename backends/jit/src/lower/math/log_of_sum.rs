//! The logarithm of the sum of two exponentials.

use super::coefficients::LN_2;
use super::double::{self, exp_parts, single};
use super::expr::{Pair, Value, sum};
use super::{exponential, logarithm};
use crate::ir::Type;

/// `log(exp(x) + exp(y))`. That of float32 numbers is computed in float64: where the terms cancel, float32
/// has nothing of what is left.
pub(super) fn logaddexp<'f, 'b>(x: Value<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let undefined = x.is_nan().or(y.is_nan());
    let (a, b) = (x.convert(Type::F64), y.convert(Type::F64));
    let above = b.lt(a);
    let (high, low) = (above.choose(a, b), above.choose(b, a));
    let value = if x.is_double() { of_doubles(high, low) } else { of_singles(high, low) };
    value.unless(undefined, f64::NAN).convert(x.ty())
}

fn of_singles<'f, 'b>(high: Value<'f, 'b>, low: Value<'f, 'b>) -> Value<'f, 'b> {
    let gap = (low - high).unless(high.eq(low), 0.0);
    high + logarithm::log1p(exponential::exp(gap))
}

fn of_doubles<'f, 'b>(high: Value<'f, 'b>, low: Value<'f, 'b>) -> Value<'f, 'b> {
    let gap = sum(low, -high);
    // Of infinities.
    let gap = Pair { high: gap.high.unless(high.eq(low), 0.0), low: gap.low.unless(gap.low.is_nan(), 0.0) };
    // The exponential magnifies what the difference loses by rounding, so that is made up for.
    let ratio = exponential::exp(gap.high);
    let further = logarithm::log1p(ratio.fma(gap.low, ratio));
    let usual = high + further;
    let cancels = usual.abs().lt(further + further);
    // The exponential of what stands beside this may have too few bits.
    let tiny = high.number(-1e-280).lt(high);
    usual.rarely(high.lt(0.0).and(cancels.or(tiny)), || cancelled(high, gap))
}

/// `high + ln(1 + exp(gap))`, by pairs.
fn cancelled<'f, 'b>(high: Value<'f, 'b>, gap: Pair<'f, 'b>) -> Value<'f, 'b> {
    const LEAST: f64 = -1400.0;
    let none = gap.high.lt(LEAST);
    let (n, e) = exp_parts(gap.unless(none, single(high.number(LEAST))));
    let one = single(high.number(1.0)).add_less(e);
    // Below, the logarithm is the exponential itself, and all is lifted above the subnormal numbers.
    const FEW: u64 = -106i64 as u64;
    const LIFT: i32 = 600;
    let far = n.lt(FEW);
    let ratio = one.times_power(n.unless(far, FEW));
    let [ln_2, ln_2_low, _] = LN_2.double;
    let twice = Pair { high: high.number(ln_2), low: high.number(ln_2_low) };
    let value = plus(high, double::log1p(ratio).unless(gap.high.eq(0.0), twice));
    let lifted = n + LIFT as u64;
    let half = lifted.shr(1u64);
    let ratio = one.times_power(half).times_power(lifted - half);
    let back = 2f64.powi(-LIFT / 2);
    value.unless(far, plus(high * 2f64.powi(LIFT), ratio) * back * back)
}

/// The sum with a number, rounded.
fn plus<'f, 'b>(x: Value<'f, 'b>, pair: Pair<'f, 'b>) -> Value<'f, 'b> {
    let total = sum(x, pair.high);
    total.high + (total.low + pair.low)
}
