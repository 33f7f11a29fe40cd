//! Control flow of Python's functions on lists of arrays: what `ivyrs/_control.py` makes the namespaces' of.

use crate::callback::{call, list, run, taken};
use crate::error::Fallible;
use ivy::Array;
use pyo3::prelude::*;
use pyo3::types::PyList;

type Lists<'py> = Fallible<Bound<'py, PyList>>;

/// Calls a function with a list of arrays, and what stands before it.
fn lists(
    function: &'static str,
    f: &Py<PyAny>,
    first: Option<&Array>,
    arrays: &[Array],
) -> ivy::Result<Vec<Array>> {
    call(function, |py| {
        let arrays = list(py, arrays)?;
        let given = match first {
            Some(first) => f.bind(py).call1((crate::array::PyArray::new(first.clone()), arrays))?,
            None => f.bind(py).call1((arrays,))?,
        };
        Ok(taken(given.cast::<PyList>()?.iter())?)
    })
}

/// The largest of some arrays.
fn size(arrays: &[Array]) -> usize {
    arrays.iter().map(Array::size).max().unwrap_or(0)
}

/// while_loop(test, body, arrays, targets)
#[pyfunction]
pub(crate) fn while_loop<'py>(
    py: Python<'py>,
    test: Py<PyAny>,
    body: Py<PyAny>,
    arrays: &Bound<'py, PyList>,
    targets: Vec<usize>,
) -> Lists<'py> {
    const NAME: &str = "while_loop";
    let arrays = taken(arrays.iter())?;
    let results = run(py, size(&arrays), || {
        let condition = |arrays: &Vec<Array>| {
            let mut given = lists(NAME, &test, None, arrays)?;
            given.pop().map_or_else(|| ivy::asarray(false, ()), Ok)
        };
        let step = |arrays: &Vec<Array>| lists(NAME, &body, None, arrays);
        match targets.is_empty() {
            true => ivy::while_loop(condition, step, arrays),
            false => ivy::while_loop_with_targets(condition, step, arrays, &targets),
        }
    });
    Ok(list(py, &results?)?)
}

/// for_loop(count, body, arrays)
#[pyfunction]
pub(crate) fn for_loop<'py>(
    py: Python<'py>,
    count: i64,
    body: Py<PyAny>,
    arrays: &Bound<'py, PyList>,
) -> Lists<'py> {
    let arrays = taken(arrays.iter())?;
    let results = run(py, size(&arrays), || {
        let step = |number: &Array, arrays: &Vec<Array>| lists("for_loop", &body, Some(number), arrays);
        ivy::for_loop(0..count, step, arrays)
    });
    Ok(list(py, &results?)?)
}

/// if_else(condition, body, orelse, arrays)
#[pyfunction]
pub(crate) fn if_else<'py>(
    py: Python<'py>,
    condition: &Bound<'py, PyAny>,
    body: Py<PyAny>,
    orelse: Py<PyAny>,
    arrays: &Bound<'py, PyList>,
) -> Lists<'py> {
    const NAME: &str = "if_else";
    let (condition, arrays) = (taken([condition.clone()].into_iter())?.remove(0), taken(arrays.iter())?);
    let results = run(py, size(&arrays), || {
        ivy::if_else(
            |_: &Vec<Array>| Ok(condition),
            |arrays| lists(NAME, &body, None, arrays),
            |arrays| lists(NAME, &orelse, None, arrays),
            arrays,
        )
    });
    Ok(list(py, &results?)?)
}

/// switch(index, branches, arrays)
#[pyfunction]
pub(crate) fn switch<'py>(
    py: Python<'py>,
    index: &Bound<'py, PyAny>,
    branches: Vec<Py<PyAny>>,
    arrays: &Bound<'py, PyList>,
) -> Lists<'py> {
    let (index, arrays) = (taken([index.clone()].into_iter())?.remove(0), taken(arrays.iter())?);
    let results = run(py, size(&arrays), || {
        let one = |f: &Py<PyAny>| {
            let f = Python::attach(|py| f.clone_ref(py));
            move |arrays: &Vec<Array>| lists("switch", &f, None, arrays)
        };
        let functions: Vec<_> = branches.iter().map(one).collect();
        let functions: Vec<ivy::Branch<'_, Vec<Array>, Vec<Array>>> =
            functions.iter().map(|f| f as ivy::Branch<'_, _, _>).collect();
        ivy::switch(&index, &functions, arrays)
    });
    Ok(list(py, &results?)?)
}

/// associative_scan(x, f, reverse, axis)
#[pyfunction]
pub(crate) fn associative_scan<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    f: Py<PyAny>,
    reverse: bool,
    axis: i64,
) -> Lists<'py> {
    const NAME: &str = "associative_scan";
    let arrays = taken([x.clone()].into_iter())?;
    let results = run(py, size(&arrays), || {
        let params = ivy::AssociativeScan::new().axis(axis);
        let combine = |a: &Array, b: &Array| {
            let mut given = lists(NAME, &f, None, &[a.clone(), b.clone()])?;
            given.pop().map_or_else(|| ivy::asarray(false, ()), Ok)
        };
        let scanned =
            ivy::associative_scan(&arrays[0], combine, if reverse { params.reverse() } else { params })?;
        Ok(vec![scanned])
    });
    Ok(list(py, &results?)?)
}
