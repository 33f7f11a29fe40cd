//! A tree's memory on the host: the root's bytes, and arenas of the cells that stand elsewhere.
//!
//! Every sparse node has one arena, of slots by index: a pointer's entry is the index of its cell's slot and 1, so that 0 is none, and no
//! address leaves its arena. A slot of a dynamic node is a chunk, with the entry of the next chunk before its cells.

mod activate;
mod arena;
mod lists;

pub use lists::ListElement;

use super::address::checked_index;
use super::{FieldId, LayoutError, NodeId, NodeKind, SNode, SNodeTree};
use crate::{Constant, PrimitiveType, TypeKind};
use arena::{Arena, zeroed};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bytes of an entry, and where a list has its length and its first chunk.
const ENTRY: u64 = 8;
const LENGTH: u64 = 4;

/// The values of a tree's fields, without an engine: what kernels are compared with, and sparse trees are tried on.
///
/// ```
/// use ivy_taichi_types::layout::{FieldsBuilder, HostMemory, Packing};
/// use ivy_taichi_types::{Constant, PrimitiveType};
/// let mut builder = FieldsBuilder::new(Packing::Padded);
/// let x = builder.field("x", PrimitiveType::I32)?;
/// let blocks = builder.root().pointer("i", &[4])?.id();
/// builder.at(blocks)?.dense("i", &[2])?.place(&[x])?;
/// let mut memory = HostMemory::new(builder.finalize()?)?;
/// memory.write(x, 0, &[5], Constant::int(PrimitiveType::I32, 7))?;
/// assert_eq!(memory.read(x, 0, &[5])?.to_i128(), 7);
/// assert_eq!((memory.is_active(blocks, &[2])?, memory.is_active(blocks, &[3])?), (true, false));
/// # Ok::<(), ivy_taichi_types::layout::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HostMemory {
    tree: Arc<SNodeTree>,
    root: Vec<u8>,
    /// By the number of the node; those of other kinds have no slots.
    arenas: Vec<Arena>,
    /// The slots of hash nodes, by the number of the cell.
    tables: BTreeMap<(NodeId, u64), u32>,
    limit: u32,
}

/// Where a container or a cell begins: in the root's bytes, or in a slot of the arena of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Location {
    /// The root stands for the root's bytes.
    arena: NodeId,
    slot: u32,
    byte: u64,
}

/// The nodes from the root to one below, each with the number of a cell.
type Cells = Vec<(NodeId, u64)>;

impl Location {
    const ROOT: Location = Location { arena: NodeId::ROOT, slot: 0, byte: 0 };

    fn plus(self, bytes: u64) -> Location {
        Location { byte: self.byte + bytes, ..self }
    }
}

impl HostMemory {
    /// The memory of a tree: every value is 0, and no sparse cell is in use.
    ///
    /// # Errors
    /// [`LayoutError::OutOfMemory`].
    pub fn new(tree: SNodeTree) -> Result<HostMemory, LayoutError> {
        HostMemory::with_limit(tree, u32::MAX)
    }

    /// The same with at most so many slots a sparse node.
    ///
    /// # Errors
    /// [`LayoutError::OutOfMemory`].
    pub fn with_limit(tree: SNodeTree, limit: u32) -> Result<HostMemory, LayoutError> {
        let root = zeroed(tree.root_bytes())?;
        let slot = |node: &SNode| match node.kind {
            NodeKind::Dynamic { chunk } => {
                u64::from(chunk).checked_mul(node.cell_bytes())?.checked_add(ENTRY)
            }
            _ => Some(node.cell_bytes()),
        };
        let arena = |node: &SNode| {
            let bytes = slot(node).ok_or_else(|| LayoutError::TooLarge { node: node.to_string() })?;
            Ok(Arena::new(bytes))
        };
        let arenas = tree.nodes().iter().map(arena).collect::<Result<_, LayoutError>>()?;
        Ok(HostMemory { tree: Arc::new(tree), root, arenas, tables: BTreeMap::new(), limit })
    }

    /// The tree.
    pub fn tree(&self) -> &SNodeTree {
        &self.tree
    }

    /// A number of a field's element, quantised ones in their compute type; 0 where a cell above it is not in use, which stays so.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`], [`LayoutError::Indices`], [`LayoutError::OutOfRange`].
    pub fn read(&self, field: FieldId, number: usize, index: &[i64]) -> Result<Constant, LayoutError> {
        let (place, cells) = self.value(field, number, index)?;
        let node = self.tree.node(place)?;
        let zero = || {
            let compute = node.dtype.and_then(|ty| ty.compute_type().primitive());
            Constant::int(compute.unwrap_or(PrimitiveType::I32), 0)
        };
        let Some(at) = self.find(&cells) else { return Ok(zero()) };
        let (bytes, word) = (self.tree.stored_bytes(node), |bytes| self.word(at, bytes));
        let read = match self.packed_in(node) {
            Some((TypeKind::BitStruct(bits), member)) => bits.load(word(bytes), member),
            Some((TypeKind::QuantArray(array), _)) => array.load(word(bytes), element(&cells)),
            _ => node.dtype.and_then(|ty| ty.primitive()).map(|ty| Constant::from_bits(ty, word(bytes))),
        };
        Ok(read.unwrap_or_else(zero))
    }

    /// Writes a number of a field's element, cast to its type; the cells above it come into use.
    ///
    /// # Errors
    /// As [`HostMemory::read`], [`LayoutError::PoolFull`], [`LayoutError::OutOfMemory`].
    pub fn write(
        &mut self,
        field: FieldId,
        number: usize,
        index: &[i64],
        value: Constant,
    ) -> Result<(), LayoutError> {
        let (place, cells) = self.value(field, number, index)?;
        let at = self.make(&cells)?;
        let node = self.tree.node(place)?;
        let bytes = self.tree.stored_bytes(node);
        let word = match self.packed_in(node) {
            Some((TypeKind::BitStruct(bits), member)) => bits.store(self.word(at, bytes), member, value),
            Some((TypeKind::QuantArray(array), _)) => {
                array.store(self.word(at, bytes), element(&cells), value)
            }
            _ => node.dtype.and_then(|ty| ty.primitive()).map(|ty| value.cast(ty).bits()),
        };
        if let Some(word) = word {
            self.set_word(at, bytes, word);
        }
        Ok(())
    }

    /// The node of a number, and the cells of the nodes on the way to it.
    fn value(&self, field: FieldId, number: usize, index: &[i64]) -> Result<(NodeId, Cells), LayoutError> {
        let index = self.tree.index(field, index)?;
        let places = self.tree.field(field)?.places();
        let place = *places.get(number).ok_or(LayoutError::Foreign { what: "number" })?;
        Ok((place, self.cells_to(place, &index)?))
    }

    /// The nodes from the root to a node, each with the number of the cell that an index is in; 0 for those without cells.
    fn cells_to(&self, id: NodeId, index: &[u64]) -> Result<Cells, LayoutError> {
        let levels = self.tree.path(id)?;
        let cell = |node: NodeId| {
            let level = levels.iter().find(|level| level.node == node);
            (node, level.map_or(0, |level| level.cell_of(index)))
        };
        Ok(self.tree.chain(id)?.into_iter().map(cell).collect())
    }

    /// The cells on the way to a node's cell of an index.
    fn cells_of(&self, id: NodeId, index: &[i64]) -> Result<Cells, LayoutError> {
        let node = self.tree.node(id)?;
        let mut axes = node.order.clone();
        axes.sort_unstable();
        let shape: Vec<u64> =
            axes.iter().map(|&axis| node.extractors[usize::from(axis)].num_elements_from_root).collect();
        let index = checked_index(&node.to_string(), &shape, &[], index)?;
        self.cells_to(id, &index)
    }

    /// The last of the cells, where all of them are in use.
    fn find(&self, cells: &[(NodeId, u64)]) -> Option<Location> {
        cells.iter().try_fold(Location::ROOT, |at, &(id, cell)| {
            let node = &self.tree.nodes()[id.number()];
            self.cell(node, at.plus(node.offset_bytes_in_parent_cell()), cell)
        })
    }

    /// A cell of a container, where it is in use. Words and values stand for their one cell.
    fn cell(&self, node: &SNode, container: Location, cell: u64) -> Option<Location> {
        let slot = |slot: u32, byte: u64| Location { arena: node.id, slot, byte };
        let inline = || container.plus(node.header_bytes() + cell * node.cell_bytes());
        match node.kind {
            NodeKind::Place | NodeKind::BitStruct | NodeKind::QuantArray => Some(container),
            NodeKind::Root | NodeKind::Dense => Some(inline()),
            NodeKind::Bitmasked => self.bit(container, cell).then(inline),
            NodeKind::Pointer => {
                self.entry(container.plus(node.header_bytes() + cell * ENTRY)).map(|own| slot(own, 0))
            }
            NodeKind::Hash => self.tables.get(&(node.id, cell)).map(|&own| slot(own, 0)),
            NodeKind::Dynamic { chunk } => {
                let (chunk, length) = (u64::from(chunk), self.word(container.plus(LENGTH), 4));
                if cell >= length {
                    return None;
                }
                let first = self.entry(container.plus(node.header_bytes()))?;
                let own = (0..cell / chunk).try_fold(first, |own, _| self.entry(slot(own, 0)))?;
                Some(slot(own, ENTRY + cell % chunk * node.cell_bytes()))
            }
        }
    }

    /// The type of the word that a number is packed in, and its place among those below it.
    fn packed_in(&self, node: &SNode) -> Option<(&'static TypeKind, usize)> {
        let above = self.tree.node(node.parent?).ok()?;
        above.word()?;
        let member = above.children.iter().position(|&child| child == node.id)?;
        Some((above.dtype?.kind(), member))
    }

    fn bytes(&self, at: Location, count: u64) -> &[u8] {
        let memory = match at.arena {
            NodeId::ROOT => &self.root[..],
            arena => self.arenas[arena.number()].slot(at.slot),
        };
        &memory[at.byte as usize..(at.byte + count) as usize]
    }

    fn bytes_mut(&mut self, at: Location, count: u64) -> &mut [u8] {
        let memory = match at.arena {
            NodeId::ROOT => &mut self.root[..],
            arena => self.arenas[arena.number()].slot_mut(at.slot),
        };
        &mut memory[at.byte as usize..(at.byte + count) as usize]
    }

    /// A number of up to 8 bytes, the least byte first.
    fn word(&self, at: Location, count: u64) -> u64 {
        let mut word = [0; 8];
        word[..count as usize].copy_from_slice(self.bytes(at, count));
        u64::from_le_bytes(word)
    }

    fn set_word(&mut self, at: Location, count: u64, word: u64) {
        self.bytes_mut(at, count).copy_from_slice(&word.to_le_bytes()[..count as usize]);
    }

    /// The slot that an entry names.
    fn entry(&self, at: Location) -> Option<u32> {
        u32::try_from(self.word(at, ENTRY).checked_sub(1)?).ok()
    }

    fn set_entry(&mut self, at: Location, slot: Option<u32>) {
        self.set_word(at, ENTRY, slot.map_or(0, |slot| u64::from(slot) + 1));
    }

    /// A bit of a mask.
    fn bit(&self, container: Location, cell: u64) -> bool {
        self.word(container.plus(cell / 8), 1) >> (cell % 8) & 1 == 1
    }

    fn set_bit(&mut self, container: Location, cell: u64, on: bool) {
        let at = container.plus(cell / 8);
        let others = self.word(at, 1) & !(1 << (cell % 8));
        self.set_word(at, 1, others | u64::from(on) << (cell % 8));
    }
}

/// The element of a word: the number of the last but one cell, behind which the value stands.
fn element(cells: &[(NodeId, u64)]) -> u32 {
    let cell = cells.len().checked_sub(2).map_or(0, |array| cells[array].1);
    u32::try_from(cell).unwrap_or(u32::MAX)
}
