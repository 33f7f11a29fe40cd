//! Elements that are there, wherever that is.

use super::cuda::DeviceArray;
use ivy_core::host::HostArray;
use ivy_core::{Dims, Dtype, Shape};

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
}
