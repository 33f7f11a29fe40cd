//! Softmax and log-softmax.

use super::ComplexMode;
use super::complex::activation;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::statistical::max_min::check_not_empty;
use crate::functional::{Max, Sum, divide, exp, log, max, real, stop_gradient, subtract, sum};
use crate::shape::normalize_axis;
use crate::{Array, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`softmax`].
    pub struct Softmax {
        /// The axis along which the results sum to one; the last if not given.
        axis: Option<i64> = None,
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

/// Keyword arguments of [`log_softmax`], the same as of [`softmax`].
pub type LogSoftmax = Softmax;

impl Softmax {
    /// The axis of an operand of a shape, counted from the front, for backends that have a form of
    /// their own.
    ///
    /// # Errors
    /// Those of [`softmax`].
    pub fn axis_of(&self, shape: &Shape) -> Result<usize> {
        self.axis_in(SOFTMAX.name, shape)
    }

    fn axis_in(&self, function: &'static str, shape: &Shape) -> Result<usize> {
        let axis = normalize_axis(function, self.axis.unwrap_or(-1), shape.len())?;
        check_not_empty(function, shape, &[axis])?;
        Ok(axis)
    }
}

describe! {
    SOFTMAX = "softmax", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: Softmax::new(), example: [&[2, 2]], Body::Compose(compose_softmax)
}

fn compose_softmax(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<Softmax>());
    let axis = params.axis_of(x.shape())? as i64;
    let shares = |x: &Array| {
        let e = exp(lowered(x, axis)?)?;
        divide(&e, sum(&e, Sum::new().axis(axis).keepdims())?)
    };
    match x.dtype().is_complex() {
        // As it is, also of small floats: these are the ops of which the engine makes one kernel.
        false => Ok(smallvec![shares(x)?]),
        true => activation(call, params.complex_mode, shares),
    }
}

/// Less the greatest (real part) along an axis: no exponential overflows. Shares do not depend on what is subtracted from
/// all of them, so that it is a constant of derivatives.
fn lowered(x: &Array, axis: i64) -> Result<Array> {
    let greatest = |x: &Array| max(x, Max::new().axis(axis).keepdims());
    let top = if x.dtype().is_complex() { greatest(&real(x)?)? } else { greatest(x)? };
    subtract(x, stop_gradient(&top)?)
}

/// Softmax: `exp(x) / sum(exp(x))` along an axis, computed from `x - max(x)` so that it does not overflow (of complex
/// numbers, the greatest real part). Integers compute in the default float dtype.
///
/// ```
/// use ivy::prelude::*;
/// let p = ivy::softmax(&Array::try_from([1000.0f32, 1000.0])?, ())?;
/// assert_eq!(p.to_vec::<f32>()?, [0.5, 0.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) along an axis of length 0.
pub fn softmax<'a>(x: impl IntoOperand<'a>, params: impl Into<Softmax>) -> Result<Array> {
    call_one(&SOFTMAX, &[x.into_operand()], &params.into())
}

describe! {
    LOG_SOFTMAX = "log_softmax", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: LogSoftmax::new(), example: [&[2, 2]], Body::Compose(compose_log_softmax)
}

fn compose_log_softmax(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<LogSoftmax>();
    let axis = params.axis_in(call.function.name, call.array(0).shape())? as i64;
    activation(call, params.complex_mode, |x| log_shares(x, axis))
}

/// The logarithms of the shares along an axis that is not empty.
pub(in crate::functional::nn) fn log_shares(x: &Array, axis: i64) -> Result<Array> {
    let x = lowered(x, axis)?;
    let whole = log(sum(exp(&x)?, Sum::new().axis(axis).keepdims())?)?;
    subtract(x, whole)
}

/// Log-softmax: the logarithm of [`softmax`], as `y - log(sum(exp(y)))` with `y = x - max(x)`: finite where the share
/// itself is too small for a float.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::log_softmax(&Array::try_from([0.0f32, 1000.0])?, ())?;
/// assert_eq!(y.to_vec::<f32>()?, [-1000.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`softmax`].
pub fn log_softmax<'a>(x: impl IntoOperand<'a>, params: impl Into<LogSoftmax>) -> Result<Array> {
    call_one(&LOG_SOFTMAX, &[x.into_operand()], &params.into())
}
