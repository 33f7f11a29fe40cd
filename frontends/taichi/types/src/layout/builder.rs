//! Building a tree.

use super::fields::Declared;
use super::{
    Axes, FieldId, LayoutError, LayoutWarning, MAX_NODES, NodeId, NodeKind, Packing, SNode, SNodeTree, axes,
    sizes,
};
use crate::types::{BitStruct, QuantArray};
use crate::{Place, Type};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Cells of a node are numbered with fewer bits than this.
const BITS_LIMIT: u32 = 64;

/// A tree that is being built (`ti.FieldsBuilder`): fields are declared, nodes are added from the root, fields are placed, and
/// [`FieldsBuilder::finalize`] gives the finished tree.
///
/// ```
/// use ivy_taichi_types::layout::{FieldsBuilder, Packing};
/// use ivy_taichi_types::PrimitiveType;
/// let mut builder = FieldsBuilder::new(Packing::Padded);
/// let (x, y) = (builder.field("x", PrimitiveType::F32)?, builder.field("y", PrimitiveType::F32)?);
/// builder.root().dense("i", &[2])?.dense("i", &[4])?.place(&[x, y])?;
/// let tree = builder.finalize()?;
/// assert_eq!(tree.linear(y, 0)?.offset_of(&[5])?, 44);
/// # Ok::<(), ivy_taichi_types::layout::LayoutError>(())
/// ```
#[derive(Debug)]
pub struct FieldsBuilder {
    /// What its fields are known by.
    id: u32,
    pub(super) nodes: Vec<SNode>,
    pub(super) fields: Vec<Declared>,
    packing: Packing,
    warnings: Vec<LayoutWarning>,
    finalized: bool,
}

/// A node of a tree that is being built, at which nodes and fields are added.
#[derive(Debug)]
pub struct Cursor<'b> {
    builder: &'b mut FieldsBuilder,
    node: NodeId,
}

impl FieldsBuilder {
    /// A tree of the root alone.
    pub fn new(packing: Packing) -> FieldsBuilder {
        static BUILDERS: AtomicU32 = AtomicU32::new(0);
        let id = BUILDERS.fetch_add(1, Ordering::Relaxed);
        let root = SNode::new(NodeId::ROOT, NodeKind::Root, None);
        FieldsBuilder {
            id,
            nodes: vec![root],
            fields: Vec::new(),
            packing,
            warnings: Vec::new(),
            finalized: false,
        }
    }

    /// Whether cells are padded.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Declares a field of numbers, vectors, matrices or structs, to be placed.
    ///
    /// # Errors
    /// [`LayoutError::FieldType`] for other types, [`LayoutError::Finalized`].
    #[track_caller]
    pub fn field(&mut self, name: &str, ty: impl Into<Type>) -> Result<FieldId, LayoutError> {
        let made = Place::caller();
        self.field_made_at(name, ty, made)
    }

    /// The same for a field made at a place in another language.
    ///
    /// # Errors
    /// As [`FieldsBuilder::field`].
    pub fn field_made_at(
        &mut self,
        name: &str,
        ty: impl Into<Type>,
        made: Place,
    ) -> Result<FieldId, LayoutError> {
        self.check_open()?;
        let declared = Declared::new(name, ty.into(), made)?;
        self.fields.push(declared);
        Ok(FieldId { builder: self.id, number: self.fields.len() as u32 - 1 })
    }

    /// The root.
    pub fn root(&mut self) -> Cursor<'_> {
        Cursor { builder: self, node: NodeId::ROOT }
    }

    /// A node that was added before.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`] for a node of another builder.
    pub fn at(&mut self, node: NodeId) -> Result<Cursor<'_>, LayoutError> {
        if node.number() >= self.nodes.len() {
            return Err(LayoutError::Foreign { what: "node" });
        }
        Ok(Cursor { builder: self, node })
    }

    /// The finished tree, of whose nodes sizes and offsets are known.
    ///
    /// # Errors
    /// [`LayoutError::Finalized`] the second time, [`LayoutError::NotPlaced`], [`LayoutError::Empty`] for a node with nothing below it, and
    /// [`LayoutError::TooLarge`].
    pub fn finalize(&mut self) -> Result<SNodeTree, LayoutError> {
        self.check_open()?;
        let open = |field: &&Declared| field.places.iter().any(Option::is_none);
        let fields: Vec<_> =
            self.fields.iter().filter(open).map(|f| (f.name.clone(), f.made.clone())).collect();
        if !fields.is_empty() {
            return Err(LayoutError::NotPlaced { fields });
        }
        if let Some(node) = self.nodes.iter().find(|n| n.kind != NodeKind::Place && n.children.is_empty()) {
            return Err(LayoutError::Empty { kind: node.kind.name() });
        }
        let mut nodes = self.nodes.clone();
        sizes::lay_out(&mut nodes)?;
        let tree = SNodeTree::new(self.id, nodes, &self.fields, self.packing, self.warnings.clone())?;
        self.finalized = true;
        Ok(tree)
    }

    fn check_open(&self) -> Result<(), LayoutError> {
        if self.finalized { Err(LayoutError::Finalized) } else { Ok(()) }
    }

    fn add(&mut self, above: NodeId, kind: NodeKind) -> Result<SNode, LayoutError> {
        self.check_open()?;
        if self.nodes.len() >= MAX_NODES {
            return Err(LayoutError::TooManyNodes);
        }
        let parent = &self.nodes[above.number()];
        if matches!(parent.kind, NodeKind::BitStruct | NodeKind::QuantArray) && kind != NodeKind::Place {
            return Err(LayoutError::NoChild { parent: parent.kind.name(), child: kind.name() });
        }
        Ok(SNode::new(NodeId(self.nodes.len() as u32), kind, Some(parent)))
    }

    fn push(&mut self, above: NodeId, node: SNode) -> NodeId {
        let id = node.id;
        self.nodes[above.number()].children.push(id);
        self.nodes.push(node);
        id
    }
}

impl<'b> Cursor<'b> {
    /// The node.
    pub fn id(&self) -> NodeId {
        self.node
    }

    /// A dense node below: as many cells as the sizes say, along axes such as `ij`. One size stands for all axes.
    ///
    /// # Errors
    /// [`LayoutError::NoAxes`], [`LayoutError::UnknownAxis`], [`LayoutError::RepeatedAxis`], [`LayoutError::AxesAndSizes`],
    /// [`LayoutError::NotPositive`], [`LayoutError::TooManyBits`], [`LayoutError::TooLarge`], [`LayoutError::TooManyNodes`],
    /// [`LayoutError::NoChild`], [`LayoutError::Finalized`].
    pub fn dense(self, axes: &str, sizes: &[i64]) -> Result<Cursor<'b>, LayoutError> {
        self.divide(NodeKind::Dense, axes, sizes)
    }

    /// A node below whose cells are there from their first use.
    ///
    /// # Errors
    /// As [`Cursor::dense`].
    pub fn pointer(self, axes: &str, sizes: &[i64]) -> Result<Cursor<'b>, LayoutError> {
        self.divide(NodeKind::Pointer, axes, sizes)
    }

    /// A dense node below with a bit a cell that says whether it is in use.
    ///
    /// # Errors
    /// As [`Cursor::dense`].
    pub fn bitmasked(self, axes: &str, sizes: &[i64]) -> Result<Cursor<'b>, LayoutError> {
        self.divide(NodeKind::Bitmasked, axes, sizes)
    }

    /// A list below of at most `size` cells along an axis that no node above divides, growing by chunks, of all cells where nothing is
    /// said (T-24).
    ///
    /// # Errors
    /// As [`Cursor::dense`], [`LayoutError::DynamicAxes`], [`LayoutError::DynamicAxisShared`], [`LayoutError::DynamicChunk`].
    pub fn dynamic(self, axis: &str, size: i64, chunk: Option<i64>) -> Result<Cursor<'b>, LayoutError> {
        let chunk = chunk.unwrap_or(size.max(1));
        let count = u32::try_from(chunk).ok().filter(|&count| count > 0);
        let chunk = count.ok_or(LayoutError::DynamicChunk { chunk })?;
        self.divide(NodeKind::Dynamic { chunk }, axis, &[size])
    }

    /// Cells below that are found by the hash of their number; below the root only (T-24).
    ///
    /// # Errors
    /// As [`Cursor::dense`], [`LayoutError::HashBelowRoot`].
    pub fn hash(self, axes: &str, sizes: &[i64]) -> Result<Cursor<'b>, LayoutError> {
        self.divide(NodeKind::Hash, axes, sizes)
    }

    /// A word below of 8, 16, 32 or 64 bits, cut into elements of equal width; one field is placed in it.
    ///
    /// # Errors
    /// As [`Cursor::dense`], [`crate::TypeError::WordBits`]; once the field is placed [`crate::TypeError::WordFull`].
    pub fn quant_array(self, axes: &str, sizes: &[i64], bits: u32) -> Result<Cursor<'b>, LayoutError> {
        // A word for any element: what is placed in it makes the type.
        let word = BitStruct::pack(bits, &[])?;
        let cursor = self.divide(NodeKind::QuantArray, axes, sizes)?;
        cursor.builder.nodes[cursor.node.number()].dtype = Some(word.into());
        Ok(cursor)
    }

    fn divide(self, kind: NodeKind, axes: &str, sizes: &[i64]) -> Result<Cursor<'b>, LayoutError> {
        let axes = Axes::parse(axes)?;
        let divisions = divisions(kind, &axes, sizes)?;
        if kind == NodeKind::Hash && self.node != NodeId::ROOT {
            return Err(LayoutError::HashBelowRoot);
        }
        let mut node = self.builder.add(self.node, kind)?;
        if let NodeKind::Dynamic { .. } = kind {
            let [(axis, _)] = divisions[..] else {
                return Err(LayoutError::DynamicAxes { axes: divisions.len() });
            };
            if node.order.contains(&axis) {
                return Err(LayoutError::DynamicAxisShared { letter: axes::letter(axis) });
            }
        }
        let packing = self.builder.packing;
        let slow = |&&(axis, size): &&(u8, u64)| node.order.contains(&axis) && !size.is_power_of_two();
        let warnings: Vec<LayoutWarning> = divisions
            .iter()
            .filter(|_| packing == Packing::Packed)
            .filter(slow)
            .map(|&(axis, size)| LayoutWarning::SlowDivision {
                node: node.to_string(),
                size,
                letter: axes::letter(axis),
            })
            .collect();
        let divided = node.divide(&divisions, packing);
        let bits = node.total_num_bits();
        if packing == Packing::Padded && bits >= BITS_LIMIT {
            return Err(LayoutError::TooManyBits { node: node.to_string(), bits, limit: BITS_LIMIT });
        }
        divided.ok_or_else(|| LayoutError::TooLarge { node: node.to_string() })?;
        self.builder.warnings.extend(warnings);
        let id = self.builder.push(self.node, node);
        Ok(Cursor { builder: self.builder, node: id })
    }

    /// Places fields: every number of each is a component of this node's cells, in order.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`], [`LayoutError::PlacedTwice`], [`LayoutError::Unpacked`] for quantised numbers outside words,
    /// [`LayoutError::QuantArrayFields`], [`LayoutError::TooManyNodes`], [`LayoutError::Finalized`].
    pub fn place(self, fields: &[FieldId]) -> Result<Cursor<'b>, LayoutError> {
        self.place_from(fields, &[])
    }

    /// Places fields whose first element has the given index.
    ///
    /// # Errors
    /// As [`Cursor::place`], [`LayoutError::Offsets`].
    pub fn place_from(self, fields: &[FieldId], offset: &[i64]) -> Result<Cursor<'b>, LayoutError> {
        fields.iter().try_fold(self, |cursor, &field| {
            let leaves = cursor.declared(field)?.places.len();
            cursor.place_leaves(field, 0..leaves, offset)
        })
    }

    /// Places fields in a word of 8, 16, 32 or 64 bits that is a component of this node's cells (`ti.BitpackedFields`): groups, and whether
    /// the floats of each share an exponent.
    ///
    /// # Errors
    /// As [`Cursor::place`], and those of [`BitStruct::pack`].
    pub fn place_bits(self, bits: u32, groups: &[(&[FieldId], bool)]) -> Result<Cursor<'b>, LayoutError> {
        let mut types: Vec<(Vec<Type>, bool)> = Vec::new();
        let mut leaves: Vec<(FieldId, usize)> = Vec::new();
        for &(fields, shared) in groups {
            let mut group = Vec::new();
            for &field in fields {
                let own = self.declared(field)?.ty.leaves();
                leaves.extend((0..own.len()).map(|leaf| (field, leaf)));
                group.extend(own);
            }
            types.push((group, shared));
        }
        let groups: Vec<(&[Type], bool)> =
            types.iter().map(|(types, shared)| (&types[..], *shared)).collect();
        let word = BitStruct::pack(bits, &groups)?;
        let members = word.members().to_vec();
        let mut node = self.builder.add(self.node, NodeKind::BitStruct)?;
        node.dtype = Some(word.into());
        let above = self.builder.push(self.node, node);
        for ((field, leaf), member) in leaves.into_iter().zip(members) {
            let place = self.builder.place_one(above, field, leaf)?;
            self.builder.nodes[place.number()].bits = Some(member);
        }
        Ok(self)
    }

    pub(super) fn place_leaves(
        self,
        field: FieldId,
        leaves: Range<usize>,
        offset: &[i64],
    ) -> Result<Cursor<'b>, LayoutError> {
        self.builder.check_open()?;
        let axes = self.builder.nodes[self.node.number()].order.len();
        if !offset.is_empty() && offset.len() != axes {
            return Err(LayoutError::Offsets { offsets: offset.len(), axes });
        }
        let types = self.declared(field)?.ty.leaves();
        for leaf in leaves {
            self.builder.check_place(self.node, types[leaf])?;
            self.builder.place_one(self.node, field, leaf)?;
        }
        self.builder.fields[field.number()].offset = offset.to_vec();
        Ok(self)
    }

    fn declared(&self, field: FieldId) -> Result<&Declared, LayoutError> {
        let found = self.builder.fields.get(field.number()).filter(|_| field.builder == self.builder.id);
        found.ok_or(LayoutError::Foreign { what: "field" })
    }
}

impl FieldsBuilder {
    /// Whether a number can be placed at a node; what is placed in a quant array makes its type.
    fn check_place(&mut self, above: NodeId, ty: Type) -> Result<(), LayoutError> {
        let node = &mut self.nodes[above.number()];
        match (node.kind, node.word()) {
            (NodeKind::Place, _) => Err(LayoutError::NoChild { parent: "place", child: "place" }),
            (NodeKind::QuantArray, Some(word)) => {
                if !node.children.is_empty() {
                    return Err(LayoutError::QuantArrayFields);
                }
                let cells = u32::try_from(node.cells).unwrap_or(u32::MAX);
                node.dtype = Some(QuantArray::new(word.bits(), ty, cells)?.into());
                Ok(())
            }
            _ if ty.is_quant() => Err(LayoutError::Unpacked { ty }),
            _ => Ok(()),
        }
    }

    fn place_one(&mut self, above: NodeId, field: FieldId, leaf: usize) -> Result<NodeId, LayoutError> {
        let declared = &self.fields[field.number()];
        if declared.places[leaf].is_some() {
            return Err(LayoutError::PlacedTwice { field: declared.name.clone() });
        }
        let ty = declared.ty.leaves()[leaf];
        let mut node = self.add(above, NodeKind::Place)?;
        node.dtype = Some(ty);
        node.value_of = Some((field, leaf));
        let id = self.push(above, node);
        self.fields[field.number()].places[leaf] = Some(id);
        Ok(id)
    }
}

/// Axes with their sizes, in the order of the axes.
fn divisions(kind: NodeKind, axes: &Axes, sizes: &[i64]) -> Result<Vec<(u8, u64)>, LayoutError> {
    let numbers = axes.numbers();
    if numbers.is_empty() {
        return Err(LayoutError::NoAxes { kind: kind.name() });
    }
    if sizes.len() != 1 && sizes.len() != numbers.len() {
        return Err(LayoutError::AxesAndSizes { axes: numbers.len(), sizes: sizes.len() });
    }
    let one = |(dimension, &axis): (usize, &u8)| {
        let size = sizes[if sizes.len() == 1 { 0 } else { dimension }];
        match u64::try_from(size) {
            Ok(count @ 1..) => Ok((axis, count)),
            _ => Err(LayoutError::NotPositive { size, dimension }),
        }
    };
    let mut divisions = numbers.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
    divisions.sort_unstable();
    Ok(divisions)
}
