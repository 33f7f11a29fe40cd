//! Trees of fields with their memory, and how kernels see their fields.

use super::store::Store;
use crate::error::{Error, Result};
use crate::ir::{Digit, FieldInfo, Packed};
use crate::lower::engine_type;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::Target;
use ivy_taichi_types::layout::{AxisStep, FieldId, LayoutError, NodeKind, SNodeTree};
use ivy_taichi_types::{PrimitiveType, TypeKind};
use std::sync::Arc;

/// A tree, and a store for each type of numbers in it: each is as long as the whole tree, and a number stands in the one
/// of its type at its address.
pub struct Tree {
    layout: SNodeTree,
    /// Of each store the engine's type, and the bytes from one number to the next in the layout.
    kinds: Vec<(Type, u64)>,
    /// The stores.
    pub stores: Vec<Store>,
}

/// The type in the engine's memory of a number of a type, or of a word, and its bytes in the layout. Words of less than 32
/// bits have 32 there, so that they are changed by atomics.
fn kept(ty: PrimitiveType, is_word: bool) -> (Type, u64) {
    let own = engine_type(ty);
    match is_word && own.bits() < 32 {
        true => (Type::U32, ty.bytes() as u64),
        false => (own, own.bytes() as u64),
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
    /// [`LayoutError::NotLinear`] for trees with nodes that kernels do not reach yet: all but dense ones; no memory.
    pub fn new(target: &dyn Target, layout: SNodeTree) -> Result<Tree> {
        use NodeKind::{BitStruct, Dense, Place, QuantArray, Root};
        let dense = |kind| matches!(kind, Root | Dense | BitStruct | QuantArray | Place);
        if let Some(node) = layout.nodes().iter().find(|node| !dense(node.kind())) {
            return Err(LayoutError::NotLinear { node: node.to_string() }.into());
        }
        let mut kinds: Vec<(Type, u64)> = Vec::new();
        for node in layout.nodes() {
            let word = node.word().map(|word| kept(word, true));
            let number = || node.dtype()?.primitive().map(|ty| kept(ty, false));
            if let Some(kind) = word.or_else(number).filter(|kind| !kinds.contains(kind)) {
                kinds.push(kind);
            }
        }
        let bytes = layout.root_bytes();
        let store = |&(ty, width): &(Type, u64)| {
            let length = usize::try_from(bytes.div_ceil(width)).unwrap_or(usize::MAX);
            Store::zeros(target, ty, length)
        };
        let stores = kinds.iter().map(store).collect::<Result<_>>()?;
        Ok(Tree { layout, kinds, stores })
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
        let store = self.kinds.iter().position(|own| *own == kind).ok_or_else(no)?;
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
            packed,
        };
        let key = format!("{info:?}").into();
        Ok(Described { info: Arc::new(info), key, store })
    }
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
