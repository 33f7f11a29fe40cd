//! Linear layers.

use crate::{Fans, check_features, constant, glorot_uniform};
use ivy_core::functional::Generator;
use ivy_core::{Array, Dtype, Result, Tree, functional};

/// Linear (fully connected) layer: `y = x weight^T + bias`.
///
/// ```
/// use ivy::nn::Linear;
/// use ivy::prelude::*;
/// let layer = Linear::new(3, 2, &mut ivy::Generator::new(0))?;
/// let y = layer.forward(&ivy::ones([4, 3], ())?)?;
/// assert_eq!(y.shape().to_string(), "(4, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct Linear {
    /// `[outputs, inputs]`.
    pub weight: Array,
    /// `[outputs]`.
    pub bias: Option<Array>,
}

impl Linear {
    /// A layer with a bias of zeros and a weight by [`glorot_uniform`], in float32.
    ///
    /// # Errors
    /// Those of drawing numbers.
    pub fn new(inputs: usize, outputs: usize, generator: &mut Generator) -> Result<Linear> {
        let fans = Fans::linear(inputs, outputs);
        let weight = glorot_uniform([outputs, inputs], fans, Dtype::FLOAT32, generator)?;
        Ok(Linear { weight, bias: Some(constant([outputs], 0.0, Dtype::FLOAT32)?) })
    }

    /// `x: [..., inputs]` to `[..., outputs]`.
    ///
    /// # Errors
    /// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for another number of inputs.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        check_features("Linear", x, 1, self.weight.shape().last().copied().unwrap_or(0))?;
        let params = match &self.bias {
            Some(bias) => functional::Linear::new().bias(bias),
            None => functional::Linear::new(),
        };
        functional::linear(x, &self.weight, params)
    }
}
