//! The optimisers: PyTorch's settings for the pure ones of `ivy_nn::optim`.

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
    (@decoupled $self:ident) => { 0.0 };
    (@none $self:ident) => { 0.0 };
    (@either $self:ident) => { if $self.decoupled_weight_decay { 0.0 } else { $self.weight_decay } };
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

/// A step by the pure rule, which makes the state of the first one.
macro_rules! stepped {
    ($rule:expr, $p:ident, $g:ident, $state:ident) => {{
        let rule = $rule;
        match $state {
            Some(state) => rule.update($p, $g, state),
            None => rule.update($p, $g, &rule.init($p)?),
        }
    }};
}

mod adam;
mod adaptive;
mod sgd;

pub use adam::{Adam, AdamW, Adamax, NAdam, RAdam};
pub use adaptive::{Adadelta, Adagrad, RMSprop, Rprop};
pub use sgd::{ASGD, SGD};
