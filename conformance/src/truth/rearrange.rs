//! Parts, stacks and turns of arrays, and elements picked by what they are or where they lie.

use super::num::Num;
use super::order::order;
use super::scatter::{combined, from_end};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place, spread};
use ivy_core::Dtype;
use ivy_core::function::ParamValue;
use std::cmp::Ordering;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "split" => split(call)?,
        "swapaxes" | "flatten" | "rot90" | "as_strided" => vec![viewed(call)?],
        "vstack" => vec![stacked(call, 2, |_| 0)?],
        "hstack" => vec![stacked(call, 1, |ndim| usize::from(ndim > 1))?],
        "dstack" => vec![stacked(call, 3, |_| 2)?],
        "column_stack" => vec![stacked(call, 0, |_| 1)?],
        "atleast_1d" => raised(call, 1)?,
        "atleast_2d" => raised(call, 2)?,
        "atleast_3d" => raised(call, 3)?,
        "top_k" => top_k(call)?,
        "put_along_axis" => vec![put(call)?],
        "unique_consecutive" => runs(call)?,
        _ => return None,
    })
}

/// The elements of an array at other indices.
fn picked(call: &Call<'_>, x: &Tensor, shape: Vec<usize>, from: impl Fn(Vec<usize>) -> Vec<usize>) -> Truth {
    let data = indices(&shape).map(|index| x.data[place(&from(index), &x.shape)]).collect();
    call.exact(shape, data)
}

fn split(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let len = x.shape[at];
    let lens: Vec<usize> = match call.keyword("num_or_size_splits") {
        None => vec![1; len],
        Some(ParamValue::Int(n)) if len % *n as usize == 0 => vec![len / *n as usize; *n as usize],
        // Parts of so many elements, the last one of those that are left.
        Some(ParamValue::Int(n)) => {
            (0..len).step_by(*n as usize).map(|start| (len - start).min(*n as usize)).collect()
        }
        Some(ParamValue::Ints(list)) => {
            let known: i64 = list.iter().filter(|&&n| n > 0).sum();
            let rest = len as i64 - known;
            let mut lens: Vec<i64> = list.iter().map(|&n| if n == -1 { rest } else { n }).collect();
            if rest > 0 && !list.contains(&-1) {
                lens.push(rest);
            }
            lens.into_iter().map(|n| n as usize).collect()
        }
        _ => return None,
    };
    let mut start = 0;
    let part = |len: usize| {
        let mut shape = x.shape.clone();
        shape[at] = len;
        let first = start;
        start += len;
        picked(call, &x, shape, |mut index| {
            index[at] += first;
            index
        })
    };
    Some(lens.into_iter().map(part).collect())
}

fn viewed(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let ndim = x.shape.len();
    Some(match call.function {
        "swapaxes" => {
            let (a, b) = (axis(call.int("axis0")?, ndim), axis(call.int("axis1")?, ndim));
            let mut shape = x.shape.clone();
            shape.swap(a, b);
            picked(call, &x, shape, |mut index| {
                index.swap(a, b);
                index
            })
        }
        "rot90" => {
            let plane = call.ints("axes").unwrap_or_else(|| vec![0, 1]);
            let (a, b) = (axis(plane[0], ndim), axis(plane[1], ndim));
            let mut turned = call.exact(x.shape.clone(), x.data.clone());
            // One quarter after the other: the element at (i, j) comes from (j, n - 1 - i).
            let mut now = x;
            for _ in 0..call.int("k").unwrap_or(1).rem_euclid(4) {
                let mut shape = now.shape.clone();
                shape.swap(a, b);
                let last = now.shape[b];
                turned = picked(call, &now, shape.clone(), |mut index| {
                    (index[a], index[b]) = (index[b], last - 1 - index[a]);
                    index
                });
                let numbers = turned.data.iter().map(|v| match v {
                    Value::Exact(x) => *x,
                    _ => unreachable!("elements are exact"),
                });
                now = Tensor { dtype: now.dtype, shape, data: numbers.collect() };
            }
            turned
        }
        "flatten" => {
            let full = ndim.max(1);
            let own = if ndim == 0 { vec![1] } else { x.shape.clone() };
            let x = Tensor { shape: own.clone(), ..x };
            let first = axis(call.int("start_dim").unwrap_or(0), full);
            let last = axis(call.int("end_dim").unwrap_or(-1), full);
            let columns = matches!(call.keyword("order"), Some(ParamValue::Text(t)) if t == "F");
            let mut shape = own[..first].to_vec();
            shape.push(own[first..=last].iter().product());
            shape.extend(&own[last + 1..]);
            picked(call, &x, shape, |index| {
                let mut group = vec![0; last + 1 - first];
                let mut left = index[first];
                let order: Vec<usize> =
                    if columns { (0..group.len()).collect() } else { (0..group.len()).rev().collect() };
                for k in order {
                    group[k] = left % own[first + k];
                    left /= own[first + k];
                }
                [&index[..first], &group, &index[first + 1..]].concat()
            })
        }
        _ => {
            let (shape, strides) = (call.sizes("shape")?, call.ints("strides")?);
            let item = x.dtype.bytes() as i64;
            let at = |index: Vec<usize>| {
                index.iter().zip(&strides).map(|(&i, &s)| i as i64 * s).sum::<i64>() / item
            };
            let data = indices(&shape).map(|index| x.data[at(index) as usize]).collect();
            call.exact(shape, data)
        }
    })
}

/// The shape with some number of axes at least; with 0, vectors as columns.
fn shape_of(shape: &[usize], rank: usize) -> Vec<usize> {
    match (rank, shape) {
        (0, []) => vec![1, 1],
        (0, [n]) => vec![*n, 1],
        (1, []) => vec![1],
        (2, []) => vec![1, 1],
        (2, [n]) => vec![1, *n],
        (3, []) => vec![1, 1, 1],
        (3, [n]) => vec![1, *n, 1],
        (3, [n, m]) => vec![*n, *m, 1],
        _ => shape.to_vec(),
    }
}

fn raised(call: &Call<'_>, rank: usize) -> Option<Vec<Truth>> {
    let one = |i: usize| {
        let x = call.given(i)?;
        let data = x.data.into_iter().map(Value::Exact).collect();
        Some(Truth { dtype: x.dtype, shape: shape_of(&x.shape, rank), data })
    };
    (0..call.operands.len()).map(one).collect()
}

fn stacked(call: &Call<'_>, rank: usize, along: fn(usize) -> usize) -> Option<Truth> {
    let raise = |i: usize| {
        let x = call.operand(i)?;
        Some(Tensor { shape: shape_of(&x.shape, rank), ..x })
    };
    let arrays: Vec<Tensor> = (0..call.operands.len()).map(raise).collect::<Option<_>>()?;
    let at = along(arrays[0].shape.len());
    let mut shape = arrays[0].shape.clone();
    shape[at] = arrays.iter().map(|x| x.shape[at]).sum();
    let pick = |mut index: Vec<usize>| {
        for x in &arrays {
            if index[at] < x.shape[at] {
                return x.data[place(&index, &x.shape)];
            }
            index[at] -= x.shape[at];
        }
        unreachable!("the lengths add up")
    };
    Some(call.exact(shape.clone(), indices(&shape).map(pick).collect()))
}

fn top_k(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let largest = call.set("largest").unwrap_or(true);
    let mut shape = x.shape.clone();
    shape[at] = call.int("k").unwrap_or(1) as usize;
    let (mut values, mut places) = (Vec::new(), Vec::new());
    for mut index in indices(&shape) {
        let rank = index[at];
        let line: Vec<Num> = (0..x.shape[at])
            .map(|k| {
                index[at] = k;
                x.data[place(&index, &x.shape)]
            })
            .collect();
        // What stands before an element: better ones, and equal ones that come first. NaN is behind all numbers.
        let before = |i: usize, j: usize| {
            let (a, b) = (line[i], line[j]);
            let turned = largest && !a.is_nan() && !b.is_nan();
            let order = if turned { order(b, a) } else { order(a, b) };
            order == Ordering::Less || order == Ordering::Equal && i < j
        };
        let rank_of = |j: usize| (0..line.len()).filter(|&i| before(i, j)).count();
        let chosen = (0..line.len()).find(|&j| rank_of(j) == rank)?;
        values.push(Value::Exact(line[chosen]));
        places.push(Value::int(chosen as i128));
    }
    Some(vec![
        Truth { dtype: call.output(0), shape: shape.clone(), data: values },
        Truth { dtype: Dtype::INT64, shape, data: places },
    ])
}

fn put(call: &Call<'_>) -> Option<Truth> {
    let (x, which, values) = (call.operand(0)?, call.given(1)?, call.operand(2)?);
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let mode = match call.keyword("mode") {
        Some(ParamValue::Text(name)) => name.as_str(),
        _ => "replace",
    };
    let mut places = x.shape.clone();
    places[at] = which.shape[at];
    let (indexed, valued) = (spread(&which.shape, &places), spread(&values.shape, &places));
    let mut all: Vec<Vec<Num>> = x.data.iter().map(|&x| vec![x]).collect();
    for (p, mut index) in indices(&places).enumerate() {
        index[at] = from_end(which.data[indexed[p]], x.shape[at]);
        all[place(&index, &x.shape)].push(values.data[valued[p]]);
    }
    let data = all.iter().map(|list| combined(call, mode, list)).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape, data })
}

fn runs(call: &Call<'_>) -> Option<Vec<Truth>> {
    let given = call.operand(0)?;
    let (x, at, own) = match call.int("axis") {
        Some(a) => {
            let at = axis(a, given.shape.len());
            (given.clone(), at, vec![given.shape[at]])
        }
        None => (Tensor { shape: vec![given.data.len()], ..given.clone() }, 0, given.shape.clone()),
    };
    let mut others = x.shape.clone();
    others[at] = 1;
    let same = |i: usize, j: usize| {
        indices(&others).all(|mut index| {
            index[at] = i;
            let a = x.data[place(&index, &x.shape)];
            index[at] = j;
            let b = x.data[place(&index, &x.shape)];
            !a.is_nan() && !b.is_nan() && order(a, b) == Ordering::Equal
        })
    };
    let (mut starts, mut numbers) = (Vec::new(), Vec::new());
    for i in 0..x.shape[at] {
        if i == 0 || !same(i - 1, i) {
            starts.push(i);
        }
        numbers.push(Value::int(starts.len() as i128 - 1));
    }
    let mut shape = x.shape.clone();
    shape[at] = starts.len();
    let output = picked(call, &x, shape, |mut index| {
        index[at] = starts[index[at]];
        index
    });
    let ends = starts.iter().skip(1).copied().chain([x.shape[at]]);
    let counts = starts.iter().zip(ends).map(|(&start, end)| Value::int((end - start) as i128)).collect();
    Some(vec![
        output,
        Truth { dtype: Dtype::INT64, shape: own, data: numbers },
        Truth { dtype: Dtype::INT64, shape: vec![starts.len()], data: counts },
    ])
}
