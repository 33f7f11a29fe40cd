//! The shortest way to libtorch's arithmetic, for small arrays: no support table, no collected
//! operands. What is done here is what the longer way does for the same operands.

use crate::memory::TensorData;
use ivy_core::backend::Value;
use ivy_core::{BinaryOp, Dtype, Op};
use tch::{TchError, Tensor};

/// Sum, difference, product or quotient of two float arrays of one shape; `None` for all else.
#[inline]
pub(crate) fn arithmetic(op: &Op, operands: &[&Value]) -> Option<Result<Tensor, TchError>> {
    let (Op::Binary(op), [a, b]) = (op, operands) else { return None };
    let own = matches!(a.dtype, Dtype::FLOAT32 | Dtype::FLOAT64) && a.dtype == b.dtype;
    if !own || a.shape[..] != b.shape[..] {
        return None;
    }
    let (a, b) = (&a.data::<TensorData>()?.tensor, &b.data::<TensorData>()?.tensor);
    Some(match op {
        BinaryOp::Add => a.f_add(b),
        BinaryOp::Subtract => a.f_sub(b),
        BinaryOp::Multiply => a.f_mul(b),
        BinaryOp::Divide => a.f_div(b),
        _ => return None,
    })
}
