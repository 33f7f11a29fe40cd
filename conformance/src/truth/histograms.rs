//! Histograms, counts, covariances and correlations, by their definitions.

use super::dd::Dd;
use super::num::{Num, cast};
use super::reduce::sum;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place};
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "histogram" => histogram(call)?,
        "bincount" => vec![bincount(call)?],
        "cov" | "corrcoef" => vec![covariances(call)?],
        _ => return None,
    })
}

fn bincount(call: &Call<'_>) -> Option<Truth> {
    let (x, weights) = (call.given(0)?, call.operand(1));
    let most = x.data.iter().map(|v| v.int() as usize + 1).max().unwrap_or(0);
    let length = most.max(call.int("minlength").unwrap_or(0) as usize);
    let value = |k: usize| {
        let places = (0..x.data.len()).filter(|&i| x.data[i].int() as usize == k);
        match &weights {
            None => Value::int(places.count() as i128),
            Some(weights) => sum(call, &places.map(|i| weights.data[i]).collect::<Vec<_>>()),
        }
    };
    Some(Truth { dtype: call.output(0), shape: vec![length], data: (0..length).map(value).collect() })
}

fn pair(value: &ParamValue) -> Option<(f64, f64)> {
    match value {
        ParamValue::Ints(v) => Some((v[0] as f64, v[1] as f64)),
        ParamValue::Scalars(v) => Some((v[0].to_f64(), v[1].to_f64())),
        _ => None,
    }
}

/// The edges, which the calls choose so that they are numbers of each dtype.
fn edges(call: &Call<'_>, x: &Tensor) -> Option<Vec<f64>> {
    let count = match call.given(1) {
        Some(bins) if !bins.shape.is_empty() => {
            return Some(bins.data.iter().map(|&e| cast(e, call.compute).re()).collect());
        }
        Some(bins) => bins.data[0].int() as usize,
        None => 10,
    };
    let values = || x.data.iter().map(|v| v.re());
    let (low, high) = match call.keyword("range") {
        Some(range) => pair(range)?,
        None if x.data.is_empty() => (0.0, 1.0),
        None => (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)),
    };
    let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
    Some((0..=count).map(|i| low + (high - low) * i as f64 / count as f64).collect())
}

fn histogram(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (x, weights) = (call.operand(0)?, call.given(2));
    let edges = edges(call, &x)?;
    let bins = edges.len() - 1;
    let n = x.shape.len();
    let axes: Vec<usize> = match call.ints("axis") {
        Some(axes) => axes.iter().map(|&a| axis(a, n)).collect(),
        None => (0..n).collect(),
    };
    let rest: Vec<usize> = (0..n).filter(|a| !axes.contains(a)).collect();
    let shape: Vec<usize> = std::iter::once(bins).chain(rest.iter().map(|&a| x.shape[a])).collect();
    let mut found = vec![Vec::new(); shape.iter().product()];
    for (p, index) in indices(&x.shape).enumerate() {
        let v = x.data[p].re();
        let inside =
            (0..bins).find(|&b| v >= edges[b] && (v < edges[b + 1] || b + 1 == bins && v == edges[bins]));
        let bin = match inside {
            None if v < edges[0] && call.flag("extend_lower_interval") => Some(0),
            None if v > edges[bins] && call.flag("extend_upper_interval") => bins.checked_sub(1),
            other => other,
        };
        if let Some(bin) = bin {
            let own: Vec<usize> = std::iter::once(bin).chain(rest.iter().map(|&a| index[a])).collect();
            let weight = weights.as_ref().map_or(Num::Int(1), |w| w.data[p]);
            found[place(&own, &shape)].push(cast(weight, call.compute).re());
        }
    }
    let total = |v: &Vec<f64>| v.iter().fold(Dd::from(0.0), |s, &x| s + x.into());
    let mass = |v: &Vec<f64>| v.iter().map(|x| x.abs()).sum::<f64>();
    let per_bin: usize = shape[1..].iter().product();
    let value = |(p, v): (usize, &Vec<f64>)| {
        if !call.flag("density") {
            return Value::sum(total(v), Dd::from(0.0), mass(v), v.len());
        }
        let column: Vec<f64> = (0..bins).flat_map(|b| found[b * per_bin + p % per_bin].clone()).collect();
        let (whole, bin) = (total(&column), p / per_bin);
        let width = Dd::from(edges[bin + 1]) - edges[bin].into();
        let share = total(v) / width / whole;
        Value::sum(
            share,
            Dd::from(0.0),
            share.hi.abs() * (1.0 + mass(&column) / whole.hi.abs()),
            column.len(),
        )
    };
    let data = found.iter().enumerate().map(value).collect();
    let reach = edges.iter().fold(0.0f64, |m, e| m.max(e.abs()));
    let edge = |e: &f64| Value::sum((*e).into(), Dd::from(0.0), reach, 2);
    Some(vec![
        Truth { dtype: call.output(0), shape, data },
        Truth { dtype: call.output(1), shape: vec![edges.len()], data: edges.iter().map(edge).collect() },
    ])
}

/// One variable a row.
fn observations(call: &Call<'_>, rows: bool) -> Option<Vec<Vec<f64>>> {
    let mut all = Vec::new();
    for i in 0..2 {
        let Some(x) = call.operand(i) else { continue };
        let at = |p: usize| x.data[p].re();
        match x.shape[..] {
            [] | [_] => all.push((0..x.data.len()).map(at).collect()),
            [m, n] if rows => all.extend((0..m).map(|r| (0..n).map(|c| at(r * n + c)).collect())),
            [m, n] => all.extend((0..n).map(|c| (0..m).map(|r| at(r * n + c)).collect())),
            _ => return None,
        }
    }
    Some(all)
}

fn covariances(call: &Call<'_>) -> Option<Truth> {
    let correlation = call.function == "corrcoef";
    let rows = call.set(if correlation { "rowvar" } else { "rowVar" }).unwrap_or(true);
    let x = observations(call, rows)?;
    let n = x.first()?.len();
    let weight = |i: usize| -> Vec<f64> {
        match call.given(i).filter(|_| !correlation) {
            Some(w) => w.data.iter().map(|&v| cast(v, call.compute).re()).collect(),
            None => vec![1.0; n],
        }
    };
    let (times, share) = (weight(2), weight(3));
    let w: Vec<f64> = times.iter().zip(&share).map(|(a, b)| a * b).collect();
    let add = |v: &mut dyn Iterator<Item = Dd>| v.fold(Dd::from(0.0), |s, x| s + x);
    let whole = add(&mut w.iter().map(|&w| w.into()));
    let less = match call.int("ddof") {
        Some(ddof) => ddof as f64,
        None if call.flag("bias") => 0.0,
        None => 1.0,
    };
    let squares = add(&mut w.iter().zip(&share).map(|(&w, &a)| Dd::from(w) * a.into()));
    let divisor = whole - squares / whole * less.into();
    let divisor = if divisor.hi > 0.0 { divisor } else { Dd::from(0.0) };
    let centre = |row: &Vec<f64>| add(&mut row.iter().zip(&w).map(|(&x, &w)| Dd::from(x) * w.into())) / whole;
    let centred: Vec<Vec<Dd>> =
        x.iter().map(|row| row.iter().map(|&x| Dd::from(x) - centre(row)).collect()).collect();
    // The covariance of two variables, and the magnitude that its error is relative to: differences from the means
    // are rounded as the elements are.
    let entry = |i: usize, j: usize| {
        let value = add(&mut (0..n).map(|k| centred[i][k] * centred[j][k] * w[k].into())) / divisor;
        let size = |i: usize, k: usize| x[i][k].abs() + centre(&x[i]).hi.abs() + centred[i][k].hi.abs();
        let mass = (0..n).map(|k| size(i, k) * size(j, k) * w[k].abs()).sum::<f64>() / divisor.hi;
        (value, mass)
    };
    let k = x.len();
    let value = |p: usize| {
        let (i, j) = (p / k, p % k);
        let (value, mass) = entry(i, j);
        let zero = Dd::from(0.0);
        if !correlation {
            return Value::sum(value, zero, mass, n.max(1));
        }
        let (own, other) = (entry(i, i), entry(j, j));
        let scale = own.0.sqrt() * other.0.sqrt();
        let loss = own.1 / own.0.hi + other.1 / other.0.hi;
        Value::sum(value / scale, zero, mass / scale.hi + loss, n.max(1))
    };
    let data = (0..k * k).map(value).collect();
    Some(Truth { dtype: call.output(0), shape: if k == 1 { vec![] } else { vec![k, k] }, data })
}
