//! Dtype objects: one for each dtype, comparable, hashable and picklable.

use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use ivy::{Dtype, ScalarKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};

/// The type of an array's elements. `Dtype("float32")` gives the one object of a name.
#[pyclass(name = "Dtype", module = "ivyrs", frozen, eq, hash)]
#[derive(PartialEq, Hash)]
pub(crate) struct PyDtype(pub(crate) Dtype);

#[pymethods]
impl PyDtype {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(name: &Bound<'_, PyAny>) -> Fallible<Py<PyDtype>> {
        Ok(object(name.py(), from_python(name)?).clone_ref(name.py()))
    }

    /// The name, as the standard spells it.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The width of an element in bits; 1 for bool.
    #[getter]
    fn bits(&self) -> usize {
        self.0.bits()
    }

    /// The width of an element in memory, in bytes.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.bytes()
    }

    fn __repr__(&self) -> String {
        format!("ivyrs.{}", self.0.name())
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str,)) {
        (py.get_type::<PyDtype>(), (self.0.name(),))
    }
}

/// The object of a dtype.
pub(crate) fn object(py: Python<'_>, dtype: Dtype) -> &Py<PyDtype> {
    static OBJECTS: PyOnceLock<Vec<Py<PyDtype>>> = PyOnceLock::new();
    let made = OBJECTS.get_or_try_init(py, || Dtype::all().map(|d| Py::new(py, PyDtype(d))).collect());
    match made {
        Ok(objects) => &objects[dtype.index()],
        Err(error) => {
            let error: PyErr = error;
            panic!("no memory for the dtype objects: {error}")
        }
    }
}

/// A dtype as users give one: an object, a name, an array's, or a Python type (its default dtype).
pub(crate) fn from_python(value: &Bound<'_, PyAny>) -> Fallible<Dtype> {
    if let Ok(dtype) = value.cast::<PyDtype>() {
        return Ok(dtype.get().0);
    }
    if let Ok(name) = value.cast::<PyString>() {
        return Ok(name.to_str()?.parse::<Dtype>()?);
    }
    if let Ok(array) = value.cast::<PyArray>() {
        return Ok(array.borrow().inner.dtype());
    }
    let py = value.py();
    let kinds = [
        (py.get_type::<PyBool>(), ScalarKind::Bool),
        (py.get_type::<PyInt>(), ScalarKind::Int),
        (py.get_type::<PyFloat>(), ScalarKind::Float),
        (py.get_type::<PyComplex>(), ScalarKind::Complex),
    ];
    if let Some((_, kind)) = kinds.iter().find(|(t, _)| value.is(t)) {
        return Ok(crate::context::settings(py)?.defaults.of_scalar(*kind));
    }
    type_error(format!("a dtype of ivyrs is needed, not {}", value.repr()?))
}
