//! All that is `unsafe` here: what `tch` cannot do, by `torch-sys`.
//!
//! # Invariants
//!
//! - A [`Tensor`] is defined, dense, and points to a live `at::Tensor`.
//! - Every call that may fail is followed by [`check`], so that the thread's error slot is empty
//!   when a function of `tch` looks at it (some panic if it is not).
//! - Elements are written only through a tensor that this crate has just made, and that nobody
//!   else has seen.

use crate::error::Message;
use ivy_core::Dims;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Deref;
use std::ptr::{null_mut, slice_from_raw_parts};
use tch::{Device, Tensor};
use torch_sys::C_tensor;
use torch_sys::c_generated as generated;

unsafe extern "C" {
    fn free(pointer: *mut c_void);
}

/// A tensor that threads may share.
pub(crate) struct Handle(Tensor);

// SAFETY: libtorch counts references atomically, and calls that only read a tensor (all that a
// shared handle is used for) may run at once on several threads. `Tensor` itself is `Send`.
unsafe impl Sync for Handle {}

impl Handle {
    pub(crate) fn new(tensor: Tensor) -> Handle {
        Handle(tensor)
    }
}

impl Deref for Handle {
    type Target = Tensor;

    fn deref(&self) -> &Tensor {
        &self.0
    }
}

/// What went wrong in the last call on this thread, if anything did.
pub(crate) fn check() -> Result<(), Message> {
    // SAFETY: the slot holds null or a string made by `strdup`, which is now ours.
    let text = unsafe { torch_sys::get_and_reset_last_err() };
    if text.is_null() { Ok(()) } else { Err(taken(text)) }
}

#[cold]
fn taken(text: *mut c_char) -> Message {
    // SAFETY: a string of C's, ended by zero, that nobody else holds.
    let message = Message::new(&unsafe { CStr::from_ptr(text) }.to_string_lossy());
    // SAFETY: made by `strdup`, and not used from here on.
    unsafe { free(text.cast()) };
    message
}

/// The tensor that a call left in `out`.
fn made(out: *mut C_tensor) -> Result<Tensor, Message> {
    check()?;
    if out.is_null() {
        return Err(Message::new("no tensor came back"));
    }
    // SAFETY: a new `at::Tensor` that nobody else holds.
    Ok(unsafe { Tensor::from_ptr(out) })
}

fn pointer(tensor: &Tensor) -> *mut C_tensor {
    tensor.as_ptr().cast_mut()
}

fn device_number(device: Device) -> c_int {
    match device {
        Device::Cuda(index) => c_int::try_from(index).unwrap_or(c_int::MAX),
        _ => -1,
    }
}

/// The number of the tensor's element type (`ScalarType`), whether `tch` has a name for it or not.
pub(crate) fn kind_of(tensor: &Tensor) -> Result<c_int, Message> {
    // SAFETY: the first invariant.
    let kind = unsafe { torch_sys::at_scalar_type(pointer(tensor)) };
    check().map(|()| kind)
}

/// The number of axes.
pub(crate) fn rank(tensor: &Tensor) -> usize {
    // SAFETY: the first invariant; a defined tensor has a rank, so that this cannot fail.
    unsafe { torch_sys::at_dim(pointer(tensor)) }
}

/// The lengths of the axes.
pub(crate) fn dims(tensor: &Tensor) -> Dims<i64> {
    let mut dims = Dims::from_elem(0i64, rank(tensor));
    // SAFETY: `dims` has room for one length an axis.
    unsafe { torch_sys::at_shape(pointer(tensor), dims.as_mut_ptr()) };
    dims
}

/// The distances between neighbours along each axis, in elements; never negative.
pub(crate) fn strides(tensor: &Tensor) -> Dims<i64> {
    let mut strides = Dims::from_elem(0i64, rank(tensor));
    // SAFETY: `strides` has room for one number an axis.
    unsafe { torch_sys::at_stride(pointer(tensor), strides.as_mut_ptr()) };
    strides
}

/// The address of the first element, or null if there is none.
pub(crate) fn address(tensor: &Tensor) -> Result<*const u8, Message> {
    // SAFETY: the first invariant.
    let data = unsafe { torch_sys::at_data_ptr(pointer(tensor)) };
    check().map(|()| data.cast_const().cast())
}

/// The bytes from the first to the last element of a tensor in host memory, whose elements have
/// `width` bytes.
pub(crate) fn bytes(tensor: &Tensor, width: usize) -> Result<&[u8], Message> {
    let (dims, strides) = (dims(tensor), strides(tensor));
    let data = address(tensor)?;
    if dims.contains(&0) || data.is_null() {
        return Ok(&[]);
    }
    let last: i64 = dims.iter().zip(&strides).map(|(&len, &stride)| (len - 1) * stride).sum();
    // SAFETY: libtorch keeps every element within the tensor's memory, which the borrowed tensor
    // holds; strides are not negative, so the last element is the one with the highest address.
    // Memory from libtorch's allocator is not known to be written, but its bytes are never read
    // before an op has filled it.
    Ok(unsafe { &*slice_from_raw_parts(data, (last as usize + 1) * width) })
}

/// A new row-major tensor of any kind, its elements not yet written.
fn empty(dims: &[i64], kind: c_int, device: Device) -> Result<Tensor, Message> {
    let mut out = null_mut();
    // SAFETY: `dims` is read for its length; a bad kind or size is an error.
    unsafe {
        let len = dims.len() as c_int;
        generated::atg_empty(&mut out, dims.as_ptr(), len, kind, device_number(device));
    }
    made(out)
}

/// A new row-major tensor in host memory with a copy of the bytes, which are all its elements.
pub(crate) fn from_bytes(bytes: &[u8], dims: &[i64], kind: c_int, width: usize) -> Result<Tensor, Message> {
    let tensor = empty(dims, kind, Device::Cpu)?;
    let size: i64 = dims.iter().product();
    if usize::try_from(size).ok().and_then(|n| n.checked_mul(width)) != Some(bytes.len()) {
        return Err(Message::new("the bytes are not those of the shape"));
    }
    let data = address(&tensor)?.cast_mut();
    if !bytes.is_empty() {
        // SAFETY: the tensor is new, row-major, and has this many bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), data, bytes.len()) };
    }
    Ok(tensor)
}

/// A tensor of the shape, every element that of the 0-d tensor `one`.
pub(crate) fn filled(one: &Tensor, dims: &[i64], device: Device) -> Result<Tensor, Message> {
    let mut tensor = empty(dims, kind_of(one)?, device)?;
    match tensor.f_fill_tensor_(one) {
        Ok(_) => Ok(tensor),
        Err(error) => Err(error.into()),
    }
}

/// The elements converted to a kind, which may be one that `tch` has no name for; the tensor
/// itself if it has it, unless a copy is asked for.
pub(crate) fn converted(tensor: &Tensor, kind: c_int, copy: bool) -> Result<Tensor, Message> {
    let mut out = null_mut();
    // SAFETY: the first invariant; a bad kind is an error.
    unsafe { generated::atg_to_dtype(&mut out, pointer(tensor), kind, 0, c_int::from(copy)) };
    made(out)
}

/// The same elements read as another kind of the same width; no copy.
pub(crate) fn reinterpreted(tensor: &Tensor, kind: c_int) -> Result<Tensor, Message> {
    let mut out = null_mut();
    // SAFETY: the first invariant; a bad kind is an error.
    unsafe { generated::atg_view_dtype(&mut out, pointer(tensor), kind) };
    made(out)
}

/// Another handle on the same tensor.
pub(crate) fn same(tensor: &Tensor) -> Result<Tensor, Message> {
    // SAFETY: the first invariant.
    made(unsafe { torch_sys::at_shallow_clone(pointer(tensor)) })
}

/// The tensor's device, where it is one that this crate knows.
pub(crate) fn device_of(tensor: &Tensor) -> Option<Device> {
    // SAFETY: the first invariant.
    let number = unsafe { torch_sys::at_device(pointer(tensor)) };
    match (check(), number) {
        (Ok(()), -1) => Some(Device::Cpu),
        (Ok(()), index) => usize::try_from(index).ok().map(Device::Cuda),
        _ => None,
    }
}

/// Variance along axes, divided by the number of elements less the correction.
pub(crate) fn variance(
    tensor: &Tensor,
    axes: &[i64],
    correction: f64,
    keepdims: bool,
) -> Result<Tensor, Message> {
    let mut out = null_mut();
    // SAFETY: the first invariant; the axes are read for their length; the scalar is freed once,
    // after the call that reads it. (`tch`'s own scalar would panic where the call fails.)
    unsafe {
        let scalar = torch_sys::ats_float(correction);
        let (data, len) = (axes.as_ptr(), axes.len() as c_int);
        generated::atg_var_correction(&mut out, pointer(tensor), data, len, scalar, c_int::from(keepdims));
        torch_sys::ats_free(scalar);
    }
    made(out)
}

/// How many CUDA devices libtorch finds.
pub(crate) fn cuda_devices() -> usize {
    // SAFETY: no arguments; a failure is an error, and counts as none.
    let count = unsafe { torch_sys::cuda::atc_cuda_device_count() };
    match check() {
        Ok(()) => usize::try_from(count).unwrap_or_default(),
        Err(_) => 0,
    }
}
