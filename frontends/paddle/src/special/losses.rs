//! Losses of classes, and what becomes of the losses of single elements.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::{Out, axis, tuple};
use ivy_frontend::{Call, Fault, compute};

/// `reduced(losses, reduction)`: their mean, their sum, their sum over the batch, or themselves.
pub(crate) fn reduced(call: &mut Call<'_>) -> Out {
    let losses = call.array(0)?;
    Ok(match call.text(1)? {
        "none" => losses,
        "sum" => compute!(call, "sum", [&losses])?,
        "mean" => compute!(call, "mean", [&losses])?,
        "batchmean" => {
            let batch = losses.shape().first().copied().unwrap_or(1).max(1);
            compute!(call, "divide", [&compute!(call, "sum", [&losses])?, batch])?
        }
        _ => {
            return Err(call.refuse(
                Fault::Value,
                "reduction",
                Some(call.value(1)),
                "'mean', 'sum' or 'none'",
            ));
        }
    }
    .into())
}

/// The negative logarithms at labels, and the weight of each; a label that is ignored has weight 0.
struct Picked {
    losses: Array,
    weights: Array,
}

/// `logs` have the classes along an axis, `labels` have all other axes.
fn picked(
    call: &Call<'_>,
    logs: &Array,
    labels: &Array,
    along: usize,
    weight: usize,
    ignored: i64,
) -> Result<Picked> {
    let labels = f::astype(labels, Dtype::INT64)?;
    let counts = compute!(call, "not_equal", [&labels, ignored])?;
    let safe = compute!(call, "where", [&counts, &labels, 0])?;
    let places = compute!(call, "expand_dims", [&safe], axis = along as i64)?;
    let found = compute!(call, "take_along_axis", [logs, &places], axis = along as i64)?;
    let found = compute!(call, "squeeze", [&found], axis = along as i64)?;
    let counts = f::astype(&counts, logs.dtype())?;
    let weights = if call.value(weight).is_none() {
        counts
    } else {
        let own = compute!(call, "gather", [call.value(weight), &safe], axis = 0)?;
        compute!(call, "multiply", [&own, &counts])?
    };
    let losses = compute!(call, "multiply", [&compute!(call, "negative", [&found])?, &weights])?;
    Ok(Picked { losses, weights })
}

/// The mean by weights, the sum, or the losses.
fn weighed(call: &Call<'_>, picked: &Picked, reduction: usize) -> Result<Array> {
    match call.text(reduction)? {
        "none" => Ok(picked.losses.clone()),
        "sum" => compute!(call, "sum", [&picked.losses]),
        "mean" => {
            let all = compute!(call, "sum", [&picked.losses])?;
            compute!(call, "divide", [&all, &compute!(call, "sum", [&picked.weights])?])
        }
        _ => Err(call.refuse(
            Fault::Value,
            "reduction",
            Some(call.value(reduction)),
            "'mean', 'sum' or 'none'",
        )),
    }
}

/// `nll_loss(input, label, weight, ignore_index, reduction)`: classes are the second axis.
pub(crate) fn nll_loss(call: &mut Call<'_>) -> Out {
    let (logs, labels) = (call.array(0)?, call.array(1)?);
    let along = axis(call, 1, logs.ndim())?;
    Ok(weighed(call, &picked(call, &logs, &labels, along, 2, call.int(3)?)?, 4)?.into())
}

/// Labels without the axis of the classes, which may be there with length 1.
fn plain(call: &Call<'_>, labels: &Array, logs: &Array, along: usize) -> Result<(Array, bool)> {
    let kept = labels.ndim() == logs.ndim();
    Ok(if kept {
        (compute!(call, "squeeze", [labels], axis = along as i64)?, true)
    } else {
        (labels.clone(), false)
    })
}

/// `cross_entropy(input, label, weight, ignore_index, reduction, soft_label, axis, use_softmax, label_smoothing)`
pub(crate) fn cross_entropy(call: &mut Call<'_>) -> Out {
    let (x, label) = (call.array(0)?, call.array(1)?);
    let along = axis(call, call.int(6)?, x.ndim())?;
    let (soft, smoothing) = (call.flag(5)?, call.float(8)?);
    let logs = if call.flag(7)? {
        compute!(call, "log_softmax", [&x], axis = along as i64)?
    } else {
        compute!(call, "log", [&x])?
    };
    if !soft && smoothing == 0.0 {
        let (labels, kept) = plain(call, &label, &logs, along)?;
        let ignored = call.int(3)?;
        let mut picked = picked(call, &logs, &labels, along, 2, ignored)?;
        // Labels that a negative number ignores count in a mean without weights.
        if ignored < 0 && call.value(2).is_none() {
            picked.weights = compute!(call, "ones_like", [&picked.weights])?;
        }
        if kept {
            picked.losses = compute!(call, "expand_dims", [&picked.losses], axis = along as i64)?;
        }
        return Ok(weighed(call, &picked, 4)?.into());
    }
    let classes = x.shape()[along];
    let targets = if soft {
        label
    } else {
        let (labels, _) = plain(call, &label, &logs, along)?;
        compute!(call, "one_hot", [&labels], depth = classes, axis = along as i64, dtype = x.dtype())?
    };
    let targets = if smoothing == 0.0 {
        targets
    } else {
        let own = compute!(call, "multiply", [&targets, 1.0 - smoothing])?;
        compute!(call, "add", [&own, smoothing / classes as f64])?
    };
    if !call.value(2).is_none() {
        return Err(call.refuse(
            Fault::Missing,
            "weight",
            Some(call.value(2)),
            "not together with distributions",
        ));
    }
    let products = compute!(call, "multiply", [&targets, &compute!(call, "negative", [&logs])?])?;
    let losses = compute!(call, "sum", [&products], axis = along as i64, keepdims = soft)?;
    let ones = compute!(call, "ones_like", [&losses])?;
    Ok(weighed(call, &Picked { losses, weights: ones }, 4)?.into())
}

/// `softmax_with_cross_entropy(logits, label, soft_label, ignore_index, return_softmax, axis)`
pub(crate) fn softmax_with_cross_entropy(call: &mut Call<'_>) -> Out {
    let (x, label) = (call.array(0)?, call.array(1)?);
    let along = axis(call, call.int(5)?, x.ndim())?;
    let logs = compute!(call, "log_softmax", [&x], axis = along as i64)?;
    let losses = if call.flag(2)? {
        let products = compute!(call, "multiply", [&label, &compute!(call, "negative", [&logs])?])?;
        compute!(call, "sum", [&products], axis = along as i64, keepdims = true)?
    } else {
        let (labels, _) = plain(call, &label, &logs, along)?;
        // Nothing stands at this place: no class has a weight.
        let losses = picked(call, &logs, &labels, along, usize::MAX, call.int(3)?)?.losses;
        compute!(call, "expand_dims", [&losses], axis = along as i64)?
    };
    if !call.flag(4)? {
        return Ok(losses.into());
    }
    Ok(tuple([losses, compute!(call, "softmax", [&x], axis = along as i64)?]))
}
