//! Sorts and searches.

use super::bits::flipped;
use super::help::{Out, at_least_one, axis_in, cut, flat, holds, promoted, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{ArgSort, Lexsort, SearchSorted, Side, Sort, Stack, TakeAlongAxis};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};

const KINDS: [&str; 4] = ["quicksort", "mergesort", "heapsort", "stable"];

/// The array, the axis: all elements along one axis for `None`.
fn along(call: &Call<'_>, i: usize) -> Result<(Array, usize)> {
    let x = call.array(0)?;
    if call.value(i).is_none() {
        return Ok((flat(&x)?, 0));
    }
    let axis = axis_in(call, call.int(i)?, x.ndim())?;
    Ok((x, axis))
}

fn check_kind(call: &Call<'_>, i: usize) -> Result<()> {
    match call.value(i) {
        Value::None => Ok(()),
        Value::Text(kind) if KINDS.contains(&kind.as_ref()) => Ok(()),
        other => Err(value_error(
            call,
            "kind",
            format!("sort kind must be one of {KINDS:?} (got {})", other.told()),
        )),
    }
}

/// The places of the elements in order: complex numbers by their real parts, then by the imaginary ones.
pub(super) fn order(x: &Array, axis: usize) -> Result<Array> {
    if x.dtype().is_complex() {
        return f::lexsort([f::imag(x)?, f::real(x)?], Lexsort::new().axis(axis as i64));
    }
    f::argsort(x, ArgSort::new().axis(axis as i64))
}

/// The elements in order.
pub(super) fn sorted(x: &Array, axis: usize) -> Result<Array> {
    if x.dtype().is_complex() {
        return f::take_along_axis(x, order(x, axis)?, TakeAlongAxis::new().axis(axis as i64));
    }
    f::sort(x, Sort::new().axis(axis as i64))
}

/// `a axis kind`
pub fn sort(call: &mut Call<'_>) -> Out {
    check_kind(call, 2)?;
    let (x, axis) = along(call, 1)?;
    Ok(sorted(&x, axis)?.into())
}

/// `a axis kind`
pub fn argsort(call: &mut Call<'_>) -> Out {
    check_kind(call, 2)?;
    let x = at_least_one(call.array(0)?)?;
    let (x, axis) = match call.value(1) {
        Value::None => (flat(&x)?, 0),
        _ => {
            let axis = axis_in(call, call.int(1)?, x.ndim())?;
            (x, axis)
        }
    };
    Ok(order(&x, axis)?.into())
}

/// The elements in order, as complex numbers.
pub fn sort_complex(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let narrow = matches!(x.dtype(), Dtype::INT8 | Dtype::UINT8 | Dtype::INT16 | Dtype::UINT16);
    let dtype = match x.dtype() {
        d if d.is_complex() => d,
        _ if narrow => Dtype::COMPLEX64,
        _ => Dtype::COMPLEX128,
    };
    let axis = axis_in(call, -1, x.ndim())?;
    Ok(f::astype(sorted(&x, axis)?, dtype)?.into())
}

/// `keys axis`
pub fn lexsort(call: &mut Call<'_>) -> Out {
    let keys = match call.value(0) {
        Value::Array(x) => f::unstack(x.as_ref(), ())?,
        _ => call.arrays(0)?,
    };
    if keys.is_empty() {
        return Err(type_error(call, "keys", "need sequence of keys with len > 0 in lexsort"));
    }
    Ok(f::lexsort(&keys, Lexsort::new().axis(call.int(1)?))?.into())
}

fn check_kth(call: &Call<'_>, x: &Array, axis: usize) -> Result<()> {
    let length = x.shape()[axis] as i64;
    for k in call.ints(1)?.unwrap_or_default() {
        if !(-length..length).contains(&k) {
            return Err(value_error(call, "kth", format!("kth(={k}) out of bounds ({length})")));
        }
    }
    Ok(())
}

/// `a kth axis`: sorted, which is a partition at each place.
pub fn partition(call: &mut Call<'_>) -> Out {
    let (x, axis) = along(call, 2)?;
    check_kth(call, &x, axis)?;
    Ok(sorted(&x, axis)?.into())
}

/// `a kth axis`
pub fn argpartition(call: &mut Call<'_>) -> Out {
    let (x, axis) = along(call, 2)?;
    check_kth(call, &x, axis)?;
    Ok(order(&x, axis)?.into())
}

/// Where values go into a sorted array.
pub(super) fn search(sorted: &Array, values: &Array, side: Side) -> Result<Array> {
    let dtype = promoted(sorted, values)?;
    let (x1, x2) = (f::astype(sorted, dtype)?, f::astype(values, dtype)?);
    f::searchsorted(x1, x2, SearchSorted::new().side(side))
}

/// `a v side sorter`
pub fn searchsorted(call: &mut Call<'_>) -> Out {
    let (x, values) = (call.array(0)?, call.array(1)?);
    if x.ndim() != 1 {
        return Err(value_error(call, "a", "object too deep for desired array"));
    }
    let side = match call.text(2)? {
        "left" | "l" => Side::Left,
        "right" | "r" => Side::Right,
        other => {
            return Err(value_error(
                call,
                "side",
                format!("search side must be 'left' or 'right' (got '{other}')"),
            ));
        }
    };
    let x = match call.value(3) {
        Value::None => x,
        _ => f::take(&x, f::astype(call.array(3)?, Dtype::INT64)?, f::Take::new().axis(0))?,
    };
    Ok(search(&x, &values, side)?.into())
}

/// `x bins right`
pub fn digitize(call: &mut Call<'_>) -> Out {
    let (x, bins) = (call.array(0)?, call.array(1)?);
    if x.dtype().is_complex() {
        return Err(type_error(call, "x", "x may not be complex"));
    }
    let side = if call.flag(2)? { Side::Left } else { Side::Right };
    let (before, after) = (cut(&bins, 0, None, Some(-1))?, cut(&bins, 0, Some(1), None)?);
    if holds(f::less_equal(&before, &after))? {
        return Ok(search(&bins, &x, side)?.into());
    }
    if !holds(f::greater_equal(&before, &after))? {
        return Err(value_error(call, "bins", "bins must be monotonically increasing or decreasing"));
    }
    let places = search(&flipped(&bins, 0)?, &x, side)?;
    Ok(f::subtract(bins.size() as i64, places)?.into())
}

/// The places of the elements that are not 0, one in a row.
pub fn argwhere(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let places = f::nonzero(at_least_one(x.clone())?)?;
    let rows = f::stack(&places, Stack::new().axis(1))?;
    Ok(if x.ndim() == 0 { cut(&rows, 1, None, Some(0))? } else { rows }.into())
}
