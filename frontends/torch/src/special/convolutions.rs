//! Convolutions of one to three axes.

use super::support::{Out, optional, reshaped, runtime, tensor};
use ivy_core::{Array, Result};
use ivy_frontend::{Call, Value, compute};

/// A number for each spatial axis.
pub(crate) fn each(call: &Call<'_>, i: usize, spatial: usize) -> Result<Vec<i64>> {
    let given = call.ints(i)?.unwrap_or_default();
    match given[..] {
        [one] => Ok(vec![one; spatial]),
        _ if given.len() == spatial => Ok(given),
        _ => Err(runtime(call, "size", format!("a number, or {spatial} of them, not {given:?}"))),
    }
}

/// A layer of batches, on one with the batch or without it.
pub(crate) fn batched(
    call: &Call<'_>,
    x: &Array,
    spatial: usize,
    layer: impl FnOnce(&Array) -> Result<Array>,
) -> Result<Array> {
    match x.ndim() {
        n if n == spatial + 2 => layer(x),
        n if n == spatial + 1 => {
            let result = layer(&compute!(call, "expand_dims", [x, 0])?)?;
            reshaped(&result, result.shape()[1..].to_vec())
        }
        n => Err(runtime(
            call,
            "input",
            format!("expected {}D or {}D input, got {n}D", spatial + 1, spatial + 2),
        )),
    }
}

fn alike(call: &Call<'_>, x: &Array, others: &[Option<&Array>]) -> Result<()> {
    match others.iter().flatten().all(|other| other.dtype() == x.dtype()) {
        true => Ok(()),
        false => Err(runtime(call, "weight", "input, weight and bias should have the same type")),
    }
}

/// Convolutions of one to three axes.
pub(crate) fn conv(call: &mut Call<'_>) -> Out {
    let (x, weight, bias) = (tensor(call, 0)?, tensor(call, 1)?, optional(call, 2)?);
    let spatial = call.int(7)? as usize;
    alike(call, &x, &[Some(&weight), bias.as_ref()])?;
    let strides = each(call, 3, spatial)?;
    let padding = match call.value(4) {
        Value::Text(word) if word == "same" && strides.iter().any(|&s| s != 1) => {
            return Err(runtime(call, "padding", "padding='same' is not supported for strided convolutions"));
        }
        Value::Text(word) => Value::from(word.to_uppercase()),
        _ => Value::from(each(call, 4, spatial)?),
    };
    let result = batched(call, &x, spatial, |x| {
        compute!(
            call,
            "conv_general_dilated",
            [x, &weight, strides, padding],
            dims = spatial as i64,
            data_format = "NCS",
            filter_format = "channel_first",
            feature_group_count = call.int(6)?,
            dilations = each(call, 5, spatial)?,
            bias = bias.as_ref()
        )
    })?;
    Ok(result.into())
}

/// Their transposes.
pub(crate) fn conv_transpose(call: &mut Call<'_>) -> Out {
    let (x, weight, bias) = (tensor(call, 0)?, tensor(call, 1)?, optional(call, 2)?);
    let spatial = call.int(8)? as usize;
    alike(call, &x, &[Some(&weight), bias.as_ref()])?;
    let [strides, padding, more, dilations] = [3, 4, 5, 7].map(|i| each(call, i, spatial));
    let (strides, padding, more, dilations) = (strides?, padding?, more?, dilations?);
    if more.iter().zip(&strides).zip(&dilations).any(|((&m, &s), &d)| m >= s.max(d)) {
        return Err(runtime(
            call,
            "output_padding",
            "output padding must be smaller than either stride or dilation",
        ));
    }
    let lengths: Vec<i64> = x.shape().iter().rev().take(spatial).rev().map(|&n| n as i64).collect();
    let window: Vec<i64> = weight.shape().iter().skip(2).map(|&n| n as i64).collect();
    if lengths.len() != spatial || window.len() != spatial {
        return Err(runtime(call, "weight", format!("a weight of {} dimensions is needed", spatial + 2)));
    }
    let shape = (0..spatial).map(|i| {
        (lengths[i] - 1) * strides[i] - 2 * padding[i] + dilations[i] * (window[i] - 1) + more[i] + 1
    });
    let shape: Vec<i64> = shape.collect();
    let pairs: Vec<Vec<i64>> = padding.iter().map(|&p| vec![p, p]).collect();
    let result = batched(call, &x, spatial, |x| {
        compute!(
            call,
            "conv_general_transpose",
            [x, &weight, strides, pairs],
            dims = spatial as i64,
            data_format = "NCS",
            filter_format = "channel_first",
            feature_group_count = call.int(6)?,
            dilations = dilations,
            output_shape = shape,
            bias = bias.as_ref()
        )
    })?;
    Ok(result.into())
}
