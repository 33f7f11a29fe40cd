//! Fields that are declared, and the short way to a dense one.

use super::{Axes, FieldsBuilder, LayoutError, NodeId};
use crate::{Place, Type, TypeKind};

/// A field, by its number in its builder. Other builders, and the trees of others, refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId {
    pub(super) builder: u32,
    pub(super) number: u32,
}

impl FieldId {
    /// The number.
    pub fn number(self) -> usize {
        self.number as usize
    }
}

/// Whether the numbers of one element stand together (`Layout.AOS`) or those of all elements (`Layout.SOA`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interleaving {
    /// An array of structures: the numbers of an element stand together; the default.
    #[default]
    Aos,
    /// A structure of arrays: every number of a vector or matrix, and every member of a struct, has cells of its own.
    Soa,
}

/// What can be said of a dense field beside its type and shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldOptions {
    interleaving: Interleaving,
    order: Option<String>,
    offset: Vec<i64>,
}

impl FieldOptions {
    /// Those of a field of which nothing is said.
    pub fn new() -> FieldOptions {
        FieldOptions::default()
    }

    /// Whether the numbers of an element stand together.
    pub fn interleaving(self, interleaving: Interleaving) -> FieldOptions {
        FieldOptions { interleaving, ..self }
    }

    /// The axes from the outermost to the innermost, such as `ji` for columns one behind the other.
    pub fn order(self, order: &str) -> FieldOptions {
        FieldOptions { order: Some(order.to_owned()), ..self }
    }

    /// The index of the first element along each axis.
    pub fn offset(self, offset: &[i64]) -> FieldOptions {
        FieldOptions { offset: offset.to_vec(), ..self }
    }
}

/// A field that was declared.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) offset: Vec<i64>,
    pub(super) made: Place,
    /// The node of each of its numbers, once placed.
    pub(super) places: Vec<Option<NodeId>>,
}

impl Declared {
    pub(super) fn new(name: &str, ty: Type, made: Place) -> Result<Declared, LayoutError> {
        let leaves = ty.leaves();
        if leaves.is_empty() || leaves.iter().any(|leaf| !leaf.is_number()) {
            return Err(LayoutError::FieldType { ty });
        }
        let places = vec![None; leaves.len()];
        Ok(Declared { name: name.to_owned(), ty, offset: Vec::new(), made, places })
    }
}

impl FieldsBuilder {
    /// A field of a shape in dense nodes of its own below the root (T-22): one node of all axes, or one an axis where an order is given.
    ///
    /// ```
    /// use ivy_taichi_types::layout::{FieldOptions, FieldsBuilder, Packing};
    /// use ivy_taichi_types::PrimitiveType;
    /// let mut builder = FieldsBuilder::new(Packing::Packed);
    /// let x = builder.dense_field("x", PrimitiveType::F32, &[3, 5], FieldOptions::new().order("ji"))?;
    /// let tree = builder.finalize()?;
    /// assert_eq!(tree.linear(x, 0)?.offset_of(&[0, 1])?, 12);
    /// # Ok::<(), ivy_taichi_types::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`FieldsBuilder::field`] and [`super::Cursor::dense`], and [`LayoutError::Order`], [`LayoutError::Offsets`].
    #[track_caller]
    pub fn dense_field(
        &mut self,
        name: &str,
        ty: impl Into<Type>,
        shape: &[i64],
        options: FieldOptions,
    ) -> Result<FieldId, LayoutError> {
        let axes = Axes::first(shape.len())?;
        if !options.offset.is_empty() && options.offset.len() != shape.len() {
            return Err(LayoutError::Offsets { offsets: options.offset.len(), axes: shape.len() });
        }
        let levels = levels(&axes, shape, options.order.as_deref())?;
        let field = self.field(name, ty)?;
        for leaves in self.parts(field, options.interleaving) {
            let mut cursor = self.root();
            for (axes, sizes) in &levels {
                cursor = cursor.dense(axes, sizes)?;
            }
            cursor.place_leaves(field, leaves, &options.offset)?;
        }
        Ok(field)
    }

    /// The numbers of a field that stand together.
    fn parts(&self, field: FieldId, interleaving: Interleaving) -> Vec<std::ops::Range<usize>> {
        let ty = self.fields[field.number()].ty;
        let count = ty.leaves().len();
        match (interleaving, ty.kind()) {
            (Interleaving::Aos, _) => std::iter::once(0..count).collect(),
            (Interleaving::Soa, TypeKind::Struct { members }) => {
                let mut next = 0;
                let part = |member: &crate::Member| {
                    let first = next;
                    next += member.ty.leaves().len();
                    first..next
                };
                members.iter().map(part).collect()
            }
            (Interleaving::Soa, _) => (0..count).map(|leaf| leaf..leaf + 1).collect(),
        }
    }
}

/// The dense nodes of a shape, from the outermost: axes and sizes.
fn levels(axes: &Axes, shape: &[i64], order: Option<&str>) -> Result<Vec<(String, Vec<i64>)>, LayoutError> {
    let Some(order) = order else {
        return Ok(if shape.is_empty() { Vec::new() } else { vec![(axes.to_string(), shape.to_vec())] });
    };
    let named = Axes::parse(order)?;
    let size = |axis: &u8| shape.get(usize::from(*axis)).copied();
    let sizes: Option<Vec<i64>> = named.numbers().iter().map(size).collect();
    match sizes {
        Some(sizes) if sizes.len() == shape.len() => {
            Ok(order.chars().zip(sizes).map(|(letter, size)| (letter.to_string(), vec![size])).collect())
        }
        _ => Err(LayoutError::Order { order: order.to_owned(), axes: shape.len() }),
    }
}
