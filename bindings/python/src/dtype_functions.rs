//! Questions about dtypes and devices, as the Rust library answers them: what `ivyrs/_dtypes.py` and
//! `ivyrs/_general.py` make the namespaces' of.

use crate::array::PyArray;
use crate::dtype::{PyDtype, from_python, object};
use crate::error::{Fallible, type_error};
use crate::{Backend, context, special, value};
use ivy::{DefaultOf, Device, Dtype, DtypeArg};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// Puts the scopes of the caller and a namespace's backend in force.
fn enter(py: Python<'_>, backend: Option<&Backend>) -> PyResult<Option<ivy::context::Scope>> {
    context::enter(py, backend.map(|b| &b.0))
}

/// Numbers, and dtypes or what has one, in lists, tuples and dicts.
fn leaves(given: &Bound<'_, PyAny>, found: &mut Vec<DtypeArg>) -> Fallible<()> {
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        return given.try_iter()?.try_for_each(|entry| leaves(&entry?, found));
    }
    if let Ok(dict) = given.cast::<PyDict>() {
        return dict.values().iter().try_for_each(|entry| leaves(&entry, found));
    }
    if let Ok(array) = given.cast::<PyArray>() {
        found.push(array.borrow().array()?.into());
        return Ok(());
    }
    let typed = given.hasattr("dtype")? && given.hasattr("shape")?;
    let leaf = match if typed { None } else { value::scalar(given)? } {
        Some(scalar) => DtypeArg::Scalar(scalar),
        None if typed => DtypeArg::Dtype(from_python(&given.getattr("dtype")?)?),
        None => DtypeArg::Dtype(from_python(given)?),
    };
    found.push(leaf);
    Ok(())
}

fn all_leaves(given: &Bound<'_, PyAny>) -> Fallible<Vec<DtypeArg>> {
    let mut found = Vec::new();
    leaves(given, &mut found)?;
    Ok(found)
}

fn of(py: Python<'_>, dtype: Dtype) -> Py<PyDtype> {
    object(py, dtype).clone_ref(py)
}

/// Whether a dtype, number or nest of them has one of a kind.
#[pyfunction]
pub(crate) fn is_kind(kind: &str, given: &Bound<'_, PyAny>) -> Fallible<bool> {
    let found = all_leaves(given)?;
    Ok(match kind {
        "bool" => ivy::is_bool_dtype(found)?,
        "int" => ivy::is_int_dtype(found)?,
        "uint" => ivy::is_uint_dtype(found)?,
        "float" => ivy::is_float_dtype(found)?,
        "complex" => ivy::is_complex_dtype(found)?,
        _ => return type_error(format!("there is no kind of dtypes called '{kind}'")),
    })
}

/// The default dtype, or that of a kind, of a call that may name one and may have values.
#[pyfunction]
pub(crate) fn default_of(
    py: Python<'_>,
    kind: &str,
    dtype: Option<&Bound<'_, PyAny>>,
    item: Option<&Bound<'_, PyAny>>,
) -> Fallible<Py<PyDtype>> {
    let mut params = DefaultOf::new();
    if let Some(dtype) = dtype {
        params = params.dtype(from_python(dtype)?)?;
    }
    if let Some(item) = item {
        params = params.item(all_leaves(item)?)?;
    }
    let _scope = enter(py, None)?;
    let dtype = match kind {
        "any" => ivy::default_dtype(params)?,
        "int" => ivy::default_int_dtype(params)?,
        "uint" => ivy::default_uint_dtype(params)?,
        "float" => ivy::default_float_dtype(params)?,
        "complex" => ivy::default_complex_dtype(params)?,
        _ => return type_error(format!("there is no kind of default dtypes called '{kind}'")),
    };
    Ok(of(py, dtype))
}

/// The default dtype of the kind of a dtype.
#[pyfunction]
pub(crate) fn infer_default_dtype(py: Python<'_>, dtype: &Bound<'_, PyAny>) -> Fallible<Py<PyDtype>> {
    let (dtype, _scope) = (from_python(dtype)?, enter(py, None)?);
    Ok(of(py, ivy::infer_default_dtype(dtype)?))
}

/// Whether a backend stores a dtype.
#[pyfunction]
pub(crate) fn valid_dtype(
    py: Python<'_>,
    dtype: &Bound<'_, PyAny>,
    backend: Option<&Backend>,
) -> Fallible<bool> {
    let (dtype, _scope) = (from_python(dtype)?, enter(py, backend)?);
    Ok(ivy::valid_dtype(dtype)?)
}

/// The dtype itself where a backend stores it, else the next one that it stores.
#[pyfunction]
pub(crate) fn closest_valid_dtype(
    py: Python<'_>,
    dtype: &Bound<'_, PyAny>,
    backend: Option<&Backend>,
) -> Fallible<Py<PyDtype>> {
    let (dtype, _scope) = (from_python(dtype)?, enter(py, backend)?);
    Ok(of(py, ivy::closest_valid_dtype(dtype)?))
}

/// The name under which a backend stores a dtype.
#[pyfunction]
pub(crate) fn as_native_dtype(
    py: Python<'_>,
    dtype: &Bound<'_, PyAny>,
    backend: Option<&Backend>,
) -> Fallible<&'static str> {
    let (dtype, _scope) = (from_python(dtype)?, enter(py, backend)?);
    Ok(ivy::as_native_dtype(dtype)?.name)
}

/// The dtype of whatever has or names one, and of a backend's own names.
#[pyfunction]
pub(crate) fn as_ivy_dtype(
    py: Python<'_>,
    dtype: &Bound<'_, PyAny>,
    backend: Option<&Backend>,
) -> Fallible<Py<PyDtype>> {
    match (dtype.cast::<PyString>(), from_python(dtype)) {
        (Ok(name), Err(_)) => {
            let (name, _scope) = (name.to_str()?, enter(py, backend)?);
            Ok(of(py, ivy::as_ivy_dtype(name)?))
        }
        (_, read) => Ok(of(py, read?)),
    }
}

/// Whether a name is one under which a backend stores a dtype.
#[pyfunction]
pub(crate) fn is_native_dtype(py: Python<'_>, name: &str, backend: Option<&Backend>) -> Fallible<bool> {
    let _scope = enter(py, backend)?;
    Ok(ivy::is_native_dtype(name))
}

/// The dtypes that a function supports on a backend; of its own forms only, where compositions are not looked into.
#[pyfunction]
pub(crate) fn function_supported_dtypes(
    py: Python<'_>,
    function: &str,
    recurse: bool,
    backend: Option<&Backend>,
) -> Fallible<Vec<Py<PyDtype>>> {
    let _scope = enter(py, backend)?;
    let supported = match recurse {
        true => ivy::function_supported_dtypes(function, None)?,
        false => ivy::support::function_supported_dtypes_by_part(function, None)?.primary,
    };
    Ok(Dtype::all().filter(|d| supported.contains(*d)).map(|d| of(py, d)).collect())
}

/// The device that is meant by a name or an array; without either, the one that arrays are created on.
#[pyfunction]
pub(crate) fn as_ivy_dev(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
    backend: Option<&Backend>,
) -> Fallible<String> {
    let _scope = enter(py, backend)?;
    Ok(match device {
        Some(device) => device_of(device)?.to_string(),
        None => ivy::default_device((), ())?.to_string(),
    })
}

fn device_of(device: &Bound<'_, PyAny>) -> Fallible<Device> {
    if let Ok(array) = device.cast::<PyArray>() {
        return Ok(ivy::dev(array.borrow().array()?));
    }
    let Ok(name) = device.cast::<PyString>() else {
        return type_error(format!("a device is a string, not {}", device.repr()?));
    };
    let name = name.to_str()?;
    match (ivy::as_ivy_dev(name), name.parse::<ivy::Place>()) {
        // What `as_native_dev` gives is a device as well.
        (Err(_), Ok(place)) if place.place.is_some() => Ok(ivy::as_ivy_dev(&place)?),
        (device, _) => Ok(device?),
    }
}

/// A backend's own form of a device: the name by which its instance there is found.
#[pyfunction]
pub(crate) fn as_native_dev(
    py: Python<'_>,
    device: &Bound<'_, PyAny>,
    backend: Option<&Backend>,
) -> Fallible<String> {
    let (device, _scope) = (device_of(device)?, enter(py, backend)?);
    Ok(ivy::as_native_dev(device)?.to_string())
}

/// The place of the current backend's instance on a device.
#[pyfunction]
pub(crate) fn place_on_device(py: Python<'_>, device: &Bound<'_, PyAny>) -> Fallible<String> {
    let (device, _scope) = (device_of(device)?, enter(py, None)?);
    let _device = ivy::context::DefaultDevice::new(device)?;
    Ok(special::place_of(&ivy::context::current_backend()?))
}

/// How many NVIDIA GPUs there are, how many threads the processor runs at once, and how many cores it has.
#[pyfunction]
pub(crate) fn counts() -> (usize, usize, usize) {
    (ivy::num_gpus(), ivy::num_cpu_cores(), ivy::num_physical_cpu_cores())
}

/// Moves arrays to a backend, all of them or, after an error, none. Those within a transformation stay in it.
#[pyfunction]
pub(crate) fn move_arrays(arrays: Vec<Bound<'_, PyArray>>, backend: &str) -> Fallible<()> {
    let to = ivy::backend::backend(backend)?;
    let mut moved = Vec::new();
    for array in &arrays {
        let inner = array.borrow().array()?.clone();
        // A view follows the array that it is one of.
        if inner.backend().wraps().is_none() && crate::views::view_base(array)?.is_none() {
            moved.push((array, inner.to_backend(&to)?));
        }
    }
    for (array, inner) in moved {
        crate::views::put(array, inner)?;
    }
    Ok(())
}

/// Puts values in the place of an array's.
#[pyfunction]
pub(crate) fn inplace_update(
    py: Python<'_>,
    x: &Bound<'_, PyArray>,
    values: &Bound<'_, PyAny>,
    keep_input_dtype: bool,
) -> Fallible<()> {
    let values = value::operand(Some(values), "inplace_update", "val")?;
    let _scope = enter(py, None)?;
    let mut params = ivy::InplaceUpdate::new();
    params.keep_input_dtype = keep_input_dtype;
    let updated = ivy::inplace_update(x.borrow().array()?, values, params)?;
    crate::views::put(x, updated)?;
    Ok(())
}

/// Chooses among arrays by conditions.
#[pyfunction]
pub(crate) fn select(
    py: Python<'_>,
    condlist: Vec<Bound<'_, PyAny>>,
    choicelist: Vec<Bound<'_, PyAny>>,
    default: &Bound<'_, PyAny>,
) -> Fallible<PyArray> {
    let operands = |list: &[Bound<'_, PyAny>], name: &str| -> Fallible<Vec<ivy::Operand<'static>>> {
        list.iter().map(|x| value::operand(Some(x), "select", name)).collect()
    };
    let (conditions, choices) = (operands(&condlist, "condlist")?, operands(&choicelist, "choicelist")?);
    let default = value::operand(Some(default), "select", "default")?;
    let _scope = enter(py, None)?;
    Ok(PyArray::new(ivy::select(conditions, choices, default)?))
}
