//! Conversion between types.

use super::{AnyArray, Leaf};
use crate::ad::{Kernel, run};
use crate::types::{ArrayType, Kind, Size};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Dtype, Scalar};

impl AnyArray {
    /// The array as another type: elements are converted, flat arrays go to all entries (of a matrix, a complex number or a
    /// quaternion they are a multiple of the identity), nested arrays are converted entry by entry, matrices of another size are cut at the
    /// lower right or put into the identity, and tensors are taken apart along their axes.
    ///
    /// # Errors
    /// [`Error::WrongSize`] for another number of entries, [`Error::CannotBroadcast`] for types that do not convert,
    /// [`Error::MismatchedShape`] for tensors.
    pub fn cast_to(&self, ty: ArrayType) -> Result<AnyArray> {
        if self.ty() == ty {
            return Ok(self.clone());
        }
        let refuse = || Error::CannotBroadcast { ty, from: self.ty().to_string() };
        match (self.ty().kind(), ty.kind()) {
            (Kind::Tensor, Kind::Tensor) => {
                self.map_leaves_to(ty, &mut |leaf| cast_leaf(leaf, self.ty(), ty))
            }
            (Kind::Tensor, _) => crate::shape::from_tensor(ty, self),
            (_, Kind::Tensor) => crate::shape::to_tensor(ty, self),
            (Kind::Flat, Kind::Flat) => self.map_leaves_to(ty, &mut |leaf| cast_leaf(leaf, self.ty(), ty)),
            (Kind::Flat, Kind::Array) => self.to_every_entry(ty),
            (Kind::Flat, _) => self.times_identity(ty),
            (_, Kind::Flat) => Err(refuse()),
            (Kind::Matrix, Kind::Matrix) if self.ty().depth() == 2 && ty.depth() == 2 => self.to_matrix(ty),
            _ if self.ty().depth() == ty.depth() => self.entry_by_entry(ty),
            // An array like the entries is each of them; otherwise entries go with entries.
            (Kind::Array, Kind::Array) if ty.entry().is_some_and(|own| own.sizes() == self.ty().sizes()) => {
                self.to_every_entry(ty)
            }
            (Kind::Array, Kind::Array) if self.ty().depth() < ty.depth() => self.entry_by_entry(ty),
            _ => Err(refuse()),
        }
    }

    /// The same entries as another kind of number, of the same levels and elements.
    pub(crate) fn retyped(self, ty: ArrayType) -> Result<AnyArray> {
        if self.ty() == ty {
            return Ok(self);
        }
        self.entry_by_entry(ty)
    }

    fn to_every_entry(&self, ty: ArrayType) -> Result<AnyArray> {
        let (Some(entry), Some(size)) = (ty.entry(), ty.size()) else {
            return Err(Error::CannotBroadcast { ty, from: self.ty().to_string() });
        };
        let count = match size {
            Size::Fixed(n) => usize::from(n),
            Size::Dynamic => 1,
        };
        let own = self.cast_to(entry)?;
        Ok(AnyArray::from_entries(ty, vec![own; count]))
    }

    /// A matrix of another size: cut at the lower right, or put into the identity.
    fn to_matrix(&self, ty: ArrayType) -> Result<AnyArray> {
        let Some(Size::Fixed(n)) = ty.size() else { return self.entry_by_entry(ty) };
        if self.len() == usize::from(n) {
            return self.entry_by_entry(ty);
        }
        let row_ty = ty.entry().ok_or_else(|| Error::CannotBroadcast { ty, from: self.ty().to_string() })?;
        let cell = |i: usize, j: usize| match self.entries().get(i).and_then(|row| row.entries().get(j)) {
            Some(own) => own.cast_to(ty.leaf()),
            None => ty.leaf().literal(Scalar::Int((i == j).into())),
        };
        let row = |i: usize| {
            let cells = (0..n.into()).map(|j| cell(i, j)).collect::<Result<_>>()?;
            Ok(AnyArray::from_entries(row_ty, cells))
        };
        Ok(AnyArray::from_entries(ty, (0..n.into()).map(row).collect::<Result<_>>()?))
    }

    fn times_identity(&self, ty: ArrayType) -> Result<AnyArray> {
        let zero = ty.leaf().literal(Scalar::Int(0))?;
        let own = self.cast_to(ty.leaf())?;
        let mut place = 0;
        let count = ty.size_v().unwrap_or(1);
        identity_places(ty, count).cast_leaves(ty, &mut |set| {
            place += 1;
            if set { own.clone() } else { zero.clone() }
        })
    }

    fn entry_by_entry(&self, ty: ArrayType) -> Result<AnyArray> {
        let Some((entry, size)) = ty.entry().zip(ty.size()) else { return self.cast_to(ty) };
        let got = self.len();
        let entries: Vec<AnyArray> = match size {
            Size::Fixed(n) if got == 1 && n > 1 && ty.kind() == Kind::Array => {
                vec![self.entries()[0].cast_to(entry)?; n.into()]
            }
            Size::Fixed(n) if got != usize::from(n) => {
                return Err(Error::WrongSize { ty, expected: n.into(), got });
            }
            _ => self.entries().iter().map(|own| own.cast_to(entry)).collect::<Result<_>>()?,
        };
        Ok(AnyArray::from_entries(ty, entries))
    }
}

/// Where a special type has the value of which it is a multiple, and where zero.
struct Places(Vec<bool>);

fn identity_places(ty: ArrayType, count: usize) -> Places {
    let inner: usize = ty
        .sizes()
        .iter()
        .skip(2)
        .map(|size| if let Size::Fixed(n) = size { usize::from(*n) } else { 1 })
        .product();
    Places(match ty.kind() {
        Kind::Complex => vec![true, false],
        Kind::Quaternion => vec![false, false, false, true],
        _ => (0..count * count).flat_map(|i| vec![i / count == i % count; inner]).collect(),
    })
}

impl Places {
    fn cast_leaves(&self, ty: ArrayType, value: &mut dyn FnMut(bool) -> AnyArray) -> Result<AnyArray> {
        let mut leaves = self.0.iter().filter_map(|&set| value(set).leaf().cloned());
        AnyArray::from_leaves(ty, &[], &mut leaves)
    }
}

/// A flat array with other elements, in another package.
fn cast_leaf(leaf: &Leaf, from: ArrayType, to: ArrayType) -> Result<Leaf> {
    let mut leaf = leaf.clone();
    if !to.is_diff_v() {
        leaf.node = None;
    }
    if from.package().backend != to.package().backend {
        let backend = to.package().instance()?;
        leaf = moved(&leaf, backend)?;
    }
    match from.dtype() == to.dtype() {
        true => Ok(leaf),
        false => run("cast", &cast_kernel(to.dtype().dtype()), &[&leaf]),
    }
}

fn moved(leaf: &Leaf, backend: ivy_core::backend::BackendRef) -> Result<Leaf> {
    Ok(Leaf { array: leaf.array.to_backend(&backend)?, node: leaf.node.clone() })
}

fn cast_kernel(dtype: Dtype) -> Kernel {
    Kernel::one(move |x| f::astype(&x[0], dtype))
}
