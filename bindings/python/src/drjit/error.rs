//! Errors of Dr.Jit's arrays as exceptions of `ivyrs.drjit`.

use crate::error::Failure;
use ivy_drjit::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The class of an error, by its name in `ivyrs/drjit/_errors.py`.
fn class(error: &Error) -> &'static str {
    match error {
        Error::UnsupportedOperands { .. }
        | Error::UnknownType { .. }
        | Error::NoSuchType { .. }
        | Error::WrongSize { .. }
        | Error::WrongEntries { .. }
        | Error::MismatchedShape { .. }
        | Error::CannotBroadcast { .. }
        | Error::CannotInitialize { .. }
        | Error::WrongType { .. } => "DrjitTypeError",
        Error::OutOfBounds { .. } => "DrjitIndexError",
        Error::NoComponent { .. } => "DrjitAttributeError",
        Error::InvalidArgument { .. } => "DrjitValueError",
        Error::CapturedGradient { .. } => "DrjitCapturedGradient",
        _ => "DrjitError",
    }
}

/// An exception of a class of `ivyrs/drjit/_errors.py`.
pub(super) fn raise(class: &'static str, text: String) -> Failure {
    Python::attach(|py| {
        static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let make = || -> PyResult<Py<PyAny>> {
            MAKE.get_or_try_init(py, || py.import("ivyrs.drjit._errors")?.getattr("make").map(Bound::unbind))
                .map(|make| make.clone_ref(py))
        };
        match make().and_then(|make| make.call1(py, (class, text))) {
            Ok(made) => PyErr::from_value(made.into_bound(py)).into(),
            Err(failed) => failed.into(),
        }
    })
}

/// The text of an error in Python's words: by the methods that are called there.
fn text(error: &Error) -> String {
    match error {
        Error::WrongSize { ty, expected, got } => {
            format!("{ty}.__init__(): Input has the wrong size (expected {expected} elements, got {got}).")
        }
        Error::WrongEntries { ty, expected, got } => {
            format!(
                "{ty}.__init__(): Input array has the wrong number of entries (got {got}, expected {expected})."
            )
        }
        Error::OutOfBounds { ty, index, size } => {
            format!("{ty}.__getitem__(): entry {index} is out of bounds (the array is of size {size}).")
        }
        Error::IncompatibleTypes { function, left, right } => {
            format!("drjit.{function}(): Incompatible arguments: {left} and {right}.")
        }
        Error::IncompatibleShapes { .. } => format!("{error}."),
        other => other.to_string(),
    }
}

/// An error as an exception. What a part of an operation failed of is the exception's cause.
pub(super) fn failure(error: Error) -> Failure {
    match error {
        Error::Core(error) => error.into(),
        Error::Failed { source, function, ty } => {
            let text = format!("drjit.{function}(<{ty}>): failed (see above)");
            let (outer, cause) = (PyErr::from(raise("DrjitError", text)), PyErr::from(failure(*source)));
            Python::attach(|py| outer.set_cause(py, Some(cause)));
            outer.into()
        }
        error => raise(class(&error), text(&error)),
    }
}

/// The error of a function that has to be called again.
pub(super) fn again<T>() -> crate::error::Fallible<T> {
    Err(raise("DrjitError", "the function is called again with more in its state".into()))
}
