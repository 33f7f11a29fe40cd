//! The rules of steps.

use crate::Result;
use crate::array::AnyArray;

/// How a parameter goes down its gradient.
pub trait Rule {
    /// What is kept of a parameter from step to step.
    type State: Clone;

    /// What is kept before the first step.
    ///
    /// # Errors
    /// No memory.
    fn begin(&self, value: &AnyArray) -> Result<Self::State>;

    /// The value after a step of a gradient and a learning rate, and what is kept then.
    ///
    /// # Errors
    /// No memory.
    fn step(
        &self,
        value: &AnyArray,
        gradient: &AnyArray,
        rate: f64,
        state: &Self::State,
    ) -> Result<(AnyArray, Self::State)>;

    /// What is kept where a mask is true from the second, elsewhere from the first.
    ///
    /// # Errors
    /// As [`select`](crate::select).
    fn masked(&self, mask: &AnyArray, before: &Self::State, after: Self::State) -> Result<Self::State>;
}

fn zeros(value: &AnyArray) -> Result<AnyArray> {
    let value = crate::detach(value)?;
    crate::zeros_like(value.clone().retyped(value.ty().plain())?)
}

fn blend(mask: &AnyArray, before: &AnyArray, after: &AnyArray) -> Result<AnyArray> {
    crate::select(mask, after, before)?.cast_to(after.ty())
}

/// A running mean in which what was before has a weight.
fn mean(before: &AnyArray, weight: f64, now: &AnyArray) -> Result<AnyArray> {
    (before * weight + now * (1.0 - weight)).ok()
}

/// A direction over the root of its mean square. With a small `epsilon` it stands below the root, so that this is one operation.
fn over_root(direction: &AnyArray, square: &AnyArray, epsilon: f64) -> Result<AnyArray> {
    match epsilon <= 1e-6 {
        true => crate::multiply(direction, crate::rsqrt(square + epsilon * epsilon)?),
        false => crate::divide(direction, crate::sqrt(square)? + epsilon),
    }
}

/// Stochastic gradient descent, with momentum (I. Sutskever et al. 2013): `v = momentum v + g`, `x -= rate v`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sgd {
    /// How much of the last step goes into the next one; 0 for none.
    pub momentum: f64,
    /// Whether the gradient is thought to be that at the place to which momentum leads.
    pub nesterov: bool,
}

impl Sgd {
    /// Without momentum.
    pub fn new() -> Sgd {
        Sgd::default()
    }
}

impl Rule for Sgd {
    type State = Option<AnyArray>;

    fn begin(&self, value: &AnyArray) -> Result<Option<AnyArray>> {
        if self.momentum == 0.0 { Ok(None) } else { zeros(value).map(Some) }
    }

    fn step(
        &self,
        value: &AnyArray,
        gradient: &AnyArray,
        rate: f64,
        velocity: &Option<AnyArray>,
    ) -> Result<(AnyArray, Option<AnyArray>)> {
        let Some(velocity) = velocity else { return Ok(((value - gradient * rate).ok()?, None)) };
        let velocity = (velocity * self.momentum + gradient).ok()?;
        let direction = match self.nesterov {
            true => (&velocity * self.momentum + gradient).ok()?,
            false => velocity.clone(),
        };
        Ok(((value - direction * rate).ok()?, Some(velocity)))
    }

    fn masked(
        &self,
        mask: &AnyArray,
        before: &Option<AnyArray>,
        after: Option<AnyArray>,
    ) -> Result<Option<AnyArray>> {
        before.as_ref().zip(after).map(|(before, after)| blend(mask, before, &after)).transpose()
    }
}

/// Steps of equal length for all elements, by the running mean of the squared gradient (G. Hinton 2012).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmsProp {
    /// The weight of what was before in the running mean.
    pub alpha: f64,
    /// What keeps the divisor from zero.
    pub epsilon: f64,
}

impl RmsProp {
    /// `alpha` 0.99, `epsilon` 1e-8.
    pub fn new() -> RmsProp {
        RmsProp { alpha: 0.99, epsilon: 1e-8 }
    }
}

impl Default for RmsProp {
    fn default() -> RmsProp {
        RmsProp::new()
    }
}

impl Rule for RmsProp {
    type State = AnyArray;

    fn begin(&self, value: &AnyArray) -> Result<AnyArray> {
        zeros(value)
    }

    fn step(
        &self,
        value: &AnyArray,
        gradient: &AnyArray,
        rate: f64,
        square: &AnyArray,
    ) -> Result<(AnyArray, AnyArray)> {
        let square = mean(square, self.alpha, &(gradient * gradient).ok()?)?;
        let direction = over_root(gradient, &square, self.epsilon)?;
        Ok(((value - direction * rate).ok()?, square))
    }

    fn masked(&self, mask: &AnyArray, before: &AnyArray, after: AnyArray) -> Result<AnyArray> {
        blend(mask, before, &after)
    }
}

/// Adam (D. Kingma and J. Ba 2014): running means of the gradient and of its square, of which the first over the root of the second is
/// the direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// The weight of what was before in the mean of the gradient.
    pub beta_1: f64,
    /// The weight of what was before in the mean of its square.
    pub beta_2: f64,
    /// What keeps the divisor from zero.
    pub epsilon: f64,
    /// Whether all elements are divided by the greatest mean square (B. Nicolet et al. 2021), for what hangs together.
    pub uniform: bool,
    /// Whether the greatest mean square so far is the divisor (S. Reddi et al. 2018).
    pub amsgrad: bool,
}

impl Adam {
    /// `beta_1` 0.9, `beta_2` 0.999, `epsilon` 1e-8.
    pub fn new() -> Adam {
        Adam { beta_1: 0.9, beta_2: 0.999, epsilon: 1e-8, uniform: false, amsgrad: false }
    }
}

impl Default for Adam {
    fn default() -> Adam {
        Adam::new()
    }
}

/// What [`Adam`] keeps.
#[derive(Clone, Debug)]
pub struct Moments {
    steps: i32,
    first: AnyArray,
    second: AnyArray,
    greatest: Option<AnyArray>,
}

impl Adam {
    /// The direction of a step, of the length of the learning rate about.
    fn direction(&self, gradient: &AnyArray, state: &Moments) -> Result<(AnyArray, Moments)> {
        let steps = state.steps.saturating_add(1);
        let first = mean(&state.first, self.beta_1, gradient)?;
        let second = mean(&state.second, self.beta_2, &(gradient * gradient).ok()?)?;
        let greatest = match &state.greatest {
            Some(greatest) => Some(crate::maximum(greatest, &second)?),
            None => None,
        };
        let square = match (&greatest, self.uniform) {
            (Some(greatest), _) => greatest.clone(),
            (None, true) => crate::max(&second, crate::Axis::All)?,
            (None, false) => second.clone(),
        };
        // Both means begin with zeros, which this makes up for.
        let scale = (1.0 - self.beta_2.powi(steps)).sqrt() / (1.0 - self.beta_1.powi(steps));
        let direction = (over_root(&first, &square, self.epsilon)? * scale).ok()?;
        Ok((direction, Moments { steps, first, second, greatest }))
    }
}

impl Rule for Adam {
    type State = Moments;

    fn begin(&self, value: &AnyArray) -> Result<Moments> {
        let zeros = zeros(value)?;
        let greatest = self.amsgrad.then(|| zeros.clone());
        Ok(Moments { steps: 0, first: zeros.clone(), second: zeros, greatest })
    }

    fn step(
        &self,
        value: &AnyArray,
        gradient: &AnyArray,
        rate: f64,
        state: &Moments,
    ) -> Result<(AnyArray, Moments)> {
        let (direction, state) = self.direction(gradient, state)?;
        Ok(((value - direction * rate).ok()?, state))
    }

    fn masked(&self, mask: &AnyArray, before: &Moments, after: Moments) -> Result<Moments> {
        let greatest = before.greatest.as_ref().zip(after.greatest.as_ref());
        Ok(Moments {
            steps: after.steps,
            first: blend(mask, &before.first, &after.first)?,
            second: blend(mask, &before.second, &after.second)?,
            greatest: greatest.map(|(before, after)| blend(mask, before, after)).transpose()?,
        })
    }
}

/// [`Adam`] with weights that decay by themselves (I. Loshchilov and F. Hutter 2017): `x -= rate decay x` beside the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// The rule of the step.
    pub adam: Adam,
    /// How much of the value goes away in a step, in learning rates.
    pub weight_decay: f64,
}

impl AdamW {
    /// [`Adam::new`] with a decay.
    pub fn new(weight_decay: f64) -> AdamW {
        AdamW { adam: Adam::new(), weight_decay }
    }
}

impl Rule for AdamW {
    type State = Moments;

    fn begin(&self, value: &AnyArray) -> Result<Moments> {
        self.adam.begin(value)
    }

    fn step(
        &self,
        value: &AnyArray,
        gradient: &AnyArray,
        rate: f64,
        state: &Moments,
    ) -> Result<(AnyArray, Moments)> {
        let (direction, state) = self.adam.direction(gradient, state)?;
        Ok(((value - direction * rate - value * (rate * self.weight_decay)).ok()?, state))
    }

    fn masked(&self, mask: &AnyArray, before: &Moments, after: Moments) -> Result<Moments> {
        self.adam.masked(mask, before, after)
    }
}
