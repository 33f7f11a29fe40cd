//! Sine, cosine and tangent.

use super::coefficients::{COS, SIN, TAN};
use super::expr::{Pair, Value, cubed, fast_sum};
use super::reduction::{Angle, huge, moderate};

/// The sine, of an angle that is that many quarters further.
fn sine<'f, 'b>(Angle { quarter, r }: Angle<'f, 'b>, more: u64) -> Value<'f, 'b> {
    let quarter = if more == 0 { quarter } else { quarter + more };
    let square = r.high * r.high;
    let sin = (r.high * square).fma(square.polynomial(&SIN), r.low) + r.high;
    // What `low` changes of the square is all that counts of it in the cosine.
    let whole = r.high.fma(r.high, (r.high + r.high) * r.low);
    let cos = whole.fma(square.polynomial(&COS), 1.0);
    let odd = quarter.and(1u64).ne(0u64);
    let value = odd.choose(cos, sin);
    // The sign changes in every second pair of quarters.
    let sign = quarter.and(2u64).shl(u64::from(quarter.ty().bits() - 2));
    value.flip(sign)
}

pub(super) fn sin<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let value = |angle| sine(angle, 0).flip(x.sign());
    value(moderate(a)).rarely(is_huge(a), || value(huge(a)).unless(is_not_finite(a), f64::NAN))
}

pub(super) fn cos<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    sine(moderate(a), 1).rarely(is_huge(a), || sine(huge(a), 1).unless(is_not_finite(a), f64::NAN))
}

pub(super) fn tan<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let a = x.abs();
    let value = |angle| tangent(angle).flip(x.sign());
    value(moderate(a)).rarely(is_huge(a), || value(huge(a)).unless(is_not_finite(a), f64::NAN))
}

fn tangent<'f, 'b>(Angle { quarter, r }: Angle<'f, 'b>) -> Value<'f, 'b> {
    let rest = cubed(r.high, &TAN);
    // The tangent's slope is 1 + tan^2.
    let near = r.high + rest;
    let t = fast_sum(r.high, rest + r.low.fma(near * near, r.low));
    // -1 / t, corrected.
    let inverse = t.high.number(-1.0) / t.high;
    let error = inverse.fma(t.low, inverse.fma(t.high, 1.0));
    let inverse = Pair { high: inverse, low: inverse * error }.value();
    quarter.and(1u64).ne(0u64).choose(inverse, t.value())
}

fn is_huge<'f, 'b>(a: Value<'f, 'b>) -> Value<'f, 'b> {
    a.le(a.by(super::reduction::MODERATE.0, super::reduction::MODERATE.1)).not()
}

fn is_not_finite<'f, 'b>(a: Value<'f, 'b>) -> Value<'f, 'b> {
    a.lt(f64::INFINITY).not()
}
