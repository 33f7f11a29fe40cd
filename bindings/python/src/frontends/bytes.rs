//! Arrays as bytes: files of NumPy, and buffers.

use super::dtype::PyFrontendDtype;
use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use ivy::host::{Buffer, HostArray};
use ivy::{Array, io};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The bytes of an `.npy` file.
#[pyfunction]
pub(crate) fn npy_bytes<'py>(py: Python<'py>, array: &Bound<'py, PyArray>) -> Fallible<Bound<'py, PyBytes>> {
    let host = array.borrow().host(py, "save")?;
    let mut bytes = Vec::new();
    io::write_npy(&mut bytes, &host)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The array of the bytes of an `.npy` file, and how many of them it took. `name` stands in errors.
#[pyfunction]
pub(crate) fn npy_array(py: Python<'_>, bytes: &[u8], name: &str) -> Fallible<(PyArray, usize)> {
    let mut left = bytes;
    let host = io::read_npy(&mut left, name)?;
    let read = bytes.len() - left.len();
    Ok((PyArray::new(Array::from_host(&crate::context::backend(py, None)?, host)?), read))
}

/// The elements of an array, in row-major order.
#[pyfunction]
pub(crate) fn element_bytes<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyArray>,
) -> Fallible<Bound<'py, PyBytes>> {
    let host = array.borrow().array()?.to_host()?;
    Ok(PyBytes::new(py, &host.row_major_bytes()?))
}

/// Elements of a dtype, of their bytes: an array of one axis.
#[pyfunction]
pub(crate) fn array_of_bytes(py: Python<'_>, bytes: &[u8], dtype: &PyFrontendDtype) -> Fallible<PyArray> {
    let width = dtype.dtype.bytes();
    if !bytes.len().is_multiple_of(width) {
        return type_error(format!("{} bytes are not a whole number of elements of {width}", bytes.len()));
    }
    let count = bytes.len() / width;
    let no_memory = || ivy::Error::from(ivy::ErrorKind::no_memory("frombuffer", bytes.len() as u128));
    let mut bytes = Buffer::copy_from(bytes).ok_or_else(no_memory)?;
    if dtype.dtype.is_bool()
        && let Some(bytes) = bytes.unique_bytes()
    {
        bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
    }
    let host = HostArray::new(bytes, dtype.dtype, [count].into()).ok_or_else(no_memory)?;
    Ok(PyArray::new(Array::from_host(&crate::context::backend(py, None)?, host)?))
}
