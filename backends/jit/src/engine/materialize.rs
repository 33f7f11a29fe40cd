//! Evaluations that keep what the program holds ([`Materialization`]).

use super::evaluate::Held;
use super::{Engine, How, replay};
use crate::schedule::Materialization;
use crate::trace::{Kind, NodeId, Trace};
use ivy_core::Result;

impl Engine {
    /// Computes something of nodes that the caller has references to, after what is held under them and was computed
    /// before; what is held and computed for the first time is marked.
    ///
    /// # Errors
    /// Those of `compute`.
    pub(super) fn materializing<T>(
        &self,
        roots: &[NodeId],
        how: How,
        compute: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let Some((plan, _held)) = self.materialization(roots, how != How::Start) else { return compute() };
        for group in &plan.before {
            {
                let mut trace = self.trace();
                group.iter().for_each(|&id| trace.mark_materialized(id));
            }
            let all = self.compute_pending(group, how);
            let each = || group.iter().try_for_each(|&id| self.compute_pending(&[id], how).map(drop));
            // What fails here, most of all for want of memory, is computed in the kernel of what needs it, and an
            // error in that is told.
            if all.and_then(|_| each()).is_err() {
                break;
            }
        }
        let done = compute()?;
        self.mark(roots, &plan.marked);
        Ok(done)
    }

    /// What is to be done, and references to all nodes that it names; `None` if there is nothing.
    fn materialization(&self, roots: &[NodeId], is_read: bool) -> Option<(Materialization, Held<'_>)> {
        let settings = self.settings();
        if !settings.materialize || !settings.fusion || replay::is_open() {
            return None;
        }
        let mut trace = self.trace();
        if !roots.iter().any(|&root| has_pending_operands(&trace, root)) {
            return None;
        }
        let plan = Materialization::plan(&trace, roots, is_read);
        if plan.is_empty() {
            return None;
        }
        let ids: Vec<NodeId> = plan.nodes().collect();
        ids.iter().for_each(|&id| trace.retain(id));
        Some((plan, Held::of(self, ids)))
    }

    /// Marks nodes that were computed for these, if they have been.
    fn mark(&self, roots: &[NodeId], nodes: &[NodeId]) {
        let mut trace = self.trace();
        if !nodes.is_empty() && roots.iter().all(|&root| !trace.node(root).is_pending()) {
            nodes.iter().for_each(|&id| trace.mark_materialized(id));
        }
    }
}

fn has_pending_operands(trace: &Trace, id: NodeId) -> bool {
    let node = trace.node(id);
    node.is_pending() && node.kind != Kind::Counter && node.operands().any(|o| trace.node(o).is_pending())
}
