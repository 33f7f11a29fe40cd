//! What is made of normally distributed numbers.

use super::{Call, Truth, Words, polar, sample_shape, spread_over, width};
use crate::truth::Value;
use crate::truth::dd::Dd;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let truth = match call.function {
        "truncated_normal" => truncated(call)?,
        "orthogonal" => orthogonal(call)?,
        _ => return None,
    };
    Some(vec![truth])
}

fn truncated(call: &Call<'_>) -> Option<Truth> {
    let shape = sample_shape(call, "shape")?;
    let (mean, std) = (spread_over(call, 0, &shape, 0.0), spread_over(call, 1, &shape, 1.0));
    let mut words = Words::of(call)?;
    let (n, bits) = (mean.len(), width(call.compute));
    let half = n.div_ceil(2);
    let rounds: Vec<[Vec<u64>; 2]> =
        (0..10).map(|_| [words.next(half, bits), words.next(half, bits)]).collect();
    let normal = |[lengths, turns]: &[Vec<u64>; 2], i: usize| {
        let pair = polar(lengths[i % half], turns[i % half], bits);
        if i < half { pair.0 } else { pair.1 }
    };
    let element = |i: usize| {
        // Rounding decides what is close to the end.
        let x = rounds.iter().map(|round| normal(round, i)).find(|x| x.hi.abs() < 2.0 + 1e-5);
        match x {
            Some(x) if x.hi.abs() < 2.0 - 1e-5 => {
                let way = x * Dd::from(std[i].re());
                let mass = way.hi.abs() + mean[i].re().abs();
                Value::sum(way + Dd::from(mean[i].re()), Dd::from(0.0), mass, 2)
            }
            _ => Value::Any,
        }
    };
    Some(Truth { dtype: call.output(0), data: (0..n).map(element).collect(), shape })
}

fn product(a: &[Dd], b: &[Dd]) -> Dd {
    a.iter().zip(b).fold(Dd::from(0.0), |sum, (&x, &y)| sum + x * y)
}

/// Columns made orthonormal one after the other by the method of Gram and Schmidt, each twice, and the least part
/// that was left of one.
fn orthonormal(columns: Vec<Vec<Dd>>) -> (Vec<Vec<Dd>>, f64) {
    let (mut done, mut least): (Vec<Vec<Dd>>, f64) = (Vec::new(), 1.0);
    for mut column in columns {
        let whole = product(&column, &column).sqrt();
        for _ in 0..2 {
            for other in &done {
                let part = product(other, &column);
                column.iter_mut().zip(other).for_each(|(x, &y)| *x = *x - part * y);
            }
        }
        let norm = product(&column, &column).sqrt();
        least = least.min(norm.hi / whole.hi);
        done.push(column.into_iter().map(|x| x / norm).collect());
    }
    (done, least)
}

fn orthogonal(call: &Call<'_>) -> Option<Truth> {
    let shape = call.sizes("shape")?;
    let [.., rows, columns] = shape[..] else { return None };
    let (long, short) = (rows.max(columns), rows.min(columns));
    let x = Words::of(call)?.normal(shape.iter().product(), call.compute);
    let mut data = Vec::new();
    for matrix in x.chunks((long * short).max(1)) {
        let column = |j: usize| (0..long).map(|i| matrix[i * short + j]).collect();
        let (q, least) = orthonormal((0..short).map(column).collect());
        let place = |i: usize| (i / columns, i % columns);
        let at = |(i, j): (usize, usize)| if rows < columns { q[i][j] } else { q[j][i] };
        // An error of a matrix is one of what is left of its columns, relative.
        data.extend((0..long * short).map(|i| Value::sum(at(place(i)), Dd::from(0.0), 2.0 / least, long)));
    }
    Some(Truth { dtype: call.output(0), shape, data })
}
