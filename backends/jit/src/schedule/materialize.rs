//! Values that the program still holds when a kernel computes them.
//!
//! A kernel computes all that is pending under what is asked for, and writes only that. What of the rest is held from
//! outside, by a handle or by other pending work, may be asked for again, and a recurrence (an optimiser's state, a
//! running mean) would be computed from its beginning at each read. So:
//! - the first time it is computed and not written, but marked;
//! - what is marked and needed again is evaluated first, and is in memory then: it is computed once more at most;
//! - where elements are read, what is held and made of such an array, and is no larger, is written when it is first
//!   computed: it is the next step of the recurrence, whose kernels so are the same each time.
//!
//! What is much larger than all that it is made of stays fused, however often it is needed: to compute it is what it
//! costs not to have it in memory.

use super::groups::groups;
use crate::trace::{Kind, LARGEST, NONE, Node, NodeId, Trace, WordHash};
use smallvec::SmallVec;
use std::collections::HashMap;

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

/// What is known of a node under the roots.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// How many operands it is here; what has more references is held.
    uses: u32,
    /// Whether it was left.
    done: bool,
    /// The bytes of the largest materialized array that it is made of.
    materialized: usize,
}

impl Materialization {
    /// What becomes of what is held under pending nodes, of which somebody reads elements, or which are computed for other
    /// reasons: then the program has not come to the end of a step, and no next one is written.
    pub(crate) fn plan(trace: &Trace, roots: &[NodeId], is_read: bool) -> Materialization {
        let mut pending =
            PendingNodes { trace, roots, seen: HashMap::default(), order: Vec::new(), bytes: 0 };
        roots.iter().for_each(|&root| pending.visit(root));
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
    roots: &'t [NodeId],
    seen: HashMap<NodeId, Seen, WordHash>,
    /// Each after its operands.
    order: Vec<NodeId>,
    /// Of all arrays under them.
    bytes: usize,
}

impl PendingNodes<'_> {
    fn visit(&mut self, root: NodeId) {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            let node = self.trace.node(id);
            let seen = self.seen.entry(id).or_default();
            if seen.done {
                stack.pop();
                continue;
            }
            // What is asked for is ours, whoever has started it.
            let is_own = self.roots.contains(&id) && node.is_pending();
            if !is_own && !is_open(self.trace, id) {
                seen.done = true;
                let bytes = bytes_of(node);
                seen.materialized = if node.materialized { bytes } else { 0 };
                self.bytes = self.bytes.saturating_add(if node.data.is_some() { bytes } else { 0 });
                stack.pop();
                continue;
            }
            // The second time all its operands are done.
            if seen.uses & ENTERED > 0 {
                seen.done = true;
                seen.uses &= !ENTERED;
                let materialized =
                    node.operands().filter_map(|o| self.seen.get(&o)).map(|o| o.materialized).max();
                self.seen.entry(id).or_default().materialized = materialized.unwrap_or(0);
                self.order.push(id);
                stack.pop();
                continue;
            }
            seen.uses |= ENTERED;
            for operand in node.operands() {
                let under = self.seen.entry(operand).or_default();
                under.uses += 1;
                if !under.done && under.uses & ENTERED == 0 {
                    stack.push(operand);
                }
            }
        }
    }

    fn decide(self, is_read: bool) -> Materialization {
        let is_root = |id: NodeId| self.roots.contains(&id);
        let limit = ALWAYS.max(self.bytes.saturating_mul(TIMES));
        let (mut again, mut next, mut marked) = (Vec::new(), Vec::new(), Vec::new());
        // By what is evaluated again, materialized arrays come about at once.
        let mut recurs: HashMap<NodeId, usize, WordHash> = HashMap::default();
        for &id in &self.order {
            let (node, seen) = (self.trace.node(id), self.seen[&id]);
            let under = node.operands().filter_map(|o| recurs.get(&o)).max().copied();
            let materialized = under.unwrap_or(0).max(seen.materialized);
            let target = under_views(self.trace, id);
            let held = node.refs > seen.uses && !is_root(id) && !is_root(target);
            let bytes = bytes_of(self.trace.node(target));
            let kept = is_kept(self.trace, target) && bytes <= limit;
            let own = if node.materialized && kept && !is_root(id) {
                again.push(id);
                bytes
            } else if is_read && held && kept && bytes <= materialized {
                next.push(target);
                bytes
            } else {
                if held && kept {
                    marked.push(target);
                }
                0
            };
            let largest = own.max(materialized);
            if largest > 0 {
                recurs.insert(id, largest);
            }
        }
        next.retain(|id| !again.contains(id));
        marked.retain(|id| !again.contains(id) && !next.contains(id));
        // What all of it takes is known, where weights of nodes count what is shared several times.
        let costs = self.order.iter().map(|&id| u32::from(self.trace.node(id).own_cost()));
        let is_small =
            self.order.len() <= usize::from(LARGEST) && costs.sum::<u32>() <= u32::from(self.trace.longest());
        let mut before = groups(self.trace, again, is_small);
        before.extend(groups(self.trace, next, is_small));
        Materialization { before, marked }
    }
}

/// A bit of [`Seen::uses`]: the node's operands are on the stack.
const ENTERED: u32 = 1 << 31;

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
