//! Losses, by their definitions.

use super::dd::{Dd, PI};
use super::num::round_float;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, indices, place, spread};
use ivy_core::Dtype;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "cross_entropy" => of_classes(call),
        "sparse_cross_entropy" => of_labels(call),
        "wasserstein_loss_discriminator" | "wasserstein_loss_generator" => of_means(call),
        name => {
            // A point tells whether this page knows the function, which empty arrays do not.
            pair(call, name, 1.0, 1.0, 1.0)?;
            of_pairs(call)
        }
    }
}

/// The loss of one element, and what its error is relative to.
#[derive(Clone, Copy)]
struct Loss(Dd, f64);

impl Loss {
    fn value(self, count: usize) -> Value {
        Value::sum(self.0, 0.0.into(), self.1, count)
    }

    fn over(self, n: f64) -> Loss {
        Loss(self.0 / n.into(), self.1 / n)
    }
}

fn total(losses: impl IntoIterator<Item = Loss>) -> Loss {
    losses.into_iter().fold(Loss(0.0.into(), 0.0), |s, l| Loss(s.0 + l.0, s.1 + l.1))
}

/// Losses of a shape reduced over some axes.
fn reduced(call: &Call<'_>, losses: &[Loss], shape: &[usize], axes: &[usize], default: &str) -> Truth {
    let word = call.word("reduction").unwrap_or(default);
    let dtype = call.output(0);
    if word == "none" {
        return Truth { dtype, shape: shape.to_vec(), data: losses.iter().map(|l| l.value(1)).collect() };
    }
    let kept: Vec<usize> = (0..shape.len()).filter(|a| !axes.contains(a)).collect();
    let out: Vec<usize> = kept.iter().map(|&a| shape[a]).collect();
    let count: usize = axes.iter().map(|&a| shape[a]).product();
    let mut groups = vec![Vec::new(); out.iter().product()];
    for (index, &loss) in indices(shape).zip(losses) {
        let own: Vec<usize> = kept.iter().map(|&a| index[a]).collect();
        groups[place(&own, &out)].push(loss);
    }
    let of = |group: Vec<Loss>| {
        let all = total(group);
        if word == "mean" { all.over(count as f64) } else { all }.value(count)
    };
    Truth { dtype, shape: out, data: groups.into_iter().map(of).collect() }
}

fn softplus(x: Dd) -> Dd {
    if x.hi > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}

/// Stirling's formula.
fn log_factorial(t: f64) -> Loss {
    if t <= 1.0 {
        return Loss(0.0.into(), 0.0);
    }
    let t = Dd::from(t);
    let (a, b) = (t * t.ln(), (PI.scale(1) * t).ln().scale(-1));
    Loss(a - t + b, a.hi + t.hi + b.hi)
}

/// The dtype in which a loss is computed.
fn computed(call: &Call<'_>) -> Dtype {
    if call.compute.bits() < 32 { Dtype::FLOAT32 } else { call.compute }
}

/// A probability between two bounds, of the dtype computed in.
fn bounded(call: &Call<'_>, p: f64, least: f64) -> Dd {
    let bound = |x: f64| round_float(x, computed(call));
    p.clamp(bound(least), bound(1.0 - least)).into()
}

fn pair(call: &Call<'_>, name: &str, a: f64, b: f64, weight: f64) -> Option<Loss> {
    let (x, t) = (Dd::from(a), Dd::from(b));
    let one = Dd::from(1.0);
    let number = |name: &str, default: f64| call.number(name).unwrap_or(default);
    let distance = (x - t).abs();
    let bent = |width: f64| match distance.hi > width {
        true => Dd::from(width) * (distance - Dd::from(width).scale(-1)),
        false => (distance * distance).scale(-1),
    };
    let itself = |y: Dd| Loss(y, 2.0 * y.hi.abs());
    let poisson = |x: Dd, t: Dd, full: bool| {
        let rest = if full { log_factorial(t.hi) } else { Loss(0.0.into(), 0.0) };
        total([Loss(x.exp(), x.exp().hi), Loss(-(x * t), (x * t).hi.abs()), rest])
    };
    Some(match name {
        "l1_loss" => itself(distance),
        "huber_loss" => itself(bent(number("delta", 1.0))),
        "smooth_l1_loss" if number("beta", 1.0) < 1e-5 => itself(distance),
        "smooth_l1_loss" => itself(bent(number("beta", 1.0)) / number("beta", 1.0).into()),
        "soft_margin_loss" => {
            let y = softplus(-(x * t));
            Loss(y, y.hi * (1.0 + (a * b).abs()))
        }
        "hinge_embedding_loss" => {
            let margin = Dd::from(number("margin", 1.0));
            let lacks = if (margin - x).hi > 0.0 { margin - x } else { 0.0.into() };
            let near = if b != 1.0 { lacks } else { 0.0.into() };
            let far = if b != -1.0 { x } else { 0.0.into() };
            Loss(near + far, a.abs() + margin.hi.abs())
        }
        "kl_div" if call.flag("log_target") => {
            let y = t.exp() * (t - x);
            Loss(y, t.exp().hi * (a.abs() + b.abs()))
        }
        "kl_div" if b == 0.0 => Loss(0.0.into(), 0.0),
        "kl_div" => Loss(t * (t.ln() - x), b.abs() * (t.ln().hi.abs() + a.abs())),
        "log_poisson_loss" => poisson(t, x, call.flag("compute_full_loss")),
        "poisson_nll_loss" if call.set("log_input") == Some(false) => {
            let log = (x + number("eps", 1e-8).into()).ln();
            let rest = if call.flag("full") { log_factorial(b) } else { Loss(0.0.into(), 0.0) };
            total([Loss(x, a.abs()), Loss(-(t * log), b.abs() * (log.hi.abs() + 1.0)), rest])
        }
        "poisson_nll_loss" => poisson(x, t, call.flag("full")),
        "binary_cross_entropy" => {
            let smoothing = Dd::from(number("epsilon", 0.0));
            let (target, pred) = (x * (one - smoothing) + smoothing.scale(-1), t);
            if !call.flag("from_logits") {
                let p = bounded(call, pred.hi, 1e-7);
                let (yes, no) = (target * p.ln(), (one - target) * (one - p).ln());
                return Some(total([Loss(-yes, yes.hi.abs()), Loss(-no, no.hi.abs())]));
            }
            let yes = Dd::from(weight) * target * softplus(-pred);
            let y = yes + (one - target) * softplus(pred);
            Loss(y, (1.0 + weight.abs()) * (1.0 + target.hi.abs()) * (2.0 * b.abs() + 1.0))
        }
        _ => return None,
    })
}

fn of_pairs(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let shape = broadcast(&[&a.shape, &b.shape])?;
    let weight = call.operand(2);
    let weights = weight.as_ref().map(|w| spread(&w.shape, &shape));
    let (of_a, of_b) = (spread(&a.shape, &shape), spread(&b.shape, &shape));
    let loss = |i: usize| {
        let weight = match (&weight, &weights) {
            (Some(w), Some(at)) => w.data[at[i]].re(),
            _ => 1.0,
        };
        pair(call, call.function, a.data[of_a[i]].re(), b.data[of_b[i]].re(), weight)
    };
    let losses = (0..of_a.len()).map(loss).collect::<Option<Vec<_>>>()?;
    if call.word("reduction") == Some("batchmean") {
        let entries = shape.first().copied().unwrap_or(1) as f64;
        let value = total(losses.iter().copied()).over(entries).value(losses.len());
        return Some(vec![Truth { dtype: call.output(0), shape: vec![], data: vec![value] }]);
    }
    let all: Vec<usize> = (0..shape.len()).collect();
    let axes = match (call.ints("axis"), call.function) {
        (Some(axes), _) => axes.iter().map(|&a| axis(a, shape.len())).collect(),
        (None, "log_poisson_loss") => all.last().copied().into_iter().collect(),
        _ => all,
    };
    let default = if call.function == "log_poisson_loss" { "none" } else { "mean" };
    Some(vec![reduced(call, &losses, &shape, &axes, default)])
}

fn of_means(call: &Call<'_>) -> Option<Vec<Truth>> {
    let mean = |i: usize, sign: f64| {
        let x = call.operand(i)?;
        let n = x.data.len() as f64;
        let one = |x: f64| Loss((sign * x).into(), x.abs());
        Some(total(x.data.iter().map(|x| one(x.re()))).over(n))
    };
    let loss = match call.function {
        "wasserstein_loss_generator" => mean(0, -1.0)?,
        _ => total([mean(1, 1.0)?, mean(0, -1.0)?]),
    };
    Some(vec![Truth { dtype: call.output(0), shape: vec![], data: vec![loss.value(1)] }])
}

/// The logarithms of the predicted probabilities along an axis.
fn logs(call: &Call<'_>, pred: &Tensor, at: usize) -> Vec<Loss> {
    let epsilon = call.number("epsilon").unwrap_or(1e-7);
    let of = |(i, mut index): (usize, Vec<usize>)| {
        if !call.flag("from_logits") {
            let log = bounded(call, pred.data[i].re(), epsilon).ln();
            return Loss(log, log.hi.abs());
        }
        let line: Vec<f64> = (0..pred.shape[at])
            .map(|k| {
                index[at] = k;
                pred.data[place(&index, &pred.shape)].re()
            })
            .collect();
        let whole = line.iter().fold(Dd::from(0.0), |s, &x| s + Dd::from(x).exp()).ln();
        let y = Dd::from(pred.data[i].re()) - whole;
        Loss(y, pred.data[i].re().abs() + whole.hi.abs() + 4.0)
    };
    indices(&pred.shape).enumerate().map(of).collect()
}

fn scaled(loss: Loss, by: Dd) -> Loss {
    Loss(loss.0 * by, loss.1 * by.hi.abs())
}

fn of_classes(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (t, pred, weight) = (call.operand(0)?, call.operand(1)?, call.operand(2));
    let own = axis(call.int("axis").unwrap_or(-1), pred.shape.len());
    let classes = pred.shape[own];
    let shape = broadcast(&[&t.shape, &pred.shape])?;
    let at = shape.len() - (pred.shape.len() - own);
    let logs = logs(call, &pred, own);
    let smoothing = Dd::from(call.number("label_smoothing").unwrap_or(0.0));
    let (of_t, of_pred) = (spread(&t.shape, &shape), spread(&pred.shape, &shape));
    let loss = |(i, index): (usize, Vec<usize>)| {
        let target = Dd::from(t.data[of_t[i]].re()) * (Dd::from(1.0) - smoothing)
            + smoothing / Dd::from(classes as f64);
        let weight = weight.as_ref().map_or(1.0, |w| w.data[index[at]].re());
        scaled(logs[of_pred[i]], -target * weight.into())
    };
    let losses: Vec<Loss> = indices(&shape).enumerate().map(loss).collect();
    if call.word("reduction") == Some("batchmean") {
        let entries = losses.len() as f64 / classes as f64;
        let value = total(losses.iter().copied()).over(entries).value(losses.len());
        return Some(vec![Truth { dtype: call.output(0), shape: vec![], data: vec![value] }]);
    }
    let axes = match call.int("axis") {
        Some(_) => vec![at],
        None => (0..shape.len()).collect(),
    };
    Some(vec![reduced(call, &losses, &shape, &axes, "mean")])
}

fn of_labels(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (labels, pred, weight) = (call.given(0)?, call.operand(1)?, call.operand(2));
    let own = axis(call.int("axis").unwrap_or(-1), pred.shape.len());
    let behind = pred.shape.len() - 1 - own;
    let classes = pred.shape[own];
    let mut others = pred.shape.clone();
    others.remove(own);
    let batch = broadcast(&[&labels.shape, &others])?;
    let at = batch.len() - behind;
    let mut shape = batch.clone();
    shape.insert(at, classes);
    let logs = logs(call, &pred, own);
    let smoothing = Dd::from(call.number("label_smoothing").unwrap_or(0.0));
    let (of_labels, of_pred) = (spread(&labels.shape, &batch), spread(&pred.shape, &shape));
    let weight_of = |class: usize| weight.as_ref().map_or(1.0, |w| w.data[class].re());
    let label_at = |index: &[usize]| labels.data[of_labels[place(index, &batch)]].int();
    let ignored = call.int("ignore_index").map(i128::from);
    let loss = |(i, mut index): (usize, Vec<usize>)| {
        let class = index.remove(at);
        let label = label_at(&index);
        if Some(label) == ignored {
            return Loss(0.0.into(), 0.0);
        }
        let hit = if label == class as i128 { Dd::from(1.0) - smoothing } else { 0.0.into() };
        let share = hit + smoothing / Dd::from(classes as f64);
        scaled(logs[of_pred[i]], -share * weight_of(class).into())
    };
    let losses: Vec<Loss> = indices(&shape).enumerate().map(loss).collect();
    if call.word("reduction") == Some("batchmean") {
        let counted = indices(&batch).map(|i| label_at(&i)).filter(|&l| Some(l) != ignored);
        let entries: f64 = counted.map(|l| weight_of(l as usize)).sum();
        let all = total(losses.iter().copied());
        // The sum of the weights, which have signs, is rounded as well.
        let loss = Loss(all.0 / entries.into(), (all.1 + all.0.hi.abs()) / entries.abs());
        let value = loss.value(losses.len());
        return Some(vec![Truth { dtype: call.output(0), shape: vec![], data: vec![value] }]);
    }
    Some(vec![reduced(call, &losses, &shape, &[at], "mean")])
}
