//! Gradients of lists of arrays: what `ivyrs/drjit/_autodiff.py` makes Dr.Jit's interface of.

use super::convert::{arg, array, arrays, object};
use super::error::failure;
use super::flow::called;
use super::object::DrjitArray;
use crate::error::{Fallible, type_error, value_error};
use ivy_drjit::{AdMode, AnyArray, Error, GradScope, MultiOutputOp};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::cell::RefCell;

type Object = Fallible<Py<PyAny>>;

/// Turns gradients of arrays on or off.
#[pyfunction]
fn set_grad_enabled(list: &Bound<'_, PyList>, enabled: bool) -> Fallible<()> {
    for x in list.iter() {
        let own = x.cast::<DrjitArray>()?;
        let now = ivy_drjit::set_grad_enabled(&array(&x)?, enabled).map_err(failure)?;
        DrjitArray::set(own, now)?;
    }
    Ok(())
}

#[pyfunction]
fn grad_enabled(list: &Bound<'_, PyList>) -> Fallible<bool> {
    Ok(ivy_drjit::grad_enabled(&arrays(list)?))
}

/// An array without its part in the graph; of a type without derivatives if the type need not stay.
#[pyfunction]
fn detach(py: Python<'_>, x: &Bound<'_, PyAny>, preserve_type: bool) -> Object {
    let x = ivy_drjit::detach(&array(x)?).map_err(failure)?;
    let ty = if preserve_type { x.ty() } else { x.ty().detached_t() };
    object(py, x.cast_to(ty).map_err(failure)?)
}

#[pyfunction]
fn grad(py: Python<'_>, x: &Bound<'_, PyAny>, preserve_type: bool) -> Object {
    let x = ivy_drjit::grad(&array(x)?).map_err(failure)?;
    let ty = if preserve_type { x.ty() } else { x.ty().detached_t() };
    object(py, x.cast_to(ty).map_err(failure)?)
}

#[pyfunction]
fn set_grad(x: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Fallible<()> {
    ivy_drjit::set_grad(&array(x)?, arg(value)?).map_err(failure)
}

#[pyfunction]
fn accum_grad(x: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Fallible<()> {
    ivy_drjit::accum_grad(&array(x)?, arg(value)?).map_err(failure)
}

#[pyfunction]
fn clear_grad(list: &Bound<'_, PyList>) -> Fallible<()> {
    ivy_drjit::clear_grad(&arrays(list)?);
    Ok(())
}

/// Gives an array the part in the graph of another one.
#[pyfunction]
fn replace_grad(py: Python<'_>, value: &Bound<'_, PyAny>, from: &Bound<'_, PyAny>) -> Object {
    object(py, ivy_drjit::replace_grad(&array(value)?, &array(from)?).map_err(failure)?)
}

fn ad_mode(name: &str) -> Fallible<AdMode> {
    match name {
        "Forward" => Ok(AdMode::Forward),
        "Backward" => Ok(AdMode::Backward),
        _ => value_error(format!("there is no mode of differentiation `{name}`")),
    }
}

#[pyfunction]
fn enqueue(mode: &str, list: &Bound<'_, PyList>) -> Fallible<()> {
    let mode = ad_mode(mode)?;
    arrays(list)?.iter().for_each(|x| ivy_drjit::enqueue(mode, x));
    Ok(())
}

/// A traversal, which may call custom operations of Python.
fn traversed<T>(py: Python<'_>, work: impl FnOnce() -> ivy_drjit::Result<T>) -> Fallible<T> {
    super::flow::run(py, work)
}

#[pyfunction]
fn traverse(py: Python<'_>, mode: &str) -> Fallible<()> {
    let mode = ad_mode(mode)?;
    traversed(py, || ivy_drjit::traverse(mode))
}

/// Derivatives from arrays, or to them, by the name of the function.
#[pyfunction]
fn differentiate<'py>(
    py: Python<'py>,
    name: &str,
    list: &Bound<'py, PyList>,
) -> Fallible<Bound<'py, PyList>> {
    let x = arrays(list)?;
    let made = traversed(py, || match name {
        "backward" => ivy_drjit::backward(&x).map(|()| Vec::new()),
        "backward_from" => ivy_drjit::backward_from(&x).map(|()| Vec::new()),
        "backward_to" => ivy_drjit::backward_to(&x),
        "forward" => ivy_drjit::forward(&x).map(|()| Vec::new()),
        "forward_from" => ivy_drjit::forward_from(&x).map(|()| Vec::new()),
        "forward_to" => ivy_drjit::forward_to(&x),
        other => Err(Error::InvalidArgument {
            function: "differentiate",
            argument: "name",
            value: other.into(),
            rule: "a function of differentiation",
        }),
    })?;
    let objects = made.into_iter().map(|x| object(py, x)).collect::<Fallible<Vec<_>>>()?;
    Ok(PyList::new(py, objects)?)
}

thread_local! {
    /// The scopes that are open, the innermost last.
    static SCOPES: RefCell<Vec<GradScope>> = const { RefCell::new(Vec::new()) };
}

/// Opens a scope of differentiation: `suspend`, `resume` (of all arrays, or of a list's) or `isolate`.
#[pyfunction]
fn open_scope(name: &str, of: Option<&Bound<'_, PyList>>) -> Fallible<()> {
    let of = of.map(arrays).transpose()?;
    let listed = of.as_ref().map(|of| of.iter().collect::<Vec<&AnyArray>>());
    let scope = match (name, listed) {
        ("suspend", None) => ivy_drjit::suspend_grad(),
        ("suspend", Some(of)) => ivy_drjit::suspend_grad_of(&of),
        ("resume", None) => ivy_drjit::resume_grad(),
        ("resume", Some(of)) => ivy_drjit::resume_grad_of(&of),
        ("isolate", _) => ivy_drjit::isolate_grad(),
        _ => return value_error(format!("there is no scope of differentiation `{name}`")),
    };
    SCOPES.with_borrow_mut(|scopes| scopes.push(scope));
    Ok(())
}

/// Ends the innermost scope; what an isolated one has postponed is done, unless the scope is left by an exception.
#[pyfunction]
fn close_scope(py: Python<'_>) -> Fallible<()> {
    match SCOPES.with_borrow_mut(Vec::pop) {
        Some(scope) => traversed(py, || scope.end()),
        None => Ok(()),
    }
}

/// An operation of Python's: three functions of lists of arrays.
struct PythonOp {
    eval: Py<PyAny>,
    forward: Py<PyAny>,
    backward: Py<PyAny>,
}

impl PythonOp {
    fn call(function: &Py<PyAny>, lists: &[&[AnyArray]]) -> ivy_drjit::Result<Vec<AnyArray>> {
        called(|py| {
            let lists = lists.iter().map(|list| {
                let objects = list.iter().map(|x| object(py, x.clone())).collect::<Fallible<Vec<_>>>()?;
                Ok(PyList::new(py, objects)?)
            });
            let lists = lists.collect::<Fallible<Vec<_>>>()?;
            let made = function.bind(py).call1(pyo3::types::PyTuple::new(py, lists)?)?;
            let Ok(made) = made.cast::<PyList>() else {
                return type_error("a custom operation gives a list of arrays");
            };
            arrays(made)
        })
    }
}

impl MultiOutputOp for PythonOp {
    fn eval(&self, inputs: &[AnyArray]) -> ivy_drjit::Result<Vec<AnyArray>> {
        PythonOp::call(&self.eval, &[inputs])
    }

    fn forward(&self, inputs: &[AnyArray], tangents: &[AnyArray]) -> ivy_drjit::Result<Vec<AnyArray>> {
        PythonOp::call(&self.forward, &[inputs, tangents])
    }

    fn backward(&self, inputs: &[AnyArray], cotangents: &[AnyArray]) -> ivy_drjit::Result<Vec<AnyArray>> {
        PythonOp::call(&self.backward, &[inputs, cotangents])
    }
}

/// custom(eval, forward, backward, inputs)
#[pyfunction]
fn custom<'py>(
    py: Python<'py>,
    eval: Py<PyAny>,
    forward: Py<PyAny>,
    backward: Py<PyAny>,
    inputs: &Bound<'py, PyList>,
) -> Fallible<Bound<'py, PyList>> {
    let inputs = arrays(inputs)?;
    let op = PythonOp { eval, forward, backward };
    let outputs = traversed(py, || ivy_drjit::custom_outputs(op, &inputs.iter().collect::<Vec<_>>()))?;
    let objects = outputs.into_iter().map(|x| object(py, x)).collect::<Fallible<Vec<_>>>()?;
    Ok(PyList::new(py, objects)?)
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for function in [
        wrap_pyfunction!(set_grad_enabled, module)?,
        wrap_pyfunction!(grad_enabled, module)?,
        wrap_pyfunction!(detach, module)?,
        wrap_pyfunction!(grad, module)?,
        wrap_pyfunction!(set_grad, module)?,
        wrap_pyfunction!(accum_grad, module)?,
        wrap_pyfunction!(clear_grad, module)?,
        wrap_pyfunction!(replace_grad, module)?,
        wrap_pyfunction!(enqueue, module)?,
        wrap_pyfunction!(traverse, module)?,
        wrap_pyfunction!(differentiate, module)?,
        wrap_pyfunction!(open_scope, module)?,
        wrap_pyfunction!(close_scope, module)?,
        wrap_pyfunction!(custom, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
