//! Entries by number.

use super::{AnyArray, IntoArg, Leaf, component::array_of};
use crate::ad::{Kernel, run};
use crate::types::{Kind, Size};
use crate::{Error, Result};
use ivy_core::functional as f;
use ivy_core::{Index, Scalar};
use std::ops::Range;

impl AnyArray {
    /// The number of an entry, counted from the end if negative.
    fn place(&self, index: i64) -> Result<usize> {
        let size = self.len();
        let place = if index < 0 { index + size as i64 } else { index };
        let inside = usize::try_from(place).ok().filter(|&place| place < size);
        inside.ok_or(Error::OutOfBounds { ty: self.ty(), index, size })
    }

    /// An entry: of a nested array its component or row, of a flat array an array of one element. Negative numbers count from the end.
    ///
    /// ```
    /// use ivy_drjit::scalar::Array2f;
    /// # use ivy_backend_ndarray as _;
    /// let v = Array2f::new([1, 2])?;
    /// assert_eq!(v.get(-1)?.to_string(), "2");
    /// assert_eq!(
    ///     v.get(2).unwrap_err().to_string(),
    ///     "drjit.scalar.Array2f: entry 2 is out of bounds (the array is of size 2)"
    /// );
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn get(&self, index: i64) -> Result<AnyArray> {
        let place = self.place(index)?;
        let Some(leaf) = self.leaf() else { return Ok(self.entries()[place].clone()) };
        if self.ty().kind() == Kind::Tensor {
            return crate::slicing::slice(self, &[crate::slicing::Slice::Entry(index)]);
        }
        self.part(leaf, place..place + 1)
    }

    /// An entry of an entry, and so on.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn get_at(&self, indices: &[i64]) -> Result<AnyArray> {
        indices.iter().try_fold(self.clone(), |x, &index| x.get(index))
    }

    /// An element of a flat array as a host scalar. What is pending is evaluated.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`]; [`Error::NotSupported`] for other arrays.
    pub fn item(&self, index: i64) -> Result<Scalar> {
        let place = self.place(index)?;
        Ok(self.core_of("item")?.to_host()?.scalar_at(place)?)
    }

    /// Some entries: a flat array of these elements, or an array of any number of entries.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] for an end beyond the array.
    pub fn get_range(&self, range: Range<usize>) -> Result<AnyArray> {
        if range.end > self.len() || range.start > range.end {
            return Err(Error::OutOfBounds { ty: self.ty(), index: range.end as i64, size: self.len() });
        }
        match (self.leaf(), self.ty().entry()) {
            (Some(leaf), _) => self.part(leaf, range),
            (None, entry) => {
                let ty = entry.and_then(|entry| array_of(entry, Size::Dynamic));
                let ty = ty.ok_or(Error::NotSupported { function: "slice", ty: self.ty() })?;
                Ok(AnyArray::from_entries(ty, self.entries()[range].to_vec()))
            }
        }
    }

    fn part(&self, leaf: &Leaf, range: Range<usize>) -> Result<AnyArray> {
        let kernel = Kernel::one(move |x| x[0].get([Index::from(range.start as i64..range.end as i64)]));
        Ok(AnyArray::from_leaf(self.ty(), run("slice", &kernel, &[leaf])?))
    }

    /// Replaces an entry by a value, which is converted.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`]; those of the conversion.
    pub fn set(&mut self, index: i64, value: impl IntoArg) -> Result<()> {
        let place = self.place(index)?;
        let Some(leaf) = self.leaf() else {
            let entry = self.ty().entry().ok_or(Error::NotSupported { function: "set", ty: self.ty() })?;
            let value = entry.make(value)?;
            let mut entries = self.entries().to_vec();
            entries[place] = value;
            *self = AnyArray::from_entries(self.ty(), entries);
            return Ok(());
        };
        let value = self.ty().leaf().make(value)?;
        let new = value.leaf().ok_or(Error::NotSupported { function: "set", ty: value.ty() })?;
        let kernel =
            Kernel::one(move |x| f::set_item(&x[0], [Index::from(place as i64..place as i64 + 1)], &x[1]));
        *self = AnyArray::from_leaf(self.ty(), run("set", &kernel, &[leaf, new])?);
        Ok(())
    }

    /// Replaces the elements where a mask is true by those of a value: `x[mask] = value`.
    ///
    /// # Errors
    /// Those of [`select`](crate::select).
    pub fn set_where(&mut self, mask: impl IntoArg, value: impl IntoArg) -> Result<()> {
        *self = crate::select(mask, value, &*self)?.cast_to(self.ty())?;
        Ok(())
    }
}
