//! The Poisson distribution: sums of probabilities for small rates, and proposals for large ones.

use super::dropped::float;
use super::{Call, Truth, Words, sample_shape, spread_over};
use crate::truth::dd::Dd;
use crate::truth::{Num, Value, num::cast};

/// How many terms of the distribution function a part of 1 is not below; none where it is close.
fn counted(rate: f64, part: f64) -> Option<f64> {
    let mut term = Dd::from(-rate).exp();
    let (mut sum, mut count) = (term, 0.0);
    while count < 100.0 {
        let way = part - sum.hi;
        if way.abs() < 1e-14 && rate > 0.0 {
            return None;
        }
        if way < 0.0 {
            return Some(count);
        }
        count += 1.0;
        term = term * Dd::from(rate) / Dd::from(count);
        sum = sum + term;
    }
    Some(count)
}

/// The first of twenty proposals that is taken; none where it is close.
fn proposed(rate: f64, pairs: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let b = 0.931 + 2.53 * rate.sqrt();
    let a = 0.02483 * b - 0.059;
    let scale = 1.1239 + 1.1328 / (b - 3.4);
    for (u, v) in pairs {
        let (u, v) = (u - 0.5, 1.0 - v);
        let side = 0.5 - u.abs();
        if side == 0.0 {
            continue;
        }
        let place = (2.0 * a / side + b) * u + rate + 0.43;
        let k = place.floor();
        if (place - place.round()).abs() < 1e-10 * rate {
            return None;
        }
        if k < 0.0 {
            continue;
        }
        let weight = v * scale / (a / (side * side) + b);
        let lgamma = (Dd::from(k) + Dd::from(1.0)).lgamma();
        let probability = Dd::from(k) * Dd::from(rate).ln() - Dd::from(rate) - lgamma;
        let way = probability.hi - weight.ln();
        if way.abs() < 1e-10 * rate {
            return None;
        }
        if way > 0.0 {
            return Some(k);
        }
    }
    None
}

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    if call.function != "poisson" {
        return None;
    }
    let shape = sample_shape(call, "shape")?;
    let rates = spread_over(call, 0, &shape, 1.0);
    let (n, mut words) = (rates.len(), Words::of(call)?);
    let parts = words.unit(n);
    let rounds: Vec<[Vec<f64>; 2]> = (0..20).map(|_| [words.unit(n), words.unit(n)]).collect();
    let fill = float(call, "fill_value").unwrap_or(0.0);
    let element = |i: usize| {
        let rate = rates[i].re();
        let x = match rate {
            _ if rate < 0.0 => Some(fill),
            _ if rate < 10.0 => counted(rate, parts[i]),
            _ => proposed(rate, rounds.iter().map(|[u, v]| (u[i], v[i]))),
        };
        x.map_or(Value::Any, |x| Value::Exact(cast(Num::Float(x), call.output(0))))
    };
    Some(vec![Truth { dtype: call.output(0), shape, data: (0..n).map(element).collect() }])
}
