//! Derivatives and batches of Python's functions of lists of arrays: what `ivyrs/_gradients.py` makes the namespaces' of.

use crate::array::PyArray;
use crate::callback::{call, list, run, taken};
use crate::error::Fallible;
use ivy::{Array, ErrorKind, Vjp};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

type Lists<'py> = Fallible<Bound<'py, PyList>>;
type TwoLists<'py> = Fallible<(Bound<'py, PyList>, Bound<'py, PyList>)>;

/// Calls a function with lists of arrays; it gives one.
fn one(name: &'static str, f: &Py<PyAny>, arguments: &[&[Array]]) -> ivy::Result<Vec<Array>> {
    call(name, |py| Ok(arrays(&given(py, f, arguments)?)?))
}

/// Calls a function with lists of arrays; it gives two.
fn two(name: &'static str, f: &Py<PyAny>, arguments: &[&[Array]]) -> ivy::Result<(Vec<Array>, Vec<Array>)> {
    call(name, |py| {
        let (first, second) = given(py, f, arguments)?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        Ok((arrays(&first)?, arrays(&second)?))
    })
}

fn given<'py>(py: Python<'py>, f: &Py<PyAny>, arguments: &[&[Array]]) -> PyResult<Bound<'py, PyAny>> {
    let lists = arguments.iter().map(|x| list(py, x)).collect::<PyResult<Vec<_>>>()?;
    f.bind(py).call1(PyTuple::new(py, lists)?)
}

fn arrays(results: &Bound<'_, PyAny>) -> Fallible<Vec<Array>> {
    taken(results.cast::<PyList>()?.iter())
}

/// The elements of the largest array.
fn size(arrays: &[Array]) -> usize {
    arrays.iter().map(Array::size).max().unwrap_or(0)
}

/// Takes the cotangents of a function's results back to its argument's.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct Pullback(Vjp<Vec<Array>, Vec<Array>>);

#[pymethods]
impl Pullback {
    fn __call__<'py>(&self, py: Python<'py>, cotangents: &Bound<'py, PyList>) -> Lists<'py> {
        let cotangents = taken(cotangents.iter())?;
        let results = run(py, size(&cotangents), || self.0.call(&cotangents))?;
        Ok(list(py, &results)?)
    }
}

/// vjp(f, primals)
#[pyfunction]
pub(crate) fn vjp<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    primals: &Bound<'py, PyList>,
) -> Fallible<(Bound<'py, PyList>, Pullback)> {
    let primals = taken(primals.iter())?;
    let (results, back) =
        run(py, size(&primals), || ivy::vjp(|x: &Vec<Array>| one("vjp", &f, &[x]), &primals))?;
    Ok((list(py, &results)?, Pullback(back)))
}

/// jvp(f, primals, tangents)
#[pyfunction]
pub(crate) fn jvp<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    primals: &Bound<'py, PyList>,
    tangents: &Bound<'py, PyList>,
) -> TwoLists<'py> {
    let (primals, tangents) = (taken(primals.iter())?, taken(tangents.iter())?);
    let work = || ivy::jvp(|x: &Vec<Array>| one("jvp", &f, &[x]), &primals, &tangents);
    let (results, changes) = run(py, size(&primals), work)?;
    Ok((list(py, &results)?, list(py, &changes)?))
}

/// value_and_grad(f, primals): of a function whose first result is the value; the others have no part in it.
#[pyfunction]
pub(crate) fn value_and_grad<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    primals: &Bound<'py, PyList>,
) -> TwoLists<'py> {
    const NAME: &str = "grad";
    let primals = taken(primals.iter())?;
    let (results, gradients) = run(py, size(&primals), || {
        let (results, back) = ivy::vjp(|x: &Vec<Array>| one(NAME, &f, &[x]), &primals)?;
        let mut cotangents =
            results.iter().map(|y| ivy::full_like(y, false, ())).collect::<ivy::Result<Vec<Array>>>()?;
        if let (Some(value), Some(cotangent)) = (results.first(), cotangents.first_mut()) {
            let (function, dtype) = (NAME, value.dtype());
            if value.ndim() != 0 {
                let (expected, actual) = ("a result without axes".into(), value.shape().clone());
                return Err(ErrorKind::ShapeMismatch { function, argument: "func", expected, actual }.into());
            }
            if !dtype.is_float() {
                return Err(ErrorKind::WrongDtypeKind { function, dtype, expected: "float" }.into());
            }
            *cotangent = ivy::full_like(value, 1.0, ())?;
        }
        Ok((results, back.call(&cotangents)?))
    })?;
    Ok((list(py, &results)?, list(py, &gradients)?))
}

/// jacobian(f, x, mode): of a function of a list of one array that gives such a list; by reverse or forward mode where
/// the mode is `rev` or `fwd`.
#[pyfunction]
pub(crate) fn jacobian(py: Python<'_>, f: Py<PyAny>, x: &Bound<'_, PyAny>, mode: &str) -> Fallible<PyArray> {
    let x = taken([x.clone()].into_iter())?.remove(0);
    let name = match mode {
        "rev" => "jacrev",
        "fwd" => "jacfwd",
        _ => "jacobian",
    };
    let derivative = run(py, x.size(), || {
        let part = |x: &Array| {
            let mut results = one(name, &f, &[std::slice::from_ref(x)])?;
            results.pop().map_or_else(|| ivy::asarray(false, ()), Ok)
        };
        match mode {
            "rev" => ivy::jacrev(part)(&x),
            "fwd" => ivy::jacfwd(part)(&x),
            _ => ivy::jacobian(part)(&x),
        }
    })?;
    Ok(PyArray::new(derivative))
}

/// A function of Python's that is kept.
type Kept = Box<dyn Fn(&Vec<Array>) -> ivy::Result<Vec<Array>> + Send + Sync>;

/// A function's linear approximation at a point.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
pub(crate) struct Pushforward(ivy::Linearized<Kept, Vec<Array>, Vec<Array>>);

#[pymethods]
impl Pushforward {
    fn __call__<'py>(&self, py: Python<'py>, tangents: &Bound<'py, PyList>) -> Lists<'py> {
        let tangents = taken(tangents.iter())?;
        let results = run(py, size(&tangents), || self.0.call(&tangents))?;
        Ok(list(py, &results)?)
    }
}

/// linearize(f, primals)
#[pyfunction]
pub(crate) fn linearize<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    primals: &Bound<'py, PyList>,
) -> Fallible<(Bound<'py, PyList>, Pushforward)> {
    let primals = taken(primals.iter())?;
    let kept: Kept = Box::new(move |x: &Vec<Array>| one("linearize", &f, &[x]));
    let (results, along) = run(py, size(&primals), || ivy::linearize(kept, &primals))?;
    Ok((list(py, &results)?, Pushforward(along)))
}

/// scan(f, init, xs, length, reverse): `f` takes the carry and an entry as lists, and gives a pair of such.
#[pyfunction]
pub(crate) fn scan<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    init: &Bound<'py, PyList>,
    xs: &Bound<'py, PyList>,
    length: Option<usize>,
    reverse: bool,
) -> TwoLists<'py> {
    let (init, xs) = (taken(init.iter())?, taken(xs.iter())?);
    let mut params = ivy::Scan::new();
    (params.length, params.reverse) = (length, reverse);
    let (carry, results) = run(py, size(&xs).max(size(&init)), || {
        ivy::scan(|carry: &Vec<Array>, x: &Vec<Array>| two("scan", &f, &[carry, x]), init, &xs, params)
    })?;
    Ok((list(py, &carry)?, list(py, &results)?))
}

/// stop_gradient(x)
#[pyfunction]
pub(crate) fn stop_gradient(py: Python<'_>, x: &Bound<'_, PyAny>) -> Fallible<PyArray> {
    let x = taken([x.clone()].into_iter())?.remove(0);
    Ok(PyArray::new(run(py, x.size(), || ivy::stop_gradient(&x))?))
}

/// vmap(f, arrays, in_axes, out_axes): `out_axes` is called after `f`, and gives the axis of each result.
#[pyfunction]
pub(crate) fn vmap<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    arrays: &Bound<'py, PyList>,
    in_axes: Vec<Option<i64>>,
    out_axes: Py<PyAny>,
) -> Lists<'py> {
    let arrays = taken(arrays.iter())?;
    let results = run(py, size(&arrays), || {
        ivy::vmap_lists(
            |entry| one("vmap", &f, &[&entry]),
            &arrays,
            &in_axes,
            |_| call("vmap", |py| out_axes.bind(py).call0()?.extract()),
        )
    })?;
    Ok(list(py, &results)?)
}

/// custom_vjp(f, forward, backward, arrays)
#[pyfunction]
pub(crate) fn custom_vjp<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    forward: Py<PyAny>,
    backward: Py<PyAny>,
    arrays: &Bound<'py, PyList>,
) -> Lists<'py> {
    const NAME: &str = "custom_vjp";
    let arrays = taken(arrays.iter())?;
    let results = run(py, size(&arrays), move || {
        let with_rule = ivy::custom_vjp(
            move |x: &Vec<Array>| one(NAME, &f, &[x]),
            move |x: &Vec<Array>| two(NAME, &forward, &[x]),
            move |kept: &Vec<Array>, cotangents: &Vec<Array>| one(NAME, &backward, &[kept, cotangents]),
        );
        with_rule(&arrays)
    })?;
    Ok(list(py, &results)?)
}

/// custom_jvp(f, rule, arrays)
#[pyfunction]
pub(crate) fn custom_jvp<'py>(
    py: Python<'py>,
    f: Py<PyAny>,
    rule: Py<PyAny>,
    arrays: &Bound<'py, PyList>,
) -> Lists<'py> {
    const NAME: &str = "custom_jvp";
    let arrays = taken(arrays.iter())?;
    let results = run(py, size(&arrays), move || {
        let with_rule = ivy::custom_jvp(
            move |x: &Vec<Array>| one(NAME, &f, &[x]),
            move |x: &Vec<Array>, t: &Vec<Array>| two(NAME, &rule, &[x, t]),
        );
        with_rule(&arrays)
    })?;
    Ok(list(py, &results)?)
}

/// checkpoint(f, arrays)
#[pyfunction]
pub(crate) fn checkpoint<'py>(py: Python<'py>, f: Py<PyAny>, arrays: &Bound<'py, PyList>) -> Lists<'py> {
    let arrays = taken(arrays.iter())?;
    let results = run(py, size(&arrays), move || {
        ivy::checkpoint(move |x: &Vec<Array>| one("checkpoint", &f, &[x]))(&arrays)
    })?;
    Ok(list(py, &results)?)
}
