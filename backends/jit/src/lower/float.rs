//! Real floats.

use super::comparison;
use super::convert::{narrow, size_bits, widen};
use super::{math, memory};
use crate::ir::{Builder, Code, Id};
use ivy_core::{BinaryOp, Dtype, UnaryOp};

/// The bits of positive infinity.
fn infinity(dtype: Dtype) -> u64 {
    match dtype {
        Dtype::BFLOAT16 => 0x7f80,
        Dtype::FLOAT16 => 0x7c00,
        Dtype::FLOAT32 => 0x7f80_0000,
        _ => 0x7ff0_0000_0000_0000,
    }
}

pub(super) fn unary(b: &mut Builder, op: UnaryOp, dtype: Dtype, x: Id) -> Option<Id> {
    let (ty, _) = memory(dtype)?;
    // What looks at bits only.
    match op {
        UnaryOp::Conj | UnaryOp::Real => return Some(x),
        UnaryOp::Negative if ty.is_float() => return Some(b.unary(Code::Neg, x)),
        UnaryOp::Abs => {
            let size = size_bits(b, x);
            return Some(b.bitcast(size, ty));
        }
        UnaryOp::Negative | UnaryOp::Signbit => {
            let bits = b.bitcast(x, ty.unsigned());
            let sign = b.constant(ty.unsigned(), 1 << (ty.bits() - 1));
            return Some(match op {
                UnaryOp::Signbit => b.binary(Code::Le, sign, bits),
                _ => b.binary(Code::Xor, bits, sign),
            });
        }
        UnaryOp::IsFinite | UnaryOp::IsInf | UnaryOp::IsNan => {
            let (size, infinite) = (size_bits(b, x), b.constant(ty.unsigned(), infinity(dtype)));
            return Some(match op {
                UnaryOp::IsFinite => b.binary(Code::Lt, size, infinite),
                UnaryOp::IsInf => b.binary(Code::Eq, size, infinite),
                _ => b.binary(Code::Lt, infinite, size),
            });
        }
        _ => {}
    }
    let x = widen(b, dtype, x);
    let wide = b.ty(x);
    let value = match op {
        UnaryOp::Ceil => b.unary(Code::Ceil, x),
        UnaryOp::Floor => b.unary(Code::Floor, x),
        UnaryOp::Trunc => b.unary(Code::Trunc, x),
        UnaryOp::Round => b.unary(Code::RoundEven, x),
        UnaryOp::Sqrt => b.unary(Code::Sqrt, x),
        UnaryOp::Square => b.binary(Code::Mul, x, x),
        UnaryOp::Reciprocal => {
            let one = b.float(wide, 1.0);
            b.binary(Code::Div, one, x)
        }
        UnaryOp::Sign => {
            let [zero, one, minus] = [0.0, 1.0, -1.0].map(|v| b.float(wide, v));
            let (positive, negative) = (b.binary(Code::Lt, zero, x), b.binary(Code::Lt, x, zero));
            let is_nan = b.binary(Code::Ne, x, x);
            let rest = b.select(is_nan, x, zero);
            let rest = b.select(negative, minus, rest);
            b.select(positive, one, rest)
        }
        _ => math::unary(b, op, x)?,
    };
    Some(narrow(b, dtype, value))
}

pub(super) fn binary(b: &mut Builder, op: BinaryOp, dtype: Dtype, x: Id, y: Id) -> Option<Id> {
    match op {
        BinaryOp::Copysign => return Some(copysign(b, x, y)),
        BinaryOp::Nextafter => return Some(nextafter(b, dtype, x, y)),
        _ => {}
    }
    let (wide_x, wide_y) = (widen(b, dtype, x), widen(b, dtype, y));
    if let Some(code) = comparison(op) {
        return Some(b.binary(code, wide_x, wide_y));
    }
    let code = match op {
        BinaryOp::Add => Code::Add,
        BinaryOp::Subtract => Code::Sub,
        BinaryOp::Multiply => Code::Mul,
        BinaryOp::Divide => Code::Div,
        BinaryOp::Maximum | BinaryOp::Minimum => {
            let first = match op {
                BinaryOp::Maximum => b.binary(Code::Le, wide_y, wide_x),
                _ => b.binary(Code::Le, wide_x, wide_y),
            };
            let is_nan = b.binary(Code::Ne, wide_x, wide_x);
            let first = b.binary(Code::Or, first, is_nan);
            return Some(b.select(first, x, y));
        }
        _ => {
            let value = math::binary(b, op, wide_x, wide_y)?;
            return Some(narrow(b, dtype, value));
        }
    };
    let value = b.binary(code, wide_x, wide_y);
    Some(narrow(b, dtype, value))
}

fn copysign(b: &mut Builder, x: Id, y: Id) -> Id {
    let (ty, bits) = (b.ty(x), b.ty(x).unsigned());
    let (size, y) = (size_bits(b, x), b.bitcast(y, bits));
    let mask = b.constant(bits, 1 << (bits.bits() - 1));
    let sign = b.binary(Code::And, y, mask);
    let value = b.binary(Code::Or, size, sign);
    b.bitcast(value, ty)
}

fn nextafter(b: &mut Builder, dtype: Dtype, x: Id, y: Id) -> Id {
    let (ty, bits) = (b.ty(x), b.ty(x).unsigned());
    let (size_x, size_y) = (size_bits(b, x), size_bits(b, y));
    let (x, y) = (b.bitcast(x, bits), b.bitcast(y, bits));
    let (zero, one, infinite) = (b.constant(bits, 0), b.constant(bits, 1), b.constant(bits, infinity(dtype)));
    let mask = b.constant(bits, 1 << (bits.bits() - 1));
    let (sign_x, sign_y) = (b.binary(Code::And, x, mask), b.binary(Code::And, y, mask));
    // Away from zero if the target has the same sign and a greater magnitude.
    let same = b.binary(Code::Eq, sign_x, sign_y);
    let greater = b.binary(Code::Lt, size_x, size_y);
    let away = b.binary(Code::And, same, greater);
    let (up, down) = (b.binary(Code::Add, x, one), b.binary(Code::Sub, x, one));
    let mut value = b.select(away, up, down);
    let least = b.binary(Code::Or, sign_y, one);
    let from_zero = b.binary(Code::Eq, size_x, zero);
    value = b.select(from_zero, least, value);
    let to_zero = b.binary(Code::Eq, size_y, zero);
    let zeros = b.binary(Code::And, from_zero, to_zero);
    let equal = b.binary(Code::Eq, x, y);
    let there = b.binary(Code::Or, zeros, equal);
    let y_nan = b.binary(Code::Lt, infinite, size_y);
    let there = b.binary(Code::Or, there, y_nan);
    value = b.select(there, y, value);
    let x_nan = b.binary(Code::Lt, infinite, size_x);
    value = b.select(x_nan, x, value);
    b.bitcast(value, ty)
}
