//! Lists of what is in use, level by level (T-40, T-41), and loops over it.

use super::{HostMemory, Location};
use crate::layout::{LayoutError, MAX_AXES, NodeId, NodeKind, SNode};

/// The most cells of an element of a list.
const CHUNK: u64 = 1024;

/// A container that is in use, and where its first cell stands among all cells of the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Container {
    pub(super) index: [u64; MAX_AXES],
    pub(super) at: Location,
}

/// An element of the list of a node: some cells of one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListElement {
    /// The index of the cell above that the container is in.
    pub index: Vec<i64>,
    /// The first of the cells.
    pub from: u64,
    /// The first cell that is none of them.
    pub to: u64,
}

impl HostMemory {
    /// The list of a node, which list generation makes of that of the node above: its containers in use, each in pieces of at most 1024
    /// cells, in the order of memory. The root's has one element.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn list(&self, node: NodeId) -> Result<Vec<ListElement>, LayoutError> {
        let own = self.tree.node(node)?;
        let mut list = Vec::new();
        for container in self.containers(node)? {
            let cells = match own.kind {
                NodeKind::Dynamic { .. } => self.word(container.at.plus(super::LENGTH), 4),
                _ => own.cells,
            };
            let index = own.parent.map_or_else(Vec::new, |above| self.visible(above, &container.index));
            for from in (0..cells).step_by(CHUNK as usize) {
                let to = cells.min(from + CHUNK);
                list.push(ListElement { index: index.clone(), from, to });
            }
        }
        Ok(list)
    }

    /// Calls a function with the index of every cell of a node that is in use and part of the field's shape, in the order of memory: what a
    /// struct-for visits. Of a value, the cells are those of the node above, and of a word those above that.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn for_each_active(&self, node: NodeId, mut visit: impl FnMut(&[i64])) -> Result<(), LayoutError> {
        let mut own = self.tree.node(node)?;
        while let (NodeKind::Place | NodeKind::BitStruct, Some(above)) = (own.kind, own.parent) {
            own = self.tree.node(above)?;
        }
        for container in self.containers(own.id)? {
            let cells = match own.kind {
                // Every element of a word is there.
                NodeKind::QuantArray => (0..own.cells).map(|cell| (cell, container.at)).collect(),
                _ => self.active_cells(own, container.at),
            };
            for (cell, _) in cells {
                if let Some(index) = inside(own, &container.index, cell) {
                    visit(&self.visible(own.id, &index));
                }
            }
        }
        Ok(())
    }

    /// The containers of a node that are in use, in the order of memory.
    pub(super) fn containers(&self, id: NodeId) -> Result<Vec<Container>, LayoutError> {
        let mut containers = vec![Container { index: [0; MAX_AXES], at: Location::ROOT }];
        for pair in self.tree.chain(id)?.windows(2) {
            let (above, below) = (self.tree.node(pair[0])?, self.tree.node(pair[1])?);
            let in_cell = below.offset_bytes_in_parent_cell();
            let mut next = Vec::new();
            for container in containers {
                for (cell, at) in self.active_cells(above, container.at) {
                    let index = inside(above, &container.index, cell);
                    next.extend(index.map(|index| Container { index, at: at.plus(in_cell) }));
                }
            }
            containers = next;
        }
        Ok(containers)
    }

    /// The cells of a container that are in use.
    pub(super) fn active_cells(&self, node: &SNode, container: Location) -> Vec<(u64, Location)> {
        (0..node.cells).filter_map(|cell| Some((cell, self.cell(node, container, cell)?))).collect()
    }

    /// The axes of an index that a node, or one above it, divides.
    fn visible(&self, node: NodeId, index: &[u64; MAX_AXES]) -> Vec<i64> {
        let mut axes = self.tree.nodes()[node.number()].order.clone();
        axes.sort_unstable();
        axes.iter().map(|&axis| index[usize::from(axis)] as i64).collect()
    }
}

/// The index of a cell of a container; `None` for what is padded.
fn inside(node: &SNode, container: &[u64; MAX_AXES], cell: u64) -> Option<[u64; MAX_AXES]> {
    let mut index = *container;
    for axis in node.active_axes() {
        let own = &node.extractors[usize::from(axis)];
        let index = &mut index[usize::from(axis)];
        *index = *index * own.shape + cell / own.acc_shape % own.shape;
        if *index >= own.num_elements_from_root {
            return None;
        }
    }
    Some(index)
}
