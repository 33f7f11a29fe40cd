//! Functions of float64 to about a hundred bits, for what is left of a cancellation and for what magnifies
//! an error. A number is a pair.

use super::coefficients::{INVERSE_FACTORIALS, LN_2, LOG2_E, PI};
use super::exponential::rounder;
use super::expr::{Pair, Value, fast_sum, product, sum};
use super::logarithm::ln_one_plus;

/// A constant as a pair.
fn constant<'f, 'b>(like: Value<'f, 'b>, [high, low]: [f64; 2]) -> Pair<'f, 'b> {
    Pair { high: like.number(high), low: like.number(low) }
}

/// A number without a second part.
pub(super) fn single<'f, 'b>(x: Value<'f, 'b>) -> Pair<'f, 'b> {
    Pair { high: x, low: x.number(0.0) }
}

impl<'f, 'b> Pair<'f, 'b> {
    /// The sum, whose error is small beside the greater of the two.
    pub(super) fn add(self, other: Self) -> Self {
        let total = sum(self.high, other.high);
        fast_sum(total.high, total.low + (self.low + other.low))
    }

    /// The sum with a number that is no greater.
    pub(super) fn add_less(self, other: Self) -> Self {
        let total = fast_sum(self.high, other.high);
        fast_sum(total.high, total.low + (self.low + other.low))
    }

    /// Times a number.
    pub(super) fn times_number(self, x: Value<'f, 'b>) -> Self {
        let p = product(self.high, x);
        fast_sum(p.high, self.low.fma(x, p.low))
    }

    /// Times a power of two.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Pair { high: self.high * factor, low: self.low * factor }
    }

    /// Times `2^n` of an integer, if that is a normal number.
    pub(super) fn times_power(self, n: Value<'f, 'b>) -> Self {
        let factor = n.power_of_two();
        Pair { high: self.high * factor, low: self.low * factor }
    }

    pub(super) fn negative(self) -> Self {
        Pair { high: -self.high, low: -self.low }
    }

    /// `other` where the condition is true, else `self`.
    pub(super) fn unless(self, condition: Value<'f, 'b>, other: Self) -> Self {
        Pair { high: self.high.unless(condition, other.high), low: self.low.unless(condition, other.low) }
    }
}

/// The series of the powers of `x` with these coefficients; those from `few` on are as small beside the
/// first as a float64's last bit, and need no second part.
fn series<'f, 'b>(x: Pair<'f, 'b>, coefficients: &[[f64; 2]], few: usize) -> Pair<'f, 'b> {
    let (full, rest) = coefficients.split_at(few);
    let (last, before) = rest.split_last().expect("a series has terms");
    let rest = before.iter().rev().fold(x.high.number(last[0]), |sum, c| sum.fma(x.high, c[0]));
    full.iter().rev().fold(single(rest), |sum, &c| constant(x.high, c).add_less(sum.times(x)))
}

/// `exp(r) - 1`, for `|r|` of at most about `ln 2`.
pub(super) fn expm1<'f, 'b>(r: Pair<'f, 'b>) -> Pair<'f, 'b> {
    const HALVINGS: i32 = 5;
    let s = r.scaled(2f64.powi(-HALVINGS));
    let mut e = series(s, &INVERSE_FACTORIALS[1..15], 7).times(s);
    for _ in 0..HALVINGS {
        // exp(2s) - 1 = 2e + e^2
        e = e.scaled(2.0).add_less(e.times(e));
    }
    e
}

/// A number less as many times a constant as bring it nearest to 0.
fn less<'f, 'b>(x: Pair<'f, 'b>, whole: Value<'f, 'b>, [first, second, third]: [f64; 3]) -> Pair<'f, 'b> {
    let (first, second) = (product(whole, first), product(whole, second));
    // The greatest parts cancel exactly.
    let near = sum(x.high - first.high, -first.low);
    let beside = sum(x.low, -second.high);
    let total = sum(near.high, beside.high);
    fast_sum(total.high, total.low + (near.low + (beside.low - whole.fma(third, second.low))))
}

/// An angle less whole turns; of one of which not even the turn is known, what is known.
pub(super) fn turned<'f, 'b>(angle: Pair<'f, 'b>) -> Pair<'f, 'b> {
    let magic = rounder(angle.high);
    let whole = angle.high.fma(0.5 / std::f64::consts::PI, magic) - magic;
    let known = angle.high.abs().lt(2f64.powi(50));
    single(angle.high).unless(known, less(angle, whole, PI.double.map(|part| 2.0 * part)))
}

/// `exp(x) = 2^n (1 + e)`: the integer and `e`, which is between the roots of 1/2 and 2, less 1. For `|x|` of
/// at most a few thousand.
pub(super) fn exp_parts<'f, 'b>(x: Pair<'f, 'b>) -> (Value<'f, 'b>, Pair<'f, 'b>) {
    let magic = x.high.number(rounder(x.high));
    let shifted = x.high.fma(LOG2_E.double[0], magic);
    let whole = shifted - magic;
    (shifted.int() - magic.int(), expm1(less(x, whole, LN_2.double)))
}

/// `ln(1 + y)`, for `1 + y` from about the root of 1/2 to 2; small numbers keep their bits.
pub(super) fn log1p<'f, 'b>(y: Pair<'f, 'b>) -> Pair<'f, 'b> {
    // One step of Newton's: with e = exp(-l) - 1, (1 + y)(1 + e) is almost 1.
    let l = ln_one_plus(single(y.high), None);
    let e = expm1(single(-l));
    let both = y.times(e);
    let first = sum(y.high, e.high);
    let second = sum(first.high, both.high);
    let beyond = second.high + (second.low + (first.low + (y.low + e.low) + both.low));
    fast_sum(l, beyond - beyond * beyond * 0.5)
}

/// Sine and cosine of an angle up to a quarter of pi.
pub(super) fn sin_cos<'f, 'b>(x: Value<'f, 'b>) -> (Pair<'f, 'b>, Pair<'f, 'b>) {
    const HALVINGS: i32 = 4;
    let s = x * 2f64.powi(-HALVINGS);
    let square = product(s, s).negative();
    let every_second = |first: usize| -> Vec<[f64; 2]> {
        INVERSE_FACTORIALS[first..17].iter().copied().step_by(2).collect()
    };
    let mut sin = series(square, &every_second(1), 4).times_number(s);
    // The cosine less 1.
    let mut less = series(square, &every_second(2), 4).times(square);
    for _ in 0..HALVINGS {
        // With c = cos - 1: sin 2s = 2 sin (1 + c), cos 2s - 1 = 4c + 2c^2.
        let (twice, doubled) = (sin.add_less(sin.times(less)), less.times(less));
        sin = twice.scaled(2.0);
        less = less.scaled(4.0).add_less(doubled.scaled(2.0));
    }
    (sin, constant(x, [1.0, 0.0]).add_less(less))
}
