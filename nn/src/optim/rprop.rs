//! Rprop.

use super::{pairs, zeros};
use ivy_core::functional::{clip, full_like, greater, less, multiply, sign, subtract, where_};
use ivy_core::{Result, Tree};

/// Rprop, resilient backpropagation (M. Riedmiller and H. Braun, 1993), without weight backtracking: each element has a step
/// size, which grows by `grow` while its gradient keeps its sign and falls by `shrink` where the sign changes, where the element stays for a
/// step; `p - size sign(g)`.
///
/// ```
/// use ivy::nn::optim::Rprop;
/// use ivy::prelude::*;
/// let (optimiser, mut p) = (Rprop::new(0.1), Array::try_from([1.0f64])?);
/// let mut state = optimiser.init(&p)?;
/// for gradient in [3.0f64, 5.0] {
///     (p, state) = optimiser.update(&p, &Array::try_from([gradient])?, &state)?;
/// }
/// assert!((p.to_vec::<f64>()?[0] - (1.0 - 0.1 - 0.12)).abs() < 1e-12);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rprop {
    /// The first step size.
    pub rate: f64,
    /// What a step size is multiplied by where the gradient's sign changes.
    pub shrink: f64,
    /// What a step size is multiplied by where the gradient's sign stays.
    pub grow: f64,
    /// The least step size.
    pub least: f64,
    /// The greatest step size.
    pub greatest: f64,
}

/// The state of [`Rprop`].
#[derive(Clone, Debug)]
pub struct RpropState<T> {
    /// The gradient of the step before; 0 where the element stayed.
    pub gradient: T,
    /// The step sizes.
    pub size: T,
}

impl Rprop {
    /// With a first step size, `shrink` 0.5, `grow` 1.2, and sizes from 1e-6 to 50.
    pub const fn new(rate: f64) -> Rprop {
        Rprop { rate, shrink: 0.5, grow: 1.2, least: 1e-6, greatest: 50.0 }
    }

    /// Gradients of zeros, and sizes of the first step.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<RpropState<T>> {
        let size = parameters.map_arrays(&mut |_, x| full_like(x, self.rate, ()))?;
        Ok(RpropState { gradient: zeros(parameters)?, size })
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
        state: &RpropState<T>,
    ) -> Result<(T, RpropState<T>)> {
        let (function, Rprop { shrink, grow, least, greatest, .. }) = ("Rprop", *self);
        let agreement = pairs(function, &state.gradient, gradient, |a, b| multiply(a, b))?;
        let size = pairs(function, &state.size, &agreement, |size, a| {
            let grown = where_(greater(a, 0.0)?, multiply(size, grow)?, size)?;
            let resized = where_(less(a, 0.0)?, multiply(size, shrink)?, grown)?;
            clip(resized, least, greatest)
        })?;
        let gradient = pairs(function, gradient, &agreement, |g, a| where_(less(a, 0.0)?, 0.0, g))?;
        let step = pairs(function, &gradient, &size, |g, size| multiply(sign(g)?, size))?;
        let next = pairs(function, parameters, &step, |p, d| subtract(p, d))?;
        Ok((next, RpropState { gradient, size }))
    }
}
