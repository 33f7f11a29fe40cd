//! Shapes, axes, joins and splits.

use super::support::{
    Out, array, axes, axis, core, cut, dtype, entries, get, ints, is_weak, items, operand, product, raveled,
    shape, weakly,
};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value, kw};

/// `size(a, axis)`
pub(crate) fn size(call: &mut Call<'_>) -> Out {
    let lengths = shape(call, call.value(0))?;
    let along = axes(call, 1, lengths.len())?;
    Ok(product(&along.iter().map(|&a| lengths[a]).collect::<Vec<_>>()).into())
}

/// `reshape(a, shape, order)`
pub(crate) fn reshape(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let to = call.ints(1)?.unwrap_or_default();
    match call.text(2)? {
        "C" => core!(call, "reshape", &x, ints(to)),
        "F" => {
            let turned = core!(call, "reshape", &reversed(call, &x)?, ints(to.into_iter().rev()))?;
            reversed(call, &turned)
        }
        _ => Err(call.refuse(Fault::Missing, "order", Some(call.value(2)), "only 'C' and 'F' are there")),
    }
}

/// The array with its axes in turned order.
fn reversed(call: &Call<'_>, x: &Value<'_>) -> Out {
    core!(call, "permute_dims", x, ints((0..shape(call, x)?.len()).rev()))
}

/// `rollaxis(a, axis, start)`
pub(crate) fn rollaxis(call: &mut Call<'_>) -> Out {
    let ndim = shape(call, call.value(0))?.len();
    let from = axis(call, call.int(1)?, ndim)?;
    let start = call.int(2)?;
    let to =
        usize::try_from(if start < 0 { start + ndim as i64 } else { start }).ok().filter(|&to| to <= ndim);
    let to = to.ok_or_else(|| call.refuse(Fault::Value, "start", Some(call.value(2)), "is out of range"))?;
    core!(call, "moveaxis", call.value(0), from, if from < to { to - 1 } else { to })
}

/// `squeeze(a, axis)`: all axes of length 1 for `None`.
pub(crate) fn squeeze(call: &mut Call<'_>) -> Out {
    let lengths = shape(call, call.value(0))?;
    match call.value(1) {
        Value::None => {
            let ones = (0..lengths.len()).filter(|&a| lengths[a] == 1);
            core!(call, "squeeze", &operand(call, 0)?, ints(ones))
        }
        given => core!(call, "squeeze", call.value(0), given),
    }
}

/// `atleast(n, arrays)`: one array, or a list of several.
pub(crate) fn atleast(call: &mut Call<'_>) -> Out {
    let n = call.int(0)?;
    let arrays = items(call, 1, "arys")?.iter().map(|v| call.typed(v)).collect::<Result<Vec<_>>>()?;
    let one = |x: &Value<'_>| match n {
        1 => core!(call, "atleast_1d", x),
        2 => core!(call, "atleast_2d", x),
        _ => core!(call, "atleast_3d", x),
    };
    match &arrays[..] {
        [only] => one(only),
        all => all.iter().map(one).collect::<Result<_>>().map(Value::List),
    }
}

/// `joined(name, arrays, axis, dtype)`: a stack of arrays; the entries along the first axis of one array.
pub(crate) fn joined(call: &mut Call<'_>) -> Out {
    let parts = parts(call, 1)?;
    let out = match call.text(0)? {
        "stack" => core!(call, "stack", parts; axis: call.int(2)?),
        "hstack" => core!(call, "hstack", parts),
        "vstack" => core!(call, "vstack", parts),
        "dstack" => core!(call, "dstack", parts),
        _ => core!(call, "column_stack", parts),
    }?;
    cast(call, out, call.dtype(3)?)
}

/// The arrays of a list, in one dtype; those along the first axis of an array.
fn parts(call: &Call<'_>, i: usize) -> Result<Vec<Value<'static>>> {
    let given = entries(call, i, "arrays")?;
    if given.is_empty() {
        return Err(call.refuse(Fault::Value, "arrays", None, "need at least one array"));
    }
    let common = call.core("result_type", &given, kw! {})?;
    let weak = given.iter().all(is_weak);
    let one = |v: &Value<'static>| Ok(weakly(core!(call, "astype", &array(call, v)?, &common)?, weak));
    given.iter().map(one).collect()
}

fn cast(call: &Call<'_>, value: Value<'static>, to: Option<Dtype>) -> Out {
    match to {
        Some(to) => core!(call, "astype", &value, to),
        None => Ok(value),
    }
}

/// `concatenate(arrays, axis, dtype)`: flat for `axis=None`.
pub(crate) fn concatenate(call: &mut Call<'_>) -> Out {
    let mut parts = parts(call, 0)?;
    let out = match call.value(1) {
        Value::None => {
            parts = parts.iter().map(|v| raveled(call, v)).collect::<Result<_>>()?;
            core!(call, "concat", parts)
        }
        given => core!(call, "concat", parts; axis: given),
    }?;
    cast(call, out, call.dtype(2)?)
}

/// `append(arr, values, axis)`
pub(crate) fn append(call: &mut Call<'_>) -> Out {
    let (arr, values) = (operand(call, 0)?, operand(call, 1)?);
    match call.value(2) {
        Value::None => {
            let (arr, values) = (raveled(call, &arr)?, raveled(call, &values)?);
            core!(call, "concat", vec![arr, values])
        }
        given => core!(call, "concat", vec![arr, values]; axis: given),
    }
}

/// `block(arrays)`: nested lists joined along the last axes, the innermost along the last one.
pub(crate) fn block(call: &mut Call<'_>) -> Out {
    fn depth(value: &Value<'_>) -> usize {
        value.items().map_or(0, |list| 1 + list.first().map_or(0, depth))
    }
    fn join(call: &Call<'_>, value: &Value<'_>, depth: usize, ndim: usize) -> Out {
        let Some(list) = value.items() else {
            let x = array(call, value)?;
            let lengths = [1].repeat(ndim.saturating_sub(x.ndim()));
            let lengths = lengths.into_iter().chain(x.shape().iter().map(|&d| d as i64));
            return core!(call, "reshape", &x, ints(lengths));
        };
        if list.is_empty() {
            return Err(call.refuse(Fault::Value, "arrays", Some(value), "lists cannot be empty"));
        }
        let parts = list.iter().map(|v| join(call, v, depth - 1, ndim)).collect::<Result<Vec<_>>>()?;
        core!(call, "concat", parts; axis: -(depth as i64))
    }
    fn greatest(call: &Call<'_>, value: &Value<'_>) -> Result<usize> {
        match value.items() {
            Some(list) => list.iter().try_fold(0, |n, v| Ok(n.max(greatest(call, v)?))),
            None => Ok(shape(call, value)?.len()),
        }
    }
    let arrays = call.value(0);
    let depth = depth(arrays);
    join(call, arrays, depth, greatest(call, arrays)?.max(depth))
}

/// `split(ary, indices_or_sections, axis, equal)`
pub(crate) fn split(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let lengths = shape(call, &x)?;
    let along = axis(call, call.int(2)?, lengths.len())?;
    let length = lengths[along];
    let (sections, bounds) = match call.value(1) {
        Value::Int(_) => (Some(call.int(1)?), Vec::new()),
        _ => (None, call.ints(1)?.unwrap_or_default()),
    };
    let bounds = match sections {
        None => [0].into_iter().chain(bounds).chain([length]).collect(),
        Some(n) if n < 1 || call.flag(3)? && length % n != 0 => {
            let rule = "array split does not result in an equal division";
            return Err(call.refuse(Fault::Value, "indices_or_sections", Some(call.value(1)), rule));
        }
        // The first ones are longer by one.
        Some(n) => (0..=n).map(|i| i * (length / n) + i.min(length % n)).collect::<Vec<i64>>(),
    };
    let part = |pair: &[i64]| cut(call, &x, along, pair[0], pair[1].max(pair[0]));
    bounds.windows(2).map(part).collect::<Result<_>>().map(Value::List)
}

/// `tile(A, reps)`
pub(crate) fn tile(call: &mut Call<'_>) -> Out {
    core!(call, "tile", &operand(call, 0)?, ints(call.ints(1)?.unwrap_or_default()))
}

/// `roll(a, shift, axis)`: the shifts may be an array.
pub(crate) fn roll(call: &mut Call<'_>) -> Out {
    let shift = call.ints(1)?.unwrap_or_default();
    match call.value(2) {
        Value::None => {
            let x = operand(call, 0)?;
            let flat = raveled(call, &x)?;
            let turned = core!(call, "roll", &flat, ints([shift.iter().sum::<i64>()]); axis: 0)?;
            core!(call, "reshape", &turned, ints(shape(call, &x)?))
        }
        given => core!(call, "roll", call.value(0), ints(shift); axis: given),
    }
}

/// `delete(arr, obj, axis)`
pub(crate) fn delete(call: &mut Call<'_>) -> Out {
    let (x, along, length) = flat_or_along(call, 0, 2)?;
    let gone = positions(call, call.value(1), length)?;
    let kept = (0..length).filter(|i| !gone.contains(i));
    let kept = core!(call, "asarray", ints(kept); dtype: Dtype::INT64)?;
    core!(call, "take", &x, &kept; axis: along)
}

/// Argument `i` and the axis of argument `j`; flat and axis 0 for `None`. With the axis' length.
fn flat_or_along(call: &Call<'_>, i: usize, j: usize) -> Result<(Value<'static>, usize, i64)> {
    let x = Value::from(call.array(i)?);
    let (x, along) = match call.value(j) {
        Value::None => (raveled(call, &x)?, 0),
        _ => {
            let along = axis(call, call.int(j)?, shape(call, &x)?.len())?;
            (x, along)
        }
    };
    let length = shape(call, &x)?[along];
    Ok((x, along, length))
}

/// The positions that an integer, a slice, integers or truth values name.
fn positions(call: &Call<'_>, obj: &Value<'_>, length: i64) -> Result<Vec<i64>> {
    let all = core!(call, "arange", length)?;
    let named = get(call, &all, obj.borrowed())?;
    let host = array(call, &raveled(call, &named)?)?.to_host()?;
    (0..host.shape().size()).map(|i| Ok(host.scalar_at(i)?.to_i128() as i64)).collect()
}

/// `insert(arr, obj, values, axis)`: positions are those before which something is put, in the array as it was.
pub(crate) fn insert(call: &mut Call<'_>) -> Out {
    let (x, along, length) = flat_or_along(call, 0, 3)?;
    let single =
        matches!(call.value(1), Value::Int(_)) || call.value(1).as_array().is_some_and(|a| a.ndim() == 0);
    let places = match call.value(1) {
        slice @ Value::Slice { .. } => positions(call, slice, length)?,
        _ => call.ints(1)?.unwrap_or_default(),
    };
    let place = |&p: &i64| {
        let counted = if p < 0 { p + length } else { p };
        let fits = (0..=length).contains(&counted);
        fits.then_some(counted)
            .ok_or_else(|| call.refuse(Fault::Index, "obj", Some(call.value(1)), "is out of bounds"))
    };
    let places = places.iter().map(place).collect::<Result<Vec<i64>>>()?;
    let mut values = core!(call, "astype", &call.array(2)?, dtype(call, &x)?)?;
    let lengths = shape(call, &x)?;
    let rank = shape(call, &values)?.len();
    if single && rank > 0 {
        // What is given is put there whole, along the axis.
        values = core!(call, "moveaxis", &values, 0, along.min(rank - 1))?;
        if rank < lengths.len() {
            values = core!(call, "expand_dims", &values, along)?;
        }
    }
    let count = match (single, shape(call, &values)?.len() == lengths.len()) {
        (true, true) => shape(call, &values)?[along],
        (true, false) => 1,
        _ => places.len() as i64,
    };
    let places = if single { places.repeat(usize::try_from(count).unwrap_or(0)) } else { places };
    let mut wide = lengths.clone();
    wide[along] = count;
    let values = core!(call, "broadcast_to", &values, ints(wide))?;
    let joined = core!(call, "concat", vec![x, values]; axis: along)?;
    // The order of the joined elements: by place, what is put there before what was.
    let mut order: Vec<(i64, i64)> = (0..length).map(|i| (i, 1)).collect();
    let mut numbered: Vec<(i64, i64, i64)> =
        order.drain(..).enumerate().map(|(i, (p, last))| (p, last, i as i64)).collect();
    numbered.extend(places.iter().enumerate().map(|(i, &p)| (p, 0, length + i as i64)));
    numbered.sort_by_key(|&(p, last, _)| (p, last));
    let taken = core!(call, "asarray", ints(numbered.into_iter().map(|(.., i)| i)); dtype: Dtype::INT64)?;
    core!(call, "take", &joined, &taken; axis: along)
}

/// `ediff1d(ary, to_end, to_begin)`
pub(crate) fn ediff1d(call: &mut Call<'_>) -> Out {
    let flat = raveled(call, &operand(call, 0)?)?;
    let kind = dtype(call, &flat)?;
    let ends = |i: usize| match call.value(i) {
        Value::None => Ok(None),
        value => core!(call, "astype", &raveled(call, &array(call, value)?.into())?, kind).map(Some),
    };
    let between = core!(call, "diff", &flat)?;
    let parts = [ends(2)?, Some(between), ends(1)?].into_iter().flatten();
    core!(call, "concat", parts.collect::<Vec<_>>())
}
