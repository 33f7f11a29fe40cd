//! Functions whose work is recorded once and done again: what `ivyrs.compile` makes one of for each
//! kind of arguments, and asking for several results at once.

use crate::callback::{call, list, run, taken};
use crate::error::Fallible;
use ivy::Array;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

type Called = Box<dyn Fn(&Vec<Array>) -> ivy::Result<Vec<Array>> + Send + Sync>;

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
        let called = move |arrays: &Vec<Array>| call("compile", |py| give(py, &function, arrays));
        Recorded(ivy::compile(Box::new(called) as Called))
    }

    fn __call__<'py>(&self, py: Python<'py>, arrays: &Bound<'py, PyList>) -> Fallible<Bound<'py, PyList>> {
        let arrays = taken(arrays.iter())?;
        let size = arrays.iter().map(Array::size).max().unwrap_or(0);
        let results = run(py, size, || self.0.call(&arrays))?;
        Ok(list(py, &results)?)
    }

    /// How many kinds of arguments it has been recorded for.
    #[getter]
    fn recordings(&self) -> usize {
        self.0.recordings()
    }
}

/// Calls the function itself.
fn give(py: Python<'_>, function: &Py<PyAny>, arrays: &[Array]) -> PyResult<Vec<Array>> {
    let results = function.bind(py).call1((list(py, arrays)?,))?;
    Ok(taken(results.cast::<PyList>()?.iter())?)
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
    Ok(crate::array::detached(py, || ivy::evaluate(&arrays))?)
}
