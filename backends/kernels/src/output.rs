//! New arrays for results.

use ivy_core::host::{HostArray, UniqueBuffer, scratch};
use ivy_core::{Dtype, ErrorKind, Result, Shape};
use std::mem::MaybeUninit;

/// A contiguous array of a shape, filled by `fill`, which must write every element it is given
/// (the elements of `T`, which has the dtype's width), and may leave for want of memory ([`scratch`]).
///
/// # Errors
/// No memory, or a size that overflows.
///
/// # Safety
/// `fill` writes every element, and with bool the bytes 0 and 1 only.
pub(crate) unsafe fn new_array<T: Copy>(
    function: &'static str,
    dtype: Dtype,
    shape: &Shape,
    fill: impl FnOnce(&mut [MaybeUninit<T>]),
) -> Result<HostArray> {
    debug_assert_eq!(size_of::<T>(), dtype.bytes());
    let bytes = shape.checked_size(function, dtype)? * dtype.bytes();
    let memory = || ErrorKind::no_memory(function, bytes as u128);
    let mut buffer = UniqueBuffer::allocate(bytes).ok_or_else(memory)?;
    scratch::guard(function, || fill(buffer.as_uninit::<T>()))?;
    // SAFETY: the caller's promise.
    let buffer = unsafe { buffer.assume_init() };
    Ok(HostArray::new(buffer, dtype, shape.clone()).expect("the buffer was made for this shape"))
}
