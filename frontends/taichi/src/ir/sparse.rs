//! What a kernel knows of the sparse nodes above a field: which cells are in use, and what goes out of use with them.

use super::FieldInfo;
use ivy_taichi_types::PrimitiveType;

/// The sparse nodes above a field, or above and at a node. Memory is paged: each cell has its place, which is zero while the cell is not in
/// use, so that reads look at nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sparse {
    /// The nodes, the outermost first.
    pub levels: Vec<Level>,
    /// Of a sparse node, what its cells hold.
    pub below: Vec<Below>,
    /// The types of the tree's stores of numbers. Behind these follow the words of masks and lengths, of u32, and the lists of cells, of
    /// i64.
    pub stores: Vec<PrimitiveType>,
    /// The field's number, in the kernel, of the first of these memories.
    pub first: usize,
}

/// A sparse node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    /// Its name in messages.
    pub name: String,
    /// Whether its cells are those of lists, the first ones of which are in use: a dynamic node.
    pub is_list: bool,
    /// The cells of a container.
    pub cells: i64,
    /// The cells of all containers.
    pub total: i64,
    /// How many of the field's digits make the number of a cell.
    pub digits: usize,
    /// The first word of its mask, or of the lengths of its lists.
    pub word: i64,
    /// The first place of its list of cells in use.
    pub entry: i64,
}

/// What stands in a cell: it becomes zero where the cell goes out of use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Below {
    /// Numbers one behind the other.
    Numbers {
        /// Where the first one is in the cell, in bytes.
        at: i64,
        /// The tree's store.
        store: usize,
        /// The bytes from one to the next.
        width: i64,
        /// How many there are.
        count: i64,
    },
    /// A container with sparse nodes at or below it.
    Node {
        /// Where it begins in the cell, in bytes.
        at: i64,
        /// The cells.
        cells: i64,
        /// The bytes of one.
        cell: i64,
        /// Of a sparse node the first word of its mask or lengths, and whether it is a list.
        word: Option<(i64, bool)>,
        /// What stands in each.
        below: Vec<Below>,
    },
}

impl Sparse {
    /// The field's number of the words of masks and lengths.
    pub fn words(&self) -> usize {
        self.first + self.stores.len()
    }

    /// The field's number of the lists of cells in use.
    pub fn lists(&self) -> usize {
        self.words() + 1
    }

    /// The tree's memories as fields of single numbers, without indices: elements are named by their places. The first memory has a number.
    pub fn memories(&self, first: usize) -> impl Iterator<Item = FieldInfo> + '_ {
        let types = self.stores.iter().copied().chain([PrimitiveType::U32, PrimitiveType::I64]);
        types.enumerate().map(move |(n, ty)| FieldInfo {
            name: format!("memory {n}"),
            ty,
            matrix: None,
            shape: Vec::new(),
            offset: Vec::new(),
            digits: Vec::new(),
            components: vec![0],
            guarded: false,
            memory: first + n,
            length: 0,
            packed: None,
            sparse: None,
        })
    }
}
