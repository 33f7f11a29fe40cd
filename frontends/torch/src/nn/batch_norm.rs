//! Normalizations of channels over a batch or over each example, with running statistics.

use super::arguments::{Arguments, refuse};
use super::norm::{affine, ones};
use super::{Buffer, Forward, Module, Parameter, Part, PartMut, Training, functional as F, init, joined};
use crate::{Keywords, Tensor, Value, autograd, kw};
use ivy_core::{Dtype, Result};
use ivy_frontend::Fault;

/// Running statistics of channels.
#[derive(Clone, Debug)]
struct Running {
    running_mean: Buffer,
    running_var: Buffer,
    num_batches_tracked: Buffer,
}

impl Running {
    fn new(channels: usize, dtype: Option<Dtype>) -> Result<Running> {
        let zeros = init::empty(&[channels], dtype)?;
        Ok(Running {
            running_mean: Buffer::new(Tensor::clone(&zeros)),
            running_var: Buffer::new(Tensor::clone(&*ones(&[channels], dtype)?)),
            num_batches_tracked: Buffer::new(crate::zeros([Vec::<usize>::new()], kw! { dtype: "int64" })?),
        })
    }

    /// Counts a batch, and gives its share: the momentum, or without one that of one batch of all so far.
    fn share(&mut self, momentum: Option<f64>) -> Result<f64> {
        self.num_batches_tracked.copy_(&(&*self.num_batches_tracked + 1).ok()?)?;
        match momentum {
            Some(momentum) => Ok(momentum),
            None => Ok(1.0 / self.num_batches_tracked.ivy_array().item::<i64>()? as f64),
        }
    }

    /// Takes in a batch's mean and variance with a share.
    fn track(&mut self, mean: &Tensor, var: &Tensor, share: f64) -> Result<()> {
        for (running, batch) in [(&mut self.running_mean, mean), (&mut self.running_var, var)] {
            let moved = (&**running * (1.0 - share) + batch * share).ok()?;
            running.copy_(&moved)?;
        }
        Ok(())
    }
}

/// Batch normalization of `[batch, channels]` and `[batch, channels, length]`.
pub type BatchNorm1d = ChannelNorm<1, true>;
/// Batch normalization of `[batch, channels, height, width]`.
pub type BatchNorm2d = ChannelNorm<2, true>;
/// Batch normalization of `[batch, channels, depth, height, width]`.
pub type BatchNorm3d = ChannelNorm<3, true>;
/// Instance normalization of `[batch, channels, length]`.
pub type InstanceNorm1d = ChannelNorm<1, false>;
/// Instance normalization of `[batch, channels, height, width]`.
pub type InstanceNorm2d = ChannelNorm<2, false>;
/// Instance normalization of `[batch, channels, depth, height, width]`.
pub type InstanceNorm3d = ChannelNorm<3, false>;

/// Normalization of channels: batch normalization (S. Ioffe and C. Szegedy, 2015) over the whole batch, or instance normalization
/// (D. Ulyanov et al., 2016) over each example. In training it is by the statistics of the input, which may be tracked, in evaluation
/// by the tracked ones.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::{BatchNorm1d, Forward, Module};
/// use ivy_frontend_torch::{Tensor, kw};
/// let mut norm = BatchNorm1d::new(1, kw! { affine: false })?;
/// let y = norm.forward(&Tensor::new([[1.0], [3.0]])?)?;
/// assert!((y.to_vec::<f32>()?[1] - 1.0).abs() < 1e-4);
/// assert!((norm.state_dict()["running_mean"].to_vec::<f32>()?[0] - 0.2).abs() < 1e-6);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChannelNorm<const N: usize, const BATCH: bool> {
    /// `[num_features]`.
    pub weight: Option<Parameter>,
    /// `[num_features]`.
    pub bias: Option<Parameter>,
    running: Option<Running>,
    training: Training,
    eps: f64,
    momentum: Option<f64>,
}

impl<const N: usize, const BATCH: bool> Module for ChannelNorm<N, BATCH> {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        let at = |name: &str| joined(path, name);
        self.weight.visit(&at("weight"), f);
        self.bias.visit(&at("bias"), f);
        if let Some(running) = &self.running {
            running.running_mean.visit(&at("running_mean"), f);
            running.running_var.visit(&at("running_var"), f);
            running.num_batches_tracked.visit(&at("num_batches_tracked"), f);
        }
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        let at = |name: &str| joined(path, name);
        self.weight.visit_mut(&at("weight"), f)?;
        self.bias.visit_mut(&at("bias"), f)?;
        if let Some(running) = &mut self.running {
            running.running_mean.visit_mut(&at("running_mean"), f)?;
            running.running_var.visit_mut(&at("running_var"), f)?;
            running.num_batches_tracked.visit_mut(&at("num_batches_tracked"), f)?;
        }
        self.training.visit_mut(&at("training"), f)
    }
}

impl<const N: usize, const BATCH: bool> ChannelNorm<N, BATCH> {
    const CLASS: &'static str = match (N, BATCH) {
        (1, true) => "nn.BatchNorm1d",
        (2, true) => "nn.BatchNorm2d",
        (_, true) => "nn.BatchNorm3d",
        (1, false) => "nn.InstanceNorm1d",
        (2, false) => "nn.InstanceNorm2d",
        (_, false) => "nn.InstanceNorm3d",
    };

    /// `nn.BatchNorm2d(num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, bias=True, dtype=None)`; of instance
    /// normalization `affine` and `track_running_stats` are false by default.
    ///
    /// # Errors
    /// For other keyword arguments.
    pub fn new<'a>(num_features: usize, keywords: impl Into<Keywords<'a>>) -> Result<Self> {
        let mut arguments = Arguments::new(Self::CLASS, keywords);
        let (eps, momentum) =
            (arguments.float("eps", 1e-5)?, arguments.optional_float("momentum", Some(0.1))?);
        let (with, track) = (arguments.bool("affine", BATCH)?, arguments.bool("track_running_stats", BATCH)?);
        let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
        arguments.end()?;
        let [weight, bias] = affine(&[num_features], with, with && bias, dtype)?;
        let running = track.then(|| Running::new(num_features, dtype)).transpose()?;
        Ok(ChannelNorm { weight, bias, running, training: Training::default(), eps, momentum })
    }

    /// Takes in the statistics of an input, in training.
    fn track(&mut self, input: &Tensor) -> Result<()> {
        let Some(running) = self.running.as_mut().filter(|_| self.training.0) else { return Ok(()) };
        let values = Tensor::from(autograd::detached(input.ivy_array()));
        let axes: Vec<usize> = (0..input.ndim()).filter(|&axis| axis > 1 || axis == 0 && BATCH).collect();
        let mean = crate::mean(&values, kw! { dim: axes.clone() })?;
        let var = crate::var(&values, kw! { dim: axes, correction: 1 })?;
        if BATCH {
            let share = running.share(self.momentum)?;
            return running.track(&mean, &var, share);
        }
        let over_batch = |each: &Tensor| crate::mean(each, kw! { dim: 0 });
        running.track(&over_batch(&mean)?, &over_batch(&var)?, self.momentum.unwrap_or(0.0))
    }
}

impl<const N: usize, const BATCH: bool> Forward for ChannelNorm<N, BATCH> {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        // Batches of vectors have a batch normalization, and one example alone has an instance normalization.
        let least = if !BATCH {
            N + 1
        } else if N == 1 {
            2
        } else {
            N + 2
        };
        if !(least..=N + 2).contains(&input.ndim()) {
            let most = format!("{}D", N + 2);
            let wanted = if least == N + 2 { most } else { format!("{least}D or {most}") };
            let (given, rule) = (format!("{}D", input.ndim()), format!("expected {wanted} input"));
            return Err(refuse(Self::CLASS, "input", given, rule, Fault::Value));
        }
        let single = !BATCH && input.ndim() == N + 1;
        let batch = if single { Some(crate::unsqueeze(input, 0, ())?) } else { None };
        let x = batch.as_ref().unwrap_or(input);
        self.track(x)?;
        let own = self.training.0 || self.running.is_none();
        let known = self.running.as_ref().filter(|_| !own);
        let [mean, var] = [known.map(|r| &r.running_mean), known.map(|r| &r.running_var)].map(Value::from);
        let affine =
            kw! { weight: self.weight.as_ref(), bias: self.bias.as_ref(), momentum: 0.0, eps: self.eps };
        if BATCH {
            return F::batch_norm(x, mean, var, affine.with("training", own));
        }
        let affine = affine.with("running_mean", mean).with("running_var", var).with("use_input_stats", own);
        let made = F::instance_norm(x, affine)?;
        if single { crate::squeeze(&made, kw! { dim: 0 }) } else { Ok(made) }
    }
}
