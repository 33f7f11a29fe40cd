//! Linear and bilinear layers, and embeddings.

use super::arguments::{Arguments, refuse};
use super::{Forward, Parameter, functional as F, init};
use crate::{Keywords, Tensor, Value, kw};
use ivy_core::Result;
use ivy_frontend::Fault;

/// Linear layer: `x W^T + b`, with `W` of shape `[out_features, in_features]`.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::{Forward, Linear};
/// use ivy_frontend_torch::{kw, ones};
/// let mut layer = Linear::new(3, 2, kw! { bias: false })?;
/// assert_eq!(layer.forward(&ones([4, 3], ())?)?.shape().to_string(), "(4, 2)");
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Linear {
    /// `[out_features, in_features]`.
    pub weight: Parameter,
    /// `[out_features]`.
    pub bias: Option<Parameter>,
}
crate::module!(Linear: weight, bias);

impl Linear {
    /// `nn.Linear(in_features, out_features, bias=True, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments.
    pub fn new<'a>(
        in_features: usize,
        out_features: usize,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<Linear> {
        let mut arguments = Arguments::new("nn.Linear", keywords);
        let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
        arguments.end()?;
        let mut weight = init::empty(&[out_features, in_features], dtype)?;
        let mut bias = bias.then(|| init::empty(&[out_features], dtype)).transpose()?;
        init::reset(&mut weight, bias.as_mut())?;
        Ok(Linear { weight, bias })
    }
}

impl Forward for Linear {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        F::linear(input, &self.weight, kw! { bias: self.bias.as_ref() })
    }
}

/// Bilinear layer: `x1^T W x2 + b`.
#[derive(Clone, Debug)]
pub struct Bilinear {
    /// `[out_features, in1_features, in2_features]`.
    pub weight: Parameter,
    /// `[out_features]`.
    pub bias: Option<Parameter>,
}
crate::module!(Bilinear: weight, bias);

impl Bilinear {
    /// `nn.Bilinear(in1_features, in2_features, out_features, bias=True, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments.
    pub fn new<'a>(
        in1_features: usize,
        in2_features: usize,
        out_features: usize,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<Bilinear> {
        let mut arguments = Arguments::new("nn.Bilinear", keywords);
        let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
        arguments.end()?;
        let mut weight = init::empty(&[out_features, in1_features, in2_features], dtype)?;
        let mut bias = bias.then(|| init::empty(&[out_features], dtype)).transpose()?;
        let bound = (in1_features.max(1) as f64).sqrt().recip();
        init::uniform_(&mut weight, -bound, bound)?;
        bias.as_mut().map_or(Ok(()), |bias| init::uniform_(bias, -bound, bound))?;
        Ok(Bilinear { weight, bias })
    }

    /// The output for two inputs.
    ///
    /// # Errors
    /// As [`functional::bilinear`](F::bilinear).
    pub fn forward(&mut self, input1: &Tensor, input2: &Tensor) -> Result<Tensor> {
        F::bilinear(input1, input2, &self.weight, kw! { bias: self.bias.as_ref() })
    }
}

/// Embedding: rows of a table by their indices.
#[derive(Clone, Debug)]
pub struct Embedding {
    /// `[num_embeddings, embedding_dim]`.
    pub weight: Parameter,
    padding_idx: Option<usize>,
}
crate::module!(Embedding: weight);

impl Embedding {
    /// `nn.Embedding(num_embeddings, embedding_dim, padding_idx=None, dtype=None)`: the row of `padding_idx` is zeros, and stays so.
    ///
    /// # Errors
    /// For other keyword arguments, and a `padding_idx` that is no row.
    pub fn new<'a>(
        num_embeddings: usize,
        embedding_dim: usize,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<Embedding> {
        let class = "nn.Embedding";
        let mut arguments = Arguments::new(class, keywords);
        let (padding, dtype) = (arguments.take("padding_idx"), arguments.dtype()?);
        arguments.end()?;
        let padding_idx = match padding {
            None | Some(Value::None) => None,
            Some(Value::Int(i)) if (-(num_embeddings as i128)..num_embeddings as i128).contains(&i) => {
                Some(i.rem_euclid(num_embeddings as i128) as usize)
            }
            Some(other) => {
                let rule = "Padding_idx must be within num_embeddings";
                return Err(refuse(class, "padding_idx", other.told(), rule, Fault::Value));
            }
        };
        let mut weight = init::empty(&[num_embeddings, embedding_dim], dtype)?;
        init::normal_(&mut weight, 0.0, 1.0)?;
        if let Some(row) = padding_idx {
            let mut elements = Tensor::from(crate::autograd::detached(weight.ivy_array()));
            elements.set(ivy_core::s![row as i64], 0)?;
            weight.copy_(&elements)?;
        }
        Ok(Embedding { weight, padding_idx })
    }
}

impl Forward for Embedding {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        F::embedding(input, &self.weight, kw! { padding_idx: self.padding_idx })
    }
}
