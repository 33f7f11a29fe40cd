//! Quantiles, means without NaN and running extremes.

use super::dd::Dd;
use super::num::Num;
use super::order::order;
use super::reduce::groups;
use super::value::Value;
use super::{Call, Truth, axis, indices, place};
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, finfo};
use std::cmp::Ordering;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(match call.function {
        "median" | "nanmedian" | "nanmean" => vec![by_group(call)?],
        "quantile" | "percentile" | "nanquantile" | "nanpercentile" => vec![quantile(call)?],
        "cummax" | "cummin" => running(call)?,
        _ => return None,
    })
}

fn by_group(call: &Call<'_>) -> Option<Truth> {
    let (shape, groups) = groups(call, &call.operand(0)?);
    let value = |group: &Vec<Num>| match call.function {
        "median" => at_fraction(call, group, Dd::from(0.5), "linear"),
        "nanmedian" => at_fraction(call, &numbers(group), Dd::from(0.5), "linear"),
        _ => mean(&numbers(group)),
    };
    let data = groups.iter().map(value).collect();
    Some(Truth { dtype: call.output(0), shape, data })
}

fn numbers(group: &[Num]) -> Vec<Num> {
    group.iter().copied().filter(|x| !x.is_nan()).collect()
}

fn mean(group: &[Num]) -> Value {
    let zero = Dd::from(0.0);
    let (re, im, mass) = group.iter().fold((zero, zero, 0.0), |(re, im, mass), x| {
        (re + x.re().into(), im + x.im().into(), mass + x.magnitude())
    });
    let n = Dd::from(group.len() as f64);
    Value::sum(re / n, im / n, mass / n.hi, group.len())
}

fn quantile(call: &Call<'_>) -> Option<Truth> {
    let q = call.given(1)?;
    let (rest, mut groups) = groups(call, &call.operand(0)?);
    if call.function.starts_with("nan") {
        groups.iter_mut().for_each(|g| *g = numbers(g));
    }
    let method = match call.keyword("interpolation") {
        Some(ParamValue::Text(word)) => word.as_str(),
        _ => "linear",
    };
    let whole = if call.function.ends_with("percentile") { 100.0 } else { 1.0 };
    let data = q
        .data
        .iter()
        // The fraction is a number of float64, and so is the place.
        .flat_map(|q| groups.iter().map(|g| at_fraction(call, g, Dd::from(q.re() / whole), method)))
        .collect();
    Some(Truth { dtype: call.output(0), shape: [q.shape, rest].concat(), data })
}

fn at_fraction(call: &Call<'_>, group: &[Num], fraction: Dd, method: &str) -> Value {
    if group.is_empty() || group.iter().any(|x| x.is_nan()) || !(0.0..=1.0).contains(&fraction.hi) {
        return Value::real(f64::NAN);
    }
    let mut sorted: Vec<f64> = group.iter().map(|x| x.re()).collect();
    sorted.sort_by(f64::total_cmp);
    let place = fraction.hi * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    let part = match method {
        "lower" => return Value::real(low).signs_open(),
        "higher" => return Value::real(high).signs_open(),
        "nearest" => return Value::real(sorted[place.round_ties_even() as usize]).signs_open(),
        "midpoint" => 0.5,
        _ => place - place.floor(),
    };
    if place.floor() == place.ceil() || low == high {
        return Value::sum(low.into(), Dd::from(0.0), 0.0, 1);
    }
    let (low, high) = (Dd::from(low), Dd::from(high));
    let mass = if low.hi.is_finite() && high.hi.is_finite() { low.hi.abs().max(high.hi.abs()) } else { 0.0 };
    // A product that is subnormal is rounded to a multiple of the least number.
    let least = finfo(call.compute).map_or(0.0, |f| f.smallest_normal);
    Value::sum(low * (Dd::from(1.0) - part.into()) + high * part.into(), Dd::from(0.0), mass + least, 2)
}

/// The results, of each prefix by itself.
fn running(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let (reverse, own) = (call.flag("reverse"), usize::from(!call.flag("exclusive")));
    let greatest = call.function == "cummax";
    let nothing = || match (call.compute.int_range(), greatest) {
        _ if call.compute.is_bool() => Num::Bool(!greatest),
        (Some((min, max)), _) => Num::Int(if greatest { min } else { max }),
        (None, true) => Num::Float(f64::NEG_INFINITY),
        (None, false) => Num::Float(f64::INFINITY),
    };
    let (mut values, mut places) = (Vec::new(), Vec::new());
    for mut index in indices(&x.shape) {
        let (here, end) = (index[at], x.shape[at]);
        let taken: Vec<usize> = match reverse {
            true => (here + 1 - own..end).rev().collect(),
            false => (0..here + own).collect(),
        };
        let mut best: Option<(usize, Num)> = None;
        for k in taken {
            index[at] = k;
            let x = x.data[place(&index, &x.shape)];
            let better = match best {
                None => true,
                Some((_, b)) if b.is_nan() => false,
                Some(_) if x.is_nan() => true,
                Some((_, b)) => order(x, b) == if greatest { Ordering::Greater } else { Ordering::Less },
            };
            if better {
                best = Some((k, x));
            }
        }
        let (k, value) = best.unwrap_or((here, nothing()));
        values.push(Value::Exact(value));
        places.push(Value::int(k as i128));
    }
    let shape = x.shape;
    Some(vec![
        Truth { dtype: call.output(0), shape: shape.clone(), data: values },
        Truth { dtype: Dtype::INT64, shape, data: places },
    ])
}
