//! RAdam.

use super::sgd::descend;
use super::{AdamState, average, average_square, bias_correction, decayed, pairs, zeros};
use ivy_core::functional::{add, divide, sqrt};
use ivy_core::{Result, Tree};

/// RAdam, rectified Adam (L. Liu et al., "On the variance of the adaptive learning rate and beyond", 2020): with the length
/// `r_t = r - 2 t b2^t / (1 - b2^t)` of the second moment's average, `r = 2 / (1 - b2) - 1`, a step of Adam times
/// `sqrt((r_t - 4) (r_t - 2) r / ((r - 4) (r - 2) r_t))` where `r_t > 5`, and `p - rate m'` before.
///
/// ```
/// use ivy::nn::optim::RAdam;
/// use ivy::prelude::*;
/// let (optimiser, p) = (RAdam::new(0.1), Array::try_from([1.0f64])?);
/// let (p, _) = optimiser.update(&p, &Array::try_from([2.0f64])?, &optimiser.init(&p)?)?;
/// // The first steps follow the mean of the gradients.
/// assert!((p.to_vec::<f64>()?[0] - 0.8).abs() < 1e-12);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RAdam {
    /// The learning rate.
    pub rate: f64,
    /// The decay of the first moment.
    pub b1: f64,
    /// The decay of the second moment.
    pub b2: f64,
    /// The term added to the root of the second moment.
    pub eps: f64,
    /// The decoupled weight decay, times the learning rate.
    pub decay: f64,
}

impl RAdam {
    /// With a learning rate, `b1` 0.9, `b2` 0.999, `eps` 1e-8 and no decay.
    pub const fn new(rate: f64) -> RAdam {
        RAdam { rate, b1: 0.9, b2: 0.999, eps: 1e-8, decay: 0.0 }
    }

    /// Moments of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AdamState<T>> {
        let [mean, square] = [zeros(parameters)?, zeros(parameters)?];
        Ok(AdamState { mean, square, max_square: None, steps: 0 })
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
        state: &AdamState<T>,
    ) -> Result<(T, AdamState<T>)> {
        let (function, RAdam { rate, b1, b2, eps, decay }) = ("RAdam", *self);
        let steps = state.steps.saturating_add(1);
        let mean = average(function, &state.mean, gradient, b1)?;
        let square = average_square(function, &state.square, gradient, b2)?;
        let (first, second) = (bias_correction(b1, steps), bias_correction(b2, steps));
        let longest = 2.0 / (1.0 - b2) - 1.0;
        let length = longest - 2.0 * steps as f64 * (1.0 - second) / second;
        let before = decayed(parameters, rate, decay)?;
        let next = match length > 5.0 {
            false => pairs(function, &before, &mean, |p, m| descend(p, m, rate / first))?,
            true => {
                let variance = |r: f64| (r - 4.0) * (r - 2.0) / r;
                let rectified = (variance(length) / variance(longest)).sqrt() * second.sqrt() / first;
                let direction = pairs(function, &mean, &square, |m, v| divide(m, add(sqrt(v)?, eps)?))?;
                pairs(function, &before, &direction, |p, d| descend(p, d, rate * rectified))?
            }
        };
        Ok((next, AdamState { mean, square, max_square: None, steps }))
    }
}
