//! Conversions between dtypes, each with one rounding (decisions S17, S21, S35).

use super::{Parts, memory};
use crate::ir::{Builder, Code, Id, Type};
use ivy_core::{Dtype, Kind};
use smallvec::smallvec;

/// A float16 or bfloat16's value in float32; other floats are themselves.
pub(super) fn widen(b: &mut Builder, dtype: Dtype, x: Id) -> Id {
    match dtype {
        Dtype::BFLOAT16 => {
            let (bits, sixteen) = (b.convert(x, Type::U32), b.constant(Type::U32, 16));
            let bits = b.binary(Code::Shl, bits, sixteen);
            b.bitcast(bits, Type::F32)
        }
        Dtype::FLOAT16 if b.has_halves() => b.between(Code::Widen, x),
        Dtype::FLOAT16 => from_half(b, x),
        _ => x,
    }
}

/// A float32 rounded to float16 or bfloat16; for other dtypes it is itself.
pub(super) fn narrow(b: &mut Builder, dtype: Dtype, x: Id) -> Id {
    match dtype {
        Dtype::BFLOAT16 => to_bfloat(b, x),
        Dtype::FLOAT16 if b.has_halves() => b.between(Code::Narrow, x),
        Dtype::FLOAT16 => to_half(b, x),
        _ => x,
    }
}

fn from_half(b: &mut Builder, x: Id) -> Id {
    let u32 = |b: &mut Builder, value: u64| b.constant(Type::U32, value);
    let bits = b.convert(x, Type::U32);
    let (sign_bit, rest, sixteen, thirteen) = (u32(b, 0x8000), u32(b, 0x7fff), u32(b, 16), u32(b, 13));
    let sign = b.binary(Code::And, bits, sign_bit);
    let sign = b.binary(Code::Shl, sign, sixteen);
    let size = b.binary(Code::And, bits, rest);
    // The exponents' biases differ by 112; infinity and NaN move up by as much again.
    let (infinity, once, twice) = (u32(b, 0x7c00), u32(b, 112 << 23), u32(b, 224 << 23));
    let special = b.binary(Code::Le, infinity, size);
    let bias = b.select(special, twice, once);
    let moved = b.binary(Code::Shl, size, thirteen);
    let normal = b.binary(Code::Add, moved, bias);
    let (as_signed, unit) = (b.bitcast(size, Type::I32), b.float(Type::F32, 2f64.powi(-24)));
    let count = b.convert(as_signed, Type::F32);
    let subnormal = b.binary(Code::Mul, count, unit);
    let subnormal = b.bitcast(subnormal, Type::U32);
    let least = u32(b, 0x0400);
    let is_subnormal = b.binary(Code::Lt, size, least);
    let value = b.select(is_subnormal, subnormal, normal);
    let value = b.binary(Code::Or, sign, value);
    b.bitcast(value, Type::F32)
}

fn to_half(b: &mut Builder, x: Id) -> Id {
    let u32 = |b: &mut Builder, value: u64| b.constant(Type::U32, value);
    let bits = b.bitcast(x, Type::U32);
    let (sixteen, thirteen, one) = (u32(b, 16), u32(b, 13), u32(b, 1));
    let (sign_bit, rest) = (u32(b, 0x8000), u32(b, 0x7fff_ffff));
    let high = b.binary(Code::Shr, bits, sixteen);
    let sign = b.binary(Code::And, high, sign_bit);
    let size = b.binary(Code::And, bits, rest);
    // The last place of numbers near 0.5 is 2^-24, that of float16's subnormals: the addition
    // does the rounding.
    let (magnitude, half) = (b.bitcast(size, Type::F32), b.float(Type::F32, 0.5));
    let sum = b.binary(Code::Add, magnitude, half);
    let (sum, half) = (b.bitcast(sum, Type::U32), u32(b, u64::from(0.5f32.to_bits())));
    let subnormal = b.binary(Code::Sub, sum, half);
    // Just below half of the last place, or half if that place is odd.
    let last = b.binary(Code::Shr, size, thirteen);
    let odd = b.binary(Code::And, last, one);
    let (below, bias) = (u32(b, 0xfff), u32(b, 112 << 23));
    let up = b.binary(Code::Add, below, odd);
    let normal = b.binary(Code::Add, size, up);
    let normal = b.binary(Code::Sub, normal, bias);
    let normal = b.binary(Code::Shr, normal, thirteen);
    let least = u32(b, 0x3880_0000);
    let is_subnormal = b.binary(Code::Lt, size, least);
    let finite = b.select(is_subnormal, subnormal, normal);
    // From 65520 on, half-way to what would come next, all is infinity.
    let (most, infinity) = (u32(b, 0x477f_f000), u32(b, 0x7c00));
    let is_infinite = b.binary(Code::Le, most, size);
    let bounded = b.select(is_infinite, infinity, finite);
    let (above, nan) = (u32(b, 0x7f80_0000), u32(b, 0x7e00));
    let is_nan = b.binary(Code::Lt, above, size);
    let value = b.select(is_nan, nan, bounded);
    let value = b.binary(Code::Or, sign, value);
    b.convert(value, Type::U16)
}

fn to_bfloat(b: &mut Builder, x: Id) -> Id {
    let u32 = |b: &mut Builder, value: u64| b.constant(Type::U32, value);
    let bits = b.bitcast(x, Type::U32);
    let (sixteen, one, below, quiet) = (u32(b, 16), u32(b, 1), u32(b, 0x7fff), u32(b, 0x40));
    let high = b.binary(Code::Shr, bits, sixteen);
    let odd = b.binary(Code::And, high, one);
    let up = b.binary(Code::Add, below, odd);
    let rounded = b.binary(Code::Add, bits, up);
    let rounded = b.binary(Code::Shr, rounded, sixteen);
    let nan = b.binary(Code::Or, high, quiet);
    let is_nan = b.binary(Code::Ne, x, x);
    let value = b.select(is_nan, nan, rounded);
    b.convert(value, Type::U16)
}

/// The magnitude of a float's bits.
pub(super) fn size_bits(b: &mut Builder, x: Id) -> Id {
    let ty = b.ty(x).unsigned();
    let (bits, mask) = (b.bitcast(x, ty), b.constant(ty, ty.mask() >> 1));
    b.binary(Code::And, bits, mask)
}

/// float64 to float32, rounded to odd: what rounds that once more rounds as if only once.
fn odd_float(b: &mut Builder, x: Id) -> Id {
    let nearest = b.convert(x, Type::F32);
    let back = b.convert(nearest, Type::F64);
    // Magnitudes of floats are in the order of their bits.
    let (size, exact) = (size_bits(b, back), size_bits(b, x));
    let too_large = b.binary(Code::Lt, exact, size);
    let too_large = b.convert(too_large, Type::U32);
    let bits = b.bitcast(nearest, Type::U32);
    let towards_zero = b.binary(Code::Sub, bits, too_large);
    let inexact = b.binary(Code::Ne, back, x);
    let inexact = b.convert(inexact, Type::U32);
    let value = b.binary(Code::Or, towards_zero, inexact);
    b.bitcast(value, Type::F32)
}

/// A 64-bit integer as a float64 rounded to odd.
fn odd_double(b: &mut Builder, x: Id) -> Id {
    let ty = b.ty(x);
    let mut size = b.bitcast(x, Type::U64);
    let mut negative = None;
    if ty.is_signed() {
        let zero = b.constant(ty, 0);
        let (is_negative, opposite) = (b.binary(Code::Lt, x, zero), b.unary(Code::Neg, x));
        let opposite = b.bitcast(opposite, Type::U64);
        size = b.select(is_negative, opposite, size);
        negative = Some(is_negative);
    }
    let u64 = |b: &mut Builder, value: u64| b.constant(Type::U64, value);
    let (zero, eleven, low, top) = (u64(b, 0), u64(b, 11), u64(b, 0x7ff), u64(b, 1 << 53));
    let lost = b.binary(Code::And, size, low);
    let lost = b.binary(Code::Ne, lost, zero);
    let lost = b.convert(lost, Type::U64);
    let kept = b.binary(Code::Shr, size, eleven);
    let folded = b.binary(Code::Or, kept, lost);
    let folded = b.binary(Code::Shl, folded, eleven);
    let small = b.binary(Code::Lt, size, top);
    let size = b.select(small, size, folded);
    let value = b.convert(size, Type::F64);
    match negative {
        Some(is_negative) => {
            let opposite = b.unary(Code::Neg, value);
            b.select(is_negative, opposite, value)
        }
        None => value,
    }
}

/// A real value as another dtype.
fn real(b: &mut Builder, from: Dtype, to: Dtype, x: Id) -> Option<Id> {
    let (goal, _) = memory(to)?;
    let small = matches!(to, Dtype::FLOAT16 | Dtype::BFLOAT16);
    if !small {
        let x = widen(b, from, x);
        return Some(b.convert(x, goal));
    }
    let single = match (from.kind(), b.ty(x).bits()) {
        (Kind::Float, 64) => odd_float(b, x),
        (Kind::Float, _) => widen(b, from, x),
        // Integers that float32 does not hold are beyond float16's range.
        _ if to == Dtype::FLOAT16 => b.convert(x, Type::F32),
        (_, 64) => {
            let double = odd_double(b, x);
            odd_float(b, double)
        }
        (_, 32) => {
            let double = b.convert(x, Type::F64);
            odd_float(b, double)
        }
        _ => b.convert(x, Type::F32),
    };
    Some(narrow(b, to, single))
}

pub(super) fn cast(b: &mut Builder, from: Dtype, to: Dtype, x: &Parts) -> Option<Parts> {
    if from == to {
        return Some(x.clone());
    }
    let part = to.real_part();
    match (from.is_complex(), to.kind()) {
        (true, Kind::Complex) => x.iter().map(|&p| real(b, from.real_part(), part, p)).collect(),
        (true, Kind::Bool) => {
            let [re, im] = [0, 1].map(|i| b.convert(x[i], Type::Bool));
            Some(smallvec![b.binary(Code::Or, re, im)])
        }
        (true, _) => None,
        (false, Kind::Complex) => {
            let re = real(b, from, part, x[0])?;
            let im = b.float(memory(part)?.0, 0.0);
            Some(smallvec![re, im])
        }
        _ => Some(smallvec![real(b, from, to, x[0])?]),
    }
}
