//! Trees of fields with their memory, and how kernels see their fields.

use super::store::Store;
use crate::error::{Error, Result};
use crate::ir::{Below, Digit, FieldInfo, Level, Packed, Sparse};
use crate::lower::engine_type;
use ivy_backend_jit::program::Target;
use ivy_taichi_types::layout::{AxisStep, FieldId, LayoutError, NodeId, NodeKind, Paged, SNode, SNodeTree};
use ivy_taichi_types::{PrimitiveType, TypeKind};
use std::sync::Arc;

/// A tree, and a store for each type of numbers in it: each is as long as the whole tree, and a number stands in the one
/// of its type at its address. Behind these stand, of a tree with sparse nodes, the words of its masks and lengths, and
/// its lists of cells in use.
pub struct Tree {
    layout: SNodeTree,
    paged: Paged,
    /// Of each store of numbers their type, and the bytes from one number to the next in the layout.
    kinds: Vec<Kind>,
    /// The stores.
    pub stores: Vec<Store>,
}

/// The type of numbers in memory, and the bytes from one to the next in the layout.
type Kind = (PrimitiveType, u64);

/// The type in memory of a number of a type, or of a word, and its bytes in the layout. Words of less than 32 bits have 32
/// there, so that they are changed by atomics.
fn kept(ty: PrimitiveType, is_word: bool) -> Kind {
    let bytes = ty.bytes() as u64;
    match (is_word, ty.bytes()) {
        (true, 8) => (PrimitiveType::U64, bytes),
        (true, _) => (PrimitiveType::U32, bytes),
        (false, _) => (ty, bytes),
    }
}

/// A field of a tree: what kernels know of it, but for the number of its memory.
#[derive(Clone, Debug)]
pub struct Described {
    /// What kernels know.
    pub info: Arc<FieldInfo>,
    /// The same as text: equal for fields that one compiled kernel is for.
    pub key: Arc<str>,
    /// Which of the tree's stores has its numbers.
    pub store: usize,
}

impl Tree {
    /// A tree with memory of zeros.
    ///
    /// # Errors
    /// [`LayoutError::TooLarge`]; no memory.
    pub fn new(target: &dyn Target, layout: SNodeTree) -> Result<Tree> {
        let paged = layout.paged()?;
        let mut kinds: Vec<Kind> = Vec::new();
        for kind in layout.nodes().iter().filter_map(kind_of) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let zeros = |ty: PrimitiveType, length: u64| {
            Store::zeros(target, engine_type(ty), usize::try_from(length).unwrap_or(usize::MAX))
        };
        let bytes = paged.bytes();
        let numbers = kinds.iter().map(|&(ty, width)| zeros(ty, bytes.div_ceil(width)));
        let mut stores = numbers.collect::<Result<Vec<_>>>()?;
        if layout.is_sparse() {
            stores.push(zeros(PrimitiveType::U32, paged.words)?);
            stores.push(zeros(PrimitiveType::I64, paged.entries)?);
        }
        Ok(Tree { layout, paged, kinds, stores })
    }

    /// The layout.
    pub fn layout(&self) -> &SNodeTree {
        &self.layout
    }

    /// A field.
    ///
    /// # Errors
    /// [`LayoutError::FieldType`] for elements that are no numbers, vectors or matrices of one primitive type.
    pub fn describe(&self, field: FieldId) -> Result<Described> {
        let own = self.layout.field(field)?;
        let no = || Error::from(LayoutError::FieldType { ty: own.ty() });
        let packed = self.packed(field)?;
        let ty: PrimitiveType = own.ty().computed().element().primitive().ok_or_else(no)?;
        let matrix = match (own.ty().kind(), own.ty().shape()) {
            (TypeKind::Tensor { .. }, &[n]) => Some((n, 1)),
            (TypeKind::Tensor { .. }, &[n, m]) => Some((n, m)),
            _ => None,
        };
        let word = packed.as_ref().map(|packed| packed.words[0].0.kind());
        let kind = match word {
            Some(TypeKind::BitStruct(bits)) => kept(bits.physical(), true),
            Some(TypeKind::QuantArray(array)) => kept(array.physical(), true),
            _ => kept(ty, false),
        };
        let width = kind.1;
        let first = own.places()[0];
        let components =
            own.places().iter().map(|&place| Ok(signed(self.base(place)? / width))).collect::<Result<_>>()?;
        let store = self.kinds.iter().position(|own| *own == kind).ok_or_else(no)?;
        let info = FieldInfo {
            name: self.layout.node(first)?.to_string(),
            ty,
            matrix,
            shape: own.shape().iter().map(|&size| signed(size)).collect(),
            offset: own.offset().to_vec(),
            digits: self.digits(first, width)?,
            components,
            guarded: self.layout.fields().len() > 1 || self.layout.is_sparse(),
            memory: 0,
            length: self.stores[store].len() as u64,
            packed,
            sparse: self.sparse(first)?,
        };
        let key = format!("{info:?}").into();
        Ok(Described { info: Arc::new(info), key, store })
    }

    /// A node that has cells, as a field without numbers: its strides are bytes.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`] for nodes of other trees and for values.
    pub fn describe_node(&self, id: NodeId) -> Result<Described> {
        let node = self.layout.node(id)?;
        if node.dtype().is_some() {
            return Err(LayoutError::Foreign { what: "node" }.into());
        }
        let positions = node.physical_index_position();
        let axes = node.extractors().iter().zip(positions).filter(|(_, position)| *position >= 0);
        let mut sparse = self.sparse(id)?;
        if let Some(sparse) = sparse.as_mut().filter(|_| node.kind().needs_activation()) {
            sparse.below = vec![self.below(node, self.base(id)?)];
        }
        let info = FieldInfo {
            name: node.to_string(),
            ty: PrimitiveType::I32,
            matrix: None,
            shape: axes.map(|(own, _)| signed(own.num_elements_from_root)).collect(),
            offset: Vec::new(),
            digits: self.digits(id, 1)?,
            components: Vec::new(),
            guarded: true,
            memory: 0,
            length: 0,
            packed: None,
            sparse,
        };
        let key = format!("{info:?}").into();
        Ok(Described { info: Arc::new(info), key, store: 0 })
    }

    /// The bytes before the first cell of a node, or before a value.
    fn base(&self, id: NodeId) -> Result<u64> {
        Ok(self.layout.chain(id)?.iter().map(|&node| self.paged.node(node).in_parent).sum())
    }

    /// The parts of the indices of a node or value, with strides of so many bytes.
    fn digits(&self, id: NodeId, width: u64) -> Result<Vec<Digit>> {
        let mut digits = Vec::new();
        for level in self.layout.path(id)? {
            let axes = self.layout.node(level.node)?;
            let cell = self.paged.node(level.node).cell;
            for step in &level.steps {
                let count = axes.extractors()[usize::from(step.axis)].shape;
                let [below, count, stride] = [step.divisor, count, step.stride * cell / width].map(signed);
                digits.push(Digit { axis: step.index, below, count, stride });
            }
        }
        Ok(digits)
    }

    /// The sparse nodes above a node or value, itself among them; `None` in a tree that has none.
    fn sparse(&self, id: NodeId) -> Result<Option<Sparse>> {
        if !self.layout.is_sparse() {
            return Ok(None);
        }
        let (mut levels, mut digits) = (Vec::new(), 0);
        for level in self.layout.path(id)? {
            let node = self.layout.node(level.node)?;
            digits += level.steps.len();
            if node.kind().needs_activation() {
                let paged = self.paged.node(level.node);
                levels.push(Level {
                    name: node.to_string(),
                    is_list: matches!(node.kind(), NodeKind::Dynamic { .. }),
                    cells: signed(node.num_cells_per_container()),
                    total: signed(paged.cells),
                    digits,
                    word: signed(paged.word),
                    entry: signed(paged.entry),
                });
            }
        }
        let stores = self.kinds.iter().map(|&(ty, _)| ty).collect();
        Ok(Some(Sparse { levels, below: Vec::new(), stores, first: 0 }))
    }

    /// What stands in a container of a node, which begins at a byte of the cell around it.
    fn below(&self, node: &SNode, at: u64) -> Below {
        let paged = self.paged.node(node.id());
        let mut below = Vec::new();
        for &child in node.children() {
            let Ok(child) = self.layout.node(child) else { continue };
            match self.is_sparse(child) {
                true => below.push(self.below(child, self.paged.node(child.id()).in_parent)),
                false => self.numbers(child, &mut below),
            }
        }
        let word = node.kind().needs_activation();
        let word = word.then(|| (signed(paged.word), matches!(node.kind(), NodeKind::Dynamic { .. })));
        let (cells, cell) = (node.num_cells_per_container(), paged.cell);
        Below::Node { at: signed(at), cells: signed(cells), cell: signed(cell), word, below }
    }

    /// Whether a node, or one below it, is sparse.
    fn is_sparse(&self, node: &SNode) -> bool {
        let inner = |&child: &NodeId| self.layout.node(child).is_ok_and(|child| self.is_sparse(child));
        node.kind().needs_activation() || node.children().iter().any(inner)
    }

    /// The numbers of a container without sparse nodes: of each store that has some, all its places there.
    fn numbers(&self, node: &SNode, into: &mut Vec<Below>) {
        let paged = self.paged.node(node.id());
        for (store, kind) in self.kinds.iter().enumerate() {
            if self.holds(node, kind) {
                let (at, width, count) = (paged.in_parent, kind.1, paged.container / kind.1);
                let [at, width, count] = [at, width, count].map(signed);
                into.push(Below::Numbers { at, store, width, count });
            }
        }
    }

    /// Whether numbers of a kind stand in a container.
    fn holds(&self, node: &SNode, kind: &Kind) -> bool {
        let inner = |&child: &NodeId| self.layout.node(child).is_ok_and(|child| self.holds(child, kind));
        kind_of(node).as_ref() == Some(kind) || node.word().is_none() && node.children().iter().any(inner)
    }
}

/// The kind of the number or word that a node is, if it is one.
fn kind_of(node: &SNode) -> Option<Kind> {
    let word = node.word().map(|word| kept(word, true));
    word.or_else(|| node.dtype()?.primitive().map(|ty| kept(ty, false)))
}

impl Tree {
    /// How the numbers of a field are packed, if they are quantised.
    fn packed(&self, field: FieldId) -> Result<Option<Packed>> {
        let (mut words, mut within) = (Vec::new(), Vec::new());
        for &place in self.layout.field(field)?.places() {
            let above = self.layout.node(place)?.parent().map(|above| self.layout.node(above)).transpose()?;
            let Some((above, ty)) =
                above.filter(|above| above.word().is_some()).and_then(|a| Some((a, a.dtype()?)))
            else {
                return Ok(None);
            };
            let member = above.children().iter().position(|&child| child == place).unwrap_or(0);
            words.push((ty, member));
            if above.kind() == NodeKind::QuantArray
                && let Some(level) = self.layout.path(place)?.last()
            {
                let extractors = above.extractors();
                let digit = |step: &AxisStep| {
                    let count = extractors[usize::from(step.axis)].shape;
                    let [below, count, stride] = [step.divisor, count, step.stride].map(signed);
                    Digit { axis: step.index, below, count, stride }
                };
                within = level.steps.iter().map(digit).collect();
            }
        }
        Ok((!words.is_empty()).then_some(Packed { words, within }))
    }
}

/// Sizes of trees are below 2^63.
fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
