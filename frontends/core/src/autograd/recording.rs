//! What a tape has of the graph, which is one for all tapes.

use super::backend;
use super::graph::{Edge, next_number};
use ivy_core::Array;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The part of the graph that one tape has recorded, as `tf.GradientTape` has it: nodes that were made while it was on, of tensors
/// that it watches.
///
/// ```
/// use ivy_core::{Array, functional as f};
/// use ivy_frontend::autograd::{self, Graph, Recording, Unused, Walking};
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([3.0f64])?)?;
/// let mut recording = Recording::begin(false);
/// recording.watch(&x);
/// let y = f::square(&x)?;
/// recording.pause();
/// let z = f::square(&y)?;
/// let by_x = |y: &Array| {
///     let walking = Walking::new(Graph::Retained, Unused::Absent).recorded_by(&recording);
///     autograd::grad_with(&[y.clone()], &[x.clone()], &[], walking)
/// };
/// assert_eq!(by_x(&y)?[0].as_ref().unwrap().to_vec::<f64>()?, [6.0]);
/// assert!(by_x(&z)?[0].is_none());
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub struct Recording {
    /// The numbers of the nodes that were made while it was on; the last end is `u64::MAX` while it is.
    spans: Vec<Range<u64>>,
    watched: Vec<Edge>,
    /// Whether it watches all variables.
    variables: bool,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recording { spans, variables, .. } = self;
        f.debug_struct("Recording")
            .field("spans", spans)
            .field("variables", variables)
            .finish_non_exhaustive()
    }
}

impl Recording {
    /// A recording that is on, of every variable ([`make_variable`]) or of what is watched alone.
    pub fn begin(variables: bool) -> Recording {
        let mut recording = Recording { spans: Vec::new(), watched: Vec::new(), variables };
        recording.resume();
        recording
    }

    /// Whether it is on.
    pub fn is_on(&self) -> bool {
        self.spans.last().is_some_and(|span| span.end == u64::MAX)
    }

    /// Ends it, until [`resume`](Recording::resume).
    pub fn pause(&mut self) {
        if let Some(span) = self.spans.last_mut().filter(|span| span.end == u64::MAX) {
            span.end = next_number();
        }
    }

    /// Goes on with it.
    pub fn resume(&mut self) {
        if !self.is_on() {
            self.spans.push(next_number()..u64::MAX);
        }
    }

    /// Watches a tensor that requires a gradient.
    pub fn watch(&mut self, x: &Array) {
        self.watched.extend(backend::edge(x));
    }

    /// Whether a node was made while it was on.
    pub(super) fn covers(&self, number: u64) -> bool {
        self.spans.iter().any(|span| span.contains(&number))
    }

    /// Whether it knows a tensor: one that it watches, or that it has recorded the computation of.
    pub fn knows(&self, x: &Array) -> bool {
        let mut waiting: Vec<Edge> = backend::edge(x).into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(edge) = waiting.pop() {
            if self.watches(&edge) {
                return true;
            }
            if let Edge::Made(made, _) = &edge
                && self.covers(made.number)
                && seen.insert(made.number)
            {
                waiting.extend(made.edges().into_iter().flatten());
            }
        }
        false
    }

    fn watches(&self, edge: &Edge) -> bool {
        let is_same = |known: &Edge| match (known, edge) {
            (Edge::Leaf(known), Edge::Leaf(leaf)) => Arc::ptr_eq(known, leaf),
            (Edge::Made(known, i), Edge::Made(made, j)) => known.number == made.number && i == j,
            _ => false,
        };
        matches!(edge, Edge::Leaf(leaf) if self.variables && leaf.is_variable())
            || self.watched.iter().any(is_same)
    }
}

/// Makes a leaf a variable, which recordings watch that are of every one.
pub fn make_variable(x: &Array) {
    if let Some(Edge::Leaf(leaf)) = backend::edge(x) {
        leaf.make_variable();
    }
}
