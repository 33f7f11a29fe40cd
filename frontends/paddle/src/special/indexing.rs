//! Elements at places along axes.

use ivy_core::{Array, Index, Result};
use ivy_frontend::specials::{Out, axis, lengths, wrong};
use ivy_frontend::{Call, Fault, Value, compute};

/// Slices of axes by starts, ends and steps, which are counted from the end if negative.
pub(crate) fn slice(call: &mut Call<'_>) -> Out {
    let (x, axes) = (call.array(0)?, call.ints(1)?.unwrap_or_default());
    let (starts, ends) = (call.ints(2)?.unwrap_or_default(), call.ints(3)?.unwrap_or_default());
    let steps = call.ints(4)?.unwrap_or_else(|| vec![1; axes.len()]);
    if [starts.len(), ends.len(), steps.len()] != [axes.len(); 3] {
        return Err(wrong(call, "axes", "a start, an end and a step for each axis"));
    }
    let mut key = vec![Index::Slice { start: None, stop: None, step: 1 }; x.ndim()];
    for (i, &along) in axes.iter().enumerate() {
        let along = axis(call, along, x.ndim())?;
        key[along] = Index::Slice { start: Some(starts[i]), stop: Some(ends[i]), step: steps[i] };
    }
    Ok(x.get(key)?.into())
}

/// `crop(x, shape, offsets)`: a length of -1 reaches to the end.
pub(crate) fn crop(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let shape = call.ints(1)?.unwrap_or_else(|| lengths(&x));
    let offsets = call.ints(2)?.unwrap_or_else(|| vec![0; x.ndim()]);
    if shape.len() != x.ndim() || offsets.len() != x.ndim() {
        return Err(wrong(call, "shape", format!("a number for each of {} axes", x.ndim())));
    }
    let mut key = Vec::new();
    for ((&length, &start), &own) in shape.iter().zip(&offsets).zip(x.shape().iter()) {
        let stop = if length == -1 { own as i64 } else { start + length };
        if start < 0 || stop > own as i64 {
            return Err(wrong(call, "offsets", format!("{start} and {length} are beyond a length of {own}")));
        }
        key.push(Index::Slice { start: Some(start), stop: Some(stop), step: 1 });
    }
    Ok(x.get(key)?.into())
}

/// Indices in the shape of the places that they are for.
fn spread(call: &Call<'_>, x: &Array, indices: &Array, along: usize, broadcast: bool) -> Result<Array> {
    if x.ndim() != indices.ndim() {
        return Err(wrong(
            call,
            "indices",
            format!("{} axes are needed, there are {}", x.ndim(), indices.ndim()),
        ));
    }
    if !broadcast {
        return Ok(indices.clone());
    }
    let mut shape = lengths(x);
    shape[along] = indices.shape()[along] as i64;
    compute!(call, "broadcast_to", [indices], shape = shape)
}

/// `take_along_axis(arr, indices, axis, broadcast)`
pub(crate) fn take_along_axis(call: &mut Call<'_>) -> Out {
    let (x, indices) = (call.array(0)?, call.array(1)?);
    let along = axis(call, call.int(2)?, x.ndim())?;
    let indices = spread(call, &x, &indices, along, call.flag(3)?)?;
    Ok(compute!(call, "take_along_axis", [&x, &indices], axis = along as i64)?.into())
}

/// `put_along_axis(arr, indices, values, axis, reduce, include_self, broadcast)`
pub(crate) fn put_along_axis(call: &mut Call<'_>) -> Out {
    let (x, indices) = (call.array(0)?, call.array(1)?);
    let along = axis(call, call.int(3)?, x.ndim())?;
    let mode = match call.text(4)? {
        "assign" => "replace",
        "add" => "sum",
        "mul" | "multiply" => "mul",
        "amin" => "min",
        "amax" => "max",
        _ => {
            return Err(call.refuse(
                Fault::Missing,
                "reduce",
                Some(call.value(4)),
                "assign, add, mul, amin, amax",
            ));
        }
    };
    if !call.flag(5)? {
        return Err(call.refuse(
            Fault::Missing,
            "include_self",
            Some(call.value(5)),
            "only with the elements there",
        ));
    }
    let indices = spread(call, &x, &indices, along, call.flag(6)?)?;
    let values = call.make_array(call.value(2), Some(x.dtype()))?;
    Ok(compute!(call, "put_along_axis", [&x, &indices, &values], axis = along as i64, mode = mode)?.into())
}

/// `scatter(x, index, updates, overwrite)`: rows replaced, the last one of a place; or what several add up to.
pub(crate) fn scatter(call: &mut Call<'_>) -> Out {
    let (x, index, updates) = (call.array(0)?, call.array(1)?, call.array(2)?);
    let index = compute!(call, "reshape", [&index], shape = vec![-1i64])?;
    if call.flag(3)? {
        return Ok(compute!(call, "index_copy", [&x, 0, &index, &updates])?.into());
    }
    // Rows that are written begin with 0.
    let zeros = compute!(call, "zeros_like", [&updates])?;
    let cleared = compute!(call, "index_copy", [&x, 0, &index, &zeros])?;
    Ok(Value::from(compute!(call, "index_add", [&cleared, 0, &index, &updates])?))
}
