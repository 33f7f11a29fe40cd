//! Draws of events and of categories.

use super::{Call, Truth, Words, ranked};
use crate::truth::dd::Dd;
use crate::truth::num::{Num, cast};
use crate::truth::spread;

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "bernoulli" => events(call).map(|t| vec![t]),
        "multinomial" => categories(call).map(|t| vec![t]),
        _ => None,
    }
}

fn events(call: &Call<'_>) -> Option<Truth> {
    let odds = call.given(1);
    let given = odds.clone().or_else(|| call.given(0))?;
    let shape = call.sizes("shape").unwrap_or_else(|| given.shape.clone());
    let chances = spread(&given.shape, &shape).into_iter().map(|at| given.data[at].re());
    let units = Words::of(call)?.unit(shape.iter().product());
    let happens = |(chance, unit): (f64, f64)| {
        let chance = match odds {
            Some(_) => (Dd::from(1.0) / (Dd::from(1.0) + Dd::from(-chance).exp())).hi,
            None => chance,
        };
        cast(Num::Bool(unit < chance), call.output(0))
    };
    let data = chances.zip(units).map(happens).collect();
    Some(call.exact(shape, data))
}

fn categories(call: &Call<'_>) -> Option<Truth> {
    let size = call.int("population_size")? as usize;
    let count = call.int("num_samples")? as usize;
    let lines = call.int("batch_size").unwrap_or(1) as usize;
    let mut words = Words::of(call)?;
    let weights = call.given(0).map(|w| {
        let spread = spread(&w.shape, &[lines, size]);
        spread.into_iter().map(|at| w.data[at].re()).collect::<Vec<f64>>()
    });
    let drawn: Vec<usize> = match (weights, call.set("replace") == Some(false)) {
        (None, false) => words.below(size as u128, lines * count).into_iter().map(|k| k as usize).collect(),
        (None, true) => {
            let keys = words.next(lines * size, 64);
            keys.chunks(size.max(1)).flat_map(|line| ranked(line).into_iter().take(count)).collect()
        }
        (Some(weights), false) => {
            let units = words.unit(lines * count);
            let pick = |(at, unit): (usize, f64)| {
                let line = &weights[at / count * size..][..size];
                let sums = line.iter().scan(0.0, |sum, w| {
                    *sum += w;
                    Some(*sum)
                });
                let aim = unit * line.iter().sum::<f64>();
                sums.take_while(|&sum| sum <= aim).count()
            };
            units.into_iter().enumerate().map(pick).collect()
        }
        (Some(weights), true) => {
            let times: Vec<f64> = words.open(lines * size);
            let times = times.iter().zip(&weights).map(|(&u, &w)| -(Dd::from(u).ln().hi) / w);
            let times: Vec<f64> = times.collect();
            times.chunks(size.max(1)).flat_map(|line| ranked(line).into_iter().take(count)).collect()
        }
    };
    Some(call.exact(vec![lines, count], drawn.into_iter().map(|k| Num::Int(k as i128)).collect()))
}
