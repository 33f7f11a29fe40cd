//! A framework's dtype objects: one for each dtype, printed as the framework prints it.

use super::{NAMESPACES, Namespace, convert};
use crate::error::Fallible;
use ivy::{Dtype, Kind};
use ivy_frontend::{Keywords, Value};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

/// NumPy's letters: https://numpy.org/doc/stable/reference/arrays.scalars.html.
const LETTERS: [(&str, char); 15] = [
    ("bool", '?'),
    ("int8", 'b'),
    ("int16", 'h'),
    ("int32", 'i'),
    ("int64", 'l'),
    ("uint8", 'B'),
    ("uint16", 'H'),
    ("uint32", 'I'),
    ("uint64", 'L'),
    ("float16", 'e'),
    ("float32", 'f'),
    ("float64", 'd'),
    ("complex64", 'F'),
    ("complex128", 'D'),
    ("bfloat16", 'E'),
];

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

    /// NumPy's number of the dtype; -1 for what NumPy lacks.
    #[getter]
    fn num(&self) -> i8 {
        const NUMBERS: [(&str, i8); 14] = [
            ("bool", 0),
            ("int8", 1),
            ("uint8", 2),
            ("int16", 3),
            ("uint16", 4),
            ("int32", 5),
            ("uint32", 6),
            ("int64", 7),
            ("uint64", 8),
            ("float16", 23),
            ("float32", 11),
            ("float64", 12),
            ("complex64", 14),
            ("complex128", 15),
        ];
        NUMBERS.iter().find(|(name, _)| *name == self.dtype.name()).map_or(-1, |&(_, number)| number)
    }

    /// The fields of an element: one without a name.
    #[getter]
    fn descr(&self) -> Vec<(&'static str, String)> {
        vec![("", self.str())]
    }

    /// The dtype of what elements are made of: itself.
    #[getter]
    fn base(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
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

    /// The dtype itself, which is what makes numbers of it: NumPy has a class for that.
    #[getter]
    fn r#type(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// NumPy's letter of the dtype; bfloat16 has the one of ml_dtypes.
    #[getter]
    fn char(&self) -> char {
        LETTERS.iter().find(|(name, _)| *name == self.dtype.name()).map_or('V', |&(_, letter)| letter)
    }

    /// The dtype as NumPy's arrays describe it to others: byte order, kind, and width in bytes.
    #[getter]
    fn str(&self) -> String {
        format!("{}{}{}", if self.dtype.bytes() == 1 { '|' } else { '<' }, self.kind(), self.dtype.bytes())
    }

    /// The byte order: that of the machine.
    #[getter]
    fn byteorder(&self) -> char {
        if self.dtype.bytes() == 1 { '|' } else { '=' }
    }

    /// Whether the byte order is that of the machine: it always is.
    #[getter]
    fn isnative(&self) -> bool {
        true
    }

    /// Whether the elements are Python's objects: they never are.
    #[getter]
    fn hasobject(&self) -> bool {
        false
    }

    /// To a multiple of how many bytes elements are aligned.
    #[getter]
    fn alignment(&self) -> usize {
        if self.dtype.is_complex() { self.dtype.bytes() / 2 } else { self.dtype.bytes() }
    }

    /// The names of a record's fields: there are no records.
    #[getter]
    fn names(&self) -> Option<bool> {
        None
    }

    /// A record's fields: there are no records.
    #[getter]
    fn fields(&self) -> Option<bool> {
        None
    }

    /// The dtype and shape of elements that are arrays: there are none.
    #[getter]
    fn subdtype(&self) -> Option<bool> {
        None
    }

    /// The lengths of the axes of an element: it has none.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        PyTuple::empty(py)
    }

    /// How many axes an element has.
    #[getter]
    fn ndim(&self) -> usize {
        0
    }

    /// `isinstance(x, np.float64)`: whether `x` is a number of the framework and of this dtype.
    fn __instancecheck__(&self, instance: &Bound<'_, PyAny>) -> PyResult<bool> {
        match instance.getattr_opt("_is_number")? {
            Some(number) => {
                Ok(number.is_truthy()? && self.__eq__(&instance.getattr("dtype")?).unwrap_or(false))
            }
            None => Ok(false),
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
