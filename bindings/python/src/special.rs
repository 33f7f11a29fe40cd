//! Functions that take or give more than arrays and parameters: conversions and questions about dtypes.

use crate::array::PyArray;
use crate::dtype::{self, from_python};
use crate::error::{Fallible, type_error};
use crate::foreign::{Foreign, from_buffer, from_dlpack};
use crate::signature::Arguments;
use crate::{context, value};
use ivy::backend::BackendRef;
use ivy::function::ParamValue;
use ivy::host::{Buffer, HostArray};
use ivy::{Array, Dtype, DtypeArg, ErrorKind, Scalar, Shape};
use ivy_frontend::from_scalars;
use num_complex::Complex64;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use smallvec::SmallVec;

/// A call of a special function.
pub(crate) struct Call<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) backend: Option<&'a BackendRef>,
    pub(crate) arguments: &'a Arguments<'py>,
}

pub(crate) type Special = for<'a, 'py> fn(&Call<'a, 'py>) -> Fallible<Bound<'py, PyAny>>;

/// The special function of a name.
pub(crate) fn find(name: &str) -> Option<Special> {
    Some(match name {
        "asarray" | "native_array" => asarray,
        "from_dlpack" => from_dlpack_object,
        "can_cast" => can_cast,
        "finfo" => finfo,
        "iinfo" => iinfo,
        "isdtype" => isdtype,
        "result_type" => result_type,
        "broadcast_shapes" => broadcast_shapes,
        "astype" => astype,
        _ => return None,
    })
}

impl<'py> Call<'_, 'py> {
    /// Argument `i`, if the function has it, and it is given and not `None`.
    fn given(&self, i: usize) -> Option<&Bound<'py, PyAny>> {
        self.arguments.get(i)?.as_ref().filter(|value| !value.is_none())
    }

    fn needed(&self, i: usize) -> &Bound<'py, PyAny> {
        self.arguments[i].as_ref().expect("the signature demands it")
    }

    fn flag(&self, i: usize) -> Fallible<Option<bool>> {
        Ok(self.given(i).map(|value| value.extract()).transpose()?)
    }

    fn dtype(&self, i: usize) -> Fallible<Option<Dtype>> {
        self.given(i).map(from_python).transpose()
    }

    /// The backend to create on, with the device checked.
    fn target(&self, device: usize) -> Fallible<BackendRef> {
        let backend = context::backend(self.py, self.backend)?;
        if let Some(device) = self.given(device) {
            check_device(&backend, &device.extract::<String>()?)?;
        }
        Ok(backend)
    }
}

/// The name of the device that a backend creates arrays on.
pub(crate) fn device_of(backend: &BackendRef) -> String {
    backend.devices().first().map_or("cpu".into(), ToString::to_string)
}

/// The name by which a backend is found again.
pub(crate) fn place_of(backend: &BackendRef) -> String {
    let backend = context::root(backend);
    ivy::backend::registered_name(&backend).unwrap_or_else(|| backend.name().into())
}

/// Refuses a device that is not the backend's.
pub(crate) fn check_device(backend: &BackendRef, device: &str) -> Fallible<()> {
    let asked: ivy::Device = device.parse()?;
    if backend.devices().first() == Some(&asked) {
        return Ok(());
    }
    Err(ErrorKind::InvalidArgument {
        function: "to_device",
        argument: "device",
        value: ivy::backend::not_here(backend, asked),
        rule: ivy::backend::NOT_HERE,
    }
    .into())
}

fn wrap(py: Python<'_>, array: Array) -> Fallible<Bound<'_, PyAny>> {
    Ok(Bound::new(py, PyArray::new(array))?.into_any())
}

/// asarray(obj, /, *, dtype=None, device=None, copy=None)
fn asarray<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let (object, dtype, copy) = (call.needed(0), call.dtype(1)?, call.flag(3)?);
    if let Ok(array) = object.cast::<PyArray>() {
        let inner = array.borrow().array()?.clone();
        let backend = match call.backend.is_none() && call.given(2).is_none() {
            true => inner.backend().clone(),
            false => call.target(2)?,
        };
        // An array within a transformation stays in it.
        let moves = context::root(inner.backend()) != context::root(&backend);
        let backend = if moves { backend } else { inner.backend().clone() };
        if !moves && dtype.is_none_or(|d| d == inner.dtype()) && copy != Some(true) {
            return Ok(object.clone());
        }
        if copy == Some(false) && (moves || dtype.is_some_and(|d| d != inner.dtype())) {
            return Err(needs_copy("another dtype or backend"));
        }
        let moved = crate::array::detached(call.py, || inner.to_backend(&backend))?;
        return wrap(call.py, cast(moved, dtype)?);
    }
    let backend = call.target(2)?;
    let _scope = context::enter(call.py, Some(&backend))?;
    wrap(call.py, convert(object, &backend, dtype, copy)?)
}

fn needs_copy(why: &str) -> crate::error::Failure {
    PyValueError::new_err(format!("asarray(): copy=False, but {why} needs a copy")).into()
}

fn cast(array: Array, dtype: Option<Dtype>) -> Fallible<Array> {
    match dtype {
        Some(dtype) if dtype != array.dtype() => Ok(ivy::astype(&array, dtype)?),
        _ => Ok(array),
    }
}

/// Host data as an array of a backend, with the dtype that it has.
pub(crate) fn to_array(object: &Bound<'_, PyAny>, backend: &BackendRef) -> Fallible<Array> {
    let _scope = context::enter(object.py(), Some(backend))?;
    convert(object, backend, None, None)
}

/// Host data as an array that shares no memory with it.
pub(crate) fn copied(object: &Bound<'_, PyAny>, backend: &BackendRef) -> Fallible<Array> {
    let _scope = context::enter(object.py(), Some(backend))?;
    convert(object, backend, None, Some(true))
}

/// Host data as an array. The scopes of the caller are in force.
fn convert(
    object: &Bound<'_, PyAny>,
    backend: &BackendRef,
    dtype: Option<Dtype>,
    copy: Option<bool>,
) -> Fallible<Array> {
    if let Ok(array) = object.cast::<PyArray>() {
        let inner = array.borrow().array()?.clone();
        // An array among others is read: `stack` keeps what it is made of.
        inner.read_for("asarray", "obj")?;
        return cast(inner.to_backend(backend)?, dtype);
    }
    let typed = object.hasattr("dtype")? && object.hasattr("shape")?;
    if !typed && let Some(scalar) = value::scalar(object)? {
        if copy == Some(false) {
            return Err(needs_copy("a Python number"));
        }
        let dtype = dtype.unwrap_or_else(|| default_of(&[scalar]));
        return Ok(from_scalars(&[scalar], Shape::default(), backend, dtype)?);
    }
    if let Some(foreign) = from_buffer(object)? {
        return settle(foreign, backend, dtype, copy);
    }
    match from_dlpack(object, None) {
        Ok(Some(foreign)) => return settle(foreign, backend, dtype, copy),
        Ok(None) => {}
        Err(failure) => return type_error(format!("asarray(): {}", PyErr::from(failure).value(object.py()))),
    }
    if let Some(entries) = value::items(object) {
        if copy == Some(false) {
            return Err(needs_copy("a list"));
        }
        return from_list(&entries?, backend, dtype);
    }
    if object.hasattr("__array__")? {
        let array = object.call_method0("__array__")?;
        if let Some(foreign) = from_buffer(&array)? {
            return settle(foreign, backend, dtype, copy);
        }
    }
    if let Some(scalar) = value::scalar(object)? {
        let dtype = dtype.unwrap_or_else(|| default_of(&[scalar]));
        return Ok(from_scalars(&[scalar], Shape::default(), backend, dtype)?);
    }
    let class = object.get_type();
    // Other sequences and iterables, such as `range`.
    if !object.is_instance_of::<PyString>() && object.hasattr("__len__")? && object.hasattr("__getitem__")? {
        let entries: Vec<_> = object.try_iter()?.collect::<PyResult<_>>()?;
        return from_list(&entries, backend, dtype);
    }
    type_error(format!(
        "asarray(): {} is no array, number or sequence of numbers",
        class.fully_qualified_name()?
    ))
}

/// The default dtype of numbers. Ivy's rule has float64 for what float32 holds as a subnormal number; the
/// standard has its default dtype for every float, and it is not left where the number would be lost.
fn default_of(values: &[Scalar]) -> Dtype {
    let held = |x: f64| if x.abs() < f32::MIN_POSITIVE.into() && x as f32 != 0.0 { 0.0 } else { x };
    let values: SmallVec<[Scalar; 8]> = values
        .iter()
        .map(|&value| match value {
            Scalar::Float(x) => Scalar::Float(held(x)),
            Scalar::Complex(z) => Scalar::Complex(Complex64::new(held(z.re), held(z.im))),
            other => other,
        })
        .collect();
    ivy::context::current().settings.defaults.of_values(&values)
}

/// Foreign memory as an array of a backend.
fn settle(
    foreign: Foreign,
    backend: &BackendRef,
    dtype: Option<Dtype>,
    copy: Option<bool>,
) -> Fallible<Array> {
    let Foreign { mut host, borrowed, writable } = foreign;
    let other_dtype = dtype.is_some_and(|d| d != host.dtype());
    // A backend that reads later would see what is written meanwhile.
    let lazy = backend.is_lazy() && borrowed && writable;
    if copy == Some(false) {
        if other_dtype {
            return Err(needs_copy("another dtype"));
        }
        if !borrowed {
            return Err(needs_copy("memory that is not aligned, or in another byte order,"));
        }
        if lazy {
            return Err(needs_copy("a backend that reads writable memory later"));
        }
    }
    if borrowed && !other_dtype && (copy == Some(true) || lazy) {
        host = owned(&host)?;
    }
    cast(Array::from_host(backend, host)?, dtype)
}

/// The elements in memory of our own, in row-major order.
pub(crate) fn owned(host: &HostArray) -> Fallible<HostArray> {
    let no_memory = || PyMemoryError::new_err("no memory for a copy of the array");
    let buffer = match host.view().contiguous_bytes() {
        Some(bytes) => Buffer::copy_from(bytes),
        None => Buffer::copy_from(&row_major_bytes(host)?),
    };
    Ok(HostArray::new(buffer.ok_or_else(no_memory)?, host.dtype(), host.shape().clone())
        .ok_or_else(no_memory)?)
}

/// A copy of the bytes of the elements, in row-major order.
pub(crate) fn row_major_bytes(host: &HostArray) -> Fallible<Vec<u8>> {
    if let Some(bytes) = host.view().contiguous_bytes() {
        return Ok(bytes.to_vec());
    }
    let width = host.dtype().bytes();
    let mut copy = Vec::new();
    copy.try_reserve_exact(host.shape().size() * width)
        .map_err(|_| PyMemoryError::new_err("no memory for a copy of the array"))?;
    ivy::host::for_each_offset(host.shape(), host.strides(), |offset| {
        let at = (host.offset() as isize + offset) as usize * width;
        copy.extend_from_slice(&host.buffer().bytes()[at..][..width]);
    });
    Ok(copy)
}

/// An array from its pickle.
#[pyfunction]
pub(crate) fn rebuild(backend: &str, dtype: &str, shape: Vec<usize>, elements: &[u8]) -> Fallible<PyArray> {
    let no_memory = || PyMemoryError::new_err("no memory for the array");
    let (backend, dtype) = (ivy::backend::backend(backend)?, dtype.parse::<Dtype>()?);
    let shape = Shape::from(shape);
    if shape.checked_size("rebuild", dtype)? * dtype.bytes() != elements.len()
        || dtype == Dtype::BOOL && elements.iter().any(|&b| b > 1)
    {
        return Err(
            PyValueError::new_err("the bytes are not those of an array of this dtype and shape").into()
        );
    }
    let buffer = Buffer::copy_from(elements).ok_or_else(no_memory)?;
    let host = HostArray::new(buffer, dtype, shape).ok_or_else(no_memory)?;
    Ok(PyArray::new(Array::from_host(&backend, host)?))
}

/// What stands in nested lists: numbers, or arrays among them.
enum Leaves {
    Numbers(Vec<(Scalar, Option<Dtype>)>),
    Arrays,
}

fn from_list(entries: &[Bound<'_, PyAny>], backend: &BackendRef, dtype: Option<Dtype>) -> Fallible<Array> {
    let mut leaves = Leaves::Numbers(Vec::new());
    let shape = walk(entries, &mut leaves)?;
    let Leaves::Numbers(numbers) = leaves else {
        let rows = entries.iter().map(|e| convert(e, backend, None, None)).collect::<Fallible<Vec<_>>>()?;
        return cast(ivy::stack(rows.iter(), ())?, dtype);
    };
    let scalars: Vec<Scalar> = numbers.iter().map(|n| n.0).collect();
    let dtype = match (dtype, numbers.iter().any(|n| n.1.is_some())) {
        (Some(dtype), _) => dtype,
        (None, true) => {
            let args: Vec<DtypeArg> =
                numbers.iter().map(|&(s, d)| d.map_or(DtypeArg::Scalar(s), DtypeArg::Dtype)).collect();
            ivy::result_type(args)?
        }
        (None, false) => default_of(&scalars),
    };
    Ok(from_scalars(&scalars, shape, backend, dtype)?)
}

/// The leaves of nested lists, and their shape.
fn walk(entries: &[Bound<'_, PyAny>], leaves: &mut Leaves) -> Fallible<Shape> {
    let mut inner: Option<Shape> = None;
    for entry in entries {
        let shape = match value::items(entry) {
            Some(row) => walk(&row?, leaves)?,
            None => match (value::scalar(entry)?, &mut *leaves) {
                (Some(scalar), Leaves::Numbers(numbers)) => {
                    // A number of NumPy brings its dtype with it.
                    let named = entry.getattr("dtype").and_then(|d| d.getattr("name"));
                    let dtype =
                        named.ok().and_then(|n| n.extract::<String>().ok()).and_then(|n| n.parse().ok());
                    numbers.push((scalar, dtype));
                    Shape::default()
                }
                (Some(_), Leaves::Arrays) => Shape::default(),
                (None, _) => {
                    let is_array = entry.is_instance_of::<PyArray>()
                        || entry.hasattr("__array__")?
                        || entry.hasattr("__dlpack__")?;
                    if !is_array {
                        let class = entry.get_type().fully_qualified_name()?;
                        return type_error(format!("asarray(): an element is {class}, not a number"));
                    }
                    *leaves = Leaves::Arrays;
                    return Ok(Shape::default());
                }
            },
        };
        if matches!(leaves, Leaves::Arrays) {
            return Ok(Shape::default());
        }
        match &inner {
            Some(first) if *first != shape => {
                return Err(ErrorKind::ragged(first, &shape).into());
            }
            _ => inner = Some(shape),
        }
    }
    Ok(std::iter::once(entries.len()).chain(inner.unwrap_or_default().iter().copied()).collect())
}

/// from_dlpack(x, /, *, device=None, copy=None)
fn from_dlpack_object<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let (object, copy) = (call.needed(0), call.flag(2)?);
    let own = match object.cast::<PyArray>() {
        Ok(x) => Some(x.borrow().array()?.backend().clone()),
        Err(_) => None,
    };
    let backend = match (call.given(1), own) {
        (None, Some(own)) if call.backend.is_none() => own,
        _ => call.target(1)?,
    };
    let Some(foreign) = from_dlpack(object, copy)? else {
        let class = object.get_type().fully_qualified_name()?;
        return type_error(format!("from_dlpack(): {class} has no __dlpack__ method"));
    };
    wrap(call.py, settle(foreign, &backend, None, copy)?)
}

/// astype(x, dtype, /, *, copy=True, device=None)
fn astype<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let object = call.needed(0);
    let array = object.cast::<PyArray>().map_err(PyErr::from)?;
    let inner = array.borrow().array()?.clone();
    let dtype = from_python(call.needed(1))?;
    if let Some(device) = call.given(3) {
        check_device(inner.backend(), &device.extract::<String>()?)?;
    }
    if call.flag(2)? == Some(false) && dtype == inner.dtype() {
        return Ok(object.clone());
    }
    let _scope = context::enter(call.py, None)?;
    let size = inner.size();
    wrap(call.py, crate::array::unlocked(call.py, size, move || ivy::astype(&inner, dtype))?)
}

/// can_cast(from_, to, /)
fn can_cast<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let (from, to) = (from_python(call.needed(0))?, from_python(call.needed(1))?);
    let _scope = context::enter(call.py, None)?;
    Ok(value::to_python(call.py, ivy::can_cast(from, to)?.into())?)
}

fn class<'py>(py: Python<'py>, name: &'static str) -> PyResult<Bound<'py, PyAny>> {
    py.import("ivyrs._info")?.getattr(name)
}

/// finfo(type, /)
fn finfo<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let info = ivy::finfo(from_python(call.needed(0))?)?;
    let dtype = dtype::object(call.py, info.dtype);
    Ok(class(call.py, "FInfo")?.call1((
        info.bits,
        info.eps,
        info.max,
        info.min,
        info.smallest_normal,
        dtype,
    ))?)
}

/// iinfo(type, /)
fn iinfo<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let info = ivy::iinfo(from_python(call.needed(0))?)?;
    let (min, max) =
        (value::to_python(call.py, info.min.into())?, value::to_python(call.py, info.max.into())?);
    Ok(class(call.py, "IInfo")?.call1((info.bits, max, min, dtype::object(call.py, info.dtype)))?)
}

/// isdtype(dtype, kind)
fn isdtype<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    fn is(dtype: Dtype, kind: &Bound<'_, PyAny>) -> Fallible<bool> {
        if let Ok(name) = kind.cast::<PyString>() {
            return Ok(ivy::isdtype(dtype, name.to_str()?)?);
        }
        if let Ok(kinds) = kind.cast::<PyTuple>() {
            // All are looked at, so that a wrong one is an error wherever it stands.
            return kinds.iter().try_fold(false, |found, kind| Ok(is(dtype, &kind)? || found));
        }
        Ok(dtype == from_python(kind)?)
    }
    let found = is(from_python(call.needed(0))?, call.needed(1))?;
    Ok(value::to_python(call.py, found.into())?)
}

/// result_type(*arrays_and_dtypes)
fn result_type<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let arguments = call.needed(0).cast::<PyTuple>()?;
    let leaf = |value: Bound<'py, PyAny>| match (value.cast::<PyArray>(), value::scalar(&value)?) {
        (Ok(array), _) => Ok(array.borrow().array()?.into()),
        (_, Some(scalar)) => Ok(DtypeArg::Scalar(scalar)),
        _ => from_python(&value).map(DtypeArg::Dtype),
    };
    let _scope = context::enter(call.py, None)?;
    let leaves = arguments.iter().map(leaf).collect::<Fallible<Vec<_>>>()?;
    Ok(dtype::object(call.py, ivy::result_type(leaves)?).bind(call.py).clone().into_any())
}

/// broadcast_shapes(*shapes)
fn broadcast_shapes<'py>(call: &Call<'_, 'py>) -> Fallible<Bound<'py, PyAny>> {
    let shape = |value: Bound<'py, PyAny>| match value::parameter(&value, "broadcast_shapes", "shapes")? {
        ParamValue::Ints(dims) if dims.iter().all(|&d| d >= 0) => {
            Ok(dims.into_iter().map(|d| d as usize).collect::<Shape>())
        }
        _ => type_error(format!("broadcast_shapes(): {} is not a shape", value.repr()?)),
    };
    let shapes = call.needed(0).cast::<PyTuple>()?.iter().map(shape).collect::<Fallible<Vec<_>>>()?;
    Ok(PyTuple::new(call.py, ivy::broadcast_shapes(&shapes)?.iter())?.into_any())
}
