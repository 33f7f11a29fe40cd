//! Attention of several heads by its definition, in float64.

use super::attention::softmax;
use super::dd::Dd;
use super::random::dropped::factors;
use super::value::Value;
use super::{Call, Tensor, Truth};

/// Rows of numbers.
type Rows = Vec<Vec<f64>>;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    (call.function == "multi_head_attention").then(|| heads(call))?
}

/// The rows of each entry of the batch.
fn entries(x: &Tensor, batch_first: bool) -> Vec<Rows> {
    let s = &x.shape;
    let (batch, length, width) = match (s.len(), batch_first) {
        (2, _) => (1, s[0], s[1]),
        (_, true) => (s[0], s[1], s[2]),
        (_, false) => (s[1], s[0], s[2]),
    };
    let at = |n: usize, i: usize, j: usize| match batch_first || s.len() == 2 {
        true => x.data[(n * length + i) * width + j].re(),
        false => x.data[(i * batch + n) * width + j].re(),
    };
    (0..batch).map(|n| (0..length).map(|i| (0..width).map(|j| at(n, i, j)).collect()).collect()).collect()
}

/// `rows w^T + b`, of the rows from `start` on of the weights.
fn linear(rows: &Rows, w: &Tensor, b: Option<&Tensor>, [start, count, first]: [usize; 3]) -> Rows {
    let width = w.shape[1];
    let one = |row: &Vec<f64>, o: usize| {
        let sum: f64 = (0..width).map(|i| row[i] * w.data[(start + o) * width + i].re()).sum();
        sum + b.map_or(0.0, |b| b.data[first + o].re())
    };
    rows.iter().map(|row| (0..count).map(|o| one(row, o)).collect()).collect()
}

/// What a mask adds at a place; nothing beyond its end.
fn added(mask: &Tensor, row: usize, width: usize, key: usize) -> f64 {
    let Some(x) = mask.data.get(row * width + key).filter(|_| key < width) else { return 0.0 };
    match (mask.dtype.is_bool(), x.truth()) {
        (true, true) => f64::NEG_INFINITY,
        (true, false) => 0.0,
        (false, _) => x.re(),
    }
}

fn heads(call: &Call<'_>) -> Option<Vec<Truth>> {
    let batch_first = call.set("batch_first").unwrap_or(true);
    let query = call.operand(0)?;
    let alone = query.shape.len() == 2;
    let key = call.operand(1).unwrap_or_else(|| query.clone());
    let value = call.operand(2).unwrap_or_else(|| key.clone());
    let [q, k, v] = [&query, &key, &value].map(|x| entries(x, batch_first));
    let bias = call.operand(9);
    let weights: Option<[(Tensor, usize, usize); 3]> = match (call.operand(4), call.operand(5)) {
        (Some(whole), _) => {
            let n = whole.shape[0] / 3;
            Some([0, 1, 2].map(|i| (whole.clone(), i * n, n)))
        }
        (None, Some(_)) => {
            let own = |i: usize| call.operand(i).map(|w| (w.clone(), 0, w.shape[0]));
            Some([own(5)?, own(6)?, own(7)?])
        }
        _ => None,
    };
    let mut parts = [q, k, v];
    if let Some(weights) = &weights {
        let mut first = 0;
        for (part, (w, start, count)) in parts.iter_mut().zip(weights) {
            part.iter_mut().for_each(|rows| *rows = linear(rows, w, bias.as_ref(), [*start, *count, first]));
            first += count;
        }
    }
    let [q, mut k, mut v] = parts;
    for (entry, i) in [(&mut k, 12), (&mut v, 13)] {
        if let Some(one) = call.operand(i) {
            entry.iter_mut().for_each(|rows| rows.push(one.data.iter().map(|x| x.re()).collect()));
        }
    }
    let (batch, queries, features) = (q.len(), q[0].len(), q[0][0].len());
    let count = call.int("num_heads").unwrap_or(8) as usize;
    let width = features / count;
    let (scale, zero) = (1.0 / (width as f64).sqrt(), call.flag("add_zero_attn"));
    let (mask, padding) = (call.given(3), call.given(11));
    let part = |rows: &Rows, head: usize| -> Rows {
        rows.iter().map(|row| row[head * width..(head + 1) * width].to_vec()).collect()
    };
    let own = |i: usize, number: usize| call.operand(i).map(|x| entries(&x, true)[number].clone());
    let mut outputs = vec![vec![vec![(0.0, 0.0); features]; queries]; batch];
    let mut shares: Vec<Vec<Rows>> = Vec::new();
    let mut keys = 0;
    for n in 0..batch {
        let mut of_heads = Vec::new();
        for head in 0..count {
            let number = n * count + head;
            let (own_q, mut own_k, mut own_v) = (
                part(&q[n], head),
                own(14, number).unwrap_or_else(|| part(&k[n], head)),
                own(15, number).unwrap_or_else(|| part(&v[n], head)),
            );
            if zero {
                own_k.push(vec![0.0; width]);
                own_v.push(vec![0.0; width]);
            }
            keys = own_k.len();
            let mut rows = Vec::new();
            for (i, query) in own_q.iter().enumerate() {
                let score = |(j, key): (usize, &Vec<f64>)| {
                    let mut score = scale * query.iter().zip(key).map(|(a, b)| a * b).sum::<f64>();
                    if let Some(mask) = &mask {
                        let row = if mask.shape.len() == 3 { number * queries + i } else { i };
                        score += added(mask, row, mask.shape[mask.shape.len() - 1], j);
                    }
                    if let Some(padding) = &padding {
                        score += added(padding, n, padding.shape[padding.shape.len() - 1], j);
                    }
                    if call.flag("is_causal") && j > i { f64::NEG_INFINITY } else { score }
                };
                let mut weights = softmax(&own_k.iter().enumerate().map(score).collect::<Vec<_>>());
                let row = number * queries + i;
                let factors = factors(call, "dropout", batch * count * queries * keys)?;
                weights.iter_mut().zip(&factors[row * keys..]).for_each(|(w, f)| *w *= f);
                for c in 0..width {
                    let sum: f64 = (0..keys).map(|j| weights[j] * own_v[j][c]).sum();
                    let mass: f64 = (0..keys).map(|j| (weights[j] * own_v[j][c]).abs()).sum();
                    outputs[n][i][head * width + c] = (sum, mass);
                }
                rows.push(weights);
            }
            of_heads.push(rows);
        }
        shares.push(of_heads);
    }
    // Errors of projections and products are handed on by exponentials.
    let near = |x: f64, mass: f64| Value::sum(Dd::from(x), Dd::from(0.0), 64.0 * (mass + 1.0), 64);
    let mut last = features;
    let mut rows: Vec<Vec<Vec<(f64, f64)>>> = outputs;
    if let Some(w) = call.operand(8) {
        let bias = call.operand(10);
        last = w.shape[0];
        let one = |row: &Vec<(f64, f64)>, o: usize| {
            let at = |i: usize| w.data[o * features + i].re();
            let b = bias.as_ref().map_or(0.0, |b| b.data[o].re());
            let sum: f64 = (0..features).map(|i| row[i].0 * at(i)).sum();
            let mass: f64 = (0..features).map(|i| row[i].1 * at(i).abs()).sum();
            (sum + b, mass + b.abs())
        };
        let project = |rows: &Vec<Vec<(f64, f64)>>| {
            rows.iter().map(|row| (0..last).map(|o| one(row, o)).collect()).collect()
        };
        rows = rows.iter().map(project).collect();
    }
    let pairs: Vec<(usize, usize)> = match batch_first || alone {
        true => (0..batch).flat_map(|n| (0..queries).map(move |i| (n, i))).collect(),
        false => (0..queries).flat_map(|i| (0..batch).map(move |n| (n, i))).collect(),
    };
    let data =
        pairs.iter().flat_map(|&(n, i)| rows[n][i].iter().map(|&(x, m)| near(x, m)).collect::<Vec<_>>());
    let shape = match (alone, batch_first) {
        (true, _) => vec![queries, last],
        (_, true) => vec![batch, queries, last],
        (_, false) => vec![queries, batch, last],
    };
    let mut truths = vec![Truth { dtype: call.output(0), shape, data: data.collect() }];
    if call.flag("return_attention_weights") {
        let average = call.set("average_attention_weights").unwrap_or(true);
        let mut shape = if average { vec![batch, queries, keys] } else { vec![batch, count, queries, keys] };
        let mut data = Vec::new();
        for of_heads in &shares {
            match average {
                true => (0..queries).for_each(|i| {
                    let mean = |j: usize| of_heads.iter().map(|h| h[i][j]).sum::<f64>() / count as f64;
                    data.extend((0..keys).map(|j| near(mean(j), 0.0)));
                }),
                false => data.extend(of_heads.iter().flatten().flatten().map(|&x| near(x, 0.0))),
            }
        }
        if alone {
            shape.remove(0);
        }
        truths.push(Truth { dtype: call.output(1), shape, data });
    }
    Some(truths)
}
