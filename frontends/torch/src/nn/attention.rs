//! Multi-head attention, and the encoder layer of a transformer: A. Vaswani et al., "Attention is all you need", 2017.

use super::arguments::{Arguments, refuse};
use super::{Dropout, Forward, LayerNorm, Linear, Parameter, Training, functional as F, init};
use crate::{Keywords, Tensor, kw};
use ivy_core::{Dtype, Result};
use ivy_frontend::Fault;

/// Multi-head attention: `softmax(Q K^T / sqrt(d)) V` of projections of query, key and value, for each head.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::{Mask, MultiheadAttention};
/// use ivy_frontend_torch::{kw, ones};
/// let mut attention = MultiheadAttention::new(6, 2, kw! { batch_first: true })?;
/// let x = ones([2, 4, 6], ())?;
/// let (output, weights) = attention.forward(&x, &x, &x, Mask::default())?;
/// assert_eq!((output.shape().to_string(), weights.shape().to_string()), ("(2, 4, 6)".into(), "(2, 4, 4)".into()));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiheadAttention {
    /// `[3 * embed_dim, embed_dim]`, where key and value have the query's width.
    pub in_proj_weight: Option<Parameter>,
    /// `[embed_dim, embed_dim]`, where they have widths of their own.
    pub q_proj_weight: Option<Parameter>,
    /// `[embed_dim, kdim]`, where they have widths of their own.
    pub k_proj_weight: Option<Parameter>,
    /// `[embed_dim, vdim]`, where they have widths of their own.
    pub v_proj_weight: Option<Parameter>,
    /// `[3 * embed_dim]`.
    pub in_proj_bias: Option<Parameter>,
    /// The projection of the heads' outputs.
    pub out_proj: Linear,
    embed_dim: usize,
    num_heads: usize,
    dropout: f64,
    batch_first: bool,
    training: Training,
}
crate::module!(MultiheadAttention: in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight, in_proj_bias, out_proj, training);

/// What attention leaves out: masks of truth values leave out what is true, others are added to the scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mask<'a> {
    /// `[length, source]`, or `[batch * heads, length, source]`.
    pub attention: Option<&'a Tensor>,
    /// `[batch, source]`: of each sequence.
    pub key_padding: Option<&'a Tensor>,
}

impl MultiheadAttention {
    /// `nn.MultiheadAttention(embed_dim, num_heads, dropout=0.0, bias=True, kdim=None, vdim=None, batch_first=False, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments, and a number of heads that does not divide `embed_dim`.
    pub fn new<'a>(embed_dim: usize, num_heads: usize, keywords: impl Into<Keywords<'a>>) -> Result<Self> {
        let class = "nn.MultiheadAttention";
        let mut arguments = Arguments::new(class, keywords);
        let (dropout, bias) = (arguments.float("dropout", 0.0)?, arguments.bool("bias", true)?);
        let (kdim, vdim) = (arguments.size("kdim", embed_dim)?, arguments.size("vdim", embed_dim)?);
        let (batch_first, dtype) = (arguments.bool("batch_first", false)?, arguments.dtype()?);
        arguments.end()?;
        if embed_dim == 0 || num_heads == 0 || !embed_dim.is_multiple_of(num_heads) {
            let rule = format!("embed_dim ({embed_dim}) must be divisible by num_heads");
            return Err(refuse(class, "num_heads", num_heads.to_string(), rule, Fault::Value));
        }
        let projection = |wanted: bool, rows: usize, columns: usize| -> Result<Option<Parameter>> {
            if !wanted {
                return Ok(None);
            }
            let mut made = init::empty(&[rows, columns], dtype)?;
            init::xavier_uniform_(&mut made, 1.0)?;
            Ok(Some(made))
        };
        let one = kdim == embed_dim && vdim == embed_dim;
        let mut out_proj = Linear::new(embed_dim, embed_dim, with_dtype(kw! { bias: bias }, dtype))?;
        out_proj.bias.as_mut().map_or(Ok(()), init::zeros_)?;
        Ok(MultiheadAttention {
            in_proj_weight: projection(one, 3 * embed_dim, embed_dim)?,
            q_proj_weight: projection(!one, embed_dim, embed_dim)?,
            k_proj_weight: projection(!one, embed_dim, kdim)?,
            v_proj_weight: projection(!one, embed_dim, vdim)?,
            in_proj_bias: bias.then(|| init::empty(&[3 * embed_dim], dtype)).transpose()?,
            out_proj,
            embed_dim,
            num_heads,
            dropout,
            batch_first,
            training: Training::default(),
        })
    }

    /// The weight and the bias of query (0), key (1) or value (2).
    fn projection(&self, i: usize) -> Result<(Tensor, Option<Tensor>)> {
        let rows = |of: &Parameter| crate::narrow(of, 0, i * self.embed_dim, self.embed_dim, ());
        let own = [&self.q_proj_weight, &self.k_proj_weight, &self.v_proj_weight][i];
        let weight = match (own, &self.in_proj_weight) {
            (Some(own), _) => Tensor::clone(own),
            (None, Some(all)) => rows(all)?,
            (None, None) => unreachable!("either is made"),
        };
        Ok((weight, self.in_proj_bias.as_ref().map(rows).transpose()?))
    }

    /// The output, and the attention weights, averaged over the heads. Without a batch there is no such axis.
    ///
    /// # Errors
    /// Those of the functions that it calls, for inputs and masks of other shapes.
    pub fn forward(
        &mut self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Mask<'_>,
    ) -> Result<(Tensor, Tensor)> {
        let batched = query.ndim() == 3;
        let first = |x: &Tensor| match batched {
            false => crate::unsqueeze(x, 1, ()),
            true if self.batch_first => crate::transpose(x, 0, 1, ()),
            true => Ok(x.clone()),
        };
        let (query, key, value) = (first(query)?, first(key)?, first(value)?);
        let (length, batch, source) = (query.shape()[0], query.shape()[1], key.shape()[0]);
        let (heads, size) = (self.num_heads, self.embed_dim / self.num_heads);
        let project = |i: usize, x: &Tensor| -> Result<Tensor> {
            let (weight, bias) = self.projection(i)?;
            let all = F::linear(x, &weight, kw! { bias: bias })?;
            let each = crate::reshape(&all, [x.shape()[0], batch, heads, size], ())?;
            crate::permute(&each, [1, 2, 0, 3], ())
        };
        let (q, k, v) = (project(0, &query)?, project(1, &key)?, project(2, &value)?);
        let mut scores = (crate::matmul(&q, &crate::transpose(&k, -2, -1, ())?, ())?
            * (size as f64).sqrt().recip())
        .ok()?;
        if let Some(given) = mask.attention {
            let whole = given.ndim() != 3;
            let each = if whole {
                given.clone()
            } else {
                crate::reshape(given, [batch, heads, length, source], ())?
            };
            scores = masked(&scores, &each)?;
        }
        if let Some(given) = mask.key_padding {
            scores = masked(&scores, &crate::reshape(given, [batch, 1, 1, source], ())?)?;
        }
        let weights = crate::softmax(&scores, -1, ())?;
        let dropped = match self.training.0 && self.dropout > 0.0 {
            true => F::dropout(&weights, kw! { p: self.dropout })?,
            false => weights.clone(),
        };
        let outputs = crate::permute(&crate::matmul(&dropped, &v, ())?, [2, 0, 1, 3], ())?;
        let output =
            self.out_proj.forward(&crate::reshape(&outputs, [length, batch, self.embed_dim], ())?)?;
        let weights = crate::mean(&weights, kw! { dim: 1 })?;
        match batched {
            false => {
                Ok((crate::squeeze(&output, kw! { dim: 1 })?, crate::squeeze(&weights, kw! { dim: 0 })?))
            }
            true if self.batch_first => Ok((crate::transpose(&output, 0, 1, ())?, weights)),
            true => Ok((output, weights)),
        }
    }
}

fn with_dtype<'a>(keywords: Keywords<'a>, dtype: Option<Dtype>) -> Keywords<'a> {
    match dtype {
        Some(dtype) => keywords.with("dtype", dtype),
        None => keywords,
    }
}

fn masked(scores: &Tensor, mask: &Tensor) -> Result<Tensor> {
    match mask.dtype().is_bool() {
        true => crate::masked_fill(scores, mask, f64::NEG_INFINITY, ()),
        false => (scores + mask).ok(),
    }
}

/// Encoder layer of a transformer: attention of a sequence to itself and two linear layers, each added to its input.
#[derive(Clone, Debug)]
pub struct TransformerEncoderLayer {
    /// The attention.
    pub self_attn: MultiheadAttention,
    /// `[dim_feedforward, d_model]`.
    pub linear1: Linear,
    /// `[d_model, dim_feedforward]`.
    pub linear2: Linear,
    /// The normalization at the attention.
    pub norm1: LayerNorm,
    /// The normalization at the linear layers.
    pub norm2: LayerNorm,
    dropouts: [Dropout; 3],
    training: Training,
    norm_first: bool,
    gelu: bool,
}
crate::module!(TransformerEncoderLayer: self_attn, linear1, linear2, norm1, norm2, training);

impl TransformerEncoderLayer {
    /// `nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5,
    /// batch_first=False, norm_first=False, bias=True, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments, and what the layers in it refuse.
    pub fn new<'a>(d_model: usize, nhead: usize, keywords: impl Into<Keywords<'a>>) -> Result<Self> {
        let class = "nn.TransformerEncoderLayer";
        let mut arguments = Arguments::new(class, keywords);
        let (width, dropout) = (arguments.size("dim_feedforward", 2048)?, arguments.float("dropout", 0.1)?);
        let (activation, eps) =
            (arguments.text("activation", "relu")?, arguments.float("layer_norm_eps", 1e-5)?);
        let (batch_first, norm_first) =
            (arguments.bool("batch_first", false)?, arguments.bool("norm_first", false)?);
        let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
        arguments.end()?;
        if !["relu", "gelu"].contains(&activation.as_str()) {
            let value = format!("'{activation}'");
            return Err(refuse(class, "activation", value, "'relu' or 'gelu' is needed", Fault::Runtime));
        }
        let own = || with_dtype(kw! { bias: bias }, dtype);
        let attention = own().with("dropout", dropout).with("batch_first", batch_first);
        let norm = || LayerNorm::new(d_model, own().with("eps", eps));
        let drop = || Dropout::new(dropout, ());
        Ok(TransformerEncoderLayer {
            self_attn: MultiheadAttention::new(d_model, nhead, attention)?,
            linear1: Linear::new(d_model, width, own())?,
            linear2: Linear::new(width, d_model, own())?,
            norm1: norm()?,
            norm2: norm()?,
            dropouts: [drop()?, drop()?, drop()?],
            training: Training::default(),
            norm_first,
            gelu: activation == "gelu",
        })
    }

    /// The sequence after the layer.
    ///
    /// # Errors
    /// As [`MultiheadAttention::forward`].
    pub fn forward_masked(&mut self, src: &Tensor, mask: Mask<'_>) -> Result<Tensor> {
        use super::Module;
        let training = self.training.0;
        self.dropouts.iter_mut().try_for_each(|dropout| dropout.train(training))?;
        if self.norm_first {
            let normed = self.norm1.forward(src)?;
            let x = (src + self.attend(&normed, mask)?).ok()?;
            let normed = self.norm2.forward(&x)?;
            return (&x + self.feed(&normed)?).ok();
        }
        let x = (src + self.attend(src, mask)?).ok()?;
        let x = self.norm1.forward(&x)?;
        let fed = (&x + self.feed(&x)?).ok()?;
        self.norm2.forward(&fed)
    }

    fn attend(&mut self, x: &Tensor, mask: Mask<'_>) -> Result<Tensor> {
        let (output, _) = self.self_attn.forward(x, x, x, mask)?;
        self.dropouts[0].forward(&output)
    }

    fn feed(&mut self, x: &Tensor) -> Result<Tensor> {
        let hidden = self.linear1.forward(x)?;
        let hidden = if self.gelu { F::gelu(&hidden, ())? } else { F::relu(&hidden, ())? };
        let hidden = self.dropouts[1].forward(&hidden)?;
        let output = self.linear2.forward(&hidden)?;
        self.dropouts[2].forward(&output)
    }
}

impl Forward for TransformerEncoderLayer {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        self.forward_masked(input, Mask::default())
    }
}
