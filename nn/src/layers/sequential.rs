//! Layers one after the other.

use super::{Conv2d, Embedding, LayerNorm, Linear, Pass};
use ivy_core::functional::{self, Padding, PerAxis};
use ivy_core::{Array, Result, Tree};

/// A function between layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activation {
    /// `max(x, 0)`.
    Relu,
    /// `x Phi(x)`, of the normal distribution.
    Gelu,
    /// `x / (1 + e^-x)`.
    Silu,
    /// `tanh(x)`.
    Tanh,
    /// `1 / (1 + e^-x)`.
    Sigmoid,
}

impl Activation {
    fn forward(self, x: &Array) -> Result<Array> {
        match self {
            Activation::Relu => functional::relu(x, ()),
            Activation::Gelu => functional::gelu(x, ()),
            Activation::Silu => functional::silu(x),
            Activation::Tanh => functional::tanh(x),
            Activation::Sigmoid => functional::sigmoid(x, ()),
        }
    }
}

/// Elements left out in training, each with a probability; the others are scaled so that the mean stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropout {
    /// How likely an element is left out: 0 to 1.
    pub probability: f64,
}

impl Dropout {
    /// In training what is left, in use the input itself.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a probability outside of 0 to 1.
    pub fn forward(self, x: &Array, pass: &mut Pass) -> Result<Array> {
        match pass {
            Pass::Use => functional::dropout(x, self.probability, functional::Dropout::new().training(false)),
            Pass::Train(generator) => {
                functional::dropout(x, self.probability, functional::Dropout::new().seed(generator))
            }
        }
    }
}

/// A layer of a [`Sequential`] model.
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
#[non_exhaustive]
pub enum Layer {
    /// A linear layer.
    Linear(Linear),
    /// A convolution.
    Conv2d(Conv2d),
    /// A table.
    Embedding(Embedding),
    /// A normalisation.
    LayerNorm(LayerNorm),
    /// A function.
    Activation(#[tree(skip)] Activation),
    /// Elements left out in training.
    Dropout(#[tree(skip)] Dropout),
    /// The greatest of squares of so many elements that follow each other.
    MaxPool2d(#[tree(skip)] usize),
    /// All axes but the first as one.
    Flatten,
}

impl Layer {
    fn forward(&self, x: &Array, pass: &mut Pass) -> Result<Array> {
        match self {
            Layer::Linear(layer) => layer.forward(x),
            Layer::Conv2d(layer) => layer.forward(x),
            Layer::Embedding(layer) => layer.forward(x),
            Layer::LayerNorm(layer) => layer.forward(x),
            Layer::Activation(function) => function.forward(x),
            Layer::Dropout(layer) => layer.forward(x, pass),
            Layer::MaxPool2d(size) => {
                functional::max_pool2d(x, PerAxis::from(*size), PerAxis::from(*size), Padding::Valid, ())
            }
            Layer::Flatten => functional::flatten(x, functional::Flatten::new().start_dim(1)),
        }
    }
}

macro_rules! layers {
    ($($layer:ident),*) => {
        $(impl From<$layer> for Layer {
            fn from(layer: $layer) -> Layer {
                Layer::$layer(layer)
            }
        })*
    };
}
layers!(Linear, Conv2d, Embedding, LayerNorm, Activation, Dropout);

/// Layers one after the other, each on what the one before it gives.
///
/// ```
/// use ivy::nn::{Activation, Linear, Pass, Sequential};
/// use ivy::prelude::*;
/// let mut generator = ivy::Generator::new(0);
/// let model = Sequential::new([
///     Linear::new(4, 8, &mut generator)?.into(),
///     Activation::Relu.into(),
///     Linear::new(8, 3, &mut generator)?.into(),
/// ]);
/// let y = model.forward(&ivy::ones([2, 4], ())?, &mut Pass::Use)?;
/// assert_eq!(y.shape().to_string(), "(2, 3)");
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct Sequential {
    /// The layers.
    pub layers: Vec<Layer>,
}

impl Sequential {
    /// A model of layers.
    pub fn new(layers: impl IntoIterator<Item = Layer>) -> Sequential {
        Sequential { layers: layers.into_iter().collect() }
    }

    /// What the last layer gives.
    ///
    /// # Errors
    /// The first layer's that has one.
    pub fn forward(&self, x: &Array, pass: &mut Pass) -> Result<Array> {
        self.layers.iter().try_fold(x.clone(), |x, layer| layer.forward(&x, pass))
    }
}
