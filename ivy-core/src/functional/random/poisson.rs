//! Poisson draws.

use super::Seed;
use super::bits::{Draw, check_result, check_scalar, sample_shape, unit};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    abs, add, astype, broadcast_to, divide, exp, floor, greater_equal, less, less_equal, lgamma, log,
    logical_and, logical_not, logical_or, maximum, minimum, multiply, negative, ones, sqrt, square,
    stop_gradient, subtract, where_, while_loop, zeros,
};
use crate::{Array, Device, Dtype, Result, Shape, context, params};
use smallvec::smallvec;

/// From this rate on numbers are proposed, and below it their probabilities are added up.
const LARGE: f64 = 10.0;

/// How many proposals there are for each number. Each is taken with a probability above 3/4, so that none of them is
/// with a probability below 10^-12.
const ROUNDS: usize = 20;

/// The greatest number of a rate below [`LARGE`]: there are greater ones with a probability below 10^-60.
const MOST: f64 = 100.0;

/// Numbers of rates from 0 up to [`LARGE`]: how many sums of probabilities, from that of 0 on, a random part of 1 is
/// not below.
fn counted(draw: &mut Draw, rate: &Array, shape: &Shape) -> Result<Array> {
    let rate = minimum(rate, LARGE)?;
    let part = unit(&draw.bits(shape, Dtype::UINT64)?, Dtype::FLOAT64)?;
    let first = broadcast_to(exp(negative(&rate)), shape.clone())?;
    let start = zeros(shape, Dtype::FLOAT64)?;
    if context::current_backend()?.is_abstract() {
        return Ok(start);
    }
    let [count, ..] = while_loop(
        |[count, _, sum]| logical_and(greater_equal(&part, sum), less(count, MOST)),
        |[count, probability, sum]| {
            let count = add(count, 1.0)?;
            let probability = divide(multiply(probability, &rate), &count)?;
            let sum = add(sum, &probability)?;
            Ok([count, probability, sum])
        },
        [start, first.clone(), first],
    )?;
    Ok(count)
}

/// Numbers of rates from [`LARGE`] on, by the transformed rejection of Hörmann (1993), "PTRS": of uniform numbers `u`
/// from -1/2 to 1/2 and `v` from 0 to 1, the number `k = floor((2 a / (1/2 - |u|) + b) u + rate + 0.43)` is taken if
/// `v` times the density of the proposals is below its probability.
fn proposed(draw: &mut Draw, rate: &Array, shape: &Shape) -> Result<Array> {
    let rate = maximum(rate, LARGE)?;
    let b = add(multiply(sqrt(&rate), 2.53), 0.931)?;
    let a = subtract(multiply(&b, 0.02483), 0.059)?;
    let scale = add(divide(1.1328, subtract(&b, 3.4)), 1.1239)?;
    let (logarithm, centre) = (log(&rate)?, add(&rate, 0.43)?);
    let mut number = broadcast_to(floor(&rate), shape.clone())?;
    let mut found: Option<Array> = None;
    for _ in 0..ROUNDS {
        let u = subtract(unit(&draw.bits(shape, Dtype::UINT64)?, Dtype::FLOAT64)?, 0.5)?;
        let v = subtract(1.0, unit(&draw.bits(shape, Dtype::UINT64)?, Dtype::FLOAT64)?)?;
        // Not 0, so that -1/2 leads to a number that is far below 0, and not taken.
        let side = maximum(subtract(0.5, abs(&u)), 0.5f64.powi(60))?;
        let k = floor(add(multiply(add(divide(multiply(&a, 2.0), &side), &b), u), &centre))?;
        let density = add(divide(&a, square(&side)), &b)?;
        let proposal = log(divide(multiply(v, &scale), density))?;
        let probability =
            subtract(subtract(multiply(&k, &logarithm), &rate), lgamma(add(maximum(&k, 0.0), 1.0)))?;
        let mut taken = logical_and(greater_equal(&k, 0.0), less_equal(proposal, probability))?;
        if let Some(found) = &found {
            taken = logical_and(taken, logical_not(found))?;
        }
        number = where_(&taken, &k, &number)?;
        found = Some(match found {
            Some(found) => logical_or(found, taken)?,
            None => taken,
        });
    }
    Ok(number)
}

params! {
    /// Keyword arguments of [`poisson`].
    pub struct Poisson {
        /// The shape; if not given, that of the rates.
        shape: Option<Shape> = None,
        /// A float dtype; the default float dtype if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
        /// What stands where a rate is negative.
        fill_value: f64 = 0.0,
    }
}

describe! {
    POISSON = "poisson", Random, Compositional, (lam: Promoted optional), InferFloat -> [Compute],
    Bound::Exact, params: Poisson::new(), example: [&[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<Poisson>();
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    check_scalar(call, 0, "a finite number", f64::is_finite)?;
    let rate = match &call.arrays[0] {
        Some(rate) => stop_gradient(&astype(rate, Dtype::FLOAT64)?)?,
        None => ones((), Dtype::FLOAT64)?,
    };
    let known = call.scalar(0).map(|rate| rate.to_f64());
    let mut draw = Draw::new(call, params.seed)?;
    let small = counted(&mut draw, &maximum(&rate, 0.0)?, &shape)?;
    let x = match known {
        Some(rate) if rate < LARGE => small,
        _ => where_(less(&rate, LARGE), small, proposed(&mut draw, &rate, &shape)?)?,
    };
    let x = where_(less(&rate, 0.0), params.fill_value, x)?;
    Ok(smallvec![astype(x, call.compute)?])
}

/// Poisson draws: whole numbers of the Poisson distribution, in a float dtype: `k` with probability
/// `lam^k exp(-lam) / k!`, where `lam` (1 if left out) is the rate, and the mean; `fill_value` where it is negative.
///
/// They are computed in float64. Below a rate of 10 the probabilities are added up, and from there on numbers are
/// proposed and rejected (Hörmann's PTRS), twenty for each: that all of them are rejected, which gives the rate rounded
/// down, has a probability below 10^-12. Probabilities are those of the distribution to about `10^-15 lam`, so that rates
/// above 10^12 have no meaning.
///
/// ```
/// use ivy::{Poisson, prelude::*};
/// let lam = Array::try_from([0.0f32, 4.0, 100.0])?;
/// let x = ivy::poisson(&lam, Poisson::new().shape([2000, 3]).seed(1))?;
/// let mean = ivy::mean(&x, ivy::Mean::new().axis(0))?.to_vec::<f32>()?;
/// assert!(mean[0] == 0.0 && (mean[1] - 4.0).abs() < 0.2 && (mean[2] - 100.0).abs() < 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a host rate that is not finite, and for a dtype that is no
/// float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the rates do not broadcast;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn poisson<'a>(lam: impl IntoOperand<'a>, params: impl Into<Poisson>) -> Result<Array> {
    call_one(&POISSON, &[lam.into_operand()], &params.into())
}
