//! Indices, pieces and places of tensors.

use super::support::{Out, along, axis, cast, has_axes, iota, reshaped, runtime, sliced, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::{several, tuple};
use ivy_frontend::{Call, Fault, Value, View, compute, kw, views};

fn pieces(x: &Array, dim: usize, ends: impl IntoIterator<Item = usize>) -> Out {
    let mut start = 0;
    let cut = ends.into_iter().map(|end| sliced(x, dim, std::mem::replace(&mut start, end), end));
    Ok(tuple(cut.collect::<Result<Vec<_>>>()?))
}

/// Parts of a length along an axis, or of given lengths.
pub(crate) fn split(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    has_axes(call, 0, &x)?;
    let dim = axis(call, call.int(2)?, x.ndim())?;
    let len = x.shape()[dim];
    if let Some(items) = call.value(1).items() {
        let sizes: Vec<i64> =
            items.iter().filter_map(|v| v.as_scalar()).map(|s| s.to_i128() as i64).collect();
        if sizes.iter().any(|&n| n < 0) || sizes.iter().sum::<i64>() != len as i64 {
            let rule = format!("split_with_sizes expects split_sizes to sum exactly to {len}");
            return Err(runtime(call, "split_sizes", rule));
        }
        let mut end = 0;
        return pieces(
            &x,
            dim,
            sizes
                .iter()
                .map(|&n| {
                    end += n as usize;
                    end
                })
                .collect::<Vec<_>>(),
        );
    }
    match call.int(1)? {
        size if size > 0 => pieces(&x, dim, ends(len, size as usize)),
        size => {
            Err(runtime(call, "split_size", format!("split expects split_size be positive, but got {size}")))
        }
    }
}

fn ends(len: usize, size: usize) -> Vec<usize> {
    (0..len.div_ceil(size).max(1)).map(|i| ((i + 1) * size).min(len)).collect()
}

/// So many parts of equal length along an axis, the last one shorter.
pub(crate) fn chunk(call: &mut Call<'_>) -> Out {
    let (x, chunks) = (tensor(call, 0)?, call.int(1)?);
    has_axes(call, 0, &x)?;
    let dim = axis(call, call.int(2)?, x.ndim())?;
    if chunks < 1 {
        return Err(runtime(call, "chunks", "chunk expects `chunks` to be greater than 0"));
    }
    let len = x.shape()[dim];
    pieces(&x, dim, ends(len, len.div_ceil(chunks as usize).max(1)))
}

/// `hsplit`, `vsplit` and `dsplit`: a number of parts that divides, or the places between parts.
pub(crate) fn split_at(call: &mut Call<'_>) -> Out {
    let (x, kind) = (tensor(call, 0)?, call.text(2)?.to_string());
    let (least, dim) = match kind.as_str() {
        "h" => (1, usize::from(x.ndim() > 1)),
        "v" => (2, 0),
        _ => (3, 2),
    };
    if x.ndim() < least {
        return Err(runtime(
            call,
            "input",
            format!("{kind}split requires a tensor with at least {least} dimension"),
        ));
    }
    if let (Value::Int(sections), len) = (call.value(1), x.shape()[dim])
        && (*sections < 1 || len as i128 % sections != 0)
    {
        return Err(runtime(
            call,
            "sections",
            format!("the size of the dimension, {len}, is not divisible by {sections}"),
        ));
    }
    let given = call.value(1).borrowed().into_owned();
    Ok(tuple(several(call, call.core("tensor_split", &[(&x).into(), given], kw! { axis: dim as i64 })?)?))
}

/// The tensor at one position of an axis, without it.
pub(crate) fn select(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    has_axes(call, 0, &x)?;
    let dim = axis(call, call.int(1)?, x.ndim())?;
    Ok(x.get(along(x.ndim(), dim, Index::Int(call.int(2)?)))?.into())
}

pub(super) fn diagonal_of(call: &Call<'_>, x: &Array, offset: i64, dims: [i64; 2]) -> Result<Array> {
    let [row, column] = [axis(call, dims[0], x.ndim())?, axis(call, dims[1], x.ndim())?];
    if row == column {
        let rule = format!("diagonal dimensions cannot be identical {}, {}", dims[0], dims[1]);
        return Err(runtime(call, "dim2", rule));
    }
    views::diagonal(x, offset, [row, column])
}

/// A diagonal of two axes, as a new last axis.
pub(crate) fn diagonal(call: &mut Call<'_>) -> Out {
    Ok(diagonal_of(call, &tensor(call, 0)?, call.int(1)?, [call.int(2)?, call.int(3)?])?.into())
}

/// Matrices with the last axis of a tensor on a diagonal.
pub(crate) fn diag_embed(call: &mut Call<'_>) -> Out {
    let (x, offset) = (tensor(call, 0)?, call.int(1)?);
    has_axes(call, 0, &x)?;
    let (count, skip) = (x.shape()[x.ndim() - 1], offset.unsigned_abs() as usize);
    let side = count + skip;
    // Element `k` of a line stands in row `k + down` and column `k + right`.
    let (down, right) = if offset < 0 { (skip, 0) } else { (0, skip) };
    let mut target = x.shape().to_vec();
    target.pop();
    let lines: usize = target.iter().product();
    let one_by_one = f::add(f::multiply(iota(call, count)?, side as i64 + 1)?, (down * side + right) as i64)?;
    let starts = reshaped(&f::multiply(iota(call, lines)?, (side * side) as i64)?, [lines, 1])?;
    let places = reshaped(&f::add(&starts, &one_by_one)?, [lines * count])?;
    let size = (lines * side * side) as i64;
    let source = reshaped(&x, [lines * count])?;
    let flat = compute!(call, "scatter_flat", [&places, &source], reduction = "replace", size = size)?;
    target.extend([side, side]);
    let dims = vec![call.int(2)?, call.int(3)?];
    Ok(compute!(call, "moveaxis", [&reshaped(&flat, target)?, vec![-2i64, -1], dims])?.into())
}

/// A tensor without axes of length 1: all of them, or those named, of which longer ones stay.
pub(crate) fn squeeze(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let named = match call.ints(1)? {
        None => (0..x.ndim()).collect(),
        Some(dims) => dims.iter().map(|&d| axis(call, d, x.ndim())).collect::<Result<Vec<_>>>()?,
    };
    let kept = x.shape().iter().enumerate().filter(|(i, n)| **n != 1 || !named.contains(i));
    Ok(reshaped(&x, kept.map(|(_, &n)| n).collect::<Vec<_>>())?.into())
}

/// An axis in the place of which there are several.
pub(crate) fn unflatten(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    has_axes(call, 0, &x)?;
    let dim = axis(call, call.int(1)?, x.ndim())?;
    let mut sizes = call.ints(2)?.unwrap_or_default();
    let (len, known) = (x.shape()[dim] as i64, sizes.iter().filter(|&&n| n != -1).product::<i64>());
    if let Some(free) = sizes.iter_mut().find(|n| **n == -1)
        && known > 0
    {
        *free = len / known;
    }
    if sizes.iter().product::<i64>() != len || sizes.iter().any(|&n| n < 0) {
        return Err(runtime(call, "sizes", format!("do not multiply up to the size of dim {dim} ({len})")));
    }
    let mut shape = x.shape().to_vec();
    shape.splice(dim..=dim, sizes.iter().map(|&n| n as usize));
    Ok(reshaped(&x, shape)?.into())
}

/// Cross products along the given axis, or the first one of length 3.
pub(crate) fn cross(call: &mut Call<'_>) -> Out {
    let (a, b) = (tensor(call, 0)?, tensor(call, 1)?);
    has_axes(call, 0, &a)?;
    let dim = match call.value(2) {
        Value::None => a.shape().iter().position(|&n| n == 3),
        _ => Some(axis(call, call.int(2)?, a.ndim())?),
    };
    let Some(dim) = dim.filter(|&dim| a.shape()[dim] == 3) else {
        return Err(runtime(call, "dim", "no dimension of size 3 in input"));
    };
    Ok(compute!(call, "linalg.cross", [&a, &b], axis = dim as i64 - a.ndim() as i64)?.into())
}

/// Elements at distances counted in elements, of the row-major order of a tensor.
pub(crate) fn as_strided(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let (size, strides) = (call.ints(1)?.unwrap_or_default(), call.ints(2)?.unwrap_or_default());
    // The place in the storage, of which a view has a part.
    let first = views::tracked_view(&x).map_or(0, View::offset) as i64;
    let offset = if call.value(3).is_none() { 0 } else { call.int(3)? - first };
    if size.len() != strides.len() || offset < 0 || offset as usize > x.size() {
        return Err(runtime(call, "size", "mismatch in length of strides and shape, or a negative offset"));
    }
    let mut axes = Vec::with_capacity(size.len());
    for (&n, &stride) in size.iter().zip(&strides) {
        let Ok(n) = usize::try_from(n) else {
            return Err(runtime(
                call,
                "size",
                format!("Trying to create tensor with negative dimension {n}"),
            ));
        };
        if stride < 0 {
            return Err(runtime(
                call,
                "stride",
                "as_strided: Negative strides are not supported at the moment",
            ));
        }
        axes.push((n, std::iter::once(stride as isize).collect()));
    }
    let reach = axes.iter().zip(&strides).map(|((n, _), &stride)| (*n as i64 - 1).saturating_mul(stride));
    let needed = reach.fold(offset, i64::saturating_add).saturating_add(1);
    if axes.iter().all(|(n, _)| *n > 0) && needed > x.size() as i64 {
        let rule = format!("{needed} elements are needed, the tensor has {}", x.size());
        return Err(runtime(call, "size", rule));
    }
    let flat = reshaped(&x, [x.size()])?;
    if views::tracked_view(&x).is_some() && views::tracked_view(&flat).is_none() {
        let rule = "as_strided of a view whose elements do not follow each other: take it of the tensor that this is a view of";
        return Err(runtime(call, "input", rule));
    }
    Ok(views::affine(&flat, &[offset as usize], &axes)?.into())
}

/// All tuples of an element of each tensor, a row each.
pub(crate) fn cartesian_prod(call: &mut Call<'_>) -> Out {
    let given = call.arrays(0)?;
    if let [single] = &given[..] {
        return Ok(single.clone().into());
    }
    let operands: Vec<Value<'_>> = given.iter().map(Value::from).collect();
    let grids = several(call, call.core("meshgrid", &operands, kw! { indexing: "ij" })?)?;
    let columns = grids.iter().map(|x| reshaped(x, [x.size()])).collect::<Result<Vec<_>>>()?;
    Ok(compute!(call, "stack", [columns.iter().collect::<Vec<_>>()], axis = -1)?.into())
}

/// All combinations of so many elements, a row each.
pub(crate) fn combinations(call: &mut Call<'_>) -> Out {
    let (x, r, again) = (tensor(call, 0)?, call.int(1)?, call.flag(2)?);
    if x.ndim() != 1 || r < 0 {
        return Err(runtime(call, "input", "Expect a 1D vector, and a length that is not negative"));
    }
    let (n, r) = (x.size(), r as usize);
    let mut rows: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..r {
        let longer = rows.iter().flat_map(|row| {
            let first = row.last().map_or(0, |&last| if again { last } else { last + 1 });
            (first..n).map(move |i| row.iter().copied().chain([i]).collect::<Vec<_>>())
        });
        rows = longer.collect();
    }
    let count = rows.len();
    let flat: Vec<i64> = rows.into_iter().flatten().map(|i| i as i64).collect();
    let index = call.make_array(&Value::from(flat), Some(Dtype::INT64))?;
    Ok(compute!(call, "gather", [&x, &reshaped(&index, [count, r])?], axis = 0)?.into())
}

/// The last axes as numbers, of which a shape says how long they are.
pub(crate) fn trailing(call: &mut Call<'_>) -> Out {
    let (x, shape) = (tensor(call, 0)?, call.ints(1)?.unwrap_or_default());
    let own = x.shape().iter().rev().zip(shape.iter().rev()).all(|(&have, &want)| have as i64 == want);
    match own && shape.len() <= x.ndim() && !shape.is_empty() {
        true => Ok((-(shape.len() as i64)..0).collect::<Vec<_>>().into()),
        false => {
            let rule = format!("expected input with shape [*, {shape:?}], but got {}", x.shape());
            Err(runtime(call, "normalized_shape", rule))
        }
    }
}

/// What `Tensor.to` takes: a dtype, a device, which has no meaning here, or another tensor.
pub(crate) fn to(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let mut dtype = call.dtype(2)?;
    for value in call.value(1).items().unwrap_or_default() {
        match value {
            Value::Dtype(given) => dtype = Some(*given),
            Value::Array(other) => dtype = Some(other.dtype()),
            Value::Text(_) | Value::None | Value::Bool(_) => {}
            other => {
                return Err(call.refuse(Fault::Type, "args", Some(other), "a dtype, a device or a tensor"));
            }
        }
    }
    Ok(cast(&x, dtype)?.into())
}

/// The elements as nested lists.
pub(crate) fn tolist(call: &mut Call<'_>) -> Out {
    nested(&tensor(call, 0)?)
}

fn nested(x: &Array) -> Out {
    if x.ndim() == 0 {
        return Ok(x.to_scalar()?.into());
    }
    let rows = (0..x.shape()[0]).map(|i| nested(&x.get([Index::Int(i as i64)])?));
    Ok(Value::List(rows.collect::<Result<_>>()?))
}

/// The only element as a number.
pub(crate) fn item(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    match x.size() {
        1 => Ok(reshaped(&x, ivy_core::Shape::default())?.to_scalar()?.into()),
        n => Err(runtime(call, "input", format!("a Tensor with {n} elements cannot be converted to Scalar"))),
    }
}

/// Tensors without axes as ones with one element.
pub(crate) fn lines(call: &mut Call<'_>) -> Out {
    let line = |x: Array| if x.ndim() == 0 { reshaped(&x, [1]) } else { Ok(x) };
    Ok(tuple(call.arrays(0)?.into_iter().map(line).collect::<Result<Vec<_>>>()?))
}

/// Parts along an axis whose norm is above a bound, made as long as that.
pub(crate) fn renorm(call: &mut Call<'_>) -> Out {
    let (x, p, most) = (tensor(call, 0)?, call.float(1)?, call.float(3)?);
    let dim = axis(call, call.int(2)?, x.ndim())?;
    let others: Vec<i64> = (0..x.ndim()).filter(|&i| i != dim).map(|i| i as i64).collect();
    let norm = compute!(call, "linalg.vector_norm", [&x], ord = p, axis = others, keepdims = true)?;
    // The small number is PyTorch's own.
    let factor = f::divide(most, f::add(&norm, 1e-7)?)?;
    Ok(f::multiply(&x, f::where_(f::greater(&norm, most)?, &factor, 1.0)?)?.into())
}
