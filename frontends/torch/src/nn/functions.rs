//! Modules without parameters: a function, with arguments that are given once.

use super::arguments::{Arguments, refuse};
use super::stored::Stored;
use super::{Forward, Module, Parameter, Part, PartMut, Training, functional as F, init};
use crate::{Keywords, Tensor, Value};
use ivy_core::Result;
use ivy_frontend::Fault;

macro_rules! stored_module {
    ($name:ident) => {
        impl Module for $name {
            fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
                self.0.visit(path, f);
            }

            fn visit_mut(
                &mut self,
                path: &str,
                f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>,
            ) -> Result<()> {
                self.0.visit_mut(path, f)
            }
        }
    };
}
pub(super) use stored_module;

/// Modules of one input: a name, the function's path, its arguments by position, and what is given to it where the module's default is
/// another one.
macro_rules! of_functions {
    ($($(#[$doc:meta])* $name:ident $path:literal ($($argument:ident),*) [$($usual:ident = $value:expr),*];)*) => {$(
        $(#[$doc])*
        ///
        #[doc = concat!("The keyword arguments are those of `", $path, "`.")]
        #[derive(Clone, Debug)]
        pub struct $name(Stored);
        stored_module!($name);

        impl $name {
            /// The module, with the function's arguments.
            ///
            /// # Errors
            /// For keyword arguments that the function has not.
            pub fn new<'a>($($argument: impl Into<Value<'a>>,)* keywords: impl Into<Keywords<'a>>) -> Result<$name> {
                let class = concat!("nn.", stringify!($name));
                let usual = [$((stringify!($usual), Value::from($value))),*];
                Stored::new(class, $path, vec![$($argument.into()),*], keywords.into(), &usual).map($name)
            }
        }

        impl Forward for $name {
            fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
                self.0.call([input])
            }
        }
    )*};
}
of_functions! {
    /// Rectified linear unit: `max(x, 0)`.
    ReLU "nn.functional.relu" () [];
    /// ReLU6: `min(max(x, 0), 6)`.
    ReLU6 "nn.functional.relu6" () [];
    /// Exponential linear unit.
    ELU "nn.functional.elu" () [];
    /// Scaled exponential linear unit.
    SELU "nn.functional.selu" () [];
    /// Continuously differentiable exponential linear unit.
    CELU "nn.functional.celu" () [];
    /// Leaky rectified linear unit.
    LeakyReLU "nn.functional.leaky_relu" () [];
    /// Hard tanh: `min(max(x, min_val), max_val)`.
    Hardtanh "nn.functional.hardtanh" () [];
    /// Hard swish.
    Hardswish "nn.functional.hardswish" () [];
    /// Hard sigmoid.
    Hardsigmoid "nn.functional.hardsigmoid" () [];
    /// Hard shrinkage.
    Hardshrink "nn.functional.hardshrink" () [];
    /// Soft shrinkage.
    Softshrink "nn.functional.softshrink" () [];
    /// `x - tanh(x)`.
    Tanhshrink "nn.functional.tanhshrink" () [];
    /// Gaussian error linear unit.
    GELU "nn.functional.gelu" () [];
    /// Sigmoid linear unit: `x / (1 + e^-x)`.
    SiLU "nn.functional.silu" () [];
    /// Mish: `x tanh(softplus(x))`.
    Mish "nn.functional.mish" () [];
    /// Softplus: `log(1 + e^(beta x)) / beta`.
    Softplus "nn.functional.softplus" () [];
    /// Softsign: `x / (1 + |x|)`.
    Softsign "nn.functional.softsign" () [];
    /// Sigmoid: `1 / (1 + e^-x)`.
    Sigmoid "nn.functional.sigmoid" () [];
    /// Hyperbolic tangent.
    Tanh "nn.functional.tanh" () [];
    /// Logarithm of the sigmoid.
    LogSigmoid "nn.functional.logsigmoid" () [];
    /// Gated linear unit: half of an axis times the sigmoid of the other half.
    GLU "nn.functional.glu" () [];
    /// What is not above a threshold is replaced by a value.
    Threshold "nn.functional.threshold" (threshold, value) [];
    /// Softmax along an axis.
    Softmax "nn.functional.softmax" (dim) [];
    /// Softmax of the negated input along an axis.
    Softmin "nn.functional.softmin" (dim) [];
    /// Softmax over the channels of `[batch, channels, height, width]`.
    Softmax2d "nn.functional.softmax" () [dim = -3];
    /// Logarithm of the softmax along an axis.
    LogSoftmax "nn.functional.log_softmax" (dim) [];
    /// 1-D max pooling.
    MaxPool1d "nn.functional.max_pool1d" (kernel_size) [];
    /// 2-D max pooling.
    MaxPool2d "nn.functional.max_pool2d" (kernel_size) [];
    /// 3-D max pooling.
    MaxPool3d "nn.functional.max_pool3d" (kernel_size) [];
    /// 1-D average pooling.
    AvgPool1d "nn.functional.avg_pool1d" (kernel_size) [];
    /// 2-D average pooling.
    AvgPool2d "nn.functional.avg_pool2d" (kernel_size) [];
    /// 3-D average pooling.
    AvgPool3d "nn.functional.avg_pool3d" (kernel_size) [];
    /// 1-D average pooling to a size.
    AdaptiveAvgPool1d "nn.functional.adaptive_avg_pool1d" (output_size) [];
    /// 2-D average pooling to a size.
    AdaptiveAvgPool2d "nn.functional.adaptive_avg_pool2d" (output_size) [];
    /// 3-D average pooling to a size.
    AdaptiveAvgPool3d "nn.functional.adaptive_avg_pool3d" (output_size) [];
    /// 1-D max pooling to a size.
    AdaptiveMaxPool1d "nn.functional.adaptive_max_pool1d" (output_size) [];
    /// 2-D max pooling to a size.
    AdaptiveMaxPool2d "nn.functional.adaptive_max_pool2d" (output_size) [];
    /// 3-D max pooling to a size.
    AdaptiveMaxPool3d "nn.functional.adaptive_max_pool3d" (output_size) [];
    /// Flattening of axes to one, of all but the first by default.
    Flatten "flatten" () [start_dim = 1];
    /// One axis as several.
    Unflatten "unflatten" (dim, unflattened_size) [];
    /// Pixel shuffle: `[..., c r^2, h, w]` as `[..., c, h r, w r]`.
    PixelShuffle "nn.functional.pixel_shuffle" (upscale_factor) [];
    /// Inverse of a pixel shuffle: `[..., c, h r, w r]` as `[..., c r^2, h, w]`.
    PixelUnshuffle "nn.functional.pixel_unshuffle" (downscale_factor) [];
    /// Channel shuffle: the channels of some groups one after the other, a channel of each.
    ChannelShuffle "nn.functional.channel_shuffle" (groups) [];
    /// Sums of overlapping blocks (col2im): `[batch, channels * block, blocks]` as images.
    Fold "nn.functional.fold" (output_size, kernel_size) [];
    /// Overlapping blocks (im2col): images as `[batch, channels * block, blocks]`.
    Unfold "nn.functional.unfold" (kernel_size) [];
    /// Local response normalisation over neighbouring channels (A. Krizhevsky et al., 2012).
    LocalResponseNorm "nn.functional.local_response_norm" (size) [];
    /// 1-D power-average pooling.
    LPPool1d "nn.functional.lp_pool1d" (norm_type, kernel_size) [];
    /// 2-D power-average pooling.
    LPPool2d "nn.functional.lp_pool2d" (norm_type, kernel_size) [];
    /// 3-D power-average pooling.
    LPPool3d "nn.functional.lp_pool3d" (norm_type, kernel_size) [];
    /// Resampling to a size or by a factor.
    Upsample "nn.functional.interpolate" () [];
    /// Resampling of images by the nearest pixel.
    UpsamplingNearest2d "nn.functional.interpolate" () [mode = "nearest"];
    /// Resampling of images by bilinear interpolation between their corners.
    UpsamplingBilinear2d "nn.functional.interpolate" () [mode = "bilinear", align_corners = true];
}

/// Dropouts: the same with the module's mode.
macro_rules! dropouts {
    ($($(#[$doc:meta])* $name:ident $path:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            call: Stored,
            training: Training,
        }
        crate::module!($name: training);

        impl $name {
            /// A module that drops with the probability `p`.
            ///
            /// # Errors
            /// For keyword arguments that the function has not.
            pub fn new<'a>(p: f64, keywords: impl Into<Keywords<'a>>) -> Result<$name> {
                let class = concat!("nn.", stringify!($name));
                if !(0.0..=1.0).contains(&p) {
                    let rule = "dropout probability has to be between 0 and 1";
                    return Err(refuse(class, "p", p.to_string(), rule, Fault::Value));
                }
                let call = Stored::new(class, $path, vec![p.into()], keywords.into(), &[])?;
                Ok($name { call, training: Training::default() })
            }
        }

        impl Forward for $name {
            fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
                self.call.set("training", self.training.0.into());
                self.call.call([input])
            }
        }
    )*};
}
dropouts! {
    /// Dropout of elements, in training.
    Dropout "nn.functional.dropout";
    /// Dropout of whole channels of `[batch, channels, length]`, in training.
    Dropout1d "nn.functional.dropout1d";
    /// Dropout of whole channels of `[batch, channels, height, width]`, in training.
    Dropout2d "nn.functional.dropout2d";
    /// Dropout of whole channels of `[batch, channels, depth, height, width]`, in training.
    Dropout3d "nn.functional.dropout3d";
    /// Dropout that keeps mean and variance of what [`SELU`] gives, in training.
    AlphaDropout "nn.functional.alpha_dropout";
}

/// Randomised leaky rectified linear unit: the slope below 0 is drawn for each element in training, and the mean of its bounds otherwise.
///
/// The keyword arguments are those of `nn.functional.rrelu`.
#[derive(Clone, Debug)]
pub struct RReLU {
    call: Stored,
    training: Training,
}
crate::module!(RReLU: training);

impl RReLU {
    /// The module, with the function's arguments.
    ///
    /// # Errors
    /// For keyword arguments that the function has not.
    pub fn new<'a>(keywords: impl Into<Keywords<'a>>) -> Result<RReLU> {
        let call = Stored::new("nn.RReLU", "nn.functional.rrelu", vec![], keywords.into(), &[])?;
        Ok(RReLU { call, training: Training::default() })
    }
}

impl Forward for RReLU {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        self.call.set("training", self.training.0.into());
        self.call.call([input])
    }
}

/// Identity: gives what it is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;
crate::module!(Identity:);

impl Forward for Identity {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        Ok(input.clone())
    }
}

/// Parametric rectified linear unit (K. He et al., 2015): `max(x, 0) + weight min(x, 0)`.
#[derive(Clone, Debug)]
pub struct PReLU {
    /// `[num_parameters]`.
    pub weight: Parameter,
}
crate::module!(PReLU: weight);

impl PReLU {
    /// `nn.PReLU(num_parameters=1, init=0.25, dtype=None)`
    ///
    /// # Errors
    /// For other keyword arguments.
    pub fn new<'a>(keywords: impl Into<Keywords<'a>>) -> Result<PReLU> {
        let mut arguments = Arguments::new("nn.PReLU", keywords);
        let (count, value) = (arguments.size("num_parameters", 1)?, arguments.float("init", 0.25)?);
        let dtype = arguments.dtype()?;
        arguments.end()?;
        let mut weight = init::empty(&[count], dtype)?;
        init::constant_(&mut weight, value)?;
        Ok(PReLU { weight })
    }
}

impl Forward for PReLU {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        F::prelu(input, &self.weight, ())
    }
}
