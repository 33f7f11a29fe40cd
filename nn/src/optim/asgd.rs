//! Averaged stochastic gradient descent.

use super::sgd::descend;
use super::{pairs, zeros};
use ivy_core::functional::{add, multiply, subtract};
use ivy_core::{Result, Tree};

/// Averaged stochastic gradient descent (B. Polyak and A. Juditsky, 1992): `p = (1 - lambda r) p - r g` with a rate `r` that falls as
/// `rate / (1 + lambda rate t)^alpha`, and the average of the parameters from step `start` on, `a = a + (p - a) / (t - start)`.
///
/// ```
/// use ivy::nn::optim::Asgd;
/// use ivy::prelude::*;
/// let (optimiser, mut p) = (Asgd { start: 0.0, ..Asgd::new(0.1) }, Array::try_from([1.0f64])?);
/// let mut state = optimiser.init(&p)?;
/// for _ in 0..50 {
///     let gradient = ivy::multiply(&p, 2.0)?;
///     (p, state) = optimiser.update(&p, &gradient, &state)?;
/// }
/// assert!(p.to_vec::<f64>()?[0].abs() < 1e-3 && state.average.to_vec::<f64>()?[0] < 0.2);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asgd {
    /// The first learning rate.
    pub rate: f64,
    /// The decay of parameters, and of the learning rate.
    pub lambda: f64,
    /// The power by which the learning rate falls.
    pub alpha: f64,
    /// The step from which on parameters are averaged.
    pub start: f64,
}

/// The state of [`Asgd`].
#[derive(Clone, Debug)]
pub struct AsgdState<T> {
    /// The average of the parameters; before step `start` they themselves.
    pub average: T,
    /// The learning rate of the next step; `None` before the first one.
    pub rate: Option<f64>,
    /// How many steps were taken.
    pub steps: u64,
}

impl Asgd {
    /// With a first learning rate, `lambda` 1e-4, `alpha` 0.75 and `start` 1e6.
    pub const fn new(rate: f64) -> Asgd {
        Asgd { rate, lambda: 1e-4, alpha: 0.75, start: 1e6 }
    }

    /// An average of zeros, which the first step replaces.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AsgdState<T>> {
        Ok(AsgdState { average: zeros(parameters)?, rate: None, steps: 0 })
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
        state: &AsgdState<T>,
    ) -> Result<(T, AsgdState<T>)> {
        let (function, Asgd { lambda, alpha, .. }) = ("Asgd", *self);
        let rate = state.rate.unwrap_or(self.rate);
        let steps = state.steps.saturating_add(1);
        let next = pairs(function, parameters, gradient, |p, g| {
            descend(&multiply(p, 1.0 - lambda * rate)?, g, rate)
        })?;
        let weight = 1.0 / (state.steps as f64 - self.start).max(1.0);
        let average = match weight == 1.0 {
            true => next.with_arrays(next.arrays()?)?,
            false => {
                pairs(function, &state.average, &next, |a, p| add(a, multiply(subtract(p, a)?, weight)?))?
            }
        };
        let rate = self.rate / (1.0 + lambda * self.rate * steps as f64).powf(alpha);
        Ok((next, AsgdState { average, rate: Some(rate), steps }))
    }
}
