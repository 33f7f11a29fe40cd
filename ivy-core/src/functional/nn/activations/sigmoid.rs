//! Sigmoid, log-sigmoid, softplus and logit.

use super::complex::{above, activation};
use super::rectified::{Relu, ZERO};
use super::{ComplexMode, complex};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::nn::{check_finite, invalid};
use crate::functional::{
    add, clip, divide, equal, exp, imag, less, log, log1p, logaddexp, multiply, negative, real, round,
    subtract, where_,
};
use crate::{Array, Result, Scalar, params};
use std::f64::consts::TAU;

/// Keyword arguments of [`sigmoid`], the same as of [`relu`](crate::functional::relu).
pub type Sigmoid = Relu;
/// Keyword arguments of [`logsigmoid`], the same as of [`relu`](crate::functional::relu).
pub type LogSigmoid = Relu;

describe! {
    SIGMOID = "sigmoid", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: Sigmoid::new(), example: [&[2]],
    Body::Compose(|call| activation(call, call.params::<Sigmoid>().complex_mode, sigmoid_of))
}

/// `1 / (1 + exp(-x))` where `x` is not negative, else `exp(x) / (1 + exp(x))`: no power overflows, what is small is
/// exact to its last place, and either branch has the derivative of the whole.
pub(super) fn sigmoid_of(x: &Array) -> Result<Array> {
    let negative_side = if x.dtype().is_complex() { less(real(x)?, ZERO)? } else { less(x, ZERO)? };
    let power = exp(where_(&negative_side, x, negative(x)?)?)?;
    divide(where_(&negative_side, &power, 1)?, add(&power, 1)?)
}

/// Sigmoid (the logistic function): `1 / (1 + exp(-x))`, without overflow, and exact to the last places also where it
/// is close to 0.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0.0f64, -700.0, 1000.0])?;
/// let y = ivy::sigmoid(&x, ())?.to_vec::<f64>()?;
/// assert_eq!((y[0], y[2]), (0.5, 1.0));
/// assert_eq!(y[1], (-700f64).exp());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal of a dtype.
pub fn sigmoid<'a>(x: impl IntoOperand<'a>, params: impl Into<Sigmoid>) -> Result<Array> {
    call_one(&SIGMOID, &[x.into_operand()], &params.into())
}

describe! {
    LOGSIGMOID = "logsigmoid", Activation, Mixed, (input: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: LogSigmoid::new(), example: [&[2]],
    Body::Compose(|call| {
        activation(call, call.params::<LogSigmoid>().complex_mode, |x| negative(softplus_of(&negative(x)?)?))
    })
}

/// Log-sigmoid: the logarithm of [`sigmoid`], as `-log(1 + exp(-x))`: exact to the last places on both sides.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::logsigmoid(&Array::try_from([-1000.0f64, 40.0])?, ())?.to_vec::<f64>()?;
/// assert_eq!(y, [-1000.0, -(-40f64).exp()]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal of a dtype.
pub fn logsigmoid<'a>(input: impl IntoOperand<'a>, params: impl Into<LogSigmoid>) -> Result<Array> {
    call_one(&LOGSIGMOID, &[input.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`softplus`].
    pub struct Softplus {
        /// What the argument is multiplied with, and the result divided by; 1 if not given.
        beta: Option<Coefficient> = None,
        /// Where `beta x` is above this, the result is `x`; nowhere if not given.
        threshold: Option<f64> = None,
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

describe! {
    SOFTPLUS = "softplus", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: Softplus::new(), example: [&[2]], Body::Compose(compose_softplus)
}

/// `log(1 + exp(x))`; of complex numbers the principal one, between `-pi` and `pi`.
pub(in crate::functional::nn) fn softplus_of(x: &Array) -> Result<Array> {
    if !x.dtype().is_complex() {
        return logaddexp(x, ZERO);
    }
    let positive = above(x, ZERO)?;
    let small = log1p(exp(where_(&positive, negative(x)?, x)?)?)?;
    let whole = add(where_(&positive, x, ZERO)?, small)?;
    let turns = round(divide(imag(&whole)?, TAU)?)?;
    subtract(whole, multiply(multiply(turns, TAU)?, complex::unit())?)
}

fn compose_softplus(call: &Composition<'_>) -> Result<Outputs> {
    let (function, Softplus { beta, threshold, complex_mode }) = (call.function.name, call.params());
    if let Some(beta) = beta {
        beta.check_positive(function, "beta")?;
    }
    if let Some(threshold) = threshold {
        check_finite(function, "threshold", *threshold)?;
    }
    activation(call, *complex_mode, |x| {
        let scaled = match beta {
            Some(beta) => multiply(x, beta.like(x)?)?,
            None => x.clone(),
        };
        let y = softplus_of(&scaled)?;
        let y = match beta {
            Some(beta) => divide(y, beta.like(x)?)?,
            None => y,
        };
        match threshold {
            Some(threshold) => where_(above(&scaled, Scalar::Float(*threshold))?, x, y),
            None => Ok(y),
        }
    })
}

/// Softplus: `log(1 + exp(beta x)) / beta`, without overflow: [`relu`](crate::functional::relu) with a smooth corner.
///
/// ```
/// use ivy::{Softplus, prelude::*};
/// let x = Array::try_from([0.0f64, 1000.0])?;
/// assert_eq!(ivy::softplus(&x, ())?.to_vec::<f64>()?, [2f64.ln(), 1000.0]);
/// let y = ivy::softplus(&x, Softplus::new().beta(2.0).threshold(20.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [2f64.ln() / 2.0, 1000.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a `beta` that is not above 0, or a threshold that is not
/// finite.
pub fn softplus<'a>(x: impl IntoOperand<'a>, params: impl Into<Softplus>) -> Result<Array> {
    call_one(&SOFTPLUS, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`logit`].
    pub struct Logit {
        /// How far from 0 and 1 the argument is kept; it is taken as it is if not given.
        eps: Option<Coefficient> = None,
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

describe! {
    LOGIT = "logit", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(8.0), params: Logit::new(), example: [&[2]], Body::Compose(compose_logit)
}

fn compose_logit(call: &Composition<'_>) -> Result<Outputs> {
    let (function, Logit { eps, complex_mode }) = (call.function.name, call.params());
    if let Some(eps) = eps {
        eps.check_share(function, "eps", 0.5, "a number from 0 to 0.5 is needed")?;
        if call.compute.is_complex() && *complex_mode == ComplexMode::Jax {
            let value = eps.number().map_or("an array".into(), |eps| eps.to_string());
            let rule = "complex numbers are not kept between bounds, but by the modes split and magnitude";
            return Err(invalid(function, "eps", value, rule));
        }
    }
    activation(call, *complex_mode, |x| {
        let x = match eps {
            Some(eps) => clip(x, eps.like(x)?, eps.rest()?.like(x)?)?,
            None => x.clone(),
        };
        if x.dtype().is_complex() {
            return log(divide(&x, subtract(1, &x)?)?);
        }
        // At the ends both the quotient and its derivative are infinite; the difference of logarithms has the slope 1/x
        // at 0 and 1/(1-x) at 1.
        let rest = subtract(1, &x)?;
        let end = equal(multiply(&x, &rest)?, 0)?;
        let apart = subtract(log(&x)?, log(rest)?)?;
        let inside = where_(&end, 0.5, &x)?;
        where_(end, apart, log(divide(&inside, subtract(1, &inside)?)?)?)
    })
}

/// Logit: the inverse of [`sigmoid`], `log(x / (1 - x))`; infinite at 0 and 1, NaN beyond for reals.
///
/// ```
/// use ivy::{Logit, prelude::*};
/// let x = Array::try_from([0.5f32, 1.0])?;
/// assert_eq!(ivy::logit(&x, ())?.to_vec::<f32>()?, [0.0, f32::INFINITY]);
/// assert_eq!(ivy::logit(&x, Logit::new().eps(0.5))?.to_vec::<f32>()?, [0.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `eps` that is not from 0 to 0.5, or with complex
/// numbers in the mode of JAX.
pub fn logit<'a>(x: impl IntoOperand<'a>, params: impl Into<Logit>) -> Result<Array> {
    call_one(&LOGIT, &[x.into_operand()], &params.into())
}
