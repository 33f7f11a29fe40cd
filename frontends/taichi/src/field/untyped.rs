//! Fields whose element type is known at run time only: elements by their bits.

use super::AnyField;
use super::in_use::InUse;
use super::walk::each;
use crate::error::{Error, Result};
use crate::ir::{FieldInfo, Packed};
use crate::lower::engine_type;
use crate::runtime::{Described, FieldTree, Program, read, write};
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{ErrorKind, Shape};
use ivy_taichi_types::layout::{FieldId, LayoutError};
use ivy_taichi_types::{Constant, PrimitiveType};

/// A field of elements of a type that is known at run time: numbers, vectors or matrices by the bits of their numbers, by
/// rows. Clones are the same field.
///
/// ```
/// use ivy_taichi::types::layout::FieldOptions;
/// use ivy_taichi::types::{PrimitiveType, Type};
///
/// let program = ivy_taichi::init(ivy_taichi::Config::new())?;
/// let pairs = program.untyped_field(Type::vector(2, PrimitiveType::I32)?, &[3], FieldOptions::new())?;
/// pairs.set(&[1], &[7, 8])?;
/// assert_eq!(pairs.get(&[1])?, [7, 8]);
/// # Ok::<(), ivy_taichi::Error>(())
/// ```
#[derive(Clone)]
pub struct UntypedField {
    tree: FieldTree,
    described: Described,
}

impl AnyField for UntypedField {
    fn program(&self) -> &Program {
        &self.tree.program
    }

    fn place(&self) -> (usize, &Described) {
        (self.tree.number, &self.described)
    }
}

impl UntypedField {
    pub(crate) fn new(tree: FieldTree, id: FieldId) -> Result<UntypedField> {
        let described = {
            let state = tree.program.state();
            let own = state.trees.get(tree.number).and_then(Option::as_ref).ok_or(Error::Destroyed)?;
            own.describe(id)?
        };
        Ok(UntypedField { tree, described })
    }

    pub(super) fn described(tree: FieldTree, described: Described) -> UntypedField {
        UntypedField { tree, described }
    }

    /// What kernels know of it.
    pub(super) fn info(&self) -> &FieldInfo {
        &self.described.info
    }

    /// The field of one number of each element, by its place among them: the same memory.
    ///
    /// # Errors
    /// [`Error::Shape`] for a number that elements have not.
    pub fn component(&self, number: usize) -> Result<UntypedField> {
        let info = &self.described.info;
        let count = info.components.len();
        let Some(&first) = info.components.get(number) else {
            return Err(Error::Shape {
                function: "component",
                expected: vec![count],
                given: vec![number + 1],
            });
        };
        let packed = info
            .packed
            .as_ref()
            .map(|packed| Packed { words: vec![packed.words[number]], within: packed.within.clone() });
        let own = FieldInfo { matrix: None, components: vec![first], packed, ..FieldInfo::clone(info) };
        let key = format!("{own:?}").into();
        let described = Described { info: own.into(), key, store: self.described.store };
        Ok(UntypedField { tree: self.tree.clone(), described })
    }

    /// The extents of its indices.
    pub fn shape(&self) -> Vec<usize> {
        self.described.info.shape.iter().map(|&n| n as usize).collect()
    }

    /// The type of its numbers.
    pub fn number_type(&self) -> PrimitiveType {
        self.described.info.ty
    }

    /// Rows and columns of its elements; a vector has one column, a number neither.
    pub fn form(&self) -> Option<(usize, usize)> {
        self.described.info.matrix
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

    /// Of a dynamic node, which of its indices counts the cells of its lists.
    pub fn list_axis(&self) -> Option<usize> {
        self.info().list_axis()
    }

    /// The tree that it is in.
    pub fn tree(&self) -> &FieldTree {
        &self.tree
    }

    /// The bits of the element at indices; of a field of one element there are none.
    ///
    /// # Errors
    /// [`LayoutError::OutOfRange`] and [`LayoutError::Indices`] in [`Error::Layout`]; [`Error::Destroyed`].
    pub fn get(&self, indices: &[i64]) -> Result<Vec<u64>> {
        let indices = self.checked(indices)?;
        self.with_bytes(|bytes| self.element(bytes, self.info().place(&indices), &indices))
    }

    /// Sets the element at indices.
    ///
    /// # Errors
    /// As [`get`](UntypedField::get); [`Error::Shape`] for another number of numbers.
    pub fn set(&self, indices: &[i64], bits: &[u64]) -> Result<()> {
        let indices = self.checked(indices)?;
        self.whole("set", bits)?;
        self.activate(&indices)?;
        self.with_bytes_mut(|bytes| self.put(bytes, self.info().place(&indices), &indices, bits))
    }

    /// Sets every element, below sparse nodes those in use.
    ///
    /// # Errors
    /// [`Error::Destroyed`]; [`Error::Shape`] for another number of numbers.
    pub fn fill(&self, bits: &[u64]) -> Result<()> {
        self.whole("fill", bits)?;
        let in_use = self.in_use()?;
        self.with_bytes_mut(|bytes| {
            each(self.info(), &in_use, |at| self.put(bytes, at.place, at.indices, bits));
        })
    }

    /// Sets all elements to those of an array of the host: the last axes are those of vectors and matrices. Below sparse nodes those in use
    /// are set.
    ///
    /// # Errors
    /// [`Error::Elements`] for another type, [`Error::Shape`] for another shape.
    pub fn from_host(&self, host: &HostArray) -> Result<()> {
        let expected = self.number_type();
        if host.dtype() != expected.dtype() {
            return Err(Error::Elements { function: "from_array", expected, given: host.dtype() });
        }
        if host.shape()[..] != self.full_shape() {
            return Err(self.unfit("from_array", host.shape().to_vec()));
        }
        let ordered = ivy_kernels::to_contiguous(host.view())?;
        let (view, width) = (ordered.view(), expected.dtype().bytes());
        let numbers = view.contiguous_bytes().unwrap_or(&[]);
        let count = self.described.info.components.len();
        let in_use = self.in_use()?;
        self.with_bytes_mut(|bytes| {
            let mut bits = vec![0; count];
            each(self.info(), &in_use, |at| {
                for (k, own) in bits.iter_mut().enumerate() {
                    *own = read(numbers, width, at.number * count + k).unwrap_or(0);
                }
                self.put(bytes, at.place, at.indices, &bits);
            });
        })
    }

    /// All elements, in row-major order, as an array of the host.
    ///
    /// # Errors
    /// [`Error::Destroyed`]; no memory.
    pub fn to_host(&self) -> Result<HostArray> {
        let dtype = self.number_type().dtype();
        let mut numbers =
            Vec::with_capacity(self.len() * self.described.info.components.len() * dtype.bytes());
        let count = self.info().components.len();
        self.with_bytes(|bytes| {
            each(self.info(), &InUse::ALL, |at| {
                for component in 0..count {
                    let bits = self.number(bytes, at.place, at.indices, component);
                    numbers.extend_from_slice(&bits.to_le_bytes()[..dtype.bytes()]);
                }
            });
        })?;
        let none = || ivy_core::Error::from(ErrorKind::no_memory("to_array", numbers.len() as u128));
        let buffer = Buffer::copy_from(&numbers).ok_or_else(none)?;
        Ok(HostArray::new(buffer, dtype, Shape::from(self.full_shape())).ok_or_else(none)?)
    }

    /// The shape with the axes of its elements.
    pub fn full_shape(&self) -> Vec<usize> {
        let own = match self.form() {
            None => vec![],
            Some((n, 1)) => vec![n],
            Some((n, m)) => vec![n, m],
        };
        self.shape().into_iter().chain(own).collect()
    }

    fn whole(&self, function: &'static str, bits: &[u64]) -> Result<()> {
        let expected = self.described.info.components.len();
        match bits.len() == expected {
            true => Ok(()),
            false => Err(Error::Shape { function, expected: vec![expected], given: vec![bits.len()] }),
        }
    }

    pub(super) fn unfit(&self, function: &'static str, given: Vec<usize>) -> Error {
        Error::Shape { function, expected: self.full_shape(), given }
    }

    /// Indices counted from 0.
    pub(super) fn checked(&self, indices: &[i64]) -> Result<Vec<i64>> {
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

    /// The bits of the numbers of an element, by its place and its indices.
    pub(super) fn element(&self, bytes: &[u8], place: i64, indices: &[i64]) -> Vec<u64> {
        let components = 0..self.info().components.len();
        components.map(|component| self.number(bytes, place, indices, component)).collect()
    }

    /// The bits of one of them.
    fn number(&self, bytes: &[u8], place: i64, indices: &[i64], component: usize) -> u64 {
        let info = self.info();
        let at = usize::try_from(place + info.components[component]).unwrap_or(usize::MAX);
        let bits = read(bytes, self.stored().bytes(), at).unwrap_or(0);
        match &info.packed {
            None => bits,
            Some(packed) => packed.load(bits, component, indices).map_or(0, Constant::bits),
        }
    }

    pub(super) fn put(&self, bytes: &mut [u8], place: i64, indices: &[i64], numbers: &[u64]) {
        let info = self.info();
        let width = self.stored().bytes();
        for (component, &number) in numbers.iter().enumerate() {
            let at = usize::try_from(place + info.components[component]).unwrap_or(usize::MAX);
            let bits = match &info.packed {
                None => Some(number),
                Some(packed) => {
                    let word = read(bytes, width, at).unwrap_or(0);
                    packed.store(word, component, indices, Constant::from_bits(info.ty, number))
                }
            };
            if let Some(bits) = bits {
                write(bytes, width, at, bits);
            }
        }
    }

    /// The type of what is in memory: numbers, or words of quantised numbers.
    fn stored(&self) -> ivy_backend_jit::ir::Type {
        let info = &self.described.info;
        engine_type(info.packed.as_ref().map_or(info.ty, Packed::word))
    }

    pub(super) fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> Result<R> {
        self.with_store(self.described.store, f)
    }

    pub(super) fn with_bytes_mut<R>(&self, f: impl FnOnce(&mut [u8]) -> R) -> Result<R> {
        self.with_store_mut(self.described.store, f)
    }

    pub(super) fn with_store<R>(&self, store: usize, f: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let mut state = self.tree.program.state();
        let tree = state.trees.get_mut(self.tree.number).and_then(Option::as_mut).ok_or(Error::Destroyed)?;
        Ok(f(tree.stores[store].bytes()?))
    }

    pub(super) fn with_store_mut<R>(&self, store: usize, f: impl FnOnce(&mut [u8]) -> R) -> Result<R> {
        let mut state = self.tree.program.state();
        let tree = state.trees.get_mut(self.tree.number).and_then(Option::as_mut).ok_or(Error::Destroyed)?;
        Ok(f(tree.stores[store].bytes_mut()?))
    }
}
