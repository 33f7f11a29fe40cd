//! Which ops of the functional API's plans the engine does itself.

use super::creation::counts;
use super::reduction;
use crate::lower;
use crate::trace::Kind;
use ivy_core::backend::{Storage, Support, Value};
use ivy_core::{Dtype, Kind as Class, Op};

const ON_HOST: &str = "the reference kernels compute it on the same memory";

/// How a dtype is kept: every one as the elements that the kernels read.
pub(crate) fn storage(dtype: Dtype) -> Storage {
    match lower::memory(dtype) {
        Some(_) => Storage::Native { name: dtype.name() },
        None => Storage::None,
    }
}

/// The trace's form of an op, and the dtype that it is asked about.
pub(crate) fn traced(op: &Op, operands: &[Dtype]) -> Option<(Kind, Dtype)> {
    let kind = match op {
        Op::Unary(op) => Kind::Unary(*op),
        Op::Binary(op) => Kind::Binary(*op),
        Op::Where => Kind::Where,
        Op::Cast { .. } => Kind::Cast,
        _ => return None,
    };
    let about = if kind == Kind::Where { operands.get(1) } else { operands.first() };
    about.map(|&dtype| (kind, dtype))
}

/// True for the ops that only say how memory is walked.
pub(crate) fn is_layout(op: &Op) -> bool {
    matches!(op, Op::Reshape { .. } | Op::BroadcastTo { .. } | Op::PermuteDims { .. } | Op::Slice { .. })
}

/// How an op runs on operands of these dtypes.
pub(crate) fn support(op: &Op, operands: &[Dtype]) -> Support {
    let Some(result) = op.result_dtype(operands) else {
        return Support::Unsupported("the primitive does not take these dtypes");
    };
    if operands.iter().chain([&result]).any(|&d| lower::memory(d).is_none()) {
        return Support::Unsupported("there is no storage for the dtype");
    }
    match traced(op, operands) {
        Some((kind, from)) if lower::supports(kind, from, result) => Support::Native,
        None if reduces(op, operands) || searches(op, operands) => Support::Native,
        // Those of other numbers are the reference kernels'.
        None if *op == Op::Matmul && operands[0].kind() == Class::Float => Support::Native,
        None if is_layout(op) || gathers(op) || matches!(op, Op::Full { .. } | Op::Pad { .. }) => {
            Support::Native
        }
        None if counts(op) || matches!(op, Op::RandomBits { .. }) => Support::Native,
        _ => Support::Host(ON_HOST),
    }
}

/// True for the ops that read elements at indices.
pub(crate) fn gathers(op: &Op) -> bool {
    matches!(op, Op::Take { .. } | Op::TakeAlongAxis { .. } | Op::Gather { axes: 1.. })
}

/// True for the ops of the reference kernels that wait until their result is read.
pub(crate) fn waits(op: &Op) -> bool {
    matches!(op, Op::Scatter { .. } | Op::Scan { .. })
}

/// True for the ops of the reference kernels that wait while a function is recorded which gives them
/// operands: what they give has a shape that is known before, and so has what they refuse.
pub(crate) fn waits_recorded(op: &Op, operands: &[&Value]) -> bool {
    match (op, operands) {
        (Op::Sort { .. } | Op::Argsort { .. }, _) => true,
        (Op::Matmul, [a, b]) => {
            let (rows, columns) = (a.shape.last(), b.shape.iter().rev().nth(1).or(b.shape.last()));
            rows.is_some() && rows == columns
        }
        _ => false,
    }
}

/// True for the ops of the reference kernels that are called at once while a function is recorded which
/// gives them operands: how many elements they give does not depend on elements.
pub(crate) fn steps_recorded(op: &Op) -> bool {
    matches!(
        op,
        Op::Concat { .. }
            | Op::SetSlice { .. }
            | Op::SearchSorted { .. }
            | Op::Exchange { .. }
            | Op::Conv(_)
            | Op::Fft { .. }
            | Op::Linalg(_)
            | Op::RandomBits { .. }
    )
}

fn searches(op: &Op, operands: &[Dtype]) -> bool {
    matches!((op, operands), (Op::ArgReduce { .. }, &[dtype]) if dtype.kind() != Class::Complex)
}

fn reduces(op: &Op, operands: &[Dtype]) -> bool {
    match (op, operands) {
        (Op::Reduce { op, .. }, &[dtype]) => reduction::plan(*op, dtype).is_some(),
        _ => false,
    }
}
