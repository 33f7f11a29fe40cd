//! Functions whose work is recorded once and done again: what `ivyrs.compile` makes one of for each
//! kind of arguments, and asking for several results at once.

use crate::array::{PyArray, unlocked};
use crate::context;
use crate::error::{Failure, Fallible, type_error};
use ivy::{Array, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::cell::RefCell;

type Called = Box<dyn Fn(&Vec<Array>) -> ivy::Result<Vec<Array>> + Send + Sync>;

thread_local! {
    /// What the function raised that is being called, which goes on when the call is over.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Recorded(function)
/// --
///
/// A function of a list of arrays that gives a list of arrays, called once for each kind of them.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct Recorded(ivy::Compiled<Vec<Array>, Vec<Array>, Called>);

#[pymethods]
impl Recorded {
    #[new]
    fn new(function: Py<PyAny>) -> Recorded {
        let called = move |arrays: &Vec<Array>| {
            Python::attach(|py| {
                give(py, &function, arrays).map_err(|error| {
                    RAISED.set(Some(error));
                    let (value, rule) = ("a function".into(), "one that raises nothing");
                    ErrorKind::InvalidArgument { function: "compile", argument: "f", value, rule }.into()
                })
            })
        };
        Recorded(ivy::compile(Box::new(called) as Called))
    }

    fn __call__<'py>(&self, py: Python<'py>, arrays: &Bound<'py, PyList>) -> Fallible<Bound<'py, PyList>> {
        let arrays = taken(arrays.iter())?;
        let size = arrays.iter().map(Array::size).max().unwrap_or(0);
        let scope = context::enter(py, None)?;
        RAISED.take();
        let results = unlocked(py, size, || {
            self.0.call(&arrays).map_err(|error| match RAISED.take() {
                Some(raised) => Failure::from(raised),
                None => error.into(),
            })
        });
        drop(scope);
        Ok(PyList::new(py, results?.into_iter().map(PyArray::new))?)
    }

    /// How many kinds of arguments it has been recorded for.
    #[getter]
    fn recordings(&self) -> usize {
        self.0.recordings()
    }
}

/// Calls the function itself.
fn give(py: Python<'_>, function: &Py<PyAny>, arrays: &[Array]) -> PyResult<Vec<Array>> {
    let arrays = PyList::new(py, arrays.iter().map(|x| PyArray::new(x.clone())))?;
    let results = function.bind(py).call1((arrays,))?;
    Ok(taken(results.cast::<PyList>()?.iter())?)
}

fn taken<'py>(entries: impl Iterator<Item = Bound<'py, PyAny>>) -> Fallible<Vec<Array>> {
    let one = |entry: Bound<'py, PyAny>| match entry.cast::<PyArray>() {
        Ok(array) => Ok(array.borrow().inner.clone()),
        Err(_) => type_error(format!("evaluate() and compile() take arrays, not {}", entry.get_type())),
    };
    entries.map(one).collect()
}

/// evaluate(*arrays)
/// --
///
/// Computes what is pending of some arrays, on backends that note work instead of doing it: those of one
/// shape in one kernel, which computes what they have in common once. What is not pending is left as it is.
#[pyfunction]
#[pyo3(signature = (*arrays))]
pub(crate) fn evaluate(py: Python<'_>, arrays: &Bound<'_, PyTuple>) -> Fallible<()> {
    let arrays = taken(arrays.iter())?;
    Ok(py.detach(|| ivy::evaluate(&arrays))?)
}
