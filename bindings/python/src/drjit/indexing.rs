//! Entries by number, by masks, and slices of tensors.

use super::convert::{arg, array, evaluated, here, object};
use super::error::{failure, raise};
use super::object::DrjitArray;
use crate::error::{Fallible, type_error};
use crate::value;
use ivy_drjit::{AnyArray, ArrayType, Error, Kind, Slice};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PySlice, PyTuple};

/// Whether the array is a vector of elements.
fn is_vector(ty: ArrayType) -> bool {
    ty.kind() == Kind::Flat
}

/// The place of an entry, counted from the end if negative.
fn place(ty: ArrayType, index: i64, size: usize) -> Fallible<usize> {
    let place = if index < 0 { index + size as i64 } else { index };
    let inside = usize::try_from(place).ok().filter(|&place| place < size);
    inside.ok_or_else(|| failure(Error::OutOfBounds { ty, index, size }))
}

fn is_number(key: &Bound<'_, PyAny>) -> bool {
    key.is_instance_of::<PyInt>() && !key.is_instance_of::<PyBool>()
}

/// The entries as objects: numbers of a flat array.
pub(super) fn entries<'py>(this: &Bound<'py, DrjitArray>) -> Fallible<Vec<Py<PyAny>>> {
    let py = this.py();
    let x = this.borrow().value(py)?;
    match x.ty().kind() {
        Kind::Flat => {
            let numbers = evaluated(py, || x.to_scalars())?;
            numbers.into_iter().map(|number| Ok(value::to_python(py, number)?.unbind())).collect()
        }
        Kind::Tensor => (0..x.len() as i64).map(|index| object(py, x.get(index).map_err(failure)?)).collect(),
        _ => (0..x.len()).map(|index| DrjitArray::part(this, index)).collect(),
    }
}

/// What an expression in brackets chooses of a tensor.
pub(super) fn slices(ty: ArrayType, key: &Bound<'_, PyAny>) -> Fallible<Vec<Slice>> {
    let one = |key: Bound<'_, PyAny>| -> Fallible<Slice> {
        if key.is_none() {
            return Ok(Slice::NewAxis);
        }
        if key.is_instance_of::<PyEllipsis>() {
            return Ok(Slice::Ellipsis);
        }
        if is_number(&key) {
            return Ok(Slice::Entry(key.extract()?));
        }
        if key.is_instance_of::<PySlice>() {
            let part = |name: &str| key.getattr(name)?.extract::<Option<i64>>();
            return Ok(Slice::Range {
                start: part("start")?,
                stop: part("stop")?,
                step: part("step")?.unwrap_or(1),
            });
        }
        if key.is_instance_of::<DrjitArray>() {
            return Ok(Slice::Entries(array(&key)?));
        }
        let chosen = arg(&key)?;
        let index = ArrayType::flat(ty.package(), ivy_drjit::VarType::Int64);
        Ok(Slice::Entries(index.make(chosen).map_err(failure)?))
    };
    match key.cast::<PyTuple>() {
        Ok(keys) => keys.iter().map(one).collect(),
        Err(_) => Ok(vec![one(key.clone())?]),
    }
}

fn is_mask(x: &AnyArray, key: &Bound<'_, PyAny>) -> bool {
    let tensor = x.ty().kind() == Kind::Tensor;
    let mask = key.cast::<DrjitArray>().ok().and_then(|key| key.borrow().value(key.py()).ok());
    mask.is_some_and(|mask| mask.ty().is_mask_v() && !(tensor && mask.ty().kind() != Kind::Tensor))
        || key.is_instance_of::<PyBool>()
}

pub(super) fn get(this: &Bound<'_, DrjitArray>, key: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
    let py = this.py();
    let x = this.borrow().value(py)?;
    if is_mask(&x, key) {
        // The mask says where a write to the copy goes: `x[mask] += y`.
        return object(py, x);
    }
    if x.ty().kind() == Kind::Tensor {
        let slices = slices(x.ty(), key)?;
        return object(py, here(py, || ivy_drjit::slice(&x, &slices))?);
    }
    if is_number(key) {
        let place = place(x.ty(), key.extract()?, x.len())?;
        return match is_vector(x.ty()) {
            true => Ok(value::to_python(py, evaluated(py, || x.item(place as i64))?)?.unbind()),
            false => DrjitArray::part(this, place),
        };
    }
    if let Ok(keys) = key.cast::<PyTuple>() {
        return nested(this, keys);
    }
    if is_vector(x.ty()) {
        return object(py, here(py, || by_numbers(&x, slices(x.ty(), key)))?);
    }
    if key.is_instance_of::<PySlice>() {
        let (start, count, step) = range(key, x.len())?;
        let chosen: Vec<AnyArray> =
            (0..count).map(|i| x.entries()[(start + i * step) as usize].clone()).collect();
        let entry =
            x.ty().entry().ok_or_else(|| failure(Error::NotSupported { function: "slice", ty: x.ty() }))?;
        // Up to four entries are a type of their own.
        let size = match u8::try_from(count) {
            Ok(count) if count <= 4 => ivy_drjit::Size::Fixed(count),
            _ => ivy_drjit::Size::Dynamic,
        };
        let sizes: Vec<_> = [size].into_iter().chain(entry.sizes().iter().copied()).collect();
        let ty = ArrayType::nested(entry.package(), Kind::Array, &sizes, entry.dtype());
        let ty = ty.ok_or_else(|| failure(Error::NotSupported { function: "slice", ty: x.ty() }))?;
        return object(py, AnyArray::from_parts(ty, chosen).map_err(failure)?);
    }
    type_error(format!(
        "{}: entries are chosen by numbers, slices and masks, not '{}'",
        x.ty(),
        key.get_type().name()?
    ))
}

/// Entries of a flat array by what is chosen along its one axis.
fn by_numbers(x: &AnyArray, slices: Fallible<Vec<Slice>>) -> ivy_drjit::Result<AnyArray> {
    let slices = slices.map_err(|error| {
        let value = PyErr::from(error).to_string();
        Error::InvalidArgument {
            function: "slice",
            argument: "the index",
            value,
            rule: "integers, a slice or a mask",
        }
    })?;
    let tensor = x.cast_to(x.ty().tensor_t())?;
    ivy_drjit::slice(&tensor, &slices)?.cast_to(x.ty())
}

/// Where a slice begins, how many entries it has, and how far apart they are.
fn range(key: &Bound<'_, PyAny>, len: usize) -> Fallible<(i64, i64, i64)> {
    let slice = key.cast::<PySlice>()?;
    let found = slice.indices(len as isize)?;
    Ok((found.start as i64, found.slicelength as i64, found.step as i64))
}

/// Sets the entries of a slice: each to its own value, or all to one.
fn set_range(
    this: &Bound<'_, DrjitArray>,
    key: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    len: usize,
) -> Fallible<()> {
    let (start, count, step) = range(key, len)?;
    let nested = new.cast::<DrjitArray>().is_ok_and(|own| own.borrow().ty().depth() > 0);
    let each = match value::items(new) {
        Some(items) => Some(items?),
        None if nested => Some(new.try_iter()?.collect::<PyResult<Vec<_>>>()?),
        None => None,
    };
    if each.as_ref().is_some_and(|each| each.len() != count as usize) {
        let text = format!("{count} entries are set to {} values", each.map_or(0, |each| each.len()));
        return Err(raise("DrjitValueError", text));
    }
    for i in 0..count {
        let value = each.as_ref().map_or(new, |each| &each[i as usize]);
        DrjitArray::set_part(this, (start + i * step) as usize, value)?;
    }
    Ok(())
}

/// An entry of an entry, and so on.
fn nested(this: &Bound<'_, DrjitArray>, keys: &Bound<'_, PyTuple>) -> Fallible<Py<PyAny>> {
    let mut level = this.clone().into_any();
    for key in keys.iter() {
        level = level.get_item(key)?;
    }
    Ok(level.unbind())
}

pub(super) fn set(
    this: &Bound<'_, DrjitArray>,
    key: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
) -> Fallible<()> {
    let py = this.py();
    let mut x = this.borrow().value(py)?;
    if is_mask(&x, key) {
        let (mask, new) = (arg(key)?, arg(new)?);
        here(py, || x.set_where(mask, new))?;
        return DrjitArray::set(this, x);
    }
    if x.ty().kind() == Kind::Tensor {
        let (slices, new) = (slices(x.ty(), key)?, arg(new)?);
        here(py, || ivy_drjit::set_slice(&mut x, &slices, new))?;
        return DrjitArray::set(this, x);
    }
    if is_number(key) {
        let place = place(x.ty(), key.extract()?, x.len())?;
        if !is_vector(x.ty()) {
            return DrjitArray::set_part(this, place, new);
        }
        let new = arg(new)?;
        here(py, || x.set(place as i64, new))?;
        return DrjitArray::set(this, x);
    }
    if let Ok(keys) = key.cast::<PyTuple>() {
        return match keys.iter().collect::<Vec<_>>().split_last() {
            Some((last, first)) => {
                let mut level = this.clone().into_any();
                for key in first {
                    level = level.get_item(key)?;
                }
                Ok(level.set_item(last, new)?)
            }
            None => type_error("an index without entries"),
        };
    }
    if !is_vector(x.ty()) && key.is_instance_of::<PySlice>() {
        return set_range(this, key, new, x.len());
    }
    if is_vector(x.ty()) {
        let (slices, new) = (slices(x.ty(), key)?, arg(new)?);
        let ty = x.ty();
        let mut tensor = here(py, || x.cast_to(ty.tensor_t()))?;
        here(py, || ivy_drjit::set_slice(&mut tensor, &slices, ty.make(new)?.cast_to(ty.tensor_t())?))?;
        return DrjitArray::set(this, tensor.cast_to(ty).map_err(failure)?);
    }
    Err(raise("DrjitTypeError", format!("{}: entries are set by numbers and masks", x.ty())))
}
