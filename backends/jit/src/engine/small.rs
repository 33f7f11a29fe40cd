//! Small arrays, which the reference kernels copy sooner than a kernel that asks where each element is can be
//! found.

use super::variable::State;
use super::{Engine, record, replay};
use crate::trace::NodeId;

/// Bytes of a result up to which a pad of what is there is a copy: of more, what is made of it takes longer so.
const PADDED: usize = 64 << 10;
/// Bytes of a result up to which a pad of what is to be computed first is a copy, and a concatenation, whose kernels ask less of each element.
const JOINED: usize = 32 << 10;

impl Engine {
    /// True if a pad of a node is to be copied now, in a result of so many bytes.
    pub(super) fn pads_at_once(&self, trace: &mut State, of: NodeId, bytes: usize) -> bool {
        let is_there = trace.node(of).data.is_some();
        let limit = if is_there { PADDED } else { JOINED };
        bytes <= limit && self.copies_at_once() && (is_there || self.is_soon_there(trace, of))
    }

    /// True if a concatenation is a copy. Of what is pending each part would be a kernel.
    pub(super) fn joins_at_once(&self, trace: &State, parts: [NodeId; 2], bytes: usize) -> bool {
        bytes <= JOINED && self.copies_at_once() && parts.iter().all(|&id| trace.node(id).data.is_some())
    }

    /// True where copies are made at once: on the processor, and where nothing is recorded, since what is finds
    /// its kernels once.
    fn copies_at_once(&self) -> bool {
        self.settings().small && self.on_device.is_none() && !record::is_open() && !replay::is_open()
    }

    /// True for what a kernel over one row computes, which refuses nothing.
    fn is_soon_there(&self, trace: &mut State, id: NodeId) -> bool {
        let Some(mut direct) = trace.direct(id, self.choice(self.settings())) else { return false };
        direct.inputs.clear();
        trace.give_back(direct);
        true
    }
}
