//! Where tensors come from.
//!
//! The node of an op with one result is a part of that result until something else refers to it: the nodes of programs that
//! take no gradient are never asked for, and need no memory of their own.

use super::graph::{Edge, Inputs, Made, Rule, locked, next_number, release};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// That derivatives are taken to the tensor.
const RECORDED: u64 = 1;
/// That the function which gave the tensor keeps it for its gradient.
const SAVED_RESULT: u64 = 2;
const BEGAN: u32 = 2;

/// Where a tensor comes from, if derivatives are taken to it.
#[derive(Default)]
pub(super) struct Origin {
    /// [`RECORDED`], [`SAVED_RESULT`], and from the bit [`BEGAN`] on the number of nodes that there had been when an operation
    /// in place began that replaced the elements; 0 where none did.
    state: AtomicU64,
    own: Mutex<Option<Own>>,
}

enum Own {
    Known(Edge),
    /// A node that nothing else refers to.
    Node {
        number: u64,
        rule: Rule,
    },
}

impl Origin {
    #[inline]
    fn new(own: Option<Own>) -> Origin {
        let state = if own.is_some() { RECORDED } else { 0 };
        Origin { state: AtomicU64::new(state), own: Mutex::new(own) }
    }

    /// The origin of the result of an op with one.
    #[inline]
    pub(super) fn of_op(rule: Rule) -> Origin {
        Origin::new(Some(Own::Node { number: next_number(), rule }))
    }

    /// Whether derivatives are taken to the tensor.
    pub(super) fn is_recorded(&self) -> bool {
        self.state.load(Ordering::Relaxed) & RECORDED != 0
    }

    /// Whether an operation made the tensor that derivatives are taken to.
    pub(super) fn is_made(&self) -> bool {
        matches!(&*locked(&self.own), Some(Own::Node { .. } | Own::Known(Edge::Made(..))))
    }

    /// Where the tensor comes from, by which others refer to it.
    pub(super) fn edge(&self) -> Option<Edge> {
        if !self.is_recorded() {
            return None;
        }
        let mut own = locked(&self.own);
        let edge = match own.take()? {
            Own::Known(edge) => edge,
            Own::Node { number, rule } => Edge::Made(Arc::new(Made::new(number, rule, 1)), 0),
        };
        *own = Some(Own::Known(edge.clone()));
        Some(edge)
    }

    /// Calls a function with what computed the tensor, unless that has been freed.
    pub(super) fn with_rule<T>(&self, f: impl FnOnce(&Rule) -> T) -> Option<T> {
        match &*locked(&self.own) {
            Some(Own::Node { rule, .. }) => Some(f(rule)),
            Some(Own::Known(Edge::Made(made, _))) => made.with_rule(f),
            _ => None,
        }
    }

    /// Notes that the function that gave the tensor keeps it for its gradient.
    pub(super) fn save_result(&self) {
        self.state.fetch_or(SAVED_RESULT, Ordering::Relaxed);
    }

    /// Whether it does.
    pub(super) fn is_saved_result(&self) -> bool {
        self.state.load(Ordering::Relaxed) & SAVED_RESULT != 0
    }

    /// Notes that an operation in place that began then has replaced the elements.
    pub(super) fn overwrite(&self, began: u64) {
        let with = |state: u64| (state >> BEGAN == 0).then_some(state | began << BEGAN);
        // Another one before this one has said so.
        let _ = self.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with);
    }

    /// When that was: the first time.
    pub(super) fn overwritten(&self) -> Option<u64> {
        Some(self.state.load(Ordering::Relaxed) >> BEGAN).filter(|&began| began != 0)
    }

    /// Takes out what the tensor's node was computed of, if nothing else refers to the node.
    pub(super) fn take_inputs(&mut self) -> Option<Inputs> {
        match self.own.get_mut().unwrap_or_else(PoisonError::into_inner).take()? {
            Own::Known(edge) => edge.into_inputs(),
            Own::Node { rule, .. } => Some(Inputs::Saved(rule)),
        }
    }
}

impl From<Option<Edge>> for Origin {
    fn from(edge: Option<Edge>) -> Origin {
        Origin::new(edge.map(Own::Known))
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        if let Some(inputs) = self.take_inputs() {
            release(inputs);
        }
    }
}
