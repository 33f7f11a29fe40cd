//! Shapes.

use super::creation::zeros;
use super::help::{Out, axis_in, flat, lengths, shape_of, value_error};
use ivy_core::functional as f;
use ivy_core::{Array, Result};
use ivy_frontend::{Call, Value};

/// An array, its new shape and the order of the elements.
pub fn reshape(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let shape = call.ints(1)?.unwrap_or_default();
    match call.text(2)? {
        "C" | "A" | "K" => Ok(f::reshape(&x, shape, ())?.into()),
        "F" => {
            let turned = f::reshape(turn(&x)?, shape.into_iter().rev().collect::<Vec<i64>>(), ())?;
            Ok(turn(&turned)?.into())
        }
        other => Err(value_error(
            call,
            "order",
            format!("order must be one of 'C', 'F', 'A', or 'K' (got '{other}')"),
        )),
    }
}

/// The axes in turned order.
pub(super) fn turn(x: &Array) -> Result<Array> {
    f::permute_dims(x, (0..x.ndim() as i64).rev().collect::<Vec<i64>>())
}

/// An array without axes of length 1: all of them, or those that are named.
pub fn squeeze(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let axes = match call.ints(1)? {
        Some(axes) => axes,
        None => (0..x.ndim()).filter(|&a| x.shape()[a] == 1).map(|a| a as i64).collect(),
    };
    if axes.is_empty() {
        return Ok(x.into());
    }
    for &axis in &axes {
        if x.shape()[axis_in(call, axis, x.ndim())?] != 1 {
            let rule = "cannot select an axis to squeeze out which has size not equal to one";
            return Err(value_error(call, "axis", rule));
        }
    }
    Ok(f::squeeze(&x, axes)?.into())
}

/// How many elements there are along axes.
pub fn size(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let mut size = 1;
    for axis in call.ints(1)?.unwrap_or_default() {
        size *= x.shape()[axis_in(call, axis, x.ndim())?];
    }
    Ok(size.into())
}

/// The elements over and over in a new shape.
pub fn resize(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let numbers = call.ints(1)?.unwrap_or_default();
    if numbers.iter().any(|&d| d < 0) {
        return Err(value_error(call, "new_shape", "all elements of `new_shape` must be non-negative"));
    }
    let shape = shape_of(call, &numbers)?;
    let size = shape.checked_size("resize", x.dtype())?;
    if x.size() == 0 || size == 0 {
        return Ok(zeros(&shape, x.dtype())?.into());
    }
    let places = f::remainder(f::arange(size as i64, ())?, x.size() as i64)?;
    let found = f::take(flat(&x)?, places, f::Take::new().axis(0))?;
    Ok(f::reshape(found, lengths(&shape), ())?.into())
}

/// How far an array is turned, along each of its axes: integers of any size.
fn shifts_of(call: &Call<'_>, value: &Value<'_>) -> Result<Vec<i128>> {
    match value {
        Value::Int(i) => Ok(vec![*i]),
        Value::Float(x) => Ok(vec![*x as i128]),
        Value::Array(x) if x.ndim() < 2 && x.dtype().is_int() => {
            let host = x.to_host()?;
            (0..x.size()).map(|i| Ok(host.scalar_at(i)?.to_i128())).collect()
        }
        value => match value.items() {
            Some(items) => Ok(items.iter().map(|i| shifts_of(call, i)).collect::<Result<Vec<_>>>()?.concat()),
            None => Ok(call.ints(1)?.unwrap_or_default().into_iter().map(i128::from).collect()),
        },
    }
}

/// The sum of two shifts along an axis of a length.
fn within(a: i64, b: i128, length: usize) -> i64 {
    let length = length.max(1) as i128;
    ((i128::from(a) + b.rem_euclid(length)) % length) as i64
}

/// An array, how far it is turned, and along which axes; a shift or an axis may stand for several.
pub fn roll(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let mut shifts = shifts_of(call, call.value(1))?;
    let Some(mut axes) = call.ints(2)? else {
        let sum = shifts.iter().fold(0, |sum, &shift| within(sum, shift, x.size()));
        let turned = f::roll(flat(&x)?, sum, f::Roll::new().axis(0))?;
        return Ok(f::reshape(turned, lengths(x.shape()), ())?.into());
    };
    let longest = shifts.len().max(axes.len());
    if let [one] = shifts[..] {
        shifts = vec![one; longest];
    }
    if let [one] = axes[..] {
        axes = vec![one; longest];
    }
    if shifts.len() != axes.len() {
        return Err(value_error(
            call,
            "shift",
            "'shift' and 'axis' should be scalars or 1D sequences of one length",
        ));
    }
    let mut by = vec![0; x.ndim()];
    for (shift, axis) in shifts.into_iter().zip(axes) {
        let axis = axis_in(call, axis, x.ndim())?;
        by[axis] = within(by[axis], shift, x.shape()[axis]);
    }
    let all: Vec<i64> = (0..x.ndim() as i64).collect();
    Ok(f::roll(&x, by, f::Roll::new().axis(all))?.into())
}

/// An array, an axis, and before which axis it is put.
pub fn rollaxis(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let ndim = x.ndim() as i64;
    let axis = axis_in(call, call.int(1)?, x.ndim())? as i64;
    let given = call.int(2)?;
    let start = if given < 0 { given + ndim } else { given };
    if !(0..=ndim).contains(&start) {
        let rule =
            format!("'start' arg requires {} <= start < {}, but {given} was passed in", -ndim, ndim + 1);
        return Err(call.refuse(ivy_frontend::Fault::Axis, "start", Some(&Value::from(given)), rule));
    }
    let to = if axis < start { start - 1 } else { start };
    Ok(f::moveaxis(&x, axis, to)?.into())
}
