//! The optimisers: PyTorch's settings for the pure ones of `ivy_nn::optim`.

use super::Rule;
use ivy_core::functional::multiply;
use ivy_core::{Array, Result};
use ivy_nn::optim::{self as pure, AdagradState, AdamState, RmsPropState};

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

/// The settings that all optimisers have.
macro_rules! common {
    ($decay:ident) => {
        fn lr(&self) -> f64 {
            self.lr
        }

        fn set_lr(&mut self, lr: f64) {
            self.lr = lr;
        }

        fn maximize(&self) -> bool {
            self.maximize
        }

        fn weight_decay(&self) -> f64 {
            common!(@$decay self)
        }
    };
    (@added $self:ident) => { $self.weight_decay };
    (@decoupled $self:ident) => {{
        let _ = $self;
        0.0
    }};
}

/// Momentum by a field.
macro_rules! momentum {
    () => {
        fn momentum(&self) -> Option<f64> {
            Some(self.momentum)
        }

        fn set_momentum(&mut self, momentum: f64) {
            self.momentum = momentum;
        }
    };
    (betas) => {
        fn momentum(&self) -> Option<f64> {
            Some(self.betas.0)
        }

        fn set_momentum(&mut self, momentum: f64) {
            self.betas.0 = momentum;
        }
    };
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

macro_rules! adams {
    ($($(#[$doc:meta])* $name:ident $decay:ident $usual:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            /// The learning rate.
            pub lr: f64,
            /// The decays of the first and second moment.
            pub betas: (f64, f64),
            /// The term added to the root of the second moment.
            pub eps: f64,
            /// The weight decay.
            pub weight_decay: f64,
            /// AMSGrad: the greatest second moment so far takes its place.
            pub amsgrad: bool,
            /// Whether steps go up.
            pub maximize: bool,
        }

        impl Default for $name {
            fn default() -> $name {
                $name { lr: 1e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: $usual, amsgrad: false, maximize: false }
            }
        }

        impl Rule for $name {
            type State = AdamState<Array>;
            common!($decay);
            momentum!(betas);

            fn update(
                &self,
                p: &Array,
                g: &Array,
                state: Option<&AdamState<Array>>,
            ) -> Result<(Array, AdamState<Array>)> {
                let ((b1, b2), decay) = (self.betas, self.weight_decay - self.weight_decay());
                let rule = pure::Adam { rate: self.lr, b1, b2, eps: self.eps, decay, amsgrad: self.amsgrad };
                match state {
            Some(state) => rule.update(p, g, state),
            None => rule.update(p, g, &rule.init(p)?),
        }
            }
        }
    )*};
}
adams! {
    /// Adam, whose weight decay is added to gradients. Defaults: `lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False,
    /// maximize=False`.
    Adam added 0.0;
    /// AdamW, whose weight decay is decoupled from gradients. Defaults: `lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2,
    /// amsgrad=False, maximize=False`.
    AdamW decoupled 1e-2;
}

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
        match state {
            Some(state) => rule.update(p, g, state),
            None => rule.update(p, g, &rule.init(p)?),
        }
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
        match state {
            Some(state) => rule.update(p, g, state),
            None => rule.update(p, g, &rule.init(p)?),
        }
    }
}
