//! The graph: leaves, and ops with their operands.

use ivy_core::{Array, Dtype, Op, Shape};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where a tensor comes from.
#[derive(Clone)]
pub(super) enum Edge {
    /// From nowhere: derivatives end here.
    Leaf(Arc<Leaf>),
    /// From an op: which of its results it is.
    Made(Arc<Made>, usize),
}

/// A tensor that a program wants the gradient of.
#[derive(Default)]
pub(super) struct Leaf {
    gradient: Mutex<Option<Array>>,
}

impl Leaf {
    pub(super) fn gradient(&self) -> Option<Array> {
        self.gradient.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, gradient: Option<Array>) {
        *self.gradient.lock().unwrap_or_else(PoisonError::into_inner) = gradient;
    }
}

/// An operand of a noted op.
pub(super) struct Operand {
    /// Its elements, on the backend that computes.
    pub(super) array: Array,
    /// Where it comes from; `None` for a constant.
    pub(super) edge: Option<Edge>,
}

/// An op that was computed, and what of.
pub(super) struct Made {
    /// Ops made later have greater numbers: an order in which each stands behind its operands.
    pub(super) number: u64,
    pub(super) op: Op,
    pub(super) operands: Vec<Operand>,
    pub(super) results: Vec<(Dtype, Shape)>,
    /// The gradients that are kept of results.
    kept: Mutex<BTreeMap<usize, Option<Array>>>,
}

static NUMBERS: AtomicU64 = AtomicU64::new(0);

impl Made {
    pub(super) fn new(op: Op, operands: Vec<Operand>, results: Vec<(Dtype, Shape)>) -> Made {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Made { number, op, operands, results, kept: Mutex::default() }
    }

    pub(super) fn keep(&self, at: usize) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).entry(at).or_default();
    }

    pub(super) fn kept(&self, at: usize) -> Option<Array> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&at).cloned().flatten()
    }

    /// Notes the gradient of a result, if it is kept.
    pub(super) fn put(&self, at: usize, gradient: &Array) {
        if let Some(place) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&at) {
            *place = Some(gradient.clone());
        }
    }
}

impl Drop for Made {
    /// Chains of ops are as long as a program runs: they are taken apart one after the other, not one in the other.
    fn drop(&mut self) {
        let mut waiting: Vec<Edge> = self.operands.drain(..).filter_map(|operand| operand.edge).collect();
        while let Some(edge) = waiting.pop() {
            if let Edge::Made(made, _) = edge
                && let Some(mut made) = Arc::into_inner(made)
            {
                waiting.extend(made.operands.drain(..).filter_map(|operand| operand.edge));
            }
        }
    }
}
