//! Faults of derivatives and of `vmap` that comparing with JAX and PyTorch found, by their numbers (docs/derivatives.md),
//! with the right values: first and second derivatives at kinks, zeros and edges.

mod decompositions;
mod formulas;
mod kinks;
mod modes;
mod operands;
mod rules;
mod selections;

use ivy::Result;
use ivy::prelude::*;

fn a(value: f64) -> Array {
    Array::from_vec(vec![value], []).unwrap()
}

fn v(values: &[f64]) -> Array {
    Array::from_vec(values.to_vec(), values.len()).unwrap()
}

fn host(x: Array) -> Vec<f64> {
    x.to_vec::<f64>().unwrap()
}

#[track_caller]
fn close(found: Vec<f64>, wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{found:?}, not {wanted:?}");
    for (x, y) in found.iter().zip(wanted) {
        let same = (x - y).abs() <= 1e-9 * (1.0 + y.abs()) || x == y || x.is_nan() && y.is_nan();
        assert!(same, "{found:?}, not {wanted:?}");
    }
}

/// The first derivative of a function of numbers, summed.
fn first(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Vec<f64> {
    host(ivy::grad(|x: &Array| ivy::sum(f(x)?, ()))(x).unwrap())
}

fn second(f: impl Fn(&Array) -> Result<Array>, x: &Array) -> Vec<f64> {
    let once = ivy::grad(|x: &Array| ivy::sum(f(x)?, ()));
    let twice = host(ivy::grad(|x: &Array| ivy::sum(once(x)?, ()))(x).unwrap());
    // Forward over reverse says the same.
    let ones = ivy::ones_like(x, ()).unwrap();
    let along = host(ivy::jvp(&once, x, &ones).unwrap().1);
    close(vec![along.iter().sum()], &[twice.iter().sum()]);
    twice
}
