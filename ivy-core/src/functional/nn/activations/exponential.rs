//! Exponential units, and functions with a bounded range.

use super::ComplexMode;
use super::complex::{above, activation, real_activation};
use super::rectified::ZERO;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient};
use crate::functional::{abs, add, divide, expm1, multiply, subtract, tanh, where_};
use crate::{Array, Result, params};

/// `scale x` where `x` is above 0, else `factor (exp(x / width) - 1)`. The exponential sees no number above 0, so
/// that it is infinite nowhere.
fn unit(x: &Array, scale: Option<f64>, factor: &Coefficient, width: Option<&Coefficient>) -> Result<Array> {
    let positive = above(x, ZERO)?;
    let below = where_(&positive, ZERO, x)?;
    let below = match width {
        Some(width) => divide(&below, width.like(x)?)?,
        None => below,
    };
    let linear = scale.map_or_else(|| Ok(x.clone()), |scale| multiply(x, scale))?;
    where_(&positive, linear, multiply(expm1(below)?, factor.like(x)?)?)
}

params! {
    /// Keyword arguments of [`elu`].
    pub struct Elu {
        /// The negative of the value that the function goes to on the negative side.
        alpha: Coefficient = Coefficient::Number(1.0),
    }
}

describe! {
    ELU = "elu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: Elu::new(), example: [&[2]],
    Body::Compose(|call| {
        let alpha = &call.params::<Elu>().alpha;
        alpha.check_finite(call.function.name, "alpha")?;
        real_activation(call, |x| unit(x, None, alpha, None))
    })
}

/// Exponential linear unit: `x` where it is above 0, else `alpha (exp(x) - 1)`. The derivative at 0 is `alpha`.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::elu(&Array::try_from([2.0f64, -1000.0, -1e-20])?, ())?;
/// assert_eq!(y.to_vec::<f64>()?, [2.0, -1.0, -1e-20]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `alpha` that is not finite,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn elu<'a>(x: impl IntoOperand<'a>, params: impl Into<Elu>) -> Result<Array> {
    call_one(&ELU, &[x.into_operand()], &params.into())
}

/// The numbers for which mean 0 and variance 1 are a fixed point of a layer.
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;

describe! {
    SELU = "selu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: (), example: [&[2]],
    Body::Compose(|call| {
        real_activation(call, |x| unit(x, Some(SELU_SCALE), &Coefficient::Number(SELU_SCALE * SELU_ALPHA), None))
    })
}

/// Scaled exponential linear unit: 1.0507... times [`elu`] with `alpha` 1.6732..., so that layers of it keep mean 0
/// and variance 1.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::selu(&Array::try_from([1.0f64, -1000.0])?)?.to_vec::<f64>()?;
/// assert_eq!(y[0], 1.0507009873554805);
/// assert!((y[1] + 1.7580993408473766).abs() < 1e-15);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn selu<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&SELU, &[x.into_operand()], &())
}

params! {
    /// Keyword arguments of [`celu`].
    pub struct Celu {
        /// The negative of the value that the function goes to on the negative side.
        alpha: Coefficient = Coefficient::Number(1.0),
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

describe! {
    CELU = "celu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(6.0), params: Celu::new(), example: [&[2]],
    Body::Compose(|call| {
        let Celu { alpha, complex_mode } = call.params();
        let rule = "a finite number other than 0 is needed";
        alpha.check(call.function.name, "alpha", |alpha| alpha.is_finite() && alpha != 0.0, rule)?;
        activation(call, *complex_mode, |x| unit(x, None, alpha, Some(alpha)))
    })
}

/// Exponential linear unit with a continuous derivative: `x` where it is above 0, else `alpha (exp(x / alpha) - 1)`.
///
/// ```
/// use ivy::{Celu, prelude::*};
/// let y = ivy::celu(&Array::try_from([3.0f64, -1000.0])?, Celu::new().alpha(2.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [3.0, -2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `alpha` that is 0 or not finite.
pub fn celu<'a>(x: impl IntoOperand<'a>, params: impl Into<Celu>) -> Result<Array> {
    call_one(&CELU, &[x.into_operand()], &params.into())
}

describe! {
    SOFTSIGN = "softsign", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: (), example: [&[2]],
    Body::Compose(|call| real_activation(call, |x| divide(x, add(abs(x)?, 1)?)))
}

/// Softsign: `x / (1 + |x|)`; NaN at infinities.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::softsign(&Array::try_from([-1.0f32, 0.0, 3.0])?)?.to_vec::<f32>()?, [-0.5, 0.0, 0.75]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn softsign<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&SOFTSIGN, &[x.into_operand()], &())
}

params! {
    /// Keyword arguments of [`scaled_tanh`].
    pub struct ScaledTanh {
        /// What the result is multiplied with.
        alpha: Coefficient = Coefficient::Number(1.7159),
        /// What the argument is multiplied with.
        beta: Coefficient = Coefficient::Number(0.67),
    }
}

describe! {
    SCALED_TANH = "scaled_tanh", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: ScaledTanh::new(), example: [&[2]],
    Body::Compose(|call| {
        let ScaledTanh { alpha, beta } = call.params();
        alpha.check_finite(call.function.name, "alpha")?;
        beta.check_finite(call.function.name, "beta")?;
        real_activation(call, |x| multiply(tanh(multiply(x, beta.like(x)?)?)?, alpha.like(x)?))
    })
}

/// Scaled hyperbolic tangent: `alpha tanh(beta x)`.
///
/// ```
/// use ivy::{ScaledTanh, prelude::*};
/// let y = ivy::scaled_tanh(&Array::try_from([0.0f64, 100.0])?, ScaledTanh::new().alpha(2.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [0.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for numbers that are not finite,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn scaled_tanh<'a>(x: impl IntoOperand<'a>, params: impl Into<ScaledTanh>) -> Result<Array> {
    call_one(&SCALED_TANH, &[x.into_operand()], &params.into())
}

describe! {
    TANHSHRINK = "tanhshrink", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: (), example: [&[2]],
    Body::Compose(|call| real_activation(call, |x| subtract(x, tanh(x)?)))
}

/// Tanh shrinkage: `x - tanh(x)`. Its error is relative to `x`: near 0 the result is much smaller.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::tanhshrink(&Array::try_from([0.0f64, 100.0])?)?.to_vec::<f64>()?, [0.0, 99.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn tanhshrink<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&TANHSHRINK, &[x.into_operand()], &())
}
