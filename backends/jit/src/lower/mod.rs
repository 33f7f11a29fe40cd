//! From operations on dtypes to statements on types: what a dtype is made of, and how each
//! operation of the trace is written in the kernel IR. What has no form here is not traced.
//!
//! float16 and bfloat16 are their bits; they are computed in float32 and rounded after each
//! operation. A complex number is two floats. All forms give the bits that the reference
//! kernels give.

mod complex;
mod convert;
mod effect;
mod float;
mod int;
mod math;
mod random;
mod rank;
mod step;
mod table;

pub use effect::{Effect, effect, is_rounded};
pub use rank::{key_bits, ranks};
pub use step::{Running, joined, running};
pub use table::supports;

use crate::ir::{Builder, Code, Id, Join, Type};
use crate::kind::Kind;
use ivy_core::{BinaryOp, Dtype, Kind as Class};
use smallvec::{SmallVec, smallvec};

/// The values that an element consists of: two of complex, else one.
pub type Parts = SmallVec<[Id; 2]>;

/// The type of an element's parts, and their number; `None` for a dtype that is not known.
pub fn memory(dtype: Dtype) -> Option<(Type, u32)> {
    Some(match dtype {
        Dtype::BOOL => (Type::Bool, 1),
        Dtype::INT8 => (Type::I8, 1),
        Dtype::INT16 => (Type::I16, 1),
        Dtype::INT32 => (Type::I32, 1),
        Dtype::INT64 => (Type::I64, 1),
        Dtype::UINT8 => (Type::U8, 1),
        Dtype::UINT16 | Dtype::FLOAT16 | Dtype::BFLOAT16 => (Type::U16, 1),
        Dtype::UINT32 => (Type::U32, 1),
        Dtype::UINT64 => (Type::U64, 1),
        Dtype::FLOAT32 => (Type::F32, 1),
        Dtype::FLOAT64 => (Type::F64, 1),
        Dtype::COMPLEX64 => (Type::F32, 2),
        Dtype::COMPLEX128 => (Type::F64, 2),
        _ => return None,
    })
}

/// Writes an operation on operands of these dtypes, whose result has the dtype `to`.
pub fn lower(b: &mut Builder, kind: Kind, to: Dtype, operands: &[(Dtype, &Parts)]) -> Option<Parts> {
    match (kind, operands) {
        (Kind::Reshape, [(_, x)]) => Some((*x).clone()),
        (Kind::Cast, [(from, x)]) => convert::cast(b, *from, to, x),
        (Kind::Rank(max), [(dtype, x), (_, index)]) => rank::rank(b, max, *dtype, x[0], index[0]),
        (Kind::Key(how), [(dtype, x)]) => rank::key(b, how, *dtype, x[0]).map(|id| smallvec![id]),
        (Kind::Random(place), [(_, number), (_, key), (_, high)]) => {
            random::word(b, place, memory(to)?.0, [number[0], key[0], high[0]]).map(|id| smallvec![id])
        }
        (Kind::Where, [(_, c), (_, x), (_, y)]) => {
            Some(x.iter().zip(y.iter()).map(|(&x, &y)| b.select(c[0], x, y)).collect())
        }
        (Kind::Unary(op), [(dtype, x)]) => match dtype.kind() {
            Class::Complex => complex::unary(b, op, *dtype, x),
            Class::Float => float::unary(b, op, *dtype, x[0]).map(|id| smallvec![id]),
            _ => int::unary(b, op, x[0]).map(|id| smallvec![id]),
        },
        (Kind::Fold(join), [(_, x), (_, y)]) => {
            Some(x.iter().zip(y.iter()).map(|(&x, &y)| joins(b, join, x, y)).collect())
        }
        (Kind::Binary(op), [(dtype, x), (_, y)]) => {
            // One form for both directions.
            let (op, x, y) = match op {
                BinaryOp::Greater => (BinaryOp::Less, y, x),
                BinaryOp::GreaterEqual => (BinaryOp::LessEqual, y, x),
                _ => (op, x, y),
            };
            match dtype.kind() {
                Class::Complex => complex::binary(b, op, x, y),
                Class::Float => float::binary(b, op, *dtype, x[0], y[0]).map(|id| smallvec![id]),
                _ => int::binary(b, op, x[0], y[0]).map(|id| smallvec![id]),
            }
        }
        _ => None,
    }
}

/// True if elements of a dtype can be folded so.
pub fn folds(join: Join, dtype: Dtype) -> bool {
    // float16 and bfloat16 are bits: what is folded is their float32.
    let small = matches!(dtype, Dtype::FLOAT16 | Dtype::BFLOAT16);
    memory(dtype).is_some_and(|(ty, parts)| !small && join.takes(ty, parts))
}

/// Two values as one, the first of which comes first in order.
fn joins(b: &mut Builder, join: Join, x: Id, y: Id) -> Id {
    let (code, [less, greater]) = match join {
        Join::Add => (Code::Add, [x, y]),
        Join::Mul => (Code::Mul, [x, y]),
        Join::And => (Code::And, [x, y]),
        Join::Or => (Code::Or, [x, y]),
        Join::Max => (Code::Lt, [y, x]),
        Join::Min => (Code::Lt, [x, y]),
    };
    let joined = b.binary(code, less, greater);
    if code != Code::Lt {
        return joined;
    }
    let mut first = joined;
    if b.ty(x).is_float() {
        let none = b.binary(Code::Ne, x, x);
        first = b.binary(Code::Or, first, none);
    }
    b.select(first, x, y)
}

/// The statement of a comparison, which all types have.
fn comparison(op: BinaryOp) -> Option<Code> {
    Some(match op {
        BinaryOp::Less => Code::Lt,
        BinaryOp::LessEqual => Code::Le,
        BinaryOp::Equal => Code::Eq,
        BinaryOp::NotEqual => Code::Ne,
        _ => return None,
    })
}
