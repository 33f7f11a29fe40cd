//! Elements at places, and updates put there.

use super::num::{Num, cast, wrap};
use super::reduce::{product, sum};
use super::value::Value;
use super::{Call, Truth, axis, indices, place, spread};
use ivy_core::function::ParamValue;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let truth = match call.function {
        "gather" => gather(call)?,
        "gather_nd" => gather_nd(call)?,
        "scatter_nd" | "scatter_flat" => scatter(call)?,
        _ => return None,
    };
    Some(vec![truth])
}

/// True for a lane, by its number among those of a shape, that a call's mask leaves out.
pub(super) fn is_left_out(call: &Call<'_>, operand: usize, shape: &[usize], lane: usize) -> bool {
    call.given(operand).is_some_and(|mask| !mask.data[spread(&mask.shape, shape)[lane]].truth())
}

/// How updates of one place are combined.
pub(super) fn reduction<'a>(call: &'a Call<'_>) -> &'a str {
    match call.keyword("reduction") {
        Some(ParamValue::Text(name)) => name.as_str(),
        _ => "sum",
    }
}

/// The place that an index means along an axis.
pub(super) fn from_end(i: Num, length: usize) -> usize {
    let i = i.int();
    (if i < 0 { i + length as i128 } else { i }) as usize
}

fn gather(call: &Call<'_>) -> Option<Truth> {
    let (x, which) = (call.operand(0)?, call.given(1)?);
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let batches = call.int("batch_dims").unwrap_or(0) as usize;
    let own = which.shape.len() - batches;
    let shape = [&x.shape[..at], &which.shape[batches..], &x.shape[at + 1..]].concat();
    let pick = |index: Vec<usize>| {
        let of: Vec<usize> = index[..batches].iter().chain(&index[at..at + own]).copied().collect();
        if is_left_out(call, 2, &which.shape, place(&of, &which.shape)) {
            return cast(Num::Int(0), call.compute);
        }
        let mut from = index[..at].to_vec();
        from.push(from_end(which.data[place(&of, &which.shape)], x.shape[at]));
        from.extend(&index[at + own..]);
        x.data[place(&from, &x.shape)]
    };
    Some(call.exact(shape.clone(), indices(&shape).map(pick).collect()))
}

fn gather_nd(call: &Call<'_>) -> Option<Truth> {
    let (x, which) = (call.operand(0)?, call.given(1)?);
    let batches = call.int("batch_dims").unwrap_or(0) as usize;
    let (&count, lead) = which.shape.split_last()?;
    let shape = [lead, &x.shape[batches + count..]].concat();
    let pick = |index: Vec<usize>| {
        if is_left_out(call, 2, lead, place(&index[..lead.len()], lead)) {
            return cast(Num::Int(0), call.compute);
        }
        let mut from = index[..batches].to_vec();
        for k in 0..count {
            let of: Vec<usize> = index[..lead.len()].iter().copied().chain([k]).collect();
            from.push(from_end(which.data[place(&of, &which.shape)], x.shape[batches + k]));
        }
        from.extend(&index[lead.len()..]);
        x.data[place(&from, &x.shape)]
    };
    Some(call.exact(shape.clone(), indices(&shape).map(pick).collect()))
}

fn scatter(call: &Call<'_>) -> Option<Truth> {
    let (mut which, updates, out) = (call.given(0)?, call.operand(1)?, call.operand(2));
    if call.function == "scatter_flat" {
        which.shape.push(1);
    }
    let shape = match &out {
        Some(out) => out.shape.clone(),
        None => call.sizes(if call.function == "scatter_flat" { "size" } else { "shape" })?,
    };
    let (&count, lead) = which.shape.split_last()?;
    let written = [lead, &shape[count..]].concat();
    let source = spread(&updates.shape, &written);
    let mut all: Vec<Vec<Num>> = vec![Vec::new(); shape.iter().product()];
    if let Some(out) = &out {
        all.iter_mut().zip(&out.data).for_each(|(list, &x)| list.push(x));
    }
    for (p, index) in indices(&written).enumerate() {
        if is_left_out(call, 3, lead, place(&index[..lead.len()], lead)) {
            continue;
        }
        let mut to = Vec::new();
        for (k, &length) in shape[..count].iter().enumerate() {
            let of: Vec<usize> = index[..lead.len()].iter().copied().chain([k]).collect();
            to.push(from_end(which.data[place(&of, &which.shape)], length));
        }
        to.extend(&index[lead.len()..]);
        all[place(&to, &shape)].push(updates.data[source[p]]);
    }
    let data = all.iter().map(|list| combined(call, reduction(call), list)).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

/// What a reduction makes of the updates of a place, in order; zero of none.
pub(super) fn combined(call: &Call<'_>, reduction: &str, list: &[Num]) -> Value {
    let dtype = call.compute;
    let exact = |x: Num| Value::Exact(cast(x, dtype));
    let Some(&last) = list.last() else { return exact(Num::Int(0)) };
    let bits = |with: fn(i128, i128) -> i128| {
        let all = list.iter().map(|x| x.int()).reduce(with).unwrap_or(0);
        exact(Num::Int(wrap(all, dtype)))
    };
    let best = |better: fn(f64, f64) -> bool, among: fn(i128, i128) -> i128| {
        if dtype.is_int() {
            return bits(among);
        }
        let first_nan = list.iter().find(|x| x.is_nan());
        let best = list.iter().copied().reduce(|a, b| if better(b.re(), a.re()) { b } else { a });
        exact(first_nan.copied().or(best).unwrap_or(last))
    };
    let truth = |b: bool| Value::truth(b);
    match reduction {
        "replace" => exact(last),
        "sum" | "max" | "or" if dtype.is_bool() => truth(list.iter().any(|x| x.truth())),
        "mul" | "min" | "and" if dtype.is_bool() => truth(list.iter().all(|x| x.truth())),
        "sum" => sum(call, list),
        "mul" => product(call, list),
        "min" => best(|a, b| a < b, i128::min),
        "max" => best(|a, b| a > b, i128::max),
        "and" => bits(|a, b| a & b),
        _ => bits(|a, b| a | b),
    }
}
