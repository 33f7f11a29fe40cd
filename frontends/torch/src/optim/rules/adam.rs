//! Adam and its relatives.

use crate::optim::Rule;
use ivy_core::{Array, Result};
use ivy_nn::optim::{self as pure, AdamState, AdamaxState, NAdamState};

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
                stepped!(rule, p, g, state)
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

/// Adamax, Adam by the infinity norm. Defaults: `lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, maximize=False`.
#[derive(Clone, Debug)]
pub struct Adamax {
    /// The learning rate.
    pub lr: f64,
    /// The decays of the first moment and of the norm.
    pub betas: (f64, f64),
    /// The term added to the gradient's size.
    pub eps: f64,
    /// The decay that is added to gradients.
    pub weight_decay: f64,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for Adamax {
    fn default() -> Adamax {
        Adamax { lr: 2e-3, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0, maximize: false }
    }
}

impl Rule for Adamax {
    type State = AdamaxState<Array>;
    common!(added);
    momentum!(betas);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&AdamaxState<Array>>,
    ) -> Result<(Array, AdamaxState<Array>)> {
        let (b1, b2) = self.betas;
        stepped!(pure::Adamax { rate: self.lr, b1, b2, eps: self.eps }, p, g, state)
    }
}

/// NAdam, Adam with Nesterov momentum. Defaults: `lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
/// decoupled_weight_decay=False, maximize=False`.
#[derive(Clone, Debug)]
pub struct NAdam {
    /// The learning rate.
    pub lr: f64,
    /// The decays of the first and second moment.
    pub betas: (f64, f64),
    /// The term added to the root of the second moment.
    pub eps: f64,
    /// The weight decay.
    pub weight_decay: f64,
    /// How fast the first moment's decay grows.
    pub momentum_decay: f64,
    /// Whether the weight decay is decoupled from gradients.
    pub decoupled_weight_decay: bool,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for NAdam {
    fn default() -> NAdam {
        let (weight_decay, momentum_decay, decoupled_weight_decay) = (0.0, 4e-3, false);
        let betas = (0.9, 0.999);
        NAdam {
            lr: 2e-3,
            betas,
            eps: 1e-8,
            weight_decay,
            momentum_decay,
            decoupled_weight_decay,
            maximize: false,
        }
    }
}

impl Rule for NAdam {
    type State = NAdamState<Array>;
    common!(either);
    momentum!(betas);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&NAdamState<Array>>,
    ) -> Result<(Array, NAdamState<Array>)> {
        let NAdam { lr: rate, betas: (b1, b2), eps, momentum_decay, .. } = *self;
        let decay = self.weight_decay - self.weight_decay();
        stepped!(pure::NAdam { rate, b1, b2, eps, momentum_decay, decay }, p, g, state)
    }
}

/// RAdam, rectified Adam. Defaults: `lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False,
/// maximize=False`.
#[derive(Clone, Debug)]
pub struct RAdam {
    /// The learning rate.
    pub lr: f64,
    /// The decays of the first and second moment.
    pub betas: (f64, f64),
    /// The term added to the root of the second moment.
    pub eps: f64,
    /// The weight decay.
    pub weight_decay: f64,
    /// Whether the weight decay is decoupled from gradients.
    pub decoupled_weight_decay: bool,
    /// Whether steps go up.
    pub maximize: bool,
}

impl Default for RAdam {
    fn default() -> RAdam {
        let (weight_decay, decoupled_weight_decay) = (0.0, false);
        RAdam {
            lr: 1e-3,
            betas: (0.9, 0.999),
            eps: 1e-8,
            weight_decay,
            decoupled_weight_decay,
            maximize: false,
        }
    }
}

impl Rule for RAdam {
    type State = AdamState<Array>;
    common!(either);
    momentum!(betas);

    fn update(
        &self,
        p: &Array,
        g: &Array,
        state: Option<&AdamState<Array>>,
    ) -> Result<(Array, AdamState<Array>)> {
        let RAdam { lr: rate, betas: (b1, b2), eps, .. } = *self;
        let decay = self.weight_decay - self.weight_decay();
        stepped!(pure::RAdam { rate, b1, b2, eps, decay }, p, g, state)
    }
}
