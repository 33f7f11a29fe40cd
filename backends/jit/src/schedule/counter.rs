//! What numbers elements: an input without memory, the place itself.

use super::collect::{Collector, Found, Where};
use super::{Do, Input, Job, Source};
use crate::runtime::Reading;
use crate::trace::{Affine, Kind, NONE, NodeId, Trace};
use ivy_core::host::contiguous_strides;
use ivy_core::{BinaryOp, Dims, Dtype};

/// Operations on a number that are cheaper than to read what they give.
const FEW: usize = 4;

/// True if a node is a counter, or a few operations on one: it may be computed over and over.
pub(super) fn is_counted(trace: &Trace, mut id: NodeId) -> bool {
    for _ in 0..=FEW {
        let node = trace.node(id);
        let cheap = |op| {
            use BinaryOp::*;
            matches!(op, Add | Subtract | Multiply | Less | LessEqual | Greater | GreaterEqual | Equal)
        };
        id = match node.kind {
            Kind::Counter => return true,
            Kind::View | Kind::Reshape | Kind::Cast => node.operands[0],
            Kind::Binary(op) if cheap(op) => match node.scalar() {
                Some(at) => node.operands[1 - at],
                None => return false,
            },
            _ => return false,
        };
    }
    false
}

impl Collector<'_> {
    /// The number of the input that counts the elements of a counter as they are found.
    pub(super) fn counter(&mut self, (id, at): Found) -> u32 {
        let mut place = match &self.scratch.wheres[at as usize] {
            Where::Map(map, _) => map.order(&self.trace.node(id).shape),
            Where::Order(order, _) => order.clone(),
            Where::Same => Affine { offset: 0, steps: contiguous_strides(&self.space) },
            Where::One => Affine { offset: 0, steps: Dims::new() },
        };
        self.fit(&mut place);
        let known = |i: &Input| i.node == id && matches!(i.source, Source::Count) && i.place == place;
        if let Some(known) = self.job.inputs.iter().position(known) {
            return known as u32;
        }
        let (dtype, source, reading) = (Dtype::INT64, Source::Count, Reading::Counted);
        self.input(Input { node: id, dtype, source, place, reading })
    }
}

impl Job {
    /// True if it counts.
    pub(crate) fn counts(&self) -> bool {
        self.inputs.iter().any(|i| matches!(i.source, Source::Count))
    }

    /// A counter that is to be in memory: where the code of a vector has more lanes than there are elements,
    /// what is read is that of other elements, but numbers go on, by which a loop may not end and an index
    /// may be any.
    pub(super) fn wants_memory(&self) -> Option<NodeId> {
        let counters = self.inputs.iter().filter(|i| matches!(i.source, Source::Count));
        let counter = counters.map(|i| i.node).find(|&node| node != NONE)?;
        self.steps.iter().any(|s| matches!(s.what, Do::Index | Do::Loop)).then_some(counter)
    }
}
