//! Draws of events and of categories.

use super::{Call, Truth, Words, ranked};
use crate::truth::dd::Dd;
use crate::truth::num::{Num, cast};
use crate::truth::{axis, indices, place, spread};

pub(super) fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    match call.function {
        "bernoulli" => events(call).map(|t| vec![t]),
        "choice" => chosen(call).map(|t| vec![t]),
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
    let single = lines == 1 && call.given(0).is_some_and(|w| w.shape.len() == 1);
    let weights = call.given(0).map(|w| {
        let spread = spread(&w.shape, &[lines, size]);
        spread.into_iter().map(|at| w.data[at].re()).collect::<Vec<f64>>()
    });
    let replace = call.set("replace") != Some(false);
    let drawn = drawn(&mut words, weights, [lines, size, count], replace);
    let shape = if single { vec![count] } else { vec![lines, count] };
    Some(call.exact(shape, drawn.into_iter().map(|k| Num::Int(k as i128)).collect()))
}

/// Categories of each line, all alike or as likely as their weights.
fn drawn(
    words: &mut Words,
    weights: Option<Vec<f64>>,
    [lines, size, count]: [usize; 3],
    replace: bool,
) -> Vec<usize> {
    match (weights, !replace) {
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
    }
}

/// Parts of an array along an axis.
fn chosen(call: &Call<'_>) -> Option<Truth> {
    let a = call.given(0)?;
    let axis = axis(call.int("axis").unwrap_or(0), a.shape.len());
    let size = call.sizes("size").unwrap_or_default();
    let weights = call.given(1).map(|p| p.data.iter().map(|x| x.re()).collect());
    let lengths = [1, a.shape[axis], size.iter().product()];
    let which = drawn(&mut Words::of(call)?, weights, lengths, call.set("replace") != Some(false));
    let shape = [&a.shape[..axis], &size, &a.shape[axis + 1..]].concat();
    let from = |index: Vec<usize>| {
        let part = which[place(&index[axis..axis + size.len()], &size)];
        a.data[place(&[&index[..axis], &[part], &index[axis + size.len()..]].concat(), &a.shape)]
    };
    let data = indices(&shape).map(from).collect();
    Some(call.exact(shape, data))
}
