//! Questions about dtypes, functions and backends, as the command line answers them.

use crate::dtype::{from_python, object};
use crate::error::Fallible;
use crate::{context, dtype, signature};
use ivy::Dtype;
use ivy::backend::question_backend;
use ivy_frontend::CoreResults;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The names of the registered backends with what there is to say of each: its version, or why it cannot run.
#[pyfunction]
pub(crate) fn backends() -> Vec<(&'static str, Option<String>, Option<String>)> {
    let of = |info: ivy::backend::BackendInfo| match info.instance {
        Ok(backend) => (info.name, Some(backend.version_text()), backend.note()),
        Err(error) => (info.name, None, Some(error.to_string())),
    };
    ivy::backend::backends().into_iter().map(of).collect()
}

/// promote(*dtypes, rules=None)
/// --
///
/// The dtype that dtypes promote to, by the rules in force or the ones named: a set of `ivy rules`, such as
/// "numpy" or "torch".
#[pyfunction]
#[pyo3(signature = (*dtypes, rules=None))]
pub(crate) fn promote(
    py: Python<'_>,
    dtypes: &Bound<'_, PyTuple>,
    rules: Option<&str>,
) -> Fallible<Py<dtype::PyDtype>> {
    let dtypes = dtypes.iter().map(|d| from_python(&d)).collect::<Fallible<Vec<Dtype>>>()?;
    let rules = match rules {
        Some(name) => name.parse()?,
        None => context::settings(py)?.rules,
    };
    let context = ivy::Context::new().rules(rules);
    let common = ivy::context::with(&context, || ivy::result_type(&dtypes))?;
    Ok(object(py, common).clone_ref(py))
}

/// seed(seed_value=0)
/// --
///
/// Begins anew with random numbers: those of calls without `seed=` follow from the number from here on, in this
/// thread.
#[pyfunction]
#[pyo3(signature = (seed_value=0))]
pub(crate) fn seed(seed_value: i64) {
    ivy::seed(seed_value);
}

/// explain(function, *operands, dtype=None, backend=None, trace=False)
/// --
///
/// What a call does, in words: rule, casts, the dtype computed in, how it runs, what comes out. Operands are
/// dtypes or their names, and Python numbers. The backend may be of another version: "torch@2.0.1". With `trace` it is
/// the stages that the call goes through, in order.
#[pyfunction]
#[pyo3(signature = (function, /, *operands, dtype=None, backend=None, trace=false))]
pub(crate) fn explain(
    py: Python<'_>,
    function: &str,
    operands: &Bound<'_, PyTuple>,
    dtype: Option<&Bound<'_, PyAny>>,
    backend: Option<&str>,
    trace: bool,
) -> Fallible<String> {
    let words = operands.iter().map(|operand| match crate::value::scalar(&operand)? {
        Some(ivy::Scalar::Complex(z)) => Ok(format!("{}j", z.im)),
        Some(scalar) => Ok(scalar.to_string()),
        None => Ok(from_python(&operand)?.name().to_string()),
    });
    let words = words.collect::<Fallible<Vec<String>>>()?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let dtype = dtype.map(from_python).transpose()?;
    let asked = match backend {
        Some(name) => question_backend(name)?,
        None => context::backend(py, None)?,
    };
    let _scope = context::enter(py, None)?;
    if !trace {
        return Ok(ivy::plan::explain(function, &words, dtype, &asked)?.to_string());
    }
    let (events, refused) = ivy::plan::explain_trace(function, &words, dtype, &asked)?;
    let lines =
        events.iter().map(ToString::to_string).chain(refused.map(|error| format!("refused: {error}")));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// support(function, /, *, backend=None)
/// --
///
/// How a function runs on each dtype: "native", "composed", "emulated", "host", or the text of the refusal.
#[pyfunction]
#[pyo3(signature = (function, /, *, backend=None))]
pub(crate) fn support<'py>(
    py: Python<'py>,
    function: &str,
    backend: Option<&str>,
) -> Fallible<Bound<'py, PyDict>> {
    let asked = match backend {
        Some(name) => question_backend(name)?,
        None => context::backend(py, None)?,
    };
    let answers = PyDict::new(py);
    for answer in ivy::support::function_support(function, &asked)?.dtypes {
        let text = match (answer.state(), answer.refusal()) {
            (Some(state), _) => state.name().to_string(),
            (None, Some(error)) => error.to_string(),
            (None, None) => "refused".into(),
        };
        answers.set_item(object(py, answer.dtype), text)?;
    }
    Ok(answers)
}

/// The default dtypes in force, by the names of the inspection API.
#[pyfunction]
pub(crate) fn default_dtypes(py: Python<'_>) -> Fallible<Bound<'_, PyDict>> {
    let defaults = context::settings(py)?.defaults;
    let answers = PyDict::new(py);
    for (name, dtype) in [
        ("real floating", defaults.float()),
        ("complex floating", defaults.complex()),
        ("integral", defaults.int()),
        ("indexing", Dtype::INT64),
    ] {
        answers.set_item(name, object(py, dtype))?;
    }
    Ok(answers)
}

/// The standard's functions that are not there: module and name.
#[pyfunction]
pub(crate) fn missing() -> Vec<(&'static str, &'static str)> {
    ivy_frontend::missing_signatures()
}

/// The registered functions: name, operands and parameters.
#[pyfunction]
pub(crate) fn registry() -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)> {
    let names = |f: &'static ivy::Function| {
        let operands = f.operands.iter().map(|o| o.name).collect();
        (f.name, operands, (f.params)().fields().into_iter().map(|(name, _)| name).collect())
    };
    ivy::function::functions().into_iter().map(names).collect()
}

/// The functions with named results: name and names.
#[pyfunction]
pub(crate) fn named_results() -> Vec<(&'static str, Vec<&'static str>)> {
    let named = |s: &'static signature::Signature| match s.results {
        CoreResults::Named(names) => Some((s.name, names.clone())),
        _ => None,
    };
    signature::signatures().iter().filter_map(named).collect()
}
