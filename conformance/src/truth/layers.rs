//! Recurrent steps, tables, samples and transforms, by their definitions.

use super::conv::word;
use super::dd::Dd;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place};
use ivy_core::function::ParamValue;
use std::f64::consts::{PI, TAU};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "embedding" => vec![embedding(call)?],
        "lstm_update" => lstm(call)?,
        "interpolate" => vec![interpolate(call)?],
        "dct" => vec![dct(call)?],
        "stft" => vec![stft(call)?],
        "istft" => vec![istft(call)?],
        _ => return None,
    })
}

fn float(call: &Call<'_>, name: &str) -> Option<f64> {
    match call.keyword(name)? {
        ParamValue::Float(x) => Some(*x),
        ParamValue::Int(i) => Some(*i as f64),
        _ => None,
    }
}

fn embedding(call: &Call<'_>) -> Option<Truth> {
    let (table, which) = (call.operand(0)?, call.given(1)?);
    let (n, width) = (table.shape[0] as i128, table.shape[1]);
    let mut data = Vec::new();
    for i in &which.data {
        let i = if i.int() < 0 { i.int() + n } else { i.int() } as usize;
        let row = &table.data[i * width..(i + 1) * width];
        let norm = row.iter().map(|x| x.re() * x.re()).sum::<f64>().sqrt();
        match float(call, "max_norm") {
            Some(most) if norm > most => data.extend(row.iter().map(|x| Value::real(x.re() * (most / norm)))),
            _ => data.extend(row.iter().map(|&x| Value::Exact(x))),
        }
    }
    let mut shape = which.shape.clone();
    shape.push(width);
    Some(Truth { dtype: call.output(0), shape, data })
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn lstm(call: &Call<'_>) -> Option<Vec<Truth>> {
    let [x, h0, c0, kernel, recurrent] = [0, 1, 2, 3, 4].map(|i| call.operand(i));
    let (x, h0, c0, kernel, recurrent) = (x?, h0?, c0?, kernel?, recurrent?);
    let biases = [call.operand(5), call.operand(6)];
    let n = x.shape.len();
    let time_major = call.flag("time_major");
    let (steps, inputs) = (x.shape[if time_major { 0 } else { n - 2 }], x.shape[n - 1]);
    let o = *h0.shape.last()?;
    let batch = h0.shape[..h0.shape.len() - 1].to_vec();
    let mut shape = batch.clone();
    shape.insert(if time_major { 0 } else { batch.len() }, steps);
    shape.push(o);
    // Values are of sigmoids and tangents: near 1, and errors of sums are handed on from step to step.
    let count = (inputs + o + 8) * (steps + 1) * 4;
    let value = |x: f64| Value::sum(Dd::from(x), Dd::from(0.0), x.abs() + 1.0, count);
    let mut hidden = vec![value(0.0); shape.iter().product()];
    let mut cells = Vec::new();
    for (number, at) in indices(&batch).enumerate() {
        let state = |t: &Tensor| -> Vec<f64> { (0..o).map(|j| t.data[number * o + j].re()).collect() };
        let (mut h, mut c) = (state(&h0), state(&c0));
        for step in 0..steps {
            let element = |i: usize| {
                let mut index = at.clone();
                index.insert(if time_major { 0 } else { batch.len() }, step);
                index.push(i);
                x.data[place(&index, &x.shape)].re()
            };
            let gate = |k: usize| {
                let own: f64 = (0..inputs).map(|i| element(i) * kernel.data[i * 4 * o + k].re()).sum();
                let back: f64 = (0..o).map(|i| h[i] * recurrent.data[i * 4 * o + k].re()).sum();
                own + back + biases.iter().flatten().map(|b| b.data[k].re()).sum::<f64>()
            };
            let z: Vec<f64> = (0..4 * o).map(gate).collect();
            for j in 0..o {
                c[j] = sigmoid(z[o + j]) * c[j] + sigmoid(z[j]) * z[2 * o + j].tanh();
                h[j] = sigmoid(z[3 * o + j]) * c[j].tanh();
                let mut index = at.clone();
                index.insert(if time_major { 0 } else { batch.len() }, step);
                index.push(j);
                hidden[place(&index, &shape)] = value(h[j]);
            }
        }
        cells.extend(c.into_iter().map(value));
    }
    let cell = Truth { dtype: call.output(1), shape: h0.shape.clone(), data: cells };
    Some(vec![Truth { dtype: call.output(0), shape, data: hidden }, cell])
}

/// How much of each element of an axis element `i` of its result has.
fn weights(call: &Call<'_>, len: usize, out: usize, factor: Option<f64>, i: usize) -> Vec<f64> {
    let mode = word(call, "mode");
    let corners = call.flag("align_corners");
    let recompute = call.flag("recompute_scale_factor");
    let mut weights = vec![0.0; len];
    if mode == "area" {
        let (begin, end) = (i * len / out, ((i + 1) * len).div_ceil(out));
        (begin..end).for_each(|j| weights[j] = 1.0 / (end - begin) as f64);
        return weights;
    }
    let scale = match factor {
        _ if corners => {
            if out > 1 {
                (len - 1) as f64 / (out - 1) as f64
            } else {
                0.0
            }
        }
        Some(factor) if !recompute => 1.0 / factor,
        _ => len as f64 / out as f64,
    };
    let kernel = |x: f64, a: f64| {
        let x = x.abs();
        if x < 1.0 {
            (a + 2.0) * x.powi(3) - (a + 3.0) * x * x + 1.0
        } else if x < 2.0 {
            a * x.powi(3) - 5.0 * a * x * x + 8.0 * a * x - 4.0 * a
        } else {
            0.0
        }
    };
    let last = len as i64 - 1;
    let center = (i as f64 + 0.5) * scale;
    if call.flag("antialias") {
        let wide = scale.max(1.0);
        let reach = if mode == "bicubic" { 2.0 * wide } else { wide };
        let begin = ((center - reach + 0.5).trunc() as i64).max(0);
        let end = ((center + reach + 0.5).trunc() as i64).min(len as i64);
        for j in begin..end {
            let x = (j as f64 - center + 0.5) / wide;
            weights[j as usize] = if mode == "bicubic" { kernel(x, -0.5) } else { (1.0 - x.abs()).max(0.0) };
        }
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= total);
        return weights;
    }
    let at = if corners { i as f64 * scale } else { center - 0.5 };
    match mode {
        "nearest" => weights[((i as f64 * scale).floor() as i64).clamp(0, last) as usize] = 1.0,
        "nearest_exact" => weights[(center.floor() as i64).clamp(0, last) as usize] = 1.0,
        "bicubic" => {
            for k in -1..3 {
                let j = at.floor() as i64 + k;
                weights[j.clamp(0, last) as usize] += kernel(at - j as f64, -0.75);
            }
        }
        _ => {
            let at = at.max(0.0).min(last as f64);
            let first = at.floor();
            weights[first as usize] += 1.0 - (at - first);
            weights[(first as i64 + 1).min(last) as usize] += at - first;
        }
    }
    weights
}

fn interpolate(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let spatial = x.shape.len() - 2;
    let factors: Option<Vec<f64>> = match call.keyword("scale_factor") {
        Some(ParamValue::Float(f)) => Some(vec![*f; spatial]),
        Some(ParamValue::Scalars(list)) => Some(list.iter().map(|s| s.to_f64()).collect()),
        _ => None,
    };
    let size = call.ints("size");
    let mut shape = x.shape.clone();
    for i in 0..spatial {
        shape[i + 2] = match (&size, &factors) {
            (Some(size), _) => size[i % size.len()] as usize,
            (None, Some(f)) => (x.shape[i + 2] as f64 * f[i]).floor() as usize,
            _ => return None,
        };
    }
    let tables: Vec<Vec<Vec<f64>>> = (0..spatial)
        .map(|a| {
            let factor = factors.as_ref().filter(|_| size.is_none()).map(|f| f[a]);
            let (len, out) = (x.shape[a + 2], shape[a + 2]);
            (0..out).map(|i| weights(call, len, out, factor, i)).collect()
        })
        .collect();
    let value = |index: Vec<usize>| {
        let (mut sum, mut mass, mut count) = (Dd::from(0.0), 0.0, 4);
        for at in indices(&x.shape[2..]) {
            let weight: f64 = (0..spatial).map(|a| tables[a][index[a + 2]][at[a]]).product();
            if weight != 0.0 {
                let from = [&index[..2], &at].concat();
                let element = x.data[place(&from, &x.shape)].re();
                sum = sum + Dd::from(weight) * Dd::from(element);
                mass += (weight * element).abs();
                count += 1;
            }
        }
        Value::sum(sum, Dd::from(0.0), 2.0 * mass, count)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn dct(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let len = x.shape[at];
    let n = call.int("n").map_or(len, |n| n as usize);
    let kind = call.int("type").unwrap_or(2);
    let ortho = word(call, "norm") == "ortho";
    let mut shape = x.shape.clone();
    shape[at] = n;
    let m = n as f64;
    let end = |j: usize| j == 0 || j == n - 1;
    let basis = |j: usize, k: usize| {
        // Angles as whole multiples, turned back to the first turn.
        let turn = |a: usize, d: usize| (PI * (a % (2 * d)) as f64 / d as f64).cos();
        match kind {
            1 => {
                let plain = turn(j * k, n - 1) * if end(j) { 1.0 } else { 2.0 };
                let scale = if end(k) { (1.0 / (m - 1.0)).sqrt() } else { (2.0 / (m - 1.0)).sqrt() };
                if ortho { plain * 0.5 * scale * if end(j) { 2f64.sqrt() } else { 1.0 } } else { plain }
            }
            2 => {
                let plain = 2.0 * turn((2 * j + 1) * k, 2 * n);
                if ortho { plain * (if k == 0 { 0.25 } else { 0.5 } / m).sqrt() } else { plain }
            }
            3 => {
                let plain = turn(j * (2 * k + 1), 2 * n);
                match (j, ortho) {
                    (0, false) => plain,
                    (0, true) => plain / m.sqrt(),
                    (_, false) => 2.0 * plain,
                    (_, true) => plain * (2.0 / m).sqrt(),
                }
            }
            _ => {
                let plain = 2.0 * turn((2 * j + 1) * (2 * k + 1), 4 * n);
                if ortho { plain / (2.0 * m).sqrt() } else { plain }
            }
        }
    };
    let value = |index: Vec<usize>| {
        let (mut sum, mut mass) = (Dd::from(0.0), 0.0);
        for j in 0..n.min(len) {
            let mut from = index.clone();
            from[at] = j;
            let (b, v) = (basis(j, index[at]), x.data[place(&from, &x.shape)].re());
            sum = sum + Dd::from(b) * Dd::from(v);
            // The transform adds the element itself, turned.
            mass += v.abs() * 2.0;
        }
        Value::sum(sum, Dd::from(0.0), mass, 2 * n)
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn stft(call: &Call<'_>) -> Option<Truth> {
    let (x, window) = (call.operand(0)?, call.operand(1));
    let (size, step) = (call.int("frame_length")? as usize, call.int("frame_step")? as usize);
    let points = call.int("fft_length").map_or(size.next_power_of_two(), |n| n as usize);
    let len = *x.shape.last()?;
    let frames = match call.flag("pad_end") {
        true => len.div_ceil(step),
        false if len < size => 0,
        false => (len - size) / step + 1,
    };
    let lead = &x.shape[..x.shape.len() - 1];
    let shape = [lead, &[frames, points / 2 + 1]].concat();
    let value = |index: Vec<usize>| {
        let (frame, k) = (index[lead.len()], index[lead.len() + 1]);
        let (mut re, mut im, mut mass) = (Dd::from(0.0), Dd::from(0.0), 0.0);
        for j in (0..size.min(points)).filter(|j| frame * step + j < len) {
            let from = [&index[..lead.len()], &[frame * step + j]].concat();
            let weight = window.as_ref().map_or(1.0, |w| w.data[j].re());
            let v = x.data[place(&from, &x.shape)].re() * weight;
            let (sin, cos) = (TAU * ((j * k) % points) as f64 / points as f64).sin_cos();
            re = re + Dd::from(v) * Dd::from(cos);
            im = im - Dd::from(v) * Dd::from(sin);
            mass += v.abs();
        }
        Value::sum(re, im, mass, points.max(2))
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn istft(call: &Call<'_>) -> Option<Truth> {
    let (x, window) = (call.operand(0)?, call.operand(1));
    let (size, step) = (call.int("frame_length")? as usize, call.int("frame_step")? as usize);
    let points = call.int("fft_length").map_or(size.next_power_of_two(), |n| n as usize);
    let (lead, frames) = (&x.shape[..x.shape.len() - 2], x.shape[x.shape.len() - 2]);
    let reach = if frames == 0 { 0 } else { (frames - 1) * step + size };
    let shape = [lead, &[call.int("length").map_or(reach, |n| n as usize)]].concat();
    let value = |index: Vec<usize>| {
        let (at, weight) = (index[lead.len()], |j: usize| window.as_ref().map_or(1.0, |w| w.data[j].re()));
        let (mut sum, mut total, mut mass) = (Dd::from(0.0), Dd::from(0.0), 0.0);
        for frame in (0..frames).filter(|f| f * step <= at && at - f * step < size.min(points)) {
            let j = at - frame * step;
            total = total + Dd::from(weight(j)) * weight(j).into();
            for k in 0..points / 2 + 1 {
                let z = x.data[place(&[&index[..lead.len()], &[frame, k]].concat(), &x.shape)];
                // The others are there twice, as a number and its conjugate.
                let alone = k == 0 || 2 * k == points;
                let (sin, cos) = (TAU * ((j * k) % points) as f64 / points as f64).sin_cos();
                let im = if alone { 0.0 } else { z.im() * sin };
                let part = (Dd::from(z.re()) * cos.into() - im.into()) * Dd::from(weight(j));
                sum = sum + part * Dd::from((if alone { 1.0 } else { 2.0 }) / points as f64);
                mass += 2.0 * z.magnitude() * weight(j).abs() / points as f64;
            }
        }
        match total.hi == 0.0 {
            true => Value::sum(0.0.into(), 0.0.into(), 0.0, 1),
            false => Value::sum(sum / total, 0.0.into(), mass / total.hi, (points * frames).max(2)),
        }
    };
    let data = indices(&shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}
