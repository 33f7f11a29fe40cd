//! The entries of a trace.

use super::Map;
use crate::ir::Join;
use crate::runtime::Elements;
use ivy_core::{BinaryOp, Dtype, Shape, UnaryOp};

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Evaluated: elements in memory.
    Data,
    /// One value for all elements.
    Literal,
    /// An operation on each element.
    Unary(UnaryOp),
    /// An operation on pairs of elements, broadcast.
    Binary(BinaryOp),
    /// `(condition, x, y)`: a choice for each element, broadcast.
    Where,
    /// Conversion to the node's dtype.
    Cast,
    /// The same elements in row-major order under the node's shape.
    Reshape,
    /// The elements that the node's map finds.
    View,
    /// The operand folded over axes: the node's literal has a bit for each, and then whether they
    /// stay with length 1.
    Fold(Join),
}

impl Kind {
    /// The name in logs and graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Data => "data",
            Kind::Literal => "literal",
            Kind::Unary(op) => op.name(),
            Kind::Binary(op) => op.name(),
            Kind::Where => "where",
            Kind::Cast => "cast",
            Kind::Reshape => "reshape",
            Kind::View => "view",
            Kind::Fold(join) => join.name(),
        }
    }
}

/// The number of a node; it is used again when the node is gone.
pub type NodeId = u32;

/// No operand.
pub(crate) const NONE: NodeId = NodeId::MAX;

/// A node: 64 bytes at most, without shape and data.
pub(crate) struct Node {
    /// Handles and nodes that refer to it.
    pub(crate) refs: u32,
    /// How many pending nodes it takes to compute it: at most, itself included.
    pub(crate) weight: u32,
    pub(crate) operands: [NodeId; 3],
    pub(crate) kind: Kind,
    pub(crate) dtype: Dtype,
    /// Whether every input under it is walked in order or is one element, so that only the
    /// number of elements matters to it.
    pub(crate) flat: bool,
    /// The bytes of a literal.
    pub(crate) literal: [u64; 2],
    pub(crate) shape: Shape,
    pub(crate) data: Option<Box<Elements>>,
    /// Of a view: where its elements are found in its operand.
    pub(crate) map: Option<Box<Map>>,
}

const _: () = assert!(size_of::<Node>() - size_of::<Shape>() <= 64);

impl Node {
    pub(crate) fn is_pending(&self) -> bool {
        !matches!(self.kind, Kind::Data | Kind::Literal)
    }

    pub(crate) fn operands(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.operands.iter().copied().filter(|&o| o != NONE)
    }

    /// What equal nodes have equal, besides what their operands fix.
    pub(crate) fn key(&self) -> Key {
        Key { kind: self.kind, dtype: self.dtype, operands: self.operands, literal: self.literal }
    }

    /// True if an equal node may stand for it. Shapes are no part of the key, so the nodes that
    /// have one of their own are not shared.
    pub(crate) fn is_shared(&self) -> bool {
        match self.kind {
            Kind::Data | Kind::Reshape | Kind::View => false,
            Kind::Literal => self.shape.is_empty(),
            _ => true,
        }
    }
}

/// The meaning of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    kind: Kind,
    dtype: Dtype,
    operands: [NodeId; 3],
    literal: [u64; 2],
}
