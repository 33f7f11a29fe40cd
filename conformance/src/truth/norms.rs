//! Normalization, by its definitions.

use super::dd::Dd;
use super::distances::at;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "layer_norm" => layer(call),
        "batch_norm" | "instance_norm" => batch(call),
        "group_norm" => group(call),
        "lp_normalize" | "l1_normalize" | "l2_normalize" => length(call),
        "rms_norm" => rms(call).map(|truth| vec![truth]),
        "local_response_norm" => response(call),
        _ => None,
    }
}

/// Mean, variance and the sum of the magnitudes over the count.
#[derive(Clone, Copy)]
struct Moments {
    mean: Dd,
    variance: Dd,
    size: f64,
}

impl Moments {
    fn of(x: &[f64]) -> Moments {
        let n = Dd::from(x.len() as f64);
        let total = |f: &dyn Fn(f64) -> Dd| x.iter().fold(Dd::from(0.0), |s, &x| s + f(x));
        let mean = total(&|x| x.into()) / n;
        let squares = total(&|x| {
            let d = Dd::from(x) - mean;
            d * d
        });
        Moments { mean, variance: squares / n, size: x.iter().map(|x| x.abs()).sum::<f64>() / n.hi }
    }

    /// A normalized element.
    fn value(&self, x: f64, eps: f64, scale: Dd, offset: f64) -> Value {
        let factor = scale / (self.variance + eps.into()).sqrt();
        let y = (Dd::from(x) - self.mean) * factor;
        let mass = (x.abs() + self.size) * factor.hi.abs() + 4.0 * y.hi.abs() + offset.abs();
        Value::sum(y + offset.into(), 0.0.into(), mass, 1)
    }
}

/// For each element of an array the moments of the elements that have the same key.
fn moments(x: &Tensor, key: impl Fn(&[usize]) -> Vec<usize>) -> Vec<Moments> {
    let keys: Vec<Vec<usize>> = indices(&x.shape).map(|i| key(&i)).collect();
    let mut distinct = keys.clone();
    distinct.sort();
    distinct.dedup();
    let of = |key: &Vec<usize>| {
        let own: Vec<f64> =
            keys.iter().zip(&x.data).filter(|(k, _)| *k == key).map(|(_, x)| x.re()).collect();
        Moments::of(&own)
    };
    let all: Vec<Moments> = distinct.iter().map(of).collect();
    keys.iter().map(|k| all[distinct.binary_search(k).expect("it is one of them")]).collect()
}

fn layer(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let n = x.shape.len();
    let axes: Vec<usize> =
        call.ints("normalized_idxs").unwrap_or(vec![-1]).iter().map(|&a| axis(a, n)).collect();
    let (eps, std) = (call.number("eps").unwrap_or(1e-5), call.number("new_std").unwrap_or(1.0));
    let all = moments(&x, |i| (0..n).map(|a| if axes.contains(&a) { 0 } else { i[a] }).collect());
    let beside = |k: usize, i: usize| {
        let t = call.operand(k)?;
        Some(t.data[spread(&t.shape, &x.shape)[i]].re())
    };
    let value = |i: usize| {
        let scale = Dd::from(std) * beside(1, i).unwrap_or(1.0).into();
        all[i].value(x.data[i].re(), eps, scale, beside(2, i).unwrap_or(0.0))
    };
    let data = (0..x.data.len()).map(value).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape.clone(), data }])
}

/// The axis of the channels.
fn channels(call: &Call<'_>, x: &Tensor, default: &str) -> usize {
    match call.word("data_format").unwrap_or(default) {
        "channel_first" | "NCS" | "NCW" | "NCHW" | "NCDHW" => 1,
        _ => x.shape.len() - 1,
    }
}

fn batch(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (x, mean, variance) = (call.operand(0)?, call.operand(1)?, call.operand(2)?);
    let c = channels(call, &x, "NSC");
    let each = call.function == "instance_norm";
    let eps = call.number("eps").unwrap_or(if each { 0.0 } else { 1e-5 });
    let momentum = Dd::from(call.number("momentum").unwrap_or(0.1));
    let (offset, scale) = (call.operand(3), call.operand(4));
    let training = call.flag("training");
    let own = moments(&x, |i| if each { vec![i[0], i[c]] } else { vec![i[c]] });
    let value = |(i, index): (usize, Vec<usize>)| {
        let channel = index[c];
        let of = |t: &Option<Tensor>, default: f64| t.as_ref().map_or(default, |t| t.data[channel].re());
        let given = Moments {
            mean: mean.data[channel].re().into(),
            variance: variance.data[channel].re().into(),
            size: mean.data[channel].re().abs(),
        };
        let moments = if training { own[i] } else { given };
        moments.value(x.data[i].re(), eps, of(&scale, 1.0).into(), of(&offset, 0.0))
    };
    let data = indices(&x.shape).enumerate().map(value).collect();
    let count = x.shape[c];
    let n = x.data.len() as f64 / count as f64 / if each { x.shape[0] as f64 } else { 1.0 };
    let running = |given: &Tensor, of: &dyn Fn(&Moments) -> Dd, factor: f64| -> Vec<Value> {
        let one = |channel: usize| {
            let before = Dd::from(given.data[channel].re());
            if !training {
                return Value::real(before);
            }
            // All elements of an entry have its moments: their mean is that of the entries.
            let places = indices(&x.shape).enumerate().filter(|(_, i)| i[c] == channel).map(|(p, _)| p);
            let (sum, size, times) = places.fold((Dd::from(0.0), 0.0f64, 0.0), |(sum, size, times), p| {
                (sum + of(&own[p]), size.max(own[p].size), times + 1.0)
            });
            let now = sum / Dd::from(times) * factor.into();
            let y = (Dd::from(1.0) - momentum) * before + momentum * now;
            Value::sum(y, 0.0.into(), before.hi.abs() + now.hi.abs() + size, 1)
        };
        (0..count).map(one).collect()
    };
    let means = running(&mean, &|m| m.mean, 1.0);
    let variances = running(&variance, &|m| m.variance, n / (n - 1.0));
    let truth = |i: usize, shape: Vec<usize>, data: Vec<Value>| Truth { dtype: call.output(i), shape, data };
    Some(vec![
        truth(0, x.shape.clone(), data),
        truth(1, vec![count], means),
        truth(2, vec![count], variances),
    ])
}

fn group(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let c = channels(call, &x, "NSC");
    let members = x.shape[c] / call.int("num_groups").unwrap_or(1) as usize;
    let eps = call.number("eps").unwrap_or(1e-5);
    let (offset, scale) = (call.operand(1), call.operand(2));
    let own = moments(&x, |i| vec![i[0], i[c] / members]);
    let value = |(i, index): (usize, Vec<usize>)| {
        let of = |t: &Option<Tensor>, default: f64| t.as_ref().map_or(default, |t| t.data[index[c]].re());
        own[i].value(x.data[i].re(), eps, of(&scale, 1.0).into(), of(&offset, 0.0))
    };
    let data = indices(&x.shape).enumerate().map(value).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape.clone(), data }])
}

fn power(x: Dd, p: f64) -> Dd {
    if x.hi == 0.0 { x } else { (x.ln() * p.into()).exp() }
}

fn length(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let n = x.shape.len();
    let p = match call.function {
        "l1_normalize" => 1.0,
        "l2_normalize" => 2.0,
        _ => call.number("p").unwrap_or(2.0),
    };
    let axes: Vec<usize> = match call.ints("axis") {
        Some(axes) => axes.iter().map(|&a| axis(a, n)).collect(),
        None => (0..n).collect(),
    };
    let kept: Vec<usize> = (0..n).map(|a| if axes.contains(&a) { 1 } else { x.shape[a] }).collect();
    let size = |i: usize| {
        let (a, b) = (Dd::from(x.data[i].re()), Dd::from(x.data[i].im()));
        (a * a + b * b).sqrt()
    };
    let mut totals = vec![Dd::from(0.0); kept.iter().product()];
    let home = spread(&kept, &x.shape);
    for (i, &at) in home.iter().enumerate() {
        totals[at] = match p {
            f64::INFINITY if size(i).hi > totals[at].hi => size(i),
            f64::INFINITY => totals[at],
            p => totals[at] + power(size(i), p),
        };
    }
    let value = |(i, &at): (usize, &usize)| {
        let norm = if p == f64::INFINITY { totals[at] } else { power(totals[at], 1.0 / p) };
        let norm = if norm.hi < 1e-12 { Dd::from(1e-12) } else { norm };
        let (re, im) = (Dd::from(x.data[i].re()) / norm, Dd::from(x.data[i].im()) / norm);
        Value::sum(re, im, re.hi.hypot(im.hi) * (1.0 + p.min(8.0)), 1)
    };
    let data = home.iter().enumerate().map(value).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape.clone(), data }])
}

fn response(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let c = channels(call, &x, "NHWC");
    let size = call.int("size").unwrap_or(1);
    let number = |name: &str, default: f64| Dd::from(call.number(name).unwrap_or(default));
    let (bias, alpha, beta) = (number("bias", 1.0), number("alpha", 1.0), number("beta", 0.5));
    let average = if call.flag("average") { size as f64 } else { 1.0 };
    let value = |mut index: Vec<usize>| {
        let own = Dd::from(x.data[place(&index, &x.shape)].re());
        let at = index[c] as i64;
        let mut total = Dd::from(0.0);
        for k in at - size / 2..=at + (size - 1) / 2 {
            if (0..x.shape[c] as i64).contains(&k) {
                index[c] = k as usize;
                let neighbour = Dd::from(x.data[place(&index, &x.shape)].re());
                total = total + neighbour * neighbour;
            }
        }
        let y = own / power(bias + alpha * total / average.into(), beta.hi);
        Value::sum(y, 0.0.into(), y.hi.abs() * (2.0 + beta.hi), 1)
    };
    let data = indices(&x.shape).map(value).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape.clone(), data }])
}

fn rms(call: &Call<'_>) -> Option<Truth> {
    let (x, scale) = (call.operand(0)?, call.operand(1));
    let n = x.shape.len();
    let axes: Vec<usize> =
        call.ints("normalized_idxs").unwrap_or(vec![-1]).iter().map(|&a| axis(a, n)).collect();
    let eps = call.number("eps").unwrap_or(1e-5);
    let kept: Vec<usize> = (0..n).map(|a| if axes.contains(&a) { 1 } else { x.shape[a] }).collect();
    let home = spread(&kept, &x.shape);
    let count: usize = axes.iter().map(|&a| x.shape[a]).product();
    let mut squares = vec![Dd::from(0.0); kept.iter().product()];
    for (x, &at) in x.data.iter().zip(&home) {
        squares[at] = squares[at] + Dd::from(x.re()) * x.re().into();
    }
    let value = |(i, index): (usize, Vec<usize>)| {
        let root = (squares[home[i]] / Dd::from(count as f64) + eps.into()).sqrt();
        let y = Dd::from(x.data[i].re()) / root * scale.as_ref().map_or(1.0, |s| at(s, &index)).into();
        Value::sum(y, 0.0.into(), y.hi.abs(), 1)
    };
    let data = indices(&x.shape).enumerate().map(value).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape.clone(), data })
}
