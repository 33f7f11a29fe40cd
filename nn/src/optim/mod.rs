//! Optimisers: from parameters and their gradient to the next parameters, as pure functions.
//!
//! An optimiser is its hyperparameters. Its state is a value of its own, of the model's type, that is given and given
//! back. The learning rate is a number of each step, so that a schedule ([`Schedule`]) is a function of the step's number.

mod adadelta;
mod adagrad;
mod adam;
mod adamax;
mod asgd;
mod clip;
mod nadam;
mod radam;
mod rmsprop;
mod rprop;
mod schedule;
mod sgd;

pub use adadelta::{Adadelta, AdadeltaState};
pub use adagrad::{Adagrad, AdagradState};
pub use adam::{Adam, AdamState, Lamb};
pub use adamax::{Adamax, AdamaxState};
pub use asgd::{Asgd, AsgdState};
pub use clip::{clip_by_global_norm, global_norm};
pub use nadam::{NAdam, NAdamState};
pub use radam::RAdam;
pub use rmsprop::{RmsProp, RmsPropState};
pub use rprop::{Rprop, RpropState};
pub use schedule::Schedule;
pub use sgd::{Momentum, Sgd};

use crate::invalid;
use ivy_core::functional::{add, multiply, square};
use ivy_core::{Array, Result, Tree};

/// What a function makes of the arrays of two values of one structure.
fn pairs<T: Tree>(
    function: &'static str,
    a: &T,
    b: &T,
    f: impl Fn(&Array, &Array) -> Result<Array>,
) -> Result<T> {
    let others = b.arrays()?;
    let own = a.arrays()?;
    if own.len() != others.len() {
        let value = format!("{} and {} arrays", own.len(), others.len());
        return Err(invalid(function, "gradient", value, "one array for each of the parameters"));
    }
    let made: Vec<Array> = own.iter().zip(&others).map(|(a, b)| f(a, b)).collect::<Result<_>>()?;
    a.with_arrays(made)
}

/// The next moving average: `decay mean + (1 - decay) x`.
fn average<T: Tree>(function: &'static str, mean: &T, x: &T, decay: f64) -> Result<T> {
    pairs(function, mean, x, |m, x| add(multiply(m, decay)?, multiply(x, 1.0 - decay)?))
}

/// The next moving average of squares: `decay mean + (1 - decay) x^2`.
fn average_square<T: Tree>(function: &'static str, mean: &T, x: &T, decay: f64) -> Result<T> {
    pairs(function, mean, x, |m, x| add(multiply(m, decay)?, multiply(square(x)?, 1.0 - decay)?))
}

/// `1 - decay^steps`: what a moving average that began with 0 is divided by.
fn bias_correction(decay: f64, steps: u64) -> f64 {
    1.0 - decay.powi(i32::try_from(steps).unwrap_or(i32::MAX))
}

/// Parameters after their decoupled weight decay: `p - rate decay p`.
fn decayed<T: Tree>(parameters: &T, rate: f64, decay: f64) -> Result<T> {
    parameters.map_arrays(&mut |_, p| match decay == 0.0 {
        true => Ok(p.clone()),
        false => multiply(p, 1.0 - rate * decay),
    })
}

/// A value of the same structure, of zeros.
fn zeros<T: Tree>(of: &T) -> Result<T> {
    of.map_arrays(&mut |_, x| ivy_core::functional::zeros_like(x, ()))
}
