//! Arrays as memory that other libraries read: the buffer protocol and DLPack, both without a copy.
//!
//! # Invariants
//!
//! - What is exported owns a handle to the elements, so nothing writes to them while it lives (a handle
//!   that is not alone copies before a write), and frees it exactly once.
//! - Exports are marked read-only; where a protocol cannot say so, a copy is exported, unless the consumer
//!   asks for none (`copy=False`) and so vouches that it does not write.

use crate::array::PyArray;
use crate::error::Fallible;
use crate::foreign::{BFLOAT16, CODES, CPU, IS_COPIED, Managed, ManagedVersioned, READ_ONLY, Tensor};
use crate::special;
use ivy::Dtype;
use ivy::host::{Buffer, HostArray};
use pyo3::exceptions::{PyBufferError, PyMemoryError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int, c_void};

/// What a buffer's view points to.
struct View {
    host: HostArray,
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

fn format_of(dtype: Dtype) -> Option<&'static CStr> {
    Some(match dtype {
        Dtype::BOOL => c"?",
        Dtype::INT8 => c"b",
        Dtype::INT16 => c"h",
        Dtype::INT32 => c"i",
        Dtype::INT64 => c"q",
        Dtype::UINT8 => c"B",
        Dtype::UINT16 => c"H",
        Dtype::UINT32 => c"I",
        Dtype::UINT64 => c"Q",
        Dtype::FLOAT16 => c"e",
        Dtype::FLOAT32 => c"f",
        Dtype::FLOAT64 => c"d",
        Dtype::COMPLEX64 => c"Zf",
        Dtype::COMPLEX128 => c"Zd",
        _ => return None,
    })
}

/// The address of the first element.
fn address(host: &HostArray) -> *mut c_void {
    host.view().as_ptr().cast_mut().cast()
}

#[pymethods]
impl PyArray {
    // SAFETY: `view` is the interpreter's, to be filled as the flags ask.
    unsafe fn __getbuffer__(
        slf: Bound<'_, PyArray>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let refuse = |text: &str| Err(PyBufferError::new_err(text.to_string()));
        let asks = |what: c_int| flags & what == what;
        if view.is_null() {
            return refuse("no view to fill");
        }
        // SAFETY: not null, and zeroed first so that a refusal leaves nothing behind.
        unsafe { (*view).obj = std::ptr::null_mut() };
        if asks(ffi::PyBUF_WRITABLE) {
            return refuse("arrays are exported read-only: their elements may be shared");
        }
        let host = slf.borrow().host(slf.py(), "__buffer__")?;
        let Some(format) = format_of(host.dtype()) else {
            return refuse("the buffer protocol has no format for this dtype");
        };
        if host.shape().len() > 64 {
            return refuse("the buffer protocol has at most 64 axes");
        }
        let contiguous = host.is_contiguous();
        if !contiguous && (!asks(ffi::PyBUF_STRIDES) || asks(ffi::PyBUF_C_CONTIGUOUS)) {
            return refuse("the elements are not contiguous");
        }
        let width = host.dtype().bytes() as isize;
        let shape: Vec<_> = host.shape().iter().map(|&len| len as isize).collect();
        let strides: Vec<_> = match contiguous {
            true => ivy::host::contiguous_strides(host.shape()).iter().map(|&s| s * width).collect(),
            false => host.strides().iter().map(|&s| s * width).collect(),
        };
        if asks(ffi::PyBUF_F_CONTIGUOUS) && shape.iter().filter(|&&len| len > 1).count() > 1 {
            return refuse("the elements are not contiguous in column-major order");
        }
        let (data, len) = (address(&host), host.shape().size() as isize * width);
        let mut kept = Box::new(View { host, shape, strides });
        // SAFETY: the view is ours to fill; what it points to lives in `kept` until it is released.
        unsafe {
            (*view).buf = data;
            (*view).len = len;
            (*view).readonly = 1;
            (*view).itemsize = width;
            (*view).format = match asks(ffi::PyBUF_FORMAT) {
                true => format.as_ptr().cast_mut(),
                false => std::ptr::null_mut(),
            };
            (*view).ndim = kept.shape.len() as c_int;
            (*view).shape = if asks(ffi::PyBUF_ND) { kept.shape.as_mut_ptr() } else { std::ptr::null_mut() };
            (*view).strides =
                if asks(ffi::PyBUF_STRIDES) { kept.strides.as_mut_ptr() } else { std::ptr::null_mut() };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = Box::into_raw(kept).cast();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }

    // SAFETY: called once for each view that `__getbuffer__` filled.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `internal` is the box that was put there.
        let View { host, .. } = *unsafe { Box::from_raw((*view).internal.cast::<View>()) };
        drop(host);
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        (CPU, 0)
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> Fallible<Py<PyAny>> {
        let refuse = |text: &str| Err(PyBufferError::new_err(text.to_string()).into());
        if stream.is_some() {
            return refuse("the CPU has no streams: stream is None");
        }
        if dl_device.is_some_and(|(kind, _)| kind != CPU) {
            return refuse("arrays are exported to the host's memory only");
        }
        let versioned = max_version.is_some_and(|(major, _)| major >= 1);
        let mut host = self.host(py, "__dlpack__")?;
        // Before version 1 a tensor cannot be marked read-only: shared only with whoever asks for it by name, and
        // so vouches that nothing is written.
        let must_copy = copy == Some(true) || !versioned && copy != Some(false);
        if must_copy {
            let bytes = special::row_major_bytes(&host)?;
            let no_memory = || PyMemoryError::new_err("no memory for a copy of the array");
            let buffer = Buffer::copy_from(&bytes).ok_or_else(no_memory)?;
            host = HostArray::new(buffer, host.dtype(), host.shape().clone()).ok_or_else(no_memory)?;
        }
        let Some(code) = code_of(host.dtype()) else { return refuse("DLPack has no code for this dtype") };
        let flags = if must_copy { IS_COPIED } else { READ_ONLY };
        // SAFETY: the tensors own what they point to, and their deleters free it.
        Ok(unsafe {
            if versioned {
                capsule(
                    py,
                    Exported::<ManagedVersioned>::leak(host, code, flags),
                    c"dltensor_versioned",
                    unused_versioned,
                )?
            } else {
                capsule(py, Exported::<Managed>::leak(host, code, flags), c"dltensor", unused)?
            }
        })
    }
}

fn code_of(dtype: Dtype) -> Option<u8> {
    match dtype {
        Dtype::BFLOAT16 => Some(BFLOAT16),
        _ => CODES.iter().find(|(_, kind)| *kind == dtype.kind()).map(|(code, _)| *code),
    }
}

/// A managed tensor with what it points to; the tensor stands first, so that its address is the whole's.
#[repr(C)]
struct Exported<M> {
    managed: M,
    _host: HostArray,
    _shape: Vec<i64>,
    _strides: Vec<i64>,
}

/// Either form of a managed tensor.
trait Form: Sized {
    fn of(tensor: Tensor, flags: u64) -> Self;
}

impl Form for Managed {
    fn of(tensor: Tensor, _: u64) -> Managed {
        Managed { tensor, context: std::ptr::null_mut(), deleter: Some(delete) }
    }
}

impl Form for ManagedVersioned {
    fn of(tensor: Tensor, flags: u64) -> ManagedVersioned {
        let context = std::ptr::null_mut();
        ManagedVersioned { major: 1, minor: 0, context, deleter: Some(delete_versioned), flags, tensor }
    }
}

impl<M: Form> Exported<M> {
    fn leak(host: HostArray, code: u8, flags: u64) -> *mut M {
        let mut shape: Vec<i64> = host.shape().iter().map(|&len| len as i64).collect();
        let mut strides: Vec<i64> = match host.is_contiguous() {
            true => ivy::host::contiguous_strides(host.shape()).iter().map(|&s| s as i64).collect(),
            false => host.strides().iter().map(|&s| s as i64).collect(),
        };
        let dtype = host.dtype();
        let tensor = Tensor {
            data: address(&host),
            device_type: CPU,
            device_id: 0,
            ndim: shape.len() as i32,
            code,
            bits: (dtype.bytes() * 8) as u8,
            lanes: 1,
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        };
        let managed = M::of(tensor, flags);
        Box::into_raw(Box::new(Exported { managed, _host: host, _shape: shape, _strides: strides })).cast()
    }
}

// SAFETY: called once by the consumer, with the pointer that was exported.
unsafe extern "C" fn delete(managed: *mut Managed) {
    if !managed.is_null() {
        // SAFETY: the box that `Exported::leak` leaked.
        drop(unsafe { Box::from_raw(managed.cast::<Exported<Managed>>()) });
    }
}

// SAFETY: as above.
unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    if !managed.is_null() {
        // SAFETY: the box that `Exported::leak` leaked.
        drop(unsafe { Box::from_raw(managed.cast::<Exported<ManagedVersioned>>()) });
    }
}

/// A capsule that frees its tensor unless a consumer has renamed it.
///
/// # Safety
/// The pointer is one that `destroy` frees.
unsafe fn capsule<M>(
    py: Python<'_>,
    managed: *mut M,
    name: &'static CStr,
    destroy: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Py<PyAny>> {
    // SAFETY: the name is static, and a new capsule or an error comes back.
    unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(managed.cast(), name.as_ptr(), Some(destroy)))
    }
    .map(Bound::unbind)
}

// SAFETY: called by the interpreter with the capsule that goes.
unsafe extern "C" fn unused(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule of this name still holds the tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, c"dltensor".as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, c"dltensor".as_ptr()).cast());
        }
    }
}

// SAFETY: as above.
unsafe extern "C" fn unused_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule of this name still holds the tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, c"dltensor_versioned".as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, c"dltensor_versioned".as_ptr()).cast());
        }
    }
}
