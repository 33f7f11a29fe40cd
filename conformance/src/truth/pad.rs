//! Arrays made longer, one line of elements at a time.

use super::num::{Num, cast};
use super::{Call, Tensor, Truth, indices, place};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, Scalar};

/// Both ends of a line, of each axis.
type Pairs<T> = Vec<(T, T)>;

fn pairs<T: Copy>(lists: Vec<Vec<T>>, axes: usize) -> Pairs<T> {
    let pair = |list: &Vec<T>| (list[0], list[list.len() - 1]);
    match &lists[..] {
        [one] => vec![pair(one); axes],
        each => each.iter().map(pair).collect(),
    }
}

fn widths(value: &ParamValue, axes: usize) -> Option<Pairs<i64>> {
    Some(match value {
        ParamValue::Int(width) => pairs(vec![vec![*width]], axes),
        ParamValue::Ints(list) => pairs(vec![list.clone()], axes),
        ParamValue::IntLists(lists) => pairs(lists.clone(), axes),
        _ => return None,
    })
}

fn values(call: &Call<'_>, name: &str, axes: usize) -> Option<Pairs<Num>> {
    let num = |scalar: &Scalar| match *scalar {
        Scalar::Bool(b) => Num::Bool(b),
        Scalar::Int(i) => Num::Int(i),
        Scalar::Float(x) => Num::Float(x),
        Scalar::Complex(z) => Num::Complex(z.re, z.im),
    };
    let nums = |list: &Vec<Scalar>| list.iter().map(num).collect::<Vec<Num>>();
    Some(match call.keyword(name) {
        None => vec![(Num::Int(0), Num::Int(0)); axes],
        Some(ParamValue::Scalar(scalar)) => vec![(num(scalar), num(scalar)); axes],
        Some(ParamValue::Scalars(list)) => pairs(vec![nums(list)], axes),
        Some(ParamValue::ScalarLists(lists)) => pairs(lists.iter().map(nums).collect(), axes),
        Some(_) => return None,
    })
}

pub(super) fn padded(call: &Call<'_>, x: &Tensor) -> Option<Truth> {
    let axes = x.shape.len();
    let word = |name| match call.keyword(name) {
        Some(ParamValue::Text(word)) => word.as_str(),
        _ => "",
    };
    let (mode, odd) = (word("mode"), word("reflect_type") == "odd");
    let width = widths(call.keyword("pad_width")?, axes)?;
    let outside = match call.given(1) {
        Some(value) => vec![(value.data[0], value.data[0]); axes],
        None => values(call, "constant_values", axes)?,
    };
    let ends = values(call, "end_values", axes)?;
    let lengths = match call.keyword("stat_length") {
        Some(value) => widths(value, axes)?,
        None => vec![(1, 1); axes],
    };
    let mut longer = x.clone();
    for axis in 0..axes {
        let put = |at: i64, line: &[Num]| match mode {
            "linear_ramp" => ramp(at, line, width[axis], ends[axis], x.dtype),
            "maximum" | "mean" | "median" | "minimum" => statistic(mode, at, line, lengths[axis], x.dtype),
            "edge" | "wrap" | "reflect" | "symmetric" => repeated(mode, odd, at, line, x.dtype),
            "empty" => cast(Num::Int(0), x.dtype),
            _ => cast(if at < 0 { outside[axis].0 } else { outside[axis].1 }, x.dtype),
        };
        longer = along(&longer, axis, width[axis], &put);
    }
    Some(call.exact(longer.shape, longer.data))
}

/// The array with what `put` says of each place outside and the line of elements there.
fn along(x: &Tensor, axis: usize, (before, after): (i64, i64), put: &dyn Fn(i64, &[Num]) -> Num) -> Tensor {
    let (len, mut shape) = (x.shape[axis] as i64, x.shape.clone());
    shape[axis] = (before + len + after) as usize;
    let of = |index: Vec<usize>| {
        let at = index[axis] as i64 - before;
        let element = |i: i64| {
            let mut own = index.clone();
            own[axis] = i as usize;
            x.data[place(&own, &x.shape)]
        };
        match (0..len).contains(&at) {
            true => element(at),
            false => put(at, &(0..len).map(element).collect::<Vec<Num>>()),
        }
    };
    let data = indices(&shape).map(of).collect();
    Tensor { dtype: x.dtype, shape, data }
}

/// Steps from the outside into the line; each turns the element around an edge, if it is odd.
fn repeated(mode: &str, odd: bool, at: i64, line: &[Num], dtype: Dtype) -> Num {
    let n = line.len() as i64;
    if (0..n).contains(&at) {
        return line[at as usize];
    }
    let next = match mode {
        "edge" if at < 0 => 0,
        "edge" => n - 1,
        "wrap" if at < 0 => at + n,
        "wrap" => at - n,
        _ if n == 1 => 0,
        "symmetric" if at < 0 => -1 - at,
        "symmetric" => 2 * n - 1 - at,
        _ if at < 0 => -at,
        _ => 2 * n - 2 - at,
    };
    let mirrored = repeated(mode, odd, next, line, dtype);
    if !odd || n == 1 || matches!(mode, "edge" | "wrap") {
        return mirrored;
    }
    let edge = line[if at < 0 { 0 } else { line.len() - 1 }];
    let turned = match dtype {
        _ if dtype.is_complex() => {
            Num::Complex(2.0 * edge.re() - mirrored.re(), 2.0 * edge.im() - mirrored.im())
        }
        _ if dtype.is_float() => Num::Float(2.0 * edge.re() - mirrored.re()),
        _ => Num::Int(2 * edge.int() - mirrored.int()),
    };
    cast(turned, dtype)
}

fn statistic(mode: &str, at: i64, line: &[Num], lengths: (i64, i64), dtype: Dtype) -> Num {
    let n = line.len();
    let count = |length: i64| (length as usize).min(n);
    let near = if at < 0 { &line[..count(lengths.0)] } else { &line[n - count(lengths.1)..] };
    let mut sorted = near.to_vec();
    sorted.sort_by(|a, b| a.re().total_cmp(&b.re()));
    let mean = |of: &[Num]| {
        let part = |part: fn(Num) -> f64| of.iter().map(|&x| part(x)).sum::<f64>() / of.len() as f64;
        let (re, im) = (part(Num::re), part(Num::im));
        let re = if dtype.is_int() { re.round_ties_even() } else { re };
        cast(if dtype.is_complex() { Num::Complex(re, im) } else { Num::Float(re) }, dtype)
    };
    let last = sorted.len() - 1;
    match mode {
        "maximum" => sorted[last],
        "minimum" => sorted[0],
        "median" => mean(&sorted[last / 2..=last.div_ceil(2)]),
        _ => mean(near),
    }
}

fn ramp(at: i64, line: &[Num], width: (i64, i64), ends: (Num, Num), dtype: Dtype) -> Num {
    let n = line.len() as i64;
    let (end, edge, len, k) = match at < 0 {
        true => (ends.0, line[0], width.0, width.0 + at),
        false => (ends.1, line[line.len() - 1], width.1, width.1 - 1 - (at - n)),
    };
    let part = |part: fn(Num) -> f64| part(end) + (part(edge) - part(end)) * k as f64 / len as f64;
    let (re, im) = (part(Num::re), part(Num::im));
    let re = if dtype.is_int() { re.floor() } else { re };
    cast(if dtype.is_complex() { Num::Complex(re, im) } else { Num::Float(re) }, dtype)
}
