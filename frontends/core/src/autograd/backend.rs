//! Tensors whose ops are noted: arrays of a [wrapper](crate::wrapper) around the backend that computes.

use super::graph::{Edge, Made, Operand, Operands, Results, Rule};
use super::{differentiable, mode};
use crate::wrapper::{self, Note, Noted, Wrappers};
use ivy_core::backend::{BackendRef, CustomFunction};
use ivy_core::{Array, Op};
use smallvec::SmallVec;
use std::sync::{Arc, RwLock};

/// Where a tensor comes from, if derivatives are taken to it.
type Origin = Option<Edge>;

impl Note for Origin {
    fn after(op: &Op, operands: &[&Arc<Noted<Origin>>], results: &[Array]) -> SmallVec<[Origin; 1]> {
        after(operands, results, |operands| Rule::Op { op: op.into(), operands })
    }

    #[inline]
    fn after_one(op: &Op, operands: &[&Arc<Noted<Origin>>], result: &Array) -> Origin {
        if !is_noted(operands) {
            return None;
        }
        let rule = |operands| Rule::Op { op: op.into(), operands };
        let made = node(operands, Results::from_buf([(result.dtype(), result.shape().clone())]), rule);
        differentiable(result.dtype()).then_some(Edge::Made(made, 0))
    }

    fn after_custom(
        function: &CustomFunction,
        operands: &[&Arc<Noted<Origin>>],
        results: &[Array],
    ) -> SmallVec<[Origin; 1]> {
        after(operands, results, |operands| Rule::Function { function: function.clone(), operands })
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

/// Where the results come from of what ran on operands.
fn after(
    operands: &[&Arc<Noted<Origin>>],
    results: &[Array],
    rule: impl FnOnce(Operands) -> Rule,
) -> SmallVec<[Origin; 1]> {
    if !is_noted(operands) {
        return SmallVec::new();
    }
    let made = node(operands, results.iter().map(|x| (x.dtype(), x.shape().clone())).collect(), rule);
    let edge = |(at, x): (usize, &Array)| differentiable(x.dtype()).then(|| Edge::Made(made.clone(), at));
    results.iter().enumerate().map(edge).collect()
}

/// The node of what runs on operands: most ops have two, which are put in their places at once.
fn node(
    operands: &[&Arc<Noted<Origin>>],
    results: Results,
    rule: impl FnOnce(Operands) -> Rule,
) -> Arc<Made> {
    let operands = match *operands {
        [a, b] => Operands::from_buf([a.clone(), b.clone()]),
        _ => operands.iter().map(|&operand| operand.clone()).collect(),
    };
    Arc::new(Made::new(rule(operands), results))
}

/// The array below, of one whose ops are noted.
pub(super) fn below(x: &Array) -> Option<&Array> {
    wrapper::noted::<Origin>(x).map(|noted| &noted.inner)
}

/// An operand of a node as the tensor that it was.
pub(super) fn tensor(operand: &Operand) -> Array {
    wrapper::array_of(operand)
}

/// Where a tensor comes from.
pub(super) fn edge(x: &Array) -> Option<&Edge> {
    wrapper::noted::<Origin>(x).and_then(|noted| noted.note.as_ref())
}

/// An array of the backend below as one whose ops are noted.
pub(super) fn noted(inner: &Array, edge: Origin) -> Array {
    wrapper::with_note(inner, edge)
}

/// The backend around another one, of which there is one for each.
pub(super) fn around(base: &BackendRef) -> BackendRef {
    wrapper::around::<Origin>(base)
}
