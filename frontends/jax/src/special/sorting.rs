//! Sorting, searching and sets.

use super::searching::{optional, sized, true_places};
use super::support::{
    Out, array, axis, core, cut, default_int, dtype, entries, get, ints, operand, places, raveled, shape,
};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// `places(x, dtype)`: indices in the default integer dtype, or another one.
pub(crate) fn indices_of(call: &mut Call<'_>) -> Out {
    let to = call.dtype(1)?.unwrap_or_else(default_int);
    core!(call, "astype", call.value(0), to)
}

/// `complex_of(x)`: as complex numbers.
pub(crate) fn complex_of(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.dtype().is_complex() {
        return Ok(x.into());
    }
    let wide = if x.dtype() == Dtype::FLOAT64 { Dtype::COMPLEX128 } else { Dtype::COMPLEX64 };
    core!(call, "astype", &x, wide)
}

/// `sort(a, axis, descending)`: flat for `axis=None`; complex numbers by their real parts first.
pub(crate) fn sort(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let (x, along) = match call.value(1) {
        Value::None => (raveled(call, &x)?, 0),
        _ => (x, call.int(1)?),
    };
    let descending = call.flag(2)?;
    if !dtype(call, &x)?.is_complex() {
        return core!(call, "sort", &x; axis: along, descending: descending);
    }
    let keys = vec![core!(call, "imag", &x)?, core!(call, "real", &x)?];
    let order = core!(call, "astype", &core!(call, "lexsort", keys; axis: along)?, Dtype::INT64)?;
    let sorted = core!(call, "take_along_axis", &x, &order; axis: along)?;
    if descending { core!(call, "flip", &sorted; axis: along) } else { Ok(sorted) }
}

/// `lexsort(keys, axis)`: the last key counts first; the rows of an array are keys.
pub(crate) fn lexsort(call: &mut Call<'_>) -> Out {
    let keys = entries(call, 0, "keys")?;
    places(call, core!(call, "lexsort", keys; axis: call.int(1)?)?)
}

/// `extreme(greatest, x, y)`: of truth values, and of complex numbers by their real parts first.
pub(crate) fn extreme(call: &mut Call<'_>) -> Out {
    let greatest = call.flag(0)?;
    let common = core!(call, "result_type", call.value(1), call.value(2))?;
    let cast = |i: usize| core!(call, "astype", &call.array(i)?, &common);
    let (x, y) = (cast(1)?, cast(2)?);
    if dtype(call, &x)?.is_bool() {
        return if greatest { core!(call, "logical_or", &x, &y) } else { core!(call, "logical_and", &x, &y) };
    }
    let beyond = |x: &Value<'_>, y: &Value<'_>| {
        if greatest { core!(call, "greater", x, y) } else { core!(call, "less", x, y) }
    };
    let (a, b) = (core!(call, "real", &x)?, core!(call, "real", &y)?);
    let (c, d) = (core!(call, "imag", &x)?, core!(call, "imag", &y)?);
    let tie = core!(call, "logical_and", &core!(call, "equal", &a, &b)?, &beyond(&c, &d)?)?;
    let first = core!(call, "logical_or", &beyond(&a, &b)?, &tie)?;
    let first = core!(call, "logical_or", &first, &core!(call, "isnan", &x)?)?;
    core!(call, "where", &first, &x, &y)
}

/// `ordered(x, y)`: truth values as numbers of the other operand's dtype, so that they have an order.
pub(crate) fn ordered(call: &mut Call<'_>) -> Out {
    let to = match call.value(1) {
        Value::Bool(_) => Dtype::UINT8,
        other => match dtype(call, other)? {
            own if own.is_bool() => Dtype::UINT8,
            own => own,
        },
    };
    core!(call, "astype", &call.array(0)?, to)
}

/// `partition(a, kth, axis)`: sorted, which is one of its orders.
pub(crate) fn partition(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    kth(call, &x)?;
    core!(call, "sort", &x; axis: call.int(2)?)
}

/// `argpartition(a, kth, axis)`: int32 whatever the default.
pub(crate) fn argpartition(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    kth(call, &x)?;
    core!(call, "astype", &core!(call, "argsort", &x; axis: call.int(2)?)?, Dtype::INT32)
}

fn kth(call: &Call<'_>, x: &Value<'_>) -> Result<()> {
    let lengths = shape(call, x)?;
    let along = axis(call, call.int(2)?, lengths.len())?;
    axis(call, call.int(1)?, lengths[along] as usize)
        .map(drop)
        .map_err(|_| call.refuse(Fault::Value, "kth", Some(call.value(1)), "is beyond the axis"))
}

/// `nan_arg(name, a, axis, keepdims)`: -1 where there are no numbers.
pub(crate) fn nan_arg(call: &mut Call<'_>) -> Out {
    let largest = call.text(0)? == "argmax";
    let (x, along) = (Value::from(call.array(1)?), call.value(2));
    let keepdims = !call.value(3).is_none() && call.flag(3)?;
    let find = |x: &Value<'_>| match largest {
        true => core!(call, "argmax", x; axis: along, keepdims: keepdims),
        false => core!(call, "argmin", x; axis: along, keepdims: keepdims),
    };
    if !dtype(call, &x)?.is_float() {
        let x = if dtype(call, &x)?.is_bool() { core!(call, "astype", &x, Dtype::UINT8)? } else { x };
        return places(call, find(&x)?);
    }
    let known = core!(call, "isnan", &x)?;
    let beyond = if largest { f64::NEG_INFINITY } else { f64::INFINITY };
    let found = places(call, find(&core!(call, "where", &known, beyond, &x)?)?)?;
    let none = core!(call, "all", &known; axis: along, keepdims: keepdims)?;
    core!(call, "where", &none, -1, &found)
}

/// `searchsorted(a, v, side, sorter)`: int32 whatever the default.
pub(crate) fn searchsorted(call: &mut Call<'_>) -> Out {
    let (a, v, side) = (Value::from(call.array(0)?), call.array(1)?, call.text(2)?);
    let sorted = match call.value(3) {
        Value::None => a,
        order => {
            core!(call, "take", &a, &core!(call, "astype", &array(call, order)?, Dtype::INT64)?; axis: 0)?
        }
    };
    let common = core!(call, "result_type", &sorted, &v)?;
    let (sorted, v) = (core!(call, "astype", &sorted, &common)?, core!(call, "astype", &v, &common)?);
    core!(call, "astype", &core!(call, "searchsorted", &sorted, &v; side: side)?, Dtype::INT32)
}

/// `unique(ar, return_index, return_inverse, return_counts, axis, equal_nan, size, fill_value)`
pub(crate) fn unique(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let lengths = shape(call, &x)?;
    // A row an entry: along an axis the entries are slices, else elements.
    let (rows, along) = match call.value(4) {
        Value::None => (core!(call, "reshape", &x, ints([-1i64, 1]))?, None),
        _ => {
            let along = axis(call, call.int(4)?, lengths.len())?;
            let front = core!(call, "moveaxis", &x, along, 0)?;
            (core!(call, "reshape", &front, ints([lengths[along], -1]))?, Some(along))
        }
    };
    let (count, width) = (shape(call, &rows)?[0], shape(call, &rows)?[1]);
    if count == 0 {
        return empty(call, x);
    }
    let column = |c: i64| cut(call, &rows, 1, c, c + 1).and_then(|v| raveled(call, &v));
    let keys = (0..width).rev().map(column).collect::<Result<Vec<_>>>()?;
    let order = if keys.is_empty() { core!(call, "arange", count)? } else { core!(call, "lexsort", keys)? };
    let order = core!(call, "astype", &order, Dtype::INT64)?;
    let sorted = core!(call, "take", &rows, &order; axis: 0)?;
    let (before, after) = (cut(call, &sorted, 0, 0, count - 1)?, cut(call, &sorted, 0, 1, count)?);
    let mut differs = core!(call, "not_equal", &before, &after)?;
    if call.flag(5)? && dtype(call, &x)?.is_float() {
        let both =
            core!(call, "logical_and", &core!(call, "isnan", &before)?, &core!(call, "isnan", &after)?)?;
        differs = core!(call, "logical_and", &differs, &core!(call, "logical_not", &both)?)?;
    }
    let differs = core!(call, "any", &differs; axis: 1)?;
    let first = core!(call, "concat", vec![core!(call, "ones", ints([1i64]); dtype: Dtype::BOOL)?, differs])?;
    let starts = core!(call, "astype", &true_places(call, &first)?, Dtype::INT64)?;
    let size = optional(call, 6)?;
    let kept = core!(call, "take", &order, &starts; axis: 0)?;
    let front = match along {
        None => raveled(call, &x)?,
        Some(along) => core!(call, "moveaxis", &x, along, 0)?,
    };
    let values = core!(call, "take", &front, &kept; axis: 0)?;
    let first_value = cut(call, &values, 0, 0, 1)?;
    let fill = match call.value(7) {
        Value::None => core!(call, "squeeze", &first_value, 0)?,
        given => given.clone().into_owned(),
    };
    let mut results = vec![sized(call, &values, size, &fill)?];
    if let Some(along) = along {
        results[0] = core!(call, "moveaxis", &results[0], 0, along)?;
    }
    if call.flag(1)? {
        let fill = get(call, &kept, Value::Int(0))?;
        results.push(places(call, sized(call, &kept, size, &fill)?)?);
    }
    if call.flag(2)? {
        let number = core!(call, "cumsum", &core!(call, "astype", &first, Dtype::INT64)?; axis: 0)?;
        let number = core!(call, "subtract", &number, 1)?;
        let back = core!(call, "argsort", &order)?;
        let inverse = places(call, core!(call, "take", &number, &back; axis: 0)?)?;
        results.push(if along.is_none() {
            core!(call, "reshape", &inverse, ints(lengths))?
        } else {
            inverse
        });
    }
    if call.flag(3)? {
        let ends =
            core!(call, "concat", vec![starts, core!(call, "asarray", [count]; dtype: Dtype::INT64)?])?;
        let counts = core!(call, "diff", &ends)?;
        results.push(places(call, sized(call, &counts, size, &Value::Int(0))?)?);
    }
    Ok(if results.len() == 1 { results.remove(0) } else { Value::Tuple(results) })
}

/// The results of `unique` of nothing.
fn empty(call: &Call<'_>, x: Value<'static>) -> Out {
    let none = core!(call, "zeros", ints([0i64]); dtype: default_int())?;
    let values = if call.value(4).is_none() { raveled(call, &x)? } else { x };
    let asked = (1..4).map(|i| call.flag(i)).collect::<Result<Vec<_>>>()?;
    let more = asked.into_iter().filter(|&asked| asked).map(|_| none.clone());
    let results: Vec<_> = [values].into_iter().chain(more).collect();
    Ok(if results.len() == 1 { results[0].clone() } else { Value::Tuple(results) })
}

/// The different elements, sorted.
fn distinct(call: &Call<'_>, i: usize) -> Out {
    core!(call, "unique_values", &raveled(call, &call.array(i)?.into())?)
}

/// Those elements of the first that are in the second, or are not.
fn among(call: &Call<'_>, a: &Value<'_>, b: &Value<'_>, invert: bool) -> Out {
    let inside = core!(call, "isin", a, b; invert: invert)?;
    let kept = core!(call, "astype", &true_places(call, &inside)?, Dtype::INT64)?;
    core!(call, "take", a, &kept; axis: 0)
}

fn in_one_dtype(
    call: &Call<'_>,
    a: Value<'static>,
    b: Value<'static>,
) -> Result<(Value<'static>, Value<'static>)> {
    let common = core!(call, "result_type", &a, &b)?;
    Ok((core!(call, "astype", &a, &common)?, core!(call, "astype", &b, &common)?))
}

/// `intersect1d(ar1, ar2, return_indices, size, fill_value)`
pub(crate) fn intersect1d(call: &mut Call<'_>) -> Out {
    let (a, b) = in_one_dtype(call, distinct(call, 0)?, distinct(call, 1)?)?;
    let common = among(call, &a, &b, false)?;
    let size = optional(call, 3)?;
    let fill = match call.value(4) {
        Value::None if size.is_some() && shape(call, &common)?[0] > 0 => get(call, &common, Value::Int(0))?,
        Value::None => Value::Int(0),
        given => given.clone().into_owned(),
    };
    let values = sized(call, &common, size, &fill)?;
    if !call.flag(2)? {
        return Ok(values);
    }
    let place = |i: usize| {
        let whole = core!(call, "astype", &raveled(call, &call.array(i)?.into())?, dtype(call, &common)?)?;
        let column = core!(call, "reshape", &common, ints([-1i64, 1]))?;
        // The first place of each element.
        let hits = core!(call, "astype", &core!(call, "equal", &column, &whole)?, Dtype::INT8)?;
        places(call, core!(call, "argmax", &hits; axis: 1)?)
    };
    Ok(Value::Tuple(vec![values, place(0)?, place(1)?]))
}

/// `setdiff1d(ar1, ar2, assume_unique, size, fill_value)`
pub(crate) fn setdiff1d(call: &mut Call<'_>) -> Out {
    let a = if call.flag(2)? { raveled(call, &call.array(0)?.into())? } else { distinct(call, 0)? };
    let kept = among(call, &a, &call.array(1)?.into(), true)?;
    let size = optional(call, 3)?;
    let fill = if call.value(4).is_none() { Value::Int(0) } else { call.value(4).borrowed() };
    sized(call, &kept, size, &fill)
}

/// `setxor1d(ar1, ar2, size, fill_value)`
pub(crate) fn setxor1d(call: &mut Call<'_>) -> Out {
    let (a, b) = in_one_dtype(call, distinct(call, 0)?, distinct(call, 1)?)?;
    let either = core!(call, "concat", vec![among(call, &a, &b, true)?, among(call, &b, &a, true)?])?;
    let size = optional(call, 2)?;
    let fill = if call.value(3).is_none() { Value::Int(0) } else { call.value(3).borrowed() };
    sized(call, &core!(call, "sort", &either)?, size, &fill)
}

/// `lax_sort(operand, dimension, num_keys)`: several operands are moved as the first keys are.
pub(crate) fn lax_sort(call: &mut Call<'_>) -> Out {
    let whole = call.value(0);
    let Some(operands) = whole.items() else { return core!(call, "sort", whole; axis: call.int(1)?) };
    let (along, keys) = (call.int(1)?, call.int(2)?);
    let Some(first) = operands.first() else {
        return Err(call.refuse(Fault::Type, call.name(0), None, "Sort requires at least one operand"));
    };
    let first = shape(call, first)?;
    for other in operands {
        if shape(call, other)? != first {
            return Err(call.refuse(Fault::Type, "operand", Some(other), "operands of one shape are needed"));
        }
    }
    let keys: Vec<_> =
        operands[..usize::try_from(keys).unwrap_or(1).min(operands.len())].iter().rev().cloned().collect();
    let order = core!(call, "astype", &core!(call, "lexsort", keys; axis: along)?, Dtype::INT64)?;
    let moved = operands.iter().map(|x| core!(call, "take_along_axis", x, &order; axis: along));
    moved.collect::<Result<_>>().map(Value::Tuple)
}

/// `top_k(operand, k, axis)`
pub(crate) fn top_k(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let along = call.int(2)?;
    let order = core!(call, "argsort", &x; axis: along, descending: true)?;
    let lengths = shape(call, &x)?;
    let place = axis(call, along, lengths.len())?;
    let k = call.int(1)?;
    if k < 0 || k > lengths[place] {
        return Err(call.refuse(Fault::Value, "k", Some(call.value(1)), "is more than the axis has"));
    }
    let order = cut(call, &order, place, 0, k)?;
    let values = core!(call, "take_along_axis", &x, &order; axis: along)?;
    Ok(Value::Tuple(vec![values, core!(call, "astype", &order, Dtype::INT32)?]))
}
