//! Whole programs, each as somebody would write it who knows the functions and nothing of the engine: loops that hold
//! their state, read what they decide on, and keep results.

mod network;
mod numerics;
mod series;

use crate::uniform;
use ivy::{Array, Result};

/// One iteration of a program's loop: it takes the iteration's number, from 1 on, and reads what the program would.
pub type Iteration = Box<dyn FnMut(usize) -> Result<()>>;

/// A program.
pub struct Program {
    /// What tables call it.
    pub name: &'static str,
    /// How many turns it takes.
    pub iterations: usize,
    /// Makes its state, and gives its iteration.
    pub begin: fn() -> Result<Iteration>,
}

/// All of them.
pub const ALL: &[Program] = &[
    Program {
        name: "training: two layers, Adam, the loss read each step",
        iterations: 1000,
        begin: network::training,
    },
    Program { name: "momentum: a maximum read every tenth step", iterations: 1000, begin: network::momentum },
    Program {
        name: "vmap(grad): a small loss over 256 examples",
        iterations: 1000,
        begin: network::each_example,
    },
    Program {
        name: "Kalman filter: 3 states, estimates appended",
        iterations: 10_000,
        begin: series::kalman,
    },
    Program { name: "random walk: 10 000 walkers draw each step", iterations: 1000, begin: series::walk },
    Program {
        name: "results appended, and stacked every 100 iterations",
        iterations: 1000,
        begin: series::appended,
    },
    Program { name: "k-means: 100 000 points, 8 centres", iterations: 30, begin: numerics::k_means },
    Program { name: "Jacobi: 128 x 128, a test each iteration", iterations: 1000, begin: numerics::jacobi },
    Program {
        name: "line search: values read each iteration",
        iterations: 1000,
        begin: numerics::line_search,
    },
    Program {
        name: "sum of a thousand sines of sines, 10 000 elements",
        iterations: 10,
        begin: numerics::sines,
    },
    Program { name: "its gradient", iterations: 10, begin: numerics::sines_gradient },
];

/// Numbers of a shape from -`scale` to `scale`, the same on every run.
fn drawn(shape: &[usize], scale: f32) -> Result<Array> {
    let numbers = uniform(shape.iter().product(), 1);
    Array::from_vec(numbers.into_iter().map(|x| x * scale).collect(), shape)
}
