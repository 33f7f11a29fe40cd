//! Which node has a meaning: a table of numbers, a word each. What nodes mean stands in the nodes.
//!
//! # Invariants
//!
//! - A slot that is free ends the search for what is looked for before it: what is taken out is
//!   replaced by what stands behind it and would be found there.
//! - Half of the slots are free at least.

use super::{NONE, NodeId};

/// A node, and the part of its meaning's hash that says where it stands.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    id: NodeId,
}

const FREE: Slot = Slot { hash: 0, id: NONE };

/// Nodes by the hashes of their meanings.
pub struct Known {
    /// A power of two of them.
    slots: Vec<Slot>,
    /// How many nodes there are.
    pub count: usize,
}

impl Known {
    /// A table with room for so many nodes.
    pub fn with_room(nodes: usize) -> Known {
        Known { slots: vec![FREE; (2 * nodes).next_power_of_two()], count: 0 }
    }

    /// The node of this hash for which `is` is true.
    #[inline]
    pub fn find(&self, hash: u32, mut is: impl FnMut(NodeId) -> bool) -> Option<NodeId> {
        let mut at = self.place(hash);
        loop {
            let slot = self.slots[at];
            if slot.id == NONE {
                return None;
            }
            if slot.hash == hash && is(slot.id) {
                return Some(slot.id);
            }
            at = self.behind(at);
        }
    }

    /// Puts a node in, which is not there.
    #[inline]
    pub fn insert(&mut self, hash: u32, id: NodeId) {
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        self.count += 1;
        self.put(Slot { hash, id });
    }

    /// Takes a node out, if it is there.
    #[inline]
    pub fn remove(&mut self, hash: u32, id: NodeId) {
        let mut at = self.place(hash);
        while self.slots[at].id != id {
            if self.slots[at].id == NONE {
                return;
            }
            at = self.behind(at);
        }
        self.count -= 1;
        // What stands behind moves up, unless its own place is behind the gap.
        let mut next = self.behind(at);
        while self.slots[next].id != NONE {
            let far = |from: usize| next.wrapping_sub(from) & (self.slots.len() - 1);
            if far(self.place(self.slots[next].hash)) >= far(at) {
                self.slots[at] = self.slots[next];
                at = next;
            }
            next = self.behind(next);
        }
        self.slots[at] = FREE;
    }

    #[inline]
    fn place(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn behind(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    #[inline]
    fn put(&mut self, slot: Slot) {
        let mut at = self.place(slot.hash);
        while self.slots[at].id != NONE {
            at = self.behind(at);
        }
        self.slots[at] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let more = vec![FREE; 2 * self.slots.len()];
        let before = std::mem::replace(&mut self.slots, more);
        before.into_iter().filter(|slot| slot.id != NONE).for_each(|slot| self.put(slot));
    }
}
