//! Attention by its definition, in float64.

use super::dd::Dd;
use super::random::dropped::factors;
use super::value::Value;
use super::{Call, Tensor, Truth, broadcast, indices, place, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "scaled_dot_product_attention" => Some(vec![attention(call)?]),
        _ => None,
    }
}

/// The matrix with a number in a stack that is broadcast to the leading axes `lead`.
fn matrix(x: &Tensor, lead: &[usize], number: usize) -> Vec<Vec<f64>> {
    let own = &x.shape[..x.shape.len() - 2];
    let (rows, columns) = (x.shape[x.shape.len() - 2], x.shape[x.shape.len() - 1]);
    let first = spread(own, lead)[number] * rows * columns;
    (0..rows).map(|i| (0..columns).map(|j| x.data[first + i * columns + j].re()).collect()).collect()
}

/// The softmax of some numbers; zeros where all are negative infinity: a query that sees no key.
pub(super) fn softmax(line: &[f64]) -> Vec<f64> {
    let most = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return vec![0.0; line.len()];
    }
    let e: Vec<f64> = line.iter().map(|x| (x - most).exp()).collect();
    let total: f64 = e.iter().sum();
    e.into_iter().map(|x| x / total).collect()
}

fn attention(call: &Call<'_>) -> Option<Truth> {
    let (q, k, v) = (call.operand(0)?, call.operand(1)?, call.operand(2)?);
    let lead = |x: &Tensor| x.shape[..x.shape.len() - 2].to_vec();
    let all = broadcast(&[&lead(&q), &lead(&k), &lead(&v)])?;
    let mask = call.given(3);
    let (queries, keys) = (q.shape[q.shape.len() - 2], k.shape[k.shape.len() - 2]);
    let scale = match call.keyword("scale") {
        Some(ivy_core::function::ParamValue::Float(s)) => *s,
        _ => 1.0 / (*q.shape.last()? as f64).sqrt(),
    };
    let scores_shape = [&all[..], &[queries, keys]].concat();
    let seen = mask.as_ref().map(|m| (m, spread(&m.shape, &scores_shape)));
    let mut shape = all.clone();
    shape.extend([queries, *v.shape.last()?]);
    let factors = factors(call, "dropout_p", scores_shape.iter().product())?;
    let mut data = Vec::new();
    for (number, index) in indices(&all).enumerate() {
        let (q, k, v) = (matrix(&q, &all, number), matrix(&k, &all, number), matrix(&v, &all, number));
        for (i, query) in q.iter().enumerate() {
            let mut size = 0.0f64;
            let score = |(j, key): (usize, &Vec<f64>)| {
                let place = place(&[&index[..], &[i, j]].concat(), &scores_shape);
                let hidden = match &seen {
                    Some((mask, spread)) => !mask.data[spread[place]].truth(),
                    None => call.flag("is_causal") && j > i,
                };
                let product: f64 = query.iter().zip(key).map(|(a, b)| a * b).sum();
                let mass: f64 = query.iter().zip(key).map(|(a, b)| (a * b).abs()).sum();
                size = size.max(mass * scale.abs());
                if hidden { f64::NEG_INFINITY } else { product * scale }
            };
            let scores: Vec<f64> = k.iter().enumerate().map(score).collect();
            let first = place(&[&index[..], &[i, 0]].concat(), &scores_shape);
            let weights = softmax(&scores).into_iter().zip(&factors[first..]).map(|(w, f)| w * f);
            let weights: Vec<f64> = weights.collect();
            for column in 0..*shape.last()? {
                let parts: Vec<f64> = weights.iter().zip(&v).map(|(w, row)| w * row[column]).collect();
                let mass: f64 = parts.iter().map(|x| x.abs()).sum();
                let sum: f64 = parts.iter().sum();
                // An error of a score is one of its weight, relative.
                let count = keys + query.len() + 16;
                data.push(Value::sum(Dd::from(sum), Dd::from(0.0), mass * (1.0 + 2.0 * size), count));
            }
        }
    }
    Some(Truth { dtype: call.output(0), shape, data })
}
