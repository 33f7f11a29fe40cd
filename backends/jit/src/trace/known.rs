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
pub(crate) struct Known {
    /// A power of two of them.
    slots: Vec<Slot>,
    count: usize,
}

impl Known {
    /// A table with room for so many nodes.
    pub(super) fn with_room(nodes: usize) -> Known {
        Known { slots: vec![FREE; (2 * nodes).next_power_of_two()], count: 0 }
    }

    /// The node of this hash for which `is` is true.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut is: impl FnMut(NodeId) -> bool) -> Option<NodeId> {
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
    pub(super) fn insert(&mut self, hash: u32, id: NodeId) {
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow();
        }
        self.count += 1;
        self.put(Slot { hash, id });
    }

    /// Takes a node out, if it is there.
    #[inline]
    pub(super) fn remove(&mut self, hash: u32, id: NodeId) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Few hashes, near each other and at the table's end, so that most nodes are not in their places.
    #[test]
    fn nodes_are_found_until_they_are_taken_out() {
        let mut known = Known::with_room(4);
        let mut there: HashMap<NodeId, u32> = HashMap::new();
        let mut state = 1u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (id, hash) = (state >> 26, (state >> 16 & 7).wrapping_sub(4));
            match there.remove(&id) {
                Some(hash) => known.remove(hash, id),
                None => {
                    known.insert(hash, id);
                    there.insert(id, hash);
                }
            }
            // What is not there is not taken out.
            known.remove(hash, 1000);
            assert_eq!(known.count, there.len());
            for id in 0..64 {
                let found = |hash| known.find(hash, |other| other == id);
                assert_eq!(there.get(&id).and_then(|&hash| found(hash)), there.get(&id).map(|_| id));
                assert_eq!(found(99), None);
            }
        }
    }
}
