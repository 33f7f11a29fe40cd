//! Tensors whose ops are noted: arrays of a [wrapper](crate::wrapper) around the backend that computes.

use super::graph::{Edge, Made, Results, Rule};
use super::{differentiable, mode};
use crate::wrapper::{self, Note, Noted, Wrappers};
use ivy_core::backend::BackendRef;
use ivy_core::{Array, Op};
use smallvec::SmallVec;
use std::sync::{Arc, RwLock};

/// Where a tensor comes from, if derivatives are taken to it.
type Origin = Option<Edge>;

impl Note for Origin {
    fn after(op: &Op, operands: &[&Noted<Origin>], results: &[Array]) -> SmallVec<[Origin; 1]> {
        if !mode::is_grad_enabled() || operands.iter().all(|noted| noted.note.is_none()) {
            return SmallVec::new();
        }
        let made = node(op, operands, results.iter().map(|x| (x.dtype(), x.shape().clone())).collect());
        let edge = |(at, x): (usize, &Array)| differentiable(x.dtype()).then(|| Edge::Made(made.clone(), at));
        results.iter().enumerate().map(edge).collect()
    }

    #[inline]
    fn after_one(op: &Op, operands: &[&Noted<Origin>], result: &Array) -> Origin {
        let wanted = mode::is_grad_enabled() && operands.iter().any(|noted| noted.note.is_some());
        if !wanted {
            return None;
        }
        let made = node(op, operands, Results::from_buf([(result.dtype(), result.shape().clone())]));
        differentiable(result.dtype()).then_some(Edge::Made(made, 0))
    }

    fn wrappers() -> &'static Wrappers {
        static KNOWN: Wrappers = RwLock::new(Vec::new());
        &KNOWN
    }
}

/// The node of an op.
fn node(op: &Op, operands: &[&Noted<Origin>], results: Results) -> Arc<Made> {
    let edges = each(operands, |noted| noted.note.clone());
    let operands = each(operands, |noted| noted.inner.clone());
    Arc::new(Made::new(Rule::Op { op: op.clone(), operands }, edges, results))
}

/// What a function gives of each operand: most ops have two, which are put in their places at once.
fn each<T>(operands: &[&Noted<Origin>], f: impl Fn(&Noted<Origin>) -> T) -> SmallVec<[T; 2]> {
    match operands {
        [a, b] => SmallVec::from_buf([f(a), f(b)]),
        _ => operands.iter().map(|noted| f(noted)).collect(),
    }
}

/// The array below, of one whose ops are noted.
pub(super) fn below(x: &Array) -> Option<&Array> {
    wrapper::noted::<Origin>(x).map(|noted| &noted.inner)
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
