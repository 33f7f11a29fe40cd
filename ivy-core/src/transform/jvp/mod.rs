//! The derivative of each op: how its results change with its operands.
//!
//! Rules call linear ops on tangents and any on primals, so that reverse mode can transpose what they do and
//! that derivatives of derivatives are those of the ops that they call. Operands without a tangent, and
//! integers and bools, do not change.

mod binary;
mod det;
mod linalg;
mod movement;
mod reduce;
mod scan;
mod scatter;
mod special;
mod unary;

use super::refused;
use crate::{Array, Dtype, Op, Result, Shape};
use smallvec::{SmallVec, smallvec};
use std::cell::OnceCell;

/// The tangents of an op's results; `None` where nothing changes.
pub(super) type Tangents = SmallVec<[Option<Array>; 1]>;

/// The results of an op, of which a rule may need dtypes and shapes alone.
pub(super) enum Results<'a> {
    /// Those that were computed.
    Known(&'a [Array]),
    /// Those that are computed when a rule asks for their elements.
    Computed {
        kinds: SmallVec<[(Dtype, Shape); 1]>,
        arrays: OnceCell<SmallVec<[Array; 1]>>,
        compute: &'a dyn Fn() -> Result<SmallVec<[Array; 1]>>,
    },
}

impl Results<'_> {
    /// All of them.
    fn all(&self) -> Result<&[Array]> {
        match self {
            Results::Known(arrays) => Ok(arrays),
            Results::Computed { arrays, compute, .. } => match arrays.get() {
                Some(arrays) => Ok(arrays),
                None => {
                    let made = compute()?;
                    Ok(arrays.get_or_init(|| made))
                }
            },
        }
    }

    /// Result `i`.
    fn get(&self, i: usize) -> Result<&Array> {
        Ok(&self.all()?[i])
    }

    fn len(&self) -> usize {
        match self {
            Results::Known(arrays) => arrays.len(),
            Results::Computed { kinds, .. } => kinds.len(),
        }
    }

    fn dtype(&self, i: usize) -> Dtype {
        match self {
            Results::Known(arrays) => arrays[i].dtype(),
            Results::Computed { kinds, .. } => kinds[i].0,
        }
    }

    fn shape(&self, i: usize) -> &Shape {
        match self {
            Results::Known(arrays) => arrays[i].shape(),
            Results::Computed { kinds, .. } => &kinds[i].1,
        }
    }
}

/// An op with its operands, their tangents and its results.
pub(super) struct Linearized<'a> {
    op: &'a Op,
    x: &'a [&'a Array],
    t: &'a [Option<&'a Array>],
    y: &'a Results<'a>,
}

impl Linearized<'_> {
    /// The tangent of operand `i`, zeros if it has none.
    fn tangent(&self, i: usize) -> Result<Array> {
        match self.t[i] {
            Some(t) => Ok(t.clone()),
            None => super::ops::zeros_like(self.x[i]),
        }
    }

    /// The error of an op that has no derivative.
    fn none(&self, remedy: &'static str) -> Result<Tangents> {
        Err(refused(self.op.name(), "jvp", "has no derivative of this function", remedy))
    }
}

fn changes(dtype: Dtype) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// The tangents of an op's results, of those of its operands, one of which has one.
pub(super) fn jvp(op: &Op, x: &[&Array], t: &[Option<&Array>], y: &Results<'_>) -> Result<Tangents> {
    // What is no float changes in steps.
    if !(0..y.len()).any(|i| changes(y.dtype(i))) {
        return Ok(smallvec![None; y.len()]);
    }
    let call = Linearized { op, x, t, y };
    match op {
        Op::Unary(op) => Ok(smallvec![unary::jvp(*op, &call)?]),
        Op::Binary(op) => Ok(smallvec![binary::jvp(*op, &call)?]),
        Op::Full { .. } | Op::Arange { .. } | Op::Linspace { .. } | Op::Eye { .. } => {
            Ok(smallvec![None; y.len()])
        }
        Op::Where
        | Op::Cast { .. }
        | Op::Reshape { .. }
        | Op::BroadcastTo { .. }
        | Op::PermuteDims { .. }
        | Op::Slice { .. }
        | Op::Pad { .. }
        | Op::SetSlice { .. }
        | Op::Concat { .. }
        | Op::Take { .. }
        | Op::TakeAlongAxis { .. }
        | Op::Gather { .. }
        | Op::Sort { .. }
        | Op::Unique => movement::jvp(&call),
        Op::Scatter { axes, op } => Ok(smallvec![Some(scatter::jvp(*axes, *op, &call)?)]),
        Op::Exchange { .. } => call.none("Use `scatter_nd`, or `stop_gradient` on its operands"),
        Op::Reduce { op, axes, keepdims } => Ok(smallvec![reduce::jvp(*op, axes, *keepdims, &call)?]),
        Op::Scan { op, axis, include_initial } => {
            Ok(smallvec![Some(scan::jvp(*op, *axis, *include_initial, &call)?)])
        }
        Op::Matmul | Op::Fft { .. } | Op::Conv(_) => movement::multilinear(&call),
        Op::Linalg(op) => linalg::jvp(*op, &call),
        Op::Nonzero
        | Op::ArgReduce { .. }
        | Op::Argsort { .. }
        | Op::SearchSorted { .. }
        | Op::RandomBits { .. } => Ok(smallvec![None; y.len()]),
    }
}
