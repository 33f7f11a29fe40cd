//! Sources of random numbers, as the frameworks have them.

use ivy_frontend::SharedGenerator;
use pyo3::prelude::*;

/// A source of random numbers of a framework; its methods are put into the class by the framework's module.
#[pyclass(name = "Generator", module = "ivyrs.frontends", frozen, skip_from_py_object)]
pub(crate) struct PyFrontendGenerator {
    pub(crate) generator: SharedGenerator,
}

#[pymethods]
impl PyFrontendGenerator {
    fn __repr__(&self) -> &'static str {
        "Generator(Philox)"
    }
}
