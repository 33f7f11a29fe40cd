//! Optimisers that follow the gradient itself.

use crate::optim::Rule;
use ivy_core::functional::multiply;
use ivy_core::{Array, Result};
use ivy_nn::optim::{self as pure, AsgdState};

/// Stochastic gradient descent, with momentum, also Nesterov's. Defaults: `lr=1e-3, momentum=0, dampening=0, weight_decay=0,
/// nesterov=False, maximize=False`.
#[derive(Clone, Debug)]
pub struct SGD {
    /// The learning rate.
    pub lr: f64,
    /// The decay of the velocity.
    pub momentum: f64,
    /// What is left out of each gradient but the first one that the velocity takes in.
    pub dampening: f64,
    /// The decay that is added to gradients.
    pub weight_decay: f64,
    /// Nesterov momentum.
    pub nesterov: bool,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for SGD {
    fn default() -> SGD {
        SGD { lr: 1e-3, momentum: 0.0, dampening: 0.0, weight_decay: 0.0, nesterov: false, maximize: false }
    }
}

impl Rule for SGD {
    type State = Option<Array>;
    common!(added);
    momentum!();

    fn update(&self, p: &Array, g: &Array, state: Option<&Option<Array>>) -> Result<(Array, Option<Array>)> {
        if self.momentum == 0.0 {
            return Ok((pure::Sgd::new(self.lr).update(p, g)?, None));
        }
        let rule = pure::Momentum { rate: self.lr, momentum: self.momentum, nesterov: self.nesterov };
        let (next, velocity) = match state.and_then(Option::as_ref) {
            None => rule.update(p, g, &rule.init(p)?)?,
            Some(velocity) if self.dampening == 0.0 => rule.update(p, g, velocity)?,
            Some(velocity) => rule.update(p, &multiply(g, 1.0 - self.dampening)?, velocity)?,
        };
        Ok((next, Some(velocity)))
    }
}

/// Averaged stochastic gradient descent; PyTorch, too, steps by the parameters themselves and keeps their average in the state. Defaults:
/// `lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, maximize=False`.
#[derive(Clone, Debug)]
pub struct ASGD {
    /// The first learning rate.
    pub lr: f64,
    /// The decay of parameters and of the learning rate.
    pub lambd: f64,
    /// The power by which the learning rate falls.
    pub alpha: f64,
    /// The step from which on parameters are averaged.
    pub t0: f64,
    /// The decay that is added to gradients.
    pub weight_decay: f64,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for ASGD {
    fn default() -> ASGD {
        ASGD { lr: 1e-2, lambd: 1e-4, alpha: 0.75, t0: 1e6, weight_decay: 0.0, maximize: false }
    }
}

impl Rule for ASGD {
    type State = AsgdState<Array>;
    common!(added);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&AsgdState<Array>>,
    ) -> Result<(Array, AsgdState<Array>)> {
        let rule = pure::Asgd { rate: self.lr, lambda: self.lambd, alpha: self.alpha, start: self.t0 };
        stepped!(rule, p, g, state)
    }
}
