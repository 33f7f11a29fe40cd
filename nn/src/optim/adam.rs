//! Adam, AdamW and LAMB.

use super::sgd::descend;
use super::{average, average_square, bias_correction, pairs, zeros};
use ivy_core::functional::{add, divide, greater, logical_and, maximum, multiply, sqrt, square, sum, where_};
use ivy_core::{Array, Result, Tree};

/// Adam (D. Kingma and J. Ba, 2015), and with a weight decay AdamW (I. Loshchilov and F. Hutter, 2019), whose decay is
/// decoupled from the gradient: `m = b1 m + (1 - b1) g`, `v = b2 v + (1 - b2) g^2`, and with `m'` and `v'` corrected
/// for their bias `p - rate (m' / (sqrt(v') + eps) + decay p)`.
///
/// ```
/// use ivy::nn::optim::Adam;
/// use ivy::prelude::*;
/// let p = Array::try_from([1.0f64])?;
/// let adam = Adam::new(0.1);
/// let (p, _) = adam.update(&p, &Array::try_from([8.0f64])?, &adam.init(&p)?)?;
/// // The first step is the rate, whatever the gradient's size.
/// assert!((p.to_vec::<f64>()?[0] - 0.9).abs() < 1e-8);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
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
    /// AMSGrad (S. Reddi et al., 2018): the greatest second moment so far takes its place.
    pub amsgrad: bool,
}

/// The state of [`Adam`] and [`Lamb`]: both moments and the number of steps.
#[derive(Clone, Debug)]
pub struct AdamState<T> {
    /// The first moment: the moving average of gradients.
    pub mean: T,
    /// The second moment: the moving average of their squares.
    pub square: T,
    /// The greatest second moment so far, of AMSGrad.
    pub max_square: Option<T>,
    /// How many steps were taken.
    pub steps: u64,
}

impl Adam {
    /// With a learning rate, `b1` 0.9, `b2` 0.999, `eps` 1e-8 and no decay.
    pub const fn new(rate: f64) -> Adam {
        Adam { rate, b1: 0.9, b2: 0.999, eps: 1e-8, decay: 0.0, amsgrad: false }
    }

    /// AdamW: the same with a decoupled weight decay.
    pub const fn with_decay(rate: f64, decay: f64) -> Adam {
        Adam { decay, ..Adam::new(rate) }
    }

    /// Moments of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AdamState<T>> {
        let max_square = self.amsgrad.then(|| zeros(parameters)).transpose()?;
        Ok(AdamState { mean: zeros(parameters)?, square: zeros(parameters)?, max_square, steps: 0 })
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
        let (direction, state) = self.direction("Adam", parameters, gradient, state)?;
        Ok((pairs("Adam", parameters, &direction, |p, d| descend(p, d, self.rate))?, state))
    }

    /// The direction, before the learning rate.
    fn direction<T: Tree>(
        &self,
        function: &'static str,
        parameters: &T,
        gradient: &T,
        state: &AdamState<T>,
    ) -> Result<(T, AdamState<T>)> {
        let Adam { b1, b2, eps, decay, .. } = *self;
        let steps = state.steps.saturating_add(1);
        let mean = average(function, &state.mean, gradient, b1)?;
        let squares = average_square(function, &state.square, gradient, b2)?;
        let (first, second) = (bias_correction(b1, steps), bias_correction(b2, steps));
        let greatest = |before: &T| pairs(function, before, &squares, |a, b| maximum(a, b));
        let max_square = state.max_square.as_ref().map(greatest).transpose()?;
        let direction = pairs(function, &mean, max_square.as_ref().unwrap_or(&squares), |m, v| {
            divide(multiply(m, 1.0 / first)?, add(sqrt(multiply(v, 1.0 / second)?)?, eps)?)
        })?;
        let direction = match decay == 0.0 {
            true => direction,
            false => pairs(function, &direction, parameters, |d, p| add(d, multiply(p, decay)?))?,
        };
        Ok((direction, AdamState { mean, square: squares, max_square, steps }))
    }
}

/// LAMB: Adam with a trust ratio for each array, `p - rate |p| / |d| d` (Y. You et al., "Large
/// batch optimization for deep learning", 2020). Where either norm is 0 the ratio is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamb {
    /// The direction and the learning rate.
    pub adam: Adam,
}

impl Lamb {
    /// With a learning rate and a weight decay; `eps` is 1e-6.
    pub const fn new(rate: f64, decay: f64) -> Lamb {
        Lamb { adam: Adam { eps: 1e-6, ..Adam::with_decay(rate, decay) } }
    }

    /// Moments of zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn init<T: Tree>(&self, parameters: &T) -> Result<AdamState<T>> {
        self.adam.init(parameters)
    }

    /// The next parameters and state.
    ///
    /// # Errors
    /// As [`Adam::update`].
    pub fn update<T: Tree>(
        &self,
        parameters: &T,
        gradient: &T,
        state: &AdamState<T>,
    ) -> Result<(T, AdamState<T>)> {
        let (direction, state) = self.adam.direction("Lamb", parameters, gradient, state)?;
        let step = |p: &Array, d: &Array| -> Result<Array> {
            let length = |x: &Array| sqrt(sum(square(x)?, ())?);
            let (of_p, of_d) = (length(p)?, length(d)?);
            let both = logical_and(greater(&of_p, 0.0)?, greater(&of_d, 0.0)?)?;
            let ratio = where_(&both, divide(&of_p, where_(&both, &of_d, 1.0)?)?, 1.0)?;
            descend(p, &multiply(d, ratio)?, self.adam.rate)
        };
        Ok((pairs("Lamb", parameters, &direction, step)?, state))
    }
}
