//! Memory of other libraries as host arrays: the buffer protocol and DLPack.
//!
//! # Invariants
//!
//! - A [`Lease`] holds what keeps foreign memory alive, and gives it back exactly once, when it is dropped.
//!   It is a Python object, so that it is dropped with the interpreter's lock held, whoever held it last.
//! - Shapes and strides come from the exporter; bytes are read only between the least and the greatest
//!   address that they reach, and every element is aligned for its dtype, or was copied to where it is.
//! - A DLPack capsule is renamed before its tensor is used, so that nobody else consumes it.

use crate::error::{Fallible, type_error};
use ivy::host::{Buffer, HostArray};
use ivy::{Dims, Dtype, Shape};
use pyo3::exceptions::{PyBufferError, PyMemoryError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{CStr, c_void};

/// Memory that came from elsewhere.
pub(crate) struct Foreign {
    /// The elements.
    pub(crate) host: HostArray,
    /// Whether they still stand in the other library's memory.
    pub(crate) borrowed: bool,
    /// Whether the other library may write to them.
    pub(crate) writable: bool,
}

/// What keeps foreign memory alive.
#[pyclass(frozen)]
struct Lease(Held);

enum Held {
    Buffer(Box<ffi::Py_buffer>),
    Tensor(*mut Managed),
    Versioned(*mut ManagedVersioned),
}

// SAFETY: the pointers are used by `drop` only, which runs once and with the interpreter's lock held.
unsafe impl Send for Lease {}
// SAFETY: as above; a shared reference gives access to nothing.
unsafe impl Sync for Lease {}

impl Drop for Lease {
    fn drop(&mut self) {
        match &mut self.0 {
            // SAFETY: filled by PyObject_GetBuffer, and released here only.
            Held::Buffer(view) => unsafe { ffi::PyBuffer_Release(&mut **view) },
            Held::Tensor(tensor) => {
                // SAFETY: the tensor was taken out of its capsule, so this is its one owner.
                unsafe {
                    if let Some(delete) = (**tensor).deleter {
                        delete(*tensor);
                    }
                }
            }
            Held::Versioned(tensor) => {
                // SAFETY: as above.
                unsafe {
                    if let Some(delete) = (**tensor).deleter {
                        delete(*tensor);
                    }
                }
            }
        }
    }
}

/// DLPack's `DLTensor`.
#[repr(C)]
pub(crate) struct Tensor {
    pub(crate) data: *mut c_void,
    pub(crate) device_type: i32,
    pub(crate) device_id: i32,
    pub(crate) ndim: i32,
    pub(crate) code: u8,
    pub(crate) bits: u8,
    pub(crate) lanes: u16,
    pub(crate) shape: *mut i64,
    pub(crate) strides: *mut i64,
    pub(crate) byte_offset: u64,
}

/// DLPack's `DLManagedTensor`.
#[repr(C)]
pub(crate) struct Managed {
    pub(crate) tensor: Tensor,
    pub(crate) context: *mut c_void,
    pub(crate) deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// DLPack's `DLManagedTensorVersioned`.
#[repr(C)]
pub(crate) struct ManagedVersioned {
    pub(crate) major: u32,
    pub(crate) minor: u32,
    pub(crate) context: *mut c_void,
    pub(crate) deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    pub(crate) flags: u64,
    pub(crate) tensor: Tensor,
}

/// The tensor must not be written to.
pub(crate) const READ_ONLY: u64 = 1;
/// The tensor is a copy that nobody else holds.
pub(crate) const IS_COPIED: u64 = 2;
/// The host's memory, among DLPack's device types.
pub(crate) const CPU: i32 = 1;

/// DLPack's type codes with the kinds of dtypes; bfloat16 stands apart.
pub(crate) const CODES: [(u8, ivy::Kind); 5] = [
    (0, ivy::Kind::Int),
    (1, ivy::Kind::Uint),
    (2, ivy::Kind::Float),
    (5, ivy::Kind::Complex),
    (6, ivy::Kind::Bool),
];
/// DLPack's type code of bfloat16.
pub(crate) const BFLOAT16: u8 = 4;

/// The elements of an object with the buffer protocol; `None` for other objects, and for those that
/// cannot give a buffer now.
pub(crate) fn from_buffer(object: &Bound<'_, PyAny>) -> Fallible<Option<Foreign>> {
    let py = object.py();
    // SAFETY: the object is alive, and the view is zeroed memory of the right type to fill.
    let (view, status) = unsafe {
        if ffi::PyObject_CheckBuffer(object.as_ptr()) == 0 {
            return Ok(None);
        }
        let mut view: Box<ffi::Py_buffer> = Box::new(std::mem::zeroed());
        let status = ffi::PyObject_GetBuffer(object.as_ptr(), &mut *view, ffi::PyBUF_RECORDS_RO);
        (view, status)
    };
    if status != 0 {
        let error = PyErr::fetch(py);
        // What the object has no buffer for, it may give by another protocol.
        return match error.is_instance_of::<PyBufferError>(py)
            || error.is_instance_of::<pyo3::exceptions::PyValueError>(py)
        {
            true => Ok(None),
            false => Err(error.into()),
        };
    }
    let (ndim, width, writable) = (view.ndim as usize, view.itemsize as usize, view.readonly == 0);
    let data = view.buf as *const u8;
    // SAFETY: a filled view's format is NULL or a string, and shape and strides have `ndim` entries.
    let (format, shape, strides) = unsafe {
        let format = if view.format.is_null() { c"B" } else { CStr::from_ptr(view.format) };
        let list = |values: *mut ffi::Py_ssize_t| match values.is_null() {
            true => Dims::from_elem(0isize, ndim),
            false => Dims::from_slice(std::slice::from_raw_parts(values, ndim)),
        };
        (format.to_string_lossy().into_owned(), list(view.shape), list(view.strides))
    };
    let lease = Lease(Held::Buffer(view));
    let shape: Shape = shape.iter().map(|&len| len.max(0) as usize).collect();
    let Some((dtype, swapped)) = dtype_of_format(&format, width) else {
        return type_error(format!("no dtype holds elements of the buffer format '{format}'"));
    };
    let lease = Py::new(py, lease)?;
    // SAFETY: the lease keeps the memory that shape and strides reach.
    let foreign = unsafe { adopt(lease, data, dtype, shape, strides, swapped)? };
    Ok(Some(Foreign { writable, ..foreign }))
}

/// The dtype of a format of the `struct` module, and whether its bytes are in the other order.
fn dtype_of_format(format: &str, width: usize) -> Option<(Dtype, bool)> {
    let (order, code) = match format.as_bytes().first()? {
        b'@' | b'=' | b'<' | b'>' | b'!' => format.split_at(1),
        _ => ("", format),
    };
    let kind = match code {
        "?" => ivy::Kind::Bool,
        "b" | "h" | "i" | "l" | "q" | "n" => ivy::Kind::Int,
        "B" | "H" | "I" | "L" | "Q" | "N" => ivy::Kind::Uint,
        "e" | "f" | "d" => ivy::Kind::Float,
        "Zf" | "Zd" => ivy::Kind::Complex,
        _ => return None,
    };
    Some((dtype_of(kind, width)?, width > 1 && matches!(order, ">" | "!") == cfg!(target_endian = "little")))
}

fn dtype_of(kind: ivy::Kind, width: usize) -> Option<Dtype> {
    Dtype::all().find(|d| d.kind() == kind && d.bytes() == width && *d != Dtype::BFLOAT16)
}

/// Foreign memory as a host array: in place where alignment, strides and byte order allow it, else copied.
///
/// # Safety
/// `data` and the strides in bytes reach elements of the dtype that the lease keeps alive.
unsafe fn adopt(
    lease: Py<Lease>,
    data: *const u8,
    dtype: Dtype,
    shape: Shape,
    strides: Dims<isize>,
    swapped: bool,
) -> Fallible<Foreign> {
    let no_memory = || PyMemoryError::new_err("no memory for a copy of a foreign array");
    let width = dtype.bytes();
    let (mut low, mut high) = (0isize, 0isize);
    for (&len, &stride) in shape.iter().zip(&strides) {
        let reach = (len as isize - 1).max(0).saturating_mul(stride);
        if reach < 0 { low += reach } else { high += reach }
    }
    let (start, bytes) = match shape.contains(&0) {
        // The address of no elements may be anything.
        true => (std::ptr::NonNull::<u128>::dangling().as_ptr().cast_const().cast(), 0),
        false => (data.wrapping_offset(low), (high - low) as usize + width),
    };
    // SAFETY: the caller's promise, and both are within what it names.
    let seen = if bytes == 0 { &[] } else { unsafe { std::slice::from_raw_parts(start, bytes) } };
    let align = if dtype.is_complex() { width / 2 } else { width };
    let fits = !swapped
        && (start as usize).is_multiple_of(align)
        && strides.iter().zip(shape.iter()).all(|(&s, &len)| len <= 1 || s % width as isize == 0);
    // Bool arrays hold the bytes 0 and 1 only.
    let clean = dtype != Dtype::BOOL || seen.iter().all(|&b| b <= 1);
    if fits && clean {
        let steps: Dims<isize> = strides
            .iter()
            .zip(shape.iter())
            .map(|(&s, &len)| if len <= 1 { 0 } else { s / width as isize })
            .collect();
        // SAFETY: the bytes live as long as the lease does.
        let buffer = unsafe { Buffer::from_foreign(start, bytes, Box::new(lease)) };
        let offset = if bytes == 0 { 0 } else { (-low) as usize / width };
        let Some(host) = HostArray::from_parts(buffer, dtype, shape, steps, offset) else {
            return type_error("a foreign array reaches outside its own memory");
        };
        return Ok(Foreign { host, borrowed: true, writable: true });
    }
    let size = shape.size();
    let mut copy = Vec::with_capacity(size * width);
    let part = align.max(1);
    ivy::host::for_each_offset(&shape, &strides, |offset| {
        let element = &seen[(offset - low) as usize..][..width];
        match (dtype, swapped) {
            (Dtype::BOOL, _) => copy.push(u8::from(element[0] != 0)),
            (_, true) => element.chunks(part).for_each(|p| copy.extend(p.iter().rev())),
            (_, false) => copy.extend_from_slice(element),
        }
    });
    let buffer = Buffer::copy_from(&copy).ok_or_else(no_memory)?;
    let host = HostArray::new(buffer, dtype, shape).ok_or_else(no_memory)?;
    Ok(Foreign { host, borrowed: false, writable: false })
}

/// The elements of an object that speaks DLPack; `None` for other objects.
pub(crate) fn from_dlpack(object: &Bound<'_, PyAny>, copy: Option<bool>) -> Fallible<Option<Foreign>> {
    let py = object.py();
    if let Ok(capsule) = object.cast::<PyCapsule>() {
        return consume(capsule).map(Some);
    }
    if !object.hasattr("__dlpack__")? {
        return Ok(None);
    }
    let (kind, _): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
    if kind != CPU {
        let text =
            format!("DLPack device type {kind} is not the host's memory; move the array to the CPU first");
        return Err(PyBufferError::new_err(text).into());
    }
    let keywords = PyDict::new(py);
    keywords.set_item("max_version", (1, 0))?;
    if let Some(copy) = copy {
        keywords.set_item("copy", copy)?;
    }
    let capsule = match object.call_method("__dlpack__", (), Some(&keywords)) {
        // An exporter of the time before versions.
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyTypeError>(py) && copy != Some(false) => {
            object.call_method0("__dlpack__")?
        }
        capsule => capsule?,
    };
    consume(capsule.cast()?).map(Some)
}

fn consume(capsule: &Bound<'_, PyCapsule>) -> Fallible<Foreign> {
    const NAME: &CStr = c"dltensor";
    const VERSIONED: &CStr = c"dltensor_versioned";
    let py = capsule.py();
    // SAFETY: the names are those that DLPack gives to unused capsules, which hold such tensors; renamed,
    // the capsule's own destructor leaves the tensor alone.
    let (held, tensor, writable) = unsafe {
        let object = capsule.as_ptr();
        if ffi::PyCapsule_IsValid(object, VERSIONED.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(object, VERSIONED.as_ptr()).cast::<ManagedVersioned>();
            if (*managed).major != 1 {
                let text =
                    format!("DLPack version {}.{} is not known here", (*managed).major, (*managed).minor);
                return Err(PyBufferError::new_err(text).into());
            }
            ffi::PyCapsule_SetName(object, c"used_dltensor_versioned".as_ptr());
            (Held::Versioned(managed), &raw const (*managed).tensor, (*managed).flags & READ_ONLY == 0)
        } else if ffi::PyCapsule_IsValid(object, NAME.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(object, NAME.as_ptr()).cast::<Managed>();
            ffi::PyCapsule_SetName(object, c"used_dltensor".as_ptr());
            (Held::Tensor(managed), &raw const (*managed).tensor, true)
        } else {
            let text = "not an unused DLPack capsule: each one can be consumed once";
            return Err(PyBufferError::new_err(text).into());
        }
    };
    let lease = Lease(held);
    // SAFETY: the lease keeps the tensor alive.
    let tensor = unsafe { &*tensor };
    if tensor.device_type != CPU {
        let text = format!("DLPack device type {} is not the host's memory", tensor.device_type);
        return Err(PyBufferError::new_err(text).into());
    }
    let width = usize::from(tensor.bits) / 8;
    let dtype = match tensor.code {
        BFLOAT16 if tensor.bits == 16 => Some(Dtype::BFLOAT16),
        code => CODES.iter().find(|(c, _)| *c == code).and_then(|&(_, kind)| dtype_of(kind, width)),
    };
    let Some(dtype) = dtype.filter(|_| tensor.lanes == 1) else {
        let (code, bits, lanes) = (tensor.code, tensor.bits, tensor.lanes);
        return type_error(format!("no dtype is DLPack's code {code} of {bits} bits and {lanes} lanes"));
    };
    let ndim = tensor.ndim.max(0) as usize;
    // SAFETY: shape and, where they are given, strides have `ndim` entries.
    let (shape, strides) = unsafe {
        let list = |values: *mut i64| match ndim {
            0 => &[][..],
            _ => std::slice::from_raw_parts(values, ndim),
        };
        let shape: Shape = list(tensor.shape).iter().map(|&len| len.max(0) as usize).collect();
        let strides: Dims<isize> = match tensor.strides.is_null() {
            true => ivy::host::contiguous_strides(&shape),
            false => list(tensor.strides).iter().map(|&s| s as isize).collect(),
        };
        (shape, strides)
    };
    let strides = strides.iter().map(|s| s.saturating_mul(width as isize)).collect();
    let data = (tensor.data as *const u8).wrapping_add(tensor.byte_offset as usize);
    let lease = Py::new(py, lease)?;
    // SAFETY: the lease keeps the memory that shape and strides reach.
    let foreign = unsafe { adopt(lease, data, dtype, shape, strides, false)? };
    Ok(Foreign { writable, ..foreign })
}
