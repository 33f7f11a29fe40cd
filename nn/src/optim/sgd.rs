//! Stochastic gradient descent, with and without momentum.

use super::{pairs, zeros};
use ivy_core::functional::{add, multiply, subtract};
use ivy_core::{Array, Result, Tree};

/// Stochastic gradient descent: `p - rate g`.
///
/// ```
/// use ivy::nn::optim::Sgd;
/// use ivy::prelude::*;
/// let p = Sgd::new(0.5).update(&Array::try_from([1.0f64])?, &Array::try_from([4.0f64])?)?;
/// assert_eq!(p.to_vec::<f64>()?, [-1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sgd {
    /// The learning rate.
    pub rate: f64,
}

impl Sgd {
    /// With a learning rate.
    pub const fn new(rate: f64) -> Sgd {
        Sgd { rate }
    }

    /// The next parameters.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a gradient of another structure, and those of
    /// arithmetic.
    pub fn update<T: Tree>(&self, parameters: &T, gradient: &T) -> Result<T> {
        pairs("Sgd", parameters, gradient, |p, g| descend(p, g, self.rate))
    }
}

/// `p - rate d`.
pub(super) fn descend(p: &Array, d: &Array, rate: f64) -> Result<Array> {
    subtract(p, multiply(d, rate)?)
}

/// Stochastic gradient descent with momentum: `v = momentum v + g`, `p - rate v`; with `nesterov`
/// `p - rate (g + momentum v)`.
///
/// ```
/// use ivy::nn::optim::Momentum;
/// use ivy::prelude::*;
/// let (optimiser, g) = (Momentum::new(0.1, 0.5), Array::try_from([1.0f64])?);
/// let p = Array::try_from([0.0f64])?;
/// let velocity = optimiser.init(&p)?;
/// let (p, velocity) = optimiser.update(&p, &g, &velocity)?;
/// let (p, _) = optimiser.update(&p, &g, &velocity)?;
/// assert!((p.to_vec::<f64>()?[0] + 0.25).abs() < 1e-15);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// The learning rate.
    pub rate: f64,
    /// The decay of the velocity.
    pub momentum: f64,
    /// Nesterov momentum (Y. Nesterov, 1983).
    pub nesterov: bool,
}

impl Momentum {
    /// Without Nesterov's form.
    pub const fn new(rate: f64, momentum: f64) -> Momentum {
        Momentum { rate, momentum, nesterov: false }
    }

    /// A velocity of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<T> {
        zeros(parameters)
    }

    /// The next parameters and velocity.
    ///
    /// # Errors
    /// As [`Sgd::update`].
    pub fn update<T: Tree>(&self, parameters: &T, gradient: &T, velocity: &T) -> Result<(T, T)> {
        let next = pairs("Momentum", velocity, gradient, |v, g| add(multiply(v, self.momentum)?, g))?;
        let step = match self.nesterov {
            true => pairs("Momentum", &next, gradient, |v, g| add(multiply(v, self.momentum)?, g))?,
            false => next.with_arrays(next.arrays()?)?,
        };
        Ok((pairs("Momentum", parameters, &step, |p, v| descend(p, v, self.rate))?, next))
    }
}
