//! Reads at indices.

use super::casts::unsafely;
use super::help::{Out, axis_in, flat, integers, lengths, occurs, shape_of, tuple, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Take, TakeAlongAxis};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Fault, Keywords, Value};

/// Integers as indices below a length: by a mode, out of range is an error, comes round, or is the nearest.
pub(super) fn placed(call: &Call<'_>, indices: Array, length: usize, mode: &str) -> Result<Array> {
    let indices = f::astype(indices, Dtype::INT64)?;
    let n = length as i64;
    match mode {
        "raise" => {
            if let Some(&at) = integers(&indices)?.iter().find(|&&i| !(-n..n).contains(&i)) {
                let rule = format!("index {at} is out of bounds for axis with size {length}");
                return Err(call.refuse(Fault::Index, "indices", Some(&Value::from(at)), rule));
            }
            f::where_(f::less(&indices, 0), f::add(&indices, n), &indices)
        }
        "wrap" => f::remainder(indices, n),
        "clip" => f::minimum(f::maximum(indices, 0), (n - 1).max(0)),
        other => Err(value_error(
            call,
            "mode",
            format!("clipmode must be one of 'clip', 'raise', or 'wrap' (got '{other}')"),
        )),
    }
}

/// `a indices axis mode`
pub fn take(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (x, axis) = match call.value(2) {
        Value::None => (flat(&x)?, 0),
        _ => {
            let axis = axis_in(call, call.int(2)?, x.ndim())?;
            (x, axis)
        }
    };
    let given = call.array(1)?;
    if given.dtype().is_float() && matches!(call.value(1), Value::Array(_)) {
        return Err(type_error(
            call,
            "indices",
            "Cannot cast array data from float64 to int64 according to the rule 'safe'",
        ));
    }
    let indices = placed(call, given, x.shape()[axis], call.text(3)?)?;
    let found = f::take(&x, flat(&indices)?, Take::new().axis(axis as i64))?;
    let (before, after) = (&lengths(x.shape())[..axis], &lengths(x.shape())[axis + 1..]);
    let shape: Vec<i64> =
        before.iter().copied().chain(lengths(indices.shape())).chain(after.iter().copied()).collect();
    Ok(f::reshape(found, shape, ())?.into())
}

/// Indices of a kind, which are no floats.
pub(super) fn whole(call: &Call<'_>, i: usize) -> Result<Array> {
    let indices = call.array(i)?;
    if !indices.dtype().is_int() {
        return Err(call.refuse(Fault::Index, "indices", None, "`indices` must be an integer array"));
    }
    Ok(indices)
}

/// `arr indices axis`
pub fn take_along_axis(call: &mut Call<'_>) -> Out {
    let (x, indices) = (call.array(0)?, whole(call, 1)?);
    let (x, axis) = match call.value(2) {
        Value::None => (flat(&x)?, 0),
        _ => {
            let axis = axis_in(call, call.int(2)?, x.ndim())?;
            (x, axis)
        }
    };
    if indices.ndim() != x.ndim() {
        return Err(value_error(
            call,
            "indices",
            "`indices` and `arr` must have the same number of dimensions",
        ));
    }
    let indices = placed(call, indices, x.shape()[axis], "raise")?;
    let (x, indices) = beside_each_other(call, x, indices, axis)?;
    Ok(f::take_along_axis(x, indices, TakeAlongAxis::new().axis(axis as i64))?.into())
}

/// An array and its indices, broadcast to each other on all axes but one.
pub(super) fn beside_each_other(
    call: &Call<'_>,
    x: Array,
    indices: Array,
    axis: usize,
) -> Result<(Array, Array)> {
    let common = |length: usize| -> Result<Vec<i64>> {
        let pairs = x.shape().iter().zip(indices.shape().iter()).enumerate();
        let one = |(a, (&m, &n)): (usize, (&usize, &usize))| match () {
            () if a == axis => Ok(length as i64),
            () if m == n || n == 1 => Ok(m as i64),
            () if m == 1 => Ok(n as i64),
            () => Err(call.refuse(
                Fault::Index,
                "indices",
                None,
                "shape mismatch: indexing arrays could not be broadcast",
            )),
        };
        pairs.map(one).collect()
    };
    let (shape, places) = (common(x.shape()[axis])?, common(indices.shape()[axis])?);
    let whole = f::broadcast_to(&x, shape_of(call, &shape)?)?;
    let indices = f::broadcast_to(&indices, shape_of(call, &places)?)?;
    Ok((whole, indices))
}

/// `a choices mode`
pub fn choose(call: &mut Call<'_>) -> Out {
    let choices = match call.value(1) {
        Value::Array(x) => f::unstack(x.as_ref(), ())?,
        _ => call.arrays(1)?,
    };
    let Some((first, rest)) = choices.split_first() else {
        return Err(value_error(call, "choices", "need at least one choice"));
    };
    let mode = call.text(2)?;
    let given = call.array(0)?;
    let count = choices.len() as i64;
    if mode == "raise" && occurs(f::logical_or(f::less(&given, 0), f::greater_equal(&given, count)))? {
        return Err(value_error(call, "a", "invalid entry in choice array"));
    }
    let which = placed(call, given, choices.len(), mode)?;
    let dtype = rest.iter().try_fold(first.dtype(), |d, x| f::result_type([d, x.dtype()]))?;
    let mut found = f::where_(f::equal(&which, 0), f::astype(first, dtype)?, f::astype(first, dtype)?)?;
    for (i, choice) in rest.iter().enumerate() {
        found = f::where_(f::equal(&which, i as i64 + 1), f::astype(choice, dtype)?, found)?;
    }
    Ok(found.into())
}

/// `condition a axis`
pub fn compress(call: &mut Call<'_>) -> Out {
    let condition = call.array(0)?;
    if condition.ndim() != 1 {
        return Err(value_error(call, "condition", "condition must be a 1-d array"));
    }
    let x = call.array(1)?;
    let (x, axis) = match call.value(2) {
        Value::None => (flat(&x)?, 0),
        _ => {
            let axis = axis_in(call, call.int(2)?, x.ndim())?;
            (x, axis)
        }
    };
    let places = placed(call, f::nonzero(&condition)?.swap_remove(0), x.shape()[axis], "raise")?;
    Ok(f::take(&x, places, Take::new().axis(axis as i64))?.into())
}

/// `condlist choicelist default`: the first choice whose condition holds.
pub fn select(call: &mut Call<'_>) -> Out {
    let conditions = call.arrays(0)?;
    let choices = call.value(1).items().unwrap_or_default();
    if conditions.len() != choices.len() {
        return Err(value_error(call, "condlist", "list of cases must be same length as list of conditions"));
    }
    if conditions.is_empty() {
        return Err(value_error(call, "condlist", "select with an empty condition list is not possible"));
    }
    if conditions.iter().any(|c| !c.dtype().is_bool()) {
        return Err(type_error(call, "condlist", "invalid entry in condlist: should be boolean ndarray"));
    }
    let mut operands: Vec<Value<'_>> = Vec::with_capacity(choices.len() + 1);
    for choice in choices.iter().chain([call.value(2)]) {
        let number = choice.as_scalar().is_some();
        operands.push(if number { choice.clone() } else { call.to_array(choice)?.into() });
    }
    let Value::Dtype(dtype) = call.core("result_type", &operands, Keywords::new())? else {
        return Err(type_error(call, "choicelist", "the choices have no common dtype"));
    };
    let cast = |value: &Value<'_>| -> Result<Array> { unsafely(&call.to_array(value)?, dtype) };
    let mut found = cast(&operands[choices.len()])?;
    for (condition, choice) in conditions.iter().zip(&operands).rev() {
        found = f::where_(condition, cast(choice)?, found)?;
    }
    Ok(found.into())
}

/// `x condlist funclist`, where the functions are numbers.
pub fn piecewise(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let pieces = call.value(2).items().unwrap_or_default();
    let conditions = match call.value(1) {
        Value::Tuple(items) | Value::List(items) if items.iter().all(|c| c.as_scalar().is_none()) => {
            call.arrays(1)?
        }
        Value::Array(c) if c.ndim() > x.ndim() => f::unstack(c.as_ref(), ())?,
        _ => vec![call.array(1)?],
    };
    let (n, m) = (conditions.len(), pieces.len());
    if m != n && m != n + 1 {
        let rule = format!("with {n} condition(s), either {n} or {} functions are expected", n + 1);
        return Err(value_error(call, "funclist", rule));
    }
    let values = pieces.iter().map(|piece| unsafely(&call.to_array(piece)?, x.dtype()));
    let values = values.collect::<Result<Vec<_>>>()?;
    let mut found = match values.get(n) {
        Some(otherwise) => f::broadcast_to(otherwise, x.shape().clone())?,
        None => f::zeros_like(&x, ())?,
    };
    for (condition, value) in conditions.iter().zip(&values) {
        let condition =
            if condition.dtype().is_bool() { condition.clone() } else { f::not_equal(condition, 0)? };
        found = f::where_(condition, value, found)?;
    }
    Ok(found.into())
}

/// The strides of a shape, in elements: the last index moves fastest, or the first.
fn strides(call: &Call<'_>, dims: &[i64], order: &str) -> Result<Vec<i64>> {
    let running = |dims: &mut dyn Iterator<Item = &i64>| {
        let mut product = 1i64;
        let step = |&d: &i64| {
            let step = product;
            product = product.saturating_mul(d);
            step
        };
        dims.map(step).collect::<Vec<_>>()
    };
    match order {
        "C" => {
            let mut turned = running(&mut dims.iter().rev());
            turned.reverse();
            Ok(turned)
        }
        "F" => Ok(running(&mut dims.iter())),
        other => {
            Err(value_error(call, "order", format!("only 'C' or 'F' order is permitted (got '{other}')")))
        }
    }
}

/// `indices shape order`
pub fn unravel_index(call: &mut Call<'_>) -> Out {
    let (indices, dims) = (call.array(0)?, call.ints(1)?.unwrap_or_default());
    if !indices.dtype().is_int() && indices.size() > 0 {
        return Err(type_error(call, "indices", "only int indices permitted"));
    }
    let indices = f::astype(indices, Dtype::INT64)?;
    let size: i64 = dims.iter().product();
    if occurs(f::logical_or(f::less(&indices, 0), f::greater_equal(&indices, size)))? {
        return Err(value_error(
            call,
            "indices",
            format!("index is out of bounds for array with size {size}"),
        ));
    }
    let steps = strides(call, &dims, call.text(2)?)?;
    let one = |(&step, &d): (&i64, &i64)| f::remainder(f::floor_divide(&indices, step.max(1)), d.max(1));
    Ok(tuple(steps.iter().zip(&dims).map(one).collect::<Result<Vec<_>>>()?))
}

/// `multi_index dims mode order`
pub fn ravel_multi_index(call: &mut Call<'_>) -> Out {
    let indices = match call.value(0) {
        Value::Array(x) => f::unstack(x.as_ref(), ())?,
        _ => call.arrays(0)?,
    };
    let dims = call.ints(1)?.unwrap_or_default();
    if indices.len() != dims.len() {
        return Err(value_error(
            call,
            "multi_index",
            "parameter multi_index must be a sequence of length of dims",
        ));
    }
    let modes: Vec<&str> = match call.value(2).items() {
        Some(items) => items.iter().map(|item| item.as_text().unwrap_or("raise")).collect(),
        None => vec![call.text(2)?; dims.len()],
    };
    let steps = strides(call, &dims, call.text(3)?)?;
    let mut found: Option<Array> = None;
    for (axis, index) in indices.iter().enumerate() {
        let (d, mode) = (dims[axis], modes.get(axis).copied().unwrap_or("raise"));
        let outside = || occurs(f::logical_or(f::less(index, 0), f::greater_equal(index, d)));
        if mode == "raise" && outside()? {
            return Err(value_error(call, "multi_index", "invalid entry in coordinates array"));
        }
        let place = placed(call, index.clone(), usize::try_from(d).unwrap_or(0), mode)?;
        let part = f::multiply(place, steps[axis])?;
        found = Some(match found {
            Some(sum) => f::add(sum, part)?,
            None => part,
        });
    }
    found.map(Value::from).ok_or_else(|| value_error(call, "multi_index", "need at least one index"))
}

/// An array with two of its axes at the end.
pub fn last_axes(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.ndim() < 2 {
        return Err(value_error(call, "a", "diag requires an array of at least two dimensions"));
    }
    let (first, second) = (axis_in(call, call.int(1)?, x.ndim())?, axis_in(call, call.int(2)?, x.ndim())?);
    if first == second {
        return Err(value_error(call, "axis1", "axis1 and axis2 cannot be the same"));
    }
    Ok(f::moveaxis(&x, [first as i64, second as i64], [-2, -1])?.into())
}
