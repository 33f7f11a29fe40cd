//! The gamma distribution by the method of Marsaglia and Tsang, and what is made of it.

use super::{Call, Truth, Words, open, polar, sample_shape, spread_over, width};
use crate::truth::Value;
use crate::truth::dd::Dd;
use ivy_core::{Dtype, finfo};

/// A number `factor e^power`, and how many roundings of its size it is off at most, about.
#[derive(Clone, Copy)]
struct Drawn {
    factor: Dd,
    power: Dd,
    roundings: f64,
}

/// A number of each of the distributions; none where it is close whether a proposal is taken.
fn standard(words: &mut Words, alphas: &[f64], dtype: Dtype) -> Vec<Option<Drawn>> {
    let (n, bits) = (alphas.len(), width(dtype));
    let eps = finfo(if bits == 64 { dtype } else { Dtype::FLOAT32 }).expect("a float dtype").eps;
    let half = n.div_ceil(2);
    let round = |_| [words.next(half, bits), words.next(half, bits), words.next(n, bits)];
    let rounds: Vec<[Vec<u64>; 3]> = (0..10).map(round).collect();
    let last = words.next(n, bits);
    let one = |i: usize| {
        let alpha = alphas[i];
        let d = Dd::from(if alpha < 1.0 { alpha + 1.0 } else { alpha }) - Dd::from(1.0) / Dd::from(3.0);
        let power = match alpha < 1.0 {
            true => Dd::from(open(last[i], bits)).ln() / Dd::from(alpha),
            false => Dd::from(0.0),
        };
        for [lengths, turns, uniform] in &rounds {
            let pair = polar(lengths[i % half], turns[i % half], bits);
            let (x, u) = (if i < half { pair.0 } else { pair.1 }, Dd::from(open(uniform[i], bits)));
            let t = x / (d * Dd::from(9.0)).sqrt();
            let root = t + Dd::from(1.0);
            if root.hi <= 0.0 {
                if root.hi > -1e-4 {
                    return None;
                }
                continue;
            }
            let cube = root * root * root;
            let (logarithm, rest) = (root.ln() * Dd::from(3.0), Dd::from(1.0) - cube);
            let most = x * x * Dd::from(0.5) + d * (logarithm + rest);
            let size = 1.0 + x.hi * x.hi + d.hi * (logarithm.hi.abs() + rest.hi.abs());
            let way = (most - u.ln()).hi;
            if way.abs() < 64.0 * eps * size {
                return None;
            }
            if way > 0.0 {
                let roundings = 2.0 + 3.0 * t.hi.abs() / root.hi + power.hi.abs();
                return Some(Drawn { factor: d * cube, power, roundings });
            }
        }
        None
    };
    (0..n).map(one).collect()
}

fn near(x: Dd, roundings: f64) -> Value {
    Value::sum(x, Dd::from(0.0), x.hi.abs() * roundings, 1)
}

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    let (shape, data) = match call.function {
        "gamma" => gamma(call)?,
        "beta" => beta(call)?,
        "dirichlet" => dirichlet(call)?,
        "exponential" => exponential(call)?,
        _ => return None,
    };
    Some(vec![Truth { dtype: call.output(0), shape, data }])
}

type Result = Option<(Vec<usize>, Vec<Value>)>;

/// An operand over a shape, as numbers.
fn numbers(call: &Call<'_>, i: usize, shape: &[usize]) -> Vec<f64> {
    spread_over(call, i, shape, 1.0).into_iter().map(|x| x.re()).collect()
}

fn gamma(call: &Call<'_>) -> Result {
    let shape = sample_shape(call, "shape")?;
    let (alphas, rates) = (numbers(call, 0, &shape), numbers(call, 1, &shape));
    let drawn = standard(&mut Words::of(call)?, &alphas, call.compute);
    let element = |(drawn, rate): (Option<Drawn>, f64)| match drawn {
        Some(d) => near(d.factor * d.power.exp() / Dd::from(rate), d.roundings),
        None => Value::Any,
    };
    Some((shape, drawn.into_iter().zip(rates).map(element).collect()))
}

/// What each of some numbers is of their sum.
fn shares(drawn: &[Option<Drawn>]) -> Vec<Value> {
    let Some(drawn) = drawn.iter().copied().collect::<Option<Vec<Drawn>>>() else {
        return vec![Value::Any; drawn.len()];
    };
    let most = drawn.iter().map(|d| d.power.hi).fold(f64::NEG_INFINITY, f64::max);
    let roundings: f64 = drawn.iter().map(|d| d.roundings).sum();
    let parts: Vec<Dd> = drawn.iter().map(|d| d.factor * (d.power - Dd::from(most)).exp()).collect();
    let total = parts.iter().fold(Dd::from(0.0), |sum, &x| sum + x);
    parts.into_iter().map(|x| near(x / total, roundings)).collect()
}

fn beta(call: &Call<'_>) -> Result {
    let shape = sample_shape(call, "shape")?;
    let mut words = Words::of(call)?;
    let mut side = |i: usize| standard(&mut words, &numbers(call, i, &shape), call.compute);
    let (a, b) = (side(0), side(1));
    let data = a.iter().zip(&b).map(|(a, b)| shares(&[*a, *b]).swap_remove(0)).collect();
    Some((shape, data))
}

fn dirichlet(call: &Call<'_>) -> Result {
    let mut shape = call.sizes("size").unwrap_or_default();
    shape.extend(call.operand(0)?.shape);
    let drawn = standard(&mut Words::of(call)?, &numbers(call, 0, &shape), call.compute);
    let data = drawn.chunks(*shape.last()?).flat_map(shares).collect();
    Some((shape, data))
}

fn exponential(call: &Call<'_>) -> Result {
    let shape = sample_shape(call, "shape")?;
    let scales = numbers(call, 0, &shape);
    let bits = width(call.compute);
    let words = Words::of(call)?.next(scales.len(), bits);
    let element = |(word, scale): (u64, f64)| {
        let logarithm = Dd::from(open(word, bits)).ln();
        Value::real((Dd::from(0.0) - logarithm) * Dd::from(scale))
    };
    Some((shape, words.into_iter().zip(scales).map(element).collect()))
}
