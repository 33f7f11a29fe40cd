//! The order of memory: which elements stand where, and what stands at an address.

use super::{FieldId, LayoutError, NodeId, NodeKind, SNodeTree};

/// What stands at an address of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The field.
    pub field: FieldId,
    /// Which of its numbers.
    pub number: usize,
    /// The index of the element.
    pub index: Vec<i64>,
    /// The byte of the number, or of its word.
    pub byte: u64,
}

/// How many containers and cells of a node there are at most (T-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Containers.
    pub containers: u64,
    /// Cells; values have none.
    pub cells: u64,
}

impl SNodeTree {
    /// The containers and cells of a node when all cells are in use, padding included. `None` beyond 64 bits.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn counts(&self, id: NodeId) -> Result<Option<Counts>, LayoutError> {
        let chain = self.chain(id)?;
        let mut containers = Some(1u64);
        for &node in &chain[..chain.len() - 1] {
            containers = containers.and_then(|count| count.checked_mul(self.nodes()[node.number()].cells));
        }
        let node = self.node(id)?;
        let cells = match node.kind {
            NodeKind::Place | NodeKind::BitStruct => Some(0),
            _ => containers.and_then(|count| count.checked_mul(node.cells)),
        };
        Ok(containers.zip(cells).map(|(containers, cells)| Counts { containers, cells }))
    }

    /// Calls a function with the index of every cell of a node that is part of the field's shape, in the order of memory, as if all cells
    /// were in use: what a struct-for visits one after the other. Of a value, the cells are those of the node above.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn for_each_index(&self, id: NodeId, mut visit: impl FnMut(&[i64])) -> Result<(), LayoutError> {
        let node = self.node(id)?;
        let mut axes = node.order.clone();
        axes.sort_unstable();
        let ends: Vec<u64> =
            axes.iter().map(|&axis| node.extractors[usize::from(axis)].num_elements_from_root).collect();
        let levels = self.path(id)?;
        let mut walk = Walk { tree: self, ends: &ends, index: vec![0; ends.len()], visit: &mut visit };
        walk.level(&levels);
        Ok(())
    }

    /// The value at an address of a tree without pointers, lists and hashes above it; `None` for padding, masks, and what lies elsewhere.
    /// Of a word, the first of its numbers.
    pub fn locate(&self, address: u64) -> Option<Located> {
        let mut index = [0u64; super::MAX_AXES];
        let (mut node, mut rest) = (self.nodes().first()?, address);
        loop {
            if node.kind == NodeKind::Place {
                return self.located(node.id, &index, rest);
            }
            if !node.kind.is_inline() {
                return None;
            }
            let (cell, byte) = match node.kind {
                NodeKind::BitStruct | NodeKind::QuantArray => (0, rest),
                _ => {
                    let body = rest.checked_sub(node.sizes.header)?;
                    (body.checked_div(node.sizes.cell)?, body.checked_rem(node.sizes.cell)?)
                }
            };
            if cell >= node.cells {
                return None;
            }
            for axis in node.active_axes() {
                let own = &node.extractors[usize::from(axis)];
                let part = cell / own.acc_shape % own.shape;
                let index = &mut index[usize::from(axis)];
                *index = index.checked_mul(own.shape)?.checked_add(part)?;
            }
            let inside = |child: &&NodeId| {
                let sizes = &self.nodes()[child.number()].sizes;
                let word = node.word().is_some();
                word || (sizes.in_parent..sizes.in_parent + sizes.container).contains(&byte)
            };
            let child = *node.children.iter().find(inside)?;
            node = &self.nodes()[child.number()];
            rest = byte - node.sizes.in_parent;
        }
    }

    fn located(&self, place: NodeId, index: &[u64], byte: u64) -> Option<Located> {
        let (field, number) = self.node(place).ok()?.value_of()?;
        let layout = self.field(field).ok()?;
        let own = layout.axes().iter().map(|&axis| index[usize::from(axis)]);
        if own.clone().zip(layout.shape()).any(|(index, &size)| index >= size) {
            return None;
        }
        let first = |axis: usize| layout.offset().get(axis).copied().unwrap_or(0);
        let index = own.enumerate().map(|(axis, index)| index as i64 + first(axis)).collect();
        Some(Located { field, number, index, byte })
    }
}

/// A walk over the cells of a path.
struct Walk<'a, F> {
    tree: &'a SNodeTree,
    ends: &'a [u64],
    index: Vec<i64>,
    visit: &'a mut F,
}

impl<F: FnMut(&[i64])> Walk<'_, F> {
    fn level(&mut self, levels: &[super::PathLevel]) {
        let Some((level, below)) = levels.split_first() else { return (self.visit)(&self.index) };
        let tree = self.tree;
        let node = &tree.nodes()[level.node.number()];
        let before = self.index.clone();
        for cell in 0..node.cells {
            self.index.copy_from_slice(&before);
            let mut inside = true;
            for step in &level.steps {
                let part = cell / step.stride % node.extractors[usize::from(step.axis)].shape * step.divisor;
                self.index[step.index] += part as i64;
                inside &= (self.index[step.index] as u64) < self.ends[step.index];
            }
            if inside {
                self.level(below);
            }
        }
        self.index.copy_from_slice(&before);
    }
}

/// The index of another field's element that stands where an element of the first does, each axis scaled by the ratio of the shapes
/// (`ti.rescale_index`). Axes that only one of them has stay as they are.
///
/// ```
/// use ivy_taichi_types::layout::rescale_index;
/// assert_eq!(rescale_index(&[128, 64], &[16, 256], &[100, 3]), [12, 12]);
/// ```
pub fn rescale_index(from: &[u64], to: &[u64], index: &[i64]) -> Vec<i64> {
    let one = |(axis, &index): (usize, &i64)| {
        let ratio = |a: u64, b: u64| i64::try_from(a.checked_div(b).unwrap_or(1).max(1)).unwrap_or(i64::MAX);
        match (from.get(axis), to.get(axis)) {
            (Some(&from), Some(&to)) if from > to => index.div_euclid(ratio(from, to)),
            (Some(&from), Some(&to)) => index.saturating_mul(ratio(to, from)),
            _ => index,
        }
    };
    index.iter().enumerate().map(one).collect()
}
