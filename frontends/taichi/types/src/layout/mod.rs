//! Layout: trees of structural nodes (SNodes), and where the elements of fields stand in memory.
//!
//! A tree alternates containers and cells: a container of a node has cells, a cell has components, and each component is a container of a
//! node below. The containers of `place` nodes are the values themselves. Cells of `dense` and `bitmasked` nodes stand in their
//! container one behind the other; those of `pointer`, `dynamic` and `hash` nodes stand elsewhere, and the container says where.

mod address;
mod axes;
mod builder;
mod error;
mod fields;
mod memory;
mod node;
mod paged;
mod print;
mod sizes;
mod svg;
mod tree;
mod visit;

pub use address::{AxisStep, LinearAddress, PathLevel};
pub use axes::{Axes, MAX_AXES};
pub use builder::{Cursor, FieldsBuilder};
pub use error::{LayoutError, LayoutWarning};
pub use fields::{FieldId, FieldOptions, Interleaving};
pub use memory::{HostMemory, ListElement};
pub use node::{Extractor, NodeId, NodeKind, SNode};
pub use paged::{Paged, PagedNode};
pub use tree::{FieldLayout, SNodeTree};
pub use visit::{Counts, Located, rescale_index};

/// Whether cells are padded to powers of two (decision S11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Each axis of a node has a power of two of cells, so that addresses are made by shifts; the default.
    #[default]
    Padded,
    /// As many cells as were asked for.
    Packed,
}

/// The most nodes of a tree.
pub const MAX_NODES: usize = 1024;
