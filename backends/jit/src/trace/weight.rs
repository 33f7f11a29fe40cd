//! What it takes to compute a node: pending nodes, and statements that they are lowered to.
//!
//! A node is made with the sum of what its operands take, which counts what they share more than once. Where that is more than one kernel
//! has, the nodes are counted: together with those of the last count, if these fit in one kernel, so that a long program that refers to its
//! earlier results is not counted anew with each operation; else alone.

use super::{NONE, NodeId, Trace};

/// Pending nodes in one kernel: beyond, a node is evaluated when it is made.
pub const LARGEST: u16 = 1024;

/// Statements that they are lowered to, about: LLVM takes a time for them that grows faster than their number.
const LONGEST: u16 = 2048;

/// How large a kernel may be, and what was counted last.
pub(super) struct Bounds {
    /// Statements that a kernel has at most, about.
    longest: u16,
    /// The number of the last count that each node was in; 0 of those that were in none.
    counted: Vec<u32>,
    /// The number of the last count, from 1 on, its nodes and their statements.
    count: u32,
    weight: u32,
    cost: u32,
    stack: Vec<NodeId>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { longest: LONGEST, counted: Vec::new(), count: 1, weight: 0, cost: 0, stack: Vec::new() }
    }
}

impl Bounds {
    /// Begins a count.
    fn begin(&mut self) {
        (self.weight, self.cost) = (0, 0);
        self.count = self.count.checked_add(1).unwrap_or_else(|| {
            self.counted.fill(0);
            1
        });
    }

    /// True if a node was not in this count yet.
    fn is_new(&mut self, id: NodeId) -> bool {
        std::mem::replace(&mut self.counted[id as usize], self.count) != self.count
    }

    /// A number stands for another node from now on.
    pub(super) fn renew(&mut self, id: NodeId) {
        if let Some(count) = self.counted.get_mut(id as usize) {
            *count = 0;
        }
    }
}

impl Trace {
    /// Counts what a node takes and was not counted yet.
    fn count(&mut self, root: NodeId) {
        let mut bounds = std::mem::take(&mut self.bounds);
        bounds.counted.resize(self.nodes.len(), 0);
        bounds.stack.push(root);
        while let Some(id) = bounds.stack.pop() {
            let node = self.node(id);
            let elsewhere = id != root && self.is_computed_elsewhere(id);
            if !node.is_pending() || elsewhere || !bounds.is_new(id) {
                continue;
            }
            bounds.weight += 1;
            bounds.cost += u32::from(node.own_cost());
            match node.more {
                None => bounds.stack.extend(node.operands.into_iter().filter(|&o| o != NONE)),
                Some(_) => bounds.stack.extend(node.operands()),
            }
        }
        self.bounds = bounds;
    }

    /// Sets a node's weight and cost to those of what was counted.
    fn take_count(&mut self, id: NodeId) -> bool {
        let whole = |count: u32| count.min(u32::from(u16::MAX)) as u16;
        let (weight, cost) = (whole(self.bounds.weight), whole(self.bounds.cost));
        let node = &mut self.nodes[id as usize];
        (node.weight, node.cost) = (weight, cost);
        self.is_too_large(id)
    }

    /// Sets a node's weight and cost to those of the pending nodes that it truly takes; true if that is more than one
    /// kernel has.
    pub(crate) fn weigh(&mut self, root: NodeId) -> bool {
        self.bounds.begin();
        self.count(root);
        self.take_count(root)
    }

    /// True if what a node truly takes is more than one kernel has. Its weight and cost are bounds of that.
    pub(crate) fn exceeds(&mut self, root: NodeId) -> bool {
        self.count(root);
        self.take_count(root) && self.weigh(root)
    }

    /// True if one kernel does not compute a node.
    pub(crate) fn is_too_large(&self, id: NodeId) -> bool {
        let node = self.node(id);
        self.exceeds_kernel(node.weight, node.cost)
    }

    /// True if one kernel does not compute nodes that weigh and cost so much.
    pub(crate) fn exceeds_kernel(&self, weight: u16, cost: u16) -> bool {
        weight > LARGEST || cost > self.bounds.longest
    }

    /// Statements that a kernel has at most, about.
    pub(crate) fn longest(&self) -> u16 {
        self.bounds.longest
    }

    /// Bounds the statements of a kernel, or does not.
    pub(crate) fn set_bounded(&mut self, bounded: bool) {
        self.bounds.longest = if bounded { LONGEST } else { u16::MAX };
    }
}
