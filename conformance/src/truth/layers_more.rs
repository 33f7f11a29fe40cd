//! Distances, gates, norms, and channels and axes moved, by their definitions.

use super::dd::Dd;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, indices, place, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(vec![match call.function {
        "cosine_similarity" => cosine(call)?,
        "pairwise_distance" => pairwise(call)?,
        "cdist" => cdist(call)?,
        "rms_norm" => rms(call)?,
        "glu" => glu(call)?,
        "pixel_shuffle" | "pixel_unshuffle" => pixels(call)?,
        "channel_shuffle" => channels(call)?,
        "unfold" | "partial_unfold" => unfolded(call)?,
        "fold" | "partial_fold" => folded(call)?,
        _ => return None,
    }])
}

/// An element of an array at an index of a shape that it broadcasts to.
fn at(x: &Tensor, index: &[usize]) -> f64 {
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

fn glu(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let along = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let mut shape = x.shape.clone();
    shape[along] /= 2;
    let value = |mut index: Vec<usize>| {
        let a = x.data[place(&index, &x.shape)].re();
        index[along] += shape[along];
        let b = x.data[place(&index, &x.shape)].re();
        let y = Dd::from(a) / (Dd::from(1.0) + (Dd::from(-b)).exp());
        Value::sum(y, 0.0.into(), y.hi.abs(), 1)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn moved(call: &Call<'_>, x: &Tensor, shape: Vec<usize>, from: impl Fn(Vec<usize>) -> Vec<usize>) -> Truth {
    let data = indices(&shape).map(|index| x.data[place(&from(index), &x.shape)]).collect();
    call.exact(shape, data)
}

fn pixels(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let (r, n) = (call.int("factor")? as usize, x.shape.len());
    let [c, h, w] = [x.shape[n - 3], x.shape[n - 2], x.shape[n - 1]];
    let lead = &x.shape[..n - 3];
    let shape = |c: usize, h: usize, w: usize| [lead, &[c, h, w]].concat();
    Some(match call.function {
        "pixel_shuffle" => moved(call, &x, shape(c / r / r, h * r, w * r), |i| {
            let [c, h, w] = [i[n - 3], i[n - 2], i[n - 1]];
            [&i[..n - 3], &[(c * r + h % r) * r + w % r, h / r, w / r]].concat()
        }),
        _ => moved(call, &x, shape(c * r * r, h / r, w / r), |i| {
            let [c, h, w] = [i[n - 3], i[n - 2], i[n - 1]];
            [&i[..n - 3], &[c / r / r, h * r + c / r % r, w * r + c % r]].concat()
        }),
    })
}

fn channels(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let groups = call.int("groups")? as usize;
    let members = x.shape[1] / groups;
    Some(moved(call, &x, x.shape.clone(), |mut i| {
        i[1] = i[1] % groups * members + i[1] / groups;
        i
    }))
}

/// Skipped axes, the axis of the rows, and those that stand in the rows.
fn matrix(call: &Call<'_>, shape: &[usize]) -> (usize, usize, usize, usize) {
    let first = i64::from(call.function.starts_with("partial"));
    let begin = call.int("skip_begin").unwrap_or(first) as usize;
    let end = shape.len() - call.int("skip_end").unwrap_or(0) as usize;
    let mode = begin + axis(call.int("mode").unwrap_or(0), end - begin);
    let others = (begin..end).filter(|&a| a != mode).map(|a| shape[a]).product();
    (begin, end, mode, others)
}

/// The order of axes with that of the rows behind those that are skipped.
fn order(begin: usize, mode: usize, n: usize) -> Vec<usize> {
    let rest = (begin..n).filter(|&a| a != mode);
    (0..begin).chain([mode]).chain(rest).collect()
}

fn unfolded(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let (begin, end, mode, others) = matrix(call, &x.shape);
    let rows = x.shape[mode];
    let middle = if call.flag("ravel_tensors") { vec![rows * others] } else { vec![rows, others] };
    let shape = [&x.shape[..begin], &middle, &x.shape[end..]].concat();
    let order = order(begin, mode, x.shape.len());
    let lengths: Vec<usize> = order.iter().map(|&a| x.shape[a]).collect();
    let mut data = Vec::new();
    for index in indices(&lengths) {
        let mut own = vec![0; index.len()];
        order.iter().zip(index).for_each(|(&a, i)| own[a] = i);
        data.push(x.data[place(&own, &x.shape)]);
    }
    Some(call.exact(shape, data))
}

fn folded(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let shape = call.sizes("shape")?;
    let (begin, _, mode, _) = matrix(call, &shape);
    let order = order(begin, mode, shape.len());
    let lengths: Vec<usize> = order.iter().map(|&a| shape[a]).collect();
    let of = |index: Vec<usize>| {
        let turned: Vec<usize> = order.iter().map(|&a| index[a]).collect();
        x.data[place(&turned, &lengths)]
    };
    let data = indices(&shape).map(of).collect();
    Some(call.exact(shape, data))
}

#[cfg(test)]
mod tests {
    use super::super::{Arg, Keywords, Num, evaluate};
    use super::*;
    use ivy_core::Dtype;
    use ivy_core::function::ParamValue;

    #[test]
    fn by_hand() {
        let numbers = |shape: &[usize]| {
            let n: usize = shape.iter().product();
            Arg::Array(Tensor::new(Dtype::FLOAT64, shape, (0..n).map(|i| Num::Int(i as i128))))
        };
        let of = |function: &str, operands: &[Arg], keywords: Keywords| -> Vec<f64> {
            let (compute, outputs) = (Dtype::FLOAT64, &[Dtype::FLOAT64][..]);
            let call = Call { function, operands, keywords: &keywords, compute, outputs };
            let float = |value: &Value| match value {
                Value::Exact(x) => x.re(),
                Value::Near { re, .. } => re.hi,
                other => panic!("{other:?}"),
            };
            evaluate(&call).expect("it has a truth")[0].data.iter().map(float).collect()
        };
        let int = |name, i| (name, ParamValue::Int(i));
        assert_eq!(
            of("pixel_shuffle", &[numbers(&[4, 1, 2])], vec![int("factor", 2)]),
            [0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0]
        );
        assert_eq!(of("channel_shuffle", &[numbers(&[1, 4])], vec![int("groups", 2)]), [0.0, 2.0, 1.0, 3.0]);
        assert_eq!(of("unfold", &[numbers(&[2, 3])], vec![int("mode", 1)]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert_eq!(of("glu", &[numbers(&[2])], vec![]), [0.0]);
        let p = ("p", ParamValue::Float(1.0));
        assert_eq!(of("cdist", &[numbers(&[2, 2]), numbers(&[1, 2])], vec![p]), [0.0, 4.0]);
    }
}
