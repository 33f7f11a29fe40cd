//! Errors of ivy as Python exceptions: the classes of `ivyrs/_errors.py`, one for each kind of error.

use crate::context;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// Either kind of failure, so that `?` takes both.
pub(crate) struct Failure(PyErr);

pub(crate) type Fallible<T> = Result<T, Failure>;

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure(error)
    }
}

impl From<ivy::Error> for Failure {
    fn from(error: ivy::Error) -> Failure {
        Python::attach(|py| Failure(exception(py, &error).unwrap_or_else(|failed| failed)))
    }
}

impl From<ivy::ErrorKind> for Failure {
    fn from(kind: ivy::ErrorKind) -> Failure {
        ivy::Error::from(kind).into()
    }
}

impl From<pyo3::CastError<'_, '_>> for Failure {
    fn from(error: pyo3::CastError<'_, '_>) -> Failure {
        Failure(error.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        failure.0
    }
}

/// A `TypeError` with a text of our own.
pub(crate) fn type_error<T>(text: impl Into<String>) -> Fallible<T> {
    Err(PyTypeError::new_err(text.into()).into())
}

pub(crate) fn value_error<T>(text: impl Into<String>) -> Fallible<T> {
    Err(PyValueError::new_err(text.into()).into())
}

/// An error whose remedy is another one in Python than in Rust.
fn in_python(error: &ivy::Error) -> Option<ivy::Error> {
    let ivy::ErrorKind::UnknownBackend { name, known, .. } = error.kind() else { return None };
    let (name, known) = (name.clone(), known.clone());
    let remedy = "`ivyrs.backends()` says which of them run here".into();
    Some(ivy::ErrorKind::UnknownBackend { name, known, remedy }.into())
}

/// The exception of an error: its class by the kind's name, the text, and the fields by name.
fn exception(py: Python<'_>, error: &ivy::Error) -> PyResult<PyErr> {
    if matches!(error.kind(), ivy::ErrorKind::Interrupted { .. }) {
        // What the signal's handler raises: KeyboardInterrupt, if nobody has set another one.
        py.check_signals()?;
    }
    let own = in_python(error);
    let error = own.as_ref().unwrap_or(error);
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKE.get_or_try_init(py, || py.import("ivyrs._errors")?.getattr("make").map(Bound::unbind))?;
    let fields = PyDict::new(py);
    for (name, value) in error.kind().fields() {
        match value.parse::<i64>() {
            Ok(number) => fields.set_item(name, number)?,
            Err(_) => fields.set_item(name, value)?,
        }
    }
    let made = make.call1(py, (error.kind().name(), error.to_string(), fields))?;
    if context::own(py)?.full_trace {
        let mut cause = std::error::Error::source(error);
        while let Some(below) = cause {
            made.call_method1(py, "add_note", (format!("caused by: {below}"),))?;
            cause = below.source();
        }
    }
    Ok(PyErr::from_value(made.into_bound(py)))
}
