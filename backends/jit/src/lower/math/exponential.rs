//! `exp` and `expm1`.

use super::coefficients::{EXP, EXP_FEW, EXP2, LN_2, LOG2_E};
use super::expr::{Pair, Value, fast_sum, sum};

/// Adding it to a number rounds that to an integer, which then stands in the last bits.
pub(super) fn rounder<'f, 'b>(x: Value<'f, 'b>) -> f64 {
    x.by(12_582_912.0, 6_755_399_441_055_744.0)
}

/// Adding it to a number rounds that to an integer, and what stands in the last bits is the exponent of [`power`].
pub(super) fn exponent_rounder<'f, 'b>(x: Value<'f, 'b>) -> f64 {
    rounder(x) + x.by(127.0, 1023.0)
}

/// `2^n`, if that is a normal number, of the sum of `n` and [`exponent_rounder`].
pub(super) fn power<'f, 'b>(sum: Value<'f, 'b>) -> Value<'f, 'b> {
    sum.int().shl(sum.by(23u64, 52)).float()
}

/// `2^f - 1`, as what `f` is multiplied by; `|f|` at most 1/2.
pub(super) fn exp2_factor<'f, 'b>(f: Value<'f, 'b>) -> Value<'f, 'b> {
    f.polynomial(&EXP2)
}

/// `x = n ln 2 + r`, with `n` an integer and `|r|` at most about half of `ln 2`.
pub(super) struct Reduced<'f, 'b> {
    /// As an integer.
    pub(super) n: Value<'f, 'b>,
    pub(super) r: Pair<'f, 'b>,
}

/// For `|x|` of at most a few thousand.
pub(super) fn reduce<'f, 'b>(x: Value<'f, 'b>) -> Reduced<'f, 'b> {
    let magic = x.number(rounder(x));
    let shifted = x.fma(x.parts(&LOG2_E)[0], magic);
    let whole = shifted - magic;
    let [first, second, _] = x.parts(&LN_2);
    // Exact: what cancels has no more bits than fit.
    let left = whole.fma(-first, x);
    let high = whole.fma(-second, left);
    Reduced { n: shifted.int() - magic.int(), r: Pair { high, low: whole.fma(-second, left - high) } }
}

/// `exp(r) - 1`.
pub(super) fn rest<'f, 'b>(r: Pair<'f, 'b>) -> Pair<'f, 'b> {
    let square = r.high * r.high;
    fast_sum(r.high, square.fma(r.high.polynomial(&EXP), r.low))
}

/// `x 2^n`, rounded once where it is subnormal; `n` to twice the greatest exponent.
pub(super) fn scale<'f, 'b>(x: Value<'f, 'b>, n: Value<'f, 'b>) -> Value<'f, 'b> {
    let half = n.shr(1u64);
    x * half.power_of_two() * (n - half).power_of_two()
}

/// `2^n exp(r)`, by the exponent's bits where the result is a normal number with one to spare.
pub(super) fn exp<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let (sum, value) = two_parts(x);
    let usual = (value.int() + sum.int().shl(x.by(23u64, 52))).float();
    usual.rarely(x.abs().lt(x.by(87.0, 708.0)).not(), || {
        // Beyond, it is 0 and infinity.
        let x = x.at_least(x.by(-104.0, -746.0)).at_most(x.by(89.0, 710.0));
        let (sum, value) = two_parts(x);
        scale(value, sum.int() - x.number(rounder(x)).int())
    })
}

/// `x = n ln 2 + r`: the sum of `n` and [`rounder`], and `exp(r)`, which is about between the roots of
/// 1/2 and 2.
fn two_parts<'f, 'b>(x: Value<'f, 'b>) -> (Value<'f, 'b>, Value<'f, 'b>) {
    let magic = x.number(rounder(x));
    let sum = x.fma(x.parts(&LOG2_E)[0], magic);
    let whole = sum - magic;
    let [first, second, _] = x.parts(&LN_2);
    // Exact but for the second part: what cancels has no more bits than fit.
    let r = whole.fma(-second, whole.fma(-first, x));
    let slope = r.fma(r.polynomial(x.by(&EXP_FEW, &EXP)), 1.0);
    (sum, r.fma(slope, 1.0))
}

/// `(exp(x) - 1) / 2^n`, and `n`.
pub(super) fn expm1_parts<'f, 'b>(x: Value<'f, 'b>) -> (Pair<'f, 'b>, Value<'f, 'b>) {
    let Reduced { n, r } = reduce(x);
    let rest = rest(r);
    // 1 - 2^-n; where `n` is large, the power is too small to matter.
    let hundred = n.constant(100);
    let small = hundred.lt(n).choose(hundred, n);
    let one = sum(x.number(1.0), -(-small).power_of_two());
    let total = sum(one.high, rest.high);
    (total.plus(one.low + rest.low), n)
}

pub(super) fn expm1<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let inside = x.at_least(x.by(-20.0, -45.0)).at_most(x.by(89.0, 710.0));
    let (value, n) = expm1_parts(inside);
    scale(value.value(), n).unless(x.eq(0.0), x)
}
