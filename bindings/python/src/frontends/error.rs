//! Errors as the classes of a framework.

use crate::error::Failure;
use ivy_frontend::{Frontend, error_class};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception of an error: the framework's class by its name, the text, and the fields.
pub(crate) fn failure(py: Python<'_>, frontend: &Frontend, error: &ivy::Error) -> Failure {
    if let Some(raised) = super::graphs::raised() {
        return raised.into();
    }
    let made = || -> PyResult<PyErr> {
        let fields = PyDict::new(py);
        for (name, value) in error.kind().fields() {
            fields.set_item(name, value)?;
        }
        let make = py.import("ivyrs.frontends._errors")?.getattr("make")?;
        let class = error_class(frontend.name(), error.kind());
        let made = make.call1((frontend.name(), class, error.kind().name(), error.to_string(), fields))?;
        Ok(PyErr::from_value(made))
    };
    made().unwrap_or_else(|failed| failed).into()
}
