//! Multi-head attention.

use crate::{Fans, check_features, constant, glorot_uniform, invalid};
use ivy_core::functional::Generator;
use ivy_core::functional::{self, multi_head_attention};
use ivy_core::{Array, Dtype, Result, Tree};

/// Multi-head self-attention: `concat_h(softmax(Q_h K_h^T / sqrt(d)) V_h) out_weight^T + out_bias`, with `Q`, `K` and
/// `V` the projections of the input.
///
/// ```
/// use ivy::nn::MultiHeadAttention;
/// use ivy::prelude::*;
/// let layer = MultiHeadAttention::new(8, 2, &mut ivy::Generator::new(0))?;
/// let y = layer.forward(&ivy::ones([3, 5, 8], ())?, true)?;
/// assert_eq!(y.shape().to_string(), "(3, 5, 8)");
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct MultiHeadAttention {
    /// `[3 features, features]`: those of queries, keys and values.
    pub in_weight: Array,
    /// `[3 features]`.
    pub in_bias: Array,
    /// `[features, features]`.
    pub out_weight: Array,
    /// `[features]`.
    pub out_bias: Array,
    /// The number of heads.
    #[tree(skip)]
    pub heads: usize,
}

impl MultiHeadAttention {
    /// A layer with biases of zeros and weights by [`glorot_uniform`], in float32.
    ///
    /// # Errors
    /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for features that the heads do not divide; those of
    /// drawing numbers.
    pub fn new(features: usize, heads: usize, generator: &mut Generator) -> Result<MultiHeadAttention> {
        if heads == 0 || !features.is_multiple_of(heads) {
            let rule = "the number of features is a multiple of it";
            return Err(invalid("MultiHeadAttention", "heads", heads, rule));
        }
        let fans = Fans::linear(features, features);
        let float = Dtype::FLOAT32;
        Ok(MultiHeadAttention {
            in_weight: glorot_uniform([3 * features, features], fans, float, generator)?,
            in_bias: constant([3 * features], 0.0, float)?,
            out_weight: glorot_uniform([features, features], fans, float, generator)?,
            out_bias: constant([features], 0.0, float)?,
            heads,
        })
    }

    /// `x: [n, steps, features]` in the same shape; with a causal mask if `causal`.
    ///
    /// # Errors
    /// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for another number of features, and those of
    /// [`multi_head_attention`].
    pub fn forward(&self, x: &Array, causal: bool) -> Result<Array> {
        check_features("MultiHeadAttention", x, 1, self.out_bias.size())?;
        let params = functional::MultiHeadAttention::new()
            .num_heads(self.heads)
            .in_proj_weights(&self.in_weight)
            .in_proj_bias(&self.in_bias)
            .out_proj_weights(&self.out_weight)
            .out_proj_bias(&self.out_bias);
        let params = if causal { params.is_causal() } else { params };
        Ok(multi_head_attention(x, params)?.output)
    }
}
