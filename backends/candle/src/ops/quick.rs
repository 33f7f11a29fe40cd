//! The shortest way to candle's arithmetic, for small arrays: no support table, no collected
//! operands. What is done here is what the longer way does for the same operands.

use super::MOST_AXES;
use crate::TensorData;
use candle_core::Tensor;
use ivy_core::backend::Value;
use ivy_core::{BinaryOp, Dtype, Op};

/// Sum, difference, product or quotient of two float arrays of one shape; `None` for all else.
#[inline]
pub(crate) fn arithmetic(op: &Op, operands: &[&Value]) -> Option<candle_core::Result<Tensor>> {
    let (Op::Binary(op), [a, b]) = (op, operands) else { return None };
    let own = matches!(a.dtype, Dtype::FLOAT32 | Dtype::FLOAT64) && a.dtype == b.dtype;
    if !own || a.shape[..] != b.shape[..] || a.shape.len() > MOST_AXES || a.shape.contains(&0) {
        return None;
    }
    let (a, b) = (&a.data::<TensorData>()?.0, &b.data::<TensorData>()?.0);
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Subtract => a.sub(b),
        BinaryOp::Multiply => a.mul(b),
        BinaryOp::Divide => a.div(b),
        _ => return None,
    })
}
