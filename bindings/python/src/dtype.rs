//! Dtype objects: one for each dtype, comparable, hashable and picklable.

use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use ivy::{Dtype, Kind, ScalarKind};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};

/// The type of an array's elements. `Dtype("float32")` gives the one object of a name.
///
/// It is equal to its name, has its hash, and the methods of it: `x.dtype in ("int32", "int64")`, `"uint" in x.dtype`.
#[pyclass(name = "Dtype", module = "ivyrs", frozen)]
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

    /// NumPy's dtype of the same values, by which `numpy.dtype` takes this one; bfloat16 has one where the package
    /// `ml_dtypes` is installed. Without one it is an `AttributeError`, so that `numpy.dtype` refuses.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let missing = |what: &str| {
            let text = format!("{} has no NumPy dtype here: {what}", self.0.name());
            PyAttributeError::new_err(text)
        };
        let numpy = py.import("numpy").map_err(|_| missing("NumPy is not installed"))?;
        let named: Bound<'py, PyAny> = match self.0 {
            Dtype::BFLOAT16 => py
                .import("ml_dtypes")
                .map_err(|_| missing("it is one of the package ml_dtypes"))?
                .getattr("bfloat16")?,
            other => PyString::new(py, other.name()).into_any(),
        };
        numpy.call_method1("dtype", (named,))
    }

    /// The width of an element in bits; 1 for bool.
    #[getter]
    fn dtype_bits(&self) -> usize {
        self.0.bits()
    }

    /// Whether it is bool.
    #[getter]
    fn is_bool_dtype(&self) -> bool {
        self.0.is_bool()
    }

    /// Whether it is an integer one.
    #[getter]
    fn is_int_dtype(&self) -> bool {
        self.0.is_int()
    }

    /// Whether it is an unsigned integer one.
    #[getter]
    fn is_uint_dtype(&self) -> bool {
        self.0.is_uint()
    }

    /// Whether it is a float one.
    #[getter]
    fn is_float_dtype(&self) -> bool {
        self.0.is_float()
    }

    /// Whether it is a complex one.
    #[getter]
    fn is_complex_dtype(&self) -> bool {
        self.0.is_complex()
    }

    /// The name under which the current backend stores it.
    #[getter]
    fn as_native_dtype(slf: &Bound<'_, Self>) -> Fallible<&'static str> {
        crate::dtype_functions::as_native_dtype(slf.py(), slf.as_any(), None)
    }

    /// What `finfo` or `iinfo` says of it; bool is refused.
    #[getter]
    fn info<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let function = if slf.get().0.is_int() { "iinfo" } else { "finfo" };
        slf.py().import("ivyrs")?.call_method1(function, (slf,))
    }

    /// Whether it may be cast to a dtype by the rules in force, as the function `can_cast` says.
    fn can_cast<'py>(slf: &Bound<'py, Self>, to: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("ivyrs")?.call_method1("can_cast", (slf, to))
    }

    /// Equality with a dtype or a name; the order is that of promotion by the rules in force: `a <= b` where the two
    /// promote to `b`. It is a partial order: of int8 and uint8 neither is less.
    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, op: CompareOp) -> Fallible<Bound<'py, PyAny>> {
        let py = other.py();
        if let (CompareOp::Eq | CompareOp::Ne, Ok(text)) = (op, other.cast::<PyString>()) {
            let same = self.0.name() == text.to_str()?;
            return Ok(PyBool::new(py, same == matches!(op, CompareOp::Eq)).to_owned().into_any());
        }
        let other = match other.cast::<PyDtype>() {
            Ok(dtype) => dtype.get().0,
            Err(_) if other.is_instance_of::<PyString>() => from_python(other)?,
            Err(_) => return Ok(py.NotImplemented().into_bound(py)),
        };
        let found = match op {
            CompareOp::Eq => self.0 == other,
            CompareOp::Ne => self.0 != other,
            _ => {
                let rules = crate::context::settings(py)?.rules;
                rules.promotion_cmp(self.0, other).is_some_and(|order| op.matches(order))
            }
        };
        Ok(PyBool::new(py, found).to_owned().into_any())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::intern(py, self.0.name()).hash()
    }

    fn __contains__(&self, part: &str) -> bool {
        self.0.name().contains(part)
    }

    fn __len__(&self) -> usize {
        self.0.name().len()
    }

    /// The methods of texts, of the name.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let text = PyString::intern(py, self.0.name());
        match text.getattr_opt(name)? {
            Some(method) if !name.starts_with('_') => Ok(method),
            _ => Err(PyAttributeError::new_err(format!("'ivyrs.Dtype' object has no attribute '{name}'"))),
        }
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
    let made = OBJECTS.get_or_try_init(py, || Dtype::known().map(|d| Py::new(py, PyDtype(d))).collect());
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
        let name = name.to_str()?;
        return match (name.parse::<Dtype>(), of_code(name)) {
            (Err(_), Some(dtype)) => Ok(dtype),
            (read, _) => Ok(read?),
        };
    }
    if let Ok(array) = value.cast::<PyArray>() {
        return Ok(array.borrow().array()?.dtype());
    }
    if let Ok(frontend) = value.cast::<crate::frontends::PyFrontendDtype>() {
        return Ok(frontend.get().dtype);
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
    if let Some(dtype) = of_numpy(value)? {
        return Ok(dtype);
    }
    // What has a dtype of ours is as good as it: a native dtype.
    if let Ok(own) = value.getattr("dtype")
        && let Ok(own) = own.cast::<PyDtype>()
    {
        return Ok(own.get().0);
    }
    type_error(format!("a dtype of ivyrs is needed, not {}", value.repr()?))
}

/// The dtype of one of NumPy's codes, such as `<f4`: byte order, kind, and width in bytes. That of the other byte
/// order is no dtype here.
fn of_code(code: &str) -> Option<Dtype> {
    let other = if cfg!(target_endian = "little") { ['>', '!'] } else { ['<', '!'] };
    if code.starts_with(other) {
        return None;
    }
    let code = code.trim_start_matches(['<', '>', '=', '|']);
    let (kind, width) = code.split_at_checked(1)?;
    let kind = match kind {
        "i" => Kind::Int,
        "u" => Kind::Uint,
        "f" => Kind::Float,
        "c" => Kind::Complex,
        "b" | "?" => Kind::Bool,
        _ => return None,
    };
    let width: usize = if code == "?" { 1 } else { width.parse().ok()? };
    // NumPy's `b1` is bool.
    Dtype::all().find(|d| d.kind() == kind && d.bytes() == width && *d != Dtype::BFLOAT16)
}

/// The dtype of one of NumPy's dtypes (and those of packages beside it, as bfloat16 of ml_dtypes) or scalar types.
fn of_numpy(value: &Bound<'_, PyAny>) -> Fallible<Option<Dtype>> {
    let is_dtype = value.hasattr("isnative")? && value.hasattr("itemsize")?;
    if is_dtype {
        if !value.getattr("isnative")?.is_truthy()? {
            return type_error(format!("the byte order of {} is not this machine's", value.repr()?));
        }
        return Ok(value.getattr("name")?.extract::<String>()?.parse().ok());
    }
    let Ok(class) = value.cast::<PyType>() else { return Ok(None) };
    let module = class.module()?;
    if !matches!(module.to_str()?, "numpy" | "ml_dtypes") {
        return Ok(None);
    }
    let name = class.name()?;
    Ok(name.to_str()?.trim_end_matches('_').parse().ok())
}
