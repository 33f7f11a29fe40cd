//! Joins, splits and repeats.

use super::help::{Out, at_least_one, axis_in, flat, shape_of, tuple, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, TensorSplit};
use ivy_core::{Array, Result};
use ivy_frontend::{Call, Value};

/// Arrays, how many axes each has at least, and whether they stay a list.
pub fn at_least(call: &mut Call<'_>) -> Out {
    let least = call.int(1)?;
    let given = call.arrays(0)?;
    let whole = |x: &Array| -> Result<Array> {
        let d: Vec<i64> = x.shape().iter().map(|&d| d as i64).collect();
        let shape = match (least, &d[..]) {
            (1, []) => vec![1],
            (2, []) => vec![1, 1],
            (2, [n]) => vec![1, *n],
            (3, []) => vec![1, 1, 1],
            (3, [n]) => vec![1, *n, 1],
            (3, [m, n]) => vec![*m, *n, 1],
            _ => return Ok(x.clone()),
        };
        f::reshape(x, shape, ())
    };
    let mut all = given.iter().map(whole).collect::<Result<Vec<_>>>()?;
    if all.len() == 1 && !call.flag(2)? {
        return Ok(all.swap_remove(0).into());
    }
    Ok(tuple(all))
}

/// Arrays side by side: along the second axis, or the only one.
pub fn hstack(call: &mut Call<'_>) -> Out {
    let all = call.arrays(0)?.into_iter().map(at_least_one).collect::<Result<Vec<_>>>()?;
    let axis = i64::from(all.first().is_some_and(|x| x.ndim() > 1));
    Ok(f::concat(&all, Concat::new().axis(axis))?.into())
}

/// Arrays as the columns of one.
pub fn column_stack(call: &mut Call<'_>) -> Out {
    let column = |x: Array| if x.ndim() < 2 { f::reshape(&x, [-1, 1], ()) } else { Ok(x) };
    let all = call.arrays(0)?.into_iter().map(column).collect::<Result<Vec<_>>>()?;
    Ok(f::concat(&all, Concat::new().axis(1))?.into())
}

/// Arrays, each in the shape that all broadcast to.
pub fn broadcast_arrays(call: &mut Call<'_>) -> Out {
    let given = call.arrays(0)?;
    if given.is_empty() {
        return Ok(Value::Tuple(Vec::new()));
    }
    Ok(tuple(f::broadcast_arrays(&given)?))
}

/// The shape that shapes broadcast to.
pub fn broadcast_shapes(call: &mut Call<'_>) -> Out {
    let mut found: Vec<usize> = Vec::new();
    for value in call.value(0).items().unwrap_or_default() {
        let shape = shape_of(call, &call.to_ints(value)?.unwrap_or_default())?;
        let longest = found.len().max(shape.len());
        let length = |list: &[usize], i: usize| (i + list.len()).checked_sub(longest).map_or(1, |i| list[i]);
        let common = |i: usize| match (length(&found, i), length(&shape, i)) {
            (1, n) => Ok(n),
            (n, m) if m == 1 || m == n => Ok(n),
            _ => Err(value_error(
                call,
                "args",
                "shape mismatch: objects cannot be broadcast to a single shape",
            )),
        };
        found = (0..longest).map(common).collect::<Result<_>>()?;
    }
    Ok(Value::Tuple(found.into_iter().map(Value::from).collect()))
}

/// An array, the number of parts or the places between them, the axis, and whether the parts are equal.
pub fn split(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let axis = axis_in(call, call.int(2)?, x.ndim())?;
    let number = call.value(1).as_scalar().map(|n| n.to_i128() as i64);
    let parts = match number {
        Some(parts) if parts <= 0 => {
            return Err(value_error(call, "indices_or_sections", "number sections must be larger than 0."));
        }
        Some(parts) => {
            if call.flag(3)? && x.shape()[axis] as i64 % parts != 0 {
                let rule = "array split does not result in an equal division";
                return Err(value_error(call, "indices_or_sections", rule));
            }
            f::tensor_split(&x, parts, TensorSplit::new().axis(axis as i64))?
        }
        None => {
            let places = call.ints(1)?.unwrap_or_default();
            let mut parts = Vec::with_capacity(places.len() + 1);
            let mut start = None;
            for stop in places.into_iter().map(Some).chain([None]) {
                parts.push(super::help::cut(&x, axis, start, stop)?);
                start = stop;
            }
            parts
        }
    };
    Ok(Value::List(parts.into_iter().map(Value::from).collect()))
}

/// An array, how often each element comes, and the axis.
pub fn repeat(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (x, axis) = match call.value(2) {
        Value::None => (flat(&x)?, 0),
        _ => {
            let axis = axis_in(call, call.int(2)?, x.ndim())?;
            (x, axis)
        }
    };
    let mut repeats = call.ints(1)?.unwrap_or_default();
    if repeats.iter().any(|&n| n < 0) {
        return Err(value_error(call, "repeats", "repeats may not contain negative values."));
    }
    let length = x.shape()[axis];
    if repeats.len() == 1 && length != 1 {
        repeats = vec![repeats[0]; length];
    }
    if repeats.len() != length {
        let rule =
            format!("operands could not be broadcast together with shape ({length},) ({},)", repeats.len());
        return Err(value_error(call, "repeats", rule));
    }
    let places = repeats.iter().enumerate().flat_map(|(i, &n)| std::iter::repeat_n(i as i64, n as usize));
    let places = super::help::ints_beside(&x, places.collect())?;
    Ok(f::take(&x, places, f::Take::new().axis(axis as i64))?.into())
}
