//! Arrays from nothing, or like others.

use super::support::{
    Out, array, axis, core, cut, default_float, default_int, dtype, float_of, inexact, ints, is_weak,
    product, shape, weakly,
};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value};

/// A value as an array: of a dtype, or of its own, weakly typed where JAX has that of it.
fn made(call: &Call<'_>, object: &Value<'_>, dtype: Option<Dtype>) -> Out {
    if dtype.is_none() && object.items().is_none() {
        return call.typed(object);
    }
    Ok(call.make_array(object, dtype)?.into())
}

/// `array(object, dtype, ndmin)`
pub(crate) fn make(call: &mut Call<'_>) -> Out {
    let (object, dtype, ndmin) = (call.value(0), call.dtype(1)?, call.int(2)?);
    let made = made(call, object, dtype)?;
    let given = shape(call, &made)?;
    let missing = usize::try_from(ndmin).unwrap_or(0).saturating_sub(given.len());
    if missing == 0 {
        return Ok(made);
    }
    core!(call, "reshape", &made, ints([1i64].repeat(missing).into_iter().chain(given)))
}

/// `astype(x, dtype)`: of complex numbers the real part, where the dtype is real.
pub(crate) fn astype(call: &mut Call<'_>) -> Out {
    let (x, to) = (call.value(0), call.dtype(1)?.unwrap_or_else(default_float));
    if dtype(call, x)?.is_complex() && !to.is_complex() && !to.is_bool() {
        return core!(call, "astype", &core!(call, "real", x)?, to);
    }
    core!(call, "astype", x, to)
}

/// `full(shape, fill_value, dtype)`
pub(crate) fn full(call: &mut Call<'_>) -> Out {
    let value = made(call, call.value(1), call.dtype(2)?)?;
    core!(call, "broadcast_to", &value, call.value(0))
}

/// `full_like(x, fill_value, dtype, shape)`
pub(crate) fn full_like(call: &mut Call<'_>) -> Out {
    let like = call.value(0);
    let (dtype, weak) = match call.dtype(2)? {
        Some(dtype) => (dtype, false),
        None => (dtype(call, like)?, is_weak(like)),
    };
    let value = call.make_array(call.value(1), Some(dtype))?;
    let filled = match call.value(3) {
        Value::None => core!(call, "broadcast_to", value, ints(shape(call, like)?)),
        given => core!(call, "broadcast_to", value, given),
    };
    Ok(weakly(filled?, weak))
}

/// `linspace(start, stop, num, endpoint, retstep, dtype, axis)`: `start (1 - t) + stop t`, the last one `stop` itself.
pub(crate) fn linspace(call: &mut Call<'_>) -> Out {
    let (num, endpoint, retstep) = (call.int(2)?, call.flag(3)?, call.flag(4)?);
    if num < 0 {
        return Err(call.refuse(Fault::Value, "num", Some(call.value(2)), "must be non-negative"));
    }
    let (start, stop) = (float_array(call, 0)?, float_array(call, 1)?);
    let start = core!(call, "add", &start, &core!(call, "multiply", &stop, 0)?)?;
    let stop = core!(call, "add", &stop, &core!(call, "multiply", &start, 0)?)?;
    let computed = dtype(call, &start)?;
    let intervals = if endpoint { num - 1 } else { num };
    let step = if intervals > 0 {
        core!(call, "divide", &core!(call, "subtract", &stop, &start)?, intervals)?
    } else {
        core!(call, "multiply", &start, f64::NAN)?
    };
    let (head, tail) = (core!(call, "expand_dims", &start, 0)?, core!(call, "expand_dims", &stop, 0)?);
    let turns = if endpoint && num > 1 { num - 1 } else { num };
    let column = ints([turns].into_iter().chain([1i64].repeat(shape(call, &start)?.len())));
    let turn = core!(call, "reshape", &core!(call, "arange", turns; dtype: computed)?, column)?;
    let t = core!(call, "divide", &turn, intervals.max(1))?;
    let from = core!(call, "multiply", &head, &core!(call, "subtract", 1, &t)?)?;
    let mut out = core!(call, "add", &from, &core!(call, "multiply", &tail, &t)?)?;
    if endpoint && num > 1 {
        out = core!(call, "concat", vec![out, tail])?;
    }
    let place = axis(call, call.int(6)?, shape(call, &out)?.len())?;
    if place != 0 {
        out = core!(call, "moveaxis", &out, 0, place)?;
    }
    match call.dtype(5)? {
        Some(dtype) if dtype.is_int() => out = core!(call, "astype", &core!(call, "floor", &out)?, dtype)?,
        Some(dtype) => out = core!(call, "astype", &out, dtype)?,
        None => {}
    }
    Ok(if retstep { Value::Tuple(vec![out, step]) } else { out })
}

fn float_array(call: &Call<'_>, i: usize) -> Result<Value<'static>> {
    Ok(array(call, &inexact(call, call.value(i))?)?.into())
}

/// `geomspace(start, stop, num, endpoint, dtype, axis)`: integers are cut off what their float dtype gives.
pub(crate) fn geomspace(call: &mut Call<'_>) -> Out {
    let given = match call.dtype(4)? {
        Some(dtype) => dtype,
        None => match core!(call, "result_type", call.value(0), call.value(1))? {
            Value::Dtype(common) if common.is_int() || common.is_bool() => float_of(common),
            Value::Dtype(common) => common,
            _ => default_float(),
        },
    };
    let computed = if given.is_int() || given.is_bool() { float_of(given) } else { given };
    let bound = |i: usize| core!(call, "astype", &call.array(i)?, computed);
    let (num, endpoint, along) = (call.int(2)?, call.flag(3)?, call.int(5)?);
    let made = core!(call, "geomspace", &bound(0)?, &bound(1)?, num, endpoint; axis: along)?;
    core!(call, "astype", &made, given)
}

/// `sparse_grid(arrays, indexing)`: each array along its own axis.
pub(crate) fn sparse_grid(call: &mut Call<'_>) -> Out {
    let (arrays, indexing) = (call.arrays(0)?, call.text(1)?);
    if !matches!(indexing, "xy" | "ij") {
        return Err(call.refuse(Fault::Value, "indexing", Some(call.value(1)), "must be 'xy' or 'ij'"));
    }
    let count = arrays.len();
    let turned = indexing == "xy" && count > 1;
    let along = |(i, x): (usize, ivy_core::Array)| {
        let place = if turned && i < 2 { 1 - i } else { i };
        let lengths = (0..count).map(|a| if a == place { -1i64 } else { 1 });
        core!(call, "reshape", x, ints(lengths))
    };
    arrays.into_iter().enumerate().map(along).collect::<Result<_>>().map(Value::List)
}

/// `indices(dimensions, dtype, sparse)`
pub(crate) fn indices(call: &mut Call<'_>) -> Out {
    let dimensions = call.ints(0)?.unwrap_or_default();
    let (dtype, sparse) = (call.dtype(1)?.unwrap_or_else(default_int), call.flag(2)?);
    let grid = |place: usize| {
        let counted = core!(call, "arange", dimensions[place]; dtype: dtype)?;
        let lengths = (0..dimensions.len()).map(|a| if a == place { -1i64 } else { 1 });
        let column = core!(call, "reshape", &counted, ints(lengths))?;
        if sparse { Ok(column) } else { core!(call, "broadcast_to", &column, ints(dimensions.clone())) }
    };
    let grids = (0..dimensions.len()).map(grid).collect::<Result<Vec<_>>>()?;
    match (sparse, grids.is_empty()) {
        (true, _) => Ok(Value::Tuple(grids)),
        (false, true) => core!(call, "zeros", ints([0i64]); dtype: dtype),
        (false, false) => core!(call, "stack", grids),
    }
}

/// `ix(args)`: each array of one axis along its own axis.
pub(crate) fn ix(call: &mut Call<'_>) -> Out {
    let arrays = call.arrays(0)?;
    let count = arrays.len();
    let along = |(place, x): (usize, ivy_core::Array)| {
        if x.ndim() != 1 {
            return Err(call.refuse(Fault::Value, "args", Some(&(&x).into()), "must be 1-dimensional"));
        }
        if x.dtype().is_bool() {
            let rule = "truth values are not there";
            return Err(call.refuse(Fault::Missing, "args", Some(&(&x).into()), rule));
        }
        let lengths = (0..count).map(|a| if a == place { -1i64 } else { 1 });
        core!(call, "reshape", x, ints(lengths))
    };
    arrays.into_iter().enumerate().map(along).collect::<Result<_>>().map(Value::Tuple)
}

/// `triangle(lower, n, k, m)`: the indices of a triangle's elements.
pub(crate) fn triangle(call: &mut Call<'_>) -> Out {
    let (lower, rows, k) = (call.flag(0)?, call.int(1)?, call.int(2)?);
    let columns = if call.value(3).is_none() { rows } else { call.int(3)? };
    let all = core!(call, "ones", ints([rows, columns]); dtype: Dtype::BOOL)?;
    let inside = if lower { core!(call, "tril", &all; k: k)? } else { core!(call, "triu", &all; k: k)? };
    super::searching::places_of(call, &inside)
}

/// `iota(dtype, shape, dimension)`: the numbers of positions along an axis.
pub(crate) fn iota(call: &mut Call<'_>) -> Out {
    let dtype = call.dtype(0)?.unwrap_or_else(default_int);
    let lengths = call.ints(1)?.unwrap_or_default();
    let along = axis(call, call.int(2)?, lengths.len())?;
    let counted = core!(call, "arange", lengths[along]; dtype: dtype)?;
    let column = (0..lengths.len()).map(|a| if a == along { -1i64 } else { 1 });
    core!(call, "broadcast_to", &core!(call, "reshape", &counted, ints(column))?, ints(lengths.clone()))
}

/// `resize(a, shape)`: the elements over and over.
pub(crate) fn resize(call: &mut Call<'_>) -> Out {
    let (a, to) = (call.array(0)?, call.ints(1)?.unwrap_or_default());
    let (have, need) = (a.size() as i64, product(&to));
    if have == 0 || need == 0 {
        return core!(call, "zeros", ints(to); dtype: a.dtype());
    }
    let flat = core!(call, "reshape", &a, [-1i64])?;
    let again = core!(call, "tile", &flat, ints([(need + have - 1) / have]))?;
    core!(call, "reshape", &cut(call, &again, 0, 0, need)?, ints(to))
}
