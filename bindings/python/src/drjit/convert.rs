//! Python values as arguments, and arrays as Python values.

use super::allocate;
use super::classes::with_class;
use super::error::failure;
use super::object::DrjitArray;
use crate::array::{PyArray, detached};
use crate::error::{Fallible, type_error};
use crate::{context, foreign, special, value};
use ivy_drjit::{AnyArray, Arg, ArrayType, Error, JitBackend, Kind, Package, Size, VarType};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// An array as an object: of its type's class, or a number where it is a single value.
pub(super) fn object(py: Python<'_>, x: AnyArray) -> Fallible<Py<PyAny>> {
    let mut x = x;
    if x.ty().kind() == Kind::Flat && x.ty().backend_v() == JitBackend::None {
        if x.len() == 1 {
            let number = x.to_scalars().map_err(failure)?;
            let number = number.first().copied().unwrap_or(ivy::Scalar::Int(0));
            return Ok(value::to_python(py, number)?.unbind());
        }
        x = spread(&x)?;
    }
    Ok(with_class(py, x.ty(), |class| allocate::object_of(class, DrjitArray::new_whole(x)))?)
}

/// The array of any size over single values.
pub(super) fn any_size(ty: ArrayType) -> Option<ArrayType> {
    ArrayType::nested(ty.package(), Kind::Array, &[Size::Dynamic], ty.dtype())
}

fn is_list(ty: ArrayType) -> bool {
    ty.backend_v() == JitBackend::None && ty.kind() == Kind::Array && ty.sizes() == [Size::Dynamic]
}

/// A vector of single values as an array of any size, as Python sees it.
fn spread(x: &AnyArray) -> Fallible<AnyArray> {
    let refuse = || failure(Error::NotSupported { function: "array", ty: x.ty() });
    let entries =
        (0..x.len() as i64).map(|i| x.get(i)).collect::<ivy_drjit::Result<Vec<_>>>().map_err(failure)?;
    AnyArray::from_parts(any_size(x.ty()).ok_or_else(refuse)?, entries).map_err(failure)
}

/// An array of any size over single values as a vector, which memory operations and scans take.
pub(super) fn vector(x: AnyArray) -> Fallible<AnyArray> {
    if !is_list(x.ty()) {
        return Ok(x);
    }
    match x.entries().is_empty() {
        true => x.ty().leaf().zeros(0).map_err(failure),
        false => ivy_drjit::ravel(x, ivy_drjit::Order::C).map_err(failure),
    }
}

/// A value as an argument of a memory operation or a scan.
pub(super) fn vector_arg(x: &Bound<'_, PyAny>) -> Fallible<Arg> {
    Ok(match arg(x)? {
        Arg::Array(x) | Arg::Foreign(x) => Arg::Array(vector(x)?),
        other => other,
    })
}

/// What was made of a vector in the form that an array has: of any size, if that was so.
pub(super) fn formed(like: ArrayType, x: AnyArray) -> Fallible<AnyArray> {
    if is_list(like) && x.ty().kind() == Kind::Flat { spread(&x) } else { Ok(x) }
}

/// Several arrays as a tuple.
pub(super) fn tuple(py: Python<'_>, arrays: impl IntoIterator<Item = AnyArray>) -> Fallible<Py<PyAny>> {
    let objects = arrays.into_iter().map(|x| object(py, x)).collect::<Fallible<Vec<_>>>()?;
    Ok(PyTuple::new(py, objects)?.into_any().unbind())
}

/// A value as an argument; `None` for what is none.
pub(super) fn maybe_arg(x: &Bound<'_, PyAny>) -> Fallible<Option<Arg>> {
    if let Ok(array) = x.cast::<DrjitArray>() {
        return Ok(Some(Arg::Array(array.borrow().value(x.py())?)));
    }
    if let Some(scalar) = value::scalar(x)? {
        return Ok(Some(match scalar {
            ivy::Scalar::Complex(z) => Arg::Array(complex(&[z.re], &[z.im])?),
            other => Arg::Scalar(other),
        }));
    }
    if x.is_none() || x.is_instance_of::<PyString>() || x.is_instance_of::<PyDict>() {
        return Ok(None);
    }
    if let Some(items) = value::items(x) {
        return list(items?.into_iter());
    }
    if let Some(array) = elsewhere(x)? {
        return Ok(Some(array));
    }
    match x.try_iter() {
        Ok(items) => list(items.collect::<PyResult<Vec<_>>>()?.into_iter()),
        Err(_) => Ok(None),
    }
}

fn list<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>) -> Fallible<Option<Arg>> {
    let items = items.map(|item| maybe_arg(&item)).collect::<Fallible<Option<Vec<Arg>>>>()?;
    Ok(items.map(Arg::List))
}

/// Complex numbers from their parts, as single values of double precision.
fn complex(re: &[f64], im: &[f64]) -> Fallible<AnyArray> {
    let made = || -> ivy_drjit::Result<AnyArray> {
        let ty = ArrayType::flat(Package::SCALAR, VarType::Float64);
        let part = |values: &[f64]| {
            let values: Vec<Arg> = values.iter().map(|&x| Arg::Scalar(x.into())).collect();
            let count = values.len();
            let made = ty.tensor_t().make_tensor(Arg::List(values), &[count])?;
            let refuse = Error::NotSupported { function: "complex", ty };
            AnyArray::from_core(Package::SCALAR, made.to_core().ok_or(refuse)?.clone())
        };
        let number = ArrayType::nested(Package::SCALAR, Kind::Complex, &[Size::Fixed(2)], VarType::Float64)
            .ok_or(Error::NotSupported { function: "complex", ty })?;
        let parts = vec![part(re)?, part(im)?];
        AnyArray::from_parts(number, parts)
    };
    made().map_err(failure)
}

/// The array of another library, or of ivyrs itself, as one of single values, which goes with every package.
fn elsewhere(x: &Bound<'_, PyAny>) -> Fallible<Option<Arg>> {
    let array = if let Ok(own) = x.cast::<PyArray>() {
        own.borrow().array()?.clone()
    } else {
        let speaks = x.hasattr("__dlpack__")? || x.hasattr("__array_interface__")?;
        let found = match foreign::from_buffer(x)? {
            Some(found) => Some(found),
            None if speaks => foreign::from_dlpack(x, None)?,
            None => None,
        };
        let Some(found) = found else { return Ok(None) };
        // Memory that others may write to is copied: arrays are values.
        let host = if found.borrowed && found.writable { special::owned(&found.host)? } else { found.host };
        let backend = ivy::backend::backend("ndarray")?;
        let value = backend.from_host(host)?;
        ivy::Array::from_value(backend, value)
    };
    if array.dtype().is_complex() {
        let part = |part: ivy::Array| ivy::astype(&part, ivy::Dtype::FLOAT64)?.to_vec::<f64>();
        return Ok(Some(Arg::Array(complex(&part(ivy::real(&array)?)?, &part(ivy::imag(&array)?)?)?)));
    }
    let single = array.ndim() == 0;
    let array = AnyArray::from_core(Package::SCALAR, array).map_err(failure)?;
    Ok(Some(if single { Arg::Array(array) } else { Arg::Foreign(array) }))
}

/// A value as an argument of a function.
pub(super) fn arg(x: &Bound<'_, PyAny>) -> Fallible<Arg> {
    match maybe_arg(x)? {
        Some(arg) => Ok(arg),
        None => type_error(format!(
            "encountered an unsupported argument of type '{}' (an array of ivyrs.drjit, or what can be made one, is \
             needed)",
            x.get_type().name()?
        )),
    }
}

/// A value as an array.
pub(super) fn array(x: &Bound<'_, PyAny>) -> Fallible<AnyArray> {
    match x.cast::<DrjitArray>() {
        Ok(array) => array.borrow().value(x.py()),
        Err(_) => type_error(format!("an array of ivyrs.drjit is needed, not '{}'", x.get_type().name()?)),
    }
}

/// The arrays of a list.
pub(super) fn arrays(list: &Bound<'_, PyList>) -> Fallible<Vec<AnyArray>> {
    list.iter().map(|x| array(&x)).collect()
}

/// Does work in the scopes that are open in Python, by which arrays are made.
pub(super) fn here<T>(py: Python<'_>, work: impl FnOnce() -> ivy_drjit::Result<T>) -> Fallible<T> {
    let scope = context::enter(py, None)?;
    let done = work();
    drop(scope);
    done.map_err(failure)
}

/// Either kind of error of work that evaluates arrays.
struct Done(ivy_drjit::Error);

impl From<ivy::Error> for Done {
    fn from(error: ivy::Error) -> Done {
        Done(error.into())
    }
}

/// Evaluates something without the interpreter's lock; Ctrl-C ends it.
pub(super) fn evaluated<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> ivy_drjit::Result<T> + Send,
) -> Fallible<T> {
    detached(py, || work().map_err(Done)).map_err(|Done(error)| failure(error))
}
