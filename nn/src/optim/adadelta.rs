//! Adadelta.

use super::sgd::descend;
use super::{average_square, pairs, zeros};
use ivy_core::functional::{add, divide, multiply, sqrt};
use ivy_core::{Result, Tree};

/// Adadelta (M. Zeiler, "ADADELTA: an adaptive learning rate method", 2012): `v = rho v + (1 - rho) g^2`,
/// `d = sqrt(u + eps) / sqrt(v + eps) g`, `u = rho u + (1 - rho) d^2`, `p - rate d`.
///
/// ```
/// use ivy::nn::optim::Adadelta;
/// use ivy::prelude::*;
/// let (optimiser, p) = (Adadelta::new(1.0), Array::try_from([1.0f64])?);
/// let (p, _) = optimiser.update(&p, &Array::try_from([2.0f64])?, &optimiser.init(&p)?)?;
/// // The first step: the root of eps over that of (1 - rho) g^2, times g.
/// assert!((p.to_vec::<f64>()?[0] - (1.0 - (1e-6f64 / 0.1).sqrt())).abs() < 1e-8);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adadelta {
    /// The learning rate.
    pub rate: f64,
    /// The decay of both moving averages.
    pub rho: f64,
    /// The term added below both roots.
    pub eps: f64,
}

/// The state of [`Adadelta`].
#[derive(Clone, Debug)]
pub struct AdadeltaState<T> {
    /// The moving average of the gradients' squares.
    pub square: T,
    /// The moving average of the steps' squares.
    pub step: T,
}

impl Adadelta {
    /// With a learning rate, `rho` 0.9 and `eps` 1e-6.
    pub const fn new(rate: f64) -> Adadelta {
        Adadelta { rate, rho: 0.9, eps: 1e-6 }
    }

    /// Averages of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AdadeltaState<T>> {
        Ok(AdadeltaState { square: zeros(parameters)?, step: zeros(parameters)? })
    }

    /// The next parameters and state.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a gradient of another structure, and those of
    /// arithmetic.
    pub fn update<T: Tree>(
        &self,
        parameters: &T,
        gradient: &T,
        state: &AdadeltaState<T>,
    ) -> Result<(T, AdadeltaState<T>)> {
        let (function, Adadelta { rate, rho, eps }) = ("Adadelta", *self);
        let squares = average_square(function, &state.square, gradient, rho)?;
        let ratio =
            pairs(function, &state.step, &squares, |u, v| divide(sqrt(add(u, eps)?)?, sqrt(add(v, eps)?)?))?;
        let direction = pairs(function, &ratio, gradient, |r, g| multiply(r, g))?;
        let step = average_square(function, &state.step, &direction, rho)?;
        let next = pairs(function, parameters, &direction, |p, d| descend(p, d, rate))?;
        Ok((next, AdadeltaState { square: squares, step }))
    }
}
