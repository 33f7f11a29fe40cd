//! Reductions, scans and statistics.

use super::dd::Dd;
use super::num::{Num, cast, wrap};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, elementwise, indices, place};
use ivy_core::finfo;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let truth = match call.function {
        "cumulative_sum" | "cumulative_prod" => scan(call)?,
        "cumsum" | "cumprod" => running(call)?,
        "diff" => diff(call)?,
        "softmax" if call.keyword("complex_mode").is_none() => softmax(call)?,
        "sum" | "prod" | "mean" | "var" | "std" | "max" | "min" | "all" | "any" | "count_nonzero"
        | "argmax" | "argmin" => reduction(call)?,
        _ => return None,
    };
    Some(vec![truth])
}

/// The elements that each element of a reduction's result is made of, and that result's shape.
pub(super) fn groups(call: &Call<'_>, x: &Tensor) -> (Vec<usize>, Vec<Vec<Num>>) {
    let n = x.shape.len();
    let axes: Vec<usize> = match call.ints("axis") {
        Some(axes) => axes.iter().map(|&a| axis(a, n)).collect(),
        None => (0..n).collect(),
    };
    let kept: Vec<usize> = (0..n).map(|a| if axes.contains(&a) { 1 } else { x.shape[a] }).collect();
    let mut groups = vec![Vec::new(); kept.iter().product()];
    for (p, mut index) in indices(&x.shape).enumerate() {
        axes.iter().for_each(|&a| index[a] = 0);
        groups[place(&index, &kept)].push(x.data[p]);
    }
    let shape = match call.flag("keepdims") {
        true => kept,
        false => (0..n).filter(|a| !axes.contains(a)).map(|a| x.shape[a]).collect(),
    };
    (shape, groups)
}

fn reduction(call: &Call<'_>) -> Option<Truth> {
    let x = match call.function {
        "count_nonzero" | "all" | "any" => call.given(0)?,
        _ => call.operand(0)?,
    };
    let (shape, groups) = groups(call, &x);
    let data = groups.iter().map(|g| reduce(call, g)).collect::<Option<_>>()?;
    Some(Truth { dtype: call.output(0), shape, data })
}

pub(super) fn reduce(call: &Call<'_>, g: &[Num]) -> Option<Value> {
    Some(match call.function {
        "all" => Value::truth(g.iter().all(|x| x.truth())),
        "any" => Value::truth(g.iter().any(|x| x.truth())),
        "count_nonzero" => position(call, g.iter().filter(|x| x.truth()).count()),
        "sum" => sum(call, g),
        "prod" => product(call, g),
        "mean" => mean(g),
        "var" => variance(call, g).0,
        "std" => variance(call, g).1,
        "max" | "min" => Value::Exact(g[extreme(call, g, call.function == "max")?]),
        "argmax" | "argmin" => position(call, extreme(call, g, call.function == "argmax")?),
        _ => return None,
    })
}

/// A count or a place, in the dtype that is asked for.
fn position(call: &Call<'_>, at: usize) -> Value {
    Value::Exact(cast(Num::Int(at as i128), call.output(0)))
}

/// The place of the first NaN, else of the first greatest or least element.
fn extreme(call: &Call<'_>, g: &[Num], greatest: bool) -> Option<usize> {
    if let Some(nan) = g.iter().position(|x| x.is_nan()) {
        return Some(nan);
    }
    let better = if greatest { "greater" } else { "less" };
    let mut best = 0;
    for i in 1..g.len() {
        let (a, b) = (g[i], g[best]);
        if matches!(elementwise::binary(better, a, b, call.compute), Some(Value::Exact(Num::Bool(true)))) {
            best = i;
        }
    }
    (!g.is_empty()).then_some(best)
}

/// Sums and their magnitudes; exact to more than 100 bits.
fn total(g: &[Num]) -> (Dd, Dd, f64) {
    let zero = Dd::from(0.0);
    g.iter().fold((zero, zero, 0.0), |(re, im, mass), &x| {
        (re + x.re().into(), im + x.im().into(), mass + x.magnitude())
    })
}

pub(super) fn sum(call: &Call<'_>, g: &[Num]) -> Value {
    if call.compute.is_int() {
        return Value::int(wrap(g.iter().map(|x| x.int()).sum(), call.compute));
    }
    let (re, im, mass) = total(g);
    Value::sum(re, im, mass, g.len())
}

pub(super) fn product(call: &Call<'_>, g: &[Num]) -> Value {
    if call.compute.is_int() {
        let times = |p: i128, x: &Num| wrap(p.wrapping_mul(x.int()), call.compute);
        return Value::int(g.iter().fold(1, times));
    }
    let start = (Dd::from(1.0), Dd::from(0.0));
    if !call.compute.is_complex() {
        let p = g.iter().fold(start.0, |p, x| p * x.re().into());
        return Value::sum(p, 0.0.into(), p.hi.abs(), g.len());
    }
    if g.iter().any(|x| !x.is_finite()) {
        return Value::Any;
    }
    let (re, im) = g.iter().fold(start, |(re, im), x| {
        let (a, b) = (Dd::from(x.re()), Dd::from(x.im()));
        (re * a - im * b, re * b + im * a)
    });
    // Each product may lose a few units of the norm.
    Value::sum(re, im, 4.0 * re.hi.hypot(im.hi), g.len())
}

fn mean(g: &[Num]) -> Value {
    let n = Dd::from(g.len() as f64);
    let (re, im, mass) = total(g);
    Value::sum(re / n, im / n, mass / n.hi, g.len())
}

/// Variance and its square root.
fn variance(call: &Call<'_>, g: &[Num]) -> (Value, Value) {
    let correction = match call.keyword("correction") {
        Some(ivy_core::function::ParamValue::Float(c)) => *c,
        Some(ivy_core::function::ParamValue::Int(c)) => *c as f64,
        _ => 0.0,
    };
    let n = g.len() as f64;
    let (sum, _, mass) = total(g);
    let mean = sum / n.into();
    let squares = g.iter().fold(Dd::from(0.0), |s, x| {
        let d = Dd::from(x.re()) - mean;
        s + d * d
    });
    let v = squares / (n - correction).max(0.0).into();
    // The mean is rounded before the second pass, which matters where the spread is small.
    let eps = finfo(call.compute).map_or(0.0, |f| f.eps.min(2f64.powi(-23)));
    let shift = mass / n.max(1.0) * eps * n.max(1.0);
    let root = v.sqrt();
    let zero = 0.0.into();
    (
        Value::sum(v, zero, v.hi.abs() + shift * shift / eps.max(1e-300), g.len().max(1)),
        Value::sum(root, zero, root.hi.abs() + shift / eps.max(1e-300).sqrt(), g.len().max(1)),
    )
}

fn scan(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let initial = usize::from(call.flag("include_initial"));
    let mut shape = x.shape.clone();
    shape[at] += initial;
    let data = indices(&shape)
        .map(|mut index| {
            let upto = index[at] + 1 - initial;
            let prefix: Vec<Num> = (0..upto)
                .map(|k| {
                    index[at] = k;
                    x.data[place(&index, &x.shape)]
                })
                .collect();
            if call.function == "cumulative_sum" { sum(call, &prefix) } else { product(call, &prefix) }
        })
        .collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

/// As [`scan`], from either end, with or without the element itself.
fn running(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let own = usize::from(!call.flag("exclusive"));
    let data = indices(&x.shape)
        .map(|mut index| {
            let (here, end) = (index[at], x.shape[at]);
            let taken: Vec<usize> = match call.flag("reverse") {
                true => (here + 1 - own..end).rev().collect(),
                false => (0..here + own).collect(),
            };
            let mut element = |k: usize| {
                index[at] = k;
                x.data[place(&index, &x.shape)]
            };
            let taken: Vec<Num> = taken.into_iter().map(&mut element).collect();
            if call.function == "cumsum" { sum(call, &taken) } else { product(call, &taken) }
        })
        .collect();
    Some(Truth { dtype: call.output(0), shape: x.shape.clone(), data })
}

fn diff(call: &Call<'_>) -> Option<Truth> {
    let mut x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    if let Some(before) = call.operand(1) {
        x = joined(&before, &x, at);
    }
    if let Some(after) = call.operand(2) {
        x = joined(&x, &after, at);
    }
    for _ in 0..call.int("n").unwrap_or(1) {
        let mut shape = x.shape.clone();
        shape[at] = shape[at].saturating_sub(1);
        let step = |mut index: Vec<usize>| {
            let low = x.data[place(&index, &x.shape)];
            index[at] += 1;
            let high = x.data[place(&index, &x.shape)];
            match elementwise::binary("subtract", high, low, call.compute)? {
                Value::Exact(d) => Some(d),
                Value::Near { re, .. } => {
                    Some(Num::Float(super::num::round_pair(re.hi, re.lo, call.compute)))
                }
                _ => None,
            }
        };
        let data = indices(&shape).map(step).collect::<Option<_>>()?;
        x = Tensor { shape, data, ..x };
    }
    Some(call.exact(x.shape, x.data))
}

fn joined(a: &Tensor, b: &Tensor, at: usize) -> Tensor {
    let mut shape = a.shape.clone();
    shape[at] += b.shape[at];
    let pick = |mut index: Vec<usize>| {
        if index[at] < a.shape[at] {
            return a.data[place(&index, &a.shape)];
        }
        index[at] -= a.shape[at];
        b.data[place(&index, &b.shape)]
    };
    let data = indices(&shape).map(pick).collect();
    Tensor { dtype: a.dtype, shape, data }
}

fn softmax(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let value = |index: Vec<usize>| {
        let own = x.data[place(&index, &x.shape)];
        let mut other = index;
        let line: Vec<Num> = (0..x.shape[at])
            .map(|k| {
                other[at] = k;
                x.data[place(&other, &x.shape)]
            })
            .collect();
        if call.compute.is_complex() { complex_share(own, &line) } else { share(own.re(), &line) }
    };
    Some(Truth {
        dtype: call.output(0),
        shape: x.shape.clone(),
        data: indices(&x.shape).map(value).collect(),
    })
}

fn share(x: f64, line: &[Num]) -> Value {
    let top = line.iter().map(|x| x.re()).fold(f64::NEG_INFINITY, f64::max);
    if top.is_infinite() || line.iter().any(|x| x.is_nan()) {
        return Value::real(f64::NAN);
    }
    let e = |x: f64| (Dd::from(x) - top.into()).exp();
    let sum = line.iter().fold(Dd::from(0.0), |s, x| s + e(x.re()));
    let v = e(x) / sum;
    // The difference from the greatest is rounded before the exponential sees it.
    let mass = v.hi * (1.0 + if x.is_finite() { top - x } else { 0.0 });
    Value::sum(v, 0.0.into(), mass, line.len())
}

fn complex_share(z: Num, line: &[Num]) -> Value {
    if line.iter().any(|x| !x.is_finite()) {
        return Value::Any;
    }
    let exp = |z: Num| {
        let (size, (s, c)) = (Dd::from(z.re()).exp(), Dd::from(z.im()).sin_cos());
        (size * c, size * s)
    };
    let zero = Dd::from(0.0);
    let (c, d) = line.iter().fold((zero, zero), |(re, im), &z| {
        let (a, b) = exp(z);
        (re + a, im + b)
    });
    let mass: f64 = line.iter().map(|z| z.re().exp()).sum();
    let (a, b) = exp(z);
    let norm = c * c + d * d;
    let (re, im) = ((a * c + b * d) / norm, (b * c - a * d) / norm);
    // Where the exponentials cancel, their sum is as unsure as their magnitudes.
    let loss = mass / norm.hi.sqrt();
    let size = z.re().abs() + z.im().abs();
    Value::sum(re, im, re.hi.hypot(im.hi) * (1.0 + loss + size), line.len())
}
