//! `torch.nn.init`: first values of parameters, written in place.
//!
//! Xavier: X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010. Kaiming:
//! K. He et al., "Delving deep into rectifiers", 2015.

use super::Parameter;
use super::arguments::refuse;
use crate::{Methods, Tensor, autograd, kw};
use ivy_core::{Dtype, Result};
use ivy_frontend::Fault;

/// A tensor of zeros that is written to before anybody sees it.
pub(super) fn empty(shape: &[usize], dtype: Option<Dtype>) -> Result<Parameter> {
    let tensor = match dtype {
        Some(dtype) => crate::zeros([shape], kw! { dtype: dtype })?,
        None => crate::zeros([shape], ())?,
    };
    Parameter::new(tensor)
}

/// How many inputs an element of the output has, and how many outputs an input: of a linear layer's weight, `[outputs, inputs]`, and
/// of a convolution's, times the elements of a window.
///
/// # Errors
/// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) for fewer than two axes.
pub fn fans(tensor: &Tensor) -> Result<(usize, usize)> {
    let [outputs, inputs, window @ ..] = &tensor.shape()[..] else {
        let rule = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions";
        return Err(refuse(
            "nn.init",
            "tensor",
            format!("a tensor of shape {}", tensor.shape()),
            rule,
            Fault::Value,
        ));
    };
    let window: usize = window.iter().product();
    Ok((inputs * window, outputs * window))
}

fn written(parameter: &mut Parameter, write: impl FnOnce(&mut Tensor) -> Result<()>) -> Result<()> {
    let mut elements = Tensor::from(autograd::detached(parameter.ivy_array()));
    write(&mut elements)?;
    parameter.copy_(&elements)
}

/// Uniform numbers from `a` to `b`.
///
/// # Errors
/// For bounds in the wrong order.
pub fn uniform_(parameter: &mut Parameter, a: f64, b: f64) -> Result<()> {
    written(parameter, |x| x.uniform_(kw! { from_: a, to: b }))
}

/// Normal numbers.
///
/// # Errors
/// For a negative standard deviation.
pub fn normal_(parameter: &mut Parameter, mean: f64, std: f64) -> Result<()> {
    written(parameter, |x| x.normal_(kw! { mean: mean, std: std }))
}

/// One number.
///
/// # Errors
/// None for a parameter of floats.
pub fn constant_(parameter: &mut Parameter, value: f64) -> Result<()> {
    written(parameter, |x| x.fill_(value, ()))
}

/// Ones.
///
/// # Errors
/// As [`constant_`].
pub fn ones_(parameter: &mut Parameter) -> Result<()> {
    constant_(parameter, 1.0)
}

/// Zeros.
///
/// # Errors
/// As [`constant_`].
pub fn zeros_(parameter: &mut Parameter) -> Result<()> {
    constant_(parameter, 0.0)
}

/// Xavier's uniform numbers: up to `gain sqrt(6 / (fan_in + fan_out))`.
///
/// # Errors
/// As [`fans`].
pub fn xavier_uniform_(parameter: &mut Parameter, gain: f64) -> Result<()> {
    let (inputs, outputs) = fans(parameter)?;
    let bound = gain * (6.0 / (inputs + outputs).max(1) as f64).sqrt();
    uniform_(parameter, -bound, bound)
}

/// Xavier's normal numbers: of the standard deviation `gain sqrt(2 / (fan_in + fan_out))`.
///
/// # Errors
/// As [`fans`].
pub fn xavier_normal_(parameter: &mut Parameter, gain: f64) -> Result<()> {
    let (inputs, outputs) = fans(parameter)?;
    normal_(parameter, 0.0, gain * (2.0 / (inputs + outputs).max(1) as f64).sqrt())
}

/// Kaiming's uniform numbers for leaky rectifiers of slope `a`: up to `sqrt(6 / ((1 + a^2) fan_in))`.
///
/// # Errors
/// As [`fans`].
pub fn kaiming_uniform_(parameter: &mut Parameter, a: f64) -> Result<()> {
    let bound = (6.0 / ((1.0 + a * a) * fans(parameter)?.0.max(1) as f64)).sqrt();
    uniform_(parameter, -bound, bound)
}

/// Kaiming's normal numbers for leaky rectifiers of slope `a`: of the standard deviation `sqrt(2 / ((1 + a^2) fan_in))`.
///
/// # Errors
/// As [`fans`].
pub fn kaiming_normal_(parameter: &mut Parameter, a: f64) -> Result<()> {
    let std = (2.0 / ((1.0 + a * a) * fans(parameter)?.0.max(1) as f64)).sqrt();
    normal_(parameter, 0.0, std)
}

/// What linear and convolutional layers begin with: weights and biases uniform up to `1 / sqrt(fan_in)`.
pub(super) fn reset(weight: &mut Parameter, bias: Option<&mut Parameter>) -> Result<()> {
    kaiming_uniform_(weight, 5f64.sqrt())?;
    let Some(bias) = bias else { return Ok(()) };
    let inputs = fans(weight)?.0;
    let bound = if inputs > 0 { (inputs as f64).sqrt().recip() } else { 0.0 };
    uniform_(bias, -bound, bound)
}
