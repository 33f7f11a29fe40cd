//! Tensors whose ops are noted: arrays of a [wrapper](crate::wrapper) around the backend that computes.

use super::graph::{Edge, Function, Made, Operand, Operands, Rule};
use super::{differentiable, mode};
use crate::wrapper::{self, Note, Noted, Wrappers};
use ivy_core::backend::{BackendRef, CustomFunction, Value};
use ivy_core::{Array, Dtype, Op};
use smallvec::SmallVec;
use std::sync::{Arc, RwLock};

/// Where a tensor comes from, if derivatives are taken to it.
type Origin = Option<Edge>;

impl Note for Origin {
    fn after(op: &Op, operands: &[&Arc<Noted<Origin>>], results: &[Value]) -> SmallVec<[Origin; 1]> {
        after(operands, results.iter().map(|x| x.dtype), |operands| Rule::Op { op: op.into(), operands })
    }

    #[inline]
    fn after_one(op: &Op, operands: &[&Arc<Noted<Origin>>], result: &Value) -> Origin {
        if !is_noted(operands) {
            return None;
        }
        let rule = |operands| Rule::Op { op: op.into(), operands };
        let made = node(operands, 1, rule);
        differentiable(result.dtype).then_some(Edge::Made(made, 0))
    }

    fn after_custom(
        function: &CustomFunction,
        operands: &[&Arc<Noted<Origin>>],
        results: &[Array],
    ) -> SmallVec<[Origin; 1]> {
        after(operands, results.iter().map(Array::dtype), |operands| {
            let results = results.iter().map(|x| (x.dtype(), x.shape().clone())).collect();
            Rule::Function(Function { function: function.clone(), operands, results }.into())
        })
    }

    fn is_differentiated(&self) -> bool {
        self.is_some()
    }

    fn wrappers() -> &'static Wrappers {
        static KNOWN: Wrappers = RwLock::new(Vec::new());
        &KNOWN
    }
}

/// Whether what runs on these operands becomes a node.
fn is_noted(operands: &[&Arc<Noted<Origin>>]) -> bool {
    mode::is_grad_enabled() && operands.iter().any(|noted| noted.note.is_some())
}

/// Where the results come from, of these dtypes, of what ran on operands.
fn after(
    operands: &[&Arc<Noted<Origin>>],
    results: impl ExactSizeIterator<Item = Dtype>,
    rule: impl FnOnce(Operands) -> Rule,
) -> SmallVec<[Origin; 1]> {
    if !is_noted(operands) {
        return SmallVec::new();
    }
    let made = node(operands, results.len(), rule);
    let edge = |(at, dtype)| differentiable(dtype).then(|| Edge::Made(made.clone(), at));
    results.enumerate().map(edge).collect()
}

/// The node of what runs on operands: most ops have two, which are put in their places at once.
#[inline]
fn node(operands: &[&Arc<Noted<Origin>>], results: usize, rule: impl FnOnce(Operands) -> Rule) -> Arc<Made> {
    let operands = match *operands {
        [a, b] => Operands::from_buf([a.clone(), b.clone()]),
        _ => operands.iter().map(|&operand| operand.clone()).collect(),
    };
    Arc::new(Made::new(rule(operands), results))
}

/// The array below, of one whose ops are noted.
pub(super) fn below(x: &Array) -> Option<Array> {
    wrapper::noted::<Origin>(x).map(Noted::below)
}

/// An operand of a node as the tensor that it was.
pub(super) fn tensor(operand: &Operand) -> Array {
    wrapper::array_of(operand)
}

/// Where a tensor comes from.
pub(super) fn edge(x: &Array) -> Option<&Edge> {
    wrapper::noted::<Origin>(x)?.note.as_ref()
}

/// An array of the backend below as one whose ops are noted.
pub(super) fn noted(inner: &Array, edge: Origin) -> Array {
    wrapper::with_note(inner, edge)
}

/// The backend around another one, of which there is one for each.
pub(super) fn around(base: &BackendRef) -> BackendRef {
    wrapper::around::<Origin>(base)
}
