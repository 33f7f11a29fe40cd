//! The shortest way to candle's arithmetic, for small arrays: no support table, no collected
//! operands. What is done here is what the longer way does for the same operands.

use super::MOST_AXES;
use crate::memory::{room, value_of};
use candle_core::Tensor;
use ivy_core::backend::Value;
use ivy_core::{BinaryOp, Dtype, Op};

/// Sum, difference, product or quotient of two float arrays of one shape; `None` for all else,
/// and whatever is an error.
#[inline]
pub(crate) fn arithmetic(op: &Op, operands: &[&Value]) -> Option<Value> {
    let (Op::Binary(op), &[a, b]) = (op, operands) else { return None };
    let own = matches!(a.dtype, Dtype::FLOAT32 | Dtype::FLOAT64) && a.dtype == b.dtype;
    if !own || a.shape != b.shape || a.shape.len() > MOST_AXES || a.shape.contains(&0) {
        return None;
    }
    let (x, y) = (a.data::<Tensor>()?, b.data::<Tensor>()?);
    // Without memory, the longer way says so.
    room("arithmetic", [(a.dtype, &a.shape)]).ok()?;
    let result = match op {
        BinaryOp::Add => x.add(y),
        BinaryOp::Subtract => x.sub(y),
        BinaryOp::Multiply => x.mul(y),
        BinaryOp::Divide => x.div(y),
        _ => return None,
    };
    Some(value_of(a.dtype, a.shape.clone(), result.ok()?))
}
