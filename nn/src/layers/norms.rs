//! Layer and batch normalization.

use crate::{check_features, constant};
use ivy_core::functional::{self, batch_norm, layer_norm};
use ivy_core::{Array, Dtype, Result, Tree};

/// Layer normalization: `scale (x - mean) / sqrt(variance + eps) + offset` over the last axis.
///
/// ```
/// use ivy::nn::LayerNorm;
/// use ivy::prelude::*;
/// let y = LayerNorm::new(2)?.forward(&Array::try_from([[1.0f32, 3.0]])?)?;
/// let [low, high] = y.to_vec::<f32>()?[..] else { panic!("two elements") };
/// assert!((low + 1.0).abs() < 1e-4 && (high - 1.0).abs() < 1e-4);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct LayerNorm {
    /// `[features]`.
    pub scale: Array,
    /// `[features]`.
    pub offset: Array,
    /// The term added to the variance.
    #[tree(skip)]
    pub eps: f64,
}

impl LayerNorm {
    /// A layer with a scale of ones and an offset of zeros, in float32.
    ///
    /// # Errors
    /// No memory.
    pub fn new(features: usize) -> Result<LayerNorm> {
        let of = |value: f64| constant([features], value, Dtype::FLOAT32);
        Ok(LayerNorm { scale: of(1.0)?, offset: of(0.0)?, eps: 1e-5 })
    }

    /// `x: [..., features]` in the same shape.
    ///
    /// # Errors
    /// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for another number of features.
    pub fn forward(&self, x: &Array) -> Result<Array> {
        check_features("LayerNorm", x, 1, self.scale.size())?;
        let params = functional::LayerNorm::new().eps(self.eps).scale(&self.scale).offset(&self.offset);
        layer_norm(x, -1, params)
    }
}

/// Batch normalization: `scale (x - mean) / sqrt(variance + eps) + offset`, each channel over all else: in training
/// with the batch's own statistics, which update the running ones, in evaluation with the running ones.
///
/// ```
/// use ivy::nn::{BatchNorm, RunningStatistics};
/// use ivy::prelude::*;
/// let (layer, state) = (BatchNorm::new(1)?, RunningStatistics::new(1)?);
/// let x = Array::try_from([[1.0f32], [3.0]])?;
/// let (y, state) = layer.forward(&x, &state, true)?;
/// assert!((y.to_vec::<f32>()?[1] - 1.0).abs() < 1e-4);
/// assert!((state.mean.item::<f32>()? - 0.2).abs() < 1e-6);
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct BatchNorm {
    /// `[channels]`.
    pub scale: Array,
    /// `[channels]`.
    pub offset: Array,
    /// The term added to the variance.
    #[tree(skip)]
    pub eps: f64,
    /// Momentum: the part of a batch in the running statistics.
    #[tree(skip)]
    pub momentum: f64,
}

/// The running mean and variance of a [`BatchNorm`]: no parameters, so they stand beside the model.
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct RunningStatistics {
    /// `[channels]`.
    pub mean: Array,
    /// `[channels]`.
    pub variance: Array,
}

impl RunningStatistics {
    /// A mean of zeros and a variance of ones, in float32.
    ///
    /// # Errors
    /// No memory.
    pub fn new(channels: usize) -> Result<RunningStatistics> {
        let of = |value: f64| constant([channels], value, Dtype::FLOAT32);
        Ok(RunningStatistics { mean: of(0.0)?, variance: of(1.0)? })
    }
}

impl BatchNorm {
    /// A layer with a scale of ones and an offset of zeros, in float32.
    ///
    /// # Errors
    /// No memory.
    pub fn new(channels: usize) -> Result<BatchNorm> {
        let of = |value: f64| constant([channels], value, Dtype::FLOAT32);
        Ok(BatchNorm { scale: of(1.0)?, offset: of(0.0)?, eps: 1e-5, momentum: 0.1 })
    }

    /// `x: [..., channels]` in the same shape, and the statistics after it.
    ///
    /// # Errors
    /// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for another number of channels.
    pub fn forward(
        &self,
        x: &Array,
        state: &RunningStatistics,
        training: bool,
    ) -> Result<(Array, RunningStatistics)> {
        check_features("BatchNorm", x, 1, self.scale.size())?;
        let mut params = functional::BatchNorm::new().eps(self.eps).momentum(self.momentum);
        params = params.scale(&self.scale).offset(&self.offset);
        let params = if training { params.training() } else { params };
        let done = batch_norm(x, &state.mean, &state.variance, params)?;
        let state = RunningStatistics {
            mean: functional::stop_gradient(&done.running_mean)?,
            variance: functional::stop_gradient(&done.running_var)?,
        };
        Ok((done.normalized, state))
    }
}
