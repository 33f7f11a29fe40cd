//! Elements that are there, wherever that is.

use super::cuda::DeviceArray;
use ivy_core::host::HostArray;
use ivy_core::{Dims, Dtype, Shape};
use std::sync::Arc;

/// An array in the host's memory, or in a device's.
#[derive(Clone)]
pub enum Elements {
    /// In the host's.
    Host(HostArray),
    /// In a device's.
    Device(DeviceArray),
}

impl Elements {
    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        match self {
            Elements::Host(array) => array.dtype(),
            Elements::Device(array) => array.dtype(),
        }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        match self {
            Elements::Host(array) => array.shape(),
            Elements::Device(array) => array.shape(),
        }
    }

    /// From one element to the next along each axis, in elements.
    pub fn strides(&self) -> &[isize] {
        match self {
            Elements::Host(array) => array.strides(),
            Elements::Device(array) => array.strides(),
        }
    }

    /// The place of the first element in its memory, in elements.
    pub fn offset(&self) -> usize {
        match self {
            Elements::Host(array) => array.offset(),
            Elements::Device(array) => array.offset(),
        }
    }

    /// True if the elements are in row-major order without gaps.
    pub fn is_contiguous(&self) -> bool {
        match self {
            Elements::Host(array) => array.is_contiguous(),
            Elements::Device(array) => array.is_contiguous(),
        }
    }

    /// Other elements of the same memory; `None` if one is outside of it.
    pub fn view(&self, shape: Shape, strides: Dims<isize>, offset: usize) -> Option<Elements> {
        Some(match self {
            Elements::Host(array) => {
                let (buffer, dtype) = (array.buffer().clone(), array.dtype());
                Elements::Host(HostArray::from_parts(buffer, dtype, shape, strides, offset)?)
            }
            Elements::Device(array) => {
                let (memory, dtype) = (array.memory().clone(), array.dtype());
                Elements::Device(DeviceArray::from_parts(memory, dtype, shape, strides, offset)?)
            }
        })
    }

    /// True if others are the same bits. Of a device's, where they are is looked at, and not what they are.
    pub(crate) fn are(&self, other: &Elements) -> bool {
        let about = |x: &Elements| (x.dtype(), x.shape().clone(), Dims::from_slice(x.strides()));
        if about(self) != about(other) {
            return false;
        }
        match (self, other) {
            (Elements::Host(a), Elements::Host(b)) => {
                let place = |x: &HostArray| (x.buffer().bytes().as_ptr(), x.offset());
                let rows = |x: &HostArray| ivy_kernels::to_contiguous(x.view()).ok();
                place(a) == place(b)
                    || rows(a).zip(rows(b)).is_some_and(|(a, b)| {
                        a.view().contiguous_bytes().is_some_and(|a| Some(a) == b.view().contiguous_bytes())
                    })
            }
            (Elements::Device(a), Elements::Device(b)) => {
                Arc::ptr_eq(a.memory(), b.memory()) && a.offset() == b.offset()
            }
            _ => false,
        }
    }
}
