//! Hyperbolic functions and their inverses.

use super::coefficients::{COSH, SINH, TANH};
use super::exponential::{Reduced, exp2_factor, exponent_rounder, power, reduce, scale};
use super::expr::{Pair, Value, fast_sum, product, quotient};
use super::logarithm::ln_one_plus;

/// `(exp(a) -+ exp(-a)) / 2` for `a >= 0`, by the functions of what is left of `a`.
fn half_sum<'f, 'b>(a: Value<'f, 'b>, even: bool) -> Value<'f, 'b> {
    let a = a.at_most(a.by(90.0, 712.0));
    let Reduced { n, r } = reduce(a);
    let square = r.high * r.high;
    let sinh = fast_sum(r.high, (r.high * square).fma(square.polynomial(&SINH), r.low));
    let less_one = square * square.polynomial(&COSH);
    // With q = 2^-2n: 2^(n-1) ((1 -+ q) cosh r + (1 +- q) sinh r).
    let most = n.constant(a.by(31, 200));
    let small = most.lt(n).choose(most, n);
    let q = (-(small + small)).power_of_two();
    let (q, opposite) = if even { (-q, q) } else { (q, -q) };
    let (ones, sinhs) = (fast_sum(a.number(1.0), opposite), fast_sum(sinh.high, q * sinh.high));
    let total = fast_sum(ones.high, sinhs.high);
    let low = ones.high.fma(less_one, ones.low) + sinh.low.fma(q + 1.0, sinhs.low);
    scale(total.plus(low).value(), n - 1u64)
}

pub(super) fn sinh<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    half_sum(x.abs(), false).flip(x.sign())
}

pub(super) fn cosh<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    half_sum(x.abs(), true)
}

/// `1 - 2 / (exp(2a) + 1)`; by a polynomial where too little would be left of the 1.
pub(super) fn tanh<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs().at_most(x.by(10.0, 20.0));
    let square = a * a;
    let small = a.fma(square * square.polynomial(&TANH), a);
    // exp(2a) = 2^n 2^f
    let twice = x.by(f64::from(2.0 * std::f32::consts::LOG2_E), 2.0 * std::f64::consts::LOG2_E);
    let magic = exponent_rounder(x);
    let sum = a.fma(twice, magic);
    let f = a.fma(twice, -(sum - magic));
    let power = power(sum);
    let below = (power * f).fma(exp2_factor(f), power + 1.0);
    let large = x.number(1.0) - x.number(2.0) / below;
    a.lt(x.by(1.0, 0.5625)).choose(small, large).flip(x.sign())
}

/// `ln(a + sqrt(a^2 + 1))`.
pub(super) fn asinh<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let below = super::expr::sum(a.fma(a, 1.0).sqrt(), a.number(1.0));
    let further = quotient(product(a, a), below);
    let y = fast_sum(a, further.high).plus(further.low);
    let large = a.number(a.by(2f64.powi(30), 2f64.powi(60))).lt(a);
    ln_of_twice(a, y, large).flip(x.sign())
}

/// `ln(1 + y)`, but `ln(2 x)` where `x` is large.
fn ln_of_twice<'f, 'b>(x: Value<'f, 'b>, y: Pair<'f, 'b>, large: Value<'f, 'b>) -> Value<'f, 'b> {
    let high = y.high.unless(large, x);
    let low = y.low.unless(large, 0.0);
    let one_more = large.choose(x.number(1.0), 0.0);
    ln_one_plus(Pair { high, low }, Some(one_more))
}

/// `ln(x + sqrt(x^2 - 1))`.
pub(super) fn acosh<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let t = x - 1.0;
    // (t + 2) t, and its root.
    let square = product(t, t);
    let twice = t + t;
    let total = super::expr::sum(twice, square.high).plus(square.low).normal();
    let root = total.high.sqrt();
    let left = (-root).fma(root, total.high) + total.low;
    let correction = left / (root + root);
    let correction = correction.unless(root.eq(0.0), 0.0);
    let y = super::expr::sum(t, root).plus(correction);
    let large = x.number(x.by(2f64.powi(30), 2f64.powi(60))).lt(x);
    ln_of_twice(x, y, large).unless(x.lt(1.0), f64::NAN)
}

/// `ln(1 + 2a / (1 - a)) / 2`.
pub(super) fn atanh<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let below = fast_sum(a.number(1.0), -a);
    let zero = a.number(0.0);
    let y = quotient(Pair { high: a + a, low: zero }, below);
    let value = ln_one_plus(y.normal(), None) * 0.5;
    value.unless(a.eq(1.0), f64::INFINITY).flip(x.sign())
}
