//! Trees of fields that are placed by hand.

use super::error::failure;
use super::field::TaichiField;
use super::program::{TaichiProgram, element, primitive};
use super::quant::TaichiQuantType;
use crate::error::{Fallible, value_error};
use ivy_taichi::FieldTree;
use ivy_taichi::types::layout::{Cursor, FieldId, FieldsBuilder, LayoutError, NodeId, SNodeTree};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is built: the builder, and its nodes and fields by the numbers that Python has.
struct Building {
    builder: FieldsBuilder,
    nodes: Vec<NodeId>,
    fields: Vec<FieldId>,
}

/// A builder of a tree.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct TaichiTreeBuilder(Mutex<Building>);

/// A finished tree, with memory.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct TaichiTree {
    layout: SNodeTree,
    tree: FieldTree,
    nodes: Vec<NodeId>,
    fields: Vec<FieldId>,
}

impl TaichiTreeBuilder {
    fn building(&self) -> MutexGuard<'_, Building> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A node below one, in whose numbers it has the next.
    fn below(
        &self,
        node: usize,
        make: impl FnOnce(Cursor<'_>) -> Result<NodeId, LayoutError>,
    ) -> Fallible<usize> {
        let mut own = self.building();
        let Some(&above) = own.nodes.get(node) else { return value_error("the tree has no such node") };
        let made = own.builder.at(above).and_then(make).map_err(|error| failure(error.into()))?;
        own.nodes.push(made);
        Ok(own.nodes.len() - 1)
    }
}

#[pymethods]
impl TaichiTreeBuilder {
    #[new]
    fn new(program: &TaichiProgram) -> TaichiTreeBuilder {
        let mut builder = program.builder();
        let root = builder.root().id();
        TaichiTreeBuilder(Mutex::new(Building { builder, nodes: vec![root], fields: Vec::new() }))
    }

    /// A field of elements, by its number; the type is the name of a primitive one, or a quantised one.
    fn field(
        &self,
        name: &str,
        ty: &Bound<'_, PyAny>,
        form: Option<(usize, Option<usize>)>,
    ) -> Fallible<usize> {
        let ty = match ty.cast::<TaichiQuantType>() {
            Ok(quant) => element(quant.get().0, form)?,
            Err(_) => element(primitive(&ty.extract::<String>()?)?, form)?,
        };
        let mut own = self.building();
        let id = own.builder.field(name, ty).map_err(|error| failure(error.into()))?;
        own.fields.push(id);
        Ok(own.fields.len() - 1)
    }

    fn dense(&self, node: usize, axes: &str, sizes: Vec<i64>) -> Fallible<usize> {
        self.below(node, |at| Ok(at.dense(axes, &sizes)?.id()))
    }

    fn pointer(&self, node: usize, axes: &str, sizes: Vec<i64>) -> Fallible<usize> {
        self.below(node, |at| Ok(at.pointer(axes, &sizes)?.id()))
    }

    fn bitmasked(&self, node: usize, axes: &str, sizes: Vec<i64>) -> Fallible<usize> {
        self.below(node, |at| Ok(at.bitmasked(axes, &sizes)?.id()))
    }

    fn hash(&self, node: usize, axes: &str, sizes: Vec<i64>) -> Fallible<usize> {
        self.below(node, |at| Ok(at.hash(axes, &sizes)?.id()))
    }

    fn dynamic(&self, node: usize, axis: &str, size: i64, chunk: Option<i64>) -> Fallible<usize> {
        self.below(node, |at| Ok(at.dynamic(axis, size, chunk)?.id()))
    }

    fn quant_array(&self, node: usize, axes: &str, sizes: Vec<i64>, bits: u32) -> Fallible<usize> {
        self.below(node, |at| Ok(at.quant_array(axes, &sizes, bits)?.id()))
    }

    /// Packs fields into a word below a node: groups, and whether the numbers of each share an exponent.
    fn place_bits(&self, node: usize, bits: u32, groups: Vec<(Vec<usize>, bool)>) -> Fallible<()> {
        let mut own = self.building();
        let ids =
            |fields: &Vec<usize>| fields.iter().map(|&n| own.fields.get(n).copied()).collect::<Option<_>>();
        let found: Option<Vec<(Vec<FieldId>, bool)>> =
            groups.iter().map(|(fields, shared)| Some((ids(fields)?, *shared))).collect();
        let (Some(&above), Some(found)) = (own.nodes.get(node), found) else {
            return value_error("the tree has no such node or field");
        };
        let groups: Vec<(&[FieldId], bool)> = found.iter().map(|(ids, shared)| (&ids[..], *shared)).collect();
        let placed = own.builder.at(above).and_then(|at| at.place_bits(bits, &groups).map(drop));
        placed.map_err(|error| failure(error.into()))
    }

    /// Puts fields below a node.
    fn place(&self, node: usize, fields: Vec<usize>, offset: Vec<i64>) -> Fallible<()> {
        let mut own = self.building();
        let found: Option<Vec<FieldId>> = fields.iter().map(|&n| own.fields.get(n).copied()).collect();
        let (Some(&above), Some(found)) = (own.nodes.get(node), found) else {
            return value_error("the tree has no such node or field");
        };
        let placed = own.builder.at(above).and_then(|at| match offset.is_empty() {
            true => at.place(&found).map(drop),
            false => at.place_from(&found, &offset).map(drop),
        });
        placed.map_err(|error| failure(error.into()))
    }

    /// The tree, with memory.
    fn finalize(&self, program: &TaichiProgram) -> Fallible<TaichiTree> {
        let mut own = self.building();
        let layout = own.builder.finalize().map_err(|error| failure(error.into()))?;
        let tree = program.program().build(layout.clone()).map_err(failure)?;
        Ok(TaichiTree { layout, tree, nodes: own.nodes.clone(), fields: own.fields.clone() })
    }
}

/// What layouts say of a node: the bytes of a cell, where it begins in the cell above, and where its axes stand in indices.
type NodeFacts = (u64, u64, Vec<i32>);

#[pymethods]
impl TaichiTree {
    fn field(&self, number: usize) -> Fallible<TaichiField> {
        let Some(&id) = self.fields.get(number) else { return value_error("the tree has no such field") };
        self.tree.untyped_field(id).map(TaichiField::of_tree).map_err(failure)
    }

    fn node(&self, number: usize) -> Fallible<NodeFacts> {
        let Some(&id) = self.nodes.get(number) else { return value_error("the tree has no such node") };
        let node = self.layout.node(id).map_err(|error| failure(error.into()))?;
        let positions = node.physical_index_position().to_vec();
        Ok((node.cell_bytes(), node.offset_bytes_in_parent_cell(), positions))
    }

    /// The same of the place of a field's first number.
    fn place(&self, number: usize) -> Fallible<NodeFacts> {
        let Some(&id) = self.fields.get(number) else { return value_error("the tree has no such field") };
        let field = self.layout.field(id).map_err(|error| failure(error.into()))?;
        let node = self.layout.node(field.places()[0]).map_err(|error| failure(error.into()))?;
        let positions = node.physical_index_position().to_vec();
        Ok((node.cell_bytes(), node.offset_bytes_in_parent_cell(), positions))
    }

    /// A node as a field without numbers, as kernels take it.
    fn cells(&self, number: usize) -> Fallible<TaichiField> {
        let Some(&id) = self.nodes.get(number) else { return value_error("the tree has no such node") };
        let node = self.tree.node(id).map_err(failure)?;
        Ok(TaichiField::of_tree(node.elements().clone()))
    }

    /// Takes all cells of a sparse node out of use.
    fn deactivate_all(&self, number: usize) -> Fallible<()> {
        let Some(&id) = self.nodes.get(number) else { return value_error("the tree has no such node") };
        self.tree.node(id).and_then(|node| node.deactivate_all()).map_err(failure)
    }

    fn destroy(&self) {
        self.tree.destroy();
    }
}
