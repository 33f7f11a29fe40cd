//! Places of elements, choices, and reads at positions.

use super::support::{
    Out, array, axis, core, cut, default_int, dtype, entries, full_slice, get, ints, is_weak, items, operand,
    places, product, raveled, repeated, set, shape, weakly,
};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// The places of what is not zero, an array an axis: those in the flat array, counted along the axes.
pub(crate) fn places_of(call: &Call<'_>, x: &Value<'_>) -> Out {
    let flat = match core!(call, "nonzero", &raveled(call, x)?)? {
        Value::Tuple(mut found) => found.pop().unwrap_or(Value::None),
        one => one,
    };
    along_axes(call, places(call, flat)?, &shape(call, x)?).map(Value::Tuple)
}

/// Places in a flat array as places along the axes of a shape.
fn along_axes(call: &Call<'_>, flat: Value<'static>, lengths: &[i64]) -> Result<Vec<Value<'static>>> {
    let mut rest = flat;
    let mut found = Vec::new();
    for &length in lengths.iter().rev() {
        found.push(core!(call, "remainder", &rest, length)?);
        rest = core!(call, "floor_divide", &rest, length)?;
    }
    found.reverse();
    Ok(found)
}

/// The places where an array of one axis is true.
pub(crate) fn true_places(call: &Call<'_>, x: &Value<'_>) -> Out {
    match places_of(call, x)? {
        Value::Tuple(mut found) if found.len() == 1 => Ok(found.remove(0)),
        other => Ok(other),
    }
}

/// The first `size` elements of one axis, with a value after them where there are fewer.
pub(crate) fn sized(call: &Call<'_>, x: &Value<'_>, size: Option<i64>, fill: &Value<'_>) -> Out {
    let Some(size) = size else { return Ok(x.clone().into_owned()) };
    let have = shape(call, x)?[0];
    if size <= have {
        return cut(call, x, 0, 0, size.max(0));
    }
    let mut more = shape(call, x)?;
    more[0] = size - have;
    let fill = core!(call, "astype", &array(call, fill)?, dtype(call, x)?)?;
    let more = core!(call, "broadcast_to", &fill, ints(more))?;
    core!(call, "concat", vec![x.clone().into_owned(), more])
}

pub(crate) fn optional(call: &Call<'_>, i: usize) -> Result<Option<i64>> {
    if call.value(i).is_none() { Ok(None) } else { call.int(i).map(Some) }
}

fn or_zero<'a>(value: &'a Value<'a>) -> Value<'a> {
    if value.is_none() { Value::Int(0) } else { value.borrowed() }
}

/// `nonzero(a, size, fill_value)`
pub(crate) fn nonzero(call: &mut Call<'_>) -> Out {
    let a = Value::from(call.array(0)?);
    if shape(call, &a)?.is_empty() {
        return Err(call.refuse(
            Fault::Value,
            "a",
            Some(&a),
            "nonzero of an array without axes is not there",
        ));
    }
    let size = optional(call, 1)?;
    let Value::Tuple(found) = places_of(call, &a)? else { return Ok(Value::Tuple(Vec::new())) };
    let fill = |i: usize| match call.value(2).items() {
        Some(all) => all.get(i).map_or(Value::Int(0), Value::borrowed),
        None => or_zero(call.value(2)),
    };
    let sized = found.iter().enumerate().map(|(i, v)| sized(call, v, size, &fill(i)));
    sized.collect::<Result<_>>().map(Value::Tuple)
}

/// `argwhere(a, size, fill_value)`: a row a place.
pub(crate) fn argwhere(call: &mut Call<'_>) -> Out {
    let a = Value::from(call.array(0)?);
    if shape(call, &a)?.is_empty() {
        let some = array(call, &core!(call, "not_equal", &a, 0)?)?.to_scalar()?.to_bool();
        return core!(call, "zeros", ints([i64::from(some), 0]); dtype: default_int());
    }
    let size = optional(call, 1)?;
    let Value::Tuple(found) = places_of(call, &a)? else { return Ok(Value::Tuple(Vec::new())) };
    let fill = or_zero(call.value(2));
    let sized = found.iter().map(|v| sized(call, v, size, &fill)).collect::<Result<Vec<_>>>()?;
    core!(call, "stack", sized; axis: 1)
}

/// `where_(condition, x, y, size, fill_value)`
pub(crate) fn where_(call: &mut Call<'_>) -> Out {
    match (call.value(1), call.value(2)) {
        (Value::None, Value::None) => {
            let condition = call.value(0).clone().into_owned();
            let (size, fill) = (call.value(3).clone().into_owned(), call.value(4).clone().into_owned());
            nonzero(&mut call.inner(&["condition", "size", "fill_value"], vec![condition, size, fill]))
        }
        (Value::None, _) | (_, Value::None) => {
            Err(call.refuse(Fault::Type, "x", None, "either both or neither of x and y are given"))
        }
        (x, y) => {
            let condition = core!(call, "not_equal", &call.array(0)?, 0)?;
            core!(call, "where", &condition, x, y)
        }
    }
}

/// `select(condlist, choicelist, default)`: the first choice whose condition is true.
pub(crate) fn select(call: &mut Call<'_>) -> Out {
    let (conditions, choices) = (items(call, 0, "condlist")?, items(call, 1, "choicelist")?);
    if conditions.is_empty() || conditions.len() != choices.len() {
        let rule = "as many conditions as choices are needed, and at least one";
        return Err(call.refuse(Fault::Value, "condlist", None, rule));
    }
    let mut out = core!(call, "result_type", choices.to_vec())
        .and_then(|common| core!(call, "astype", &array(call, call.value(2))?, &common))?;
    out = weakly(out, choices.iter().chain([call.value(2)]).all(is_weak));
    for (condition, choice) in conditions.iter().zip(choices).rev() {
        out = core!(call, "where", condition, choice, &out)?;
    }
    Ok(out)
}

/// Positions brought into the range of a length: by wrapping or by clipping.
fn ranged(call: &Call<'_>, positions: &Value<'_>, length: i64, mode: &str) -> Out {
    match mode {
        "wrap" => core!(call, "remainder", positions, length),
        _ => core!(call, "clip", positions, 0, length - 1),
    }
}

/// `choose(a, choices, mode)`
pub(crate) fn choose(call: &mut Call<'_>) -> Out {
    let a = Value::from(call.array(0)?);
    let given = entries(call, 1, "choices")?;
    let Some(first) = given.first() else {
        return Err(call.refuse(Fault::Value, "choices", None, "invalid entry in choice array"));
    };
    let count = given.len() as i64;
    let mode = call.text(2)?.to_string();
    if mode == "raise" {
        let fits = core!(call, "all", &core!(call, "equal", &ranged(call, &a, count, "clip")?, &a)?)?;
        if !array(call, &fits)?.to_scalar()?.to_bool() {
            return Err(call.refuse(Fault::Value, "a", Some(&a), "invalid entry in choice array"));
        }
    }
    let place = ranged(call, &a, count, &mode)?;
    let mut out = first.clone();
    for (i, choice) in given.iter().enumerate().skip(1) {
        out = core!(call, "where", &core!(call, "equal", &place, i)?, choice, &out)?;
    }
    let common = core!(call, "result_type", given)?;
    core!(call, "astype", &out, &common)
}

/// What reads beyond the range give: the nearest element, one counted on from the other end, or a value.
enum Beyond {
    Clip,
    Wrap,
    Fill,
}

fn beyond(call: &Call<'_>, i: usize) -> Result<Beyond> {
    Ok(match call.value(i) {
        Value::None => Beyond::Fill,
        given => match given.as_text() {
            Some("clip") => Beyond::Clip,
            Some("wrap") => Beyond::Wrap,
            Some("fill" | "drop") => Beyond::Fill,
            Some("promise_in_bounds") => Beyond::Clip,
            _ => return Err(call.refuse(Fault::Value, "mode", Some(given), "clip, wrap or fill is needed")),
        },
    })
}

/// The value that stands for what is not there: NaN, the least of signed and the greatest of unsigned integers, true.
fn missing(call: &Call<'_>, dtype: Dtype, given: &Value<'_>) -> Out {
    let value = match given {
        Value::None if dtype.is_float() || dtype.is_complex() => Value::Float(f64::NAN),
        Value::None if dtype.is_bool() => Value::Bool(true),
        Value::None => {
            let info = ivy_core::iinfo(dtype)?;
            if info.min < 0 { Value::Int(info.min) } else { Value::Int(info.max) }
        }
        other => other.borrowed(),
    };
    Ok(call.make_array(&value, Some(dtype))?.into())
}

/// Positions that may be negative as positions from the front, and where they are in the range.
fn counted(call: &Call<'_>, positions: &Value<'_>, length: i64) -> Result<(Value<'static>, Value<'static>)> {
    let negative = core!(call, "less", positions, 0)?;
    let front = core!(call, "where", &negative, &core!(call, "add", positions, length)?, positions)?;
    let fits = core!(
        call,
        "logical_and",
        &core!(call, "greater_equal", &front, 0)?,
        &core!(call, "less", &front, length)?
    )?;
    let near = core!(call, "clip", &front, 0, (length - 1).max(0))?;
    Ok((near, fits))
}

fn whole_numbers(call: &Call<'_>, i: usize, name: &str) -> Result<Value<'static>> {
    let positions = call.array(i)?;
    if !positions.dtype().is_int() {
        let rule = "whole numbers are needed";
        return Err(call.refuse(Fault::Type, name, Some(&(&positions).into()), rule));
    }
    core!(call, "astype", &positions, Dtype::INT64)
}

/// `take(a, indices, axis, mode, fill_value)`
pub(crate) fn take(call: &mut Call<'_>) -> Out {
    let a = operand(call, 0)?;
    let (a, along) = match call.value(2) {
        Value::None => (raveled(call, &a)?, 0),
        _ => {
            let ndim = shape(call, &a)?.len();
            (a, axis(call, call.int(2)?, ndim)?)
        }
    };
    let lengths = shape(call, &a)?;
    let positions = whole_numbers(call, 1, "indices")?;
    let shape_of = shape(call, &positions)?;
    let flat = raveled(call, &positions)?;
    let (near, fits) = match beyond(call, 3)? {
        Beyond::Wrap => (ranged(call, &flat, lengths[along], "wrap")?, None),
        Beyond::Clip => (counted_clip(call, &flat, lengths[along])?, None),
        Beyond::Fill => {
            let (near, fits) = counted(call, &flat, lengths[along])?;
            (near, Some(fits))
        }
    };
    let mut taken = core!(call, "take", &a, &near; axis: along)?;
    if let Some(fits) = fits {
        let column = (0..lengths.len()).map(|i| if i == along { -1i64 } else { 1 });
        let fits = core!(call, "reshape", &fits, ints(column))?;
        let missing = weakly(missing(call, dtype(call, &a)?, call.value(4))?, is_weak(&a));
        taken = core!(call, "where", &fits, &taken, &missing)?;
    }
    let result = lengths[..along].iter().chain(&shape_of).chain(&lengths[along + 1..]);
    core!(call, "reshape", &taken, ints(result.copied()))
}

/// Positions in the range: those below 0 are the first one.
fn counted_clip(call: &Call<'_>, positions: &Value<'_>, length: i64) -> Out {
    core!(call, "clip", positions, 0, (length - 1).max(0))
}

/// `take_along_axis(arr, indices, axis, mode, fill_value)`
pub(crate) fn take_along_axis(call: &mut Call<'_>) -> Out {
    let positions = whole_numbers(call, 1, "indices")?;
    let (a, along) = match call.value(2) {
        Value::None => (raveled(call, &call.array(0)?.into())?, 0),
        _ => {
            let a = Value::from(call.array(0)?);
            let ndim = shape(call, &a)?.len();
            (a, axis(call, call.int(2)?, ndim)?)
        }
    };
    let (mut lengths, mut wanted) = (shape(call, &a)?, shape(call, &positions)?);
    if lengths.len() != wanted.len() {
        let rule = "indices and arr need as many dimensions";
        return Err(call.refuse(Fault::Value, "indices", Some(&positions), rule));
    }
    let length = lengths[along];
    // Both broadcast to one shape, but for the axis.
    for i in (0..lengths.len()).filter(|&i| i != along) {
        let both = if lengths[i] == 1 { wanted[i] } else { lengths[i] };
        (lengths[i], wanted[i]) = (both, if wanted[i] == 1 { both } else { wanted[i] });
    }
    let a = core!(call, "broadcast_to", &a, ints(lengths))?;
    let positions = core!(call, "broadcast_to", &positions, ints(wanted))?;
    let (near, fits) = match beyond(call, 3)? {
        Beyond::Wrap => (ranged(call, &positions, length, "wrap")?, None),
        Beyond::Clip => (counted_clip(call, &positions, length)?, None),
        Beyond::Fill => {
            let (near, fits) = counted(call, &positions, length)?;
            (near, Some(fits))
        }
    };
    let taken = core!(call, "take_along_axis", &a, &near; axis: along)?;
    match fits {
        None => Ok(taken),
        Some(fits) => core!(call, "where", &fits, &taken, &missing(call, dtype(call, &a)?, call.value(4))?),
    }
}

/// The refusal of functions that write to their argument, where `inplace` is not false.
fn immutable(call: &Call<'_>, inplace: &Value<'_>) -> Result<()> {
    if matches!(inplace, Value::Bool(false)) {
        return Ok(());
    }
    let rule = "arrays are immutable: pass inplace=False, and take the array that is given back";
    Err(call.refuse(Fault::Value, "inplace", Some(inplace), rule))
}

/// `put_along_axis(arr, indices, values, axis, inplace, mode)`
pub(crate) fn put_along_axis(call: &mut Call<'_>) -> Out {
    immutable(call, call.value(4))?;
    let a = Value::from(call.array(0)?);
    let positions = whole_numbers(call, 1, "indices")?;
    let values = core!(call, "astype", &call.array(2)?, dtype(call, &a)?)?;
    if call.value(3).is_none() {
        let flat = raveled(call, &a)?;
        let put = core!(call, "put_along_axis", &flat, &raveled(call, &positions)?, &values, 0)?;
        return core!(call, "reshape", &put, ints(shape(call, &a)?));
    }
    core!(call, "put_along_axis", &a, &positions, &values, call.int(3)?)
}

/// `put(a, ind, v, mode, inplace)`: at positions of the flat array; the values go round.
pub(crate) fn put(call: &mut Call<'_>) -> Out {
    immutable(call, call.value(4))?;
    let a = Value::from(call.array(0)?);
    let positions = raveled(call, &whole_numbers(call, 1, "ind")?)?;
    let values = raveled(call, &core!(call, "astype", &call.array(2)?, dtype(call, &a)?)?)?;
    let (lengths, count) = (shape(call, &a)?, shape(call, &positions)?[0]);
    let have = shape(call, &values)?[0];
    if have == 0 || count == 0 {
        return Ok(a);
    }
    let values = repeated(call, &values, count)?;
    let near = match call.value(3).as_text() {
        Some("wrap") => ranged(call, &positions, product(&lengths), "wrap")?,
        Some("clip") => ranged(call, &positions, product(&lengths), "clip")?,
        _ => positions,
    };
    let put = set(call, &raveled(call, &a)?, near, &values)?;
    core!(call, "reshape", &put, ints(lengths))
}

/// `place(arr, mask, vals, inplace)`: where the mask is true, the values in turn.
pub(crate) fn place(call: &mut Call<'_>) -> Out {
    immutable(call, call.value(3))?;
    let a = Value::from(call.array(0)?);
    let mask = core!(call, "not_equal", &raveled(call, &call.array(1)?.into())?, 0)?;
    let values = raveled(call, &core!(call, "astype", &call.array(2)?, dtype(call, &a)?)?)?;
    let (lengths, have) = (shape(call, &a)?, shape(call, &values)?[0]);
    if have == 0 {
        return Err(call.refuse(Fault::Value, "vals", Some(call.value(2)), "must not be empty"));
    }
    let mark = core!(call, "astype", &mask, Dtype::INT64)?;
    let turn = core!(call, "subtract", &core!(call, "cumsum", &mark; axis: 0)?, 1)?;
    let wanted = core!(call, "take", &values, &core!(call, "remainder", &turn, have)?; axis: 0)?;
    let put = core!(call, "where", &mask, &wanted, &raveled(call, &a)?)?;
    core!(call, "reshape", &put, ints(lengths))
}

/// `compress(condition, a, axis, size, fill_value)`
pub(crate) fn compress(call: &mut Call<'_>) -> Out {
    let condition = core!(call, "not_equal", &call.array(0)?, 0)?;
    let a = Value::from(call.array(1)?);
    let (a, along) = match call.value(2) {
        Value::None => (raveled(call, &a)?, 0),
        _ => {
            let ndim = shape(call, &a)?.len();
            (a, axis(call, call.int(2)?, ndim)?)
        }
    };
    let kept = core!(call, "astype", &true_places(call, &condition)?, Dtype::INT64)?;
    let taken = core!(call, "take", &a, &kept; axis: along)?;
    let Some(size) = optional(call, 3)? else { return Ok(taken) };
    if size < 1 || size > shape(call, &a)?[along] {
        let rule = "must be positive, and not greater than the axis";
        return Err(call.refuse(Fault::Value, "size", Some(call.value(3)), rule));
    }
    let front = core!(call, "moveaxis", &taken, along, 0)?;
    core!(call, "moveaxis", &sized(call, &front, Some(size), &or_zero(call.value(4)))?, 0, along)
}

/// `diagonal(a, offset, axis1, axis2)`
pub(crate) fn diagonal(call: &mut Call<'_>) -> Out {
    let a = Value::from(call.array(0)?);
    core!(call, "linalg.diagonal", &planes(call, &a, 2, 3)?; offset: call.int(1)?)
}

/// The array with two of its axes last.
pub(crate) fn planes(call: &Call<'_>, a: &Value<'_>, first: usize, second: usize) -> Out {
    let ndim = shape(call, a)?.len();
    if ndim < 2 {
        return Err(call.refuse(Fault::Value, "a", Some(a), "an array of at least two dimensions is needed"));
    }
    core!(call, "moveaxis", a, ints([call.int(first)?, call.int(second)?]), ints([-2i64, -1]))
}

/// `unravel_index(indices, shape)`, in the dtype of the indices: positions beyond the range are the nearest ones.
pub(crate) fn unravel_index(call: &mut Call<'_>) -> Out {
    let positions = whole_numbers(call, 0, "indices")?;
    let lengths = call.ints(1)?.unwrap_or_default();
    let total = product(&lengths);
    let near = core!(call, "clip", &positions, -total, (total - 1).max(0))?;
    let near = core!(call, "remainder", &near, total.max(1))?;
    let own = dtype(call, call.value(0))?;
    along_axes(call, core!(call, "astype", &near, own)?, &lengths).map(Value::Tuple)
}

/// The part of an array that an index expression reads; positions beyond the range by the mode.
pub(crate) fn read(call: &mut Call<'_>) -> Out {
    let (x, key) = (operand(call, 0)?, call.value(1));
    check_index(call, &x, key)?;
    let Some((along, positions)) = single_positions(call, key) else { return get(call, &x, key.borrowed()) };
    let mode = call.value(2).clone().into_owned();
    let fill = call.value(3).clone().into_owned();
    let names = &["self", "key", "", "mode", "fill_value"];
    let mut taken = call.inner(names, vec![x, positions, Value::Int(along as i128), mode, fill]);
    if taken.value(3).is_none() && !taken.value(4).is_none() {
        return Err(call.refuse(Fault::Value, "fill_value", None, "mode='fill' belongs to it"));
    }
    if taken.value(3).is_none() {
        taken.positional[3] = Value::from("clip");
        return take_near(&mut taken);
    }
    take(&mut taken)
}

/// Refuses what is no index expression of JAX: lists, numbers that are not whole, more entries than axes.
pub(crate) fn check_index(call: &Call<'_>, x: &Value<'_>, key: &Value<'_>) -> Result<()> {
    if matches!(key, Value::List(_) | Value::Float(_) | Value::Complex(_) | Value::Text(_)) {
        let rule = format!("a {} is no index: make an array of whole numbers of it", key.kind());
        return Err(call.refuse(Fault::Type, "index", Some(key), rule));
    }
    let entries = if let Value::Tuple(entries) = key { entries } else { std::slice::from_ref(key) };
    let ndim = shape(call, x)?.len();
    if entries.iter().map(axes_of).sum::<usize>() > ndim {
        let rule = format!("too many indices: there are {ndim} axes");
        return Err(call.refuse(Fault::Index, "index", Some(key), rule));
    }
    Ok(())
}

/// How many axes an entry of an index expression is for.
pub(crate) fn axes_of(entry: &Value<'_>) -> usize {
    match entry {
        Value::None | Value::Ellipsis | Value::Bool(_) => 0,
        Value::Array(a) if a.dtype().is_bool() => a.ndim(),
        _ => 1,
    }
}

/// `take` where positions below 0 count from the end, and what is beyond is the nearest element.
fn take_near(call: &mut Call<'_>) -> Out {
    let length = {
        let lengths = shape(call, call.value(0))?;
        let along = axis(call, call.int(2)?, lengths.len())?;
        lengths[along]
    };
    let positions = core!(call, "astype", &call.array(1)?, Dtype::INT64)?;
    call.positional[1] = counted(call, &positions, length)?.0;
    take(call)
}

/// The axis and the positions of an index expression that is full slices and one array of integers.
fn single_positions(call: &Call<'_>, key: &Value<'_>) -> Option<(usize, Value<'static>)> {
    let entries: &[Value<'_>] = match key {
        Value::Tuple(entries) => entries,
        one => std::slice::from_ref(one),
    };
    let full = |v: &Value<'_>| matches!(v, Value::Slice { start: None, stop: None, step: None });
    let at = entries.iter().position(|v| !full(v))?;
    if !entries[at + 1..].iter().all(full) {
        return None;
    }
    match &entries[at] {
        Value::Array(a) | Value::Weak(a) if a.dtype().is_int() => {
            Some((at, entries[at].clone().into_owned().strong()))
        }
        Value::Int(_) => Some((at, array(call, &entries[at]).ok()?.into())),
        _ => None,
    }
}

/// A key of full slices before an entry.
pub(crate) fn key_at(along: usize, entry: Value<'static>) -> Value<'static> {
    let mut key = vec![full_slice(); along];
    key.push(entry);
    Value::Tuple(key)
}
