//! Samples of images, and windows as columns, by their definitions.

use super::conv::{paddings, per_axis};
use super::dd::Dd;
use super::num::{Num, cast};
use super::scatter::combined;
use super::value::Value;
use super::{Call, Truth, indices, place};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(vec![match call.function {
        "grid_sample" => sample(call)?,
        "affine_grid" => grid(call)?,
        "im2col" | "col2im" => columns(call)?,
        _ => return None,
    }])
}

/// A place mirrored at both ends until it is between them.
fn mirrored(mut x: f64, low: f64, high: f64) -> f64 {
    if low == high {
        return 0.0;
    }
    while x < low || x > high {
        x = if x < low { 2.0 * low - x } else { 2.0 * high - x };
    }
    x
}

/// What elements count along an axis of `n` elements, by their numbers; those outside count nothing.
fn weights(call: &Call<'_>, coordinate: f64, n: usize) -> Vec<(usize, Dd)> {
    let (size, align) = (n as f64, call.flag("align_corners"));
    let x =
        if align { (coordinate + 1.0) / 2.0 * (size - 1.0) } else { ((coordinate + 1.0) * size - 1.0) / 2.0 };
    let padded = |x: f64| match call.word("padding_mode").unwrap_or("zeros") {
        "border" => x.clamp(0.0, size - 1.0),
        "reflection" if align => mirrored(x, 0.0, size - 1.0),
        "reflection" => mirrored(x, -0.5, size - 0.5).clamp(0.0, size - 1.0),
        _ => x,
    };
    let all: Vec<(f64, Dd)> = match call.word("mode").unwrap_or("bilinear") {
        "nearest" => vec![(padded(x).round_ties_even(), 1.0.into())],
        "bilinear" => {
            let x = padded(x);
            let part = Dd::from(x) - x.floor().into();
            vec![(x.floor(), Dd::from(1.0) - part), (x.floor() + 1.0, part)]
        }
        _ => (-1..=2)
            .map(|k| {
                let at = x.floor() + f64::from(k);
                let (d, a) = ((Dd::from(x) - at.into()).abs(), Dd::from(-0.75));
                let weight = match k {
                    0 | 1 => ((a + 2.0.into()) * d - a - 3.0.into()) * d * d + 1.0.into(),
                    _ => (((d - 5.0.into()) * d + 8.0.into()) * d - 4.0.into()) * a,
                };
                (padded(at), weight)
            })
            .collect(),
    };
    let inside = all.into_iter().filter(|(at, _)| (0.0..size).contains(at));
    inside.map(|(at, weight)| (at as usize, weight)).collect()
}

fn sample(call: &Call<'_>) -> Option<Truth> {
    let (x, grid) = (call.operand(0)?, call.operand(1)?);
    let axes = x.shape.len() - 2;
    let mut shape = x.shape[..2].to_vec();
    shape.extend(&grid.shape[1..axes + 1]);
    let value = |index: Vec<usize>| {
        let mut all: Vec<(Vec<usize>, Dd)> = vec![(index[..2].to_vec(), 1.0.into())];
        let mut span = 1.0;
        for a in 0..axes {
            let at = [&index[..1], &index[2..], &[axes - 1 - a]].concat();
            let coordinate = grid.data[place(&at, &grid.shape)].re();
            span += (1.0 + coordinate.abs()) * x.shape[2 + a] as f64;
            let own = weights(call, coordinate, x.shape[2 + a]);
            all = all
                .iter()
                .flat_map(|(at, w)| own.iter().map(move |(i, v)| ([&at[..], &[*i]].concat(), *w * *v)))
                .collect();
        }
        let most = x.data.iter().fold(0.0f64, |m, x| m.max(x.re().abs()));
        let of = |sum: Dd, (at, w): &(Vec<usize>, Dd)| sum + *w * x.data[place(at, &x.shape)].re().into();
        let exact = call.word("mode") == Some("nearest");
        Value::sum(all.iter().fold(0.0.into(), of), 0.0.into(), if exact { 0.0 } else { most * span }, 1)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn grid(call: &Call<'_>) -> Option<Truth> {
    let (theta, size) = (call.operand(0)?, call.sizes("size")?);
    let axes = size.len() - 2;
    let shape = [&size[..1], &size[2..], &[axes]].concat();
    let value = |index: Vec<usize>| {
        let of = |k: usize| theta.data[place(&[index[0], index[axes + 1], k], &theta.shape)].re();
        let (mut sum, mut mass) = (Dd::from(of(axes)), of(axes).abs());
        for a in 0..axes {
            let (i, n) = (index[a + 1] as f64, size[a + 2] as f64);
            let at = match call.flag("align_corners") {
                true if n == 1.0 => Dd::from(0.0),
                true => Dd::from(2.0 * i) / (n - 1.0).into() - 1.0.into(),
                false => Dd::from(2.0 * i + 1.0) / n.into() - 1.0.into(),
            };
            sum = sum + Dd::from(of(axes - 1 - a)) * at;
            mass += of(axes - 1 - a).abs();
        }
        Value::sum(sum, 0.0.into(), mass, 1)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn columns(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let out = call.function == "im2col";
    let lens = if out { x.shape[2..].to_vec() } else { call.sizes("output_size")? };
    let n = lens.len();
    let (size, stride) = (per_axis(call, "kernel_size", n), per_axis(call, "stride", n));
    let dilation = per_axis(call, "dilation", n);
    let reach: Vec<i64> = (0..n).map(|i| (size[i] - 1) * dilation[i] + 1).collect();
    let axes: Vec<_> = (0..n).map(|i| (lens[i] as i64, reach[i], stride[i])).collect();
    let padding = paddings(call, &axes);
    let windows: Vec<usize> = (0..n)
        .map(|i| ((lens[i] as i64 + padding[i].0 + padding[i].1 - reach[i]) / stride[i] + 1) as usize)
        .collect();
    let sizes: Vec<usize> = size.iter().map(|&s| s as usize).collect();
    let area = sizes.iter().product::<usize>();
    let count = windows.iter().product::<usize>();
    // The place in an image of each element of each column, if it is within it.
    let of = |row: usize, column: usize| -> Option<Vec<usize>> {
        let within = indices(&sizes).nth(row)?;
        let window = indices(&windows).nth(column)?;
        let one = |i: usize| {
            let at = window[i] as i64 * stride[i] + within[i] as i64 * dilation[i] - padding[i].0;
            (0..lens[i] as i64).contains(&at).then_some(at as usize)
        };
        (0..n).map(one).collect()
    };
    if out {
        let shape = vec![x.shape[0], x.shape[1] * area, count];
        let value = |i: Vec<usize>| match of(i[1] % area, i[2]) {
            Some(at) => x.data[place(&[&[i[0], i[1] / area], &at[..]].concat(), &x.shape)],
            None => cast(Num::Int(0), call.compute),
        };
        let data = indices(&shape).map(value).collect();
        return Some(call.exact(shape, data));
    }
    let shape = [&[x.shape[0], x.shape[1] / area], &lens[..]].concat();
    let mut all: Vec<Vec<Num>> = vec![vec![]; shape.iter().product()];
    for (p, i) in indices(&x.shape).enumerate() {
        if let Some(at) = of(i[1] % area, i[2]) {
            all[place(&[&[i[0], i[1] / area], &at[..]].concat(), &shape)].push(x.data[p]);
        }
    }
    let data = all.iter().map(|list| combined(call, "sum", list)).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}
