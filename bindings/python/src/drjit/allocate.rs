//! Objects made by their class's `tp_new`, without the call of the class: that would parse arguments and look for `__init__`.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::ffi::c_void;
use std::mem::transmute;
use std::ptr;

/// What `tp_new` of a class makes of no arguments; `__init__` is not called.
pub(super) fn object_of(class: &Bound<'_, PyType>) -> PyResult<Py<PyAny>> {
    let (py, of) = (class.py(), class.as_type_ptr());
    let none = PyTuple::empty(py);
    // SAFETY: a class that is alive, and the interpreter is attached.
    let new = unsafe { ffi::PyType_GetSlot(of, ffi::Py_tp_new) };
    if new.is_null() {
        return class.call0().map(Bound::unbind);
    }
    // SAFETY: the slot of this number holds a function of this type.
    let new = unsafe { transmute::<*mut c_void, ffi::newfunc>(new) };
    // SAFETY: called as the interpreter calls it: with the class, a tuple and no keywords; it gives an object that is ours, or
    // sets an error.
    unsafe { Bound::from_owned_ptr_or_err(py, new(of, none.as_ptr(), ptr::null_mut())) }.map(Bound::unbind)
}
