//! Adamax.

use super::sgd::descend;
use super::{average, bias_correction, pairs, zeros};
use ivy_core::functional::{abs, add, divide, maximum, multiply};
use ivy_core::{Result, Tree};

/// Adamax, Adam by the infinity norm (D. Kingma and J. Ba, "Adam", 2015, section 7.1): `m = b1 m + (1 - b1) g`,
/// `u = max(b2 u, |g| + eps)`, `p - rate / (1 - b1^t) m / u` in step `t`.
///
/// ```
/// use ivy::nn::optim::Adamax;
/// use ivy::prelude::*;
/// let (optimiser, p) = (Adamax::new(0.1), Array::try_from([1.0f64])?);
/// let (p, _) = optimiser.update(&p, &Array::try_from([8.0f64])?, &optimiser.init(&p)?)?;
/// // The first step is the rate, whatever the gradient's size.
/// assert!((p.to_vec::<f64>()?[0] - 0.9).abs() < 1e-8);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adamax {
    /// The learning rate.
    pub rate: f64,
    /// The decay of the first moment.
    pub b1: f64,
    /// The decay of the infinity norm.
    pub b2: f64,
    /// The term added to the gradient's size.
    pub eps: f64,
}

/// The state of [`Adamax`].
#[derive(Clone, Debug)]
pub struct AdamaxState<T> {
    /// The first moment: the moving average of gradients.
    pub mean: T,
    /// The infinity norm of the gradients so far, each decayed by its age.
    pub norm: T,
    /// How many steps were taken.
    pub steps: u64,
}

impl Adamax {
    /// With a learning rate, `b1` 0.9, `b2` 0.999 and `eps` 1e-8.
    pub const fn new(rate: f64) -> Adamax {
        Adamax { rate, b1: 0.9, b2: 0.999, eps: 1e-8 }
    }

    /// A moment and norms of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AdamaxState<T>> {
        Ok(AdamaxState { mean: zeros(parameters)?, norm: zeros(parameters)?, steps: 0 })
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
        state: &AdamaxState<T>,
    ) -> Result<(T, AdamaxState<T>)> {
        let (function, Adamax { rate, b1, b2, eps }) = ("Adamax", *self);
        let steps = state.steps.saturating_add(1);
        let mean = average(function, &state.mean, gradient, b1)?;
        let norm =
            pairs(function, &state.norm, gradient, |u, g| maximum(multiply(u, b2)?, add(abs(g)?, eps)?))?;
        let direction = pairs(function, &mean, &norm, |m, u| divide(m, u))?;
        let rate = rate / bias_correction(b1, steps);
        let next = pairs(function, parameters, &direction, |p, d| descend(p, d, rate))?;
        Ok((next, AdamaxState { mean, norm, steps }))
    }
}
