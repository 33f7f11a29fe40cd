//! Gathers, scatters, scans and slices.

use super::convert::{array, formed, here, object, tuple, vector, vector_arg as arg};
use super::error::failure;
use super::object::DrjitArray;
use super::types::DrjitType;
use crate::error::{Fallible, value_error};
use ivy_drjit::{ReduceMode, ReduceOp};
use pyo3::prelude::*;

type Object = Fallible<Py<PyAny>>;

fn reduce_op(name: &str) -> Fallible<ReduceOp> {
    Ok(match name {
        "Identity" => ReduceOp::Identity,
        "Add" => ReduceOp::Add,
        "Mul" => ReduceOp::Mul,
        "Min" => ReduceOp::Min,
        "Max" => ReduceOp::Max,
        "And" => ReduceOp::And,
        "Or" => ReduceOp::Or,
        _ => return value_error(format!("there is no reduction `{name}`")),
    })
}

fn reduce_mode(name: &str) -> Fallible<ReduceMode> {
    Ok(match name {
        "Auto" => ReduceMode::Auto,
        "Direct" => ReduceMode::Direct,
        "Local" => ReduceMode::Local,
        "NoConflicts" => ReduceMode::NoConflicts,
        "Expand" => ReduceMode::Expand,
        "Permute" => ReduceMode::Permute,
        _ => return value_error(format!("there is no mode of reduction `{name}`")),
    })
}

#[pyfunction]
fn gather(
    py: Python<'_>,
    ty: &DrjitType,
    source: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    active: &Bound<'_, PyAny>,
) -> Object {
    let (source, index, active) = (arg(source)?, arg(index)?, arg(active)?);
    object(py, here(py, || ivy_drjit::gather(ty.0, source, index, active))?)
}

/// Writes to a target, which holds the result.
#[pyfunction]
fn scatter_reduce(
    py: Python<'_>,
    op: &str,
    target: &Bound<'_, DrjitArray>,
    value: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    active: &Bound<'_, PyAny>,
    mode: &str,
) -> Fallible<()> {
    let (op, mode) = (reduce_op(op)?, reduce_mode(mode)?);
    let own = target.borrow().value(py)?;
    let (like, before) = (own.ty(), vector(own)?);
    let (value, index, active) = (arg(value)?, arg(index)?, arg(active)?);
    let after = here(py, || ivy_drjit::scatter_reduce(op, before, value, index, active, mode))?;
    DrjitArray::set_scattered(target, formed(like, after)?)
}

#[pyfunction]
fn scatter_inc(
    py: Python<'_>,
    target: &Bound<'_, DrjitArray>,
    index: &Bound<'_, PyAny>,
    active: &Bound<'_, PyAny>,
) -> Object {
    let own = target.borrow().value(py)?;
    let (like, before) = (own.ty(), vector(own)?);
    let (index, active) = (arg(index)?, arg(active)?);
    let done = here(py, || ivy_drjit::scatter_inc(before, index, active))?;
    DrjitArray::set_scattered(target, formed(like, done.target)?)?;
    object(py, done.old)
}

#[pyfunction]
fn scatter_exch(
    py: Python<'_>,
    target: &Bound<'_, DrjitArray>,
    value: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    active: &Bound<'_, PyAny>,
) -> Object {
    let own = target.borrow().value(py)?;
    let (like, before) = (own.ty(), vector(own)?);
    let (value, index, active) = (arg(value)?, arg(index)?, arg(active)?);
    let done = here(py, || ivy_drjit::scatter_exch(before, value, index, active))?;
    DrjitArray::set_scattered(target, formed(like, done.target)?)?;
    object(py, done.old)
}

#[pyfunction]
fn scatter_cas(
    py: Python<'_>,
    target: &Bound<'_, DrjitArray>,
    compare: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    active: &Bound<'_, PyAny>,
) -> Object {
    let own = target.borrow().value(py)?;
    let (like, before) = (own.ty(), vector(own)?);
    let (compare, value, index, active) = (arg(compare)?, arg(value)?, arg(index)?, arg(active)?);
    let done = here(py, || ivy_drjit::scatter_cas(before, compare, value, index, active))?;
    DrjitArray::set_scattered(target, formed(like, done.target)?)?;
    tuple(py, [done.old, done.swapped])
}

#[pyfunction]
fn block_reduce(py: Python<'_>, op: &str, x: &Bound<'_, PyAny>, block_size: usize) -> Object {
    object(py, ivy_drjit::block_reduce(reduce_op(op)?, vector(array(x)?)?, block_size).map_err(failure)?)
}

#[pyfunction]
fn block_prefix_reduce(
    py: Python<'_>,
    op: &str,
    x: &Bound<'_, PyAny>,
    block_size: usize,
    exclusive: bool,
    reverse: bool,
) -> Object {
    let (op, x) = (reduce_op(op)?, vector(array(x)?)?);
    object(py, ivy_drjit::block_prefix_reduce(op, x, block_size, exclusive, reverse).map_err(failure)?)
}

#[pyfunction]
fn prefix_reduce(py: Python<'_>, op: &str, x: &Bound<'_, PyAny>, exclusive: bool, reverse: bool) -> Object {
    object(
        py,
        ivy_drjit::prefix_reduce(reduce_op(op)?, vector(array(x)?)?, exclusive, reverse).map_err(failure)?,
    )
}

/// The shape of a slice, and the places of its elements.
#[pyfunction]
fn slice_index<'py>(
    py: Python<'py>,
    ty: &DrjitType,
    shape: Vec<usize>,
    key: &Bound<'py, PyAny>,
) -> Fallible<(Bound<'py, pyo3::types::PyTuple>, Py<PyAny>)> {
    let slices = super::indexing::slices(ty.0, key)?;
    let (shape, index) = here(py, || ivy_drjit::slice_index(ty.0, &shape, &slices))?;
    Ok((pyo3::types::PyTuple::new(py, shape)?, object(py, index)?))
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for function in [
        wrap_pyfunction!(gather, module)?,
        wrap_pyfunction!(scatter_reduce, module)?,
        wrap_pyfunction!(scatter_inc, module)?,
        wrap_pyfunction!(scatter_exch, module)?,
        wrap_pyfunction!(scatter_cas, module)?,
        wrap_pyfunction!(block_reduce, module)?,
        wrap_pyfunction!(block_prefix_reduce, module)?,
        wrap_pyfunction!(prefix_reduce, module)?,
        wrap_pyfunction!(slice_index, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
