//! What the engine tells and can be told: flags, history, logs, graphs.

use super::convert::{array, arrays, evaluated, here};
use super::error::failure;
use crate::error::{Fallible, value_error};
use ivy_drjit::{Jit, JitFlag, LogLevel, Package};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The engine of a backend, `LLVM` or `CUDA`.
fn jit(py: Python<'_>, backend: &str) -> Fallible<Jit> {
    let package = if backend == "CUDA" { Package::CUDA } else { Package::LLVM };
    here(py, || Jit::of(package))
}

fn jit_flag(name: &str) -> Fallible<JitFlag> {
    name.parse().map_err(failure)
}

/// The names of the flags.
#[pyfunction]
fn flag_names() -> Vec<&'static str> {
    JitFlag::ALL.iter().map(|flag| flag.name()).collect()
}

#[pyfunction]
fn flag(py: Python<'_>, backend: &str, name: &str) -> Fallible<bool> {
    Ok(jit(py, backend)?.flag(jit_flag(name)?))
}

/// Turns a flag on or off; says what it was.
#[pyfunction]
fn set_flag(py: Python<'_>, backend: &str, name: &str, on: bool) -> Fallible<bool> {
    Ok(jit(py, backend)?.set_flag(jit_flag(name)?, on))
}

/// The launches since the last call, the oldest first.
#[pyfunction]
fn kernel_history<'py>(py: Python<'py>, backend: &str) -> Fallible<Vec<Bound<'py, PyDict>>> {
    let launches = jit(py, backend)?.kernel_history();
    launches
        .into_iter()
        .map(|launch| {
            let row = PyDict::new(py);
            row.set_item("hash", format!("{:016x}", launch.hash))?;
            row.set_item("size", launch.elements)?;
            row.set_item("input_count", launch.inputs)?;
            row.set_item("output_count", launch.outputs)?;
            row.set_item("operation_count", launch.operations)?;
            row.set_item("statement_count", launch.statements)?;
            row.set_item("cache_hit", launch.compile.is_none())?;
            row.set_item("cache_disk", launch.loaded)?;
            row.set_item("codegen_time", 0.0)?;
            row.set_item("backend_time", launch.compile.map_or(0.0, |time| time.as_secs_f64() * 1e3))?;
            row.set_item("execution_time", launch.run.as_secs_f64() * 1e3)?;
            Ok(row)
        })
        .collect()
}

/// What was done so far: nodes, launches, kernels made, nodes that live.
#[pyfunction]
fn counters<'py>(py: Python<'py>, backend: &str) -> Fallible<Bound<'py, PyDict>> {
    let own = jit(py, backend)?.counters();
    let row = PyDict::new(py);
    row.set_item("nodes", own.nodes)?;
    row.set_item("shared", own.shared)?;
    // The handle by which the engine is asked is one.
    row.set_item("live", own.live.saturating_sub(1))?;
    row.set_item("kernels", own.kernels)?;
    row.set_item("launches", own.launches)?;
    Ok(row)
}

#[pyfunction]
fn whos(py: Python<'_>, backend: &str) -> Fallible<String> {
    Ok(jit(py, backend)?.whos())
}

#[pyfunction]
fn graphviz(list: &Bound<'_, PyList>) -> Fallible<String> {
    Ok(ivy_drjit::graphviz(&arrays(list)?))
}

#[pyfunction]
fn set_label(x: &Bound<'_, PyAny>, label: &str) -> Fallible<()> {
    ivy_drjit::set_label(&array(x)?, label);
    Ok(())
}

/// How many flat arrays are not computed yet.
#[pyfunction]
fn pending(list: &Bound<'_, PyList>) -> Fallible<usize> {
    Ok(ivy_drjit::pending(&arrays(list)?))
}

/// Whether two arrays are one variable.
#[pyfunction]
fn is_same(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> Fallible<bool> {
    Ok(ivy_drjit::is_same(&array(a)?, &array(b)?))
}

const LEVELS: [LogLevel; 7] = [
    LogLevel::Disable,
    LogLevel::Error,
    LogLevel::Warn,
    LogLevel::Info,
    LogLevel::InfoSym,
    LogLevel::Debug,
    LogLevel::Trace,
];

#[pyfunction]
fn log_level() -> usize {
    let own = ivy_drjit::log_level();
    LEVELS.iter().position(|level| *level == own).unwrap_or(0)
}

#[pyfunction]
fn set_log_level(level: usize) -> Fallible<()> {
    match LEVELS.get(level) {
        Some(level) => {
            ivy_drjit::set_log_level(*level);
            Ok(())
        }
        None => value_error(format!("there is no log level {level}")),
    }
}

/// Waits until what was launched is done.
#[pyfunction]
fn sync(py: Python<'_>, backend: &str) -> Fallible<()> {
    let jit = jit(py, backend)?;
    evaluated(py, || jit.synchronize())
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for function in [
        wrap_pyfunction!(flag_names, module)?,
        wrap_pyfunction!(flag, module)?,
        wrap_pyfunction!(set_flag, module)?,
        wrap_pyfunction!(kernel_history, module)?,
        wrap_pyfunction!(counters, module)?,
        wrap_pyfunction!(whos, module)?,
        wrap_pyfunction!(graphviz, module)?,
        wrap_pyfunction!(set_label, module)?,
        wrap_pyfunction!(pending, module)?,
        wrap_pyfunction!(is_same, module)?,
        wrap_pyfunction!(log_level, module)?,
        wrap_pyfunction!(set_log_level, module)?,
        wrap_pyfunction!(sync, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
