//! RMSprop.

use super::sgd::descend;
use super::{average, average_square, pairs, zeros};
use ivy_core::functional::{add, divide, multiply, sqrt, square, subtract};
use ivy_core::{Result, Tree};

/// RMSprop (G. Hinton, lecture 6e of "Neural networks for machine learning", 2012): `v = alpha v + (1 - alpha) g^2`,
/// `p - rate g / (sqrt(v) + eps)`; centered, `v` less the square of the gradients' moving average (A. Graves, 2013), and with momentum
/// `b = momentum b + g / (sqrt(v) + eps)`, `p - rate b`.
///
/// ```
/// use ivy::nn::optim::RmsProp;
/// use ivy::prelude::*;
/// let (optimiser, p) = (RmsProp::new(0.1), Array::try_from([1.0f64])?);
/// let (p, _) = optimiser.update(&p, &Array::try_from([2.0f64])?, &optimiser.init(&p)?)?;
/// // The root of a hundredth of the square.
/// assert!((p.to_vec::<f64>()?[0] - 0.0).abs() < 1e-7);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmsProp {
    /// The learning rate.
    pub rate: f64,
    /// The decay of the moving average of squares.
    pub alpha: f64,
    /// The term added to the root.
    pub eps: f64,
    /// The decay of the velocity; 0 for none.
    pub momentum: f64,
    /// Whether the square of the moving average of gradients is subtracted.
    pub centered: bool,
}

/// The state of [`RmsProp`].
#[derive(Clone, Debug)]
pub struct RmsPropState<T> {
    /// The moving average of squares.
    pub square: T,
    /// The moving average of gradients, where they are centered.
    pub mean: Option<T>,
    /// The velocity, where there is momentum.
    pub velocity: Option<T>,
}

impl RmsProp {
    /// With a learning rate, `alpha` 0.99, `eps` 1e-8, not centered and without momentum.
    pub const fn new(rate: f64) -> RmsProp {
        RmsProp { rate, alpha: 0.99, eps: 1e-8, momentum: 0.0, centered: false }
    }

    /// Averages and a velocity of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<RmsPropState<T>> {
        let wanted = |wanted: bool| wanted.then(|| zeros(parameters)).transpose();
        let (mean, velocity) = (wanted(self.centered)?, wanted(self.momentum != 0.0)?);
        Ok(RmsPropState { square: zeros(parameters)?, mean, velocity })
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
        state: &RmsPropState<T>,
    ) -> Result<(T, RmsPropState<T>)> {
        let (function, RmsProp { alpha, eps, .. }) = ("RmsProp", *self);
        let squares = average_square(function, &state.square, gradient, alpha)?;
        let mean = state.mean.as_ref().map(|mean| average(function, mean, gradient, alpha)).transpose()?;
        let centered = match &mean {
            Some(mean) => Some(pairs(function, &squares, mean, |v, m| subtract(v, square(m)?))?),
            None => None,
        };
        let moment = centered.as_ref().unwrap_or(&squares);
        let direction = pairs(function, gradient, moment, |g, v| divide(g, add(sqrt(v)?, eps)?))?;
        let faster = |v: &T| pairs(function, v, &direction, |v, d| add(multiply(v, self.momentum)?, d));
        let velocity = state.velocity.as_ref().map(faster).transpose()?;
        let step = velocity.as_ref().unwrap_or(&direction);
        let next = pairs(function, parameters, step, |p, d| descend(p, d, self.rate))?;
        Ok((next, RmsPropState { square: squares, mean, velocity }))
    }
}
