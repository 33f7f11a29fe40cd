//! Uniform draws.

use super::Seed;
use super::bits::{Draw, check_result, check_scalar, sample_shape, unit, word};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    Filled, add, broadcast_to, full, maximum, minimum, multiply, nextafter, stop_gradient, subtract,
};
use crate::{Array, Device, Dtype, ErrorKind, Result, Shape, finfo, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`random_uniform`].
    pub struct RandomUniform {
        /// The shape; if not given, that to which the bounds broadcast.
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
    RANDOM_UNIFORM = "random_uniform", Random, Compositional, (low: Promoted optional, high: Promoted optional),
    InferFloat -> [Compute], Bound::Exact, params: RandomUniform::new(), example: [&[], &[]],
    Body::Compose(compose_uniform)
}

fn compose_uniform(call: &Composition<'_>) -> Result<Outputs> {
    let (params, dtype) = (call.params::<RandomUniform>(), call.compute);
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    let max = finfo(dtype)?.max;
    for operand in [0, 1] {
        check_scalar(call, operand, "a number that the dtype holds", |x| x.abs() <= max)?;
    }
    // A bound that was left out is that of the unit interval; of an array nothing is known.
    let known = |i: usize, default: f64| match (call.scalar(i), &call.arrays[i]) {
        (Some(scalar), _) => Some(scalar.to_f64()),
        (None, None) => Some(default),
        _ => None,
    };
    let bounds = (known(0, 0.0), known(1, 1.0));
    if let (Some(low), Some(high)) = bounds
        && low > high
    {
        let (function, argument, value) = (call.function.name, "low, high", format!("{low}, {high}"));
        let rule = "low is not above high";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    let mut draw = Draw::new(call, params.seed)?;
    let unit = unit(&draw.bits(&shape, word(dtype))?, dtype)?;
    if bounds == (Some(0.0), Some(1.0)) {
        return Ok(smallvec![unit]);
    }
    let bound = |i: usize, default: f64| match &call.arrays[i] {
        Some(array) => Ok(array.clone()),
        None => full((), default, Filled::new().dtype(dtype)),
    };
    let (low, high) = (bound(0, 0.0)?, bound(1, 1.0)?);
    // Both weights are exact, and no difference of the bounds overflows.
    let between = add(multiply(&low, subtract(1.0, &unit)), multiply(&high, &unit));
    // The number before a bound is no function that changes with it.
    let before = nextafter(stop_gradient(&high)?, stop_gradient(&low)?)?;
    let below = minimum(between, before)?;
    Ok(smallvec![broadcast_to(maximum(below, &low)?, shape)?])
}

/// Uniform draws: numbers from `low` to below `high` (0 and 1 if left out), all equally likely: `low (1 - u) + high u`,
/// where `u` is one of the multiples of `eps / 2` of the dtype from 0 to below 1 (2^-24 for float32, 2^-53 for float64,
/// 2^-11 for float16, 2^-8 for bfloat16). What rounding takes to `high` is the number before it; of `low = high` it is
/// that one. A seed gives the same bits on every backend.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::RandomUniform;
/// let x = ivy::random_uniform(-1.0, 2.0, RandomUniform::new().shape([2, 3]).seed(5))?;
/// assert_eq!((x.dtype(), x.shape().to_string()), (Dtype::FLOAT32, "(2, 3)".into()));
/// assert!(x.to_vec::<f32>()?.iter().all(|x| (-1.0..2.0).contains(x)));
/// let unit = ivy::random_uniform(None::<f64>, None::<f64>, RandomUniform::new().dtype(Dtype::FLOAT64))?;
/// assert_eq!(unit.ndim(), 0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for host bounds in the wrong order or that the dtype does not
/// hold, and for a dtype that is no float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the
/// bounds do not broadcast; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn random_uniform<'a, 'b>(
    low: impl IntoOperand<'a>,
    high: impl IntoOperand<'b>,
    params: impl Into<RandomUniform>,
) -> Result<Array> {
    call_one(&RANDOM_UNIFORM, &[low.into_operand(), high.into_operand()], &params.into())
}
