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
pub type BatchNorm1d = BatchNorm<1>;
/// Batch normalization of `[batch, channels, height, width]`.
pub type BatchNorm2d = BatchNorm<2>;
/// Batch normalization of `[batch, channels, depth, height, width]`.
pub type BatchNorm3d = BatchNorm<3>;

/// Batch normalization of channels (S. Ioffe and C. Szegedy, 2015): in training by the statistics of the batch, which are tracked, in
/// evaluation by the tracked ones.
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
pub struct BatchNorm<const N: usize> {
    /// `[num_features]`.
    pub weight: Option<Parameter>,
    /// `[num_features]`.
    pub bias: Option<Parameter>,
    running: Option<Running>,
    training: Training,
    eps: f64,
    momentum: Option<f64>,
}

/// Instance normalization of `[batch, channels, length]`.
pub type InstanceNorm1d = InstanceNorm<1>;
/// Instance normalization of `[batch, channels, height, width]`.
pub type InstanceNorm2d = InstanceNorm<2>;
/// Instance normalization of `[batch, channels, depth, height, width]`.
pub type InstanceNorm3d = InstanceNorm<3>;

/// Instance normalization (D. Ulyanov et al., 2016): of each channel of each example over its elements.
#[derive(Clone, Debug)]
pub struct InstanceNorm<const N: usize> {
    /// `[num_features]`.
    pub weight: Option<Parameter>,
    /// `[num_features]`.
    pub bias: Option<Parameter>,
    running: Option<Running>,
    training: Training,
    eps: f64,
    momentum: Option<f64>,
}

macro_rules! tracked {
    ($($norm:ident $class:literal $usual:literal;)*) => {$(
        impl<const N: usize> Module for $norm<N> {
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

            fn visit_mut(
                &mut self,
                path: &str,
                f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>,
            ) -> Result<()> {
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

        impl<const N: usize> $norm<N> {
            #[doc = concat!("`", $class, "(num_features, eps=1e-5, momentum=0.1, affine, track_running_stats, bias=True, dtype=None)`")]
            ///
            /// # Errors
            /// For other keyword arguments.
            pub fn new<'a>(num_features: usize, keywords: impl Into<Keywords<'a>>) -> Result<Self> {
                let mut arguments = Arguments::new($class, keywords);
                let (eps, momentum) = (arguments.float("eps", 1e-5)?, arguments.optional_float("momentum", Some(0.1))?);
                let (with, track) = (arguments.bool("affine", $usual)?, arguments.bool("track_running_stats", $usual)?);
                let (bias, dtype) = (arguments.bool("bias", true)?, arguments.dtype()?);
                arguments.end()?;
                let [weight, bias] = affine(&[num_features], with, with && bias, dtype)?;
                let running = track.then(|| Running::new(num_features, dtype)).transpose()?;
                Ok($norm { weight, bias, running, training: Training::default(), eps, momentum })
            }
        }
    )*};
}
tracked! {
    BatchNorm "nn.BatchNorm" true;
    InstanceNorm "nn.InstanceNorm" false;
}

fn wrong_axes(class: &'static str, wanted: &str, input: &Tensor) -> ivy_core::Error {
    refuse(class, "input", format!("{}D", input.ndim()), format!("expected {wanted} input"), Fault::Value)
}

/// The statistics of a module for a call: none where those of the input are taken.
fn statistics(running: &Option<Running>, own: bool) -> [Option<&Buffer>; 2] {
    let known = running.as_ref().filter(|_| !own);
    [known.map(|r| &r.running_mean), known.map(|r| &r.running_var)]
}

impl<const N: usize> Forward for BatchNorm<N> {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        let fits = input.ndim() == N + 2 || N == 1 && input.ndim() == 2;
        if !fits {
            let wanted = if N == 1 { "2D or 3D".to_owned() } else { format!("{}D", N + 2) };
            return Err(wrong_axes("nn.BatchNorm", &wanted, input));
        }
        if let Some(running) = self.running.as_mut().filter(|_| self.training.0) {
            let axes: Vec<usize> = (0..input.ndim()).filter(|&axis| axis != 1).collect();
            let values = Tensor::from(autograd::detached(input.ivy_array()));
            let mean = crate::mean(&values, kw! { dim: axes.clone() })?;
            let var = crate::var(&values, kw! { dim: axes, correction: 1 })?;
            let share = running.share(self.momentum)?;
            running.track(&mean, &var, share)?;
        }
        let own = self.training.0 || self.running.is_none();
        let [mean, var] = statistics(&self.running, own);
        let (weight, bias) = (self.weight.as_ref(), self.bias.as_ref());
        let keywords = kw! { weight: weight, bias: bias, training: own, momentum: 0.0, eps: self.eps };
        F::batch_norm(input, Value::from(mean), Value::from(var), keywords)
    }
}

impl<const N: usize> Forward for InstanceNorm<N> {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        let single = input.ndim() == N + 1;
        if !single && input.ndim() != N + 2 {
            return Err(wrong_axes("nn.InstanceNorm", &format!("{}D or {}D", N + 1, N + 2), input));
        }
        let batch = if single { Some(crate::unsqueeze(input, 0, ())?) } else { None };
        let x = batch.as_ref().unwrap_or(input);
        if let Some(running) = self.running.as_mut().filter(|_| self.training.0) {
            let axes: Vec<usize> = (2..x.ndim()).collect();
            let values = Tensor::from(autograd::detached(x.ivy_array()));
            let over_batch = |each: Tensor| crate::mean(&each, kw! { dim: 0 });
            let mean = over_batch(crate::mean(&values, kw! { dim: axes.clone() })?)?;
            let var = over_batch(crate::var(&values, kw! { dim: axes, correction: 1 })?)?;
            running.track(&mean, &var, self.momentum.unwrap_or(0.0))?;
        }
        let own = self.training.0 || self.running.is_none();
        let [mean, var] = statistics(&self.running, own);
        let keywords = kw! {
            running_mean: mean, running_var: var, weight: self.weight.as_ref(), bias: self.bias.as_ref(), use_input_stats: own,
            momentum: 0.0, eps: self.eps,
        };
        let made = F::instance_norm(x, keywords)?;
        if single { crate::squeeze(&made, kw! { dim: 0 }) } else { Ok(made) }
    }
}
