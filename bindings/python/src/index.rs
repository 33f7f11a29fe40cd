//! What stands between the brackets in Python, as an index expression.

use crate::array::PyArray;
use crate::error::Fallible;
use crate::special;
use ivy::backend::BackendRef;
use ivy::{Array, Index};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PyList, PyRange, PySlice, PyTuple};

/// The entries of an index expression.
pub(crate) fn parse(key: &Bound<'_, PyAny>, backend: &BackendRef) -> Fallible<Vec<Index>> {
    match key.cast::<PyTuple>() {
        Ok(entries) => entries.iter().map(|entry| one(&entry, backend)).collect(),
        Err(_) => Ok(vec![one(key, backend)?]),
    }
}

fn one(entry: &Bound<'_, PyAny>, backend: &BackendRef) -> Fallible<Index> {
    if entry.is_instance_of::<PyInt>() && !entry.is_instance_of::<PyBool>() {
        return Ok(Index::Int(position(entry)?));
    }
    if let Ok(slice) = entry.cast::<PySlice>() {
        let bound = |name: &str| -> Fallible<Option<i64>> {
            let bound = slice.getattr(name)?;
            if bound.is_none() { Ok(None) } else { clamped(&bound).map(Some) }
        };
        return Ok(Index::Slice {
            start: bound("start")?,
            stop: bound("stop")?,
            step: bound("step")?.unwrap_or(1),
        });
    }
    if entry.is_none() {
        return Ok(Index::NewAxis);
    }
    if entry.is_instance_of::<PyEllipsis>() {
        return Ok(Index::Ellipsis);
    }
    if let Ok(array) = entry.cast::<PyArray>() {
        return Ok(Index::Array(array.borrow().array()?.clone()));
    }
    if let Ok(flag) = entry.cast::<PyBool>() {
        return Ok(Index::Array(on_backend(backend, flag.is_true())?));
    }
    if let Ok(position) = entry.call_method0("__index__") {
        return Ok(Index::Int(self::position(&position)?));
    }
    if entry.cast::<PyList>().is_ok_and(|list| list.is_empty()) {
        return Ok(Index::Array(Array::from_host(backend, empty_positions())?));
    }
    if entry.is_instance_of::<PyRange>() {
        let list = PyList::new(entry.py(), entry.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        return Ok(match list.is_empty() {
            true => Index::Array(Array::from_host(backend, empty_positions())?),
            false => Index::Array(special::to_array(list.as_any(), backend)?),
        });
    }
    // Lists and arrays of other libraries: host data, as asarray takes it.
    if entry.is_instance_of::<PyList>() || entry.hasattr("__array__")? || entry.hasattr("__dlpack__")? {
        return Ok(Index::Array(special::to_array(entry, backend)?));
    }
    let text = format!(
        "an index is an integer, a slice, an ellipsis, None, or an array of integers or bool, not {}",
        entry.get_type().fully_qualified_name()?
    );
    Err(PyIndexError::new_err(text).into())
}

fn empty_positions() -> ivy::host::HostArray {
    let shape = ivy::Shape::from([0]);
    ivy::host::HostArray::from_vec(Vec::<i64>::new(), shape).expect("no values fill no places")
}

fn on_backend(backend: &BackendRef, flag: bool) -> Fallible<Array> {
    let context = ivy::Context::new().backend(backend);
    Ok(ivy::context::with(&context, || ivy::asarray(flag, ()))?)
}

fn position(value: &Bound<'_, PyAny>) -> Fallible<i64> {
    value.extract().map_err(|_| PyIndexError::new_err(format!("no axis has a position {value}")).into())
}

/// A bound of a slice, which may be any integer: beyond the axis all are as good as another.
fn clamped(value: &Bound<'_, PyAny>) -> Fallible<i64> {
    let value = match value.is_instance_of::<PyInt>() {
        true => value.clone(),
        // With Python's own TypeError for what is no integer.
        false => value.py().import("operator")?.call_method1("index", (value,))?,
    };
    match value.extract::<i64>() {
        Ok(bound) => Ok(bound),
        Err(_) if value.lt(0)? => Ok(i64::MIN + 1),
        Err(_) => Ok(i64::MAX),
    }
}
