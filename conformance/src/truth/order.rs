//! Sorting, searching and sets.

use super::num::{Num, cast};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, indices, place};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, Kind};
use std::cmp::Ordering;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "sort" | "argsort" => vec![sorted(call)?],
        "nonzero" => nonzero(call)?,
        "searchsorted" => vec![searched(call)?],
        "isin" => vec![isin(call)?],
        "unique_all" | "unique_counts" | "unique_inverse" | "unique_values" => unique(call)?,
        _ => return None,
    })
}

/// NaN last; complex numbers by real, then by imaginary part.
pub(super) fn order(a: Num, b: Num) -> Ordering {
    let part = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
    match (a, b) {
        (Num::Bool(a), Num::Bool(b)) => a.cmp(&b),
        (Num::Int(a), Num::Int(b)) => a.cmp(&b),
        _ if a.is_nan() || b.is_nan() => a.is_nan().cmp(&b.is_nan()),
        _ => part(a.re(), b.re()).then(part(a.im(), b.im())),
    }
}

fn sorted(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let descending = call.flag("descending");
    let value = |index: Vec<usize>| {
        let mut other = index.clone();
        let line: Vec<Num> = (0..x.shape[at])
            .map(|k| {
                other[at] = k;
                x.data[place(&other, &x.shape)]
            })
            .collect();
        let mut places: Vec<usize> = (0..line.len()).collect();
        places.sort_by(|&i, &j| {
            let (a, b) = (line[i], line[j]);
            match descending && !a.is_nan() && !b.is_nan() {
                true => order(b, a),
                false => order(a, b),
            }
        });
        let chosen = places[index[at]];
        if call.function == "sort" { Value::Exact(line[chosen]) } else { Value::int(chosen as i128) }
    };
    Some(Truth {
        dtype: call.output(0),
        shape: x.shape.clone(),
        data: indices(&x.shape).map(value).collect(),
    })
}

fn nonzero(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.given(0)?;
    let found: Vec<Vec<usize>> =
        indices(&x.shape).zip(&x.data).filter(|(_, v)| v.truth()).map(|(i, _)| i).collect();
    let along = |a: usize| Truth {
        dtype: Dtype::INT64,
        shape: vec![found.len()],
        data: found.iter().map(|i| Value::int(i[a] as i128)).collect(),
    };
    Some((0..x.shape.len()).map(along).collect())
}

fn searched(call: &Call<'_>) -> Option<Truth> {
    let (mut x1, x2) = (call.operand(0)?, call.operand(1)?);
    if let Some(sorter) = call.given(2) {
        x1.data = sorter.data.iter().map(|i| x1.data[i.int() as usize]).collect();
    }
    let right = matches!(call.keyword("side"), Some(ParamValue::Text(t)) if t == "right");
    let before = |x: Num, v: Num| match order(x, v) {
        Ordering::Less => true,
        Ordering::Equal => right,
        Ordering::Greater => false,
    };
    let value = |&v: &Num| Value::int(x1.data.iter().filter(|&&x| before(x, v)).count() as i128);
    Some(Truth { dtype: Dtype::INT64, shape: x2.shape.clone(), data: x2.data.iter().map(value).collect() })
}

fn equal(a: Num, b: Num) -> bool {
    !a.is_nan() && !b.is_nan() && order(a, b) == Ordering::Equal
}

fn isin(call: &Call<'_>) -> Option<Truth> {
    let common = ivy_core::Rules::Precise.lookup(call.given(0)?.dtype, call.given(1)?.dtype)?;
    let (x1, x2) = (call.given(0)?.cast(common), call.given(1)?.cast(common));
    let invert = call.flag("invert");
    let value = |&x: &Num| Value::truth(x2.data.iter().any(|&y| equal(x, y)) != invert);
    Some(Truth { dtype: Dtype::BOOL, shape: x1.shape.clone(), data: x1.data.iter().map(value).collect() })
}

fn unique(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x: Tensor = call.given(0)?;
    let mut places: Vec<usize> = (0..x.data.len()).collect();
    places.sort_by(|&i, &j| order(x.data[i], x.data[j]));
    // Runs of equal elements, each in the order of the array; every NaN is a run of its own.
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for p in places {
        match runs.last_mut() {
            Some(run) if equal(x.data[run[0]], x.data[p]) => run.push(p),
            _ => runs.push(vec![p]),
        }
    }
    let mut inverse = vec![0; x.data.len()];
    runs.iter().enumerate().for_each(|(r, run)| run.iter().for_each(|&p| inverse[p] = r));
    let row = |dtype: Dtype, shape: Vec<usize>, data: Vec<Value>| Truth { dtype, shape, data };
    let ints = |v: Vec<usize>| v.into_iter().map(|i| Value::int(i as i128)).collect::<Vec<_>>();
    let n = vec![runs.len()];
    let first = |run: &Vec<usize>| {
        let value = x.data[run[0]];
        // The zeros are one element, of either sign.
        match value.re() == 0.0 && x.dtype.kind() == Kind::Float {
            true => Value::Either(cast(Num::Float(0.0), x.dtype), cast(Num::Float(-0.0), x.dtype)),
            false => Value::Exact(value),
        }
    };
    let values = row(call.output(0), n.clone(), runs.iter().map(first).collect());
    let firsts = row(Dtype::INT64, n.clone(), ints(runs.iter().map(|r| r[0]).collect()));
    let inverse = row(Dtype::INT64, x.shape.clone(), ints(inverse));
    let counts = row(Dtype::INT64, n, ints(runs.iter().map(Vec::len).collect()));
    Some(match call.function {
        "unique_all" => vec![values, firsts, inverse, counts],
        "unique_counts" => vec![values, counts],
        "unique_inverse" => vec![values, inverse],
        _ => vec![values],
    })
}
