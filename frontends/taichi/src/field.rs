//! Fields, as the host sees them.

use crate::error::{Error, Result};
use crate::host::{Element, Number};
use crate::lower::engine_type;
use crate::runtime::{Described, FieldTree, Program, read, write};
use ivy_core::backend::BackendRef;
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{Array, ErrorKind, Shape};
use ivy_taichi_types::layout::{FieldId, LayoutError};
use std::marker::PhantomData;

/// A field of elements. Clones are the same field.
#[derive(Clone)]
pub struct Field<T> {
    tree: FieldTree,
    described: Described,
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
        &self.tree.program
    }

    fn place(&self) -> (usize, &Described) {
        (self.tree.number, &self.described)
    }
}

impl<T: Element> Field<T> {
    pub(crate) fn new(tree: FieldTree, id: FieldId) -> Result<Field<T>> {
        let described = {
            let state = tree.program.state();
            let own = state.trees.get(tree.number).and_then(Option::as_ref).ok_or(Error::Destroyed)?;
            let ty = own.layout().field(id)?.ty();
            if ty != T::ty()? {
                return Err(LayoutError::FieldType { ty }.into());
            }
            own.describe(id)?
        };
        Ok(Field { tree, described, of: PhantomData })
    }

    /// The extents of its indices.
    pub fn shape(&self) -> Vec<usize> {
        self.described.info.shape.iter().map(|&n| n as usize).collect()
    }

    /// Its name in messages and printed IR, such as `S1place<f32>`.
    pub fn name(&self) -> &str {
        &self.described.info.name
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// True if there are none, which no field has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tree that it is in.
    pub fn tree(&self) -> &FieldTree {
        &self.tree
    }

    /// The element at indices; of a field of one element there are none.
    ///
    /// # Errors
    /// [`LayoutError::OutOfRange`] and [`LayoutError::Indices`] in [`Error::Layout`]; [`Error::Destroyed`].
    pub fn get(&self, indices: &[i64]) -> Result<T> {
        let indices = self.checked(indices)?;
        self.with_bytes(|bytes| self.element(bytes, &indices))
    }

    /// Sets the element at indices.
    ///
    /// # Errors
    /// As [`get`](Field::get).
    pub fn set(&self, indices: &[i64], value: T) -> Result<()> {
        let indices = self.checked(indices)?;
        self.with_bytes_mut(|bytes| self.put(bytes, &indices, &value.numbers()))
    }

    /// Sets every element.
    ///
    /// # Errors
    /// [`Error::Destroyed`].
    pub fn fill(&self, value: T) -> Result<()> {
        let numbers = value.numbers();
        self.with_bytes_mut(|bytes| self.each(|_, indices| self.put(bytes, indices, &numbers)))
    }

    /// Sets all elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of elements.
    pub fn from_slice(&self, values: &[T]) -> Result<()> {
        if values.len() != self.len() {
            return Err(self.unfit("from_slice", vec![values.len()]));
        }
        self.with_bytes_mut(|bytes| self.each(|n, indices| self.put(bytes, indices, &values[n].numbers())))
    }

    /// All elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::Destroyed`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.with_bytes(|bytes| {
            let mut values = Vec::with_capacity(self.len());
            self.each(|_, indices| values.push(self.element(bytes, indices)));
            values
        })
    }

    /// Sets all elements to those of another field of the same shape: `copy_from`.
    ///
    /// # Errors
    /// [`Error::Shape`] for another shape.
    pub fn copy_from(&self, other: &Field<T>) -> Result<()> {
        if other.shape() != self.shape() {
            return Err(self.unfit("copy_from", other.shape()));
        }
        self.from_slice(&other.to_vec()?)
    }

    /// Sets all elements to those of an array: `from_numpy`. Of vectors and matrices the last axes are their own.
    ///
    /// # Errors
    /// [`Error::Elements`] for another type, [`Error::Shape`] for another shape.
    pub fn from_array(&self, array: &Array) -> Result<()> {
        let host = array.to_host()?;
        let expected = T::Number::TYPE;
        if host.dtype() != expected.dtype() {
            return Err(Error::Elements { function: "from_array", expected, given: host.dtype() });
        }
        if host.shape()[..] != self.full_shape() {
            return Err(self.unfit("from_array", host.shape().to_vec()));
        }
        let numbers = host.to_vec::<T::Number>()?;
        let values: Vec<T> =
            numbers.chunks(self.described.info.components.len()).map(T::of_numbers).collect();
        self.from_slice(&values)
    }

    /// An array of all elements on a backend: `to_numpy`.
    ///
    /// # Errors
    /// [`Error::Destroyed`]; what the backend refuses.
    pub fn to_array(&self, backend: &BackendRef) -> Result<Array> {
        let (ty, mut bytes) = (T::Number::TYPE, Vec::new());
        for value in self.to_vec()? {
            for number in value.numbers() {
                bytes.extend_from_slice(&number.bits().to_le_bytes()[..ty.bytes()]);
            }
        }
        let none = || ivy_core::Error::from(ErrorKind::no_memory("to_array", bytes.len() as u128));
        let buffer = Buffer::copy_from(&bytes).ok_or_else(none)?;
        let host = HostArray::new(buffer, ty.dtype(), Shape::from(self.full_shape())).ok_or_else(none)?;
        Ok(Array::from_host(backend, host)?)
    }

    /// The shape with the axes of its elements.
    fn full_shape(&self) -> Vec<usize> {
        let own = match T::FORM {
            None => vec![],
            Some((n, None)) => vec![n],
            Some((n, Some(m))) => vec![n, m],
        };
        self.shape().into_iter().chain(own).collect()
    }

    fn unfit(&self, function: &'static str, given: Vec<usize>) -> Error {
        Error::Shape { function, expected: self.full_shape(), given }
    }

    /// Indices counted from 0.
    fn checked(&self, indices: &[i64]) -> Result<Vec<i64>> {
        let info = &self.described.info;
        if indices.len() != info.shape.len() {
            let (field, axes, given) = (info.name.clone(), info.shape.len(), indices.len());
            return Err(LayoutError::Indices { field, axes, given }.into());
        }
        let first = |axis: usize| info.offset.get(axis).copied().unwrap_or(0);
        let own: Vec<i64> =
            indices.iter().enumerate().map(|(axis, &n)| n.saturating_sub(first(axis))).collect();
        if own.iter().zip(&info.shape).any(|(n, end)| !(0..*end).contains(n)) {
            let (field, shape) = (info.name.clone(), info.shape.clone());
            return Err(LayoutError::OutOfRange { field, shape, indices: own }.into());
        }
        Ok(own)
    }

    fn element(&self, bytes: &[u8], indices: &[i64]) -> T {
        let info = &self.described.info;
        let width = engine_type(info.ty).bytes();
        let number = |component| {
            let at = usize::try_from(info.element(indices, component)).unwrap_or(usize::MAX);
            T::Number::of_bits(read(bytes, width, at).unwrap_or(0))
        };
        T::of_numbers(&(0..info.components.len()).map(number).collect::<Vec<_>>())
    }

    fn put(&self, bytes: &mut [u8], indices: &[i64], numbers: &[T::Number]) {
        let info = &self.described.info;
        let width = engine_type(info.ty).bytes();
        for (component, number) in numbers.iter().enumerate() {
            let at = usize::try_from(info.element(indices, component)).unwrap_or(usize::MAX);
            write(bytes, width, at, number.bits());
        }
    }

    /// Each element's number in row-major order, and its indices.
    fn each(&self, mut f: impl FnMut(usize, &[i64])) {
        let shape = &self.described.info.shape;
        let mut indices = vec![0; shape.len()];
        for n in 0..self.len() {
            f(n, &indices);
            for axis in (0..shape.len()).rev() {
                indices[axis] += 1;
                if indices[axis] < shape[axis] {
                    break;
                }
                indices[axis] = 0;
            }
        }
    }

    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let mut state = self.tree.program.state();
        let tree = state.trees.get_mut(self.tree.number).and_then(Option::as_mut).ok_or(Error::Destroyed)?;
        Ok(f(tree.stores[self.described.store].bytes()?))
    }

    fn with_bytes_mut<R>(&self, f: impl FnOnce(&mut [u8]) -> R) -> Result<R> {
        let mut state = self.tree.program.state();
        let tree = state.trees.get_mut(self.tree.number).and_then(Option::as_mut).ok_or(Error::Destroyed)?;
        Ok(f(tree.stores[self.described.store].bytes_mut()?))
    }
}
