//! Gamma, beta, Dirichlet and exponential draws.

use super::Seed;
use super::bits::{Draw, check_result, check_scalar, open_unit, sample_shape, word, working};
use super::normal::standard_normal;
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    Max, Sum, add, astype, divide, exp, less, log, log1p, logical_and, logical_not, logical_or, max, maximum,
    multiply, ones, reciprocal, sqrt, square, subtract, sum, where_,
};
use crate::{Array, Device, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

const POSITIVE: &str = "a finite number above 0";

/// How many proposals there are for each number. Each is taken with a probability above 0.95, so that none of them is
/// with a probability below 10^-13.
const ROUNDS: usize = 10;

/// Independent numbers of the gamma distributions of rate 1, as the product of a number and of e to the power of
/// another one, in the dtype of `alpha`.
///
/// This is the method of Marsaglia and Tsang (2000): with `d = a - 1/3`, `t = x / sqrt(9 d)` of a normal `x` and a
/// uniform `u`, the number `d (1 + t)^3` is taken if `log u < x^2 / 2 + d (3 log(1 + t) + 1 - (1 + t)^3)`. What nothing
/// was taken for is `d`. Below 1, `a` is one more than `alpha`, and the number is multiplied by `u^(1 / alpha)`.
fn standard_gamma(draw: &mut Draw, alpha: &Array, shape: &Shape) -> Result<(Array, Array)> {
    let dtype = alpha.dtype();
    let below = less(alpha, 1.0)?;
    let d = subtract(where_(&below, add(alpha, 1.0), alpha), 1.0 / 3.0)?;
    let width = reciprocal(sqrt(multiply(&d, 9.0)))?;
    let mut root = ones(shape, dtype)?;
    let mut found: Option<Array> = None;
    for _ in 0..ROUNDS {
        let x = standard_normal(draw.function, [&draw.state()?, &draw.state()?], shape, dtype)?;
        let u = open_unit(&draw.bits(shape, word(dtype))?, dtype)?;
        let t = multiply(&x, &width)?;
        // 1 - (1 + t)^3, without the cancellation; NaN and minus infinity, where 1 + t is not above 0, are not taken.
        let rest = multiply(&t, add(multiply(&t, add(&t, 3.0)), 3.0))?;
        let most = add(multiply(square(&x), 0.5), multiply(&d, subtract(multiply(log1p(&t), 3.0), rest)))?;
        let mut taken = less(log(u), most)?;
        if let Some(found) = &found {
            taken = logical_and(taken, logical_not(found))?;
        }
        root = where_(&taken, add(&t, 1.0), &root)?;
        found = Some(match found {
            Some(found) => logical_or(found, taken)?,
            None => taken,
        });
    }
    let number = multiply(multiply(&d, &root), square(&root))?;
    let u = open_unit(&draw.bits(shape, word(dtype))?, dtype)?;
    Ok((number, where_(below, divide(log(u), alpha), 0.0)?))
}

/// An operand in the dtype that is computed in; 1 where it was left out.
fn given(call: &Composition<'_>, i: usize) -> Result<Array> {
    let dtype = working(call.compute);
    match &call.arrays[i] {
        Some(array) => astype(array, dtype),
        None => ones((), dtype),
    }
}

params! {
    /// Keyword arguments of [`gamma`] and [`beta`].
    pub struct GammaParams {
        /// The shape; if not given, that to which the operands broadcast.
        shape: Option<Shape> = None,
        /// A float dtype; the default float dtype if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    GAMMA = "gamma", Random, Compositional, (alpha: Promoted, beta: Promoted optional), InferFloat -> [Compute],
    Bound::Composed(24.0), params: GammaParams::new(), example: [&[2], &[2]], Body::Compose(compose_gamma)
}

fn compose_gamma(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<GammaParams>();
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    for operand in [0, 1] {
        check_scalar(call, operand, POSITIVE, |x| x > 0.0 && x.is_finite())?;
    }
    let mut draw = Draw::new(call, params.seed)?;
    let (number, power) = standard_gamma(&mut draw, &given(call, 0)?, &shape)?;
    let x = divide(multiply(number, exp(power)), given(call, 1)?)?;
    Ok(smallvec![astype(x, call.compute)?])
}

/// Gamma draws: numbers with the density `beta^alpha x^(alpha - 1) exp(-beta x) / gamma(alpha)`: `alpha` is the shape,
/// and `beta` (1 if left out) the rate; the mean is `alpha / beta`. They are computed in float32, or in float64 for
/// float64, by the method of Marsaglia and Tsang with ten proposals for each number: that all of them are rejected,
/// which gives `alpha - 1/3` (`alpha + 2/3` times the factor for `alpha` below 1), has a probability below 10^-13. In
/// arrays, what is not above 0 gives any number or NaN.
///
/// ```
/// use ivy::{GammaParams, prelude::*};
/// let x = ivy::gamma(3.0, 2.0, GammaParams::new().shape([2000]).seed(1))?;
/// assert!((ivy::mean(&x, ())?.item::<f32>()? - 1.5).abs() < 0.1);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for host numbers that are not finite and above 0, and for a
/// dtype that is no float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the operands do not
/// broadcast; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn gamma<'a, 'b>(
    alpha: impl IntoOperand<'a>,
    beta: impl IntoOperand<'b>,
    params: impl Into<GammaParams>,
) -> Result<Array> {
    call_one(&GAMMA, &[alpha.into_operand(), beta.into_operand()], &params.into())
}

describe! {
    BETA = "beta", Random, Compositional, (alpha: Promoted, beta: Promoted), InferFloat -> [Compute],
    Bound::Composed(24.0), params: GammaParams::new(), example: [&[2], &[2]], Body::Compose(compose_beta)
}

fn compose_beta(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<GammaParams>();
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    for operand in [0, 1] {
        check_scalar(call, operand, POSITIVE, |x| x > 0.0 && x.is_finite())?;
    }
    let mut draw = Draw::new(call, params.seed)?;
    let (a, a_power) = standard_gamma(&mut draw, &given(call, 0)?, &shape)?;
    let (b, b_power) = standard_gamma(&mut draw, &given(call, 1)?, &shape)?;
    // The greater power is taken out of both, so that not both of them vanish.
    let most = maximum(&a_power, &b_power)?;
    let a = multiply(a, exp(subtract(a_power, &most)))?;
    let b = multiply(b, exp(subtract(b_power, &most)))?;
    Ok(smallvec![astype(divide(&a, add(&a, b)), call.compute)?])
}

/// Beta draws: numbers of the beta distribution, from 0 to 1 with a density proportional to
/// `x^(alpha - 1) (1 - x)^(beta - 1)`: the part that a number of the [`gamma`] distribution of shape `alpha` is of the
/// sum of it and one of shape `beta`.
///
/// ```
/// use ivy::{GammaParams, prelude::*};
/// let x = ivy::beta(1.0, 3.0, GammaParams::new().shape([2000]).seed(1))?;
/// assert!((ivy::mean(&x, ())?.item::<f32>()? - 0.25).abs() < 0.05);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for host numbers that are not finite and above 0, and for a
/// dtype that is no float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the operands do not
/// broadcast; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn beta<'a, 'b>(
    alpha: impl IntoOperand<'a>,
    beta: impl IntoOperand<'b>,
    params: impl Into<GammaParams>,
) -> Result<Array> {
    call_one(&BETA, &[alpha.into_operand(), beta.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`dirichlet`].
    pub struct Dirichlet {
        /// The axes of the result before those of `alpha`.
        size: Shape = Shape::default(),
        /// A float dtype; that of `alpha` if not given.
        dtype: Option<Dtype> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    DIRICHLET = "dirichlet", Random, Compositional, (alpha: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(24.0), params: Dirichlet::new(), example: [&[2]], Body::Compose(compose_dirichlet)
}

fn compose_dirichlet(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function, alpha) = (call.params::<Dirichlet>(), call.function.name, call.array(0));
    if alpha.shape().last().is_none_or(|&n| n == 0) {
        let (expected, actual) = ("a last axis that is not empty".into(), alpha.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "alpha", expected, actual }.into());
    }
    let shape: Shape = params.size.iter().chain(alpha.shape().iter()).copied().collect();
    check_result(call, &shape)?;
    let mut draw = Draw::new(call, params.seed)?;
    let (number, power) = standard_gamma(&mut draw, &given(call, 0)?, &shape)?;
    let most = max(&power, Max::new().axis(-1).keepdims())?;
    let x = multiply(number, exp(subtract(power, most)))?;
    let total = sum(&x, Sum::new().axis(-1).keepdims())?;
    Ok(smallvec![astype(divide(x, total), call.compute)?])
}

/// Dirichlet draws: along the last axis those of the [`gamma`] distributions of the shapes `alpha`, divided by their
/// sum. The result has the axes `size`, and then those of `alpha`.
///
/// ```
/// use ivy::{Dirichlet, prelude::*};
/// let alpha = Array::try_from([1.0f32, 2.0, 5.0])?;
/// let x = ivy::dirichlet(&alpha, Dirichlet::new().size([4]).seed(1))?;
/// assert_eq!(x.shape().to_string(), "(4, 3)");
/// let total = ivy::sum(&x, ivy::Sum::new().axis(1))?.to_vec::<f32>()?;
/// assert!(total.iter().all(|t| (t - 1.0).abs() < 1e-6));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for `alpha` without axes or with an empty last one;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a dtype that is no float;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn dirichlet<'a>(alpha: impl IntoOperand<'a>, params: impl Into<Dirichlet>) -> Result<Array> {
    call_one(&DIRICHLET, &[alpha.into_operand()], &params.into())
}

describe! {
    EXPONENTIAL = "exponential", Random, Compositional, (scale: Promoted optional), InferFloat -> [Compute],
    Bound::Composed(8.0), params: GammaParams::new(), example: [&[2]], Body::Compose(compose_exponential)
}

fn compose_exponential(call: &Composition<'_>) -> Result<Outputs> {
    let (params, dtype) = (call.params::<GammaParams>(), working(call.compute));
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    check_scalar(call, 0, "a finite number, not a negative one", |x| x >= 0.0 && x.is_finite())?;
    let mut draw = Draw::new(call, params.seed)?;
    let x = subtract(0.0, log(open_unit(&draw.bits(&shape, word(dtype))?, dtype)?))?;
    let x = if call.arrays[0].is_some() { multiply(x, given(call, 0)?)? } else { x };
    Ok(smallvec![astype(x, call.compute)?])
}

/// Exponential draws: numbers of the exponential distribution, with the density `exp(-x / scale) / scale` from 0 on:
/// `-scale log u` of a `u` in (0, 1]. `scale` (1 if left out) is the mean. Up to 22 times that in float32 and 44 times
/// in float64, where words end.
///
/// ```
/// use ivy::{GammaParams, prelude::*};
/// let x = ivy::exponential(2.0, GammaParams::new().shape([2000]).seed(1))?;
/// assert!((ivy::mean(&x, ())?.item::<f32>()? - 2.0).abs() < 0.2);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a host number that is negative or not finite, and for a
/// dtype that is no float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the scale does not
/// broadcast; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn exponential<'a>(scale: impl IntoOperand<'a>, params: impl Into<GammaParams>) -> Result<Array> {
    call_one(&EXPONENTIAL, &[scale.into_operand()], &params.into())
}
