//! Slices of `jax.lax`: of fixed bounds, and of starts that are arrays.

use super::support::{Out, array, axes, axis, core, cut, entries, get, ints, operand, set, shape};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// `slice(operand, start_indices, limit_indices, strides)`
pub(crate) fn slice(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let lengths = shape(call, &x)?;
    let list = |i: usize| call.ints(i).map(Option::unwrap_or_default);
    let (starts, limits) = (list(1)?, list(2)?);
    let strides = call.ints(3)?.unwrap_or_else(|| vec![1; lengths.len()]);
    if starts.len() != lengths.len() || limits.len() != lengths.len() || strides.len() != lengths.len() {
        return Err(call.refuse(Fault::Type, "start_indices", None, "an entry for each axis is needed"));
    }
    let part = |i: usize| {
        let (start, stop, step) = (starts[i], limits[i], strides[i]);
        if start < 0 || stop < start || stop > lengths[i] || step < 1 {
            let rule = "0 <= start <= limit <= length and stride >= 1 are needed";
            return Err(call.refuse(Fault::Type, "start_indices", Some(call.value(1)), rule));
        }
        Ok(Value::Slice { start: Some(start), stop: Some(stop), step: Some(step) })
    };
    let key = (0..lengths.len()).map(part).collect::<Result<_>>()?;
    get(call, &x, Value::Tuple(key))
}

/// `slice_in_dim(operand, start_index, limit_index, stride, axis)`
pub(crate) fn slice_in_dim(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let lengths = shape(call, &x)?;
    let along = axis(call, call.int(4)?, lengths.len())?;
    let bound = |i: usize| if call.value(i).is_none() { Ok(None) } else { call.int(i).map(Some) };
    let part = Value::Slice { start: bound(1)?, stop: bound(2)?, step: Some(call.int(3)?) };
    get(call, &x, super::searching::key_at(along, part))
}

/// `index_in_dim(operand, index, axis, keepdims)`
pub(crate) fn index_in_dim(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let lengths = shape(call, &x)?;
    let along = axis(call, call.int(2)?, lengths.len())?;
    let at = call.int(1)?;
    let counted = if at < 0 { at + lengths[along] } else { at };
    if !(0..lengths[along]).contains(&counted) {
        let rule = format!("is out of bounds for an axis of length {}", lengths[along]);
        return Err(call.refuse(Fault::Index, "index", Some(call.value(1)), rule));
    }
    let part = cut(call, &x, along, counted, counted + 1)?;
    if call.flag(3)? { Ok(part) } else { core!(call, "squeeze", &part, along) }
}

/// Starts of a slice: negative ones count from the end, and all are moved so that it fits.
fn fitting(call: &Call<'_>, start: &Value<'_>, length: i64, size: i64) -> Out {
    if size > length || size < 0 {
        let rule = format!("a slice of {size} does not fit into an axis of length {length}");
        return Err(call.refuse(Fault::Type, "slice_sizes", None, rule));
    }
    if let Some(start) = start.as_scalar() {
        let start = start.to_i128() as i64;
        let counted = if start < 0 { start + length } else { start };
        return Ok(counted.clamp(0, length - size).into());
    }
    let start = core!(call, "astype", &array(call, start)?, Dtype::INT64)?;
    let counted =
        core!(call, "where", &core!(call, "less", &start, 0)?, &core!(call, "add", &start, length)?, &start)?;
    core!(call, "clip", &counted, 0, length - size)
}

/// The part of an axis from a start on; the start may be an array without axes.
fn part(call: &Call<'_>, x: &Value<'_>, along: usize, start: &Value<'_>, size: i64) -> Out {
    let length = shape(call, x)?[along];
    match fitting(call, start, length, size)? {
        Value::Int(start) => cut(call, x, along, start as i64, start as i64 + size),
        start => {
            let places = core!(call, "add", &core!(call, "arange", size; dtype: Dtype::INT64)?, &start)?;
            core!(call, "take", x, &places; axis: along)
        }
    }
}

/// The starts of argument `i`, one for each axis.
fn starts(call: &Call<'_>, i: usize, ndim: usize) -> Result<Vec<Value<'static>>> {
    let given = entries(call, i, "start_indices")?;
    if given.len() != ndim {
        return Err(call.refuse(Fault::Type, "start_indices", None, "a start for each axis is needed"));
    }
    Ok(given)
}

/// `dynamic_slice(operand, start_indices, slice_sizes)`
pub(crate) fn dynamic_slice(call: &mut Call<'_>) -> Out {
    let mut x = operand(call, 0)?;
    let sizes = call.ints(2)?.unwrap_or_default();
    let starts = starts(call, 1, shape(call, &x)?.len())?;
    if sizes.len() != starts.len() {
        return Err(call.refuse(
            Fault::Type,
            "slice_sizes",
            Some(call.value(2)),
            "a size for each axis is needed",
        ));
    }
    for (along, (start, &size)) in starts.iter().zip(&sizes).enumerate() {
        x = part(call, &x, along, start, size)?;
    }
    Ok(x)
}

/// `dynamic_slice_in_dim(operand, start_index, slice_size, axis)`
pub(crate) fn dynamic_slice_in_dim(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let along = axis(call, call.int(3)?, shape(call, &x)?.len())?;
    part(call, &x, along, call.value(1), call.int(2)?)
}

/// `dynamic_index_in_dim(operand, index, axis, keepdims)`
pub(crate) fn dynamic_index_in_dim(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let along = axis(call, call.int(2)?, shape(call, &x)?.len())?;
    let one = part(call, &x, along, call.value(1), 1)?;
    if call.flag(3)? { Ok(one) } else { core!(call, "squeeze", &one, along) }
}

/// The array with an update in the place of a part of it.
fn updated(call: &Call<'_>, x: &Value<'_>, update: &Value<'_>, starts: &[Value<'static>]) -> Out {
    let (own, part) = (shape(call, x)?, shape(call, update)?);
    super::lax::one_dtype(call, "dynamic_update_slice", &[x, update])?;
    if own.len() != part.len() {
        let rule = "operand and update must have the same number of dimensions";
        return Err(call.refuse(Fault::Type, "update", Some(update), rule));
    }
    let fitted =
        (0..own.len()).map(|i| fitting(call, &starts[i], own[i], part[i])).collect::<Result<Vec<_>>>()?;
    if fitted.iter().all(|v| matches!(v, Value::Int(_))) {
        let slice = |(start, &size): (&Value<'_>, &i64)| {
            let start = start.as_scalar().map_or(0, |s| s.to_i128() as i64);
            Value::Slice { start: Some(start), stop: Some(start + size), step: None }
        };
        return set(call, x, Value::Tuple(fitted.iter().zip(&part).map(slice).collect()), update);
    }
    // A start that is not known on the host: each axis' positions are an array.
    let positions = |(i, start): (usize, &Value<'static>)| {
        let counted = core!(call, "add", &core!(call, "arange", part[i]; dtype: Dtype::INT64)?, start)?;
        core!(call, "reshape", &counted, ints((0..part.len()).map(|a| if a == i { -1i64 } else { 1 })))
    };
    let key = fitted.iter().enumerate().map(positions).collect::<Result<_>>()?;
    set(call, x, Value::Tuple(key), update)
}

/// `dynamic_update_slice(operand, update, start_indices)`
pub(crate) fn dynamic_update_slice(call: &mut Call<'_>) -> Out {
    let (x, update) = (Value::from(call.array(0)?), Value::from(call.array(1)?));
    let starts = starts(call, 2, shape(call, &x)?.len())?;
    updated(call, &x, &update, &starts)
}

/// The starts of a slice along one axis.
fn along_one(ndim: usize, along: usize, start: &Value<'_>) -> Vec<Value<'static>> {
    (0..ndim).map(|a| if a == along { start.clone().into_owned() } else { Value::Int(0) }).collect()
}

/// `dynamic_update_slice_in_dim(operand, update, start_index, axis)`
pub(crate) fn dynamic_update_slice_in_dim(call: &mut Call<'_>) -> Out {
    let (x, update) = (Value::from(call.array(0)?), Value::from(call.array(1)?));
    let ndim = shape(call, &x)?.len();
    let along = axis(call, call.int(3)?, ndim)?;
    updated(call, &x, &update, &along_one(ndim, along, call.value(2)))
}

/// `dynamic_update_index_in_dim(operand, update, index, axis)`: the update may lack the axis.
pub(crate) fn dynamic_update_index_in_dim(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let mut update = Value::from(call.array(1)?);
    let ndim = shape(call, &x)?.len();
    let along = axis(call, call.int(3)?, ndim)?;
    if shape(call, &update)?.len() + 1 == ndim {
        update = core!(call, "expand_dims", &update, along)?;
    }
    updated(call, &x, &update, &along_one(ndim, along, call.value(2)))
}

/// `index_take(src, idxs, axes)`: the elements at positions of several axes.
pub(crate) fn index_take(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let ndim = shape(call, &x)?.len();
    let (positions, along) = (call.arrays(1)?, axes(call, 2, ndim)?);
    if positions.len() != along.len() {
        return Err(call.refuse(
            Fault::Type,
            "axes",
            Some(call.value(2)),
            "an axis for each array is needed",
        ));
    }
    let front = core!(call, "moveaxis", &x, ints(along.iter().copied()), ints(0..along.len()))?;
    let key = positions.into_iter().map(Value::from).collect();
    get(call, &front, Value::Tuple(key))
}
