//! Shapes in which some lengths are the tensor's own.

use ivy_core::{Dtype, Result};
use ivy_frontend::specials::{Out, axis, lengths, wrong};
use ivy_frontend::{Call, Value, compute};

fn listed(numbers: impl IntoIterator<Item = i64>) -> Value<'static> {
    Value::Tuple(numbers.into_iter().map(Value::from).collect())
}

/// `kept_lengths(x, shape)`: the shape, with the tensor's own length in place of each 0.
pub(crate) fn kept_lengths(call: &mut Call<'_>) -> Out {
    let (own, shape) = (lengths(&call.array(0)?), call.ints(1)?.unwrap_or_default());
    let length = |(i, length): (usize, i64)| match (length, own.get(i)) {
        (0, Some(&own)) => Ok(own),
        (0, None) => Err(wrong(call, "shape", format!("0 stands for an axis {i} that is not there"))),
        (length, _) => Ok(length),
    };
    Ok(listed(shape.into_iter().enumerate().map(length).collect::<Result<Vec<_>>>()?))
}

/// `squeeze(x, axis)`: without the axes of length 1, or those among the given ones.
pub(crate) fn squeeze(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let given = match call.ints(1)? {
        None => (0..x.ndim()).collect(),
        Some(list) => list.into_iter().map(|a| axis(call, a, x.ndim())).collect::<Result<Vec<_>>>()?,
    };
    let kept = lengths(&x).into_iter().enumerate().filter(|(i, length)| *length != 1 || !given.contains(i));
    let kept: Vec<i64> = kept.map(|(_, length)| length).collect();
    Ok(compute!(call, "reshape", [&x], shape = kept)?.into())
}

/// `unflatten(x, axis, shape)`: an axis as several.
pub(crate) fn unflatten(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let (at, inner) = (axis(call, call.int(1)?, x.ndim())?, call.ints(2)?.unwrap_or_default());
    let known = inner.iter().filter(|length| **length != -1).product::<i64>();
    let own = x.shape()[at] as i64;
    let inner = inner.iter().map(|&length| if length == -1 && known != 0 { own / known } else { length });
    let mut shape = lengths(&x);
    shape.splice(at..=at, inner.collect::<Vec<_>>());
    Ok(compute!(call, "reshape", [&x], shape = shape)?.into())
}

/// `diag_embed(input, offset, dim1, dim2)`: matrices with the last axis along a diagonal.
pub(crate) fn diag_embed(call: &mut Call<'_>) -> Out {
    let (x, offset) = (call.array(0)?, call.int(1)?);
    let n = *lengths(&x).last().ok_or_else(|| wrong(call, "input", "an axis is needed"))?;
    let side = n + offset.abs();
    let (before, behind) = (offset.max(0), (-offset).max(0));
    let mut widths = vec![vec![0i64; 2]; x.ndim()];
    // The element of column j stands in row j - offset.
    widths[x.ndim() - 1] = vec![before, behind];
    let padded = compute!(call, "constant_pad", [&x], pad_width = widths)?;
    let rows = compute!(call, "expand_dims", [&padded], axis = -2)?;
    let mask = compute!(call, "eye", [], n_rows = side, k = offset, dtype = Dtype::BOOL)?;
    let full = compute!(call, "where", [&mask, &rows, 0])?;
    let (first, second) = (call.int(2)?, call.int(3)?);
    let moved = call.core(
        "moveaxis",
        &[(&full).into()],
        ivy_frontend::kw! {
            source: vec![-2i64, -1], destination: vec![first, second]
        },
    )?;
    Ok(moved)
}
