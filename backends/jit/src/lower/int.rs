//! Integers and truth values.

use super::comparison;
use crate::ir::{Builder, Class, Code, Id, Type};
use ivy_core::{BinaryOp, UnaryOp};

pub(super) fn unary(b: &mut Builder, op: UnaryOp, x: Id) -> Option<Id> {
    let ty = b.ty(x);
    if ty == Type::Bool {
        let inverts = matches!(op, UnaryOp::LogicalNot | UnaryOp::BitwiseInvert);
        return inverts.then(|| b.unary(Code::Not, x));
    }
    let zero = |b: &mut Builder| b.constant(ty, 0);
    Some(match op {
        UnaryOp::Ceil | UnaryOp::Conj | UnaryOp::Floor | UnaryOp::Real | UnaryOp::Round | UnaryOp::Trunc => x,
        UnaryOp::Abs if ty.is_signed() => {
            let zero = zero(b);
            let (negative, opposite) = (b.binary(Code::Lt, x, zero), b.unary(Code::Neg, x));
            b.select(negative, opposite, x)
        }
        UnaryOp::Abs => x,
        UnaryOp::BitwiseInvert => b.unary(Code::Not, x),
        UnaryOp::IsFinite => b.constant(Type::Bool, 1),
        UnaryOp::IsInf | UnaryOp::IsNan => b.constant(Type::Bool, 0),
        UnaryOp::Negative => b.unary(Code::Neg, x),
        UnaryOp::Sign => {
            let (zero, one, minus) = (zero(b), b.constant(ty, 1), b.constant(ty, ty.mask()));
            let positive = b.binary(Code::Lt, zero, x);
            let mut below = zero;
            if ty.is_signed() {
                let negative = b.binary(Code::Lt, x, zero);
                below = b.select(negative, minus, zero);
            }
            b.select(positive, one, below)
        }
        UnaryOp::Square => b.binary(Code::Mul, x, x),
        _ => return None,
    })
}

pub(super) fn binary(b: &mut Builder, op: BinaryOp, x: Id, y: Id) -> Option<Id> {
    use BinaryOp as B;
    let ty = b.ty(x);
    if let Some(code) = comparison(op) {
        return Some(b.binary(code, x, y));
    }
    let code = match (op, ty.class()) {
        (B::Add | B::BitwiseOr | B::LogicalOr, Class::Bool) => Code::Or,
        (B::Multiply | B::BitwiseAnd | B::LogicalAnd, Class::Bool) => Code::And,
        (B::BitwiseXor | B::LogicalXor, Class::Bool) => Code::Xor,
        (_, Class::Bool) => return None,
        (B::Add, _) => Code::Add,
        (B::Subtract, _) => Code::Sub,
        (B::Multiply, _) => Code::Mul,
        (B::BitwiseAnd, _) => Code::And,
        (B::BitwiseOr, _) => Code::Or,
        (B::BitwiseXor, _) => Code::Xor,
        (B::BitwiseLeftShift, _) => Code::Shl,
        (B::BitwiseRightShift, _) => Code::Shr,
        (B::FloorDivide, Class::Unsigned) => Code::Div,
        (B::Remainder, Class::Unsigned) => Code::Rem,
        (B::FloorDivide | B::Remainder, _) => return Some(floored(b, op, x, y)),
        (B::Pow, _) => return Some(power(b, x, y)),
        (B::Gcd | B::Lcm, _) => return Some(common(b, op, x, y)),
        (B::Maximum, _) => {
            let greater = b.binary(Code::Lt, y, x);
            return Some(b.select(greater, x, y));
        }
        (B::Minimum, _) => {
            let less = b.binary(Code::Lt, x, y);
            return Some(b.select(less, x, y));
        }
        _ => return None,
    };
    Some(b.binary(code, x, y))
}

/// Rounded down instead of towards zero: one less, or one divisor more, where something is left
/// and the signs differ.
fn floored(b: &mut Builder, op: BinaryOp, x: Id, y: Id) -> Id {
    let ty = b.ty(x);
    let (zero, one) = (b.constant(ty, 0), b.constant(ty, 1));
    let rest = b.binary(Code::Rem, x, y);
    let inexact = b.binary(Code::Ne, rest, zero);
    let sign = b.binary(Code::Xor, rest, y);
    let differ = b.binary(Code::Lt, sign, zero);
    let adjust = b.binary(Code::And, inexact, differ);
    let (plain, adjusted) = match op {
        BinaryOp::Remainder => (rest, b.binary(Code::Add, rest, y)),
        _ => {
            let quotient = b.binary(Code::Div, x, y);
            (quotient, b.binary(Code::Sub, quotient, one))
        }
    };
    b.select(adjust, adjusted, plain)
}

/// The greatest common divisor of the magnitudes, by Euclid's loop, or their least common multiple,
/// which wraps.
fn common(b: &mut Builder, op: BinaryOp, x: Id, y: Id) -> Id {
    let ty = b.ty(x);
    let [first, second] = [x, y].map(|id| {
        let size = unary(b, UnaryOp::Abs, id).unwrap_or(id);
        b.bitcast(size, ty.unsigned())
    });
    let zero = b.constant(ty.unsigned(), 0);
    let (open, carried) = b.open_loop(&[first, second]);
    let goes_on = b.binary(Code::Ne, carried[1], zero);
    b.while_true(goes_on);
    let rest = b.binary(Code::Rem, carried[0], carried[1]);
    let mut value = b.close_loop(open, &[carried[1], rest])[0];
    if op == BinaryOp::Lcm {
        // By zero there is zero.
        let times = b.binary(Code::Div, first, value);
        value = b.binary(Code::Mul, times, second);
    }
    b.bitcast(value, ty)
}

/// `x^y`, wrapped. Exponents are below 8 mostly: a block for what is rare has the others, and the
/// negative ones, for which there is 0 but for the bases 1 and -1 (decision S34).
fn power(b: &mut Builder, x: Id, y: Id) -> Id {
    let ty = b.ty(x);
    let usual = by_bits(b, x, y, 3);
    let (bits, eight) = (b.bitcast(y, ty.unsigned()), b.constant(ty.unsigned(), 8));
    let large = b.binary(Code::Le, eight, bits);
    b.rare(large, usual, |b| {
        let value = by_bits(b, x, y, ty.bits() - u32::from(ty.is_signed()));
        if !ty.is_signed() {
            return value;
        }
        let (zero, one, minus) = (b.constant(ty, 0), b.constant(ty, 1), b.constant(ty, ty.mask()));
        let (is_one, is_minus) = (b.binary(Code::Eq, x, one), b.binary(Code::Eq, x, minus));
        let unit = b.binary(Code::Or, is_one, is_minus);
        let last = b.binary(Code::And, y, one);
        let odd = b.convert(last, Type::Bool);
        let inverse = b.select(odd, x, one);
        let inverse = b.select(unit, inverse, zero);
        let negative = b.binary(Code::Lt, y, zero);
        b.select(negative, inverse, value)
    })
}

/// The product of the powers of `x` that the last bits of `y` name.
fn by_bits(b: &mut Builder, x: Id, y: Id, count: u32) -> Id {
    let ty = b.ty(x);
    let one = b.constant(ty, 1);
    let (mut value, mut square) = (one, x);
    for i in 0..count {
        if i > 0 {
            square = b.binary(Code::Mul, square, square);
        }
        let mask = b.constant(ty, 1 << i);
        let bit = b.binary(Code::And, y, mask);
        let is_set = b.convert(bit, Type::Bool);
        let factor = b.select(is_set, square, one);
        value = if i == 0 { factor } else { b.binary(Code::Mul, value, factor) };
    }
    value
}
