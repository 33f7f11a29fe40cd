//! Handles on nodes.
//!
//! # Invariants
//!
//! - A handle's engine lives: `handles` counts the handles, under the lock that each takes for its
//!   node anyway, and the engine keeps itself while there are any.
//! - A place stays where it is and says the same as long as its engine lives: handles on one node
//!   point to one place, so that a handle is a word and needs no memory of its own.

use super::Engine;
use super::replay::Recorders;
use crate::passes::Choice;
use crate::schedule::{Direct, Job, Program, ScatterKernel, Scratch};
use crate::trace::{NodeId, Targets, Trace};
use ivy_core::{Dtype, Shape};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

/// The trace, and what keeps its engine.
#[derive(Default)]
pub(super) struct State {
    trace: Trace,
    scratch: Scratch,
    pub(super) recorders: Recorders,
    /// A place for each node, so many together.
    places: Vec<Arc<[Place]>>,
    handles: usize,
    keeper: Option<Arc<Engine>>,
}

impl Deref for State {
    type Target = Trace;
    fn deref(&self) -> &Trace {
        &self.trace
    }
}

impl DerefMut for State {
    fn deref_mut(&mut self) -> &mut Trace {
        &mut self.trace
    }
}

/// Places that are made together.
const TOGETHER: usize = 256;

/// What handles on a node point to.
struct Place {
    engine: NonNull<Engine>,
    id: NodeId,
}

// SAFETY: an engine may be used from any thread, and a place is no more than a way to one.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

/// A handle on a node: an array that is noted, and computed when it is read.
pub struct Variable(NonNull<Place>);

// SAFETY: a place may be read from any thread.
unsafe impl Send for Variable {}
// SAFETY: as above.
unsafe impl Sync for Variable {}

impl State {
    /// What it takes to evaluate a pending node in one kernel: [`Job::collect`].
    pub(super) fn collect(&mut self, id: NodeId) -> Result<Job, NodeId> {
        Job::collect(&self.trace, &mut self.scratch, id)
    }

    /// What it takes to evaluate several of one shape in one kernel: [`Job::collect_all`].
    pub(super) fn collect_all(&mut self, ids: &[NodeId]) -> Result<Job, NodeId> {
        Job::collect_all(&self.trace, &mut self.scratch, ids)
    }

    /// What it takes to run a loop that scatters: [`ScatterKernel::collect`].
    pub(super) fn collect_scatters(
        &mut self,
        owner: NodeId,
        targets: &Targets,
        passes: Choice,
    ) -> Result<Option<ScatterKernel>, NodeId> {
        ScatterKernel::collect(&self.trace, &mut self.scratch, owner, targets, passes)
    }

    /// What it takes to evaluate it as a program over rows: [`Program::plan`].
    pub(super) fn program(&mut self, id: NodeId, merging: impl Fn(usize) -> bool) -> Option<Program> {
        Program::plan(&self.trace, &mut self.scratch, id, merging)
    }

    /// A node as the kernel of a single row, if it may be that: [`Direct`].
    pub(super) fn direct(&mut self, id: NodeId, passes: Choice) -> Option<Direct> {
        let node = self.trace.node(id);
        if !Direct::suits(node) || self.trace.is_running() {
            return None;
        }
        self.scratch.direct(&self.trace, id, passes)
    }

    /// The room for it.
    pub(super) fn give_back(&mut self, direct: Direct) {
        self.scratch.give_back(direct);
    }

    /// The engine, while there are handles.
    pub(super) fn keeper(&self) -> Option<Arc<Engine>> {
        self.keeper.clone()
    }

    /// A handle on a node of this state, which the engine has, with a reference that the node has
    /// for it.
    pub(super) fn handle(&mut self, engine: &Arc<Engine>, id: NodeId) -> Variable {
        self.handles += 1;
        if self.handles == 1 {
            self.keeper = Some(engine.clone());
        }
        let (of, at) = (id as usize / TOGETHER, id as usize % TOGETHER);
        while self.places.len() <= of {
            let first = (self.places.len() * TOGETHER) as NodeId;
            let place = |i| Place { engine: NonNull::from(&**engine), id: first + i };
            self.places.push((0..TOGETHER as NodeId).map(place).collect());
        }
        Variable(NonNull::from(&self.places[of][at]))
    }
}

impl Drop for Variable {
    fn drop(&mut self) {
        let mut gone = Vec::new();
        let keeper = {
            let mut state = self.engine().trace();
            state.release(self.id(), &mut gone);
            state.handles -= 1;
            if state.handles == 0 { state.keeper.take() } else { None }
        };
        // The arrays and the engine go when the lock is free again.
        drop(gone);
        drop(keeper);
    }
}

impl Clone for Variable {
    fn clone(&self) -> Variable {
        let mut state = self.engine().trace();
        state.retain(self.id());
        state.handles += 1;
        Variable(self.0)
    }
}

impl Variable {
    /// The engine that it belongs to.
    pub fn engine(&self) -> &Engine {
        // SAFETY: the invariants: the engine lives as long as this handle, and so does its place.
        unsafe { self.0.as_ref().engine.as_ref() }
    }

    /// The number that logs and graphs give it.
    pub fn id(&self) -> NodeId {
        // SAFETY: as above.
        unsafe { self.0.as_ref().id }
    }

    /// Gives it a name for graphs and lists, in place of one that it has; an empty one takes that away.
    /// Equal work is one node, which has one. No kernel depends on it.
    pub fn set_label(&self, label: &str) {
        self.engine().trace().set_label(self.id(), label);
    }

    /// True if it is not computed yet.
    pub fn is_pending(&self) -> bool {
        self.engine().trace().node(self.id()).is_pending()
    }

    /// A bound of the statements that it takes, for the tests.
    pub(crate) fn weight(&self) -> usize {
        self.engine().trace().node(self.id()).weight.into()
    }

    /// Counts the statements that it truly takes, for the tests; true if that is more than one kernel has.
    pub(crate) fn weigh(&self) -> bool {
        self.engine().trace().weigh(self.id())
    }

    /// True if a function that is being recorded was given it, or made it of that.
    pub(crate) fn is_given(&self) -> bool {
        self.engine().trace().node(self.id()).given
    }

    /// True if its elements are in memory.
    pub fn is_evaluated(&self) -> bool {
        self.engine().trace().node(self.id()).data.is_some()
    }

    /// The dtype and shape.
    pub fn signature(&self) -> (Dtype, Shape) {
        let state = self.engine().trace();
        let node = state.node(self.id());
        (node.dtype, node.shape.clone())
    }
}
