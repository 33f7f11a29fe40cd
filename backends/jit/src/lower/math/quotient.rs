//! Remainders and rounded quotients, exact for all operands.

use super::expr::Value;
use crate::ir::Type;

/// Quotients below this are whole numbers with room for one more.
fn most<'f, 'b>(x: Value<'f, 'b>) -> i32 {
    x.by(22, 51)
}

/// What is left of `a` after as many `b` as are in it; fewer than `2^24` or `2^53`.
fn rest<'f, 'b>(a: Value<'f, 'b>, b: Value<'f, 'b>) -> Value<'f, 'b> {
    let whole = (a / b).trunc();
    // Exact. The quotient may have been rounded up to the next whole number, never down.
    let rest = (-whole).fma(b, a);
    rest.unless(rest.lt(0.0), rest + b)
}

/// The exponent of a positive finite number, as an integer with the type's bias.
fn exponent<'f, 'b>(x: Value<'f, 'b>) -> Value<'f, 'b> {
    let (least, mantissa) = x.by((f64::from(f32::MIN_POSITIVE), 23u64), (f64::MIN_POSITIVE, 52));
    let subnormal = x.lt(least);
    let scaled = x * x.by(2f64.powi(24), 2f64.powi(53));
    let bits = subnormal.choose(scaled, x).int();
    let lift = bits.constant(mantissa + 1);
    bits.shr(mantissa) - subnormal.choose(lift, 0u64)
}

/// The remainder with the sign of `y`, as the Array API defines it.
pub(super) fn remainder<'f, 'b>(x: Value<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let (a, b) = (x.abs(), y.abs());
    let few = (a / b).lt(2f64.powi(most(x))).and(b.lt(f64::INFINITY));
    let left = rest(a, b).rarely(few.not(), || {
        let possible = a.lt(f64::INFINITY).and(b.number(0.0).lt(b));
        let left = a.repeat(
            |left| possible.and(b.le(left)),
            |left| {
                // As many bits of the quotient at a time as a number has.
                let ahead = exponent(left) - exponent(b) - most(x) as u64;
                let ahead = ahead.unless(ahead.lt(0u64), 0u64);
                let half = ahead.shr(1u64);
                rest(left, b * half.power_of_two() * (ahead - half).power_of_two())
            },
        );
        left.unless(possible.not(), f64::NAN)
    });
    let apart = x.int().xor(y.int()).lt(0u64).and(left.ne(0.0));
    left.unless(apart, b - left).flip(y.sign())
}

/// The quotient rounded down, as the Array API defines it: exact for finite operands also where the
/// rounded quotient would reach the next whole number.
pub(super) fn floor_divide<'f, 'b>(x: Value<'f, 'b>, y: Value<'f, 'b>) -> Value<'f, 'b> {
    let quotient = x / y;
    let floor = quotient.floor();
    // Rounding reaches a whole number from either side, and never crosses one: the exact remainder
    // of the rounded quotient says from which.
    let above = quotient.fma(y, -x).flip(y.sign());
    let wrong = floor.eq(quotient).and(above.number(0.0).lt(above));
    let value = floor.unless(wrong, floor - 1.0);
    if x.is_double() {
        return value;
    }
    // A larger one is rounded after it is rounded down.
    let few = quotient.abs().lt(2f64.powi(most(x)));
    value.rarely(few.not(), || floor_divide(x.convert(Type::F64), y.convert(Type::F64)).convert(Type::F32))
}
