//! Grids of positions, triangles, blocks.

use super::casts::unsafely;
use super::creation::zeros;
use super::help::{Out, flat, lengths, promoted, shape_of, tuple, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Arange, Tri};
use ivy_core::{Array, Dtype, Result, Shape};
use ivy_frontend::{Call, Value};

/// An array along one axis of several.
fn along(x: &Array, axis: usize, ndim: usize) -> Result<Array> {
    let shape = (0..ndim).map(|a| if a == axis { x.size() as i64 } else { 1 });
    f::reshape(x, shape.collect::<Vec<i64>>(), ())
}

/// `dimensions dtype sparse`: the position of each place along each axis.
pub fn grid_indices(call: &mut Call<'_>) -> Out {
    let shape = shape_of(call, &call.ints(0)?.unwrap_or_default())?;
    let dtype = call.dtype(1)?.unwrap_or(Dtype::INT64);
    let ndim = shape.len();
    let one = |axis: usize| along(&f::arange(shape[axis] as i64, Arange::new().dtype(dtype))?, axis, ndim);
    let open = (0..ndim).map(one).collect::<Result<Vec<_>>>()?;
    if call.flag(2)? {
        return Ok(tuple(open));
    }
    if ndim == 0 {
        return Ok(zeros(&Shape::from([0]), dtype)?.into());
    }
    let whole = open.iter().map(|x| f::broadcast_to(x, shape.clone())).collect::<Result<Vec<_>>>()?;
    Ok(f::stack(&whole, ())?.into())
}

/// Positions, whether they stay along their axes, and the order of the first two axes.
pub fn meshgrid(call: &mut Call<'_>) -> Out {
    let given = call.arrays(0)?;
    let indexing = call.text(2)?;
    if !matches!(indexing, "xy" | "ij") {
        return Err(value_error(call, "indexing", "Valid values for `indexing` are 'xy' and 'ij'."));
    }
    let ndim = given.len();
    let place = |i: usize| if indexing == "xy" && ndim > 1 && i < 2 { 1 - i } else { i };
    let open = given
        .iter()
        .enumerate()
        .map(|(i, x)| along(&flat(x)?, place(i), ndim))
        .collect::<Result<Vec<_>>>()?;
    if call.flag(1)? {
        return Ok(tuple(open));
    }
    let mut shape = vec![1; ndim];
    for (i, x) in given.iter().enumerate() {
        shape[place(i)] = x.size();
    }
    let whole = open.iter().map(|x| f::broadcast_to(x, shape.clone())).collect::<Result<Vec<_>>>()?;
    Ok(tuple(whole))
}

/// Positions along an axis each, as arrays that broadcast to the grid of all.
pub fn open_mesh(call: &mut Call<'_>) -> Out {
    let given = call.arrays(0)?;
    let mut open = Vec::with_capacity(given.len());
    for (axis, x) in given.iter().enumerate() {
        if x.ndim() != 1 {
            return Err(value_error(call, "args", "Cross index must be 1 dimensional"));
        }
        let x = match () {
            () if x.dtype().is_bool() => f::nonzero(x)?.swap_remove(0),
            () if x.size() == 0 => f::astype(x, Dtype::INT64)?,
            () => x.clone(),
        };
        open.push(along(&x, axis, given.len())?);
    }
    Ok(tuple(open))
}

/// An array, a diagonal, and whether what is below it stays (or above).
pub fn triangle(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (k, lower) = (call.int(1)?, call.flag(2)?);
    if x.ndim() == 0 {
        return Err(super::help::type_error(call, "m", "an array of one axis at least is needed"));
    }
    let columns = x.shape()[x.ndim() - 1];
    let rows = if x.ndim() > 1 { x.shape()[x.ndim() - 2] } else { columns };
    let k = if lower { k } else { k - 1 };
    let mask = f::tri(rows, Tri::new().n_cols(columns).k(k).dtype(Dtype::BOOL))?;
    let nothing = zeros(&Shape::default(), x.dtype())?;
    Ok(if lower { f::where_(mask, &x, nothing) } else { f::where_(mask, nothing, &x) }?.into())
}

/// `x N increasing`: the powers of each element.
pub fn vander(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.ndim() != 1 {
        return Err(value_error(call, "x", "x must be a one-dimensional array or sequence."));
    }
    let count = if call.value(1).is_none() { x.size() as i64 } else { call.int(1)? };
    Ok(powers(&x, count, call.flag(2)?)?.into())
}

/// The powers below `count` of each element, in a row.
pub(super) fn powers(x: &Array, count: i64, increasing: bool) -> Result<Array> {
    let dtype = promoted(x, &zeros(&Shape::default(), Dtype::INT64)?)?;
    let x = f::reshape(unsafely(x, dtype)?, [-1, 1], ())?;
    let mut columns: Vec<Array> = Vec::new();
    for _ in 0..count.max(0) {
        columns.push(match columns.last() {
            Some(last) => f::multiply(last, &x)?,
            None => f::ones_like(&x, ())?,
        });
    }
    if !increasing {
        columns.reverse();
    }
    match columns.is_empty() {
        true => zeros(&Shape::from([x.size(), 0]), dtype),
        false => f::concat(&columns, f::Concat::new().axis(1)),
    }
}

/// Arrays in lists of lists, put together: those of the innermost lists along the last axis.
pub fn block(call: &mut Call<'_>) -> Out {
    let value = call.value(0);
    let depth = depth(call, value, "arrays")?;
    let mut ndim = depth;
    leaves(call, value, &mut |x| ndim = ndim.max(x.ndim()))?;
    Ok(join(call, value, depth, ndim, 0)?.into())
}

/// How many lists an array lies in, which is the same for all; `path` is where the value stands.
fn depth(call: &Call<'_>, value: &Value<'_>, path: &str) -> Result<usize> {
    let items = match value {
        Value::List(items) => items,
        Value::Tuple(_) => {
            let rule = format!(
                "{path} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit conversion from tuple to ndarray."
            );
            return Err(type_error(call, "arrays", rule));
        }
        _ => return Ok(0),
    };
    let depth_of = |(i, item)| depth(call, item, &format!("{path}[{i}]"));
    let depths = items.iter().enumerate().map(depth_of).collect::<Result<Vec<_>>>()?;
    let Some(&first) = depths.first() else {
        return Err(value_error(call, "arrays", format!("List at {path} cannot be empty")));
    };
    if let Some(i) = depths.iter().position(|&d| d != first) {
        let rule = format!(
            "List depths are mismatched. {path}[0] has a depth of {first}, but {path}[{i}] has one of {}",
            depths[i]
        );
        return Err(value_error(call, "arrays", rule));
    }
    Ok(first + 1)
}

fn leaves(call: &Call<'_>, value: &Value<'_>, visit: &mut dyn FnMut(&Array)) -> Result<()> {
    match value {
        Value::List(items) => items.iter().try_for_each(|item| leaves(call, item, visit)),
        leaf => {
            visit(&call.to_array(leaf)?);
            Ok(())
        }
    }
}

fn join(call: &Call<'_>, value: &Value<'_>, depth: usize, ndim: usize, level: usize) -> Result<Array> {
    match value {
        Value::List(items) => {
            let parts = items.iter().map(|item| join(call, item, depth, ndim, level + 1));
            let parts = parts.collect::<Result<Vec<_>>>()?;
            let common =
                parts[1..].iter().try_fold(parts[0].dtype(), |d, x| f::result_type([d, x.dtype()]))?;
            let parts = parts.iter().map(|x| f::astype(x, common)).collect::<Result<Vec<_>>>()?;
            let axis = (ndim - depth + level) as i64;
            f::concat(&parts, f::Concat::new().axis(axis))
        }
        leaf => {
            let x = call.to_array(leaf)?;
            let shape = std::iter::repeat_n(1, ndim - x.ndim()).chain(lengths(x.shape()));
            f::reshape(&x, shape.collect::<Vec<i64>>(), ())
        }
    }
}

/// The indices of the diagonal of an array whose axes have one length.
pub fn diag_indices_from(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.ndim() < 2 {
        return Err(value_error(call, "arr", "input array must be at least 2-d"));
    }
    if x.shape().iter().any(|&d| d != x.shape()[0]) {
        return Err(value_error(call, "arr", "All dimensions of input must be of equal length"));
    }
    let one = f::arange(x.shape()[0] as i64, ())?;
    Ok(tuple(std::iter::repeat_n(one, x.ndim())))
}
