//! NAdam.

use super::sgd::descend;
use super::{average, average_square, bias_correction, decayed, pairs, zeros};
use ivy_core::functional::{add, divide, multiply, sqrt};
use ivy_core::{Result, Tree};

/// NAdam, Adam with Nesterov momentum (T. Dozat, "Incorporating Nesterov momentum into Adam", 2016). The first moment's
/// decay in step `t` is `c_t = b1 (1 - 0.96^(t momentum_decay) / 2)`; with `C_t` the product of all so far, `m` and `v` as Adam's, and `v'`
/// corrected for its bias, `p - rate ((1 - c_t) / (1 - C_t) g + c_(t+1) / (1 - C_(t+1)) m) / (sqrt(v') + eps)`.
///
/// ```
/// use ivy::nn::optim::NAdam;
/// use ivy::prelude::*;
/// let (optimiser, p) = (NAdam::new(0.1), Array::try_from([1.0f64])?);
/// let (p, state) = optimiser.update(&p, &Array::try_from([8.0f64])?, &optimiser.init(&p)?)?;
/// assert!(p.to_vec::<f64>()?[0] < 0.9 && state.steps == 1);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NAdam {
    /// The learning rate.
    pub rate: f64,
    /// The decay of the first moment, which it grows to from a half of it.
    pub b1: f64,
    /// The decay of the second moment.
    pub b2: f64,
    /// The term added to the root of the second moment.
    pub eps: f64,
    /// How fast the first moment's decay grows.
    pub momentum_decay: f64,
    /// The decoupled weight decay, times the learning rate.
    pub decay: f64,
}

/// The state of [`NAdam`].
#[derive(Clone, Debug)]
pub struct NAdamState<T> {
    /// The first moment: the moving average of gradients.
    pub mean: T,
    /// The second moment: the moving average of their squares.
    pub square: T,
    /// The product of the first moment's decays so far.
    pub product: f64,
    /// How many steps were taken.
    pub steps: u64,
}

impl NAdam {
    /// With a learning rate, `b1` 0.9, `b2` 0.999, `eps` 1e-8, `momentum_decay` 0.004 and no weight decay.
    pub const fn new(rate: f64) -> NAdam {
        NAdam { rate, b1: 0.9, b2: 0.999, eps: 1e-8, momentum_decay: 4e-3, decay: 0.0 }
    }

    /// Moments of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<NAdamState<T>> {
        Ok(NAdamState { mean: zeros(parameters)?, square: zeros(parameters)?, product: 1.0, steps: 0 })
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
        state: &NAdamState<T>,
    ) -> Result<(T, NAdamState<T>)> {
        let (function, NAdam { rate, b1, b2, eps, .. }) = ("NAdam", *self);
        let steps = state.steps.saturating_add(1);
        let decay_at = |step: u64| b1 * (1.0 - 0.5 * 0.96f64.powf(step as f64 * self.momentum_decay));
        let (now, then) = (decay_at(steps), decay_at(steps.saturating_add(1)));
        let product = state.product * now;
        let mean = average(function, &state.mean, gradient, b1)?;
        let square = average_square(function, &state.square, gradient, b2)?;
        let (of_gradient, of_mean) = ((1.0 - now) / (1.0 - product), then / (1.0 - product * then));
        let ahead =
            pairs(function, gradient, &mean, |g, m| add(multiply(g, of_gradient)?, multiply(m, of_mean)?))?;
        let correction = 1.0 / bias_correction(b2, steps);
        let direction =
            pairs(function, &ahead, &square, |d, v| divide(d, add(sqrt(multiply(v, correction)?)?, eps)?))?;
        let before = decayed(parameters, rate, self.decay)?;
        let next = pairs(function, &before, &direction, |p, d| descend(p, d, rate))?;
        Ok((next, NAdamState { mean, square, product, steps }))
    }
}
