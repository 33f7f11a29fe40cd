//! What activation functions do with complex numbers, and the comparisons that they are made of.

use crate::function::{Composition, Outputs};
use crate::functional::nn::{downcast, upcast};
use crate::functional::{
    abs, add, equal, greater, greater_equal, imag, less_equal, logical_and, logical_not, logical_or,
    multiply, real, sign, where_,
};
use crate::{Array, Operand, Result, Scalar};
use num_complex::Complex64;
use smallvec::smallvec;

/// How an activation function takes complex numbers; it makes no difference to real ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ComplexMode {
    /// As JAX: the formula of the function in complex arithmetic, where numbers are compared by their real parts, and
    /// by their imaginary parts if these are equal.
    #[default]
    Jax,
    /// The function of the real part and of the imaginary part, each by itself. Where it is not finite of the
    /// imaginary part, the real part is NaN.
    Split,
    /// The function of the magnitude, with the angle kept: `f(|z|) z / |z|`, and `f(0)` at 0. Numbers of the same
    /// angle stay on one line.
    Magnitude,
}

param_words! { ComplexMode: "jax" => Jax, "split" => Split, "magnitude" => Magnitude }

/// The imaginary unit.
pub(super) fn unit() -> Scalar {
    Scalar::Complex(Complex64::i())
}

/// A function of the first operand by a formula that holds for real arrays, and for complex ones as
/// [`ComplexMode::Jax`] says. Small floats are computed in float32 and rounded once.
pub(in crate::functional) fn activation(
    call: &Composition<'_>,
    mode: ComplexMode,
    formula: impl Fn(&Array) -> Result<Array>,
) -> Result<Outputs> {
    let x = call.array(0);
    let result = match (x.dtype().is_complex(), mode) {
        (false, _) => downcast(formula(&upcast(x)?)?, call.compute)?,
        (true, ComplexMode::Jax) => formula(x)?,
        (true, ComplexMode::Split) => add(formula(&real(x)?)?, multiply(formula(&imag(x)?)?, unit())?)?,
        (true, ComplexMode::Magnitude) => {
            let size = abs(x)?;
            let angle = where_(equal(&size, 0)?, 1, sign(x)?)?;
            multiply(angle, formula(&size)?)?
        }
    };
    Ok(smallvec![result])
}

/// The same of functions that take no complex numbers.
pub(super) fn real_activation(
    call: &Composition<'_>,
    formula: impl Fn(&Array) -> Result<Array>,
) -> Result<Outputs> {
    activation(call, ComplexMode::Jax, formula)
}

/// Where `x` is above a bound; false for NaN.
pub(super) fn above(x: &Array, bound: Scalar) -> Result<Array> {
    if !x.dtype().is_complex() {
        return greater(x, bound);
    }
    let (re, im) = (real(x)?, imag(x)?);
    logical_or(greater(&re, bound)?, logical_and(equal(&re, bound)?, greater(im, 0)?)?)
}

/// Where `x` is not above a bound; false for NaN, unless it is complex.
pub(super) fn at_most(x: &Array, bound: Scalar) -> Result<Array> {
    if x.dtype().is_complex() { logical_not(above(x, bound)?) } else { less_equal(x, bound) }
}

/// Where `x` is not below a bound; false for NaN.
fn at_least(x: &Array, bound: Scalar) -> Result<Array> {
    if !x.dtype().is_complex() {
        return greater_equal(x, bound);
    }
    let (re, im) = (real(x)?, imag(x)?);
    logical_or(greater(&re, bound)?, logical_and(equal(&re, bound)?, greater_equal(im, 0)?)?)
}

/// The elements between two bounds, and the bounds for what lies beyond. NaN stays, and the derivative is 0 at the
/// bounds, as in PyTorch: with `minimum` and `maximum` it would be one half.
pub(super) fn clamped<'a>(
    x: &Array,
    low: impl Into<Operand<'a>>,
    high: impl Into<Operand<'a>>,
) -> Result<Array> {
    let (low, high) = (low.into(), high.into());
    let below = match low.scalar() {
        Some(low) => at_most(x, low)?,
        None => less_equal(x, low.clone())?,
    };
    let above = match high.scalar() {
        Some(high) => at_least(x, high)?,
        None => greater_equal(x, high.clone())?,
    };
    where_(below, low, where_(above, high, x)?)
}
