//! Optimisers against their formulas, step by step in float64.

use ivy::nn::optim::{Adam, Lamb, Momentum, Schedule, Sgd, clip_by_global_norm, global_norm};
use ivy::prelude::*;

const GRADIENTS: [[f64; 2]; 3] = [[1.0, -2.0], [0.5, 3.0], [-0.25, 0.0]];

fn array(values: [f64; 2]) -> Array {
    Array::try_from(values).unwrap()
}

fn elements(x: &Array) -> Vec<f64> {
    x.to_vec::<f64>().unwrap()
}

fn close(found: &Array, wanted: [f64; 2]) {
    for (a, b) in elements(found).iter().zip(wanted) {
        assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{a}, not {b}");
    }
}

#[test]
fn gradient_descent_with_and_without_momentum() {
    for nesterov in [false, true] {
        let optimiser = Momentum { nesterov, ..Momentum::new(0.1, 0.9) };
        let (mut p, mut v) = (array([1.0, 2.0]), optimiser.init(&array([1.0, 2.0])).unwrap());
        let (mut wanted, mut velocity) = ([1.0, 2.0], [0.0, 0.0]);
        for g in GRADIENTS {
            (p, v) = optimiser.update(&p, &array(g), &v).unwrap();
            for i in 0..2 {
                velocity[i] = 0.9 * velocity[i] + g[i];
                wanted[i] -= 0.1 * if nesterov { 0.9 * velocity[i] + g[i] } else { velocity[i] };
            }
            close(&p, wanted);
        }
    }
    close(&Sgd::new(0.5).update(&array([1.0, 2.0]), &array([2.0, -2.0])).unwrap(), [0.0, 3.0]);
}

#[test]
fn adam_with_and_without_decay_and_lamb() {
    for (decay, lamb) in [(0.0, false), (0.1, false), (0.1, true)] {
        let adam = Adam::with_decay(0.01, decay);
        let (mut p, mut state) = (array([1.0, 2.0]), adam.init(&array([1.0, 2.0])).unwrap());
        let (mut wanted, mut m, mut v) = ([1.0f64, 2.0], [0.0; 2], [0.0f64; 2]);
        for (step, g) in GRADIENTS.into_iter().enumerate() {
            (p, state) = match lamb {
                true => Lamb { adam }.update(&p, &array(g), &state).unwrap(),
                false => adam.update(&p, &array(g), &state).unwrap(),
            };
            let t = step as i32 + 1;
            let mut d = [0.0; 2];
            for i in 0..2 {
                m[i] = 0.9 * m[i] + 0.1 * g[i];
                v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
                let (mean, square) = (m[i] / (1.0 - 0.9f64.powi(t)), v[i] / (1.0 - 0.999f64.powi(t)));
                d[i] = mean / (square.sqrt() + 1e-8) + decay * wanted[i];
            }
            let norm = |x: [f64; 2]| x[0].hypot(x[1]);
            let ratio = if lamb { norm(wanted) / norm(d) } else { 1.0 };
            (0..2).for_each(|i| wanted[i] -= 0.01 * ratio * d[i]);
            for (a, b) in elements(&p).iter().zip(wanted) {
                assert!((a - b).abs() < 1e-12, "decay {decay}, lamb {lamb}: {a}, not {b}");
            }
        }
        assert_eq!(state.steps, 3);
    }
    // Nothing to scale by.
    let lamb = Lamb::new(0.1, 0.0);
    let zeros = array([0.0, 0.0]);
    let (p, _) = lamb.update(&zeros, &zeros, &lamb.init(&zeros).unwrap()).unwrap();
    close(&p, [0.0, 0.0]);
}

#[test]
fn gradients_are_clipped_by_the_length_of_all_of_them() {
    let gradient = vec![array([3.0, 0.0]), array([0.0, 4.0])];
    assert_eq!(global_norm(&gradient).unwrap().item::<f64>().unwrap(), 5.0);
    let clipped = clip_by_global_norm(&gradient, 2.5).unwrap();
    close(&clipped[0], [1.5, 0.0]);
    close(&clip_by_global_norm(&gradient, 10.0).unwrap()[1], [0.0, 4.0]);
    for limit in [0.0, -1.0, f64::NAN] {
        assert!(clip_by_global_norm(&gradient, limit).is_err());
    }
    let none: Vec<Array> = Vec::new();
    assert!(global_norm(&none).unwrap_err().to_string().contains("no arrays"));
}

#[test]
fn another_structure_is_refused() {
    let (one, two) = (vec![array([1.0, 1.0])], vec![array([1.0, 1.0]), array([1.0, 1.0])]);
    let error = Sgd::new(0.1).update(&one, &two).unwrap_err().to_string();
    assert_eq!(error, "Sgd: gradient = 1 and 2 arrays: one array for each of the parameters");
}

#[test]
fn schedules() {
    let steps = Schedule::Piecewise { from: 1.0, then: vec![(2, 0.5), (4, 0.1)] };
    assert_eq!([0, 1, 2, 3, 4, 9].map(|s| steps.at(s)), [1.0, 1.0, 0.5, 0.5, 0.1, 0.1]);
    let halves = Schedule::Exponential { from: 8.0, factor: 0.5, every: 2 };
    assert_eq!([0, 2, 6].map(|s| halves.at(s)), [8.0, 4.0, 1.0]);
    let cosine = Schedule::Cosine { from: 2.0, to: 1.0, steps: 4 };
    assert!((cosine.at(2) - 1.5).abs() < 1e-15);
    assert_eq!((cosine.at(0), cosine.at(4), Schedule::Constant(3.0).at(7)), (2.0, 1.0, 3.0));
    assert_eq!(Schedule::Cosine { from: 2.0, to: 1.0, steps: 0 }.at(0), 1.0);
}
