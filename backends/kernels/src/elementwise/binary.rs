//! The kernel of each binary operation and dtype. `Greater` and `GreaterEqual` have none of
//! their own: they are `Less` and `LessEqual` with the operands exchanged.

use super::complex::binary as complex;
use super::float::{BfloatBits, HalfBits};
use super::kernel::{Kernel, run2};
use super::unary::{float_bits, unsigned};
use super::{float, int};
use crate::types::match_dtype;
use ivy_core::BinaryOp;
use ivy_core::{Dtype, Kind};

type Found = Option<Kernel<2>>;

/// The kernel, or `None` if the operation does not take the dtype.
pub(super) fn kernel(op: BinaryOp, dtype: Dtype) -> Found {
    match dtype.kind() {
        Kind::Float => of_floats(op, dtype),
        Kind::Int | Kind::Uint => of_integers(op, dtype),
        Kind::Complex => complex::kernel(op, dtype),
        Kind::Bool => of_bools(op),
    }
}

fn of_bools(op: BinaryOp) -> Found {
    use ivy_core::BinaryOp::*;
    Some(match op {
        Add | BitwiseOr | LogicalOr => run2::<int::Or<u8>>,
        Multiply | BitwiseAnd | LogicalAnd => run2::<int::And<u8>>,
        BitwiseXor | LogicalXor | NotEqual => run2::<int::Xor<u8>>,
        Equal => run2::<int::Equal<u8>>,
        Less => run2::<int::Less<u8>>,
        LessEqual => run2::<int::LessEqual<u8>>,
        _ => return None,
    })
}

fn of_integers(op: BinaryOp, dtype: Dtype) -> Found {
    use ivy_core::BinaryOp::*;
    // The low bits of these do not depend on how the sign is read.
    let unsigned: Found = unsigned!(dtype, T => match op {
        Add => Some(run2::<int::Add<T>>),
        Subtract => Some(run2::<int::Subtract<T>>),
        Multiply => Some(run2::<int::Multiply<T>>),
        BitwiseAnd => Some(run2::<int::And<T>>),
        BitwiseOr => Some(run2::<int::Or<T>>),
        BitwiseXor => Some(run2::<int::Xor<T>>),
        BitwiseLeftShift => Some(run2::<int::ShiftLeft<T>>),
        Equal => Some(run2::<int::Equal<T>>),
        NotEqual => Some(run2::<int::NotEqual<T>>),
        _ => None,
    });
    if unsigned.is_some() {
        return unsigned;
    }
    match_dtype!(dtype, int, T => match op {
        BitwiseRightShift => Some(run2::<int::ShiftRight<T>>),
        FloorDivide => Some(run2::<int::FloorDivide<T>>),
        Less => Some(run2::<int::Less<T>>),
        LessEqual => Some(run2::<int::LessEqual<T>>),
        Maximum => Some(run2::<int::Maximum<T>>),
        Minimum => Some(run2::<int::Minimum<T>>),
        Pow => Some(run2::<int::Power<T>>),
        Remainder => Some(run2::<int::Remainder<T>>),
        _ => None,
    }, else => None)
}

fn of_floats(op: BinaryOp, dtype: Dtype) -> Found {
    use ivy_core::BinaryOp::*;
    match op {
        Copysign => return float_bits!(dtype, B => Some(run2::<float::Copysign<B>>)),
        Nextafter => return float_bits!(dtype, B => Some(run2::<float::Nextafter<B>>)),
        _ => {}
    }
    match_dtype!(dtype, float, T => match op {
        Add => Some(run2::<float::Add<T>>),
        Atan2 => Some(run2::<float::Atan2<T>>),
        Divide => Some(run2::<float::Divide<T>>),
        Equal => Some(run2::<float::Equal<T>>),
        FloorDivide => Some(run2::<float::FloorDivide<T>>),
        Hypot => Some(run2::<float::Hypot<T>>),
        Less => Some(run2::<float::Less<T>>),
        LessEqual => Some(run2::<float::LessEqual<T>>),
        Logaddexp => Some(run2::<float::Logaddexp<T>>),
        Maximum => Some(run2::<float::Maximum<T>>),
        Minimum => Some(run2::<float::Minimum<T>>),
        Multiply => Some(run2::<float::Multiply<T>>),
        NotEqual => Some(run2::<float::NotEqual<T>>),
        Pow => Some(run2::<float::Power<T>>),
        Remainder => Some(run2::<float::Remainder<T>>),
        Subtract => Some(run2::<float::Subtract<T>>),
        _ => None,
    }, else => None)
}
