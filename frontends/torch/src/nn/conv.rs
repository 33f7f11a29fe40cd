//! Convolutions and transposed convolutions of one to three axes.

use super::arguments::{Arguments, refuse, sizes};
use super::{Forward, Parameter, functional as F, init};
use crate::{Keywords, Tensor, Value, kw};
use ivy_core::Result;
use ivy_frontend::Fault;

/// 1-D convolution of `[batch, channels, length]`.
pub type Conv1d = Convolution<1, false>;
/// 2-D convolution of `[batch, channels, height, width]`.
pub type Conv2d = Convolution<2, false>;
/// 3-D convolution of `[batch, channels, depth, height, width]`.
pub type Conv3d = Convolution<3, false>;
/// Transposed 1-D convolution.
pub type ConvTranspose1d = Convolution<1, true>;
/// Transposed 2-D convolution.
pub type ConvTranspose2d = Convolution<2, true>;
/// Transposed 3-D convolution.
pub type ConvTranspose3d = Convolution<3, true>;

/// Convolution over `N` axes, or the transposed one.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::{Conv2d, Forward};
/// use ivy_frontend_torch::{kw, ones};
/// let mut layer = Conv2d::new(1, 4, 3, kw! { stride: 2, padding: (1, 1) })?;
/// assert_eq!(layer.forward(&ones([2, 1, 8, 8], ())?)?.shape().to_string(), "(2, 4, 4, 4)");
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Convolution<const N: usize, const TRANSPOSED: bool> {
    /// `[out_channels, in_channels / groups, window...]`, or of the transposed one `[in_channels, out_channels / groups, window...]`.
    pub weight: Parameter,
    /// `[out_channels]`.
    pub bias: Option<Parameter>,
    stride: [usize; N],
    padding: Padding<N>,
    output_padding: [usize; N],
    dilation: [usize; N],
    groups: usize,
    padding_mode: String,
}
crate::module!(Convolution<1, false>: weight, bias);
crate::module!(Convolution<2, false>: weight, bias);
crate::module!(Convolution<3, false>: weight, bias);
crate::module!(Convolution<1, true>: weight, bias);
crate::module!(Convolution<2, true>: weight, bias);
crate::module!(Convolution<3, true>: weight, bias);

/// How far an input is padded: by so much, or by `"same"` or `"valid"`.
#[derive(Clone, Debug)]
enum Padding<const N: usize> {
    Sizes([usize; N]),
    Word(String),
}

const MODES: [&str; 4] = ["zeros", "reflect", "replicate", "circular"];

impl<const N: usize, const TRANSPOSED: bool> Convolution<N, TRANSPOSED> {
    const CLASS: &'static str = match (N, TRANSPOSED) {
        (1, false) => "nn.Conv1d",
        (2, false) => "nn.Conv2d",
        (_, false) => "nn.Conv3d",
        (1, true) => "nn.ConvTranspose1d",
        (2, true) => "nn.ConvTranspose2d",
        (_, true) => "nn.ConvTranspose3d",
    };

    /// `nn.Conv2d(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
    /// padding_mode="zeros", dtype=None)`, and of the transposed one `output_padding=0`. Sizes are one for all axes, or one each.
    ///
    /// # Errors
    /// For other keyword arguments, groups that do not divide the channels, and modes of padding that there are not.
    pub fn new<'a, 'b>(
        in_channels: usize,
        out_channels: usize,
        kernel_size: impl Into<Value<'b>>,
        keywords: impl Into<Keywords<'a>>,
    ) -> Result<Self> {
        let class = Self::CLASS;
        let mut arguments = Arguments::new(class, keywords);
        let kernel_size: [usize; N] = sizes(class, "kernel_size", &kernel_size.into())?;
        let (stride, dilation) = (arguments.sizes("stride", 1)?, arguments.sizes("dilation", 1)?);
        let output_padding = if TRANSPOSED { arguments.sizes("output_padding", 0)? } else { [0; N] };
        let padding = match arguments.take("padding") {
            None => Padding::Sizes([0; N]),
            Some(Value::Text(word)) if !TRANSPOSED => Padding::Word(word.into_owned()),
            Some(value) => Padding::Sizes(sizes(class, "padding", &value)?),
        };
        let (groups, bias) = (arguments.size("groups", 1)?, arguments.bool("bias", true)?);
        let (padding_mode, dtype) = (arguments.text("padding_mode", "zeros")?, arguments.dtype()?);
        arguments.end()?;
        let modes = if TRANSPOSED { &MODES[..1] } else { &MODES[..] };
        if !modes.contains(&padding_mode.as_str()) {
            let rule = format!("one of {} is needed", modes.join(", "));
            return Err(refuse(class, "padding_mode", format!("'{padding_mode}'"), rule, Fault::Value));
        }
        if groups == 0 || !in_channels.is_multiple_of(groups) || !out_channels.is_multiple_of(groups) {
            let rule = format!(
                "a number from 1 on that divides in_channels ({in_channels}) and out_channels ({out_channels}) is needed"
            );
            return Err(refuse(class, "groups", groups.to_string(), rule, Fault::Value));
        }
        let channels = match TRANSPOSED {
            true => [in_channels, out_channels / groups],
            false => [out_channels, in_channels / groups],
        };
        let mut weight = init::empty(&[&channels[..], &kernel_size].concat(), dtype)?;
        let mut bias = bias.then(|| init::empty(&[out_channels], dtype)).transpose()?;
        init::reset(&mut weight, bias.as_mut())?;
        Ok(Convolution { weight, bias, stride, padding, output_padding, dilation, groups, padding_mode })
    }

    fn output(&self, input: &Tensor) -> Result<Tensor> {
        let (weight, bias) = (&self.weight, self.bias.as_ref());
        let (stride, dilation, groups) = (self.stride, self.dilation, self.groups);
        let mut padding = match &self.padding {
            Padding::Sizes(sizes) => Value::from(*sizes),
            Padding::Word(word) => Value::from(word.as_str()),
        };
        let padded = match &self.padding {
            Padding::Sizes(sizes) if self.padding_mode != MODES[0] => {
                padding = 0.into();
                let around: Vec<usize> = sizes.iter().rev().flat_map(|&size| [size, size]).collect();
                Some(F::pad(input, around, kw! { mode: self.padding_mode.as_str() })?)
            }
            _ => None,
        };
        let input = padded.as_ref().unwrap_or(input);
        if TRANSPOSED {
            let keywords = kw! {
                bias: bias, stride: stride, padding: padding, output_padding: self.output_padding, groups: groups, dilation: dilation,
            };
            return match N {
                1 => F::conv_transpose1d(input, weight, keywords),
                2 => F::conv_transpose2d(input, weight, keywords),
                _ => F::conv_transpose3d(input, weight, keywords),
            };
        }
        let keywords =
            kw! { bias: bias, stride: stride, padding: padding, dilation: dilation, groups: groups };
        match N {
            1 => F::conv1d(input, weight, keywords),
            2 => F::conv2d(input, weight, keywords),
            _ => F::conv3d(input, weight, keywords),
        }
    }
}

impl<const N: usize, const TRANSPOSED: bool> Forward for Convolution<N, TRANSPOSED>
where
    Self: super::Module,
{
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        self.output(input)
    }
}
