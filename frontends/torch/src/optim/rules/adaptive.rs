//! Optimisers that divide by sizes of the gradients before, or follow their signs.

use crate::optim::Rule;
use ivy_core::{Array, Result};
use ivy_nn::optim::{self as pure, AdadeltaState, AdagradState, RmsPropState, RpropState};

/// RMSprop. Defaults: `lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, maximize=False`.
#[derive(Clone, Debug)]
pub struct RMSprop {
    /// The learning rate.
    pub lr: f64,
    /// The decay of the moving average of squares.
    pub alpha: f64,
    /// The term added to the root.
    pub eps: f64,
    /// The decay that is added to gradients.
    pub weight_decay: f64,
    /// The decay of the velocity.
    pub momentum: f64,
    /// Whether the square of the moving average of gradients is subtracted.
    pub centered: bool,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for RMSprop {
    fn default() -> RMSprop {
        let (momentum, weight_decay) = (0.0, 0.0);
        RMSprop { lr: 1e-2, alpha: 0.99, eps: 1e-8, weight_decay, momentum, centered: false, maximize: false }
    }
}

impl Rule for RMSprop {
    type State = RmsPropState<Array>;
    common!(added);
    momentum!();

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&RmsPropState<Array>>,
    ) -> Result<(Array, RmsPropState<Array>)> {
        let RMSprop { lr: rate, alpha, eps, momentum, centered, .. } = *self;
        let rule = pure::RmsProp { rate, alpha, eps, momentum, centered };
        stepped!(rule, p, g, state)
    }
}

/// Adagrad. Defaults: `lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, maximize=False`.
#[derive(Clone, Debug)]
pub struct Adagrad {
    /// The learning rate.
    pub lr: f64,
    /// How much the learning rate decays with each step.
    pub lr_decay: f64,
    /// The decay that is added to gradients.
    pub weight_decay: f64,
    /// What the sums of squares begin with.
    pub initial_accumulator_value: f64,
    /// The term added to the root.
    pub eps: f64,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for Adagrad {
    fn default() -> Adagrad {
        let (lr_decay, initial_accumulator_value) = (0.0, 0.0);
        Adagrad {
            lr: 1e-2,
            lr_decay,
            weight_decay: 0.0,
            initial_accumulator_value,
            eps: 1e-10,
            maximize: false,
        }
    }
}

impl Rule for Adagrad {
    type State = AdagradState<Array>;
    common!(added);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&AdagradState<Array>>,
    ) -> Result<(Array, AdagradState<Array>)> {
        let (decay, initial) = (self.lr_decay, self.initial_accumulator_value);
        let rule = pure::Adagrad { rate: self.lr, decay, initial, eps: self.eps };
        stepped!(rule, p, g, state)
    }
}

/// Adadelta. Defaults: `lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, maximize=False`.
#[derive(Clone, Debug)]
pub struct Adadelta {
    /// The learning rate.
    pub lr: f64,
    /// The decay of both moving averages.
    pub rho: f64,
    /// The term added below both roots.
    pub eps: f64,
    /// The decay that is added to gradients.
    pub weight_decay: f64,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for Adadelta {
    fn default() -> Adadelta {
        Adadelta { lr: 1.0, rho: 0.9, eps: 1e-6, weight_decay: 0.0, maximize: false }
    }
}

impl Rule for Adadelta {
    type State = AdadeltaState<Array>;
    common!(added);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&AdadeltaState<Array>>,
    ) -> Result<(Array, AdadeltaState<Array>)> {
        stepped!(pure::Adadelta { rate: self.lr, rho: self.rho, eps: self.eps }, p, g, state)
    }
}

/// Rprop, resilient backpropagation. Defaults: `lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), maximize=False`.
#[derive(Clone, Debug)]
pub struct Rprop {
    /// The first step size.
    pub lr: f64,
    /// What step sizes are multiplied by where a gradient's sign changes, and where it stays.
    pub etas: (f64, f64),
    /// The least and the greatest step size.
    pub step_sizes: (f64, f64),
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for Rprop {
    fn default() -> Rprop {
        Rprop { lr: 1e-2, etas: (0.5, 1.2), step_sizes: (1e-6, 50.0), maximize: false }
    }
}

impl Rule for Rprop {
    type State = RpropState<Array>;
    common!(none);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&RpropState<Array>>,
    ) -> Result<(Array, RpropState<Array>)> {
        let ((shrink, grow), (least, greatest)) = (self.etas, self.step_sizes);
        stepped!(pure::Rprop { rate: self.lr, shrink, grow, least, greatest }, p, g, state)
    }
}
