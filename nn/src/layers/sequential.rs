//! Sequential models.

use super::{Conv2d, Embedding, LayerNorm, Linear, Mode};
use ivy_core::functional::{self, Padding, PerAxis};
use ivy_core::{Array, Result, Tree};

/// Activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activation {
    /// Rectified linear unit: `max(x, 0)`.
    Relu,
    /// Gaussian error linear unit: `x Phi(x)`.
    Gelu,
    /// Sigmoid linear unit: `x / (1 + e^-x)`.
    Silu,
    /// Hyperbolic tangent.
    Tanh,
    /// Sigmoid: `1 / (1 + e^-x)`.
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

/// Dropout: in training elements are zero with a probability, and the others are scaled so that the mean stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropout {
    /// The probability that an element is dropped: 0 to 1.
    pub probability: f64,
}

impl Dropout {
    /// In training the input with elements dropped, in evaluation the input itself.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a probability outside of 0 to 1.
    pub fn forward(self, x: &Array, mode: &mut Mode) -> Result<Array> {
        match mode {
            Mode::Eval => {
                functional::dropout(x, self.probability, functional::Dropout::new().training(false))
            }
            Mode::Train(generator) => {
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
    /// A 2-D convolution.
    Conv2d(Conv2d),
    /// An embedding.
    Embedding(Embedding),
    /// A layer normalization.
    LayerNorm(LayerNorm),
    /// An activation function.
    Activation(#[tree(skip)] Activation),
    /// Dropout.
    Dropout(#[tree(skip)] Dropout),
    /// 2-D max pooling over k x k windows, `k` apart.
    MaxPool2d(#[tree(skip)] usize),
    /// Flattening of all axes but the first.
    Flatten,
}

impl Layer {
    fn forward(&self, x: &Array, mode: &mut Mode) -> Result<Array> {
        match self {
            Layer::Linear(layer) => layer.forward(x),
            Layer::Conv2d(layer) => layer.forward(x),
            Layer::Embedding(layer) => layer.forward(x),
            Layer::LayerNorm(layer) => layer.forward(x),
            Layer::Activation(function) => function.forward(x),
            Layer::Dropout(layer) => layer.forward(x, mode),
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

/// Sequential model: each layer on the output of the one before it.
///
/// ```
/// use ivy::nn::{Activation, Linear, Mode, Sequential};
/// use ivy::prelude::*;
/// let mut generator = ivy::Generator::new(0);
/// let model = Sequential::new([
///     Linear::new(4, 8, &mut generator)?.into(),
///     Activation::Relu.into(),
///     Linear::new(8, 3, &mut generator)?.into(),
/// ]);
/// let y = model.forward(&ivy::ones([2, 4], ())?, &mut Mode::Eval)?;
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

    /// The output of the last layer.
    ///
    /// # Errors
    /// The first layer's that has one.
    pub fn forward(&self, x: &Array, mode: &mut Mode) -> Result<Array> {
        self.layers.iter().try_fold(x.clone(), |x, layer| layer.forward(&x, mode))
    }
}
