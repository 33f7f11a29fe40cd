//! Adagrad.

use super::pairs;
use super::sgd::descend;
use ivy_core::functional::{add, divide, full_like, sqrt, square};
use ivy_core::{Result, Tree};

/// Adagrad (J. Duchi et al., 2011): `s = s + g^2`, `p - rate / (1 + (t - 1) decay) g / (sqrt(s) + eps)` in step `t`.
///
/// ```
/// use ivy::nn::optim::Adagrad;
/// use ivy::prelude::*;
/// let (optimiser, p) = (Adagrad::new(0.5), Array::try_from([1.0f64])?);
/// let (p, _) = optimiser.update(&p, &Array::try_from([3.0f64])?, &optimiser.init(&p)?)?;
/// assert!((p.to_vec::<f64>()?[0] - 0.5).abs() < 1e-9);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adagrad {
    /// The learning rate.
    pub rate: f64,
    /// How much the learning rate decays with each step.
    pub decay: f64,
    /// What the sums of squares begin with.
    pub initial: f64,
    /// The term added to the root.
    pub eps: f64,
}

/// The state of [`Adagrad`].
#[derive(Clone, Debug)]
pub struct AdagradState<T> {
    /// The sums of squares.
    pub sum: T,
    /// How many steps were taken.
    pub steps: u64,
}

impl Adagrad {
    /// With a learning rate that does not decay, sums from 0 on, and `eps` 1e-10.
    pub const fn new(rate: f64) -> Adagrad {
        Adagrad { rate, decay: 0.0, initial: 0.0, eps: 1e-10 }
    }

    /// The first sums.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AdagradState<T>> {
        let sum = parameters.map_arrays(&mut |_, x| full_like(x, self.initial, ()))?;
        Ok(AdagradState { sum, steps: 0 })
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
        state: &AdagradState<T>,
    ) -> Result<(T, AdagradState<T>)> {
        let function = "Adagrad";
        let rate = self.rate / (1.0 + state.steps as f64 * self.decay);
        let sum = pairs(function, &state.sum, gradient, |s, g| add(s, square(g)?))?;
        let direction = pairs(function, gradient, &sum, |g, s| divide(g, add(sqrt(s)?, self.eps)?))?;
        let next = pairs(function, parameters, &direction, |p, d| descend(p, d, rate))?;
        Ok((next, AdagradState { sum, steps: state.steps.saturating_add(1) }))
    }
}
