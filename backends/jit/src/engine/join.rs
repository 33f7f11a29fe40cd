//! Two arrays one after the other: a node, whose kernels read each where its elements are.

use super::{Engine, Variable};
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
            let mut node = trace.pending(Kind::Join, dtype, shape, &ids);
            (node.flat, node.literal) = (false, [axis as u64, 0]);
            self.noted(&mut trace, node, [false, true], &mut Vec::new())
        };
        if !waits {
            self.settle(&variable)?;
        }
        Ok(Some(variable))
    }

    /// True for a join on the processor for which nothing is to be computed: the reference kernel copies faster
    /// than a kernel that asks where each element is.
    pub(super) fn copies(&self, trace: &Trace, id: NodeId) -> bool {
        let is_there = |part: NodeId| !trace.node(part).is_pending();
        self.there.is_none() && trace.node(id).operands().all(is_there)
    }
}
