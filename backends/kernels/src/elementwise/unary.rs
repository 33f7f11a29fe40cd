//! The kernel of each unary operation and dtype.

use super::complex::unary as complex;
use super::float::{BfloatBits, HalfBits};
use super::int::Constant;
use super::kernel::{Identity, Kernel, run1};
use super::{float, int};
use crate::types::{match_dtype, match_width};
use ivy_core::UnaryOp;
use ivy_core::{Dtype, Kind};

type Found = Option<Kernel<1>>;

/// The kernel, or `None` if the operation does not take the dtype.
pub(super) fn kernel(op: UnaryOp, dtype: Dtype) -> Found {
    match dtype.kind() {
        Kind::Float => of_floats(op, dtype),
        Kind::Int => of_signed(op, dtype),
        Kind::Uint => of_integers(op, dtype),
        Kind::Complex => complex::kernel(op, dtype),
        Kind::Bool => match op {
            UnaryOp::LogicalNot | UnaryOp::BitwiseInvert => Some(run1::<int::LogicalNot>),
            _ => None,
        },
    }
}

/// Runs an expression with the unsigned type of an integer dtype's width.
macro_rules! unsigned {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype.bytes() {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            _ => {
                type $T = u64;
                $body
            }
        }
    };
}
pub(super) use unsigned;

/// Runs an expression with the type of a float dtype's bits.
macro_rules! float_bits {
    ($dtype:expr, $B:ident => $body:expr) => {
        match $dtype {
            ivy_core::Dtype::BFLOAT16 => {
                type $B = BfloatBits;
                $body
            }
            ivy_core::Dtype::FLOAT16 => {
                type $B = HalfBits;
                $body
            }
            ivy_core::Dtype::FLOAT32 => {
                type $B = u32;
                $body
            }
            _ => {
                type $B = u64;
                $body
            }
        }
    };
}
pub(super) use float_bits;

fn copy(dtype: Dtype) -> Found {
    match_width!(dtype.bytes(), T => Some(run1::<Identity<T>> as Kernel<1>), else => None)
}

fn of_signed(op: UnaryOp, dtype: Dtype) -> Found {
    macro_rules! signed {
        ($F:ident) => {
            match dtype.bytes() {
                1 => Some(run1::<int::$F<i8>>),
                2 => Some(run1::<int::$F<i16>>),
                4 => Some(run1::<int::$F<i32>>),
                _ => Some(run1::<int::$F<i64>>),
            }
        };
    }
    match op {
        UnaryOp::Abs => signed!(Abs),
        UnaryOp::Sign => signed!(Sign),
        _ => of_integers(op, dtype),
    }
}

fn of_integers(op: UnaryOp, dtype: Dtype) -> Found {
    use ivy_core::UnaryOp::*;
    unsigned!(dtype, T => match op {
        Abs | Ceil | Conj | Floor | Real | Round | Trunc => copy(dtype),
        BitwiseInvert => Some(run1::<int::Invert<T>>),
        IsFinite => Some(run1::<Constant<T, 1>>),
        IsInf | IsNan => Some(run1::<Constant<T, 0>>),
        Negative => Some(run1::<int::Negative<T>>),
        Sign => Some(run1::<int::Sign<T>>),
        Square => Some(run1::<int::Square<T>>),
        _ => None,
    })
}

fn of_floats(op: UnaryOp, dtype: Dtype) -> Found {
    use ivy_core::UnaryOp::*;
    match op {
        Abs => return float_bits!(dtype, B => Some(run1::<float::Abs<B>>)),
        Negative => return float_bits!(dtype, B => Some(run1::<float::Negative<B>>)),
        Signbit => return float_bits!(dtype, B => Some(run1::<float::Signbit<B>>)),
        Conj | Real => return copy(dtype),
        _ => {}
    }
    match_dtype!(dtype, float, T => match op {
        Acos => Some(run1::<float::Acos<T>>),
        Acosh => Some(run1::<float::Acosh<T>>),
        Asin => Some(run1::<float::Asin<T>>),
        Asinh => Some(run1::<float::Asinh<T>>),
        Atan => Some(run1::<float::Atan<T>>),
        Atanh => Some(run1::<float::Atanh<T>>),
        Ceil => Some(run1::<float::Ceil<T>>),
        Cos => Some(run1::<float::Cos<T>>),
        Cosh => Some(run1::<float::Cosh<T>>),
        Exp => Some(run1::<float::Exp<T>>),
        Expm1 => Some(run1::<float::Expm1<T>>),
        Floor => Some(run1::<float::Floor<T>>),
        IsFinite => Some(run1::<float::IsFinite<T>>),
        IsInf => Some(run1::<float::IsInf<T>>),
        IsNan => Some(run1::<float::IsNan<T>>),
        Log => Some(run1::<float::Log<T>>),
        Log1p => Some(run1::<float::Log1p<T>>),
        Log2 => Some(run1::<float::Log2<T>>),
        Log10 => Some(run1::<float::Log10<T>>),
        Reciprocal => Some(run1::<float::Reciprocal<T>>),
        Round => Some(run1::<float::Round<T>>),
        Sign => Some(run1::<float::Sign<T>>),
        Sin => Some(run1::<float::Sin<T>>),
        Sinh => Some(run1::<float::Sinh<T>>),
        Square => Some(run1::<float::Square<T>>),
        Sqrt => Some(run1::<float::Sqrt<T>>),
        Tan => Some(run1::<float::Tan<T>>),
        Tanh => Some(run1::<float::Tanh<T>>),
        Trunc => Some(run1::<float::Trunc<T>>),
        _ => None,
    }, else => None)
}
