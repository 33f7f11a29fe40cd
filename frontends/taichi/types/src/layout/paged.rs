//! Trees with sparse nodes in paged memory, as kernels have them: every container stands in its cell, and the system gives memory to the
//! pages that are written (SPGrid: Setaluri et al., 2014). Masks, lengths and lists of cells stand apart.

use super::{LayoutError, NodeId, NodeKind, SNode, SNodeTree};

/// A node in paged memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagedNode {
    /// The bytes of a cell.
    pub cell: u64,
    /// The bytes of a container.
    pub container: u64,
    /// Where the container begins in a cell of the node above, in bytes.
    pub in_parent: u64,
    /// The cells of all containers.
    pub cells: u64,
    /// Of a sparse node the first of the words of 32 bits that say which cells are in use: a bit a cell, or of a dynamic node the length of
    /// each list.
    pub word: u64,
    /// Of a sparse node the first place of its list of cells in use.
    pub entry: u64,
    align: u64,
}

/// A tree in paged memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paged {
    nodes: Vec<PagedNode>,
    /// The words of masks and lengths.
    pub words: u64,
    /// The places of lists.
    pub entries: u64,
}

impl Paged {
    /// A node.
    pub fn node(&self, id: NodeId) -> PagedNode {
        self.nodes[id.number()]
    }

    /// The bytes of the whole tree.
    pub fn bytes(&self) -> u64 {
        self.nodes[NodeId::ROOT.number()].container
    }
}

impl SNodeTree {
    /// Whether cells of the tree come into use by writing to them.
    pub fn is_sparse(&self) -> bool {
        self.nodes().iter().any(|node| node.kind.needs_activation())
    }

    /// The tree in paged memory. Without sparse nodes, addresses are those of [`SNodeTree::linear`].
    ///
    /// ```
    /// use ivy_taichi_types::layout::{FieldsBuilder, Packing};
    /// use ivy_taichi_types::PrimitiveType;
    /// let mut builder = FieldsBuilder::new(Packing::Packed);
    /// let x = builder.field("x", PrimitiveType::F32)?;
    /// builder.root().pointer("i", &[8])?.dense("i", &[4])?.place(&[x])?;
    /// let paged = builder.finalize()?.paged()?;
    /// assert_eq!((paged.bytes(), paged.words), (8 * 4 * 4, 1));
    /// # Ok::<(), ivy_taichi_types::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::TooLarge`] beyond 63 bits.
    pub fn paged(&self) -> Result<Paged, LayoutError> {
        let too_large = |node: &SNode| LayoutError::TooLarge { node: node.to_string() };
        let count = self.nodes().len();
        let empty = PagedNode { cell: 0, container: 0, in_parent: 0, cells: 0, word: 0, entry: 0, align: 1 };
        let mut nodes = vec![empty; count];
        for node in self.nodes().iter().rev() {
            lay_out(&mut nodes, node).ok_or_else(|| too_large(node))?;
        }
        let (mut words, mut entries) = (0u64, 0u64);
        for node in self.nodes() {
            let above = node.parent.map_or(1, |above| nodes[above.number()].cells);
            let mut assign = || {
                let own = &mut nodes[node.id.number()];
                own.cells = above.checked_mul(node.cells)?;
                if node.kind.needs_activation() {
                    (own.word, own.entry) = (words, entries);
                    let more = match node.kind {
                        NodeKind::Dynamic { .. } => above,
                        _ => own.cells.div_ceil(32),
                    };
                    words = words.checked_add(more)?;
                    entries = entries.checked_add(own.cells)?;
                }
                i64::try_from(words.max(entries).max(own.cells)).ok()
            };
            assign().ok_or_else(|| too_large(node))?;
        }
        Ok(Paged { nodes, words, entries })
    }
}

/// The sizes of a node, whose children have theirs; `None` beyond 63 bits.
fn lay_out(nodes: &mut [PagedNode], node: &SNode) -> Option<()> {
    let word = node.word().or_else(|| node.dtype?.primitive()).map(|word| word.bytes() as u64);
    let own = match node.kind {
        NodeKind::BitStruct | NodeKind::QuantArray | NodeKind::Place => {
            let bytes = word.unwrap_or(0);
            PagedNode { container: bytes, align: bytes.max(1), ..nodes[node.id.number()] }
        }
        _ => {
            let (mut end, mut align) = (0u64, 1);
            for child in &node.children {
                let child = &mut nodes[child.number()];
                child.in_parent = end.checked_next_multiple_of(child.align)?;
                end = child.in_parent.checked_add(child.container)?;
                align = align.max(child.align);
            }
            let cell = end.checked_next_multiple_of(align)?;
            let container = cell.checked_mul(node.cells)?;
            PagedNode { cell, container, align, ..nodes[node.id.number()] }
        }
    };
    i64::try_from(own.container).ok()?;
    nodes[node.id.number()] = own;
    Some(())
}
