//! Linear ops transposed: from the cotangent of a result to that of the operand that it is linear in.
//!
//! The pairing is bilinear, without conjugates: that of a cotangent `c` and a tangent `t` is the real part of
//! the sum of `c t`. So gradients with respect to complex numbers follow JAX's convention.

mod algebra;
mod elements;
mod movement;

use super::linear::Operand;
use crate::{Array, BinaryOp, Op, ReduceOp, Result, ScanOp, ScatterOp, UnaryOp};
use smallvec::SmallVec;

/// One cotangent an operand; `None` of what is known.
pub(super) type Cotangents = SmallVec<[Option<Array>; 3]>;

/// True if an op is linear in the operands that are marked, taken together.
pub(super) fn is_linear(op: &Op, noted: &[bool]) -> bool {
    let only = |i: usize| noted.iter().enumerate().all(|(k, &n)| n == (k == i));
    let none_from = |i: usize| noted[i..].iter().all(|&n| !n);
    match op {
        Op::Unary(UnaryOp::Negative | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Conj) => true,
        Op::Binary(BinaryOp::Add | BinaryOp::Subtract) => noted.iter().all(|&n| n),
        Op::Binary(BinaryOp::Multiply) => only(0) || only(1),
        Op::Binary(BinaryOp::Divide) => only(0),
        Op::Where => !noted[0],
        Op::Cast { dtype } => dtype.is_float() || dtype.is_complex(),
        Op::Reshape { .. } | Op::BroadcastTo { .. } | Op::PermuteDims { .. } | Op::Slice { .. } => true,
        Op::Pad { value, .. } => !value.to_bool(),
        Op::SetSlice { .. } | Op::Concat { .. } => true,
        Op::Take { .. } | Op::TakeAlongAxis { .. } | Op::Gather { .. } => none_from(1),
        Op::Scatter { op: ScatterOp::Set | ScatterOp::Add, .. } => none_from(2),
        Op::Scatter { op: ScatterOp::Mul, .. } => none_from(1),
        Op::Reduce { op: ReduceOp::Sum | ReduceOp::Mean, .. } => true,
        Op::Scan { op: ScanOp::Sum, .. } => true,
        Op::Matmul | Op::Conv(_) => only(0) || only(1),
        Op::Fft { .. } => true,
        Op::Linalg(op) => op.solves() && only(1),
        _ => false,
    }
}

/// The operands' cotangents, of the result's one, for an op that is linear in those that are noted.
pub(super) fn transpose(op: &Op, operands: &[Operand], cotangent: &Array) -> Result<Cotangents> {
    match op {
        Op::Unary(_) | Op::Binary(_) | Op::Where | Op::Cast { .. } => {
            elements::transpose(op, operands, cotangent)
        }
        Op::Reduce { .. } | Op::Scan { .. } | Op::Matmul | Op::Conv(_) | Op::Fft { .. } | Op::Linalg(_) => {
            algebra::transpose(op, operands, cotangent)
        }
        _ => movement::transpose(op, operands, cotangent),
    }
}

/// What is asked of an op that [`is_linear`] refuses: nothing is noted of one.
fn not_linear(op: &Op) -> ! {
    unreachable!("`{}` is not linear, and was not noted", op.name())
}
