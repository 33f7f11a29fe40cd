//! Reductions of blocks, and running ones that begin anew with each.

use super::num::{Num, cast};
use super::scatter::{combined, reduction};
use super::value::Value;
use super::{Call, Truth, axis, indices, place};
use ivy_core::Dtype;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let prefix = match call.function {
        "block_reduce" => false,
        "block_prefix_reduce" => true,
        _ => return None,
    };
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let (length, size) = (x.shape[at], call.int("block_size").unwrap_or(2) as usize);
    let mut shape = x.shape.clone();
    if !prefix {
        shape[at] = length.div_ceil(size);
    }
    let (exclusive, reverse) = (call.set("exclusive").unwrap_or(true), call.flag("reverse"));
    let how = reduction(call);
    let of = |mut index: Vec<usize>| {
        let here = index[at];
        let first = if prefix { here / size * size } else { here * size };
        let (own, end) = (usize::from(!exclusive), length.min(first.saturating_add(size)));
        let taken: Vec<usize> = match (prefix, reverse) {
            (false, _) => (first..end).collect(),
            (true, false) => (first..here + own).collect(),
            (true, true) => (here + 1 - own..end).rev().collect(),
        };
        let list: Vec<Num> = taken
            .into_iter()
            .map(|k| {
                index[at] = k;
                x.data[place(&index, &x.shape)]
            })
            .collect();
        match list.is_empty() {
            true => Value::Exact(nothing(how, call.compute)),
            false => combined(call, how, &list),
        }
    };
    let data = indices(&shape).map(of).collect();
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

/// What changes no element.
fn nothing(reduction: &str, dtype: Dtype) -> Num {
    let ends = dtype.int_range();
    match (reduction, ends) {
        ("mul" | "min" | "and", _) if dtype.is_bool() => Num::Bool(true),
        ("mul", _) => cast(Num::Int(1), dtype),
        ("min", Some((_, high))) => Num::Int(high),
        ("max", Some((low, _))) => Num::Int(low),
        ("and", Some((low, high))) => Num::Int(if low < 0 { -1 } else { high }),
        ("min", None) => Num::Float(f64::INFINITY),
        ("max", None) if dtype.is_float() => Num::Float(f64::NEG_INFINITY),
        _ => cast(Num::Int(0), dtype),
    }
}
