//! What taking in nodes needs room for, kept from one job to the next: notes on nodes are found by
//! their numbers, without hashing, and forgotten all at once.

use super::collect::{Found, Frame, Where};
use super::direct::Direct;
use super::pad::Guards;
use crate::passes::Choice;
use crate::trace::{NONE, NodeId, Trace};
use ivy_core::Dtype;
use ivy_core::hash::WordHash;
use std::collections::HashMap;

/// Room for a collection.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) notes: Notes,
    pub(super) wheres: Vec<Where>,
    pub(super) guards: Guards,
    pub(super) stack: Vec<Frame>,
    /// What became a step, in order: what is made in a block is forgotten after it.
    pub(super) made: Vec<Found>,
    /// For each input, the next one of the same node.
    pub(super) again: Vec<u32>,
    /// The inputs that are literals.
    pub(super) literals: HashMap<(Dtype, [u64; 2]), u32, WordHash>,
    direct: Direct,
}

impl Scratch {
    /// A node, and all that it needs, as a kernel of a single row; `None` if it is not that.
    pub(crate) fn direct(&mut self, trace: &Trace, id: NodeId, passes: Choice) -> Option<Direct> {
        let Scratch { notes, direct, .. } = self;
        let taken = direct.take_in(trace, notes, id, passes);
        if taken.is_none() {
            // Nothing of it is kept alive; the nodes have it, so that nothing goes here.
            direct.inputs.clear();
        }
        taken.map(|()| std::mem::take(direct))
    }

    /// The room that [`Scratch::direct`] took.
    pub(crate) fn give_back(&mut self, direct: Direct) {
        self.direct = direct;
    }

    /// Forgets all, for a trace of so many nodes.
    pub(super) fn begin(&mut self, nodes: usize) {
        self.notes.begin(nodes);
        self.wheres.clear();
        self.wheres.extend([Where::Same, Where::One]);
        self.guards.clear();
        self.stack.clear();
        self.made.clear();
        self.again.clear();
        self.literals.clear();
    }
}

/// What is known of a node in the collection at hand.
#[derive(Clone, Copy)]
pub struct Note {
    /// The collection that it is of.
    round: u32,
    /// The map under which it was first taken in.
    pub first: u32,
    /// A step that computes it, and under which map.
    at: u32,
    step: u32,
    /// The last input that it is.
    pub input: u32,
}

const EMPTY: Note = Note { round: 0, first: NONE, at: NONE, step: NONE, input: NONE };

/// Notes on all nodes.
#[derive(Default)]
pub struct Notes {
    notes: Vec<Note>,
    round: u32,
    /// Steps of nodes that are found under several maps, but for one of them.
    others: HashMap<Found, u32, WordHash>,
}

impl Notes {
    /// Begins anew, with notes on so many nodes.
    pub fn begin(&mut self, nodes: usize) {
        self.others.clear();
        if self.round == u32::MAX {
            self.notes.clear();
            self.round = 0;
        }
        self.round += 1;
        self.notes.resize(nodes.max(self.notes.len()), EMPTY);
    }

    /// The note on a node.
    pub fn of(&mut self, id: NodeId) -> &mut Note {
        let note = &mut self.notes[id as usize];
        if note.round != self.round {
            *note = Note { round: self.round, ..EMPTY };
        }
        note
    }

    /// The step that computes what is found like this.
    pub fn step(&self, found: Found) -> Option<u32> {
        let note = &self.notes[found.0 as usize];
        if note.round != self.round || note.step == NONE {
            return None;
        }
        if note.at == found.1 { Some(note.step) } else { self.others.get(&found).copied() }
    }

    /// Notes a step.
    pub fn set_step(&mut self, found: Found, step: u32) {
        let note = self.of(found.0);
        if note.step == NONE || note.at == found.1 {
            (note.at, note.step) = (found.1, step);
        } else {
            self.others.insert(found, step);
        }
    }

    /// Forgets a step.
    pub fn forget(&mut self, found: Found) {
        let note = self.of(found.0);
        if note.at != found.1 {
            self.others.remove(&found);
            return;
        }
        (note.at, note.step) = (NONE, NONE);
        // Another one of the node's takes its place, so that it is found.
        let other = self.others.keys().find(|other| other.0 == found.0).copied();
        if let Some((key, step)) = other.and_then(|key| Some((key, self.others.remove(&key)?))) {
            self.set_step(key, step);
        }
    }
}
