//! Errors of kernels and fields as exceptions of `ivyrs.taichi`.

use crate::error::Failure;
use ivy_taichi::Error;
use ivy_taichi::types::layout::LayoutError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The class of an error, by its name in `ivyrs/taichi/_errors.py`.
fn class(error: &Error) -> &'static str {
    match error {
        Error::Type(_) | Error::TypeAt(_) | Error::Elements { .. } => "TaichiTypeError",
        Error::Kernel(_) | Error::Misuse(_) => "TaichiSyntaxError",
        Error::Fault { .. } => "TaichiAssertionError",
        Error::Layout(LayoutError::OutOfRange { .. } | LayoutError::Indices { .. }) => "TaichiIndexError",
        Error::Shape { .. } => "TaichiShapeError",
        _ => "TaichiRuntimeError",
    }
}

/// An error as an exception.
pub(super) fn failure(error: Error) -> Failure {
    if let Error::Core(error) = error {
        return error.into();
    }
    Python::attach(|py| {
        static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let make = || -> PyResult<Py<PyAny>> {
            MAKE.get_or_try_init(py, || py.import("ivyrs.taichi._errors")?.getattr("make").map(Bound::unbind))
                .map(|make| make.clone_ref(py))
        };
        let made = make().and_then(|make| make.call1(py, (class(&error), error.to_string())));
        match made {
            Ok(made) => PyErr::from_value(made.into_bound(py)).into(),
            Err(failed) => failed.into(),
        }
    })
}
