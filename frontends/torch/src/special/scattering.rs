//! Gather and scatter: elements at indices, and tensors with other elements there.

use super::indexing::diagonal_of;
use super::support::{Out, along, axis, cast, has_axes, iota, reshaped, runtime, sliced, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::several;
use ivy_frontend::{Call, Value, compute, kw};

/// The elements at the indices along an axis, each line of the result from its own line.
pub(crate) fn gather(call: &mut Call<'_>) -> Out {
    let (x, index) = (tensor(call, 0)?, whole(call, 2)?);
    let dim = axis(call, call.int(1)?, x.ndim())?;
    if x.ndim() == 0 {
        return Ok(compute!(call, "gather", [&reshaped(&x, [1])?, &index], axis = 0)?.into());
    }
    if index.size() == 0 {
        let shape: Vec<usize> = index.shape().to_vec();
        return Ok(compute!(call, "zeros", [Value::from(shape)], dtype = x.dtype())?.into());
    }
    let narrow = corner(&x, &index, Some(dim)).map_err(|_| runtime(call, "index", "Size does not match"))?;
    Ok(compute!(call, "take_along_axis", [&narrow, &index], axis = dim as i64)?.into())
}

/// The first elements of a tensor along each axis, as many as another one has there, but along one axis.
fn corner(x: &Array, like: &Array, but: Option<usize>) -> Result<Array> {
    let mut cut = x.clone();
    for (i, (&have, &want)) in x.shape().iter().zip(like.shape().iter()).enumerate() {
        if Some(i) != but && have != want {
            cut = sliced(&cut, i, 0, want)?;
        }
    }
    Ok(cut)
}

fn whole(call: &Call<'_>, i: usize) -> Result<Array> {
    let index = tensor(call, i)?;
    match index.dtype().is_int() {
        true => Ok(index),
        false => Err(runtime(call, "index", "expected dtype int64 for index")),
    }
}

/// Updates of the places that `index` names along an axis, combined by a reduction of `scatter_nd`.
fn scattered(
    call: &Call<'_>,
    x: &Array,
    dim: usize,
    index: &Array,
    updates: &Array,
    how: &str,
) -> Result<Array> {
    let mut places = Vec::with_capacity(x.ndim());
    for i in 0..x.ndim() {
        let own = match i == dim {
            true => cast(index, Some(Dtype::INT64))?,
            false => {
                let mut shape = vec![1; index.ndim()];
                shape[i] = index.shape()[i];
                f::broadcast_to(reshaped(&iota(call, index.shape()[i])?, shape)?, index.shape().clone())?
            }
        };
        places.push(own);
    }
    let places = compute!(call, "stack", [places.iter().collect::<Vec<_>>()], axis = -1)?;
    compute!(call, "scatter_nd", [&places, updates], reduction = how, out = x)
}

/// Elements, or a number, put where the indices say along an axis.
pub(crate) fn scatter(call: &mut Call<'_>) -> Out {
    let (x, mut index) = (tensor(call, 0)?, whole(call, 2)?);
    let dim = axis(call, call.int(1)?, x.ndim())?;
    if index.size() == 0 {
        return Ok(x.into());
    }
    if index.ndim() == 0 {
        index = reshaped(&index, [1])?;
    }
    if index.ndim() != x.ndim().max(1) {
        let rule = "Index tensor must have the same number of dimensions as self tensor";
        return Err(runtime(call, "index", rule));
    }
    let how = match call.value(4) {
        Value::None => "replace",
        Value::Text(name) if name == "add" => "sum",
        Value::Text(name) if name == "multiply" => "mul",
        _ => return Err(runtime(call, "reduce", "reduce argument must be either add or multiply.")),
    };
    let updates = match call.value(3).as_array() {
        Some(source) if source.dtype() != x.dtype() => {
            return Err(runtime(call, "src", "Expected self.dtype to be equal to src.dtype"));
        }
        Some(source) => corner(source, &index, None)?,
        None => cast(&call.array(3)?, Some(x.dtype()))?,
    };
    if x.ndim() == 0 {
        let result =
            scattered(call, &reshaped(&x, [1])?, 0, &reshaped(&index, [index.size()])?, &updates, how)?;
        return Ok(reshaped(&result, ivy_core::Shape::default())?.into());
    }
    Ok(scattered(call, &x, dim, &index, &updates, how)?.into())
}

/// Elements of `src` reduced with those of their places.
pub(crate) fn scatter_reduce(call: &mut Call<'_>) -> Out {
    let (x, index, source) = (tensor(call, 0)?, whole(call, 2)?, tensor(call, 3)?);
    let (dim, how, own) = (call.int(1)?, reduction(call, 4)?, call.flag(5)?);
    Ok(compute!(call, "scatter_reduce", [&x, dim, &index, &source, how], include_self = own)?.into())
}

fn reduction<'a>(call: &'a Call<'_>, i: usize) -> Result<&'a str> {
    match call.text(i)? {
        how @ ("sum" | "prod" | "mean" | "amax" | "amin") => Ok(how),
        _ => Err(runtime(call, "reduce", "must be one of sum, prod, mean, amax, amin")),
    }
}

/// Parts of `source` reduced with the parts along an axis that the indices name.
pub(crate) fn index_reduce(call: &mut Call<'_>) -> Out {
    let (x, index, source) = (tensor(call, 0)?, whole(call, 2)?, tensor(call, 3)?);
    let dim = axis(call, call.int(1)?, x.ndim())?;
    if source.ndim() != x.ndim() || index.ndim() > 1 {
        let rule = "self and source have the same number of dimensions, and index has one";
        return Err(runtime(call, "source", rule));
    }
    has_axes(call, 0, &x)?;
    let mut shape = vec![1; source.ndim()];
    shape[dim] = index.size();
    let index = f::broadcast_to(reshaped(&index, shape)?, source.shape().clone())?;
    let (how, own) = (reduction(call, 4)?, call.flag(5)?);
    Ok(compute!(call, "scatter_reduce", [&x, dim as i64, &index, &source, how], include_self = own)?.into())
}

/// Values at the places that tensors of indices, or masks, name together.
pub(crate) fn index_put(call: &mut Call<'_>) -> Out {
    let (x, values, accumulate) = (tensor(call, 0)?, tensor(call, 2)?, call.flag(3)?);
    if values.dtype() != x.dtype() {
        return Err(runtime(call, "values", "Index put requires the source and destination dtypes match"));
    }
    let indices = call.arrays(1)?;
    let mut places: Vec<Array> = Vec::new();
    for index in &indices {
        match index.dtype().is_bool() {
            true => places.extend(several(call, call.core("nonzero", &[index.into()], kw! {})?)?),
            false => places.push(cast(index, Some(Dtype::INT64))?),
        }
    }
    let places: Vec<Value<'_>> = places.iter().map(Value::from).collect();
    let places = several(call, call.core("broadcast_arrays", &places, kw! {})?)?;
    let places = compute!(call, "stack", [places.iter().collect::<Vec<_>>()], axis = -1)?;
    let how = if accumulate { "sum" } else { "replace" };
    Ok(compute!(call, "scatter_nd", [&places, &values], reduction = how, out = &x)?.into())
}

/// The elements where a mask holds; the two broadcast.
pub(crate) fn masked_select(call: &mut Call<'_>) -> Out {
    let (x, mask) = (tensor(call, 0)?, tensor(call, 1)?);
    if !mask.dtype().is_bool() {
        return Err(runtime(call, "mask", "masked_select: expected BoolTensor for mask"));
    }
    let both = several(call, call.core("broadcast_arrays", &[(&x).into(), (&mask).into()], kw! {})?)?;
    Ok(both[0].get([Index::Array(both[1].clone())])?.into())
}

/// The places of a view's elements in the row-major order of the tensor that it is of.
fn places_of(call: &Call<'_>, x: &Array, view: impl FnOnce(&Array) -> Result<Array>) -> Result<Array> {
    view(&reshaped(&iota(call, x.size())?, x.shape().clone())?)
}

/// A tensor with the elements of `source` in the place of those of a view of it.
fn replaced(call: &Call<'_>, x: &Array, places: &Array, source: &Array) -> Out {
    if places.shape() != source.shape() {
        let rule = format!("expected src to have a size equal to the slice of self, {}", places.shape());
        return Err(runtime(call, "src", rule));
    }
    let (flat, count) = (reshaped(x, [x.size()])?, source.size());
    let (places, source) = (reshaped(places, [count])?, cast(&reshaped(source, [count])?, Some(x.dtype()))?);
    let result = compute!(call, "scatter_flat", [&places, &source], reduction = "replace", out = &flat)?;
    Ok(reshaped(&result, x.shape().clone())?.into())
}

/// A tensor with other elements at one position of an axis.
pub(crate) fn select_scatter(call: &mut Call<'_>) -> Out {
    let (x, source) = (tensor(call, 0)?, tensor(call, 1)?);
    has_axes(call, 0, &x)?;
    let (dim, index) = (axis(call, call.int(2)?, x.ndim())?, call.int(3)?);
    let places = places_of(call, &x, |all| all.get(along(x.ndim(), dim, Index::Int(index))))?;
    replaced(call, &x, &places, &source)
}

/// A tensor with other elements in a range of an axis.
pub(crate) fn slice_scatter(call: &mut Call<'_>) -> Out {
    let (x, source) = (tensor(call, 0)?, tensor(call, 1)?);
    has_axes(call, 0, &x)?;
    let dim = axis(call, call.int(2)?, x.ndim())?;
    let bound = |i: usize| if call.value(i).is_none() { Ok(None) } else { call.int(i).map(Some) };
    let index = Index::Slice { start: bound(3)?, stop: bound(4)?, step: call.int(5)? };
    let places = places_of(call, &x, |all| all.get(along(x.ndim(), dim, index)))?;
    replaced(call, &x, &places, &source)
}

/// A tensor with other elements on a diagonal.
pub(crate) fn diagonal_scatter(call: &mut Call<'_>) -> Out {
    let (x, source) = (tensor(call, 0)?, tensor(call, 1)?);
    let (offset, dims) = (call.int(2)?, [call.int(3)?, call.int(4)?]);
    let places = places_of(call, &x, |all| diagonal_of(call, all, offset, dims))?;
    replaced(call, &x, &places, &source)
}
