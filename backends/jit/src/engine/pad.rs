//! Elements with a border of one value: a node, whose kernels read the elements where there are some.

use super::deferred::{Next, Work};
use super::literal::literal_words;
use super::{Engine, Variable, record};
use crate::codegen::llvm::{LANES, SIDE_BY_SIDE};
use crate::schedule::Job;
use crate::trace::{Asked, Kind, More, NodeId, Trace};
use ivy_core::{Op, Result, Shape};
use smallvec::SmallVec;
use std::sync::Arc;

impl Engine {
    /// The elements of a variable with others around them, as [`Op::Pad`] has it, in a result of this
    /// shape. `None` if the caller has to do it: of what is recorded, of what is small and there, and without
    /// the switch.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place, and of a scalar that does not become the dtype.
    pub fn pad(self: &Arc<Self>, op: &Op, shape: Shape, of: &Variable) -> Result<Option<Variable>> {
        let (settings, Op::Pad { value, .. }) = (self.settings(), op) else { return Ok(None) };
        if !settings.pads {
            return Ok(None);
        }
        let (variable, waits) = {
            let mut trace = self.trace();
            let under = trace.node(of.id());
            let (dtype, symbolic) = (under.dtype, under.symbolic);
            let bytes = shape.size().saturating_mul(dtype.bytes());
            // A place for updates that are left out, of what a recorded loop scatters to.
            let spare = symbolic && record::is_open();
            if symbolic && !spare || !symbolic && self.pads_at_once(&mut trace, of.id(), bytes) {
                return Ok(None);
            }
            let words = literal_words(dtype, *value)?;
            let mut node = trace.pending(Kind::Pad, dtype, shape, &[of.id()]);
            (node.flat, node.literal) = (false, words);
            node.more = Some(Box::new(More::Pad(op.clone())));
            self.noted(&mut trace, node, [false, settings.fusion], &mut Vec::new())
        };
        if !waits {
            self.settle(&variable)?;
        }
        Ok(Some(variable))
    }

    /// True if a job has rows on the processor that are too short for what is padded in it.
    pub(super) fn is_short(&self, job: &Job) -> bool {
        let padded = self.on_device.is_none() && job.is_padded();
        // Of these the masks of the shortest are faster than the reference kernels.
        let taken = self.takes_short(self.settings()) && job.row() < LANES;
        padded && job.row() < SIDE_BY_SIDE && !taken
    }

    /// What is next for a node with such a job: the reference kernels do what is padded or joined.
    pub(super) fn short(&self, trace: &Trace, job: &Job, id: NodeId) -> Next {
        let pad = job.pads().find(|&pad| pad != id).unwrap_or(id);
        let node = trace.node(pad);
        let Some(op) = node.placed().filter(|_| pad == id) else { return Next::First(pad) };
        match node.operands().find(|&operand| trace.node(operand).is_pending()) {
            Some(first) => Next::First(first),
            None => {
                let operands: SmallVec<[NodeId; 2]> = node.operands().collect();
                Next::Kernel(Box::new(Work::of(trace, &op, &operands, Asked::of(&op))))
            }
        }
    }
}
