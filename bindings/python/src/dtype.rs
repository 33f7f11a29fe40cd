//! Dtype objects: one for each dtype, of a class that is a `str`.

use crate::array::PyArray;
use crate::error::{Fallible, type_error};
use ivy::{Dtype, Kind, ScalarKind};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};

/// A dtype as Python has it: an object of the class `Dtype`, which is a `str` (`ivyrs/_dtype_class.py`). There is one
/// of each dtype.
pub(crate) type DtypeObject = Py<PyString>;

/// The class of dtypes, and their objects in the order of [`Dtype::index`].
struct Objects {
    class: Py<PyType>,
    all: Vec<DtypeObject>,
}

fn objects(py: Python<'_>) -> &Objects {
    static OBJECTS: PyOnceLock<Objects> = PyOnceLock::new();
    let made = OBJECTS.get_or_try_init(py, || {
        let class = py.import("ivyrs._dtype_class")?.getattr("Dtype")?.cast_into::<PyType>()?;
        let object = |d: Dtype| -> PyResult<DtypeObject> {
            let made = class.call_method1("_of", (d.name(), d.bits(), d.bytes()))?;
            Ok(made.cast_into::<PyString>()?.unbind())
        };
        let all = Dtype::known().map(object).collect::<PyResult<_>>()?;
        PyResult::Ok(Objects { class: class.unbind(), all })
    });
    match made {
        Ok(objects) => objects,
        Err(error) => panic!("the dtype objects: {error}"),
    }
}

/// The class of dtypes.
pub(crate) fn class(py: Python<'_>) -> &Py<PyType> {
    &objects(py).class
}

/// The object of a dtype.
pub(crate) fn object(py: Python<'_>, dtype: Dtype) -> &DtypeObject {
    &objects(py).all[dtype.index()]
}

/// The dtype that an object is; `None` for anything else, names among it.
pub(crate) fn known(value: &Bound<'_, PyAny>) -> Option<Dtype> {
    let objects = objects(value.py());
    if !value.get_type().is(&objects.class) {
        return None;
    }
    Dtype::known().zip(&objects.all).find(|(_, object)| object.is(value)).map(|(dtype, _)| dtype)
}

/// The dtype that its name, an array, a Python type or another package's dtype stands for: what `Dtype(name)` gives.
#[pyfunction]
#[pyo3(signature = (name, /))]
pub(crate) fn dtype_object(name: &Bound<'_, PyAny>) -> Fallible<DtypeObject> {
    Ok(object(name.py(), from_python(name)?).clone_ref(name.py()))
}

/// The order of two dtypes by promotion under the rules in force: -1, 0 or 1; `None` where they have none.
#[pyfunction]
pub(crate) fn dtype_order(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> Fallible<Option<i8>> {
    let rules = crate::context::settings(a.py())?.rules;
    Ok(rules.promotion_cmp(from_python(a)?, from_python(b)?).map(|order| order as i8))
}

/// NumPy's dtype of the same values; that of bfloat16 is one of the package `ml_dtypes`. Without one it is an
/// `AttributeError`, so that `numpy.dtype` refuses.
pub(crate) fn to_numpy<'py>(py: Python<'py>, dtype: Dtype) -> PyResult<Bound<'py, PyAny>> {
    let missing =
        |what: &str| PyAttributeError::new_err(format!("{} has no NumPy dtype here: {what}", dtype.name()));
    let numpy = py.import("numpy").map_err(|_| missing("NumPy is not installed"))?;
    let named: Bound<'py, PyAny> = match dtype {
        Dtype::BFLOAT16 => py
            .import("ml_dtypes")
            .map_err(|_| missing("it is one of the package ml_dtypes"))?
            .getattr("bfloat16")?,
        other => PyString::new(py, other.name()).into_any(),
    };
    numpy.call_method1("dtype", (named,))
}

/// A dtype as users give one: an object, a name, an array's, or a Python type (its default dtype).
pub(crate) fn from_python(value: &Bound<'_, PyAny>) -> Fallible<Dtype> {
    if let Some(dtype) = known(value) {
        return Ok(dtype);
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
        && let Some(own) = known(&own)
    {
        return Ok(own);
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
