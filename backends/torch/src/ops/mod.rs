//! The ops that libtorch runs itself: those that [`crate::support`] calls native or emulated.

mod conv;
mod elementwise;
mod index;
mod layout;
mod quick;
mod reduce;
mod unsigned;

pub(crate) use layout::write_slice;
pub(crate) use quick::arithmetic;

use crate::error::Fail;
use crate::memory::{share, tensor_of, value_of};
use crate::raw;
use ivy_core::backend::{Value, Values};
use ivy_core::{Dims, Dtype, ErrorKind, Op, Result, Shape};
use smallvec::{SmallVec, smallvec};
use tch::{Device, Tensor};

/// The tensor of a result, or `None` where only the reference kernels can tell.
pub(crate) type Run = Result<Option<Tensor>, Fail>;

/// libtorch's iterators take at most 64 axes.
const MOST_AXES: usize = 60;

/// True if libtorch's ops are right for operands of these shapes: they all have elements (some
/// ops refuse arrays without) and few enough axes.
pub(crate) fn fits(operands: &[&Value]) -> bool {
    operands.iter().all(|v| v.shape.len() <= MOST_AXES && !v.shape.contains(&0))
}

/// What an op sees of its operands.
pub(crate) struct Call<'a> {
    pub(crate) function: &'static str,
    pub(crate) operands: &'a [&'a Value],
    pub(crate) tensors: SmallVec<[&'a Tensor; 3]>,
    pub(crate) device: Device,
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

    /// The first operand's shape.
    fn shape(&self) -> &Shape {
        &self.operands[0].shape
    }
}

/// True for ops whose result may be a view of the operand.
fn is_view(op: &Op) -> bool {
    use ivy_core::UnaryOp::*;
    matches!(
        op,
        Op::Unary(Real | Imag | Conj | Abs | Ceil | Floor | Round | Trunc)
            | Op::Cast { .. }
            | Op::Reshape { .. }
            | Op::BroadcastTo { .. }
            | Op::PermuteDims { .. }
            | Op::Slice { .. }
            | Op::Reduce { .. }
    )
}

/// Runs an op that is native or emulated; `None` where the operands' shapes or places keep
/// libtorch from it.
pub(crate) fn run(
    op: &Op,
    result: Dtype,
    operands: &[&Value],
    device: Device,
) -> Result<Option<Values>, Fail> {
    let function = op.name();
    let mut tensors = SmallVec::new();
    for value in operands {
        tensors.push(tensor_of(function, value)?);
    }
    let call = Call { function, operands, tensors, device };
    if let Op::Nonzero = op {
        return Ok(Some(index::nonzero(&call)?));
    }
    let tensor = match op {
        Op::Full { shape, value, .. } => layout::full(&call, result, shape, *value),
        Op::Unary(op) => elementwise::unary(&call, *op),
        Op::Binary(op) => elementwise::binary(&call, *op),
        Op::Where => Ok(Some(call.tensors[1].f_where_self(call.tensors[0], call.tensors[2])?)),
        Op::Cast { dtype } => elementwise::cast(&call, *dtype),
        Op::Reshape { shape } => layout::reshape(&call, shape),
        Op::BroadcastTo { shape } => layout::broadcast_to(&call, shape),
        Op::PermuteDims { axes } => layout::permute(&call, axes),
        Op::Slice { axes } => layout::slice(&call, axes),
        Op::Pad { axes, value } => layout::pad(&call, axes, *value),
        Op::SetSlice { axes } => layout::set_slice(&call, axes),
        Op::Concat { axis } => layout::concat(&call, *axis),
        Op::Take { axis } => index::take(&call, *axis),
        Op::TakeAlongAxis { axis } => index::take_along_axis(&call, *axis),
        Op::Reduce { op, axes, keepdims } => reduce::reduce(&call, *op, axes, *keepdims),
        Op::ArgReduce { max, axis, keepdims } => reduce::arg(&call, *max, *axis, *keepdims),
        Op::Scan { op, axis, include_initial } => reduce::scan(&call, *op, *axis, *include_initial),
        Op::Sort { axis, descending } => reduce::sort(&call, *axis, *descending),
        Op::Argsort { axis, descending } => reduce::argsort(&call, *axis, *descending),
        Op::SearchSorted { right } => reduce::search_sorted(&call, *right),
        Op::Matmul => reduce::matmul(&call),
        Op::Conv(op) => conv::conv(&call, op),
        _ => Ok(None),
    }?;
    let Some(tensor) = tensor else { return Ok(None) };
    let shape: Shape = raw::dims(&tensor).iter().map(|&n| n as usize).collect();
    let shared = is_view(op);
    if shared {
        operands.iter().for_each(|value| share(value));
    }
    Ok(Some(smallvec![value_of(result, shape, tensor, shared)]))
}

/// Axes as libtorch counts them.
fn signed_axes(axes: &[usize]) -> Dims<i64> {
    axes.iter().map(|&a| a as i64).collect()
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
