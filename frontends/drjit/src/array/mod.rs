//! Arrays of any type: a description and flat arrays of the core.

mod arg;
mod cast;
mod component;
mod construct;
mod entries;
mod expr;
mod leaf;
mod mask;
mod traverse;
mod typed;

pub use arg::{Arg, Borrowed, IntoArg};
pub use expr::Expr;
pub(crate) use leaf::{Leaf, full_beside};
pub use traverse::Traverse;
pub use typed::{ComplexOf, FlatOf, Mark, MatrixOf, NestedOf, NestedXOf, QuaternionOf, TensorOf, Typed};

use crate::types::{ArrayType, Kind, Package, Size, VarType};
use crate::{Error, Result};
use ivy_core::{Array, Scalar};
use std::fmt;

/// An array of any type, known when the program runs: what Dr.Jit calls `ArrayBase`.
///
/// It is a value: a clone is cheap, and no write is visible through another one. [`Typed`] arrays are such arrays whose type the
/// compiler knows.
#[derive(Clone)]
pub struct AnyArray {
    ty: ArrayType,
    data: Data,
}

/// What an array is made of.
#[derive(Clone)]
enum Data {
    /// A vector of elements, or a tensor's array.
    Leaf(Leaf),
    /// The entries of a nested array; rows, of a matrix.
    Entries(Vec<AnyArray>),
}

impl AnyArray {
    pub(crate) fn from_leaf(ty: ArrayType, leaf: Leaf) -> AnyArray {
        debug_assert!(ty.depth() == 0);
        AnyArray { ty, data: Data::Leaf(leaf) }
    }

    pub(crate) fn from_entries(ty: ArrayType, entries: Vec<AnyArray>) -> AnyArray {
        debug_assert!(ty.depth() > 0);
        AnyArray { ty, data: Data::Entries(entries) }
    }

    /// An array of the core as a flat array, of one axis, or a tensor, of any other number.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for dtypes that no type here has.
    pub fn from_core(package: Package, array: Array) -> Result<AnyArray> {
        AnyArray::from_core_leaf(package, Leaf::new(array))
    }

    pub(crate) fn from_core_leaf(package: Package, leaf: Leaf) -> Result<AnyArray> {
        let Some(dtype) = VarType::of_dtype(leaf.array.dtype()) else {
            return Err(Error::InvalidArgument {
                function: "from_core",
                argument: "dtype",
                value: leaf.array.dtype().to_string(),
                rule: "bool, an integer, or a float of 16, 32 or 64 bits",
            });
        };
        let ty = match leaf.array.ndim() {
            1 => ArrayType::flat(package, dtype),
            _ => ArrayType::tensor(package, dtype),
        };
        Ok(AnyArray::from_leaf(ty, leaf))
    }

    /// A nested array of its entries, which are converted to their type.
    ///
    /// ```
    /// use ivy_drjit::{AnyArray, llvm::{ArrayXf, Float}};
    /// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
    /// let x = AnyArray::from_parts(ArrayXf::TYPE, vec![Float::new([1, 2])?.into_any(), Float::new([3, 4])?.into_any()])?;
    /// assert_eq!(x.to_string(), "[[1, 3],\n [2, 4]]");
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongSize`] for another number of entries than the type has; [`Error::NotSupported`] for flat arrays and
    /// tensors; those of the conversion.
    pub fn from_parts(ty: ArrayType, parts: Vec<AnyArray>) -> Result<AnyArray> {
        let Some((entry, size)) = ty.entry().zip(ty.size()) else {
            return Err(Error::NotSupported { function: "from_parts", ty });
        };
        let got = parts.len();
        if let Size::Fixed(n) = size
            && got != usize::from(n)
        {
            return Err(Error::WrongSize { ty, expected: n.into(), got });
        }
        let parts = parts.into_iter().map(|part| part.cast_to(entry)).collect::<Result<_>>()?;
        Ok(AnyArray::from_entries(ty, parts))
    }

    /// The type.
    pub fn ty(&self) -> ArrayType {
        self.ty
    }

    /// The core's array of a flat array or tensor; `None` of nested arrays. It has no gradients.
    pub fn to_core(&self) -> Option<&Array> {
        self.leaf().map(|leaf| &leaf.array)
    }

    pub(crate) fn leaf(&self) -> Option<&Leaf> {
        match &self.data {
            Data::Leaf(leaf) => Some(leaf),
            Data::Entries(_) => None,
        }
    }

    /// The core's array of a flat array or tensor without gradients.
    pub(crate) fn constant(&self) -> Option<&Array> {
        self.leaf().filter(|leaf| leaf.node.is_none()).map(|leaf| &leaf.array)
    }

    /// The core's array of a flat array or tensor.
    pub(crate) fn core_of(&self, function: &'static str) -> Result<&Array> {
        self.to_core().ok_or(Error::NotSupported { function, ty: self.ty })
    }

    /// The entries of a nested array; of flat arrays and tensors there are none.
    pub fn entries(&self) -> &[AnyArray] {
        match &self.data {
            Data::Leaf(_) => &[],
            Data::Entries(entries) => entries,
        }
    }

    /// How many entries there are: the length of a flat array, the entries of a nested one, the first axis of a tensor.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Leaf(leaf) => leaf.array.shape().first().copied().unwrap_or(1),
            Data::Entries(entries) => entries.len(),
        }
    }

    /// The number of threads that the array stands for (`dr.width`): the greatest size within; `None` where sizes do not go
    /// together.
    pub fn width(&self) -> Option<usize> {
        let mut sizes = Vec::new();
        self.for_each_leaf(&mut |leaf| sizes.push(leaf.array.size()));
        common_size(&sizes)
    }

    /// The shape, from outside to inside, the vector of elements last; `None` where it is ragged.
    pub fn shape(&self) -> Option<Vec<usize>> {
        if let Data::Leaf(leaf) = &self.data {
            let flat_scalar = self.ty.kind() == Kind::Flat && !self.ty.is_jit_v();
            return Some(if flat_scalar { Vec::new() } else { leaf.array.shape().to_vec() });
        }
        let mut shape = Vec::new();
        let mut level = self;
        for _ in 0..self.ty.depth() {
            shape.push(level.len());
            let Some(first) = level.entries().first() else { break };
            level = first;
        }
        let full = shape.len() == self.ty.depth() && !shape.contains(&0);
        if full && self.ty.is_jit_v() {
            shape.push(self.width()?);
        } else {
            self.width()?;
        }
        Some(shape)
    }

    /// The sizes of the flat arrays within, in order, for [`AnyArray::from_leaves`]; levels of any size count as well.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        let mut lengths = Vec::new();
        self.collect_lengths(&mut lengths);
        lengths
    }

    fn collect_lengths(&self, lengths: &mut Vec<usize>) {
        if self.ty.size() == Some(Size::Dynamic) {
            lengths.push(self.len());
        }
        self.entries().iter().for_each(|entry| entry.collect_lengths(lengths));
    }

    /// An array of a type from its flat arrays in order, and the lengths of its levels of any size.
    pub(crate) fn from_leaves(
        ty: ArrayType,
        lengths: &[usize],
        leaves: &mut impl Iterator<Item = Leaf>,
    ) -> Result<AnyArray> {
        AnyArray::from_leaves_at(ty, &mut lengths.iter().copied(), leaves)
    }

    fn from_leaves_at(
        ty: ArrayType,
        lengths: &mut dyn Iterator<Item = usize>,
        leaves: &mut dyn Iterator<Item = Leaf>,
    ) -> Result<AnyArray> {
        let too_few = || Error::WrongSize { ty, expected: 1, got: 0 };
        let (Some(entry), Some(size)) = (ty.entry(), ty.size()) else {
            return Ok(AnyArray::from_leaf(ty, leaves.next().ok_or_else(too_few)?));
        };
        let count = match size {
            Size::Fixed(n) => n.into(),
            Size::Dynamic => lengths.next().ok_or_else(too_few)?,
        };
        let entries = (0..count).map(|_| AnyArray::from_leaves_at(entry, lengths, leaves));
        Ok(AnyArray::from_entries(ty, entries.collect::<Result<_>>()?))
    }

    /// Calls a function with each flat array within, in order.
    pub(crate) fn for_each_leaf(&self, visit: &mut dyn FnMut(&Leaf)) {
        match &self.data {
            Data::Leaf(leaf) => visit(leaf),
            Data::Entries(entries) => entries.iter().for_each(|entry| entry.for_each_leaf(visit)),
        }
    }

    /// The same with what a function makes of each flat array within, of the same dtype.
    pub(crate) fn map_leaves(&self, change: &mut dyn FnMut(&Leaf) -> Result<Leaf>) -> Result<AnyArray> {
        self.map_leaves_to(self.ty, change)
    }

    /// The same with another element type or package, made of each flat array within.
    pub(crate) fn map_leaves_to(
        &self,
        ty: ArrayType,
        change: &mut dyn FnMut(&Leaf) -> Result<Leaf>,
    ) -> Result<AnyArray> {
        match &self.data {
            Data::Leaf(leaf) => Ok(AnyArray::from_leaf(ty, change(leaf)?)),
            Data::Entries(entries) => {
                let entry_ty = ty.entry().unwrap_or_else(|| ty.leaf());
                let entries = entries.iter().map(|entry| entry.map_leaves_to(entry_ty, change));
                Ok(AnyArray::from_entries(ty, entries.collect::<Result<_>>()?))
            }
        }
    }

    /// The elements of a flat array or tensor as host scalars, in order.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for nested arrays; what a pending evaluation gives.
    pub fn to_scalars(&self) -> Result<Vec<Scalar>> {
        let array = self.core_of("to_scalars")?;
        let host = array.to_host()?;
        Ok((0..array.size()).map(|i| host.scalar_at(i)).collect::<ivy_core::Result<_>>()?)
    }
}

/// The size to which vectors of several sizes broadcast: those of size 1 do. `None` if they do not.
pub(crate) fn common_size(sizes: &[usize]) -> Option<usize> {
    common_size_of(sizes.iter().copied())
}

/// [`common_size`] of sizes that stand nowhere.
pub(crate) fn common_size_of(mut sizes: impl Iterator<Item = usize>) -> Option<usize> {
    sizes.try_fold(1, |common, size| match (size, common) {
        (1, _) => Some(common),
        (_, 1) => Some(size),
        (a, b) => (a == b).then_some(common),
    })
}

/// The elements, as Dr.Jit prints them. Evaluates what is pending; an error in doing so is written in place of them.
impl fmt::Display for AnyArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::print::to_text(self, crate::print::LIMIT) {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

/// The type alone: nothing pending is evaluated.
impl fmt::Debug for AnyArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.ty)
    }
}
