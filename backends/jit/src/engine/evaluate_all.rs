//! Several variables evaluated at once: those of one shape in one kernel, which computes what they
//! have in common once.

use super::{Engine, How, Variable};
use crate::log::{Level, say};
use crate::schedule::{groups, is_joinable};
use crate::trace::{LARGEST, NodeId};
use ivy_core::Result;

impl Engine {
    /// Computes what is pending of some variables: a kernel for those of each shape, the smaller ones
    /// first, and then what has a kernel of its own, as folds have. What takes long is started.
    ///
    /// # Errors
    /// As [`Engine::evaluate`], of the first variable at fault; no other is the worse for it.
    pub fn settle_all(&self, variables: &[&Variable]) -> Result<()> {
        let settings = self.settings();
        if variables.len() == 1 || !settings.together || !settings.fusion {
            return variables.iter().try_for_each(|v| self.settle(v));
        }
        let roots: Vec<NodeId> = variables.iter().map(|v| v.id()).collect();
        self.materializing(&roots, How::Start, || {
            let groups = {
                let mut trace = self.trace();
                let joinable: Vec<NodeId> =
                    roots.iter().copied().filter(|&id| is_joinable(&trace, id)).collect();
                // Bounds do not say which of them fit together.
                let bound: usize = joinable.iter().map(|&id| usize::from(trace.node(id).weight)).sum();
                if bound > usize::from(LARGEST) {
                    for &id in &joinable {
                        trace.weigh(id);
                    }
                }
                let mut groups = groups(&trace, joinable, false);
                groups.sort_by_key(|group| trace.node(group[0]).shape.size());
                groups
            };
            say(Level::Info, format_args!("launching {} kernels", groups.len()));
            for group in &groups {
                if let Err(error) = self.compute_pending(group, How::Start) {
                    // Each says below what is wrong with it.
                    say(Level::Info, format_args!("{} at once: {error}", group.len()));
                }
            }
            roots.iter().try_for_each(|&id| self.compute_pending(&[id], How::Start).map(drop))
        })
    }
}
