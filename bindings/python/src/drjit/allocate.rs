//! Objects of the classes of array types, made without a call of the class: that would parse arguments and look for `__init__`.
//!
//! The function for it is the one that `#[new]` calls, from a module of pyo3 that its macros alone are to use: the workspace asks for an
//! exact version of it.

use super::object::DrjitArray;
use pyo3::impl_::pymethods::tp_new_impl;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::types::PyType;

/// An object of a class that derives from [`DrjitArray`]'s; `__new__` and `__init__` of Python are not called.
pub(super) fn object_of(class: &Bound<'_, PyType>, contents: DrjitArray) -> PyResult<Py<PyAny>> {
    let py = class.py();
    debug_assert!(class.is_subclass_of::<DrjitArray>()?);
    // SAFETY: the class derives from that of `DrjitArray`, and is alive; what is given is a new object, which is ours.
    unsafe {
        let made = tp_new_impl(py, PyClassInitializer::from(contents), class.as_type_ptr())?;
        Ok(Bound::from_owned_ptr(py, made).unbind())
    }
}
