//! Gated linear units, pixel and channel shuffles, and tensors unfolded into matrices, by their definitions.

use super::dd::Dd;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(vec![match call.function {
        "glu" => glu(call)?,
        "pixel_shuffle" | "pixel_unshuffle" => pixels(call)?,
        "channel_shuffle" => channels(call)?,
        "unfold" | "partial_unfold" => unfolded(call)?,
        "fold" | "partial_fold" => folded(call)?,
        _ => return None,
    }])
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
        let permuted: Vec<usize> = order.iter().map(|&a| index[a]).collect();
        x.data[place(&permuted, &lengths)]
    };
    let data = indices(&shape).map(of).collect();
    Some(call.exact(shape, data))
}
