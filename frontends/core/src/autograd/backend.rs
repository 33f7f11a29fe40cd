//! Tensors whose ops are noted: arrays of a [wrapper](crate::wrapper) around the backend that computes.

use super::graph::{Edge, Function, Made, Operand, Operands, Rule, next_number};
use super::origin::Origin;
use super::{differentiable, mode};
use crate::wrapper::{self, Note, Noted, Wrappers};
use ivy_core::backend::{BackendRef, CustomFunction, Value};
use ivy_core::{Array, Dtype, Op};
use smallvec::SmallVec;
use std::sync::{Arc, RwLock};

impl Note for Origin {
    fn after(op: &Op, operands: &[&Operand], results: &[Value]) -> SmallVec<[Origin; 1]> {
        after(operands, results.iter().map(|x| x.dtype), |operands| Rule::Op { op: op.into(), operands })
    }

    #[inline]
    fn after_one(op: &Op, operands: &[&Operand], result: &Value) -> Origin {
        match is_noted(operands) && differentiable(result.dtype) {
            true => Origin::of_op(Rule::Op { op: op.into(), operands: saved(operands) }),
            false => Origin::default(),
        }
    }

    fn after_custom(
        function: &CustomFunction,
        operands: &[&Operand],
        results: &[Array],
    ) -> SmallVec<[Origin; 1]> {
        after(operands, results.iter().map(Array::dtype), |operands| {
            let results = results.iter().map(|x| (x.dtype(), x.shape().clone())).collect();
            Rule::Function(Function { function: function.clone(), operands, results }.into())
        })
    }

    fn is_differentiated(&self) -> bool {
        self.is_recorded()
    }

    fn wrappers() -> &'static Wrappers {
        static KNOWN: Wrappers = RwLock::new(Vec::new());
        &KNOWN
    }
}

/// Whether what runs on these operands becomes a node.
fn is_noted(operands: &[&Operand]) -> bool {
    mode::is_grad_enabled() && operands.iter().any(|noted| noted.note.is_recorded())
}

/// Where the results come from, of these dtypes, of what ran on operands.
fn after(
    operands: &[&Operand],
    results: impl ExactSizeIterator<Item = Dtype>,
    rule: impl FnOnce(Operands) -> Rule,
) -> SmallVec<[Origin; 1]> {
    if !is_noted(operands) {
        return SmallVec::new();
    }
    let made = Arc::new(Made::new(next_number(), rule(saved(operands)), results.len()));
    let edge = |(at, dtype)| differentiable(dtype).then(|| Edge::Made(made.clone(), at)).into();
    results.enumerate().map(edge).collect()
}

/// Operands as a node keeps them: most ops have two, which are put in their places at once.
#[inline]
fn saved(operands: &[&Operand]) -> Operands {
    match *operands {
        [a, b] => Operands::from_buf([a.clone(), b.clone()]),
        _ => operands.iter().map(|&operand| operand.clone()).collect(),
    }
}

/// The array below, of one whose ops are noted.
pub(super) fn below(x: &Array) -> Option<Array> {
    wrapper::noted::<Origin>(x).map(Noted::below)
}

/// An operand of a node as the tensor that it was.
pub(super) fn tensor(operand: &Operand) -> Array {
    wrapper::array_of(operand)
}

/// The origin of a tensor.
pub(super) fn origin(x: &Array) -> Option<&Origin> {
    wrapper::noted::<Origin>(x).map(|noted| &noted.note)
}

/// Where a tensor comes from.
pub(super) fn edge(x: &Array) -> Option<Edge> {
    origin(x)?.edge()
}

/// An array of the backend below as one whose ops are noted.
pub(super) fn noted(inner: &Array, edge: Option<Edge>) -> Array {
    wrapper::with_note(inner, Origin::from(edge))
}

/// The backend around another one, of which there is one for each.
pub(super) fn around(base: &BackendRef) -> BackendRef {
    wrapper::around::<Origin>(base)
}
