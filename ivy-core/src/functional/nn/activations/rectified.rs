//! Rectified linear units.

use super::ComplexMode;
use super::complex::{above, activation, at_most, clamped};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::{greater, multiply, where_};
use crate::{Array, ErrorKind, Result, Scalar, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`relu`] and other functions without any but this one.
    pub struct Relu {
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

/// Keyword arguments of [`relu6`], the same as of [`relu`].
pub type Relu6 = Relu;

/// Zero, of real and complex dtypes.
pub(super) const ZERO: Scalar = Scalar::Int(0);

describe! {
    RELU = "relu", Activation, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Relu::new(), example: [&[2]],
    Body::Compose(|call| activation(call, call.params::<Relu>().complex_mode, rectified))
}

fn rectified(x: &Array) -> Result<Array> {
    where_(at_most(x, ZERO)?, ZERO, x)
}

/// Rectified linear unit: `x` where it is above 0, else 0. Integers stay integers, and NaN stays NaN. The derivative
/// at 0 is 0.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1.5f32, 0.0, 2.0])?;
/// assert_eq!(ivy::relu(&x, ())?.to_vec::<f32>()?, [0.0, 0.0, 2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn relu<'a>(x: impl IntoOperand<'a>, params: impl Into<Relu>) -> Result<Array> {
    call_one(&RELU, &[x.into_operand()], &params.into())
}

describe! {
    RELU6 = "relu6", Activation, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Relu6::new(), example: [&[2]],
    Body::Compose(|call| activation(call, call.params::<Relu6>().complex_mode, rectified_to_six))
}

/// What `relu6` is of an array.
pub(super) fn rectified_to_six(x: &Array) -> Result<Array> {
    clamped(x, ZERO, Scalar::Int(6))
}

/// Rectified linear unit capped at 6: [`relu`], and 6 where that is above 6. The derivative at 0 and 6 is 0.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-1i32, 4, 9])?;
/// assert_eq!(ivy::relu6(&x, ())?.to_vec::<i32>()?, [0, 4, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn relu6<'a>(x: impl IntoOperand<'a>, params: impl Into<Relu6>) -> Result<Array> {
    call_one(&RELU6, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`leaky_relu`].
    pub struct LeakyRelu {
        /// The slope where the argument is not above 0.
        alpha: Coefficient = Coefficient::Number(0.2),
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

describe! {
    LEAKY_RELU = "leaky_relu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: LeakyRelu::new(), example: [&[2]], Body::Compose(compose_leaky)
}

fn compose_leaky(call: &Composition<'_>) -> Result<Outputs> {
    let LeakyRelu { alpha, complex_mode } = call.params::<LeakyRelu>();
    alpha.check_finite(call.function.name, "alpha")?;
    activation(call, *complex_mode, |x| where_(above(x, ZERO)?, x, multiply(x, alpha.like(x)?)?))
}

/// Leaky rectified linear unit: `x` where it is above 0, else `alpha x`. The derivative at 0 is `alpha`.
///
/// ```
/// use ivy::{LeakyRelu, prelude::*};
/// let x = Array::try_from([-2.0f32, 3.0])?;
/// assert_eq!(ivy::leaky_relu(&x, LeakyRelu::new().alpha(0.5))?.to_vec::<f32>()?, [-1.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `alpha` that is not finite.
pub fn leaky_relu<'a>(x: impl IntoOperand<'a>, params: impl Into<LeakyRelu>) -> Result<Array> {
    call_one(&LEAKY_RELU, &[x.into_operand()], &params.into())
}

describe! {
    PRELU = "prelu", Activation, Mixed, (x: Promoted, slope: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: (), example: [&[2, 2], &[2]], Body::Compose(compose_prelu)
}

fn compose_prelu(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, slope) = (call.function.name, call.array(0), call.array(1));
    if shape::broadcast(function, &[x.shape(), slope.shape()])? != *x.shape() {
        let (expected, actual) = (format!("one that broadcasts to {}", x.shape()), slope.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "slope", expected, actual }.into());
    }
    let positive = greater(x, ZERO)?;
    // An infinite element has no part in the derivative by a slope that it does not meet.
    let below = where_(&positive, ZERO, x)?;
    Ok(smallvec![where_(&positive, x, multiply(below, slope)?)?])
}

/// Parametric rectified linear unit: [`leaky_relu`] with slopes that are learned: `x` where it is above 0, else
/// `slope x`. The slope broadcasts to the shape of `x`: one number, or one for each entry of the last axes.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[-2.0f32, 3.0], [-1.0, -4.0]])?;
/// let slope = Array::try_from([0.5f32, 0.25])?;
/// assert_eq!(ivy::prelu(&x, &slope)?.to_vec::<f32>()?, [-1.0, 3.0, -0.5, -1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), or [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch)
/// for a slope of more elements.
pub fn prelu<'a, 'b>(x: impl IntoOperand<'a>, slope: impl IntoOperand<'b>) -> Result<Array> {
    call_one(&PRELU, &[x.into_operand(), slope.into_operand()], &())
}
