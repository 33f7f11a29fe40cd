//! Python values as host scalars, operands and parameters, and back.

use crate::array::PyArray;
use crate::dtype::PyDtype;
use crate::error::{Fallible, type_error};
use crate::function::PyFunction;
use crate::random::PyGenerator;
use ivy::function::ParamValue;
use ivy::host::HostArray;
use ivy::{Array, Operand, Scalar, Seed};
use num_complex::Complex64;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::borrow::Cow;

/// A host scalar: Python's own numbers, their subclasses, and NumPy's scalars; `None` for all else.
pub(crate) fn scalar(value: &Bound<'_, PyAny>) -> Fallible<Option<Scalar>> {
    if value.is_exact_instance_of::<PyFloat>() {
        return Ok(Some(Scalar::Float(value.extract()?)));
    }
    if value.is_exact_instance_of::<PyBool>() {
        return Ok(Some(Scalar::Bool(value.extract()?)));
    }
    if value.is_instance_of::<PyInt>() {
        return integer(value).map(Some);
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Some(Scalar::Float(value.extract()?)));
    }
    if value.is_instance_of::<PyComplex>() {
        let parts = |name| value.getattr(name)?.extract::<f64>();
        return Ok(Some(Scalar::Complex(Complex64::new(parts("real")?, parts("imag")?))));
    }
    if is_numpy_scalar(value)? {
        let item = value.call_method0("item")?;
        // What has no Python counterpart gives itself back.
        return if is_numpy_scalar(&item)? { Ok(None) } else { scalar(&item) };
    }
    Ok(None)
}

/// One of Python's own numbers; `None` for all else, truth values and what is derived of numbers among it.
pub(crate) fn number(given: &Bound<'_, PyAny>) -> Fallible<Option<Scalar>> {
    if given.is_exact_instance_of::<PyInt>() || given.is_exact_instance_of::<PyFloat>() {
        return scalar(given);
    }
    Ok(None)
}

fn is_numpy_scalar(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_none() || value.is_instance_of::<PyArray>() || value.is_instance_of::<PyString>() {
        return Ok(false);
    }
    let class = value.get_type();
    let of_numpy = class.module().is_ok_and(|m| m.to_cow().is_ok_and(|m| m == "numpy"));
    Ok(of_numpy
        && value.hasattr("item")?
        && value.getattr("shape").is_ok_and(|s| s.is_truthy().is_ok_and(|t| !t)))
}

fn integer(value: &Bound<'_, PyAny>) -> Fallible<Scalar> {
    match value.extract::<i64>() {
        Ok(small) => Ok(Scalar::Int(small.into())),
        Err(_) => Ok(Scalar::Int(value.extract::<i128>()?)),
    }
}

/// An operand: an array, a host scalar, or nothing for `None`.
pub(crate) fn operand(
    value: Option<&Bound<'_, PyAny>>,
    function: &str,
    name: &str,
) -> Fallible<Operand<'static>> {
    let Some(value) = value else { return Ok(Operand::Absent) };
    if let Ok(array) = value.cast::<PyArray>() {
        return Ok(Operand::Array(Cow::Owned(array.borrow().array()?.clone())));
    }
    if value.is_none() {
        return Ok(Operand::Absent);
    }
    match scalar(value)? {
        Some(scalar) => Ok(Operand::Scalar(scalar)),
        None => type_error(format!(
            "{function}(): {name} is {}; an ivyrs.Array or a Python number is needed (asarray converts)",
            value.get_type().fully_qualified_name()?
        )),
    }
}

/// A parameter's value, by its Python type; the parameter itself says whether it fits.
pub(crate) fn parameter(
    value: &Bound<'_, PyAny>,
    function: &'static str,
    name: &'static str,
) -> Fallible<ParamValue> {
    if value.is_none() {
        return Ok(ParamValue::None);
    }
    if let Ok(dtype) = value.cast::<PyDtype>() {
        return Ok(ParamValue::Dtype(dtype.get().0));
    }
    if let Ok(generator) = value.cast::<PyGenerator>() {
        if name != "seed" {
            return type_error(format!("{function}(): {name} cannot be a Generator"));
        }
        let Seed { key, counter } = generator.get().draw();
        return Ok(ParamValue::Ints(vec![key as i64, counter as i64]));
    }
    if let Ok(named) = value.cast::<PyFunction>() {
        return Ok(ParamValue::Text(named.get().name().into()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(ParamValue::Text(text.to_str()?.into()));
    }
    if let Ok(array) = value.cast::<PyArray>() {
        let array = array.borrow();
        let inner = array.array()?;
        if let Some(integers) = integers_of(inner)? {
            return Ok(integers);
        }
        if inner.dtype().is_bool() && inner.ndim() > 0 || inner.ndim() == 0 && inner.dtype().is_float() {
            return Ok(ParamValue::Array(inner.clone()));
        }
        if inner.ndim() > 0 {
            return type_error(format!(
                "{function}(): {name} cannot be {}; a number can be given by an array without axes",
                ParamValue::Array(inner.clone())
            ));
        }
    }
    if name == "dtype" {
        return Ok(ParamValue::Dtype(crate::dtype::from_python(value)?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return named(dict, function);
    }
    if let Some(items) = items(value) {
        return sequence(&items?, function, name);
    }
    match scalar(value)? {
        Some(Scalar::Bool(b)) => Ok(ParamValue::Bool(b)),
        Some(Scalar::Int(i)) => match i64::try_from(i) {
            Ok(i) => Ok(ParamValue::Int(i)),
            Err(_) => Ok(ParamValue::Scalar(Scalar::Int(i))),
        },
        Some(Scalar::Float(x)) => Ok(ParamValue::Float(x)),
        Some(other) => Ok(ParamValue::Scalar(other)),
        None => match value.call_method0("__index__").and_then(|i| i.extract::<i64>()) {
            Ok(index) => Ok(ParamValue::Int(index)),
            Err(_) => match value.call_method0("__float__").and_then(|x| x.extract::<f64>()) {
                Ok(real) => Ok(ParamValue::Float(real)),
                Err(_) => type_error(format!(
                    "{function}(): {name} cannot be {}",
                    value.get_type().fully_qualified_name()?
                )),
            },
        },
    }
}

/// Integers by name.
fn named(dict: &Bound<'_, PyDict>, function: &str) -> Fallible<ParamValue> {
    let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name = name.extract::<String>()?;
        match value.extract::<i64>() {
            Ok(i) => Ok((name, i)),
            Err(_) => type_error(format!("{function}(): {name} is {}, not an integer", value.repr()?)),
        }
    };
    Ok(ParamValue::Named(dict.iter().map(entry).collect::<Fallible<_>>()?))
}

/// The elements of an array of integers with one axis, which are read; `None` for any other array.
fn integers_of(array: &Array) -> Fallible<Option<ParamValue>> {
    if array.ndim() != 1 || !array.dtype().is_int() {
        return Ok(None);
    }
    let host = array.to_host()?;
    let scalars = (0..array.size()).map(|i| host.scalar_at(i)).collect::<ivy::Result<Vec<Scalar>>>()?;
    let whole: Option<Vec<i64>> = scalars.iter().map(|s| i64::try_from(s.to_i128()).ok()).collect();
    Ok(Some(whole.map_or(ParamValue::Scalars(scalars), ParamValue::Ints)))
}

/// The entries of a list or tuple.
pub(crate) fn items<'py>(value: &Bound<'py, PyAny>) -> Option<PyResult<Vec<Bound<'py, PyAny>>>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return Some(Ok(tuple.iter().collect()));
    }
    value.cast::<PyList>().ok().map(|list| Ok(list.iter().collect()))
}

fn sequence(items: &[Bound<'_, PyAny>], function: &'static str, name: &'static str) -> Fallible<ParamValue> {
    let numbers = |items: &[Bound<'_, PyAny>]| -> Fallible<Vec<Scalar>> {
        items
            .iter()
            .map(|item| match parameter(item, function, name)? {
                ParamValue::Bool(b) => Ok(b.into()),
                ParamValue::Int(i) => Ok(i.into()),
                ParamValue::Float(x) => Ok(x.into()),
                ParamValue::Scalar(scalar) => Ok(scalar),
                ParamValue::Array(x) => Ok(x.read_for(function, name)?.scalar_at(0)?),
                _ => type_error(format!("{function}(): {name} holds {}, not a number", item.repr()?)),
            })
            .collect()
    };
    // Integers where all are some that fit.
    let integers = |list: &[Scalar]| -> Option<Vec<i64>> {
        let of = |scalar: &Scalar| match scalar {
            Scalar::Int(i) => i64::try_from(*i).ok(),
            _ => None,
        };
        list.iter().map(of).collect()
    };
    let nested: Vec<_> = items.iter().map_while(self::items).collect::<PyResult<_>>()?;
    if !items.is_empty() && nested.len() == items.len() {
        let lists: Vec<_> = nested.iter().map(|inner| numbers(inner)).collect::<Fallible<_>>()?;
        let whole: Option<_> = lists.iter().map(|list| integers(list)).collect();
        return Ok(whole.map_or_else(|| ParamValue::ScalarLists(lists), ParamValue::IntLists));
    }
    let list = numbers(items)?;
    Ok(integers(&list).map_or_else(|| ParamValue::Scalars(list), ParamValue::Ints))
}

/// A host scalar as a Python number.
pub(crate) fn to_python(py: Python<'_>, scalar: Scalar) -> PyResult<Bound<'_, PyAny>> {
    Ok(match scalar {
        Scalar::Bool(b) => PyBool::new(py, b).to_owned().into_any(),
        Scalar::Int(i) => match i64::try_from(i) {
            Ok(small) => small.into_pyobject(py)?.into_any(),
            Err(_) => i.into_pyobject(py)?.into_any(),
        },
        Scalar::Float(x) => PyFloat::new(py, x).into_any(),
        Scalar::Complex(z) => PyComplex::from_doubles(py, z.re, z.im).into_any(),
    })
}

/// The elements as nested lists of Python numbers; a number for an array without axes.
pub(crate) fn to_list<'py>(py: Python<'py>, host: &HostArray) -> Fallible<Bound<'py, PyAny>> {
    fn level<'py>(
        py: Python<'py>,
        host: &HostArray,
        axis: usize,
        at: &mut usize,
    ) -> Fallible<Bound<'py, PyAny>> {
        let Some(&len) = host.shape().get(axis) else {
            let value = to_python(py, host.scalar_at(*at)?)?;
            *at += 1;
            return Ok(value);
        };
        let list = PyList::empty(py);
        for _ in 0..len {
            list.append(level(py, host, axis + 1, at)?)?;
        }
        Ok(list.into_any())
    }
    level(py, host, 0, &mut 0)
}
