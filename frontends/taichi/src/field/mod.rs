//! Fields, as the host sees them.

mod in_use;
mod node;
mod untyped;
mod walk;

pub use node::FieldNode;
pub use untyped::UntypedField;

use crate::error::{Error, Result};
use crate::host::{Element, Number};
use crate::runtime::{Described, FieldTree, Program};
use in_use::InUse;
use ivy_core::Array;
use ivy_core::backend::BackendRef;
use ivy_taichi_types::layout::{FieldId, LayoutError};
use std::marker::PhantomData;
use walk::each;

/// A field of elements. Clones are the same field.
#[derive(Clone)]
pub struct Field<T> {
    untyped: UntypedField,
    of: PhantomData<fn() -> T>,
}

/// A field of any elements, as kernels take them: `&impl AnyField`.
pub trait AnyField {
    /// The program that it belongs to.
    fn program(&self) -> &Program;
    /// Its tree's number in it, and what kernels know of it.
    fn place(&self) -> (usize, &Described);
}

impl<T: Element> AnyField for Field<T> {
    fn program(&self) -> &Program {
        self.untyped.program()
    }

    fn place(&self) -> (usize, &Described) {
        self.untyped.place()
    }
}

/// The bits of an element's numbers.
fn bits<T: Element>(value: &T) -> Vec<u64> {
    value.numbers().into_iter().map(Number::bits).collect()
}

/// The element of bits.
fn element<T: Element>(bits: &[u64]) -> T {
    T::of_numbers(&bits.iter().map(|&bits| T::Number::of_bits(bits)).collect::<Vec<_>>())
}

impl<T: Element> Field<T> {
    pub(crate) fn new(tree: FieldTree, id: FieldId) -> Result<Field<T>> {
        {
            let state = tree.program.state();
            let own = state.trees.get(tree.number).and_then(Option::as_ref).ok_or(Error::Destroyed)?;
            let ty = own.layout().field(id)?.ty();
            if ty.computed() != T::ty()? {
                return Err(LayoutError::FieldType { ty }.into());
            }
        }
        Ok(Field { untyped: UntypedField::new(tree, id)?, of: PhantomData })
    }

    /// The extents of its indices.
    pub fn shape(&self) -> Vec<usize> {
        self.untyped.shape()
    }

    /// Its name in messages and printed IR, such as `S1place<f32>`.
    pub fn name(&self) -> &str {
        self.untyped.name()
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.untyped.len()
    }

    /// True if there are none, which no field has.
    pub fn is_empty(&self) -> bool {
        self.untyped.is_empty()
    }

    /// The tree that it is in.
    pub fn tree(&self) -> &FieldTree {
        self.untyped.tree()
    }

    /// The element at indices; of a field of one element there are none.
    ///
    /// # Errors
    /// [`LayoutError::OutOfRange`] and [`LayoutError::Indices`] in [`Error::Layout`]; [`Error::Destroyed`].
    pub fn get(&self, indices: &[i64]) -> Result<T> {
        self.untyped.get(indices).map(|bits| element(&bits))
    }

    /// Sets the element at indices.
    ///
    /// # Errors
    /// As [`get`](Field::get).
    pub fn set(&self, indices: &[i64], value: T) -> Result<()> {
        self.untyped.set(indices, &bits(&value))
    }

    /// Sets every element, below sparse nodes those in use.
    ///
    /// # Errors
    /// [`Error::Destroyed`].
    pub fn fill(&self, value: T) -> Result<()> {
        self.untyped.fill(&bits(&value))
    }

    /// Sets all elements, in row-major order; below sparse nodes those in use.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of elements.
    pub fn from_slice(&self, values: &[T]) -> Result<()> {
        let own = &self.untyped;
        if values.len() != self.len() {
            return Err(own.unfit("from_slice", vec![values.len()]));
        }
        let in_use = own.in_use()?;
        own.with_bytes_mut(|bytes| {
            each(own.info(), &in_use, |at| {
                own.put(bytes, at.place, at.indices, &self::bits(&values[at.number]))
            });
        })
    }

    /// All elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::Destroyed`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let own = &self.untyped;
        own.with_bytes(|bytes| {
            let mut values = Vec::with_capacity(self.len());
            each(own.info(), &InUse::ALL, |at| {
                values.push(element(&own.element(bytes, at.place, at.indices)));
            });
            values
        })
    }

    /// Sets all elements to those of another field of the same shape: `copy_from`.
    ///
    /// # Errors
    /// [`Error::Shape`] for another shape.
    pub fn copy_from(&self, other: &Field<T>) -> Result<()> {
        if other.shape() != self.shape() {
            return Err(self.untyped.unfit("copy_from", other.shape()));
        }
        self.from_slice(&other.to_vec()?)
    }

    /// Sets all elements to those of an array: `from_numpy`. Of vectors and matrices the last axes are their own.
    ///
    /// # Errors
    /// [`Error::Elements`] for another type, [`Error::Shape`] for another shape.
    pub fn from_array(&self, array: &Array) -> Result<()> {
        self.untyped.from_host(&array.to_host()?)
    }

    /// An array of all elements on a backend: `to_numpy`.
    ///
    /// # Errors
    /// [`Error::Destroyed`]; what the backend refuses.
    pub fn to_array(&self, backend: &BackendRef) -> Result<Array> {
        Ok(Array::from_host(backend, self.untyped.to_host()?)?)
    }
}
