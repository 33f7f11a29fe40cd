//! Arrays on a device.

use super::device::Device;
use super::failure::Failure;
use super::pool::Memory;
use ivy_core::host::{HostArray, contiguous_strides, is_contiguous};
use ivy_core::{Dims, Dtype, Result, Shape};
use std::sync::Arc;

/// An array on a device: memory that may be shared, and how its elements are found there.
#[derive(Clone, Debug)]
pub struct DeviceArray {
    memory: Arc<Memory>,
    dtype: Dtype,
    shape: Shape,
    /// In elements.
    strides: Dims<isize>,
    /// In elements.
    offset: usize,
}

impl DeviceArray {
    /// Memory that holds the elements in row-major order; `None` if it is too small.
    pub fn new(memory: Memory, dtype: Dtype, shape: Shape) -> Option<DeviceArray> {
        let strides = contiguous_strides(&shape);
        let bytes = shape.iter().try_fold(dtype.bytes(), |bytes, &length| bytes.checked_mul(length))?;
        let fits = bytes <= memory.bytes();
        fits.then(|| DeviceArray { memory: Arc::new(memory), dtype, shape, strides, offset: 0 })
    }

    /// Elements of shared memory; `None` if one is outside of it.
    pub fn from_parts(
        memory: Arc<Memory>,
        dtype: Dtype,
        shape: Shape,
        strides: Dims<isize>,
        offset: usize,
    ) -> Option<DeviceArray> {
        let array = DeviceArray { memory, dtype, shape, strides, offset };
        let (first, end) = array.span()?;
        (first <= end && end.checked_mul(dtype.bytes())? <= array.memory.bytes()).then_some(array)
    }

    /// The elements of the memory that it lies between: the first one, and the one after the last.
    fn span(&self) -> Option<(usize, usize)> {
        if self.shape.len() != self.strides.len() {
            return None;
        }
        if self.shape.contains(&0) {
            return Some((0, 0));
        }
        let (mut low, mut high) = (self.offset as isize, self.offset as isize);
        for (&length, &stride) in self.shape.iter().zip(&self.strides) {
            let far = stride.checked_mul(length as isize - 1)?;
            if far < 0 { low = low.checked_add(far)? } else { high = high.checked_add(far)? }
        }
        Some((usize::try_from(low).ok()?, usize::try_from(high).ok()?.checked_add(1)?))
    }

    /// The address of its first element.
    pub fn address(&self) -> u64 {
        self.memory.address() + (self.offset * self.dtype.bytes()) as u64
    }

    /// A copy of an array of the host's.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub fn upload(device: &Arc<Device>, array: &HostArray) -> Result<DeviceArray> {
        let array = ivy_kernels::to_contiguous(array.view())?;
        let view = array.view();
        let memory = device.upload(view.contiguous_bytes().unwrap_or(&[]))?;
        let (dtype, shape) = (array.dtype(), array.shape().clone());
        let strides = contiguous_strides(&shape);
        Ok(DeviceArray { memory: Arc::new(memory), dtype, shape, strides, offset: 0 })
    }

    /// A copy on the host, of the part of memory that the elements lie in.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub fn download(&self) -> Result<HostArray> {
        let (first, end) = self.span().unwrap_or((0, 0));
        let bytes = (end - first) * self.dtype.bytes();
        let device = self.memory.device();
        let buffer = device.download(&self.memory, first * self.dtype.bytes(), bytes)?;
        let (shape, strides) = (self.shape.clone(), self.strides.clone());
        let offset = if end == first { 0 } else { self.offset - first };
        let array = buffer.and_then(|b| HostArray::from_parts(b, self.dtype, shape, strides, offset));
        array.ok_or_else(|| Failure::Memory { bytes, free: 0 }.into())
    }

    /// The memory.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// From one element to the next along each axis, in elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The place of the first element in the memory, in elements.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// True if most of the memory between its first and its last element is no element's.
    pub fn is_sparse(&self) -> bool {
        self.span().is_some_and(|(first, end)| (end - first) / 2 > self.shape.size())
    }

    /// True if the elements are in row-major order without gaps.
    pub fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }
}
