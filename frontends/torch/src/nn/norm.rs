//! Normalizations over the last axes, and over groups of channels.

use super::arguments::{Arguments, refuse};
use super::{Forward, Parameter, functional as F, init};
use crate::{Keywords, Tensor, Value, kw};
use ivy_core::{Dtype, Result};
use ivy_frontend::Fault;

pub(super) fn ones(shape: &[usize], dtype: Option<Dtype>) -> Result<Parameter> {
    let mut made = init::empty(shape, dtype)?;
    init::ones_(&mut made)?;
    Ok(made)
}

/// A weight of ones and a bias of zeros, where they are wanted.
pub(super) fn affine(
    shape: &[usize],
    weight: bool,
    bias: bool,
    dtype: Option<Dtype>,
) -> Result<[Option<Parameter>; 2]> {
    let weight = weight.then(|| ones(shape, dtype)).transpose()?;
    Ok([weight, bias.then(|| init::empty(shape, dtype)).transpose()?])
}

/// The lengths of the axes that are normalized over: one, or several.
fn lengths<'a>(class: &'static str, value: impl Into<Value<'a>>) -> Result<Vec<usize>> {
    let value = value.into();
    let length = |value: &Value<'_>| if let Value::Int(i) = value { usize::try_from(*i).ok() } else { None };
    let found = match value.items() {
        Some(items) => items.iter().map(length).collect::<Option<Vec<_>>>(),
        None => length(&value).map(|one| vec![one]),
    };
    found.ok_or_else(|| {
        refuse(
            class,
            "normalized_shape",
            value.told(),
            "an integer from 0 on or several of them",
            Fault::Type,
        )
    })
}

/// Layer normalization over the last axes (J. Ba et al., 2016).
#[derive(Clone, Debug)]
pub struct LayerNorm {
    /// `normalized_shape`.
    pub weight: Option<Parameter>,
    /// `normalized_shape`.
    pub bias: Option<Parameter>,
    shape: Vec<usize>,
    eps: f64,
}
crate::module!(LayerNorm: weight, bias);

impl LayerNorm {
    /// `nn.LayerNorm(normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments.
    pub fn new<'a, 'b>(
        normalized_shape: impl Into<Value<'b>>,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<LayerNorm> {
        let mut arguments = Arguments::new("nn.LayerNorm", keywords);
        let shape = lengths("nn.LayerNorm", normalized_shape)?;
        let (eps, with) = (arguments.float("eps", 1e-5)?, arguments.bool("elementwise_affine", true)?);
        let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
        arguments.end()?;
        let [weight, bias] = affine(&shape, with, with && bias, dtype)?;
        Ok(LayerNorm { weight, bias, shape, eps })
    }
}

impl Forward for LayerNorm {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        let keywords = kw! { weight: self.weight.as_ref(), bias: self.bias.as_ref(), eps: self.eps };
        F::layer_norm(input, &self.shape[..], keywords)
    }
}

/// Root-mean-square normalization over the last axes (B. Zhang and R. Sennrich, 2019).
#[derive(Clone, Debug)]
pub struct RMSNorm {
    /// `normalized_shape`.
    pub weight: Option<Parameter>,
    shape: Vec<usize>,
    eps: Option<f64>,
}
crate::module!(RMSNorm: weight);

impl RMSNorm {
    /// `nn.RMSNorm(normalized_shape, eps=None, elementwise_affine=True, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments.
    pub fn new<'a, 'b>(
        normalized_shape: impl Into<Value<'b>>,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<RMSNorm> {
        let mut arguments = Arguments::new("nn.RMSNorm", keywords);
        let shape = lengths("nn.RMSNorm", normalized_shape)?;
        let (eps, with) =
            (arguments.optional_float("eps", None)?, arguments.bool("elementwise_affine", true)?);
        let dtype = arguments.dtype()?;
        arguments.end()?;
        let [weight, _] = affine(&shape, with, false, dtype)?;
        Ok(RMSNorm { weight, shape, eps })
    }
}

impl Forward for RMSNorm {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        F::rms_norm(input, &self.shape[..], kw! { weight: self.weight.as_ref(), eps: self.eps })
    }
}

/// Group normalization of channels (Y. Wu and K. He, 2018).
#[derive(Clone, Debug)]
pub struct GroupNorm {
    /// `[num_channels]`.
    pub weight: Option<Parameter>,
    /// `[num_channels]`.
    pub bias: Option<Parameter>,
    num_groups: usize,
    eps: f64,
}
crate::module!(GroupNorm: weight, bias);

impl GroupNorm {
    /// `nn.GroupNorm(num_groups, num_channels, eps=1e-5, affine=True, bias=True, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments, and groups that do not divide the channels.
    pub fn new<'a>(
        num_groups: usize,
        num_channels: usize,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<GroupNorm> {
        let class = "nn.GroupNorm";
        let mut arguments = Arguments::new(class, keywords);
        let (eps, with) = (arguments.float("eps", 1e-5)?, arguments.bool("affine", true)?);
        let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
        arguments.end()?;
        if num_groups == 0 || !num_channels.is_multiple_of(num_groups) {
            let rule = format!("num_channels ({num_channels}) must be divisible by num_groups");
            return Err(refuse(class, "num_groups", num_groups.to_string(), rule, Fault::Value));
        }
        let [weight, bias] = affine(&[num_channels], with, with && bias, dtype)?;
        Ok(GroupNorm { weight, bias, num_groups, eps })
    }
}

impl Forward for GroupNorm {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        let keywords = kw! { weight: self.weight.as_ref(), bias: self.bias.as_ref(), eps: self.eps };
        F::group_norm(input, self.num_groups, keywords)
    }
}
