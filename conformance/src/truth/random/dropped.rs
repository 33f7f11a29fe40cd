//! What is left out at random.

use super::{Call, Truth, Words};
use crate::truth::dd::Dd;
use crate::truth::{Value, spread};
use ivy_core::function::ParamValue;

/// A number among the keyword arguments.
pub(super) fn float(call: &Call<'_>, name: &str) -> Option<f64> {
    match call.keyword(name)? {
        ParamValue::Float(x) => Some(*x),
        ParamValue::Int(i) => Some(*i as f64),
        _ => None,
    }
}

/// For each of `n` things, whether it stays, where each is left out with a probability.
fn stays(call: &Call<'_>, n: usize, p: f64) -> Option<Vec<bool>> {
    let least = (p * 4294967296.0).round();
    Some(Words::of(call)?.next(n, 32).into_iter().map(|word| word as f64 >= least).collect())
}

/// What each of `n` weights of an attention in training is multiplied by.
pub(in crate::truth) fn factors(call: &Call<'_>, name: &str, n: usize) -> Option<Vec<f64>> {
    match float(call, name) {
        Some(p) if p > 0.0 && call.flag("training") => {
            Some(stays(call, n, p)?.into_iter().map(|on| if on { 1.0 / (1.0 - p) } else { 0.0 }).collect())
        }
        _ => Some(vec![1.0; n]),
    }
}

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let spatial = match call.function {
        "dropout" => 0,
        "dropout1d" => 1,
        "dropout2d" => 2,
        "dropout3d" => 3,
        _ => return None,
    };
    let x = call.operand(0)?;
    let p = float(call, "prob")?;
    let n = x.shape.len();
    let noise = match spatial {
        0 => call.sizes("noise_shape").unwrap_or_else(|| x.shape.clone()),
        _ => {
            let first = matches!(call.keyword("data_format"), Some(ParamValue::Text(f)) if f.ends_with('W') || &**f == "channel_first");
            let channels = if first { n - spatial - 1 } else { n - 1 };
            let own = |i: usize| i == channels || i < n - spatial - 1;
            (0..n).map(|i| if own(i) { x.shape[i] } else { 1 }).collect()
        }
    };
    let on = stays(call, noise.iter().product(), p)?;
    let scale = call.set("scale") != Some(false);
    let element = |(i, at): (usize, usize)| {
        let value = Dd::from(x.data[i].re());
        match (call.set("training") == Some(false), on[at]) {
            (true, _) => Value::real(value),
            (false, false) => Value::real(0.0),
            (false, true) if scale => Value::real(value / (Dd::from(1.0) - Dd::from(p))),
            (false, true) => Value::real(value),
        }
    };
    let data = spread(&noise, &x.shape).into_iter().enumerate().map(element).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape.clone(), data }])
}
