//! The kernel of each binary operation and dtype. `Greater` and `GreaterEqual` have none of
//! their own: they are `Less` and `LessEqual` with the operands exchanged.

use super::complex::binary as complex;
use super::float::{BfloatBits, FromDouble, HalfBits, Narrow, ToDouble, Widen};
use super::kernel::{Identity, Kernel, run2};
use super::through::run_widened2;
use super::unary::{float_bits, unsigned};
use super::{float, int};
use crate::types::match_dtype;
use half::{bf16, f16};
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
        Gcd => Some(run2::<int::Gcd<T>>),
        Lcm => Some(run2::<int::Lcm<T>>),
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
    // Arithmetic: float32 and float64 by themselves, the 16-bit types through float32.
    macro_rules! arithmetic {
        ($F:ident) => {
            match dtype {
                Dtype::FLOAT64 => Some(run2::<float::$F<f64>>),
                Dtype::FLOAT32 => Some(run2::<float::$F<f32>>),
                Dtype::FLOAT16 => Some(run_widened2::<Widen<f16>, float::$F<f32>, Narrow<f16>>),
                _ => Some(run_widened2::<Widen<bf16>, float::$F<f32>, Narrow<bf16>>),
            }
        };
    }
    macro_rules! test {
        ($F:ident) => {
            match dtype {
                Dtype::FLOAT64 => Some(run2::<float::$F<f64>>),
                Dtype::FLOAT32 => Some(run2::<float::$F<f32>>),
                Dtype::FLOAT16 => Some(run_widened2::<Widen<f16>, float::$F<f32>, Identity<u8>>),
                _ => Some(run_widened2::<Widen<bf16>, float::$F<f32>, Identity<u8>>),
            }
        };
    }
    // Functions: all narrow types through float64.
    macro_rules! function {
        ($Full:ident, $Short:ident) => {
            match dtype {
                Dtype::FLOAT64 => Some(run2::<float::$Full>),
                Dtype::FLOAT32 => Some(run_widened2::<ToDouble<f32>, float::$Short, FromDouble<f32>>),
                Dtype::FLOAT16 => Some(run_widened2::<ToDouble<f16>, float::$Short, FromDouble<f16>>),
                _ => Some(run_widened2::<ToDouble<bf16>, float::$Short, FromDouble<bf16>>),
            }
        };
    }
    match op {
        Add => arithmetic!(Add),
        Atan2 => function!(Atan2, ShortAtan2),
        Divide => arithmetic!(Divide),
        Equal => test!(Equal),
        FloorDivide => function!(FloorDivide, FloorDivide),
        Hypot => function!(Hypot, ShortHypot),
        Less => test!(Less),
        LessEqual => test!(LessEqual),
        Logaddexp => function!(Logaddexp, ShortLogaddexp),
        Maximum => arithmetic!(Maximum),
        Minimum => arithmetic!(Minimum),
        Multiply => arithmetic!(Multiply),
        NotEqual => test!(NotEqual),
        Pow => function!(Power, Power),
        Remainder => function!(Remainder, Remainder),
        Subtract => arithmetic!(Subtract),
        _ => None,
    }
}
