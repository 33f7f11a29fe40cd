//! How far elementary functions are from the truth, in units in the last place (ULP): over
//! samples of all magnitudes and all edges, or over every float32 there is.

mod arguments;
mod measure;

pub use arguments::Arguments;
pub use measure::{Measured, Wrong, measure};

use ivy_core::{BinaryOp, Op, UnaryOp};

/// The functions of one operand that are measured.
pub const UNARY: &[UnaryOp] = &[
    UnaryOp::Acos,
    UnaryOp::Acosh,
    UnaryOp::Asin,
    UnaryOp::Asinh,
    UnaryOp::Atan,
    UnaryOp::Atanh,
    UnaryOp::Cos,
    UnaryOp::Cosh,
    UnaryOp::Digamma,
    UnaryOp::Erf,
    UnaryOp::Erfc,
    UnaryOp::Exp,
    UnaryOp::Expm1,
    UnaryOp::Lgamma,
    UnaryOp::Log,
    UnaryOp::Log10,
    UnaryOp::Log1p,
    UnaryOp::Log2,
    UnaryOp::Sin,
    UnaryOp::Sinh,
    UnaryOp::Sqrt,
    UnaryOp::Tan,
    UnaryOp::Tanh,
];

/// The functions of two operands that are measured.
pub const BINARY: &[BinaryOp] = &[BinaryOp::Atan2, BinaryOp::Hypot, BinaryOp::Logaddexp, BinaryOp::Pow];

/// The op of a measured function's name.
pub fn op(name: &str) -> Option<Op> {
    let unary = UNARY.iter().find(|op| op.name() == name).map(|&op| Op::Unary(op));
    unary.or_else(|| BINARY.iter().find(|op| op.name() == name).map(|&op| Op::Binary(op)))
}
