//! Elements as numbers in their order: for sorting, and, with their indices below them, so that the greatest
//! number is of the element that is looked for.

use super::Parts;
use crate::ir::{Builder, Code, Id, Type};
use crate::kind::Order;
use ivy_core::{Dtype, Kind};
use smallvec::smallvec;

/// True if elements of a dtype fit into such a number beside an index: real ones of 32 bits or fewer.
pub fn ranks(dtype: Dtype) -> bool {
    super::memory(dtype).is_some() && dtype.kind() != Kind::Complex && dtype.bytes() <= 4
}

/// How many bits a real element's key has, the lowest ones of it.
pub fn key_bits(dtype: Dtype) -> u32 {
    if dtype.is_bool() { 1 } else { 8 * dtype.bytes() as u32 }
}

/// The element in the upper half, in order; below it the index, the first one greatest.
pub(super) fn rank(b: &mut Builder, max: bool, dtype: Dtype, x: Id, index: Id) -> Option<Parts> {
    if !ranks(dtype) {
        return None;
    }
    let order = key(b, Order { descending: !max, zeros: false }, dtype, x)?;
    let first = b.unary(Code::Not, index);
    let [high, low] = [order, first].map(|half| b.convert(half, Type::U64));
    let half = b.constant(Type::U64, 32);
    let high = b.binary(Code::Shl, high, half);
    Some(smallvec![b.binary(Code::Or, high, low)])
}

/// A real element as an unsigned number of 32 bits, or of 64 if it has so many, that is greater for what
/// comes later; NaN has all bits.
pub(super) fn key(b: &mut Builder, how: Order, dtype: Dtype, x: Id) -> Option<Id> {
    let bits = key_bits(dtype);
    let wide = if bits == 64 { Type::U64 } else { Type::U32 };
    let number = |b: &mut Builder, value: u64| b.constant(wide, value);
    let all = u64::MAX >> (64 - bits);
    let (sign, all) = (number(b, all / 2 + 1), number(b, all));
    let raw = match b.ty(x).bits() {
        1 => x,
        _ => b.bitcast(x, b.ty(x).unsigned()),
    };
    let raw = b.convert(raw, wide);
    let (mut key, mut none) = (raw, None);
    match dtype.kind() {
        Kind::Bool | Kind::Uint => {}
        Kind::Int => key = b.binary(Code::Xor, raw, sign),
        Kind::Float => {
            let infinity = number(b, infinity(dtype)?);
            let rest = b.unary(Code::Not, sign);
            let size = b.binary(Code::And, raw, rest);
            none = Some(b.binary(Code::Lt, infinity, size));
            let mut value = raw;
            if !how.zeros {
                let zero = number(b, 0);
                let is_zero = b.binary(Code::Eq, size, zero);
                value = b.select(is_zero, zero, raw);
            }
            let negative = b.binary(Code::Le, sign, value);
            let [down, up] = [all, sign].map(|with| b.binary(Code::Xor, value, with));
            key = b.select(negative, down, up);
        }
        Kind::Complex => return None,
    }
    if how.descending {
        key = b.binary(Code::Xor, key, all);
    }
    Some(none.map_or(key, |none| b.select(none, all, key)))
}

/// The bits of a float's infinity.
fn infinity(dtype: Dtype) -> Option<u64> {
    Some(match dtype {
        Dtype::FLOAT16 => 0x7c00,
        Dtype::BFLOAT16 => 0x7f80,
        Dtype::FLOAT32 => 0x7f80_0000,
        Dtype::FLOAT64 => 0x7ff0_0000_0000_0000,
        _ => return None,
    })
}
