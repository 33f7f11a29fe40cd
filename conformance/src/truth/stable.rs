//! Quotients and powers away from zero.

use super::dd::{Dd, pow};
use super::num::Num;
use super::value::Value;
use super::{Call, Tensor, Truth, broadcast, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let one: fn(Num, Num, f64) -> Value = match call.function {
        "stable_divide" => quotient,
        "stable_pow" => power,
        _ => return None,
    };
    let usual = if call.function == "stable_divide" { 1e-12 } else { 1e-5 };
    let (x, y): (Tensor, Tensor) = (call.operand(0)?, call.operand(1)?);
    let least = call.operand(2);
    let least_shape = least.as_ref().map_or(&[][..], |least| &least.shape);
    let shape = broadcast(&[&x.shape, &y.shape, least_shape])?;
    let places = spread(&x.shape, &shape).into_iter().zip(spread(&y.shape, &shape));
    let places = places.zip(spread(least_shape, &shape));
    let added = |l: usize| least.as_ref().map_or(usual, |least| least.data[l].re());
    let data = places.map(|((i, k), l)| one(x.data[i], y.data[k], added(l))).collect();
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

fn quotient(x: Num, y: Num, least: f64) -> Value {
    let (a, b) = (Dd::from(x.re()), Dd::from(x.im()));
    let (c, d) = (Dd::from(y.re()) + least.into(), Dd::from(y.im()));
    if d.hi == 0.0 {
        let (re, im) = (a / c, b / c);
        return Value::sum(re, im, re.hi.hypot(im.hi), 1);
    }
    let norm = c * c + d * d;
    let (re, im) = ((a * c + b * d) / norm, (b * c - a * d) / norm);
    Value::sum(re, im, re.hi.hypot(im.hi), 1)
}

fn power(x: Num, y: Num, least: f64) -> Value {
    let p = pow(x.re() + least, y.re());
    // A base that is rounded changes the power by as many units as the exponent.
    Value::sum(p, 0.0.into(), p.hi.abs() * (1.0 + y.re().abs()), 1)
}
