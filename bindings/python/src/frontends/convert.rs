//! Python's values as those of a call, and back.

use super::{Namespace, PyFrontendDtype, PyFrontendGenerator, PyTorchGenerator, dtype};
use crate::array::PyArray;
use crate::dtype::PyDtype;
use crate::error::{Fallible, type_error};
use crate::{context, special, value};
use ivy::{Dtype, Scalar};
use ivy_frontend::{Value, autograd};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyComplex, PyDict, PyEllipsis, PyFloat, PyInt, PyList, PyRange, PySlice, PyString, PyTuple,
    PyType,
};
use std::sync::Arc;

/// A value of a call. Arrays of other libraries are read where they lie, if that can be.
pub(crate) fn from_python(namespace: &Namespace, given: &Bound<'_, PyAny>) -> Fallible<Value<'static>> {
    converted(namespace, given, false)
}

/// Likewise, for a function that keeps what it is given: arrays of other libraries are copied, so that no later write to
/// them is seen.
pub(crate) fn copied(namespace: &Namespace, given: &Bound<'_, PyAny>) -> Fallible<Value<'static>> {
    converted(namespace, given, true)
}

fn converted(namespace: &Namespace, given: &Bound<'_, PyAny>, copy: bool) -> Fallible<Value<'static>> {
    if let Ok(array) = given.cast::<PyArray>() {
        let array = array.borrow().array()?.clone();
        return Ok(Value::from(if copy { autograd::as_result(array) } else { array }));
    }
    if given.is_none() {
        return Ok(Value::None);
    }
    // Most arguments are such, and what follows asks them for attributes.
    if is_plain_number(given)
        && let Some(scalar) = value::scalar(given)?
    {
        return Ok(scalar.into());
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Value::from(text.to_str()?.to_string()));
    }
    let all = |items: Vec<Bound<'_, PyAny>>| {
        items.iter().map(|item| converted(namespace, item, copy)).collect::<Fallible<Vec<_>>>()
    };
    if let Ok(tuple) = given.cast::<PyTuple>() {
        return Ok(Value::Tuple(all(tuple.iter().collect())?));
    }
    if let Ok(list) = given.cast::<PyList>() {
        return Ok(Value::List(all(list.iter().collect())?));
    }
    if given.is_instance_of::<PyEllipsis>() {
        return Ok(Value::Ellipsis);
    }
    if let Ok(slice) = given.cast::<PySlice>() {
        let py = given.py();
        let bound = |name: &Bound<'_, PyString>| -> Fallible<Option<i64>> {
            match slice.getattr(name)? {
                none if none.is_none() => Ok(None),
                some if some.is_exact_instance_of::<PyInt>() && some.extract::<i64>().is_ok() => {
                    Ok(some.extract().map(|i: i64| i.max(i64::MIN + 1)).ok())
                }
                some if !some.hasattr("__index__")? => {
                    type_error("slice indices must be integers or None or have an __index__ method")
                }
                some => match value::scalar(&some.call_method0("__index__")?)? {
                    Some(Scalar::Int(i)) => Ok(Some(i.clamp((i64::MIN + 1).into(), i64::MAX.into()) as i64)),
                    _ => type_error("a bound of a slice is a whole number"),
                },
            }
        };
        return Ok(Value::Slice {
            start: bound(intern!(py, "start"))?,
            stop: bound(intern!(py, "stop"))?,
            step: bound(intern!(py, "step"))?,
        });
    }
    if let Ok(source) = given.cast::<PyFrontendGenerator>() {
        return Ok(Value::Generator(Arc::clone(&source.get().generator)));
    }
    if let Ok(source) = given.cast::<PyTorchGenerator>() {
        // What draws from no generator draws from that of the context.
        return Ok(source.get().generator.clone().map_or(Value::None, Value::Generator));
    }
    if is_array_class(given) {
        let name = given.cast::<PyType>().map_err(PyErr::from)?.name()?;
        return type_error(format!(
            "{}: the class {name} is no value; an array of it is",
            namespace.frontend.name()
        ));
    }
    if let Some(dtype) = dtype_of(namespace, given)? {
        return Ok(Value::Dtype(dtype));
    }
    if is_typed_number(namespace, given)? {
        return foreign(given, copy);
    }
    if let Some(scalar) = value::scalar(given)? {
        return Ok(scalar.into());
    }
    if let Ok(dict) = given.cast::<PyDict>() {
        let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((name.extract::<String>()?, converted(namespace, &value, copy)?))
        };
        return Ok(Value::Dict(dict.iter().map(entry).collect::<Fallible<_>>()?));
    }
    if given.is_instance_of::<PyRange>() {
        return Ok(Value::Tuple(all(given.try_iter()?.collect::<PyResult<_>>()?)?));
    }
    // Arrays of other libraries.
    if given.hasattr("__array__")? || given.hasattr("__dlpack__")? {
        return foreign(given, copy);
    }
    if given.hasattr("__len__")? && given.hasattr("__getitem__")? {
        return Ok(Value::List(all(given.try_iter()?.collect::<PyResult<_>>()?)?));
    }
    type_error(format!(
        "{}: a {} has no meaning here",
        namespace.frontend.name(),
        given.get_type().fully_qualified_name()?
    ))
}

/// Whether an object is a class of arrays, and not an array.
pub(super) fn is_array_class(given: &Bound<'_, PyAny>) -> bool {
    given.cast::<PyType>().is_ok_and(|class| class.is_subclass_of::<PyArray>().unwrap_or(false))
}

/// Whether an object is one of Python's own numbers.
fn is_plain_number(given: &Bound<'_, PyAny>) -> bool {
    given.is_exact_instance_of::<PyInt>()
        || given.is_exact_instance_of::<PyFloat>()
        || given.is_exact_instance_of::<PyBool>()
        || given.is_exact_instance_of::<PyComplex>()
}

/// Whether an object is a number with a dtype of its own, a scalar or an array without axes of NumPy, to a framework that
/// has such: to the others it is a host number.
pub(super) fn is_typed_number(namespace: &Namespace, given: &Bound<'_, PyAny>) -> Fallible<bool> {
    Ok(!is_plain_number(given)
        && namespace.frontend.array_likes() == ivy_frontend::ArrayLikes::All
        && given.hasattr("__array_interface__")?)
}

/// An array of another library.
fn foreign(given: &Bound<'_, PyAny>, copy: bool) -> Fallible<Value<'static>> {
    let backend = context::backend(given.py(), None)?;
    let array = if copy { special::copied(given, &backend) } else { special::to_array(given, &backend) };
    Ok(array?.into())
}

/// The dtype that an object is: of the framework, of ivyrs, one of Python's types, or one of NumPy's.
pub(crate) fn dtype_of(namespace: &Namespace, given: &Bound<'_, PyAny>) -> Fallible<Option<Dtype>> {
    if let Ok(own) = given.cast::<PyFrontendDtype>() {
        return Ok(Some(own.get().dtype));
    }
    if let Ok(dtype) = given.cast::<PyDtype>() {
        return Ok(Some(dtype.get().0));
    }
    let is_numpy = given.hasattr("isnative")? && given.hasattr("itemsize")?;
    if !given.is_instance_of::<PyType>() && !is_numpy {
        return Ok(None);
    }
    let py = given.py();
    let kinds = [
        (py.get_type::<PyBool>(), Dtype::BOOL),
        (py.get_type::<PyInt>(), Dtype::INT64),
        (py.get_type::<PyFloat>(), Dtype::FLOAT64),
        (py.get_type::<PyComplex>(), Dtype::COMPLEX128),
    ];
    if let Some((_, dtype)) = kinds.iter().find(|(kind, _)| given.is(kind)) {
        return Ok(Some(namespace.frontend.version().rules.canonical(*dtype)));
    }
    crate::dtype::from_python(given).map(Some)
}

/// A value as Python has it.
pub(crate) fn to_python(
    py: Python<'_>,
    namespace: &'static Namespace,
    given: Value<'_>,
) -> Fallible<Py<PyAny>> {
    let all = |items: Vec<Value<'_>>| {
        items.into_iter().map(|item| to_python(py, namespace, item)).collect::<Fallible<Vec<_>>>()
    };
    Ok(match given {
        Value::None => py.None(),
        // One of several results without axes is a number, where the framework has such.
        Value::Array(array) => {
            let number = namespace.numbers && array.ndim() == 0;
            (namespace.wrap)(py, array.into_owned(), number)?
        }
        Value::Generator(generator) => Py::new(py, PyFrontendGenerator { generator })?.into_any(),
        Value::Text(text) => PyString::new(py, &text).into_any().unbind(),
        Value::Dtype(found) => dtype::object(py, namespace, found)?.into_any(),
        Value::Tuple(items) => PyTuple::new(py, all(items)?)?.into_any().unbind(),
        Value::List(items) => PyList::new(py, all(items)?)?.into_any().unbind(),
        Value::Ellipsis => PyEllipsis::get(py).to_owned().into_any().unbind(),
        Value::Dict(entries) => {
            let dict = PyDict::new(py);
            for (name, value) in entries {
                dict.set_item(name, to_python(py, namespace, value)?)?;
            }
            dict.into_any().unbind()
        }
        other => match other.as_scalar() {
            Some(scalar) => value::to_python(py, scalar)?.unbind(),
            None => PyString::new(py, &other.told()).into_any().unbind(),
        },
    })
}
