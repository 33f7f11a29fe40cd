//! Two arrays one after the other: a node, whose kernels read each where its elements are.

use super::{Engine, Variable};
use crate::schedule::REPEATED;
use crate::trace::{Kind, NodeId, Trace};
use ivy_core::{Result, Shape};
use std::sync::Arc;

impl Engine {
    /// Two variables of a dtype one after the other along an axis, in a result of this shape. `None` if the
    /// caller has to do it: of what is recorded, of what is small and there, and without the switch.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn join(
        self: &Arc<Self>,
        axis: usize,
        shape: Shape,
        parts: [&Variable; 2],
    ) -> Result<Option<Variable>> {
        let settings = self.settings();
        if !settings.joins || !settings.fusion {
            return Ok(None);
        }
        let (variable, waits) = {
            let (mut trace, ids) = (self.trace(), parts.map(Variable::id));
            if ids.iter().any(|&id| trace.node(id).symbolic) {
                return Ok(None);
            }
            let dtype = trace.node(ids[0]).dtype;
            if self.joins_at_once(&trace, ids, shape.size().saturating_mul(dtype.bytes())) {
                return Ok(None);
            }
            let mut node = trace.pending(Kind::Concat, dtype, shape, &ids);
            (node.flat, node.literal) = (false, [axis as u64, 0]);
            self.noted(&mut trace, node, [false, true], &mut Vec::new())
        };
        if !waits {
            self.settle(&variable)?;
        }
        Ok(Some(variable))
    }

    /// True for parts of one shape, on the processor, that are made of something which is pending and takes more than to
    /// be read: both are computed in one kernel, and copied then.
    pub fn have_in_common(&self, parts: [&Variable; 2]) -> bool {
        let settings = self.settings();
        let (trace, [a, b]) = (self.trace(), parts.map(Variable::id));
        let (a, b) = (trace.node(a), trace.node(b));
        let heavy = |id: NodeId| {
            let node = trace.node(id);
            node.is_pending() && node.weight > REPEATED && !node.symbolic
        };
        let operation =
            |kind: Kind| matches!(kind, Kind::Unary(_) | Kind::Binary(_) | Kind::Where | Kind::Cast);
        self.on_device.is_none()
            && settings.together
            && a.shape == b.shape
            && a.given == b.given
            && [a.kind, b.kind].into_iter().all(operation)
            && a.operands().any(|id| heavy(id) && b.operands().any(|other| other == id))
    }

    /// True for a join on the processor for which nothing is to be computed: the reference kernel copies faster
    /// than a kernel that asks where each element is.
    pub(super) fn copies(&self, trace: &Trace, id: NodeId) -> bool {
        let is_there = |part: NodeId| !trace.node(part).is_pending();
        self.on_device.is_none() && trace.node(id).operands().all(is_there)
    }
}
