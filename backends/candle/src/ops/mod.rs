//! The ops that candle runs itself: those that [`crate::support`] calls native or emulated.

mod elementwise;
mod index;
mod layout;
mod quick;
mod reduce;

pub(crate) use quick::arithmetic;

use crate::error::Fail;
use crate::memory::{tensor_of, value_of};
use crate::stored::{Form, stored};
use candle_core::{Device, Tensor};
use ivy_core::backend::Value;
use ivy_core::{Dtype, ErrorKind, Op, Result, Shape};
use smallvec::SmallVec;

/// The tensor of a result, or `None` where only the reference kernels can tell.
pub(crate) type Run = Result<Option<Tensor>, Fail>;

/// candle walks at most eight axes at once, and a pair takes one of them.
const MOST_AXES: usize = 7;

/// True if candle's ops are right for operands of these shapes: they all have elements (candle
/// skips some checks, and fails on others, where there are none) and few enough axes.
pub(crate) fn fits(operands: &[&Value]) -> bool {
    operands.iter().all(|v| v.shape.len() <= MOST_AXES && !v.shape.contains(&0))
}

/// What an op sees of its operands.
pub(crate) struct Call<'a> {
    pub(crate) function: &'static str,
    pub(crate) operands: &'a [&'a Value],
    pub(crate) tensors: SmallVec<[&'a Tensor; 3]>,
    pub(crate) device: &'a Device,
}

impl Call<'_> {
    /// The first operand's tensor.
    fn x(&self) -> &Tensor {
        self.tensors[0]
    }

    /// The first operand's dtype.
    fn dtype(&self) -> Dtype {
        self.operands[0].dtype
    }

    /// The first operand's logical shape.
    fn shape(&self) -> &Shape {
        &self.operands[0].shape
    }

    /// The form in which the first operand is stored.
    fn form(&self) -> Form {
        stored(self.dtype()).map_or(Form::Native, |s| s.form)
    }
}

/// Runs an op that is native or emulated; `None` where the operands' shapes or places keep
/// candle from it.
pub(crate) fn run(
    op: &Op,
    result: Dtype,
    operands: &[&Value],
    device: &Device,
) -> Result<Option<Value>, Fail> {
    let function = op.name();
    let mut tensors = SmallVec::new();
    for value in operands {
        tensors.push(tensor_of(function, value)?);
    }
    let call = Call { function, operands, tensors, device };
    let tensor = match op {
        Op::Full { shape, value, .. } => layout::full(&call, result, shape, *value),
        Op::Unary(op) => elementwise::unary(&call, *op),
        Op::Binary(op) => elementwise::binary(&call, *op),
        Op::Where => elementwise::choose(&call),
        Op::Cast { dtype } => elementwise::cast(&call, *dtype),
        Op::Reshape { shape } => layout::reshape(&call, shape),
        Op::BroadcastTo { shape } => layout::broadcast_to(&call, shape),
        Op::PermuteDims { axes } => layout::permute(&call, axes),
        Op::Slice { axes } => layout::slice(&call, axes),
        Op::Pad { axes, value } => layout::pad(&call, axes, *value),
        Op::Concat { axis } => layout::concat(&call, *axis),
        Op::Take { axis } => index::take(&call, *axis),
        Op::TakeAlongAxis { axis } => index::take_along_axis(&call, *axis),
        Op::Reduce { op, axes, keepdims } => reduce::reduce(&call, *op, axes, *keepdims),
        Op::ArgReduce { max, axis, keepdims } => reduce::arg(&call, *max, *axis, *keepdims),
        Op::Sort { axis, descending } => reduce::sort(&call, *axis, *descending),
        Op::Matmul => reduce::matmul(&call),
        _ => Ok(None),
    }?;
    let Some(tensor) = tensor else { return Ok(None) };
    let pair = stored(result).is_some_and(|s| s.form == Form::Pair);
    let dims = tensor.dims();
    let shape = Shape::from(&dims[..dims.len() - usize::from(pair)]);
    Ok(Some(value_of(result, shape, tensor)))
}

/// The error for an operand shape that no plan lets through.
#[cold]
fn mismatch(call: &Call<'_>, expected: &str) -> Fail {
    let kind = ErrorKind::ShapeMismatch {
        function: call.function,
        argument: "operand",
        expected: expected.into(),
        actual: call.shape().clone(),
    };
    Fail::Ivy(kind.into())
}
