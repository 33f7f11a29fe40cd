//! Cells that come into use and go out of it (T-35, T-36).

use super::{Cells, ENTRY, HostMemory, LENGTH, Location};
use crate::Constant;
use crate::layout::{LayoutError, NodeId, NodeKind, SNode};
use std::sync::Arc;

impl HostMemory {
    /// Whether a node's cell of an index is in use, and those above it are. The index counts the node's cells, not elements below them.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`], [`LayoutError::Indices`], [`LayoutError::OutOfRange`].
    pub fn is_active(&self, node: NodeId, index: &[i64]) -> Result<bool, LayoutError> {
        Ok(self.find(&self.cells_of(node, index)?).is_some())
    }

    /// Puts a node's cell of an index in use, and those above it.
    ///
    /// # Errors
    /// As [`HostMemory::is_active`], [`LayoutError::PoolFull`], [`LayoutError::OutOfMemory`].
    pub fn activate(&mut self, node: NodeId, index: &[i64]) -> Result<(), LayoutError> {
        let cells = self.cells_of(node, index)?;
        self.make(&cells).map(drop)
    }

    /// Takes a node's cell of an index out of use, and what is below it: it reads as 0 from then on, also once it is in use again. Of a
    /// dynamic node the index is that of its list, which becomes empty.
    ///
    /// # Errors
    /// As [`HostMemory::is_active`], [`LayoutError::NotSparse`] for a node whose cells are always in use.
    pub fn deactivate(&mut self, node: NodeId, index: &[i64]) -> Result<(), LayoutError> {
        let own = self.tree.node(node)?;
        if !own.kind.needs_activation() {
            return Err(LayoutError::NotSparse { operation: "deactivate", node: own.to_string() });
        }
        if let NodeKind::Dynamic { .. } = own.kind {
            if let Some(list) = self.find_list(node, "deactivate", index)? {
                self.clear_list(node, list);
            }
            return Ok(());
        }
        let mut cells = self.cells_of(node, index)?;
        let Some(at) = self.find(&cells) else { return Ok(()) };
        let cell = cells.pop().map_or(0, |(_, cell)| cell);
        if let Some(container) = self.find(&cells) {
            let container = container.plus(self.tree.node(node)?.offset_bytes_in_parent_cell());
            self.drop_cell(node, container, cell, at);
        }
        Ok(())
    }

    /// Takes all cells of a node out of use.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`], [`LayoutError::NotSparse`].
    pub fn deactivate_all(&mut self, node: NodeId) -> Result<(), LayoutError> {
        let tree = Arc::clone(&self.tree);
        let own = tree.node(node)?;
        if !own.kind.needs_activation() {
            return Err(LayoutError::NotSparse { operation: "deactivate_all", node: own.to_string() });
        }
        for container in self.containers(node)? {
            self.drop_cells(own, container.at);
        }
        Ok(())
    }

    /// The cells in use of a dynamic node's list.
    ///
    /// # Errors
    /// As [`HostMemory::is_active`], [`LayoutError::NotList`] for another kind of node.
    pub fn length(&self, node: NodeId, index: &[i64]) -> Result<u64, LayoutError> {
        Ok(self.find_list(node, "length", index)?.map_or(0, |list| self.word(list.plus(LENGTH), 4)))
    }

    /// Puts a value behind the end of a dynamic node's list, in the first number of the new cell; the length before.
    ///
    /// # Errors
    /// As [`HostMemory::length`], [`LayoutError::PoolFull`] also for a list that has all its cells, [`LayoutError::NoValue`],
    /// [`LayoutError::OutOfMemory`].
    pub fn append(&mut self, node: NodeId, index: &[i64], value: Constant) -> Result<u64, LayoutError> {
        let length = self.length(node, index)?;
        let own = self.tree.node(node)?;
        if length >= own.cells {
            return Err(LayoutError::PoolFull { node: own.to_string(), limit: own.cells });
        }
        let first = own.children.first().map(|&child| &self.tree.nodes()[child.number()]);
        let number = first.and_then(|first| Some((first.dtype?.primitive()?, first.sizes.in_parent)));
        let refuse = || LayoutError::NoValue { node: own.to_string() };
        let (ty, in_cell) = number.ok_or_else(refuse)?;
        let mut cells = self.list_cells(node, index)?;
        cells.push((node, length));
        let at = self.make(&cells)?.plus(in_cell);
        self.set_word(at, ty.bytes() as u64, value.cast(ty).bits());
        Ok(length)
    }

    /// Makes the slots that went out of use zero, so that they are taken again; how many they were.
    pub fn collect_garbage(&mut self) -> usize {
        self.arenas.iter_mut().map(super::Arena::collect).sum()
    }

    /// The slots of a node that are in use, cells or chunks.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn slots_in_use(&self, node: NodeId) -> Result<usize, LayoutError> {
        self.tree.node(node)?;
        Ok(self.arenas[node.number()].used())
    }

    /// All bytes that are held, those out of use among them.
    pub fn bytes_held(&self) -> usize {
        self.root.len() + self.arenas.iter().map(super::Arena::len).sum::<usize>()
    }

    /// The last of the cells, which come into use.
    pub(super) fn make(&mut self, cells: &[(NodeId, u64)]) -> Result<Location, LayoutError> {
        let tree = Arc::clone(&self.tree);
        let mut at = Location::ROOT;
        for &(id, cell) in cells {
            let node = &tree.nodes()[id.number()];
            let container = at.plus(node.offset_bytes_in_parent_cell());
            at = match self.cell(node, container, cell) {
                Some(found) => found,
                None => self.make_cell(node, container, cell)?,
            };
        }
        Ok(at)
    }

    fn take_slot(&mut self, node: &SNode) -> Result<u32, LayoutError> {
        let full = || LayoutError::PoolFull { node: node.to_string(), limit: u64::from(self.limit) };
        self.arenas[node.id.number()].take(self.limit)?.ok_or_else(full)
    }

    /// Puts a cell in use that is not.
    fn make_cell(&mut self, node: &SNode, container: Location, cell: u64) -> Result<Location, LayoutError> {
        match node.kind {
            NodeKind::Pointer => {
                let slot = self.take_slot(node)?;
                self.set_entry(container.plus(node.header_bytes() + cell * ENTRY), Some(slot));
            }
            NodeKind::Hash => {
                let slot = self.take_slot(node)?;
                self.tables.insert((node.id, cell), slot);
            }
            NodeKind::Dynamic { chunk } => self.lengthen(node, container, cell, u64::from(chunk))?,
            _ => self.set_bit(container, cell, true),
        }
        self.cell(node, container, cell).ok_or_else(|| LayoutError::TooLarge { node: node.to_string() })
    }

    /// Makes a list long enough for a cell. Chunks are linked before the length says that they are there, so that a full arena leaves the
    /// list as it was.
    fn lengthen(&mut self, node: &SNode, list: Location, cell: u64, chunk: u64) -> Result<(), LayoutError> {
        let mut link = list.plus(node.header_bytes());
        for _ in 0..=cell / chunk {
            let slot = match self.entry(link) {
                Some(slot) => slot,
                None => {
                    let slot = self.take_slot(node)?;
                    self.set_entry(link, Some(slot));
                    slot
                }
            };
            link = Location { arena: node.id, slot, byte: 0 };
        }
        self.set_word(list.plus(LENGTH), 4, cell + 1);
        Ok(())
    }

    /// The cells on the way to a dynamic node's list.
    fn list_cells(&self, node: NodeId, index: &[i64]) -> Result<Cells, LayoutError> {
        let above = self.tree.node(node)?.parent.unwrap_or(NodeId::ROOT);
        self.cells_of(above, index)
    }

    fn find_list(
        &self,
        node: NodeId,
        operation: &'static str,
        index: &[i64],
    ) -> Result<Option<Location>, LayoutError> {
        let own = self.tree.node(node)?;
        let NodeKind::Dynamic { .. } = own.kind else {
            return Err(LayoutError::NotList { operation, node: own.to_string() });
        };
        let above = self.find(&self.list_cells(node, index)?);
        Ok(above.map(|above| above.plus(own.offset_bytes_in_parent_cell())))
    }

    fn clear_list(&mut self, node: NodeId, list: Location) {
        let tree = Arc::clone(&self.tree);
        self.drop_cells(&tree.nodes()[node.number()], list);
    }

    /// Takes all cells of a container out of use.
    fn drop_cells(&mut self, node: &SNode, container: Location) {
        if !self.holds_slots(node) && node.kind != NodeKind::Bitmasked {
            return;
        }
        for (cell, at) in self.active_cells(node, container) {
            match node.kind {
                NodeKind::Dynamic { .. } => self.drop_below(node, at),
                _ => self.drop_cell(node.id, container, cell, at),
            }
        }
        if let NodeKind::Dynamic { .. } = node.kind {
            let first = container.plus(node.header_bytes());
            let mut next = self.entry(first);
            while let Some(slot) = next {
                next = self.entry(Location { arena: node.id, slot, byte: 0 });
                self.arenas[node.id.number()].retire(slot);
            }
            self.set_entry(first, None);
            self.set_word(container.plus(LENGTH), 4, 0);
        }
    }

    /// Takes a cell out of use that is in use.
    fn drop_cell(&mut self, node: NodeId, container: Location, cell: u64, at: Location) {
        let tree = Arc::clone(&self.tree);
        let own = &tree.nodes()[node.number()];
        self.drop_below(own, at);
        match own.kind {
            NodeKind::Pointer => {
                self.set_entry(container.plus(own.header_bytes() + cell * ENTRY), None);
                self.arenas[node.number()].retire(at.slot);
            }
            NodeKind::Hash => {
                self.tables.remove(&(node, cell));
                self.arenas[node.number()].retire(at.slot);
            }
            NodeKind::Bitmasked => {
                self.set_bit(container, cell, false);
                self.bytes_mut(at, own.cell_bytes()).fill(0);
            }
            _ => {}
        }
    }

    /// Takes what is below a cell out of use.
    fn drop_below(&mut self, node: &SNode, cell: Location) {
        let tree = Arc::clone(&self.tree);
        for &child in &node.children {
            let child = &tree.nodes()[child.number()];
            self.drop_cells(child, cell.plus(child.offset_bytes_in_parent_cell()));
        }
    }

    /// Whether a node or one below it has cells elsewhere.
    fn holds_slots(&self, node: &SNode) -> bool {
        let below = |&child: &NodeId| self.holds_slots(&self.tree.nodes()[child.number()]);
        !node.kind.is_inline() || node.children.iter().any(below)
    }
}
