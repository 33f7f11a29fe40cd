//! The error function and its complement.

use super::coefficients::{ERF, ERFC, ERFC_LOG2};
use super::exponential::{Reduced, exp2_factor, exponent_rounder, power, reduce, rest, scale};
use super::expr::{Value, fast_sum, product, sum};

/// By a polynomial where it is small, else what the complement leaves of 1.
pub(super) fn erf<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    // Beyond, it is 1.
    let a = x.abs().at_most(x.by(3.93, 6.0));
    let small = a.fma((a * a).polynomial(&ERF), a);
    let large = if a.is_double() { -complement(a) + 1.0 } else { one_less_power(a.polynomial(&ERFC_LOG2)) };
    a.lt(x.by(0.92, 1.0)).choose(small, large).flip(x.sign())
}

/// `1 - 2^x`.
fn one_less_power<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let magic = exponent_rounder(x);
    let sum = x + magic;
    let f = x - (sum - magic);
    (-power(sum)).fma(f.fma(exp2_factor(f), 1.0), 1.0)
}

pub(super) fn erfc<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    // Beyond, it is 0 and 2.
    let a = x.abs().at_most(x.by(10.6, 28.0));
    let large = complement(a);
    let large = large.unless(x.lt(0.0), x.number(2.0) - large);
    let small = (-x).fma((x * x).polynomial(&ERF), x.number(1.0) - x);
    large.unless(a.lt(0.5), small)
}

/// The complement, from 1/2 on: `exp(-a^2)` times what changes slowly.
fn complement<'f, 'b>(a: Value<'f, 'b>) -> Value<'f, 'b> {
    let slow = ((a - 3.0) / (a + 3.0)).polynomial(&ERFC) / (a + a + 1.0);
    let square = product(a, a);
    let Reduced { n, r } = reduce(-square.high);
    let rest = rest(sum(r.high, r.low - square.low));
    let exp = fast_sum(a.number(1.0), rest.high).plus(rest.low).value();
    scale(exp * slow, n)
}
