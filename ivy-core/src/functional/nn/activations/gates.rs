//! Gated activations: the argument times a share of it.

use super::ComplexMode;
use super::complex::{activation, real_activation};
use super::rectified::{Relu, rectified_to_six};
use super::sigmoid::{sigmoid_of, softplus_of};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound};
use crate::functional::{add, divide, erfc, multiply, tanh};
use crate::{Array, Result, params};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

params! {
    /// Keyword arguments of [`gelu`].
    pub struct Gelu {
        /// Use `tanh` in place of the error function.
        flag approximate,
        /// What is done with complex numbers.
        complex_mode: ComplexMode = ComplexMode::Jax,
    }
}

describe! {
    GELU = "gelu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(6.0), params: Gelu::new(), example: [&[2]],
    Body::Compose(|call| {
        let &Gelu { approximate, complex_mode } = call.params();
        activation(call, complex_mode, |x| {
            if approximate || x.dtype().is_complex() { gelu_by_tanh(x) } else { gelu_by_erfc(x) }
        })
    })
}

/// The complementary error function is exact to the last places also where it is small, on the negative side.
fn gelu_by_erfc(x: &Array) -> Result<Array> {
    multiply(multiply(x, 0.5)?, erfc(multiply(x, -FRAC_1_SQRT_2)?)?)
}

/// `(1 + tanh(u)) / 2` is the logistic function of `2 u`, which loses nothing where it is small.
fn gelu_by_tanh(x: &Array) -> Result<Array> {
    let c = 2.0 * FRAC_2_PI.sqrt();
    let u = multiply(x, add(multiply(multiply(x, x)?, 0.044715 * c)?, c)?)?;
    multiply(x, sigmoid_of(&u)?)
}

/// Gaussian error linear unit: `x` times the share of a normal distribution that lies below `x`,
/// `x erfc(-x / sqrt(2)) / 2`. The approximation is `x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2`. Complex
/// numbers, of which there is no error function, always take it in the mode of JAX.
///
/// ```
/// use ivy::{Gelu, prelude::*};
/// let x = Array::try_from([0.0f64, 1.0])?;
/// let y = ivy::gelu(&x, ())?.to_vec::<f64>()?;
/// assert!(y[0] == 0.0 && (y[1] - 0.8413447460685429).abs() < 1e-15);
/// let near = ivy::gelu(&x, Gelu::new().approximate())?.to_vec::<f64>()?;
/// assert!((near[1] - 0.8411919906082768).abs() < 1e-15);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal of a dtype.
pub fn gelu<'a>(x: impl IntoOperand<'a>, params: impl Into<Gelu>) -> Result<Array> {
    call_one(&GELU, &[x.into_operand()], &params.into())
}

describe! {
    SILU = "silu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: (), example: [&[2]],
    Body::Compose(|call| real_activation(call, |x| multiply(x, sigmoid_of(x)?)))
}

/// Sigmoid linear unit, also called swish: `x` times [`sigmoid`](crate::functional::sigmoid) of `x`.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::silu(&Array::try_from([0.0f64, 100.0, -800.0])?)?.to_vec::<f64>()?;
/// assert_eq!(y, [0.0, 100.0, -0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn silu<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&SILU, &[x.into_operand()], &())
}

/// Keyword arguments of [`mish`], the same as of [`relu`](crate::functional::relu).
pub type Mish = Relu;
/// Keyword arguments of [`hardswish`], the same as of [`relu`](crate::functional::relu).
pub type HardSwish = Relu;

describe! {
    MISH = "mish", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(6.0), params: Mish::new(), example: [&[2]],
    Body::Compose(|call| {
        activation(call, call.params::<Mish>().complex_mode, |x| multiply(x, tanh(softplus_of(x)?)?))
    })
}

/// Mish: `x tanh(log(1 + exp(x)))`.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::mish(&Array::try_from([0.0f64, 1.0])?, ())?.to_vec::<f64>()?;
/// assert!(y[0] == 0.0 && (y[1] - 0.8650983882673103).abs() < 1e-15);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal of a dtype.
pub fn mish<'a>(x: impl IntoOperand<'a>, params: impl Into<Mish>) -> Result<Array> {
    call_one(&MISH, &[x.into_operand()], &params.into())
}

/// The share comes first, so that no product of large numbers overflows.
fn hard_gate(x: &Array) -> Result<Array> {
    multiply(x, divide(rectified_to_six(&add(x, 3)?)?, 6)?)
}

describe! {
    HARDSWISH = "hardswish", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: HardSwish::new(), example: [&[2]],
    Body::Compose(|call| activation(call, call.params::<HardSwish>().complex_mode, hard_gate))
}

/// Hard swish: `x relu6(x + 3) / 6`: [`silu`] by straight lines.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([-4.0f32, 0.0, 3.0, 5.0])?;
/// assert_eq!(ivy::hardswish(&x, ())?.to_vec::<f32>()?, [-0.0, 0.0, 3.0, 5.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal of a dtype.
pub fn hardswish<'a>(x: impl IntoOperand<'a>, params: impl Into<HardSwish>) -> Result<Array> {
    call_one(&HARDSWISH, &[x.into_operand()], &params.into())
}

describe! {
    HARDSILU = "hardsilu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: (), example: [&[2]], Body::Compose(|call| real_activation(call, hard_gate))
}

/// Hard sigmoid linear unit: [`hardswish`] of real numbers, under its other name.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::hardsilu(&Array::try_from([-1i32, 3])?)?.to_vec::<f32>()?, [-1.0 / 3.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn hardsilu<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&HARDSILU, &[x.into_operand()], &())
}
