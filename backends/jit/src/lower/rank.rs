//! Elements and their indices as numbers of one order, so that the greatest number is of the element
//! that is looked for.

use super::Parts;
use super::convert::widen;
use crate::ir::{Builder, Class, Code, Id, Type};
use ivy_core::{Dtype, Kind};
use smallvec::smallvec;

/// True if elements of a dtype fit into such a number beside an index: real ones of 32 bits or fewer.
pub fn ranks(dtype: Dtype) -> bool {
    super::memory(dtype).is_some() && dtype.kind() != Kind::Complex && dtype.bytes() <= 4
}

/// The element in the upper half, in order; below it the index, the first one greatest.
pub(super) fn rank(b: &mut Builder, max: bool, dtype: Dtype, x: Id, index: Id) -> Option<Parts> {
    if !ranks(dtype) {
        return None;
    }
    let wide = if dtype.kind() == Kind::Float { widen(b, dtype, x) } else { x };
    let mut order = ordered(b, wide);
    if !max {
        order = b.unary(Code::Not, order);
    }
    if b.ty(wide).is_float() {
        let is_nan = b.binary(Code::Ne, wide, wide);
        let above = b.constant(Type::U32, u64::from(u32::MAX));
        order = b.select(is_nan, above, order);
    }
    let first = b.unary(Code::Not, index);
    let [high, low] = [order, first].map(|half| b.convert(half, Type::U64));
    let half = b.constant(Type::U64, 32);
    let high = b.binary(Code::Shl, high, half);
    Some(smallvec![b.binary(Code::Or, high, low)])
}

/// A number as an unsigned one of 32 bits, in the same order; the zeros are one. NaN may be any.
fn ordered(b: &mut Builder, x: Id) -> Id {
    let sign = 1 << 31;
    match b.ty(x).class() {
        Class::Bool | Class::Unsigned => b.convert(x, Type::U32),
        Class::Signed => {
            let wide = b.convert(x, Type::I32);
            let (bits, sign) = (b.bitcast(wide, Type::U32), b.constant(Type::U32, sign));
            b.binary(Code::Xor, bits, sign)
        }
        Class::Float => {
            let (zero, sign) = (b.float(Type::F32, 0.0), b.constant(Type::U32, sign));
            let is_zero = b.binary(Code::Eq, x, zero);
            let one = b.select(is_zero, zero, x);
            let bits = b.bitcast(one, Type::U32);
            let negative = b.binary(Code::Le, sign, bits);
            let [down, up] = [b.unary(Code::Not, bits), b.binary(Code::Xor, bits, sign)];
            b.select(negative, down, up)
        }
    }
}
