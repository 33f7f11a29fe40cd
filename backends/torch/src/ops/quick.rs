//! The shortest way to libtorch's arithmetic, for small arrays: no support table, no collected
//! operands. What is done here is what the longer way does for the same operands.

use crate::memory::{TensorData, value_of};
use ivy_core::backend::Value;
use ivy_core::{BinaryOp, Dtype, Op};
use std::sync::Arc;

/// Sum, difference, product or quotient of two float arrays of one shape; `None` for all else,
/// and whatever is an error.
#[inline]
pub(crate) fn arithmetic(op: &Op, operands: &[&Value]) -> Option<Value> {
    let (Op::Binary(op), &[a, b]) = (op, operands) else { return None };
    let own = matches!(a.dtype, Dtype::FLOAT32 | Dtype::FLOAT64) && a.dtype == b.dtype;
    if !own || a.shape != b.shape {
        return None;
    }
    let (x, y) = (&a.data::<Arc<TensorData>>()?.tensor, &b.data::<Arc<TensorData>>()?.tensor);
    let result = match op {
        BinaryOp::Add => x.f_add(y),
        BinaryOp::Subtract => x.f_sub(y),
        BinaryOp::Multiply => x.f_mul(y),
        BinaryOp::Divide => x.f_div(y),
        _ => return None,
    };
    Some(value_of(a.dtype, a.shape.clone(), result.ok()?, false))
}
