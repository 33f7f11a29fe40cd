//! Layers: convolutions, pools, normalisations, attention, tables, images.

use super::creation::or_zeros;
use super::support::{Out, cast, inexact, iota, optional, reshaped, runtime, sliced, tensor};
use crate::autograd;
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::several;
use ivy_frontend::{Call, Fault, Value, compute, kw};

/// Attention, with a mask of truth values or of numbers that are added.
pub(crate) fn attention(call: &mut Call<'_>) -> Out {
    let (q, k, v) = (tensor(call, 0)?, tensor(call, 1)?, tensor(call, 2)?);
    let (mask, p, causal) = (optional(call, 3)?, call.float(4)?, call.flag(5)?);
    let width = q.shape().last().copied().unwrap_or(1) as f64;
    let scale = if call.value(6).is_none() { 1.0 / width.sqrt() } else { call.float(6)? };
    if mask.is_some() && causal {
        return Err(runtime(call, "attn_mask", "Explicit attn_mask should not be set when is_causal=True"));
    }
    let added = match mask {
        Some(mask) if !mask.dtype().is_bool() => mask,
        mask => {
            return Ok(compute!(
                call,
                "scaled_dot_product_attention",
                [&q, &k, &v],
                mask = mask.as_ref(),
                scale = scale,
                is_causal = causal,
                dropout_p = p,
                training = p > 0.0
            )?
            .into());
        }
    };
    let products = compute!(call, "matmul", [&q, &compute!(call, "matrix_transpose", [&k])?])?;
    let weights = compute!(call, "softmax", [&f::add(f::multiply(&products, scale)?, &added)?], axis = -1)?;
    let weights = compute!(call, "dropout", [&weights, p], training = p > 0.0)?;
    Ok(compute!(call, "matmul", [&weights, &v])?.into())
}

fn running(call: &Call<'_>, x: &Array, own: bool) -> Result<(Array, Array)> {
    if own && !call.value(1).is_none() {
        let rule = "running statistics change in place, which arrays here do not: leave them out";
        return Err(call.refuse(Fault::Missing, "running_mean", None, rule));
    }
    if !own && (call.value(1).is_none() || call.value(2).is_none()) {
        return Err(runtime(
            call,
            "running_mean",
            "Expected running_mean and running_var to be defined when not training",
        ));
    }
    let channels = x.shape().get(1).copied().unwrap_or(1);
    Ok((or_zeros(call, 1, channels, 0.0, x.dtype())?, or_zeros(call, 2, channels, 1.0, x.dtype())?))
}

/// Each channel normalised by the statistics of the batch, or by running ones.
pub(crate) fn batch_norm(call: &mut Call<'_>) -> Out {
    normalised(call, "batch_norm")
}

/// Each channel of each entry, likewise.
pub(crate) fn instance_norm(call: &mut Call<'_>) -> Out {
    normalised(call, "instance_norm")
}

fn normalised(call: &mut Call<'_>, name: &str) -> Out {
    let (x, training) = (tensor(call, 0)?, call.flag(5)?);
    let (mean, variance) = running(call, &x, training)?;
    let (scale, offset) = (optional(call, 3)?, optional(call, 4)?);
    let keywords = kw! { training: training, momentum: call.float(6)?, eps: call.float(7)?, scale: scale.as_ref(),
    offset: offset.as_ref(), data_format: "NCS" };
    let parts =
        several(call, call.core(name, &[(&x).into(), (&mean).into(), (&variance).into()], keywords)?)?;
    Ok(parts[0].clone().into())
}

/// Each element over a power of the mean square of neighbouring channels.
pub(crate) fn local_response_norm(call: &mut Call<'_>) -> Out {
    let (x, size) = (tensor(call, 0)?, call.int(1)?);
    if x.ndim() < 3 || size < 1 {
        return Err(call.refuse(
            Fault::Value,
            "input",
            None,
            "Expected 3D or higher dimensionality input, and a size above 0",
        ));
    }
    let (channels, before) = (x.shape()[1], size / 2);
    let mut pads = vec![vec![0, 0]; x.ndim()];
    pads[1] = vec![before, (size - 1) / 2];
    let squares = compute!(call, "constant_pad", [&f::square(&x)?, pads])?;
    let places = f::add(reshaped(&iota(call, channels)?, [channels, 1])?, iota(call, size as usize)?)?;
    let windows = compute!(call, "gather", [&squares, &places], axis = 1)?;
    let mean = compute!(call, "mean", [&windows], axis = 2)?;
    let base = f::add(f::multiply(&mean, call.float(2)?)?, call.float(4)?)?;
    Ok(f::divide(&x, f::pow(&base, call.float(3)?)?)?.into())
}

/// `x1^T W_k x2 + b_k` for each `k`.
pub(crate) fn bilinear(call: &mut Call<'_>) -> Out {
    let (a, b, weight) = (tensor(call, 0)?, tensor(call, 1)?, tensor(call, 2)?);
    let y = compute!(call, "einsum", [&a, &weight, &b], equation = "...i,kij,...j->...k")?;
    Ok(match optional(call, 3)? {
        Some(bias) => f::add(&y, &bias)?,
        None => y,
    }
    .into())
}

fn probability(call: &Call<'_>, i: usize) -> Result<f64> {
    let p = call.float(i)?;
    let rule = format!("dropout probability has to be between 0 and 1, but got {p}");
    match (0.0..=1.0).contains(&p) {
        true => Ok(p),
        false => Err(call.refuse(Fault::Value, "p", None, rule)),
    }
}

/// Which elements of a shape stay.
fn kept(call: &Call<'_>, shape: &[usize], p: f64) -> Result<Array> {
    let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    f::greater_equal(compute!(call, "random_uniform", [], shape = shape)?, p)
}

/// Elements, or whole channels, left out at random; the others are larger by as much.
pub(crate) fn dropout(call: &mut Call<'_>) -> Out {
    let (x, p, training, spatial) =
        (tensor(call, 0)?, probability(call, 1)?, call.flag(2)?, call.int(3)? as usize);
    if !training || p == 0.0 {
        return Ok(x.into());
    }
    if p == 1.0 {
        return Ok(f::multiply(&x, 0.0)?.into());
    }
    let mut shape = x.shape().to_vec();
    let whole = shape.len().saturating_sub(spatial);
    shape[whole..].fill(1);
    Ok(f::where_(kept(call, &shape, p)?, f::divide(&x, 1.0 - p)?, 0.0)?.into())
}

/// Dropout that keeps mean and variance behind `selu`.
pub(crate) fn alpha_dropout(call: &mut Call<'_>) -> Out {
    let (x, p) = (tensor(call, 0)?, probability(call, 1)?);
    if !call.flag(2)? || p == 0.0 {
        return Ok(x.into());
    }
    // What `selu` goes to on the negative side.
    let floor = -1.758_099_340_847_376_6;
    let scale = ((1.0 - p) * (1.0 + p * floor * floor)).sqrt().recip();
    let own = f::where_(kept(call, x.shape(), p)?, &x, floor)?;
    Ok(f::subtract(f::multiply(&own, scale)?, scale * p * floor)?.into())
}

/// Rows of a table; that of the padding has no gradient.
pub(crate) fn embedding(call: &mut Call<'_>) -> Out {
    let (weight, index) = (tensor(call, 0)?, tensor(call, 1)?);
    if !index.dtype().is_int() {
        return Err(runtime(call, "input", "Expected tensor for argument #1 'indices' to have integer type"));
    }
    let rows = compute!(call, "embedding", [&weight, &index])?;
    if call.value(2).is_none() {
        return Ok(rows.into());
    }
    let padding = f::equal(&index, call.int(2)?)?;
    Ok(f::where_(compute!(call, "expand_dims", [&padding, -1])?, autograd::detached(&rows), &rows)?.into())
}

/// Sums, means or greatest elements of the rows of bags.
pub(crate) fn embedding_bag(call: &mut Call<'_>) -> Out {
    let (index, weight, mode) = (tensor(call, 0)?, tensor(call, 1)?, call.text(3)?.to_string());
    let count = index.size();
    let (bags, of) = match (index.ndim(), optional(call, 2)?) {
        (2, None) => {
            let (bags, each) = (index.shape()[0], index.shape()[1]);
            (bags, compute!(call, "repeat", [&iota(call, bags)?, each as i64])?)
        }
        (1, Some(mut offsets)) => {
            if call.flag(5)? {
                offsets = sliced(&offsets, 0, 0, offsets.size().saturating_sub(1))?;
            }
            let offsets = cast(&offsets, Some(Dtype::INT64))?;
            let of = compute!(call, "searchsorted", [&offsets, &iota(call, count)?], side = "right")?;
            (offsets.size(), f::subtract(&of, 1)?)
        }
        _ => {
            return Err(call.refuse(
                Fault::Value,
                "offsets",
                None,
                "offsets go with one axis of indices, and with two none",
            ));
        }
    };
    let mut rows = compute!(call, "embedding", [&weight, &reshaped(&index, [count])?])?;
    if let Some(own) = optional(call, 4)? {
        if mode != "sum" {
            return Err(call.refuse(Fault::Missing, "per_sample_weights", None, "goes with mode='sum'"));
        }
        rows = f::multiply(&rows, reshaped(&own, [count, 1])?)?;
    }
    let name = match mode.as_str() {
        "sum" => "unsorted_segment_sum",
        "mean" => "unsorted_segment_mean",
        "max" => "unsorted_segment_max",
        _ => return Err(call.refuse(Fault::Value, "mode", None, "has to be one of sum, mean or max")),
    };
    let result = compute!(call, name, [&rows, &of, bags as i64])?;
    // A bag without rows is zeros.
    let sizes = compute!(call, "bincount", [&of], minlength = bags as i64)?;
    Ok(f::where_(f::greater(reshaped(&sizes, [bags, 1])?, 0)?, &result, 0.0)?.into())
}

/// Rows of zeros with a one where the number says.
pub(crate) fn one_hot(call: &mut Call<'_>) -> Out {
    let (x, classes) = (tensor(call, 0)?, call.int(1)?);
    if x.dtype() != Dtype::INT64 {
        return Err(runtime(call, "tensor", "one_hot is only applicable to index tensor of type LongTensor"));
    }
    let (least, most) = match x.size() {
        0 => (0, -1),
        _ => (f::min(&x, ())?.item::<i64>()?, f::max(&x, ())?.item::<i64>()?),
    };
    let depth = if classes == -1 { most + 1 } else { classes };
    if least < 0 || most >= depth || depth < 1 {
        return Err(runtime(
            call,
            "tensor",
            "Class values must be non-negative, and smaller than num_classes",
        ));
    }
    Ok(compute!(call, "one_hot", [&x, depth], dtype = Dtype::INT64)?.into())
}

/// The distances of all pairs of rows, each once.
pub(crate) fn pdist(call: &mut Call<'_>) -> Out {
    let (x, p) = (tensor(call, 0)?, call.float(1)?);
    if x.ndim() != 2 {
        return Err(runtime(call, "input", format!("pdist only supports 2D tensors, got: {}D", x.ndim())));
    }
    let rows = x.shape()[0];
    let all = compute!(call, "cdist", [&x, &x], p = p)?;
    let pairs = (0..rows).flat_map(|i| (i + 1..rows).map(move |j| (i * rows + j) as i64));
    let pairs = call.make_array(&Value::from(pairs.collect::<Vec<_>>()), Some(Dtype::INT64))?;
    Ok(compute!(call, "take", [&reshaped(&all, [rows * rows])?, &pairs], axis = 0)?.into())
}

/// The leaky unit with a slope at random in training, and the mean slope otherwise.
pub(crate) fn rrelu(call: &mut Call<'_>) -> Out {
    let (x, low, high) = (tensor(call, 0)?, call.float(1)?, call.float(2)?);
    inexact(call, &x)?;
    if !call.flag(3)? {
        return Ok(compute!(call, "leaky_relu", [&x], alpha = (low + high) / 2.0)?.into());
    }
    let shape: Vec<i64> = x.shape().iter().map(|&n| n as i64).collect();
    let slope =
        compute!(call, "random_uniform", [], low = low, high = high, shape = shape, dtype = x.dtype())?;
    Ok(f::where_(f::greater_equal(&x, 0.0)?, &x, f::multiply(&x, &slope)?)?.into())
}

/// The element at a position of the first axis.
pub(crate) fn entry(x: &Array, i: usize) -> Result<Array> {
    x.get([Index::Int(i as i64)])
}
