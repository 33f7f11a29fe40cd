//! Where tensors come from.
//!
//! The node of an op with one result is a part of that result until something else refers to it: the nodes of programs that
//! take no gradient are never asked for, and need no memory of their own.

use super::graph::{Edge, Inputs, Made, Rule, locked, next_number, release};
use std::sync::{Arc, Mutex, PoisonError};

/// Where a tensor comes from, if derivatives are taken to it.
#[derive(Default)]
pub(super) struct Origin {
    is_recorded: bool,
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
    /// The origin of the result of an op with one.
    #[inline]
    pub(super) fn of_op(rule: Rule) -> Origin {
        Origin { is_recorded: true, own: Mutex::new(Some(Own::Node { number: next_number(), rule })) }
    }

    /// Whether derivatives are taken to the tensor.
    pub(super) fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// Whether an operation made the tensor that derivatives are taken to.
    pub(super) fn is_made(&self) -> bool {
        matches!(&*locked(&self.own), Some(Own::Node { .. } | Own::Known(Edge::Made(..))))
    }

    /// Where the tensor comes from, by which others refer to it.
    pub(super) fn edge(&self) -> Option<Edge> {
        if !self.is_recorded {
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
        Origin { is_recorded: edge.is_some(), own: Mutex::new(edge.map(Own::Known)) }
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        if let Some(inputs) = self.take_inputs() {
            release(inputs);
        }
    }
}
