//! What a launch walks: arrays, arrays that are not there everywhere, and numbers.

use crate::runtime::Reading;
use ivy_core::host::{HostView, is_contiguous};
use ivy_core::{Dims, Dtype};
use std::marker::PhantomData;

/// An input in the shape of a space.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) first: *const u8,
    pub(super) dtype: Dtype,
    pub(super) shape: &'a [usize],
    pub(super) strides: &'a [isize],
    pub(super) reading: Reading,
    memory: PhantomData<&'a [u8]>,
}

impl<'a> From<HostView<'a>> for View<'a> {
    fn from(view: HostView<'a>) -> View<'a> {
        View {
            first: view.as_ptr(),
            dtype: view.dtype(),
            shape: view.shape(),
            strides: view.strides(),
            reading: Reading::Walked,
            memory: PhantomData,
        }
    }
}

impl<'a> View<'a> {
    /// Numbers: `first` at the origin, and from there so many more for a step along each axis. There is
    /// a stride for each axis.
    pub fn counting(first: isize, shape: &'a [usize], strides: &'a [isize]) -> View<'a> {
        // An address that leads nowhere, and is never followed.
        let first = std::ptr::without_provenance(first as usize);
        View { first, dtype: Dtype::INT64, shape, strides, reading: Reading::Counted, memory: PhantomData }
    }

    /// Elements of an array's bytes, walked from the place `offset` on, which need not all be there.
    ///
    /// # Safety
    /// The bytes are those of initialized elements of the dtype, aligned. A kernel that reads it as
    /// [`Access::Guarded`](crate::ir::Access::Guarded) asks for elements within them only.
    pub unsafe fn guarded(
        bytes: &'a [u8],
        dtype: Dtype,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: isize,
    ) -> View<'a> {
        let first = bytes.as_ptr().wrapping_offset(offset.wrapping_mul(dtype.bytes() as isize));
        View { first, dtype, shape, strides, reading: Reading::Guarded, memory: PhantomData }
    }

    /// Rows of so many elements side by side in an array's bytes, each as one, walked from the place `offset`
    /// on in steps of whole rows; `None` if they are not all there.
    pub fn of_rows(
        bytes: &'a [u8],
        dtype: Dtype,
        columns: u8,
        (shape, strides): (&'a [usize], &'a [isize]),
        offset: usize,
    ) -> Option<View<'a>> {
        let count = usize::from(columns);
        let elements: Dims = shape.iter().copied().chain([count]).collect();
        let steps = strides.iter().map(|s| s.checked_mul(count as isize)).chain([Some(1)]);
        let steps = steps.collect::<Option<Dims<isize>>>()?;
        let first = HostView::new(bytes, dtype, &elements, &steps, offset)?.as_ptr();
        let reading = Reading::Rows(columns);
        Some(View { first, dtype, shape, strides, reading, memory: PhantomData })
    }

    /// The dtype of its elements.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The bytes from an element to the next.
    pub(super) fn bytes(&self) -> usize {
        match self.reading {
            Reading::Counted => 1,
            reading => self.dtype.bytes() * usize::from(reading.columns()),
        }
    }

    /// True if the elements stand one after the other in row-major order.
    pub(super) fn is_contiguous(&self) -> bool {
        is_contiguous(self.shape, self.strides)
    }
}
