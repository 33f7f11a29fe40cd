//! Python's functions as ivy's: what they raise goes on when the call is over.

use crate::array::{PyArray, unlocked};
use crate::context;
use crate::error::{Failure, Fallible, type_error};
use ivy::{Array, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::cell::RefCell;

thread_local! {
    /// What the function raised that was called last.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Calls Python within a call of ivy.
pub(crate) fn call<T>(
    function: &'static str,
    python: impl FnOnce(Python<'_>) -> PyResult<T>,
) -> ivy::Result<T> {
    // An error that nobody minds, as of a loop that is not recorded after all, is forgotten.
    RAISED.take();
    Python::attach(|py| {
        python(py).map_err(|error| {
            // What cannot be transformed is told as such: another mode may do it.
            let kind = error.value(py).getattr("kind").and_then(|kind| kind.extract::<String>());
            let refused = kind.is_ok_and(|kind| kind == "NotTransformable");
            RAISED.set(Some(error));
            if refused {
                let (transformation, reason) = ("a transformation", "has no rule for what the function does");
                return ErrorKind::NotTransformable { function, transformation, reason, remedy: "" }.into();
            }
            let (value, rule) = ("a function".into(), "one that raises nothing");
            ErrorKind::InvalidArgument { function, argument: "f", value, rule }.into()
        })
    })
}

/// A call of ivy that calls Python, in the scopes that are open.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    size: usize,
    work: impl FnOnce() -> ivy::Result<T> + Send,
) -> Fallible<T> {
    let scope = context::enter(py, None)?;
    RAISED.take();
    let done = unlocked(py, size, || {
        work().map_err(|error| match RAISED.take() {
            Some(raised) => Failure::from(raised),
            None => error.into(),
        })
    });
    drop(scope);
    done
}

/// Arrays as a list of Python's.
pub(crate) fn list<'py>(py: Python<'py>, arrays: &[Array]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, arrays.iter().map(|x| PyArray::new(x.clone())))
}

/// The arrays of a list.
pub(crate) fn taken<'py>(entries: impl Iterator<Item = Bound<'py, PyAny>>) -> Fallible<Vec<Array>> {
    let one = |entry: Bound<'py, PyAny>| match entry.cast::<PyArray>() {
        Ok(array) => Ok(array.borrow().array()?.clone()),
        Err(_) => type_error(format!("the functions of ivyrs take arrays, not {}", entry.get_type())),
    };
    entries.map(one).collect()
}
