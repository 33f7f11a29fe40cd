//! Trees of fields with their memory, and how kernels see their fields.

use super::store::Store;
use crate::error::{Error, Result};
use crate::ir::{Digit, FieldInfo};
use crate::lower::engine_type;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::Target;
use ivy_taichi_types::layout::{FieldId, LayoutError, NodeKind, SNodeTree};
use ivy_taichi_types::{PrimitiveType, TypeKind};
use std::sync::Arc;

/// A tree, and a store for each type of numbers in it: each is as long as the whole tree, and a number stands in the one
/// of its type at its address.
pub struct Tree {
    layout: SNodeTree,
    /// The stores.
    pub stores: Vec<Store>,
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
    /// [`LayoutError::NotLinear`] for trees with nodes that kernels do not reach yet: all but dense ones; no memory.
    pub fn new(target: &dyn Target, layout: SNodeTree) -> Result<Tree> {
        let dense = |kind| matches!(kind, NodeKind::Root | NodeKind::Dense | NodeKind::Place);
        if let Some(node) = layout.nodes().iter().find(|node| !dense(node.kind())) {
            return Err(LayoutError::NotLinear { node: node.to_string() }.into());
        }
        let mut types: Vec<Type> = Vec::new();
        for ty in layout.nodes().iter().filter_map(|node| node.dtype()?.primitive()).map(engine_type) {
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        let bytes = layout.root_bytes();
        let store = |&ty: &Type| {
            let length = usize::try_from(bytes.div_ceil(ty.bytes() as u64)).unwrap_or(usize::MAX);
            Store::zeros(target, ty, length)
        };
        let stores = types.iter().map(store).collect::<Result<_>>()?;
        Ok(Tree { layout, stores })
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
        let ty: PrimitiveType = own.ty().element().primitive().ok_or_else(no)?;
        let matrix = match (own.ty().kind(), own.ty().shape()) {
            (TypeKind::Tensor { .. }, &[n]) => Some((n, 1)),
            (TypeKind::Tensor { .. }, &[n, m]) => Some((n, m)),
            _ => None,
        };
        let width = engine_type(ty).bytes() as u64;
        let first = self.layout.linear(field, 0)?;
        let mut digits = Vec::new();
        let mut steps = first.steps.iter();
        for level in self.layout.path(first.place)? {
            let axes = self.layout.node(level.node)?;
            for axis in axes.active_axes() {
                let Some(step) = steps.next() else { break };
                let count = axes.extractors()[usize::from(axis)].shape;
                let [below, count, stride] = [step.divisor, count, step.stride / width].map(signed);
                digits.push(Digit { axis: step.index, below, count, stride });
            }
        }
        let components = (0..own.places().len())
            .map(|n| Ok(signed(self.layout.linear(field, n)?.base / width)))
            .collect::<Result<_>>()?;
        let store = self.stores.iter().position(|s| s.ty() == engine_type(ty)).ok_or_else(no)?;
        let info = FieldInfo {
            name: first.name.clone(),
            ty,
            matrix,
            shape: first.shape.iter().map(|&size| signed(size)).collect(),
            offset: own.offset().to_vec(),
            digits,
            components,
            guarded: self.layout.fields().len() > 1,
            memory: 0,
        };
        let key = format!("{info:?}").into();
        Ok(Described { info: Arc::new(info), key, store })
    }
}

/// Sizes of trees are below 2^63.
fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
