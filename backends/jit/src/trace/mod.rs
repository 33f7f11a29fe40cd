//! What is to be done: nodes that refer to nodes, shared where they mean the same.
//!
//! # Invariants
//!
//! - A node lives while `refs` is not 0: one for each handle and for each node that has it as
//!   an operand.
//! - The operands of a pending node that is no view broadcast to its shape, but for what is padded or joined; a
//!   view's map leads to elements of its operand.
//! - `known` holds every living node that may be shared, under its key's hash, and no other.
//! - `running` holds pending nodes only.

mod fold;
mod graph;
pub(crate) mod known;
mod map;
pub(crate) mod node;
mod targets;
mod weight;

pub use crate::kind::{Kind, Order};
pub(crate) use fold::changes_nothing;
pub use map::{Affine, Map};
pub use node::NodeId;
pub(crate) use node::{Asked, Deferred, Flow, Gather, Gathers, More, NODE_BYTES, NONE, Node, Scatter};
pub(crate) use targets::{Block, RecordedLoop, Targets};
pub use weight::LARGEST;

use crate::runtime::Elements;
use ivy_core::hash::WordHash;
use ivy_core::{Dtype, Shape};
use known::Known;
use std::collections::{HashMap, HashSet};
use weight::Bounds;

/// The nodes.
pub(crate) struct Trace {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    known: Known,
    stack: Vec<NodeId>,
    /// Pending nodes that an evaluation beside the program computes, and its number.
    running: HashMap<NodeId, u64, WordHash>,
    /// The names of nodes that have one.
    labels: HashMap<NodeId, String, WordHash>,
    bounds: Bounds,
    /// Nodes that were made, and those that an equal one stood for.
    pub(crate) made: u64,
    pub(crate) shared: u64,
}

/// With room for the nodes of a kernel: most programs never have more at a time.
impl Default for Trace {
    fn default() -> Trace {
        let room = usize::from(LARGEST);
        Trace {
            nodes: Vec::with_capacity(room),
            free: Vec::new(),
            known: Known::with_room(room),
            stack: Vec::new(),
            running: HashMap::default(),
            labels: HashMap::default(),
            bounds: Bounds::default(),
            made: 0,
            shared: 0,
        }
    }
}

impl Trace {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// More than the number of any node.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if a node folds another one.
    pub(crate) fn is_fold(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, Kind::Fold(_))
    }

    /// True if a node is a fold, or has fewer elements than what is made of it.
    pub(crate) fn may_be_of_rows(&self, id: NodeId, whole: NodeId) -> bool {
        self.is_fold(id) || self.node(id).shape.size() < self.node(whole).shape.size()
    }

    /// A node's name, if it has one.
    pub(crate) fn label(&self, id: NodeId) -> Option<&str> {
        self.labels.get(&id).map(String::as_str)
    }

    /// Names a node; an empty name takes the one away that it has.
    pub(crate) fn set_label(&mut self, id: NodeId, label: &str) {
        match label {
            "" => self.labels.remove(&id),
            label => self.labels.insert(id, label.into()),
        };
    }

    /// One more reference.
    pub(crate) fn retain(&mut self, id: NodeId) {
        self.nodes[id as usize].refs += 1;
    }

    /// One reference less. What nobody refers to goes, with all that only it referred to; the
    /// arrays that go are given to the caller, to be dropped when the lock is free.
    pub(crate) fn release(&mut self, id: NodeId, gone: &mut Vec<Elements>) {
        let node = &mut self.nodes[id as usize];
        if node.refs > 1 {
            node.refs -= 1;
            return;
        }
        self.stack.push(id);
        self.release_all(gone);
    }

    /// Releases every node that is on the stack.
    fn release_all(&mut self, gone: &mut Vec<Elements>) {
        let mut stack = std::mem::take(&mut self.stack);
        while let Some(id) = stack.pop() {
            let node = &mut self.nodes[id as usize];
            node.refs -= 1;
            if node.refs > 0 {
                continue;
            }
            self.forget(id);
            self.detach(id);
            self.stops(id);
            if !self.labels.is_empty() {
                self.labels.remove(&id);
            }
            let node = &mut self.nodes[id as usize];
            node.leave(|operand| stack.push(operand));
            if let Some(array) = node.data.take() {
                gone.push(*array);
            }
            self.free.push(id);
        }
        self.stack = stack;
    }

    /// Takes a node out of those that may be shared.
    fn forget(&mut self, id: NodeId) {
        let node = self.node(id);
        if node.is_shared() {
            self.known.remove(node.key().hash(), id);
        }
    }

    /// Says which nodes come out of a loop or conditional.
    pub(crate) fn expect(&mut self, of: NodeId, results: &[NodeId]) {
        if let Some(More::Flow(flow)) = self.nodes[of as usize].more.as_deref_mut() {
            flow.results = results.to_vec();
        }
    }

    /// Says that a node comes out of a loop or conditional, as one of several things.
    pub(crate) fn comes_out(&mut self, of: NodeId, index: usize, id: NodeId) {
        if let Some(More::Flow(flow)) = self.nodes[of as usize].more.as_deref_mut() {
            flow.results[index] = id;
        }
    }

    /// Tells a loop or conditional that something that came out of it is gone.
    fn detach(&mut self, id: NodeId) {
        let node = self.node(id);
        if node.kind != Kind::After {
            return;
        }
        let (of, index) = (node.operands[0] as usize, node.literal[0] as usize);
        if let Some(More::Flow(flow)) = self.nodes[of].more.as_deref_mut() {
            flow.results[index] = NONE;
        }
    }

    /// A node like this one: an equal one that there is, if `share`, or a new one. Its operands
    /// have been retained for it, and are released again if it is not needed. The result has a
    /// reference for the caller; `true` says that it was there.
    pub(crate) fn add(&mut self, node: Node, share: bool, gone: &mut Vec<Elements>) -> (NodeId, bool) {
        let next = self.free.last().copied().unwrap_or(self.nodes.len() as NodeId);
        if share && node.is_shared() {
            let key = node.key();
            let hash = key.hash();
            if let Some(id) = self.known.find(hash, |id| self.nodes[id as usize].key() == key) {
                self.retain(id);
                self.shared += 1;
                for operand in node.operands() {
                    self.release(operand, gone);
                }
                return (id, true);
            }
            self.known.insert(hash, next);
        }
        self.made += 1;
        (self.put(node), false)
    }

    /// A node of elements in memory.
    pub(crate) fn data(&mut self, array: Elements) -> NodeId {
        self.made += 1;
        self.result(array)
    }

    /// A node of elements that were computed without nodes.
    pub(crate) fn result(&mut self, array: Elements) -> NodeId {
        let node = Node {
            refs: 1,
            weight: 0,
            cost: 0,
            operands: [NONE; 3],
            kind: Kind::Data,
            dtype: array.dtype(),
            flat: array.is_contiguous(),
            symbolic: false,
            given: false,
            materialized: false,
            constant: false,
            literal: [0; 2],
            shape: array.shape().clone(),
            data: Some(Box::new(array)),
            more: None,
        };
        self.put(node)
    }

    /// A node of elements in memory that a recorded function is given.
    pub(crate) fn given(&mut self, array: Elements) -> NodeId {
        let id = self.result(array);
        self.nodes[id as usize].given = true;
        id
    }

    /// Gives a node a number.
    fn put(&mut self, node: Node) -> NodeId {
        if let Some(id) = self.free.pop() {
            self.bounds.renew(id);
            self.nodes[id as usize] = node;
            return id;
        }
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    /// A node with one value for all elements, which kernels are given, or have as a constant; complex ones are given.
    pub(crate) fn literal(
        &mut self,
        dtype: Dtype,
        shape: Shape,
        literal: [u64; 2],
        [share, constant]: [bool; 2],
    ) -> NodeId {
        let node = Node {
            refs: 1,
            weight: 0,
            cost: 0,
            operands: [NONE; 3],
            kind: Kind::Literal,
            dtype,
            flat: true,
            symbolic: false,
            given: false,
            materialized: false,
            constant: constant && !dtype.is_complex(),
            literal,
            shape,
            data: None,
            more: None,
        };
        self.add(node, share, &mut Vec::new()).0
    }

    /// Makes a pending node one of data.
    pub(crate) fn settle(&mut self, id: NodeId, array: Elements, gone: &mut Vec<Elements>) {
        if !self.node(id).is_pending() {
            return;
        }
        self.forget(id);
        self.detach(id);
        self.stops(id);
        let node = &mut self.nodes[id as usize];
        (node.weight, node.cost) = (0, 0);
        node.flat = array.is_contiguous();
        node.data = Some(Box::new(array));
        let mut stack = std::mem::take(&mut self.stack);
        node.leave(|operand| stack.push(operand));
        self.stack = stack;
        self.release_all(gone);
    }

    /// Notes that an evaluation computes a node, if it is pending and none does yet. What is made of it
    /// has nothing to compute of it.
    pub(crate) fn runs(&mut self, id: NodeId, number: u64) -> bool {
        let free = self.node(id).is_pending() && !self.running.contains_key(&id);
        if free {
            self.running.insert(id, number);
            (self.nodes[id as usize].weight, self.nodes[id as usize].cost) = (0, 0);
        }
        free
    }

    /// Notes that an evaluation has ended; a node that it did not compute waits again.
    pub(crate) fn ended(&mut self, id: NodeId, number: u64) {
        if self.running.get(&id) == Some(&number) {
            self.stops(id);
            self.weigh(id);
        }
    }

    /// True if an evaluation that was started computes a node.
    pub(crate) fn is_computed_elsewhere(&self, id: NodeId) -> bool {
        !self.running.is_empty() && self.running.contains_key(&id)
    }

    /// Says of a node that a kernel has computed it without writing it, or that it is written since it is held.
    pub(crate) fn mark_materialized(&mut self, id: NodeId) {
        self.nodes[id as usize].materialized = true;
    }

    /// True if an evaluation beside the program computes something.
    pub(crate) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    fn stops(&mut self, id: NodeId) {
        if !self.running.is_empty() {
            self.running.remove(&id);
        }
    }

    /// The last evaluation, of those with smaller numbers than this, that computes something which a
    /// node needs, or the node.
    pub(crate) fn awaited(&self, root: NodeId, before: u64) -> Option<u64> {
        if self.running.is_empty() {
            return None;
        }
        let mut last = None;
        let (mut stack, mut seen) = (vec![root], HashSet::<NodeId, WordHash>::default());
        while let Some(id) = stack.pop() {
            if !self.node(id).is_pending() || !seen.insert(id) {
                continue;
            }
            match self.running.get(&id) {
                Some(&number) if number < before => last = last.max(Some(number)),
                _ => stack.extend(self.node(id).operands()),
            }
        }
        last
    }

    /// The pending nodes that a node needs, itself last, each after its operands; not those that what an
    /// evaluation computes beside the program needs.
    pub(crate) fn order(&self, root: NodeId) -> Vec<NodeId> {
        let mut order = Vec::new();
        let mut state: HashMap<NodeId, bool, WordHash> = HashMap::default();
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            match state.get(&id) {
                Some(true) => stack.truncate(stack.len() - 1),
                Some(false) => {
                    state.insert(id, true);
                    order.push(id);
                    stack.pop();
                }
                None if self.node(id).is_pending() && (id == root || !self.running.contains_key(&id)) => {
                    state.insert(id, false);
                    let from = stack.len();
                    stack.extend(self.node(id).operands().filter(|o| !state.contains_key(o)));
                    // In reverse: the first operand comes first.
                    stack[from..].reverse();
                }
                None => stack.truncate(stack.len() - 1),
            }
        }
        order
    }

    /// The living nodes.
    pub(crate) fn live(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().filter(|(_, n)| n.refs > 0).map(|(i, n)| (i as NodeId, n))
    }
}
