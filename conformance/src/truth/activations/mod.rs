//! Activation functions, by their definitions.

mod complex;

use super::dd::{Dd, PI};
use super::num::{Num, round_float};
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, indices, place, spread};
use complex::Z;
use ivy_core::function::ParamValue;
use ivy_core::{Dtype, finfo};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "softmax" | "log_softmax" => return along_axis(call),
        "prelu" => return prelu(call),
        _ => {}
    }
    // A point tells whether this page knows the function, which an empty array does not.
    real(call, 1.0.into())?;
    let x = call.operand(0)?;
    let data = x.data.iter().map(|&x| element(call, x)).collect::<Option<_>>()?;
    Some(vec![Truth { dtype: call.output(0), shape: x.shape, data }])
}

fn number(call: &Call<'_>, name: &str, default: f64) -> f64 {
    call.number(name).unwrap_or(default)
}

fn mode<'a>(call: &'a Call<'_>) -> &'a str {
    call.word("complex_mode").unwrap_or("jax")
}

fn element(call: &Call<'_>, x: Num) -> Option<Value> {
    match x {
        Num::Int(i) => {
            let y = real(call, Dd { hi: i as f64, lo: (i - i as f64 as i128) as f64 })?.0;
            Some(Value::int(y.hi as i128 + y.lo as i128))
        }
        Num::Float(x) => {
            let (y, mass) = real(call, x.into())?;
            Some(match call.function {
                "relu" | "relu6" | "hardtanh" | "threshold" | "thresholded_relu" | "hardshrink" => {
                    Value::Exact(Num::Float(round_float(y.hi, call.compute)))
                }
                _ => Value::sum(y, 0.0.into(), mass, 1),
            })
        }
        Num::Complex(a, b) => {
            let (z, mass) = by_mode(call, a, b)?;
            Some(Value::sum(z.re, z.im, mass, 1))
        }
        Num::Bool(_) => None,
    }
}

fn by_mode(call: &Call<'_>, a: f64, b: f64) -> Option<(Z, f64)> {
    let z = Z { re: a.into(), im: b.into() };
    Some(match mode(call) {
        "split" => {
            let ((re, m), (im, n)) = (real(call, z.re)?, real(call, z.im)?);
            (Z { re, im }, m + n)
        }
        "magnitude" => {
            let size = (z.re * z.re + z.im * z.im).sqrt();
            let (y, mass) = real(call, size)?;
            let angle = if size.hi == 0.0 { 1.0.into() } else { z / Z { re: size, im: 0.0.into() } };
            // The magnitude is rounded before the function sees it.
            (angle * Z { re: y, im: 0.0.into() }, mass * (1.0 + size.hi))
        }
        _ => {
            let y = complex::of(call.function, z, |name, default| number(call, name, default))?;
            (y, 4.0 * y.size() + z.size())
        }
    })
}

fn sigmoid(x: Dd) -> Dd {
    let one = Dd::from(1.0);
    if x.hi < 0.0 {
        let e = x.exp();
        return e / (one + e);
    }
    one / (one + (-x).exp())
}

fn softplus(x: Dd) -> Dd {
    if x.hi > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}

/// A function of a real number, and what its error is relative to.
fn real(call: &Call<'_>, x: Dd) -> Option<(Dd, f64)> {
    let number = |name: &str, default: f64| number(call, name, default);
    let (zero, one, inf) = (Dd::from(0.0), Dd::from(1.0), f64::INFINITY);
    let (least, greatest) = (x.hi == -inf, x.hi == inf);
    let size = x.hi.abs().min(1e3);
    let between = |low: f64, high: f64| {
        if x.hi <= low {
            low.into()
        } else if x.hi >= high {
            high.into()
        } else {
            x
        }
    };
    // What multiplies the argument is 0 at -infinity.
    let gate = |share: Dd| if least { Dd::from(f64::NAN) } else { x * share };
    let unit = |scale: f64, alpha: f64, width: f64| {
        if x.hi > 0.0 {
            return Dd::from(scale) * x;
        }
        let power = if least { -one } else { (x / width.into()).exp_m1() };
        Dd::from(scale) * Dd::from(alpha) * power
    };
    let (y, times) = match call.function {
        "relu" => (between(0.0, inf), 1.0),
        "relu6" => (between(0.0, 6.0), 1.0),
        "leaky_relu" if x.hi > 0.0 => (x, 1.0),
        "leaky_relu" => (x * number("alpha", 0.2).into(), 1.0),
        "elu" => (unit(1.0, number("alpha", 1.0), 1.0), 1.0),
        "celu" => (unit(1.0, number("alpha", 1.0), number("alpha", 1.0)), 1.0),
        "selu" => (unit(1.050_700_987_355_480_5, 1.673_263_242_354_377_2, 1.0), 1.0),
        "gelu" if call.flag("approximate") => {
            let c = (Dd::from(8.0) / PI).sqrt();
            let u = c * x * (one + Dd::from(0.044715) * x * x);
            (gate(sigmoid(u)), 1.0 + u.hi.abs().min(1e3))
        }
        "gelu" if greatest => (x, 1.0),
        "gelu" => (gate((-x / Dd::from(2.0).sqrt()).erfc().scale(-1)), 1.0 + size * size),
        "silu" => (gate(sigmoid(x)), 1.0),
        "mish" if x.hi > 40.0 => (x, 1.0),
        "mish" => {
            let e = x.exp();
            let power = e * (e + 2.0.into());
            (gate(power / (power + 2.0.into())), 1.0)
        }
        "sigmoid" => (sigmoid(x), 1.0),
        "logsigmoid" => (-softplus(-x), 1.0),
        "softplus" => {
            let beta = Dd::from(number("beta", 1.0));
            let scaled = x * beta;
            let linear = scaled.hi > number("threshold", inf);
            // The product is rounded before the exponential sees it.
            (if linear { x } else { softplus(scaled) / beta }, 1.0 + scaled.hi.abs().min(1e3))
        }
        "hardswish" | "hardsilu" => {
            let share = match x.hi {
                x if x <= -3.0 => zero,
                x if x >= 3.0 => one,
                _ => (x + 3.0.into()) / 6.0.into(),
            };
            (gate(share), 1.0)
        }
        "hardtanh" => (between(number("min_val", -1.0), number("max_val", 1.0)), 1.0),
        "threshold" if x.hi <= number("threshold", 0.0) => (number("value", 0.0).into(), 1.0),
        "thresholded_relu" if x.hi <= number("threshold", 0.0) => (zero, 1.0),
        "threshold" | "thresholded_relu" => (x, 1.0),
        "hardshrink" if x.hi.abs() <= number("lambd", 0.5) => (zero, 1.0),
        "hardshrink" => (x, 1.0),
        "softshrink" => {
            let lambd = number("lambd", 0.5);
            let y = match x.hi {
                x if x > lambd => -Dd::from(lambd),
                x if x < -lambd => lambd.into(),
                _ => -x,
            };
            return Some((if x.hi.is_finite() { x + y } else { x }, x.hi.abs().min(1e300) + lambd));
        }
        "softsign" if x.hi.is_infinite() => (f64::NAN.into(), 1.0),
        "softsign" => (x / (one + x.abs()), 1.0),
        "tanhshrink" => return Some((x - tanh(x), x.hi.abs().min(1e300))),
        "scaled_tanh" => (Dd::from(number("alpha", 1.7159)) * tanh(x * number("beta", 0.67).into()), 1.0),
        "logit" => {
            let x = match call.keyword("eps") {
                Some(ParamValue::Float(eps)) if !x.hi.is_nan() => between(*eps, 1.0 - eps),
                _ => x,
            };
            let y = if x.hi.is_finite() { (x / (one - x)).ln() } else { f64::NAN.into() };
            return Some((y, y.hi.abs() + 1.0));
        }
        _ => return None,
    };
    let part = call.compute.real_part();
    let computed = if part.bits() < 32 { Dtype::FLOAT32 } else { part };
    // Among subnormal numbers an error is one of the last place, and may be multiplied by the argument.
    let least = finfo(computed).map_or(0.0, |f| f.smallest_normal) * (1.0 + size * size);
    Some((y, y.hi.abs() * times + least))
}

fn tanh(x: Dd) -> Dd {
    let sign = |y: Dd| if x.hi < 0.0 { -y } else { y };
    if x.hi.abs() > 40.0 {
        return sign(1.0.into());
    }
    let e = x.abs().scale(1).exp_m1();
    sign(e / (e + 2.0.into()))
}

fn prelu(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (x, slope) = (call.operand(0)?, call.operand(1)?);
    let shape = broadcast(&[&x.shape, &slope.shape])?;
    let slopes = spread(&slope.shape, &shape);
    let value = |(i, &at): (usize, &usize)| {
        let (x, slope) = (x.data[i].re(), slope.data[at].re());
        let y = if x > 0.0 { x.into() } else { Dd::from(x) * slope.into() };
        Value::sum(y, 0.0.into(), y.hi.abs(), 1)
    };
    let data = slopes.iter().enumerate().map(value).collect();
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

fn along_axis(call: &Call<'_>) -> Option<Vec<Truth>> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis").unwrap_or(-1), x.shape.len());
    let data = indices(&x.shape).map(|index| value_in_line(call, &x, at, index)).collect();
    Some(vec![Truth { dtype: call.output(0), shape: x.shape.clone(), data }])
}

fn value_in_line(call: &Call<'_>, x: &Tensor, at: usize, index: Vec<usize>) -> Value {
    let own = x.data[place(&index, &x.shape)];
    let mut other = index;
    let line: Vec<Num> = (0..x.shape[at])
        .map(|k| {
            other[at] = k;
            x.data[place(&other, &x.shape)]
        })
        .collect();
    let reals = |f: &dyn Fn(Num) -> Dd| line.iter().map(|&x| f(x)).collect::<Vec<Dd>>();
    let log = call.function == "log_softmax";
    let zero = Dd::from(0.0);
    if !call.compute.is_complex() {
        let (y, mass) = share(own.re().into(), &reals(&|x| x.re().into()), log);
        return Value::sum(y, zero, mass, line.len());
    }
    let size = |x: Num| (Dd::from(x.re()) * x.re().into() + Dd::from(x.im()) * x.im().into()).sqrt();
    match mode(call) {
        "split" => {
            let (re, m) = share(own.re().into(), &reals(&|x| x.re().into()), log);
            let (im, n) = share(own.im().into(), &reals(&|x| x.im().into()), log);
            Value::sum(re, im, m + n, line.len())
        }
        "magnitude" => {
            let (y, mass) = share(size(own), &reals(&size), log);
            let angle = |x: f64| y * Dd::from(x) / size(own);
            Value::sum(angle(own.re()), angle(own.im()), mass * 2.0, line.len())
        }
        _ => {
            let z = |x: Num| Z { re: x.re().into(), im: x.im().into() };
            let whole = line.iter().fold(Z::from(0.0), |sum, &x| sum + z(x).exp());
            let y = z(own) - whole.ln();
            let y = if log { y } else { y.exp() };
            Value::sum(y.re, y.im, y.size() + z(own).size() + 4.0, line.len())
        }
    }
}

/// The share of a number in its line, or the logarithm of it.
fn share(x: Dd, line: &[Dd], log: bool) -> (Dd, f64) {
    let top = line.iter().map(|x| x.hi).fold(f64::NEG_INFINITY, f64::max);
    if top.is_infinite() || line.iter().any(|x| x.hi.is_nan()) {
        return (f64::NAN.into(), 0.0);
    }
    let lowered = |x: Dd| x - top.into();
    let whole = line.iter().fold(Dd::from(0.0), |sum, &x| sum + lowered(x).exp()).ln();
    let y = lowered(x) - whole;
    let distance = if x.hi.is_finite() { (top - x.hi).abs() } else { 0.0 };
    if log { (y, distance + whole.hi + 1.0) } else { (y.exp(), y.exp().hi * (2.0 + distance)) }
}
