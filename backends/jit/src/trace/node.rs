//! The entries of a trace.

use super::{Kind, Map};
use crate::runtime::Elements;
use ivy_core::hash::WordHasher;
use ivy_core::{AxisPad, Dtype, Error, Op, ScatterOp, Shape};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The number of a node; it is used again when the node is gone.
pub type NodeId = u32;

/// No operand.
pub const NONE: NodeId = NodeId::MAX;

/// A node: 64 bytes at most, without shape and data.
pub(crate) struct Node {
    /// Handles and nodes that refer to it.
    pub(crate) refs: u32,
    /// How many pending nodes it takes to compute it: at most, itself included.
    pub(crate) weight: u16,
    /// About how many statements it takes to compute it: at most, its own included.
    pub(crate) cost: u16,
    pub(crate) operands: [NodeId; 3],
    pub(crate) kind: Kind,
    pub(crate) dtype: Dtype,
    /// Whether every input under it is walked in order or is one element, so that only the
    /// number of elements matters to it; of elements in memory, whether they are in order.
    pub(crate) flat: bool,
    /// Whether it is made of symbols: it has no elements of its own.
    pub(crate) symbolic: bool,
    /// Whether it is made of what a function was given that is, or was, being recorded.
    pub(crate) given: bool,
    /// Of a pending node, whether a kernel has computed it without writing it, and it was held; of elements in memory,
    /// whether they are there for that reason.
    pub(crate) materialized: bool,
    /// Of a literal, whether kernels have it as a constant, each value of which is another kernel.
    pub(crate) constant: bool,
    /// The bytes of a literal; of a counter, its length; of a binary operation with an operand left out, that operand; of what is
    /// padded, what is around it; of a join, the axis.
    pub(crate) literal: [u64; 2],
    pub(crate) shape: Shape,
    pub(crate) data: Option<Box<Elements>>,
    /// What some kinds have besides.
    pub(crate) more: Option<Box<More>>,
}

/// What some kinds have besides.
pub(crate) enum More {
    /// Of a view: where its elements are found in its operand.
    Map(Map),
    /// Of what is padded: the op.
    Pad(Op),
    /// Of a loop or a conditional: what it is made of.
    Flow(Flow),
    /// Of what is gathered: where from.
    Gather(Gather),
    /// Of a scatter: which one, and where to.
    Scatter(Scatter),
    /// Of what waits: the op, and on what.
    Deferred(Deferred),
}

/// By what something was asked for whose errors come later.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The function's name.
    pub(crate) function: &'static str,
    /// Where in the program it was called, if that is remembered.
    pub(crate) origin: Option<Arc<str>>,
}

impl Asked {
    /// By an op's own name.
    pub(crate) fn of(op: &Op) -> Asked {
        Asked { function: op.name(), origin: None }
    }

    /// An error of it.
    pub(crate) fn told(&self, error: Error) -> Error {
        let error = error.with_function(self.function);
        match &self.origin {
            Some(origin) => error.with_origin(&**origin),
            None => error,
        }
    }
}

/// Where elements are gathered from: at an index along some axes of the operand, and where a map
/// finds them along the others.
#[derive(Clone)]
pub(crate) struct Gather {
    /// The axes that are indexed.
    pub(crate) axes: SmallVec<[usize; 2]>,
    /// An int64 index for each, which broadcasts to the node's shape.
    pub(crate) indices: SmallVec<[NodeId; 2]>,
    /// The place along the other axes; 0 along those.
    pub(crate) map: Map,
    /// By whom.
    pub(crate) asked: Asked,
    /// How many nodes had been made before.
    pub(crate) number: u64,
}

/// A scatter to every axis of what a recorded loop carries.
pub(crate) struct Scatter {
    /// How an update and what is there become one.
    pub(crate) op: ScatterOp,
    /// An int64 index for each axis; they broadcast to the update's shape.
    pub(crate) indices: SmallVec<[NodeId; 2]>,
}

/// An op of the reference kernels that waits.
pub(crate) struct Deferred {
    /// What is to be done.
    pub(crate) op: Op,
    /// On what.
    pub(crate) operands: SmallVec<[NodeId; 4]>,
    /// By whom.
    pub(crate) asked: Asked,
}

/// What a loop or a conditional is made of.
#[derive(Default)]
pub(crate) struct Flow {
    /// What it begins with.
    pub(crate) vars: Vec<NodeId>,
    /// Of a loop: what stands for the variables in it.
    pub(crate) symbols: Vec<NodeId>,
    /// What decides: truth values.
    pub(crate) test: NodeId,
    /// The variables' next values; of a conditional, what it gives where the test is true.
    pub(crate) next: Vec<NodeId>,
    /// Of a conditional: what it gives elsewhere.
    pub(crate) otherwise: Vec<NodeId>,
    /// What is gathered in it, or is before it for elements that may not get into it.
    pub(crate) gathers: Gathers,
    /// The nodes of what comes out, while there are such: they refer to this one, not it to them.
    pub(crate) results: Vec<NodeId>,
    /// The variables that are targets of scatters, which have no part in the elements' own computations.
    pub(crate) targets: Vec<usize>,
    /// How many nodes had been made before.
    pub(crate) number: u64,
}

/// What is gathered in a loop or a conditional.
#[derive(Clone, Default)]
pub(crate) struct Gathers {
    /// Whether something is.
    pub(crate) any: bool,
    /// What was asked for before it, and only parts of it may need: its indices count for all.
    pub(crate) before: Vec<NodeId>,
}

impl Flow {
    /// The nodes that it refers to.
    pub(crate) fn operands(&self) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.vars.iter().chain(&self.symbols).chain([&self.test]).chain(&self.next);
        all.chain(&self.otherwise).chain(&self.gathers.before).copied()
    }
}

/// The bytes of a node, without those of its shape.
pub(crate) const NODE_BYTES: usize = size_of::<Node>() - size_of::<Shape>();

const _: () = assert!(NODE_BYTES <= 64);

impl Node {
    /// About how many statements its own operation is lowered to.
    pub(crate) fn own_cost(&self) -> u16 {
        self.kind.cost(self.dtype)
    }

    pub(crate) fn is_pending(&self) -> bool {
        !matches!(self.kind, Kind::Data | Kind::Literal)
    }

    pub(crate) fn operands(&self) -> impl Iterator<Item = NodeId> + '_ {
        let more = self.flow().into_iter().flat_map(Flow::operands);
        let indices = self.gather().into_iter().flat_map(|g| g.indices.iter().copied());
        let places = self.scatter().into_iter().flat_map(|s| s.indices.iter().copied());
        let waiting = self.deferred().into_iter().flat_map(|l| l.operands.iter().copied());
        self.operands
            .iter()
            .copied()
            .filter(|&o| o != NONE)
            .chain(more)
            .chain(indices)
            .chain(places)
            .chain(waiting)
    }

    /// Makes it one of data, which has no operands; gives those it had.
    #[inline]
    pub(super) fn leave(&mut self, mut operand: impl FnMut(NodeId)) {
        if self.more.is_some() {
            self.operands().for_each(&mut operand);
            self.more = None;
        } else {
            self.operands.into_iter().filter(|&o| o != NONE).for_each(operand);
        }
        (self.operands, self.kind) = ([NONE; 3], Kind::Data);
    }

    /// The bits of a real literal, the lower ones first.
    pub(crate) fn literal_halves(&self) -> [u32; 2] {
        // Words begin with the element's bytes, on every machine.
        let word = self.literal[0];
        let bits = if cfg!(target_endian = "big") { word >> (64 - 8 * self.dtype.bytes()) } else { word };
        [bits as u32, (bits >> 32) as u32]
    }

    /// True if only the number of elements matters to what has it for an operand, and this many.
    #[inline]
    pub(crate) fn is_flat(&self, size: usize) -> bool {
        let own = self.shape.size();
        own == 1 || self.kind == Kind::Literal || self.flat && own == size
    }

    /// Which operand of a binary operation is the literal that the node has itself.
    pub(crate) fn scalar(&self) -> Option<usize> {
        let [x, y, _] = self.operands;
        match self.kind {
            Kind::Binary(_) if x == NONE => Some(0),
            Kind::Binary(_) if y == NONE => Some(1),
            _ => None,
        }
    }

    /// What a loop or a conditional is made of.
    pub(crate) fn flow(&self) -> Option<&Flow> {
        match self.more.as_deref() {
            Some(More::Flow(flow)) => Some(flow),
            _ => None,
        }
    }

    /// Where gathered elements come from.
    pub(crate) fn gather(&self) -> Option<&Gather> {
        match self.more.as_deref() {
            Some(More::Gather(gather)) => Some(gather),
            _ => None,
        }
    }

    /// Where updates are put, and how.
    pub(crate) fn scatter(&self) -> Option<&Scatter> {
        match self.more.as_deref() {
            Some(More::Scatter(scatter)) => Some(scatter),
            _ => None,
        }
    }

    /// What is done to what is padded, and how many elements it puts around each axis.
    pub(crate) fn pad(&self) -> Option<(&Op, &[AxisPad])> {
        match self.more.as_deref() {
            Some(More::Pad(op @ Op::Pad { axes, .. })) => Some((op, axes)),
            _ => None,
        }
    }

    /// The op of the reference kernels that gives the elements of what is padded or joined.
    pub(crate) fn placed(&self) -> Option<Op> {
        match self.kind {
            Kind::Concat => Some(Op::Concat { axis: self.literal[0] as usize }),
            _ => self.pad().map(|(op, _)| op.clone()),
        }
    }

    /// What waits to be done.
    pub(crate) fn deferred(&self) -> Option<&Deferred> {
        match self.more.as_deref() {
            Some(More::Deferred(deferred)) => Some(deferred),
            _ => None,
        }
    }

    /// Where a view's elements are found.
    pub(crate) fn map(&self) -> Option<&Map> {
        match self.more.as_deref() {
            Some(More::Map(map)) => Some(map),
            _ => None,
        }
    }

    /// What equal nodes have equal, besides what their operands fix.
    pub(crate) fn key(&self) -> Key {
        Key { kind: self.kind, dtype: self.dtype, operands: self.operands, literal: self.literal }
    }

    /// True if an equal node may stand for it. Shapes are no part of the key, so the nodes that
    /// have one of their own are not shared.
    pub(crate) fn is_shared(&self) -> bool {
        match self.kind {
            Kind::Data | Kind::Reshape | Kind::View | Kind::Pad | Kind::Concat => false,
            Kind::Gather | Kind::Scatter | Kind::Deferred => false,
            Kind::Symbol | Kind::Loop | Kind::Branch | Kind::After => false,
            Kind::Literal => self.shape.is_empty() && !self.constant,
            _ => true,
        }
    }
}

/// The meaning of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    kind: Kind,
    dtype: Dtype,
    operands: [NodeId; 3],
    literal: [u64; 2],
}

impl Key {
    /// Its hash, word by word.
    #[inline]
    pub(super) fn hash(&self) -> u32 {
        let (mut state, [a, b, c]) = (WordHasher::default(), self.operands.map(u64::from));
        self.kind.hash(&mut state);
        state.write_u64(a << 32 | b);
        state.write_u64(c << 32 | self.dtype.index() as u64);
        state.write_u64(self.literal[0] ^ self.literal[1].rotate_left(32));
        state.finish() as u32
    }
}
