//! The kernel of each unary operation and dtype.

use super::complex::unary as complex;
use super::float::{BfloatBits, FromDouble, Fused, HalfBits, Narrow, ToDouble, Widen, full, short};
use super::int::Constant;
use super::kernel::{Identity, Kernel, run1};
use super::through::{run_chain, run_widened1};
use super::{float, int, tanh};
use crate::types::match_width;
use half::{bf16, f16};
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
    // Arithmetic: float32 and float64 by themselves, the 16-bit types through float32.
    macro_rules! arithmetic {
        ($F:ident) => {
            match dtype {
                Dtype::FLOAT64 => Some(run1::<float::$F<f64>>),
                Dtype::FLOAT32 => Some(run1::<float::$F<f32>>),
                Dtype::FLOAT16 => Some(run_widened1::<Widen<f16>, float::$F<f32>, Narrow<f16>>),
                _ => Some(run_widened1::<Widen<bf16>, float::$F<f32>, Narrow<bf16>>),
            }
        };
    }
    macro_rules! test {
        ($F:ident) => {
            match dtype {
                Dtype::FLOAT64 => Some(run1::<float::$F<f64>>),
                Dtype::FLOAT32 => Some(run1::<float::$F<f32>>),
                Dtype::FLOAT16 => Some(run_chain::<Widen<f16>, float::$F<f32>>),
                _ => Some(run_chain::<Widen<bf16>, float::$F<f32>>),
            }
        };
    }
    // Functions: all narrow types through float64.
    macro_rules! function {
        ($F:ident) => {
            function!($F, run_widened1::<ToDouble<f32>, short::$F, FromDouble<f32>>)
        };
        (fused $F:ident) => {
            function!($F, run1::<Fused<f32, short::$F>>)
        };
        ($F:ident, $of_float32:expr) => {
            match dtype {
                Dtype::FLOAT64 => Some(run1::<full::$F>),
                Dtype::FLOAT32 => Some($of_float32),
                Dtype::FLOAT16 => Some(run_widened1::<ToDouble<f16>, short::$F, FromDouble<f16>>),
                _ => Some(run_widened1::<ToDouble<bf16>, short::$F, FromDouble<bf16>>),
            }
        };
    }
    match op {
        Acos => function!(Acos),
        Acosh => function!(Acosh),
        Asin => function!(Asin),
        Asinh => function!(Asinh),
        Atan => function!(Atan),
        Atanh => function!(Atanh),
        Ceil => arithmetic!(Ceil),
        Cos => function!(Cos),
        Cosh => function!(Cosh),
        Digamma => function!(Digamma),
        Erf => function!(Erf),
        Erfc => function!(Erfc),
        Exp => function!(Exp, run1::<float::SingleExp>),
        Expm1 => function!(Expm1),
        Floor => arithmetic!(Floor),
        IsFinite => test!(IsFinite),
        IsInf => test!(IsInf),
        IsNan => test!(IsNan),
        Lgamma => function!(Lgamma),
        Log => function!(fused Log),
        Log1p => function!(Log1p),
        Log2 => function!(Log2),
        Log10 => function!(Log10),
        Reciprocal => arithmetic!(Reciprocal),
        Round => arithmetic!(Round),
        Sign => arithmetic!(Sign),
        Sin => function!(Sin),
        Sinh => function!(Sinh),
        Square => arithmetic!(Square),
        Sqrt => arithmetic!(Sqrt),
        Tan => function!(Tan),
        Tanh => function!(Tanh, tanh::run),
        Trunc => arithmetic!(Trunc),
        _ => None,
    }
}
