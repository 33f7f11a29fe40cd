//! Nodes of a tree.

use super::{FieldId, MAX_AXES, Packing};
use crate::types::BitMember;
use crate::{PrimitiveType, Type};
use std::fmt;

/// A node, by its number in the tree: the root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    /// The number.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// What a node's containers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The one container that a tree begins with.
    Root,
    /// Every cell is there.
    Dense,
    /// Cells are there from their first use.
    Pointer,
    /// Every cell has its place, and a bit whether it is in use.
    Bitmasked,
    /// A list that grows by chunks of so many cells.
    Dynamic {
        /// The cells of a chunk.
        chunk: u32,
    },
    /// Cells found by the hash of their number.
    Hash,
    /// Quantised numbers in a word.
    BitStruct,
    /// A word that is cut into elements of equal width.
    QuantArray,
    /// A value.
    Place,
}

impl NodeKind {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            NodeKind::Root => "root",
            NodeKind::Dense => "dense",
            NodeKind::Pointer => "pointer",
            NodeKind::Bitmasked => "bitmasked",
            NodeKind::Dynamic { .. } => "dynamic",
            NodeKind::Hash => "hash",
            NodeKind::BitStruct => "bit_struct",
            NodeKind::QuantArray => "quant_array",
            NodeKind::Place => "place",
        }
    }

    /// Whether cells come into use by writing to them (T-35).
    pub const fn needs_activation(self) -> bool {
        matches!(self, NodeKind::Pointer | NodeKind::Hash | NodeKind::Bitmasked | NodeKind::Dynamic { .. })
    }

    /// Whether the cells stand in the container, one behind the other, so that an address is one sum.
    pub const fn is_inline(self) -> bool {
        !matches!(self, NodeKind::Pointer | NodeKind::Hash | NodeKind::Dynamic { .. })
    }
}

/// How a node takes its part of an index along one axis (T-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extractor {
    /// Whether the node divides the axis.
    pub active: bool,
    /// The size that was asked for.
    pub size: u64,
    /// The cells along the axis: the size, or the power of two that it is padded to.
    pub shape: u64,
    /// The bits of a number below the padded shape; 0 where the tree is packed.
    pub num_bits: u32,
    /// The cells from one to the next along this axis: the product of the shapes of the axes behind it.
    pub acc_shape: u64,
    /// The first bit of the axis in a cell's number; 0 where the tree is packed.
    pub acc_offset: u32,
    /// The elements along the axis, from the root down to the cells of this node.
    pub num_elements_from_root: u64,
    /// The same with what is padded.
    pub shape_from_root: u64,
}

impl Extractor {
    /// An axis that is not divided.
    pub(super) const UNUSED: Extractor = Extractor {
        active: false,
        size: 1,
        shape: 1,
        num_bits: 0,
        acc_shape: 1,
        acc_offset: 0,
        num_elements_from_root: 1,
        shape_from_root: 1,
    };
}

/// A node of a tree. Sizes and offsets are those of the finished tree; while it is built they are 0.
#[derive(Clone, Debug)]
pub struct SNode {
    pub(super) id: NodeId,
    pub(super) parent: Option<NodeId>,
    pub(super) children: Vec<NodeId>,
    pub(super) kind: NodeKind,
    pub(super) extractors: [Extractor; MAX_AXES],
    pub(super) cells: u64,
    /// The axes in the order of memory: by their first division from the root.
    pub(super) order: Vec<u8>,
    /// The word of a bit struct or quant array, the type of a value.
    pub(super) dtype: Option<Type>,
    pub(super) bits: Option<BitMember>,
    /// The field that a value is of, and which of its numbers it is.
    pub(super) value_of: Option<(FieldId, usize)>,
    pub(super) sizes: Sizes,
}

/// Sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) cell: u64,
    pub(super) align: u64,
    pub(super) header: u64,
    pub(super) container: u64,
    pub(super) in_parent: u64,
}

impl SNode {
    pub(super) fn new(id: NodeId, kind: NodeKind, above: Option<&SNode>) -> SNode {
        let mut extractors = above.map_or([Extractor::UNUSED; MAX_AXES], |above| above.extractors);
        for own in &mut extractors {
            *own = Extractor {
                num_elements_from_root: own.num_elements_from_root,
                shape_from_root: own.shape_from_root,
                ..Extractor::UNUSED
            };
        }
        SNode {
            id,
            parent: above.map(|above| above.id),
            children: Vec::new(),
            kind,
            extractors,
            cells: 1,
            order: above.map_or_else(Vec::new, |above| above.order.clone()),
            dtype: None,
            bits: None,
            value_of: None,
            sizes: Sizes::default(),
        }
    }

    /// Divides axes, which are in order and have the sizes; `None` where a number does not go into 64 bits.
    pub(super) fn divide(&mut self, divisions: &[(u8, u64)], packing: Packing) -> Option<()> {
        for &(axis, size) in divisions {
            let own = &mut self.extractors[usize::from(axis)];
            let padded = size.checked_next_power_of_two()?;
            let (shape, num_bits) = match packing {
                Packing::Padded => (padded, padded.trailing_zeros()),
                Packing::Packed => (size, 0),
            };
            let elements = own.num_elements_from_root.checked_mul(size)?;
            let shape_from_root = own.shape_from_root.checked_mul(shape)?;
            // Indices are signed.
            i64::try_from(shape_from_root).ok()?;
            *own = Extractor {
                active: true,
                size,
                shape,
                num_bits,
                num_elements_from_root: elements,
                shape_from_root,
                ..Extractor::UNUSED
            };
            if !self.order.contains(&axis) {
                self.order.push(axis);
            }
        }
        let (mut acc_shape, mut acc_offset) = (1u64, 0);
        for own in self.extractors.iter_mut().rev() {
            (own.acc_shape, own.acc_offset) = (acc_shape, acc_offset);
            acc_shape = acc_shape.checked_mul(own.shape)?;
            acc_offset += own.num_bits;
        }
        self.cells = acc_shape;
        Some(())
    }

    /// The number.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The node above; none for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes below, in the order of a cell's components.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// What its containers are.
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// How each of the 12 axes is divided.
    pub fn extractors(&self) -> &[Extractor; MAX_AXES] {
        &self.extractors
    }

    /// The axes that the node divides, in order.
    pub fn active_axes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..MAX_AXES as u8).filter(|&axis| self.extractors[usize::from(axis)].active)
    }

    /// The cells of a container.
    pub fn num_cells_per_container(&self) -> u64 {
        self.cells
    }

    /// The bits of a cell's number; 0 where the tree is packed.
    pub fn total_num_bits(&self) -> u32 {
        self.extractors.iter().map(|own| own.num_bits).sum()
    }

    /// For each axis its place in memory, counted from the outermost, and -1 for an axis that neither the node nor one above it divides
    /// (decision S10).
    pub fn physical_index_position(&self) -> [i32; MAX_AXES] {
        let mut positions = [-1; MAX_AXES];
        for (place, &axis) in self.order.iter().enumerate() {
            positions[usize::from(axis)] = place as i32;
        }
        positions
    }

    /// The type of a value, or of the word of a bit struct or quant array.
    pub fn dtype(&self) -> Option<Type> {
        self.dtype
    }

    /// Where the value stands in its word, for a member of a bit struct.
    pub fn bit_member(&self) -> Option<BitMember> {
        self.bits
    }

    /// The field that a value is of, and which of its numbers it is.
    pub fn value_of(&self) -> Option<(FieldId, usize)> {
        self.value_of
    }

    /// The bytes of a cell, its padding included; 0 for values and for cells of less than a byte.
    pub fn cell_bytes(&self) -> u64 {
        self.sizes.cell
    }

    /// The alignment of a container in bytes.
    pub fn alignment(&self) -> u64 {
        self.sizes.align
    }

    /// The bytes of a container before its cells: the mask of a bitmasked node, the locks of pointers, lock and length of a dynamic one.
    pub fn header_bytes(&self) -> u64 {
        self.sizes.header
    }

    /// The bytes of a container.
    pub fn container_bytes(&self) -> u64 {
        self.sizes.container
    }

    /// Where the container begins in a cell of the node above, in bytes.
    pub fn offset_bytes_in_parent_cell(&self) -> u64 {
        self.sizes.in_parent
    }

    /// The bits of an element, below a quant array.
    pub fn element_bits(&self) -> Option<u32> {
        match self.dtype?.kind() {
            crate::TypeKind::QuantArray(array) => quant_bits(array.element()),
            _ => None,
        }
    }

    /// The word of a bit struct or quant array.
    pub fn word(&self) -> Option<PrimitiveType> {
        match self.dtype?.kind() {
            crate::TypeKind::QuantArray(array) => Some(array.physical()),
            crate::TypeKind::BitStruct(bits) => Some(bits.physical()),
            _ => None,
        }
    }
}

/// The bits of a quantised number's digits.
fn quant_bits(ty: Type) -> Option<u32> {
    match ty.kind() {
        crate::TypeKind::QuantInt(int) => Some(int.bits()),
        crate::TypeKind::QuantFixed(fixed) => Some(fixed.digits().bits()),
        _ => None,
    }
}

/// Such as `S1dense`, and `S5place<i32>` for a value.
impl fmt::Display for SNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S{}{}", self.id.0, self.kind.name())?;
        match (self.kind, self.dtype) {
            (NodeKind::Place, Some(dtype)) => write!(f, "<{dtype}>"),
            _ => Ok(()),
        }
    }
}
