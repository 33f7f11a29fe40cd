//! Elements left out and put in.

use super::help::{
    Out, at_least_one, axis_in, cut, flat, integers, ints_beside, lengths, occurs, over, value_error,
};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, Flip, Take};
use ivy_core::{Array, Result};
use ivy_frontend::{Call, Fault, Value};

/// Whether a value is an array, or a list, of truth values.
fn is_mask(call: &Call<'_>, value: &Value<'_>) -> Result<bool> {
    Ok(match value {
        Value::Array(mask) => mask.dtype().is_bool(),
        Value::List(items) if !items.is_empty() => call.to_array(value)?.dtype().is_bool(),
        _ => false,
    })
}

/// The places on an axis that an index expression names: of a number, a slice, or a list, and whether it is one number.
fn places(call: &Call<'_>, i: usize, length: usize, past: bool) -> Result<(Vec<i64>, bool)> {
    let limit = length as i64 + i64::from(past);
    let (list, single) = match call.value(i) {
        Value::Slice { start, stop, step } => {
            (sliced(*start, *stop, step.unwrap_or(1), length as i64), false)
        }
        Value::Bool(_) => {
            let rule = "a boolean obj must be an array of one dimension";
            return Err(value_error(call, "obj", rule));
        }
        value if is_mask(call, value)? => {
            let mask = call.array(i)?;
            if mask.ndim() != 1 || mask.size() != length && !past {
                let rule = format!(
                    "boolean array argument obj must be one dimensional and match the axis length of {length}"
                );
                return Err(value_error(call, "obj", rule));
            }
            (integers(&f::nonzero(flat(&mask)?)?[0])?, false)
        }
        _ => {
            let x = call.array(i)?;
            let single = x.ndim() == 0;
            // A list without entries has no dtype that was meant.
            if !x.dtype().is_int() && (x.size() > 0 || call.value(i).as_array().is_some()) {
                let rule = "arrays used as indices must be of integer (or boolean) type";
                return Err(call.refuse(Fault::Index, "obj", None, rule));
            }
            let list = if x.size() == 0 { Vec::new() } else { integers(&flat(&x)?)? };
            (list, single)
        }
    };
    let placed = |at: i64| -> Result<i64> {
        let place = if at < 0 { at + length as i64 } else { at };
        if (0..limit).contains(&place) {
            return Ok(place);
        }
        let rule = format!("index {at} is out of bounds for an axis with size {length}");
        Err(call.refuse(Fault::Index, "obj", Some(&Value::from(at)), rule))
    };
    Ok((list.into_iter().map(placed).collect::<Result<_>>()?, single))
}

/// The places of a slice, as Python counts them.
fn sliced(start: Option<i64>, stop: Option<i64>, step: i64, length: i64) -> Vec<i64> {
    let (low, high) = if step < 0 { (-1, length - 1) } else { (0, length) };
    let bound = |b: Option<i64>, missing: i64| match b {
        None => missing,
        Some(b) => (if b < 0 { b + length } else { b }).clamp(low, high),
    };
    let (mut at, stop) = match step < 0 {
        true => (bound(start, length - 1), bound(stop, -1)),
        false => (bound(start, 0), bound(stop, length)),
    };
    let mut list = Vec::new();
    while step != 0 && (if step > 0 { at < stop } else { at > stop }) {
        list.push(at);
        at += step;
    }
    list
}

/// The array and the axis of an edit: all elements along one axis for `None`.
fn along(call: &Call<'_>, i: usize) -> Result<(Array, usize)> {
    let x = call.array(0)?;
    if call.value(i).is_none() {
        return Ok((flat(&x)?, 0));
    }
    let axis = axis_in(call, call.int(i)?, x.ndim())?;
    Ok((x, axis))
}

/// `arr obj axis`
pub fn delete(call: &mut Call<'_>) -> Out {
    let (x, axis) = along(call, 2)?;
    let (gone, _) = places(call, 1, x.shape()[axis], false)?;
    let left = (0..x.shape()[axis] as i64).filter(|i| !gone.contains(i)).collect();
    Ok(f::take(&x, ints_beside(&x, left)?, Take::new().axis(axis as i64))?.into())
}

/// `arr obj values axis`
pub fn insert(call: &mut Call<'_>) -> Out {
    let (x, axis) = along(call, 3)?;
    let length = x.shape()[axis];
    let (mut at, single) = places(call, 1, length, true)?;
    let mut values = f::astype(call.array(2)?, x.dtype())?;
    if at.len() == 1 {
        // One place takes as many values as there are along the axis; for a number that is their first axis.
        values = with_axes(values, x.ndim())?;
        if single {
            values = f::moveaxis(values, 0, axis as i64)?;
        }
        at = vec![at[0]; values.shape()[axis]];
    }
    if at.is_empty() {
        return Ok(x.into());
    }
    let mut shape = lengths(x.shape());
    shape[axis] = at.len() as i64;
    let values = f::broadcast_to(values, super::help::shape_of(call, &shape)?)?;
    // Each value stands before the element at its place, in the order given.
    let mut order: Vec<(i64, usize)> = at.into_iter().zip(length..).collect();
    order.extend((0..length).map(|i| (i as i64, usize::MAX - length + i)));
    order.sort_by_key(|&(place, number)| (place, number));
    let source =
        |(place, number): (i64, usize)| if number < usize::MAX - length { number as i64 } else { place };
    let list = order.into_iter().map(source).collect();
    let both = f::concat([&x, &values], Concat::new().axis(axis as i64))?;
    Ok(f::take(&both, ints_beside(&x, list)?, Take::new().axis(axis as i64))?.into())
}

fn with_axes(x: Array, ndim: usize) -> Result<Array> {
    let shape = std::iter::repeat_n(1, ndim.saturating_sub(x.ndim())).chain(lengths(x.shape()));
    f::reshape(&x, shape.collect::<Vec<i64>>(), ())
}

/// `filt trim axis`: without the zeros at the ends of axes.
pub fn trim_zeros(call: &mut Call<'_>) -> Out {
    let x = at_least_one(call.array(0)?)?;
    let trim = call.text(1)?.to_lowercase();
    if !matches!(trim.as_str(), "f" | "b" | "fb" | "bf") {
        return Err(value_error(call, "trim", format!("unexpected character(s) in `trim`: '{trim}'")));
    }
    let axes = super::help::axes_in(call, call.ints(2)?, x.ndim())?;
    let mut found = x.clone();
    for axis in axes {
        let others: Vec<usize> = (0..x.ndim()).filter(|&a| a != axis).collect();
        let params = over(Some(super::help::axes(&others)), false);
        let filled = f::any(f::not_equal(&found, 0), params)?;
        let length = filled.size() as i64;
        let (first, last) = match occurs(Ok(filled.clone()))? {
            true => (first_of(&filled)?, length - first_of(&f::flip(&filled, Flip::new())?)?),
            // Nothing is left.
            false if trim.contains('f') => (length, length),
            false => (0, 0),
        };
        let start = if trim.contains('f') { first } else { 0 };
        let stop = if trim.contains('b') { last } else { length };
        if let (1, Some(entries)) = (x.ndim(), part_of(call.value(0), start, stop)) {
            return Ok(entries);
        }
        found = cut(&found, axis, Some(start), Some(stop))?;
    }
    Ok(found.into())
}

/// The entries of a list or tuple from `start` to before `stop`, as one of the same kind.
fn part_of(value: &Value<'_>, start: i64, stop: i64) -> Option<Value<'static>> {
    let range = usize::try_from(start).ok()?..usize::try_from(stop).ok()?;
    let entries = value.items()?.get(range)?.iter().map(|entry| entry.clone().into_owned()).collect();
    Some(if matches!(value, Value::Tuple(_)) { Value::Tuple(entries) } else { Value::List(entries) })
}

fn first_of(mask: &Array) -> Result<i64> {
    f::argmax(f::astype(mask, ivy_core::Dtype::UINT8)?, ())?.item()
}
