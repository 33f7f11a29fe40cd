//! Writes: each gives the array as it is afterwards.

use super::casts::{by_rule, unsafely};
use super::help::{Out, axis_in, flat, ints_beside, lengths, value_error};
use super::indexing::{beside_each_other, placed, whole};
use ivy_core::functional as f;
use ivy_core::functional::Take;
use ivy_core::{Array, Kind, Result, Scalar};
use ivy_frontend::{Call, Fault, Value};

/// Elements over and over until there are `count`.
fn cycled(values: &Array, count: usize) -> Result<Array> {
    let values = flat(values)?;
    if values.size() == count {
        return Ok(values);
    }
    let places = f::remainder(f::arange(count as i64, ())?, values.size().max(1) as i64)?;
    f::take(&values, places, Take::new().axis(0))
}

/// The array with values at places of its elements in order.
fn replaced(x: &Array, places: &Array, values: &Array) -> Result<Array> {
    let values = cycled(&unsafely(values, x.dtype())?, places.size())?;
    let written = f::put_along_axis(flat(x)?, places, values, 0, ())?;
    f::reshape(written, lengths(x.shape()), ())
}

/// `a ind v mode`
pub fn put(call: &mut Call<'_>) -> Out {
    let (x, values) = (call.array(0)?, call.array(2)?);
    let places = flat(&placed(call, call.array(1)?, x.size(), call.text(3)?)?)?;
    if places.size() == 0 || values.size() == 0 {
        return Ok(x.into());
    }
    Ok(replaced(&x, &places, &values)?.into())
}

/// `arr mask vals`
pub fn place(call: &mut Call<'_>) -> Out {
    let (x, mask, values) = (call.array(0)?, call.array(1)?, call.array(2)?);
    if mask.size() != x.size() {
        return Err(value_error(call, "mask", "place: mask and data must be the same size"));
    }
    let places = f::nonzero(flat(&mask)?)?.swap_remove(0);
    match (places.size(), values.size()) {
        (0, _) => Ok(x.into()),
        (_, 0) => Err(value_error(call, "vals", "Cannot insert from an empty array!")),
        _ => Ok(replaced(&x, &places, &values)?.into()),
    }
}

/// `a mask values`
pub fn putmask(call: &mut Call<'_>) -> Out {
    let (x, mask, values) = (call.array(0)?, call.array(1)?, call.array(2)?);
    if mask.size() != x.size() {
        return Err(value_error(call, "mask", "putmask: mask and data must be the same size"));
    }
    if values.size() == 0 {
        return Ok(x.into());
    }
    let values = cycled(&unsafely(&values, x.dtype())?, x.size())?;
    let values = f::reshape(values, lengths(x.shape()), ())?;
    let mask = f::reshape(f::not_equal(mask, 0), lengths(x.shape()), ())?;
    Ok(f::where_(mask, values, x)?.into())
}

/// Axes joined to another one, in row-major order; each stays with length 1.
fn joined(x: &Array, axes: &[usize], axis: usize) -> Result<Array> {
    let (into, others): (Vec<usize>, Vec<usize>) =
        (0..x.ndim()).partition(|a| axes.contains(a) || *a == axis);
    let order: Vec<i64> = others.iter().chain(&into).map(|&a| a as i64).collect();
    let count: usize = into.iter().map(|&a| x.shape()[a]).product();
    let length = |a: usize| {
        if a == axis {
            count
        } else if axes.contains(&a) {
            1
        } else {
            x.shape()[a]
        }
    };
    let shape: Vec<i64> = others.iter().map(|&a| length(a) as i64).chain([count as i64]).collect();
    let place = others.iter().filter(|&&a| a < axis).count() as i64;
    let last = f::reshape(f::permute_dims(x, order)?, shape, ())?;
    f::reshape(f::moveaxis(last, -1, place)?, (0..x.ndim()).map(|a| length(a) as i64).collect::<Vec<_>>(), ())
}

/// `arr indices values axis`
pub fn put_along_axis(call: &mut Call<'_>) -> Out {
    let (x, indices, values) = (call.array(0)?, whole(call, 1)?, call.array(2)?);
    let (shape, values) = (lengths(x.shape()), unsafely(&values, x.dtype())?);
    let (line, axis) = match call.value(3) {
        Value::None => (flat(&x)?, 0),
        _ => {
            let axis = axis_in(call, call.int(3)?, x.ndim())?;
            (x, axis)
        }
    };
    if indices.ndim() != line.ndim() {
        return Err(value_error(
            call,
            "indices",
            "`indices` and `arr` must have the same number of dimensions",
        ));
    }
    let indices = placed(call, indices, line.shape()[axis], "raise")?;
    let (broadcast, indices) = beside_each_other(call, line.clone(), indices, axis)?;
    let values = f::broadcast_to(values, indices.shape().clone())?;
    // Indices along an axis on which the array has one element all write to that: they are indices along the axis of the
    // call, the last of which stays.
    let repeated: Vec<usize> =
        (0..line.ndim()).filter(|&a| a != axis && broadcast.shape()[a] != line.shape()[a]).collect();
    let (indices, values) = (joined(&indices, &repeated, axis)?, joined(&values, &repeated, axis)?);
    let written = f::put_along_axis(&line, &indices, values, axis as i64, ())?;
    Ok(f::reshape(written, shape, ())?.into())
}

/// `a val wrap`
pub fn fill_diagonal(call: &mut Call<'_>) -> Out {
    let (x, value) = (call.array(0)?, call.array(1)?);
    let d = x.shape();
    let (step, end) = match d.len() {
        0 | 1 => return Err(value_error(call, "a", "array must be at least 2-d")),
        2 if call.flag(2)? => (d[1] + 1, x.size()),
        2 => (d[1] + 1, x.size().min(d[1] * d[1])),
        _ if d.iter().any(|&n| n != d[0]) => {
            return Err(value_error(call, "a", "All dimensions of input must be of equal length"));
        }
        _ => {
            let mut running = 1;
            let steps = d[..d.len() - 1].iter().map(|&n| {
                running *= n;
                running
            });
            (1 + steps.sum::<usize>(), x.size())
        }
    };
    let places = ints_beside(&x, (0..end).step_by(step).map(|i| i as i64).collect())?;
    Ok(replaced(&x, &places, &value)?.into())
}

/// `dst src casting where`
pub fn copyto(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let source = match (call.value(1), call.text(2)?) {
        // A number of the host fits where its kind does.
        (number, rule) if number.as_scalar().is_some() && rule != "unsafe" => {
            let kind = number.as_scalar().map_or(0, |scalar| match scalar {
                Scalar::Bool(_) => 0,
                Scalar::Int(_) => 1,
                Scalar::Float(_) => 2,
                Scalar::Complex(_) => 3,
            });
            let most = match x.dtype().kind() {
                Kind::Bool => 0,
                Kind::Int | Kind::Uint => 1,
                Kind::Float => 2,
                Kind::Complex => 3,
            };
            if kind > most {
                let told = format!("Cannot cast scalar to {} according to the rule '{rule}'", x.dtype());
                return Err(call.refuse(Fault::Casting, "src", Some(number), told));
            }
            call.make_array(number, Some(x.dtype()))?
        }
        (value, rule) => by_rule(call, &call.to_array(value)?, x.dtype(), rule)?,
    };
    let source = f::broadcast_to(source, x.shape().clone());
    let source = source.map_err(|_| {
        value_error(call, "src", format!("could not broadcast input array into shape {}", x.shape()))
    })?;
    match call.value(3) {
        Value::Bool(true) => Ok(source.into()),
        _ => {
            let mask = call.array(3)?;
            Ok(f::where_(f::not_equal(mask, 0), source, x)?.into())
        }
    }
}
