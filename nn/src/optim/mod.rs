//! Optimisers: from parameters and their gradient to the next parameters, as pure functions.
//!
//! An optimiser is its hyperparameters. Its state is a value of its own, of the model's type, that is given and given
//! back. The learning rate is a number of each step, so that a schedule ([`Schedule`]) is a function of the step's number.

mod adagrad;
mod adam;
mod clip;
mod rmsprop;
mod schedule;
mod sgd;

pub use adagrad::{Adagrad, AdagradState};
pub use adam::{Adam, AdamState, Lamb};
pub use clip::{clip_by_global_norm, global_norm};
pub use rmsprop::{RmsProp, RmsPropState};
pub use schedule::Schedule;
pub use sgd::{Momentum, Sgd};

use crate::invalid;
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

/// A value of the same structure, of zeros.
fn zeros<T: Tree>(of: &T) -> Result<T> {
    of.map_arrays(&mut |_, x| ivy_core::functional::zeros_like(x, ()))
}
