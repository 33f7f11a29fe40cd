//! Creation beyond the standard's: indices as rows, powers, places of triangles, windows; and segments.

use super::dd::{Dd, PI};
use super::num::{Num, cast};
use super::scatter::combined;
use super::value::{Open, Value};
use super::{Arg, Call, Tensor, Truth, axis, indices, place, spread};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "copy_array" | "native_array" => {
            let x = call.operand(0)?;
            vec![call.exact(x.shape, x.data)]
        }
        "one_hot" => vec![one_hot(call)?],
        "logspace" => vec![logspace(call)?],
        "tril_indices" | "triu_indices" => triangle(call)?,
        "hann_window" | "blackman_window" | "hamming_window" | "vorbis_window" => vec![window(call)?],
        "unsorted_segment_sum"
        | "unsorted_segment_min"
        | "unsorted_segment_mean"
        | "unsorted_segment_max"
        | "unsorted_segment_prod" => vec![segments(call)?],
        _ => return None,
    })
}

fn one_hot(call: &Call<'_>) -> Option<Truth> {
    let which = call.given(0)?;
    let value = |i: usize, default: i128| {
        let number = call.given(i).map_or(Num::Int(default), |t| t.data[0]);
        cast(number, call.compute)
    };
    let (on, off) = (value(1, 1), value(2, 0));
    let at = axis(call.int("axis").unwrap_or(-1), which.shape.len() + 1);
    let mut shape = which.shape.clone();
    shape.insert(at, call.int("depth")? as usize);
    let of = |mut index: Vec<usize>| {
        let here = index.remove(at) as i128;
        if which.data[place(&index, &which.shape)].int() == here { on } else { off }
    };
    Some(call.exact(shape.clone(), indices(&shape).map(of).collect()))
}

fn logspace(call: &Call<'_>) -> Option<Truth> {
    let end = |i: usize| match call.operands[i] {
        Arg::Scalar(_) => call.given(i),
        _ => call.operand(i),
    };
    let (start, stop): (Tensor, Tensor) = (end(0)?, end(1)?);
    let base = match call.keyword("base") {
        Some(ParamValue::Float(base)) => *base,
        _ => 10.0,
    };
    let (num, endpoint) = (call.int("num")? as usize, call.set("endpoint").unwrap_or(true));
    let lead = super::broadcast(&[&start.shape, &stop.shape])?;
    let at = axis(call.int("axis").unwrap_or(0), lead.len() + 1);
    let mut shape = lead.clone();
    shape.insert(at, num);
    let (from, to) = (spread(&start.shape, &lead), spread(&stop.shape, &lead));
    let steps = if endpoint { num.saturating_sub(1) } else { num }.max(1);
    let of = |mut index: Vec<usize>| {
        let step = index.remove(at);
        let p = place(&index, &lead);
        let (a, b) = (Dd::from(start.data[from[p]].re()), Dd::from(stop.data[to[p]].re()));
        let exponent = a + (b - a) * Dd::from(step as f64) / Dd::from(steps as f64);
        let logarithm = exponent * Dd::from(base).ln();
        let re = logarithm.exp();
        // An error of the exponent grows with it.
        let mass = re.hi.abs() * (1.0 + logarithm.hi.abs());
        Value::Near { re, im: 0.0.into(), mass, count: 1.0, open: Open::default() }
    };
    Some(Truth { dtype: call.output(0), shape: shape.clone(), data: indices(&shape).map(of).collect() })
}

fn triangle(call: &Call<'_>) -> Option<Vec<Truth>> {
    let rows = call.int("n_rows")?;
    let (cols, k) = (call.int("n_cols").unwrap_or(rows), call.int("k").unwrap_or(0));
    let lower = call.function == "tril_indices";
    let (mut i, mut j) = (Vec::new(), Vec::new());
    for row in 0..rows {
        for column in 0..cols {
            if if lower { column - row <= k } else { column - row >= k } {
                i.push(Value::int(row.into()));
                j.push(Value::int(column.into()));
            }
        }
    }
    let list = |data: Vec<Value>| Truth { dtype: Dtype::INT64, shape: vec![data.len()], data };
    Some(vec![list(i), list(j)])
}

fn window(call: &Call<'_>) -> Option<Truth> {
    let name =
        if matches!(call.function, "hann_window" | "blackman_window") { "size" } else { "window_length" };
    let size = call.int(name)? as usize;
    let period = if call.set("periodic").unwrap_or(true) { size } else { size.max(1) - 1 };
    let number = |name: &str, default: f64| match call.keyword(name) {
        Some(ParamValue::Float(x)) => *x,
        _ => default,
    };
    let turn = |part: f64, whole: usize| PI * Dd::from(part) / Dd::from(whole as f64);
    let of = |n: usize| {
        if call.function == "vorbis_window" {
            // Counted from the nearer end, in half steps.
            let half = (2 * n + 1).min(2 * size - 2 * n - 1);
            let s = turn(half as f64, 2 * size).sin_cos().0;
            return Value::real((PI.scale(-1) * s * s).sin_cos().0);
        }
        if size == 1 {
            return Value::real(1.0);
        }
        let near = n.min(period - n) as f64;
        let (s, c) = (turn(near, period).sin_cos().0, turn(2.0 * near, period).sin_cos().1);
        match call.function {
            "hann_window" => Value::real(s * s),
            "blackman_window" => {
                let twice = turn(4.0 * near, period).sin_cos().1;
                let sum = Dd::from(42.0) - Dd::from(50.0) * c + Dd::from(8.0) * twice;
                Value::real(sum / Dd::from(100.0))
            }
            _ => {
                let (alpha, beta) = (number("alpha", 0.54), number("beta", 0.46));
                let re = Dd::from(alpha) - Dd::from(beta) * c;
                let mass = alpha.abs() + beta.abs();
                Value::Near { re, im: 0.0.into(), mass, count: 1.0, open: Open::default() }
            }
        }
    };
    Some(Truth { dtype: call.output(0), shape: vec![size], data: (0..size).map(of).collect() })
}

fn segments(call: &Call<'_>) -> Option<Truth> {
    let (x, ids) = (call.operand(0)?, call.given(1)?);
    let mut shape = x.shape.clone();
    shape[0] = call.int("num_segments")? as usize;
    let of = |mut index: Vec<usize>| {
        let segment = index[0] as i128;
        let own = ids.data.iter().enumerate().filter(|(_, id)| id.int() == segment);
        let list: Vec<Num> = own
            .map(|(part, _)| {
                index[0] = part;
                x.data[place(&index, &x.shape)]
            })
            .collect();
        match call.function {
            "unsorted_segment_sum" => combined(call, "sum", &list),
            "unsorted_segment_min" if list.is_empty() => Value::Exact(match call.compute.int_range() {
                Some((_, greatest)) => Num::Int(greatest),
                None => cast(Num::Float(f64::INFINITY), call.compute),
            }),
            "unsorted_segment_min" => combined(call, "min", &list),
            "unsorted_segment_max" if list.is_empty() => Value::Exact(match call.compute.int_range() {
                Some((least, _)) => Num::Int(least),
                None if call.compute.is_bool() => Num::Bool(false),
                None => Num::Float(f64::NEG_INFINITY),
            }),
            "unsorted_segment_max" => combined(call, "max", &list),
            "unsorted_segment_prod" if list.is_empty() => Value::Exact(cast(Num::Int(1), call.compute)),
            "unsorted_segment_prod" => combined(call, "mul", &list),
            _ => match combined(call, "sum", &list) {
                Value::Near { re, im, mass, count, open } if !list.is_empty() => {
                    let n = list.len() as f64;
                    let (re, im) = (re / Dd::from(n), im / Dd::from(n));
                    Value::Near { re, im, mass: mass / n, count, open }
                }
                other => other,
            },
        }
    };
    Some(Truth { dtype: call.output(0), shape: shape.clone(), data: indices(&shape).map(of).collect() })
}
