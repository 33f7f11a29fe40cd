//! Updates of parts and elements at places, running logarithms and limited norms, by their definitions.

use super::dd::Dd;
use super::num::{Num, wrap};
use super::scatter::combined;
use super::value::Value;
use super::{Call, Tensor, Truth, axis, broadcast, indices, place, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    Some(vec![match call.function {
        "index_add" | "index_copy" | "index_fill" => parts(call)?,
        "scatter_reduce" => reduced(call)?,
        "masked_fill" => filled(call)?,
        "masked_scatter" => scattered(call)?,
        "logcumsumexp" => logarithms(call)?,
        "renorm" => limited(call)?,
        _ => return None,
    }])
}

fn from_end(index: Num, length: usize) -> usize {
    let i = index.int();
    (if i < 0 { i + length as i128 } else { i }) as usize
}

fn parts(call: &Call<'_>) -> Option<Truth> {
    let (x, index, source) = (call.operand(0)?, call.given(1)?, call.operand(2)?);
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let mut written = x.shape.clone();
    written[at] = index.data.len();
    let from = spread(&source.shape, &written);
    let alpha = call.number("alpha").unwrap_or(1.0);
    let times = |x: Num| match x {
        Num::Int(i) => Num::Int(i * alpha as i128),
        Num::Float(x) => Num::Float(x * alpha),
        Num::Complex(x, y) => Num::Complex(x * alpha, y * alpha),
        other => other,
    };
    let mut all: Vec<Vec<Num>> = x.data.iter().map(|&x| vec![x]).collect();
    for (p, mut to) in indices(&written).enumerate() {
        to[at] = from_end(index.data[to[at]], x.shape[at]);
        all[place(&to, &x.shape)].push(times(source.data[from[p]]));
    }
    let how = if call.function == "index_add" { "sum" } else { "replace" };
    let data = all.iter().map(|list| combined(call, how, list)).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape, data })
}

fn reduced(call: &Call<'_>) -> Option<Truth> {
    let (x, index, source) = (call.operand(0)?, call.given(1)?, call.operand(2)?);
    let at = axis(call.int("axis").unwrap_or(0), x.shape.len());
    let mut others: Vec<Vec<Num>> = vec![vec![]; x.data.len()];
    for (p, mut to) in indices(&index.shape).enumerate() {
        let update = source.data[place(&to, &source.shape)];
        to[at] = from_end(index.data[p], x.shape[at]);
        others[place(&to, &x.shape)].push(update);
    }
    let value = |(own, others): (&Num, &Vec<Num>)| {
        if others.is_empty() {
            return Value::Exact(*own);
        }
        let keep = call.set("include_self").unwrap_or(true);
        let list: Vec<Num> = keep.then_some(*own).into_iter().chain(others.iter().copied()).collect();
        let how = match call.word("reduction").unwrap_or("sum") {
            "prod" => "mul",
            "amax" => "max",
            "amin" => "min",
            other => other,
        };
        if how != "mean" {
            return combined(call, how, &list);
        }
        let n = list.len();
        match combined(call, "sum", &list) {
            Value::Near { re, im, mass, .. } => {
                let d = Dd::from(n as f64);
                Value::sum(re / d, im / d, mass / n as f64, n + 1)
            }
            Value::Exact(sum) => Value::int(wrap(sum.int().div_euclid(n as i128), call.compute)),
            other => other,
        }
    };
    let data = x.data.iter().zip(&others).map(value).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape.clone(), data })
}

/// Array and mask spread to their common shape.
fn both(x: &Tensor, mask: &Tensor) -> Option<(Vec<usize>, Vec<Num>, Vec<bool>)> {
    let shape = broadcast(&[&x.shape, &mask.shape])?;
    let values = spread(&x.shape, &shape).into_iter().map(|i| x.data[i]).collect();
    let on = spread(&mask.shape, &shape).into_iter().map(|i| mask.data[i].truth()).collect();
    Some((shape, values, on))
}

fn filled(call: &Call<'_>) -> Option<Truth> {
    let value = call.operand(2)?.data[0];
    let (shape, mut data, on) = both(&call.operand(0)?, &call.given(1)?)?;
    data.iter_mut().zip(on).filter(|(_, on)| *on).for_each(|(x, _)| *x = value);
    Some(call.exact(shape, data))
}

fn scattered(call: &Call<'_>) -> Option<Truth> {
    let source = call.operand(2)?;
    let (shape, mut data, on) = both(&call.operand(0)?, &call.given(1)?)?;
    let places = data.iter_mut().zip(on).filter(|(_, on)| *on);
    places.zip(&source.data).for_each(|((x, _), &y)| *x = y);
    Some(call.exact(shape, data))
}

fn logarithms(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis")?, x.shape.len());
    let value = |index: Vec<usize>| {
        let line: Vec<f64> = (0..=index[at])
            .map(|k| {
                let mut index = index.clone();
                index[at] = k;
                x.data[place(&index, &x.shape)].re()
            })
            .collect();
        if line.iter().any(|x| x.is_nan()) {
            return Value::real(f64::NAN);
        }
        let most = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most.is_infinite() {
            return Value::real(most);
        }
        let total = line.iter().fold(Dd::from(0.0), |s, &x| s + (Dd::from(x) - most.into()).exp());
        let finite = line.iter().filter(|x| x.is_finite());
        let mass = finite.fold(1.0f64, |m, x| m.max(x.abs())) + (line.len() as f64).ln();
        Value::sum(Dd::from(most) + total.ln(), 0.0.into(), mass, line.len())
    };
    let data = indices(&x.shape).map(value).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape.clone(), data })
}

fn power(x: Dd, p: f64) -> Dd {
    if x.hi == 0.0 { x } else { (x.ln() * p.into()).exp() }
}

fn limited(call: &Call<'_>) -> Option<Truth> {
    let x = call.operand(0)?;
    let at = axis(call.int("axis")?, x.shape.len());
    let (p, most) = (call.number("p")?, call.number("maxnorm")?);
    let size = |z: Num| {
        let (a, b) = (Dd::from(z.re()), Dd::from(z.im()));
        (a * a + b * b).sqrt()
    };
    let norm = |part: usize| {
        let own = indices(&x.shape).zip(&x.data).filter(|(i, _)| i[at] == part).map(|(_, z)| size(*z));
        match p {
            f64::INFINITY => own.fold(Dd::from(0.0), |a, b| if b.hi > a.hi { b } else { a }),
            p => power(own.fold(Dd::from(0.0), |sum, x| sum + power(x, p)), 1.0 / p),
        }
    };
    let norms: Vec<Dd> = (0..x.shape[at]).map(norm).collect();
    let value = |(index, z): (Vec<usize>, &Num)| {
        let norm = norms[index[at]];
        let factor = if norm.hi > most { Dd::from(most) / norm } else { 1.0.into() };
        let (re, im) = (Dd::from(z.re()) * factor, Dd::from(z.im()) * factor);
        Value::sum(re, im, re.hi.hypot(im.hi) * (1.0 + p.min(8.0)), 1)
    };
    let data = indices(&x.shape).zip(&x.data).map(value).collect();
    Some(Truth { dtype: call.output(0), shape: x.shape.clone(), data })
}
