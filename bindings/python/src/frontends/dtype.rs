//! A framework's dtype objects: one for each dtype, printed as the framework prints it.

use super::{NAMESPACES, Namespace, convert};
use crate::error::Fallible;
use ivy::{Dtype, Kind};
use ivy_frontend::{Keywords, Value};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The type of an array's elements.
#[pyclass(name = "dtype", module = "ivyrs.frontends", frozen)]
pub(crate) struct PyFrontendDtype {
    namespace: &'static Namespace,
    pub(crate) dtype: Dtype,
}

/// The object of a framework's dtype.
pub(crate) fn object(
    py: Python<'_>,
    namespace: &'static Namespace,
    dtype: Dtype,
) -> PyResult<Py<PyFrontendDtype>> {
    static OBJECTS: PyOnceLock<Vec<Vec<Py<PyFrontendDtype>>>> = PyOnceLock::new();
    let made = OBJECTS.get_or_try_init(py, || {
        let of = |namespace: &'static Namespace| {
            Dtype::known().map(|dtype| Py::new(py, PyFrontendDtype { namespace, dtype })).collect()
        };
        NAMESPACES.iter().map(of).collect::<PyResult<_>>()
    })?;
    Ok(made[namespace.place()][dtype.index()].clone_ref(py))
}

#[pymethods]
impl PyFrontendDtype {
    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.dtype.name()
    }

    /// The width of an element in memory, in bytes.
    #[getter]
    fn itemsize(&self) -> usize {
        self.dtype.bytes()
    }

    /// NumPy's letter of the kind.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.dtype.kind() {
            Kind::Bool => "b",
            Kind::Int => "i",
            Kind::Uint => "u",
            Kind::Float => "f",
            Kind::Complex => "c",
        }
    }

    /// Whether the elements are real floats.
    #[getter]
    fn is_floating_point(&self) -> bool {
        self.dtype.is_float()
    }

    /// Whether the elements are complex.
    #[getter]
    fn is_complex(&self) -> bool {
        self.dtype.is_complex()
    }

    /// Whether the elements have a sign.
    #[getter]
    fn is_signed(&self) -> bool {
        !self.dtype.is_bool() && !self.dtype.is_uint()
    }

    /// ivyrs' object of the same dtype.
    #[getter]
    fn ivy_dtype(&self, py: Python<'_>) -> Py<crate::dtype::PyDtype> {
        crate::dtype::object(py, self.dtype).clone_ref(py)
    }

    /// NumPy's dtype of the same values.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ivy_dtype(py).bind(py).getattr("dtype")
    }

    /// A number or nested lists in this dtype.
    fn __call__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
        let frontend = self.namespace.frontend;
        let given = convert::from_python(self.namespace, value)?;
        let path = ["array", "numpy.array", "tensor", "constant", "to_tensor"];
        let found = path.iter().find_map(|path| frontend.find(path).ok());
        let Some(entry) = found else {
            return Err(super::error::failure(py, frontend, &frontend.unknown("array")));
        };
        let keywords = Keywords::new().with("dtype", Value::Dtype(self.dtype));
        let made = frontend.call_entry(entry, vec![given], keywords);
        let made = made.map_err(|error| super::error::failure(py, frontend, &error))?;
        match made {
            Value::Array(array) if self.namespace.numbers => {
                (self.namespace.wrap)(py, array.into_owned(), true)
            }
            other => convert::to_python(py, self.namespace, other),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> Fallible<bool> {
        if let Ok(text) = other.cast::<PyString>() {
            let named = ivy_frontend::dtype_named(self.namespace.frontend.name(), text.to_str()?);
            return Ok(named == Some(self.dtype));
        }
        Ok(convert::dtype_of(self.namespace, other).ok().flatten() == Some(self.dtype))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.dtype.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let (frontend, name) = (self.namespace.frontend.name(), self.dtype.name());
        match frontend {
            "numpy" | "jax" => format!("dtype('{name}')"),
            "tensorflow" => format!("tf.{name}"),
            other => format!("{other}.{name}"),
        }
    }

    fn __str__(&self) -> String {
        match self.namespace.frontend.name() {
            "numpy" | "jax" => self.dtype.name().into(),
            "tensorflow" => format!("<dtype: '{}'>", self.dtype.name()),
            _ => self.__repr__(),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let find = py.import("ivyrs._ivyrs")?.getattr("frontend_dtype")?;
        (find, (self.namespace.frontend.name(), self.dtype.name())).into_pyobject(py)
    }
}
