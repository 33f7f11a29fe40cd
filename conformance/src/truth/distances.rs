//! Distances and similarities of vectors, by their definitions.

use super::dd::Dd;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, indices, place};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(vec![match call.function {
        "cosine_similarity" => cosine(call)?,
        "pairwise_distance" => pairwise(call)?,
        "cdist" => cdist(call)?,
        _ => return None,
    }])
}

/// An element of an array at an index of a shape that it broadcasts to.
pub(super) fn at(x: &Tensor, index: &[usize]) -> f64 {
    let own = &index[index.len() - x.shape.len()..];
    let own: Vec<usize> = own.iter().zip(&x.shape).map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
    x.data[place(&own, &x.shape)].re()
}

fn cosine(call: &Call<'_>) -> Option<Truth> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let both = broadcast(&[&a.shape, &b.shape])?;
    let along = axis(call.int("axis").unwrap_or(1), both.len());
    let eps = call.number("eps").unwrap_or(1e-8);
    let shape: Vec<usize> = both.iter().enumerate().filter(|(k, _)| *k != along).map(|(_, &n)| n).collect();
    let value = |mut index: Vec<usize>| {
        index.insert(along, 0);
        let [mut dot, mut aa, mut bb] = [Dd::from(0.0); 3];
        let mut mass = 0.0;
        for k in 0..both[along] {
            index[along] = k;
            let (x, y) = (at(&a, &index), at(&b, &index));
            mass += (x * y).abs();
            (dot, aa, bb) =
                (dot + Dd::from(x) * y.into(), aa + Dd::from(x) * x.into(), bb + Dd::from(y) * y.into());
        }
        let length = |s: Dd| if s.sqrt().hi < eps { Dd::from(eps) } else { s.sqrt() };
        let lengths = length(aa) * length(bb);
        Value::sum(dot / lengths, 0.0.into(), mass / lengths.hi, 1)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn power(x: Dd, p: f64) -> Dd {
    if x.hi == 0.0 { x } else { (x.ln() * p.into()).exp() }
}

/// The norm of differences of numbers of a size.
fn norm(apart: &[Dd], size: f64, p: f64) -> Value {
    let sizes = apart.iter().map(|x| x.abs());
    let y = match p {
        0.0 => Dd::from(sizes.filter(|x| x.hi != 0.0).count() as f64),
        f64::INFINITY => sizes.fold(Dd::from(0.0), |a, b| if b.hi > a.hi { b } else { a }),
        p => power(sizes.fold(Dd::from(0.0), |sum, x| sum + power(x, p)), 1.0 / p),
    };
    // An error of a difference is one of the norm, at most once for each.
    Value::sum(y, 0.0.into(), y.hi + if p == 0.0 { 0.0 } else { size * apart.len() as f64 / 8.0 }, 1)
}

fn pairwise(call: &Call<'_>) -> Option<Truth> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let both = broadcast(&[&a.shape, &b.shape])?;
    let (p, eps) = (call.number("p").unwrap_or(2.0), call.number("eps").unwrap_or(1e-6));
    let (&n, lead) = both.split_last()?;
    let value = |index: Vec<usize>| {
        let mut size = 0.0f64;
        let apart: Vec<Dd> = (0..n)
            .map(|k| {
                let index = [&index[..], &[k]].concat();
                let (x, y) = (at(&a, &index), at(&b, &index));
                size = size.max(x.abs()).max(y.abs());
                Dd::from(x) - y.into() + eps.into()
            })
            .collect();
        norm(&apart, size, p)
    };
    let data = indices(lead).map(value).collect();
    let mut shape = lead.to_vec();
    if call.flag("keepdims") {
        shape.push(1);
    }
    Some(Truth { dtype: call.output(0), shape, data })
}

fn cdist(call: &Call<'_>) -> Option<Truth> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let (m, k) = (a.shape.len() - 2, *a.shape.last()?);
    let l = b.shape.len() - 2;
    let mut shape = broadcast(&[&a.shape[..m], &b.shape[..l]])?;
    let lead = shape.len();
    shape.extend([a.shape[m], b.shape[l]]);
    let p = call.number("p").unwrap_or(2.0);
    let value = |index: Vec<usize>| {
        let mut size = 0.0f64;
        let apart: Vec<Dd> = (0..k)
            .map(|e| {
                let of = |row: usize| [&index[..lead], &[row, e]].concat();
                let (x, y) = (at(&a, &of(index[lead])), at(&b, &of(index[lead + 1])));
                size = size.max(x.abs()).max(y.abs());
                Dd::from(x) - y.into()
            })
            .collect();
        norm(&apart, if apart.iter().all(|x| x.hi == 0.0) { 0.0 } else { size }, p)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}
