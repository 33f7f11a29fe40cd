//! Ops as nodes keep them: in few bytes, since a node is moved into its place when it is made, and an op is as large as the
//! arguments of a convolution are.

use ivy_core::{BinaryOp, Dtype, Op, UnaryOp};
use std::sync::Arc;

/// An op that a node keeps: those that programs are mostly made of need no memory of their own.
#[derive(Clone)]
pub(super) enum KeptOp {
    /// [`Op::Unary`].
    Unary(UnaryOp),
    /// [`Op::Binary`].
    Binary(BinaryOp),
    /// [`Op::Where`].
    Where,
    /// [`Op::Cast`].
    Cast(Dtype),
    /// The identity, of an operand of this dtype: a cast to that.
    Copy(Dtype),
    /// Any other.
    Other(Arc<Op>),
}

impl KeptOp {
    /// The op's name in the core; the identity's is `clone`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            KeptOp::Copy(_) => "clone",
            other => other.with(Op::name),
        }
    }

    /// Calls a function with the op.
    pub(super) fn with<T>(&self, f: impl FnOnce(&Op) -> T) -> T {
        match self {
            KeptOp::Unary(op) => f(&Op::Unary(*op)),
            KeptOp::Binary(op) => f(&Op::Binary(*op)),
            KeptOp::Where => f(&Op::Where),
            KeptOp::Cast(dtype) | KeptOp::Copy(dtype) => f(&Op::Cast { dtype: *dtype }),
            KeptOp::Other(op) => f(op),
        }
    }
}

impl From<&Op> for KeptOp {
    #[inline]
    fn from(op: &Op) -> KeptOp {
        match op {
            Op::Unary(op) => KeptOp::Unary(*op),
            Op::Binary(op) => KeptOp::Binary(*op),
            Op::Where => KeptOp::Where,
            Op::Cast { dtype } => KeptOp::Cast(*dtype),
            other => KeptOp::Other(Arc::new(other.clone())),
        }
    }
}
