//! Losses.

use super::layers::entry;
use super::numeric::{checked, finish};
use super::support::{Out, cast, iota, optional, reshaped, runtime, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::subgradients::{clamped_below, positive_part};
use ivy_frontend::{Call, Fault, Value, compute};

fn same_size(call: &Call<'_>, x: &Array, target: &Array) -> Result<()> {
    match x.shape() == target.shape() {
        true => Ok(()),
        false => {
            let rule = format!(
                "a target size ({}) that is different to the input size ({}) is not allowed",
                target.shape(),
                x.shape()
            );
            Err(call.refuse(Fault::Value, "target", None, rule))
        }
    }
}

/// `-t log(p) - (1 - t) log(1 - p)`, with logarithms of -100 at least.
pub(crate) fn binary_cross_entropy(call: &mut Call<'_>) -> Out {
    let (p, target, how) = (tensor(call, 0)?, tensor(call, 1)?, checked(call, 3)?.to_string());
    same_size(call, &p, &target)?;
    let outside = f::logical_or(f::less(&p, 0.0)?, f::greater(&p, 1.0)?)?;
    if outside.is_any_true()? {
        return Err(runtime(call, "input", "all elements of input should be between 0 and 1"));
    }
    // Of a probability of 0, or of 1, the logarithm is -100, a constant.
    let log = |p: &Array, log: fn(&Array) -> Result<Array>, end: f64| {
        let none = f::equal(p, end)?;
        f::where_(&none, -100.0, f::maximum(log(&f::where_(&none, 0.5, p)?)?, -100.0)?)
    };
    let hit = f::multiply(&target, log(&p, |p| f::log(p), 0.0)?)?;
    let miss = f::multiply(f::subtract(1.0, &target)?, log(&p, |p| f::log1p(f::negative(p)?), 1.0)?)?;
    let loss = f::negative(f::add(&hit, &miss)?)?;
    finish(call, &loss, optional(call, 2)?.as_ref(), &how)
}

/// `log(1 + exp(-x))` without overflow.
fn softplus_of_negative(x: &Array) -> Result<Array> {
    let small = f::log1p(f::exp(f::negative(f::abs(x)?)?)?)?;
    f::add(&small, f::maximum(f::negative(x)?, 0.0)?)
}

/// The same of logits, with a weight of the positive class.
pub(crate) fn binary_cross_entropy_with_logits(call: &mut Call<'_>) -> Out {
    let (x, target, how) = (tensor(call, 0)?, tensor(call, 1)?, checked(call, 3)?.to_string());
    same_size(call, &x, &target)?;
    let mut tail = softplus_of_negative(&x)?;
    if let Some(positive) = optional(call, 4)? {
        let factor = f::add(f::multiply(f::subtract(&positive, 1.0)?, &target)?, 1.0)?;
        tail = f::multiply(&factor, &tail)?;
    }
    let loss = f::add(f::multiply(f::subtract(1.0, &target)?, &x)?, &tail)?;
    finish(call, &loss, optional(call, 2)?.as_ref(), &how)
}

/// The mean over weights, the sum, or all.
fn weighted_mean(call: &Call<'_>, loss: &Array, weights: &Array, how: &str) -> Out {
    match how {
        "mean" => Ok(f::divide(f::sum(loss, ())?, f::sum(weights, ())?)?.into()),
        how => finish(call, loss, None, how),
    }
}

/// Of each target the negative log-probability times its class' weight, and that weight; 0 of those that are ignored.
fn picked(
    call: &Call<'_>,
    logs: &Array,
    target: &Array,
    weight: Option<&Array>,
    ignored: i64,
) -> Result<(Array, Array)> {
    super::support::has_axes(call, 0, logs)?;
    let axis = if logs.ndim() == 1 { 0 } else { 1 };
    let mut expected = logs.shape().to_vec();
    expected.remove(axis);
    if target.shape()[..] != expected[..] {
        let rule = format!("Expected target of size {expected:?}, got {}", target.shape());
        return Err(call.refuse(Fault::Value, "target", None, rule));
    }
    let target = cast(target, Some(Dtype::INT64))?;
    let counts = f::not_equal(&target, ignored)?;
    let classes = logs.shape()[axis] as i64;
    let known = f::logical_and(f::greater_equal(&target, 0)?, f::less(&target, classes)?)?;
    if f::logical_and(f::logical_not(&known)?, &counts)?.is_any_true()? {
        return Err(call.refuse(Fault::Index, "target", None, "Target is out of bounds."));
    }
    let place = f::where_(&counts, &target, 0)?;
    let line = compute!(
        call,
        "take_along_axis",
        [logs, &compute!(call, "expand_dims", [&place, axis as i64])?],
        axis = axis as i64
    )?;
    let line = reshaped(&line, expected)?;
    let weights = match weight {
        Some(weight) => compute!(call, "gather", [weight, &place], axis = 0)?,
        None => compute!(call, "ones_like", [&line])?,
    };
    let weights = f::where_(&counts, &weights, 0.0)?;
    Ok((f::negative(f::where_(&counts, f::multiply(&line, &weights)?, 0.0)?)?, weights))
}

/// The negative log-likelihood of targets.
pub(crate) fn nll_loss(call: &mut Call<'_>) -> Out {
    let (logs, target, how) = (tensor(call, 0)?, tensor(call, 1)?, checked(call, 4)?.to_string());
    let (loss, weights) = picked(call, &logs, &target, optional(call, 2)?.as_ref(), call.int(3)?)?;
    weighted_mean(call, &loss, &weights, &how)
}

/// The cross entropy of logits: with targets that are classes, or distributions.
pub(crate) fn cross_entropy(call: &mut Call<'_>) -> Out {
    let (x, target, how) = (tensor(call, 0)?, tensor(call, 1)?, checked(call, 4)?.to_string());
    let (weight, smoothing) = (optional(call, 2)?, call.float(5)?);
    if !(0.0..=1.0).contains(&smoothing) {
        return Err(runtime(call, "label_smoothing", "must be between 0.0 and 1.0"));
    }
    super::support::has_axes(call, 0, &x)?;
    let axis = if x.ndim() == 1 { 0 } else { 1 };
    let classes = x.shape()[axis];
    let logs = compute!(call, "log_softmax", [&x], axis = axis as i64)?;
    let mut shape = vec![1; x.ndim()];
    shape[axis] = classes;
    let scaled = match &weight {
        Some(weight) => f::multiply(&logs, reshaped(weight, shape)?)?,
        None => logs.clone(),
    };
    let along = |x: &Array| compute!(call, "sum", [x], axis = axis as i64);
    if target.dtype().is_float() {
        same_size(call, &x, &target)?;
        let soft = f::add(f::multiply(&target, 1.0 - smoothing)?, smoothing / classes as f64)?;
        let loss = f::negative(along(&f::multiply(&scaled, &soft)?)?)?;
        return match how.as_str() {
            "mean" => Ok(f::mean(&loss, ())?.into()),
            how => finish(call, &loss, None, how),
        };
    }
    let ignored = call.int(3)?;
    let (loss, weights) = picked(call, &logs, &target, weight.as_ref(), ignored)?;
    if smoothing == 0.0 {
        return weighted_mean(call, &loss, &weights, &how);
    }
    let all = f::negative(along(&scaled)?)?;
    let all = f::where_(f::not_equal(&target, ignored)?, &all, 0.0)?;
    let both = f::add(f::multiply(&loss, 1.0 - smoothing)?, f::multiply(&all, smoothing / classes as f64)?)?;
    weighted_mean(call, &both, &weights, &how)
}

/// `1 - cos` of pairs that belong together, what the cosine is above a margin of others.
pub(crate) fn cosine_embedding_loss(call: &mut Call<'_>) -> Out {
    let (a, b, target) = (tensor(call, 0)?, tensor(call, 1)?, tensor(call, 2)?);
    let (margin, how) = (call.float(3)?, checked(call, 4)?.to_string());
    let along = |x: &Array, y: &Array| compute!(call, "sum", [&f::multiply(x, y)?], axis = -1);
    let lengths = f::multiply(f::add(along(&a, &a)?, 1e-12)?, f::add(along(&b, &b)?, 1e-12)?)?;
    let cosine = f::divide(along(&a, &b)?, f::sqrt(&lengths)?)?;
    let apart = f::where_(f::equal(&target, -1)?, clamped_below(&f::subtract(&cosine, margin)?)?, 0.0)?;
    let loss = f::where_(f::equal(&target, 1)?, f::subtract(1.0, &cosine)?, &apart)?;
    finish(call, &loss, None, &how)
}

/// The negative log-likelihood of normal distributions.
pub(crate) fn gaussian_nll_loss(call: &mut Call<'_>) -> Out {
    let (x, target, variance) = (tensor(call, 0)?, tensor(call, 1)?, call.array(2)?);
    let (full, eps, how) = (call.flag(3)?, call.float(4)?, checked(call, 5)?.to_string());
    if f::less(&variance, 0.0)?.is_any_true()? {
        return Err(call.refuse(Fault::Value, "var", None, "var has negative entry/entries"));
    }
    let variance = match variance.ndim() + 1 == x.ndim() {
        true => compute!(call, "expand_dims", [&variance, -1])?,
        false => variance,
    };
    let variance = f::maximum(&variance, eps)?;
    let square = f::square(f::subtract(&x, &target)?)?;
    let mut loss = f::multiply(f::add(f::log(&variance)?, f::divide(&square, &variance)?)?, 0.5)?;
    if full {
        loss = f::add(&loss, 0.5 * (2.0 * std::f64::consts::PI).ln())?;
    }
    finish(call, &loss, None, &how)
}

/// For each class that is a target how much every other class comes too near.
pub(crate) fn multilabel_margin_loss(call: &mut Call<'_>) -> Out {
    let (x, target, how) = (tensor(call, 0)?, tensor(call, 1)?, checked(call, 2)?.to_string());
    if x.shape() != target.shape() || x.ndim() == 0 {
        return Err(runtime(call, "target", "inconsistent target size"));
    }
    let classes = x.shape()[x.ndim() - 1];
    // Targets end before the first -1.
    let given = cast(&f::greater_equal(&target, 0)?, Some(Dtype::INT64))?;
    let given = cast(&compute!(call, "cumulative_prod", [&given], axis = -1)?, Some(Dtype::BOOL))?;
    let place = f::where_(&given, &target, 0)?;
    let own = compute!(call, "take_along_axis", [&x, &place], axis = -1)?;
    let last = |x: &Array| compute!(call, "expand_dims", [x, -1]);
    let hits = f::logical_and(last(&given)?, f::equal(last(&place)?, iota(call, classes)?)?)?;
    let is_target = compute!(call, "any", [&hits], axis = -2, keepdims = true)?;
    let apart = f::subtract(compute!(call, "expand_dims", [&x, -2])?, last(&own)?)?;
    let near = positive_part(&f::add(apart, 1.0)?)?;
    let counts = f::logical_and(last(&given)?, f::logical_not(&is_target)?)?;
    let all = f::where_(&counts, &near, 0.0)?;
    let loss = f::divide(compute!(call, "sum", [&all], axis = vec![-2i64, -1])?, classes as f64)?;
    finish(call, &loss, None, &how)
}

/// The mean over classes of the binary cross entropy of logits.
pub(crate) fn multilabel_soft_margin_loss(call: &mut Call<'_>) -> Out {
    let (x, target, how) = (tensor(call, 0)?, tensor(call, 1)?, checked(call, 3)?.to_string());
    let tail = softplus_of_negative(&x)?;
    let mut loss = f::add(f::multiply(f::subtract(1.0, &target)?, &x)?, &tail)?;
    if let Some(weight) = optional(call, 2)? {
        loss = f::multiply(&loss, &weight)?;
    }
    finish(call, &compute!(call, "mean", [&loss], axis = -1)?, None, &how)
}

/// How much each other class comes too near to the target.
pub(crate) fn multi_margin_loss(call: &mut Call<'_>) -> Out {
    let (x, target) = (tensor(call, 0)?, tensor(call, 1)?);
    let (p, margin, how) = (call.int(2)?, call.float(3)?, checked(call, 5)?.to_string());
    let (rows, classes) = match x.shape()[..] {
        [rows, classes] => (rows, classes),
        [classes] => (1, classes),
        _ => return Err(runtime(call, "input", "Expected non-empty vector or matrix")),
    };
    if !(1..=2).contains(&p) || target.size() != rows {
        return Err(runtime(call, "p", "only p == 1 and p == 2 are supported, with a target for each row"));
    }
    let (table, place) = (reshaped(&x, [rows, classes])?, reshaped(&target, [rows, 1])?);
    let own = compute!(call, "take_along_axis", [&table, &place], axis = 1)?;
    let mut near = positive_part(&f::add(f::subtract(&table, &own)?, margin)?)?;
    if p == 2 {
        near = f::square(&near)?;
    }
    if let Some(weight) = optional(call, 4)? {
        near = f::multiply(&near, compute!(call, "gather", [&weight, &place], axis = 0)?)?;
    }
    let others = f::where_(f::not_equal(iota(call, classes)?, &place)?, &near, 0.0)?;
    let loss = f::divide(compute!(call, "sum", [&others], axis = 1)?, classes as f64)?;
    let loss = if x.ndim() == 1 { entry(&loss, 0)? } else { loss };
    finish(call, &loss, None, &how)
}

/// How much nearer an anchor is to what it belongs to than to something else.
pub(crate) fn triplet_margin_loss(call: &mut Call<'_>) -> Out {
    let (anchor, positive, negative) = (tensor(call, 0)?, tensor(call, 1)?, tensor(call, 2)?);
    let (margin, p, eps, swap) = (call.float(3)?, call.float(4)?, call.float(5)?, call.flag(6)?);
    let how = checked(call, 7)?.to_string();
    let distance = |a: &Array, b: &Array| compute!(call, "pairwise_distance", [a, b], p = p, eps = eps);
    let near = distance(&anchor, &positive)?;
    let mut far = distance(&anchor, &negative)?;
    if swap {
        far = f::minimum(&far, distance(&positive, &negative)?)?;
    }
    let loss = clamped_below(&f::add(f::subtract(&near, &far)?, margin)?)?;
    finish(call, &loss, None, &how)
}

/// Connectionist temporal classification: the negative logarithm of the probability of all paths of labels and blanks
/// that read as the targets (A. Graves and others, 2006), by the forward recursion.
pub(crate) fn ctc_loss(call: &mut Call<'_>) -> Out {
    let (logs, target) = (tensor(call, 0)?, tensor(call, 1)?);
    let (inputs, lengths) = (lengths_of(call, 2)?, lengths_of(call, 3)?);
    let (blank, how, skip) = (call.int(4)?, checked(call, 5)?.to_string(), call.flag(6)?);
    if !matches!(logs.ndim(), 2 | 3) {
        return Err(runtime(call, "log_probs", "(steps, batch, classes) or (steps, classes) is needed"));
    }
    let single = logs.ndim() == 2;
    let logs = if single { compute!(call, "expand_dims", [&logs, 1])? } else { logs };
    let (steps, batch) = (logs.shape()[0], logs.shape()[1]);
    if inputs.len() != batch || lengths.len() != batch || inputs.iter().any(|&n| n < 0 || n as usize > steps)
    {
        return Err(runtime(
            call,
            "input_lengths",
            "one length for each entry of the batch, and none beyond the input",
        ));
    }
    let labels = padded(call, &target, &lengths, blank, single)?;
    let most = lengths.iter().copied().max().unwrap_or(0) as usize;
    let width = 2 * most + 1;
    // A blank before, between and after the labels.
    let mut words = vec![blank; batch * width];
    let mut jumps = vec![false; batch * width];
    for n in 0..batch {
        for s in 0..most {
            let label = labels[n * most + s];
            words[n * width + 2 * s + 1] = label;
            jumps[n * width + 2 * s + 1] = s > 0 && label != labels[n * most + s - 1];
        }
    }
    let words = reshaped(&call.make_array(&Value::from(words), Some(Dtype::INT64))?, [batch, width])?;
    let jumps = reshaped(&call.make_array(&Value::from(jumps), Some(Dtype::BOOL))?, [batch, width])?;
    let inputs_of = reshaped(&call.make_array(&Value::from(inputs), Some(Dtype::INT64))?, [batch, 1])?;
    let at = |t: usize| compute!(call, "take_along_axis", [&entry(&logs, t)?, &words], axis = 1);
    let least = f64::NEG_INFINITY;
    let place = iota(call, width)?;
    let mut paths = f::where_(f::less(&place, 2)?, at(0)?, least)?;
    let behind = |x: &Array, n: i64| {
        let shifted = compute!(call, "roll", [x, n], axis = 1)?;
        f::where_(f::less(&place, n)?, least, &shifted)
    };
    for t in 1..steps {
        let jumped = f::where_(&jumps, behind(&paths, 2)?, least)?;
        let next = f::add(log_sum(&[&paths, &behind(&paths, 1)?, &jumped])?, at(t)?)?;
        paths = f::where_(f::greater(&inputs_of, t as i64)?, &next, &paths)?;
    }
    let ends: Vec<i64> = lengths.iter().map(|&n| 2 * n).collect();
    let ends = reshaped(&call.make_array(&Value::from(ends), Some(Dtype::INT64))?, [batch, 1])?;
    let last = compute!(call, "take_along_axis", [&paths, &ends], axis = 1)?;
    let before =
        compute!(call, "take_along_axis", [&paths, &f::maximum(f::subtract(&ends, 1)?, 0)?], axis = 1)?;
    let before = f::where_(f::equal(&ends, 0)?, least, &before)?;
    let mut loss = reshaped(&f::negative(log_sum(&[&last, &before])?)?, [batch])?;
    if skip {
        loss = f::where_(f::isinf(&loss)?, 0.0, &loss)?;
    }
    if how == "mean" {
        let counts: Vec<i64> = lengths.iter().map(|&n| n.max(1)).collect();
        let counts = call.make_array(&Value::from(counts), Some(loss.dtype()))?;
        loss = f::divide(&loss, &counts)?;
    }
    let loss = if single { entry(&loss, 0)? } else { loss };
    finish(call, &loss, None, &how)
}

/// `log(exp(a) + exp(b) + ...)`, with derivatives of 0 where all are minus infinity.
fn log_sum(terms: &[&Array]) -> Result<Array> {
    let mut greatest = terms[0].clone();
    for term in &terms[1..] {
        greatest = f::maximum(&greatest, *term)?;
    }
    let none = f::isinf(&greatest)?;
    let shift = f::where_(&none, 0.0, &greatest)?;
    let mut sum: Option<Array> = None;
    for term in terms {
        let share = f::exp(f::subtract(*term, &shift)?)?;
        sum = Some(match sum {
            Some(sum) => f::add(&sum, &share)?,
            None => share,
        });
    }
    let sum = f::where_(&none, 1.0, sum.as_ref().unwrap_or(&shift))?;
    f::where_(&none, f64::NEG_INFINITY, f::add(f::log(&sum)?, &shift)?)
}

fn lengths_of(call: &Call<'_>, i: usize) -> Result<Vec<i64>> {
    match call.value(i).as_array() {
        Some(x) => cast(&reshaped(x, [x.size()])?, Some(Dtype::INT64))?.to_vec::<i64>(),
        None => Ok(call.ints(i)?.unwrap_or_default()),
    }
}

/// The labels of each entry, in rows of equal length.
fn padded(call: &Call<'_>, target: &Array, lengths: &[i64], blank: i64, single: bool) -> Result<Vec<i64>> {
    let flat = cast(&reshaped(target, [target.size()])?, Some(Dtype::INT64))?.to_vec::<i64>()?;
    let beyond = || runtime(call, "target_lengths", "a length goes beyond the targets");
    let most = usize::try_from(lengths.iter().copied().max().unwrap_or(0)).map_err(|_| beyond())?;
    if most > flat.len() {
        return Err(beyond());
    }
    let mut start = 0;
    let mut rows = Vec::with_capacity(lengths.len() * most);
    for (n, &len) in lengths.iter().enumerate() {
        let from = if target.ndim() == 2 && !single { n * target.shape()[1] } else { start };
        let own = usize::try_from(len).ok().and_then(|len| flat.get(from..from + len));
        let own = own.ok_or_else(beyond)?;
        start += own.len();
        rows.extend(own);
        rows.resize((n + 1) * most, blank);
    }
    Ok(rows)
}
