//! Arguments that a call is specialised by.

use crate::array::PyArray;
use crate::error::Fallible;
use crate::value::number;
use ivy::Scalar;
use ivy_frontend::HostValue;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyTuple};
use smallvec::SmallVec;

/// An argument that a call is specialised by.
pub(super) enum Plain<'py> {
    Array(PyRef<'py, PyArray>),
    Number(Scalar),
    Arrays(SmallVec<[PyRef<'py, PyArray>; 4]>),
    Value(HostValue),
}

/// The arrays of a list or tuple that has nothing else.
fn arrays<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>) -> Option<Plain<'py>> {
    let all =
        items.map(|item| Some(item.cast::<PyArray>().ok()?.borrow())).collect::<Option<SmallVec<_>>>()?;
    (!all.is_empty()).then_some(Plain::Arrays(all))
}

/// An array, one of Python's own numbers, a truth value, nothing, a tuple of integers, or a list or tuple of arrays.
pub(super) fn plain<'py>(given: &Bound<'py, PyAny>) -> Fallible<Option<Plain<'py>>> {
    if let Ok(array) = given.cast::<PyArray>() {
        return Ok(Some(Plain::Array(array.borrow())));
    }
    if given.is_none() {
        return Ok(Some(Plain::Value(HostValue::None)));
    }
    if given.is_exact_instance_of::<PyBool>() {
        return Ok(Some(Plain::Value(HostValue::Bool(given.is_truthy()?))));
    }
    if let Some(number) = number(given)? {
        return Ok(Some(Plain::Number(number)));
    }
    if let Ok(list) = given.cast_exact::<PyList>() {
        return Ok(arrays(list.iter()));
    }
    let Ok(tuple) = given.cast_exact::<PyTuple>() else { return Ok(None) };
    if tuple.get_borrowed_item(0).is_ok_and(|first| first.cast::<PyArray>().is_ok()) {
        return Ok(arrays(tuple.iter()));
    }
    let whole = |item: Borrowed<'_, '_, PyAny>| {
        if item.is_exact_instance_of::<PyInt>() { item.extract::<i64>().ok() } else { None }
    };
    Ok(tuple.iter_borrowed().map(whole).collect::<Option<_>>().map(|all| Plain::Value(HostValue::Ints(all))))
}
