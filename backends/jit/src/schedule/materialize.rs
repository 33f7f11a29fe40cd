//! Values that the program still holds when a kernel computes them.
//!
//! A kernel computes all that is pending under what is asked for, and writes only that. What of the rest is held from
//! outside, by a handle or by other pending work, may be asked for again, and a recurrence (an optimiser's state, a
//! running mean) would be computed from its beginning at each read. So:
//! - the first time it is computed and not written, but marked;
//! - what is marked and needed again is evaluated first, and is in memory then: it is computed once more at most. It is
//!   not where nothing needs it afterwards: neither a handle nor what is held under the roots and made of it (a mask that
//!   a backward pass reads last);
//! - where elements are read, what is held and made of such an array, and is no larger, is written when it is first
//!   computed: it is the next step of the recurrence, whose kernels so are the same each time;
//! - what is held and all of which is asked for by a view (a transposed cotangent) is written, and the view costs nothing.
//!
//! What is much larger than all that it is made of stays fused, however often it is needed: to compute it is what it
//! costs not to have it in memory.

use super::groups::groups;
use crate::trace::{Kind, LARGEST, NONE, Node, NodeId, Trace};
use ivy_core::hash::WordHash;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;

/// What becomes of what is held under some nodes that are evaluated.
#[derive(Debug, Default)]
pub(crate) struct Materialization {
    /// Evaluated before them: groups of one shape for a kernel each, in the order in which they need each other.
    pub(crate) before: Vec<SmallVec<[NodeId; 4]>>,
    /// Marked when they are computed.
    pub(crate) marked: Vec<NodeId>,
}

/// Arrays of so many bytes are kept, whatever they are made of.
const ALWAYS: usize = 64 << 20;

/// And larger ones, of so many times as many bytes as all arrays that they are made of.
const TIMES: usize = 4;

/// How far the walk has come with a node.
#[derive(Clone, Copy, PartialEq)]
enum Walked {
    New,
    /// Its operands are on the stack.
    Entered,
    Done,
}

/// What is known of a node under the roots.
struct Seen {
    id: NodeId,
    walked: Walked,
    is_root: bool,
    /// Whether a root shows all of it and it is held: it is written, and the root is a view of it in memory.
    is_shown: bool,
    /// Whether something needs it when the roots have been written.
    is_live: bool,
    /// How many operands it is here; what has more references is held.
    uses: u32,
    /// Its operands, among [`PendingNodes::edges`].
    edges: Range<usize>,
    /// The bytes of the largest materialized array that it is or is made of.
    materialized: usize,
}

impl Materialization {
    /// What becomes of what is held under pending nodes, of which somebody reads elements, or which are computed for other
    /// reasons: then the program has not come to the end of a step, and no next one is written.
    pub(crate) fn plan(trace: &Trace, roots: &[NodeId], is_read: bool) -> Materialization {
        let mut pending = PendingNodes {
            trace,
            index: HashMap::default(),
            seen: Vec::new(),
            edges: Vec::new(),
            order: Vec::new(),
            bytes: 0,
        };
        let roots: SmallVec<[usize; 4]> = roots.iter().map(|&root| pending.index_of(root)).collect();
        roots.iter().for_each(|&root| pending.seen[root].is_root = true);
        roots.iter().for_each(|&root| pending.visit(root));
        roots.iter().for_each(|&root| pending.find_shown(root));
        pending.find_live();
        pending.decide(is_read)
    }

    /// True if all is computed as if nothing were held.
    pub(crate) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.marked.is_empty()
    }

    /// The nodes that it names.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.before.iter().flatten().chain(&self.marked).copied()
    }
}

/// The pending nodes under the roots, by which what is held is found.
struct PendingNodes<'t> {
    trace: &'t Trace,
    /// Where a node is in `seen`.
    index: HashMap<NodeId, usize, WordHash>,
    seen: Vec<Seen>,
    edges: Vec<usize>,
    /// Each after its operands.
    order: Vec<usize>,
    /// Of all arrays under them.
    bytes: usize,
}

impl PendingNodes<'_> {
    fn index_of(&mut self, id: NodeId) -> usize {
        *self.index.entry(id).or_insert_with(|| {
            let (walked, edges) = (Walked::New, 0..0);
            let seen = Seen {
                id,
                walked,
                is_root: false,
                is_shown: false,
                is_live: false,
                uses: 0,
                edges,
                materialized: 0,
            };
            self.seen.push(seen);
            self.seen.len() - 1
        })
    }

    fn visit(&mut self, root: usize) {
        let trace = self.trace;
        let mut stack = vec![root];
        while let Some(&at) = stack.last() {
            let seen = &mut self.seen[at];
            let node = trace.node(seen.id);
            match seen.walked {
                Walked::Done => _ = stack.pop(),
                Walked::Entered => {
                    seen.walked = Walked::Done;
                    self.order.push(at);
                    stack.pop();
                }
                // What is asked for is ours, whoever has started it.
                Walked::New if !(is_open(trace, seen.id) || seen.is_root && node.is_pending()) => {
                    seen.walked = Walked::Done;
                    let bytes = bytes_of(node);
                    seen.materialized = if node.materialized { bytes } else { 0 };
                    self.bytes = self.bytes.saturating_add(if node.data.is_some() { bytes } else { 0 });
                    stack.pop();
                }
                Walked::New => {
                    seen.walked = Walked::Entered;
                    let first = self.edges.len();
                    for operand in node.operands() {
                        let under = self.index_of(operand);
                        self.seen[under].uses += 1;
                        self.edges.push(under);
                    }
                    self.seen[at].edges = first..self.edges.len();
                    let new = |&&under: &&usize| self.seen[under].walked == Walked::New;
                    stack.extend(self.edges[first..].iter().filter(new));
                }
            }
        }
    }

    /// Finds what a root shows all elements of, if that is held.
    fn find_shown(&mut self, root: usize) {
        let trace = self.trace;
        let id = self.seen[root].id;
        let target = under_views(trace, id);
        let Some(&at) = self.index.get(&target).filter(|_| target != id) else { return };
        let all = trace.node(target).shape.size() <= trace.node(id).shape.size();
        self.seen[at].is_shown |= all && self.is_held(at) && is_kept(trace, target);
    }

    /// Finds what is live after the evaluation: what is held, and what that is made of, down to what is written.
    fn find_live(&mut self) {
        for &at in self.order.iter().rev() {
            let is_held = self.is_held(at);
            let seen = &mut self.seen[at];
            if seen.is_root || seen.is_shown {
                continue;
            }
            seen.is_live |= is_held;
            if seen.is_live {
                self.edges[seen.edges.clone()].iter().for_each(|&under| self.seen[under].is_live = true);
            }
        }
    }

    /// Whether something else than the nodes here has a node.
    fn is_held(&self, at: usize) -> bool {
        self.trace.node(self.seen[at].id).refs > self.seen[at].uses
    }

    fn decide(mut self, is_read: bool) -> Materialization {
        let limit = ALWAYS.max(self.bytes.saturating_mul(TIMES));
        let (mut again, mut next, mut marked) = (Vec::new(), Vec::new(), Vec::new());
        let mut cost = 0u32;
        for &at in &self.order {
            let seen = &self.seen[at];
            let (id, node) = (seen.id, self.trace.node(seen.id));
            cost = cost.saturating_add(node.own_cost().into());
            // By what is evaluated here, materialized arrays come about at once.
            let under =
                self.edges[seen.edges.clone()].iter().map(|&under| self.seen[under].materialized).max();
            let materialized = under.unwrap_or(0);
            let target = under_views(self.trace, id);
            let shows_root = target != id && self.index.get(&target).is_some_and(|&at| self.seen[at].is_root);
            let held = self.is_held(at) && !seen.is_root && !shows_root;
            let bytes = bytes_of(self.trace.node(target));
            let kept = is_kept(self.trace, target) && bytes <= limit;
            let own = if node.materialized && kept && seen.is_live && !seen.is_root {
                again.push(id);
                bytes
            } else if seen.is_shown || kept && is_read && held && bytes <= materialized {
                // What is shown takes as much memory as the view would, however large it is.
                next.push(target);
                bytes
            } else {
                if held && kept {
                    marked.push(target);
                }
                0
            };
            self.seen[at].materialized = own.max(materialized);
        }
        next.retain(|id| !again.contains(id));
        marked.retain(|id| !again.contains(id) && !next.contains(id));
        // What all of it takes is known, where weights of nodes count what is shared several times.
        let is_small = self.order.len() <= usize::from(LARGEST) && cost <= u32::from(self.trace.longest());
        let mut before = groups(self.trace, again, is_small);
        before.extend(groups(self.trace, next, is_small));
        Materialization { before, marked }
    }
}

/// True if a node is pending, and nothing else computes it by now.
fn is_open(trace: &Trace, id: NodeId) -> bool {
    trace.node(id).is_pending() && !trace.is_computed_elsewhere(id)
}

fn bytes_of(node: &Node) -> usize {
    node.shape.size().saturating_mul(node.dtype.bytes())
}

/// What a pending view shows; what is no view, itself.
fn under_views(trace: &Trace, mut id: NodeId) -> NodeId {
    while matches!(trace.node(id).kind, Kind::View | Kind::Reshape) {
        id = trace.node(id).operands[0];
    }
    id
}

/// True if a node has elements of its own that one kernel may compute without writing them. What has a kernel of its
/// own, as folds have, is in memory when that has run.
fn is_kept(trace: &Trace, id: NodeId) -> bool {
    let node = trace.node(id);
    let apart = matches!(
        node.kind,
        Kind::Fold(_) | Kind::Deferred | Kind::Counter | Kind::Symbol | Kind::Loop | Kind::Branch
    );
    id != NONE && is_open(trace, id) && !node.symbolic && !apart
}
