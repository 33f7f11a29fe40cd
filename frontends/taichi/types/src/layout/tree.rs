//! Finished trees.

use super::address::checked_index;
use super::fields::Declared;
use super::{
    AxisStep, FieldId, LayoutError, LayoutWarning, LinearAddress, NodeId, NodeKind, Packing, PathLevel, SNode,
};
use crate::Type;

/// A finished tree: its nodes with their sizes, and its fields.
#[derive(Clone, Debug)]
pub struct SNodeTree {
    /// What the fields of its builder are known by.
    builder: u32,
    nodes: Vec<SNode>,
    fields: Vec<FieldLayout>,
    packing: Packing,
    warnings: Vec<LayoutWarning>,
}

/// A field of a finished tree.
#[derive(Clone, Debug)]
pub struct FieldLayout {
    name: String,
    ty: Type,
    shape: Vec<u64>,
    axes: Vec<u8>,
    offset: Vec<i64>,
    places: Vec<NodeId>,
}

impl FieldLayout {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of an element.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The elements along each index, without padding.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The axis of each index.
    pub fn axes(&self) -> &[u8] {
        &self.axes
    }

    /// The index of the first element; empty for 0 everywhere.
    pub fn offset(&self) -> &[i64] {
        &self.offset
    }

    /// The node of each number of an element.
    pub fn places(&self) -> &[NodeId] {
        &self.places
    }
}

impl SNodeTree {
    pub(super) fn new(
        builder: u32,
        nodes: Vec<SNode>,
        declared: &[Declared],
        packing: Packing,
        warnings: Vec<LayoutWarning>,
    ) -> Result<SNodeTree, LayoutError> {
        let field = |field: &Declared| {
            let places: Vec<NodeId> = field.places.iter().filter_map(|&place| place).collect();
            let first = places.first().ok_or(LayoutError::FieldType { ty: field.ty })?;
            let node = &nodes[first.number()];
            let mut axes = node.order.clone();
            axes.sort_unstable();
            let shape =
                axes.iter().map(|&axis| node.extractors[usize::from(axis)].num_elements_from_root).collect();
            Ok(FieldLayout {
                name: field.name.clone(),
                ty: field.ty,
                shape,
                axes,
                offset: field.offset.clone(),
                places,
            })
        };
        let fields = declared.iter().map(field).collect::<Result<_, LayoutError>>()?;
        Ok(SNodeTree { builder, nodes, fields, packing, warnings })
    }

    /// Whether cells are padded.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// What may be slow or is otherwise not as it could be.
    pub fn warnings(&self) -> &[LayoutWarning] {
        &self.warnings
    }

    /// All nodes, those above before those below.
    pub fn nodes(&self) -> &[SNode] {
        &self.nodes
    }

    /// A node.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`] for a node of another tree.
    pub fn node(&self, id: NodeId) -> Result<&SNode, LayoutError> {
        self.nodes.get(id.number()).ok_or(LayoutError::Foreign { what: "node" })
    }

    /// All fields, in the order of their declaration.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldId> + use<> {
        let builder = self.builder;
        (0..self.fields.len() as u32).map(move |number| FieldId { builder, number })
    }

    /// A field.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`] for a field of another tree.
    pub fn field(&self, id: FieldId) -> Result<&FieldLayout, LayoutError> {
        let found = self.fields.get(id.number()).filter(|_| id.builder == self.builder);
        found.ok_or(LayoutError::Foreign { what: "field" })
    }

    /// The bytes of a value, or of the word that it is packed in.
    pub(super) fn stored_bytes(&self, place: &SNode) -> u64 {
        let above = place.parent.map(|above| &self.nodes[above.number()]);
        above.filter(|above| above.word().is_some()).unwrap_or(place).container_bytes()
    }

    /// The bytes of the tree's one root cell; cells of pointer, dynamic and hash nodes stand elsewhere.
    pub fn root_bytes(&self) -> u64 {
        self.nodes[NodeId::ROOT.number()].sizes.container
    }

    /// The nodes from the root to a node, itself among them.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn chain(&self, id: NodeId) -> Result<Vec<NodeId>, LayoutError> {
        let mut chain = vec![id];
        let mut node = self.node(id)?;
        while let Some(parent) = node.parent {
            chain.push(parent);
            node = self.node(parent)?;
        }
        chain.reverse();
        Ok(chain)
    }

    /// The nodes above a value that have cells, from the root: how an index makes the numbers of their cells. The indices are those of the
    /// value's field, counted from 0.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`].
    pub fn path(&self, place: NodeId) -> Result<Vec<PathLevel>, LayoutError> {
        let leaf = self.node(place)?;
        let mut axes = leaf.order.clone();
        axes.sort_unstable();
        let mut divided = [false; super::MAX_AXES];
        let mut levels = Vec::new();
        for node in self.chain(place)? {
            let own = self.node(node)?;
            let mut steps = Vec::new();
            for axis in own.active_axes() {
                let number = usize::from(axis);
                let extractor = &own.extractors[number];
                steps.push(AxisStep {
                    axis,
                    index: axes.iter().position(|&own| own == axis).unwrap_or(0),
                    divisor: leaf.extractors[number].shape_from_root / extractor.shape_from_root,
                    modulus: divided[number].then_some(extractor.shape),
                    stride: extractor.acc_shape,
                });
                divided[number] = true;
            }
            if own.kind != NodeKind::Place && own.kind != NodeKind::BitStruct {
                levels.push(PathLevel { node, steps });
            }
        }
        Ok(levels)
    }

    /// The address of a number of a field as one sum.
    ///
    /// # Errors
    /// [`LayoutError::Foreign`]; [`LayoutError::NotLinear`] where a pointer, dynamic or hash node stands above it.
    pub fn linear(&self, field: FieldId, number: usize) -> Result<LinearAddress, LayoutError> {
        let layout = self.field(field)?;
        let place = *layout.places.get(number).ok_or(LayoutError::Foreign { what: "number" })?;
        let chain = self.chain(place)?;
        let mut base = 0;
        for &node in &chain {
            let own = self.node(node)?;
            if !own.kind.is_inline() {
                return Err(LayoutError::NotLinear { node: own.to_string() });
            }
            base += own.sizes.in_parent + own.sizes.header;
        }
        let mut steps = Vec::new();
        for level in self.path(place)? {
            let cell = self.node(level.node)?.sizes.cell;
            // The strides of a level are below the size of its container.
            steps.extend(level.steps.iter().map(|step| AxisStep { stride: step.stride * cell, ..*step }));
        }
        Ok(LinearAddress {
            place,
            name: self.node(place)?.to_string(),
            dtype: layout.ty.leaves()[number],
            shape: layout.shape.clone(),
            offset: layout.offset.clone(),
            base,
            steps,
            root_bytes: self.root_bytes(),
        })
    }

    /// The index of an element counted from 0.
    ///
    /// # Errors
    /// [`LayoutError::Indices`], [`LayoutError::OutOfRange`], [`LayoutError::Foreign`].
    pub fn index(&self, field: FieldId, index: &[i64]) -> Result<Vec<u64>, LayoutError> {
        let layout = self.field(field)?;
        let place = self.node(layout.places[0])?;
        checked_index(&place.to_string(), &layout.shape, &layout.offset, index)
    }
}
