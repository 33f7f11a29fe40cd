//! Pools.

use super::convolutions::{batched, each};
use super::support::{Out, inexact, iota, reshaped, runtime, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::tuple;
use ivy_frontend::{Call, Fault, Value, compute};

/// Means of windows.
pub(crate) fn avg_pool(call: &mut Call<'_>) -> Out {
    let (x, spatial) = (tensor(call, 0)?, call.int(7)? as usize);
    inexact(call, &x)?;
    let kernel = each(call, 1, spatial)?;
    let strides = strides_of(call, 2, spatial, &kernel)?;
    let padding = padding_of(call, 3, spatial, &kernel)?;
    let (ceil, count, divisor) = (call.flag(4)?, call.flag(5)?, call.value(6).borrowed());
    let result = batched(call, &x, spatial, |x| {
        compute!(
            call,
            &format!("avg_pool{spatial}d"),
            [x, kernel, strides, padding],
            data_format = "NCS",
            ceil_mode = ceil,
            count_include_pad = count,
            divisor_override = divisor
        )
    })?;
    Ok(result.into())
}

fn strides_of(call: &Call<'_>, i: usize, spatial: usize, kernel: &[i64]) -> Result<Vec<i64>> {
    match call.value(i) {
        Value::None => Ok(kernel.to_vec()),
        value if value.items().is_some_and(|list| list.is_empty()) => Ok(kernel.to_vec()),
        _ => each(call, i, spatial),
    }
}

fn padding_of(call: &Call<'_>, i: usize, spatial: usize, kernel: &[i64]) -> Result<Vec<i64>> {
    let padding = each(call, i, spatial)?;
    match padding.iter().zip(kernel).all(|(&p, &k)| p >= 0 && 2 * p <= k) {
        true => Ok(padding),
        false => Err(runtime(call, "padding", "pad should be at most half of effective kernel size")),
    }
}

/// The greatest elements of windows, and with `return_indices` where each stands in its plane.
pub(crate) fn max_pool(call: &mut Call<'_>) -> Out {
    let (x, spatial) = (tensor(call, 0)?, call.int(7)? as usize);
    let kernel = each(call, 1, spatial)?;
    let strides = strides_of(call, 2, spatial, &kernel)?;
    let padding = padding_of(call, 3, spatial, &kernel)?;
    let (dilation, ceil) = (each(call, 4, spatial)?, call.flag(5)?);
    let pooled = batched(call, &x, spatial, |x| {
        compute!(
            call,
            &format!("max_pool{spatial}d"),
            [x, kernel.clone(), strides.clone(), padding.clone()],
            data_format = "NCS",
            ceil_mode = ceil,
            dilation = dilation.clone()
        )
    })?;
    if !call.flag(6)? {
        return Ok(pooled.into());
    }
    let places = places_of_greatest(call, &x, &pooled, [&kernel, &strides, &padding, &dilation])?;
    Ok(tuple([pooled, places]))
}

/// The inverse of max pooling: each element at the place of its plane that its index names, and zeros elsewhere.
pub(crate) fn max_unpool(call: &mut Call<'_>) -> Out {
    let (x, indices, spatial) = (tensor(call, 0)?, tensor(call, 1)?, call.int(6)? as usize);
    if indices.dtype() != Dtype::INT64 {
        let rule = format!("elements in indices should be type int64 but got: {}", indices.dtype());
        return Err(runtime(call, "indices", rule));
    }
    if x.shape() != indices.shape() {
        let rule = format!(
            "Expected shape of indices to be same as that of the input tensor ({}) but got indices tensor with shape: {}",
            x.shape(),
            indices.shape()
        );
        return Err(runtime(call, "indices", rule));
    }
    if !(spatial + 1..=spatial + 2).contains(&x.ndim()) {
        return Err(runtime(call, "input", format!("expected {}D or {}D input", spatial + 1, spatial + 2)));
    }
    let kernel = each(call, 2, spatial)?;
    let strides = strides_of(call, 3, spatial, &kernel)?;
    let padding = each(call, 4, spatial)?;
    let lead = x.ndim() - spatial;
    let usual = |i: usize| (x.shape()[lead + i] as i64 - 1) * strides[i] - 2 * padding[i] + kernel[i];
    let mut plane: Vec<i64> = (0..spatial).map(usual).collect();
    if let Some(given) = call.ints(5)? {
        if given.len() != spatial && given.len() != x.ndim() {
            let rule = format!(
                "output_size should be a sequence containing {spatial} or {} elements, but it has a length of '{}'",
                x.ndim(),
                given.len()
            );
            return Err(call.refuse(Fault::Value, "output_size", None, rule));
        }
        let given = &given[given.len() - spatial..];
        for (i, (&size, usual)) in given.iter().zip(&plane).enumerate() {
            let (least, most) = (usual - strides[i], usual + strides[i]);
            if size <= least || size >= most {
                let rule =
                    format!("invalid output_size {given:?} (dim {i} must be between {least} and {most})");
                return Err(call.refuse(Fault::Value, "output_size", None, rule));
            }
        }
        plane = given.to_vec();
    }
    let places: i64 = plane.iter().product();
    if f::logical_or(f::less(&indices, 0)?, f::greater_equal(&indices, places)?)?.is_any_true()? {
        let rule = format!("Found an invalid max index: the output has {places} places, of {plane:?}");
        return Err(runtime(call, "indices", rule));
    }
    let batches = x.shape()[..lead].to_vec();
    let flat = |y: &Array| -> Result<Array> {
        let count = y.shape()[lead..].iter().product();
        reshaped(y, [&batches[..], &[count]].concat())
    };
    let whole = [&batches[..], &[places as usize]].concat();
    let zeros = compute!(call, "zeros", [whole], dtype = x.dtype())?;
    let found = compute!(call, "put_along_axis", [&zeros, &flat(&indices)?, &flat(&x)?, -1])?;
    let plane = plane.iter().map(|&size| size as usize);
    Ok(reshaped(&found, batches.iter().copied().chain(plane).collect::<Vec<_>>())?.into())
}

/// Where the greatest element of each window stands: the first of several, NaN before all.
fn places_of_greatest(call: &Call<'_>, x: &Array, pooled: &Array, window: [&Vec<i64>; 4]) -> Result<Array> {
    let ([kernel, strides, padding, dilation], spatial) = (window, window[0].len());
    let lead = x.ndim() - spatial;
    let plane: Vec<usize> = x.shape()[lead..].to_vec();
    let mut elements = x.clone();
    let mut places = reshaped(&iota(call, plane.iter().product())?, plane.clone())?;
    let mut known = compute!(call, "ones_like", [&places], dtype = Dtype::BOOL)?;
    for i in 0..spatial {
        // Each axis becomes two: windows, and elements of a window; the second one goes to the end.
        let (count, side) = (pooled.shape()[lead + i], kernel[i] as usize);
        let starts = f::subtract(f::multiply(iota(call, count)?, strides[i])?, padding[i])?;
        let steps = f::multiply(iota(call, side)?, dilation[i])?;
        let at = f::add(reshaped(&starts, [count, 1])?, &steps)?;
        let len = plane[i] as i64;
        let inside = f::logical_and(f::greater_equal(&at, 0)?, f::less(&at, len)?)?;
        let at = compute!(call, "clip", [&at, 0, len - 1])?;
        let taken = |y: &Array, axis: usize| {
            let windows = compute!(call, "gather", [y, &at], axis = axis as i64)?;
            compute!(call, "moveaxis", [&windows, axis as i64 + 1, -1])
        };
        (elements, places, known) = (taken(&elements, lead + i)?, taken(&places, i)?, taken(&known, i)?);
        let mut shape = vec![1; known.ndim()];
        (shape[i], shape[known.ndim() - 1]) = (count, side);
        known = f::logical_and(&known, reshaped(&inside, shape)?)?;
    }
    let window: usize = kernel.iter().product::<i64>() as usize;
    let flat = |y: &Array, lead: usize| reshaped(y, [&y.shape()[..lead + spatial], &[window]].concat());
    let least = f64::NEG_INFINITY;
    let elements = f::where_(flat(&known, 0)?, flat(&elements, lead)?, least)?;
    let best = compute!(call, "argmax", [&elements], axis = -1, keepdims = true)?;
    let places = f::broadcast_to(flat(&places, 0)?, elements.shape().clone())?;
    reshaped(&compute!(call, "take_along_axis", [&places, &best], axis = -1)?, pooled.shape().clone())
}

/// The `p`th root of sums of `p`th powers in windows.
pub(crate) fn lp_pool(call: &mut Call<'_>) -> Out {
    let (x, p, spatial) = (tensor(call, 0)?, call.float(1)?, call.int(5)? as usize);
    let kernel = each(call, 2, spatial)?;
    let strides = strides_of(call, 3, spatial, &kernel)?;
    let ceil = call.flag(4)?;
    let (power, size) = (f::pow(&x, p)?, kernel.iter().product::<i64>() as f64);
    let means = batched(call, &power, spatial, |x| {
        compute!(
            call,
            &format!("avg_pool{spatial}d"),
            [x, kernel, strides, 0],
            data_format = "NCS",
            ceil_mode = ceil
        )
    })?;
    let sums =
        f::multiply(f::multiply(f::sign(&means)?, compute!(call, "relu", [&f::abs(&means)?])?)?, size)?;
    Ok(f::pow(&sums, 1.0 / p)?.into())
}

/// Means or greatest elements of so many windows that cover each axis, one axis after the other.
pub(crate) fn adaptive_pool(call: &mut Call<'_>) -> Out {
    let (kind, x, spatial) = (call.text(0)?.to_string(), tensor(call, 1)?, call.int(3)? as usize);
    if !(spatial + 1..=spatial + 2).contains(&x.ndim()) {
        return Err(runtime(call, "input", format!("expected {}D or {}D input", spatial + 1, spatial + 2)));
    }
    // `None` keeps a length.
    let wanted: Vec<Option<i64>> = match call.value(2).items() {
        Some(list) => list.iter().map(|v| v.as_scalar().map(|s| s.to_i128() as i64)).collect(),
        None => vec![Some(call.int(2)?); spatial],
    };
    if wanted.len() != spatial {
        return Err(runtime(call, "output_size", format!("{spatial} numbers are needed")));
    }
    let mut pooled = x;
    for (i, want) in wanted.iter().enumerate() {
        let Some(want) = *want else { continue };
        let axis = (pooled.ndim() - spatial + i) as i64;
        let moved = compute!(call, "moveaxis", [&pooled, axis, -1])?;
        let (lead, len) = (moved.shape()[..moved.ndim() - 1].to_vec(), moved.shape()[moved.ndim() - 1]);
        let lines = lead.iter().product::<usize>();
        let short = match kind.as_str() {
            "avg" => compute!(
                call,
                "adaptive_avg_pool1d",
                [&reshaped(&moved, [lines, 1, len])?, want],
                data_format = "NCW"
            )?,
            _ => compute!(
                call,
                "adaptive_max_pool2d",
                [&reshaped(&moved, [lines, 1, 1, len])?, vec![1, want]],
                data_format = "NCHW"
            )?,
        };
        let shape = [&lead[..], &[want as usize]].concat();
        pooled = compute!(call, "moveaxis", [&reshaped(&short, shape)?, -1, axis])?;
    }
    Ok(pooled.into())
}
