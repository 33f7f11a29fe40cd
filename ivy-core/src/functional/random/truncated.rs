//! Truncated normal draws.

use super::bits::{Draw, check_result, check_scalar, sample_shape, working};
use super::normal::{RandomNormal, standard_normal};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{abs, add, astype, greater, multiply, where_};
use crate::{Array, Result};
use smallvec::smallvec;

/// How many numbers there are of which the first one that is near enough is taken: each is with a probability above
/// 0.954, so that none of them is with a probability below 10^-13.
const ROUNDS: usize = 10;

/// How many deviations from the mean numbers may be.
const DEVIATIONS: f64 = 2.0;

describe! {
    TRUNCATED_NORMAL = "truncated_normal", Random, Compositional, (mean: Promoted optional, std: Promoted optional),
    InferFloat -> [Compute], Bound::Composed(4.0), params: RandomNormal::new(), example: [&[], &[]],
    Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<RandomNormal>();
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    check_scalar(call, 0, "a finite number", f64::is_finite)?;
    check_scalar(call, 1, "a finite number, not a negative one", |std| std >= 0.0 && std.is_finite())?;
    let (mut draw, work) = (Draw::new(call, params.seed)?, working(call.compute));
    let mut normal = || {
        let states = [draw.state()?, draw.state()?];
        standard_normal(draw.function, [&states[0], &states[1]], &shape, work)
    };
    let mut x = normal()?;
    for _ in 1..ROUNDS {
        x = where_(greater(abs(&x), DEVIATIONS), normal()?, &x)?;
    }
    x = where_(greater(abs(&x), DEVIATIONS), 0.0, &x)?;
    if let Some(std) = &call.arrays[1] {
        x = multiply(x, astype(std, work))?;
    }
    if let Some(mean) = &call.arrays[0] {
        x = add(x, astype(mean, work))?;
    }
    Ok(smallvec![astype(x, call.compute)?])
}

/// Truncated normal draws: normally distributed numbers of a mean and a standard deviation (0 and 1 if left out) that
/// are at most two deviations from the mean: the first of ten numbers which is. That none of them is, which gives the
/// mean, has a probability below 10^-13. Their own deviation is 0.8796 times the given one.
///
/// ```
/// use ivy::{RandomNormal, prelude::*};
/// let x = ivy::truncated_normal(10.0, 2.0, RandomNormal::new().shape([1000]).seed(1))?;
/// assert!(x.to_vec::<f32>()?.iter().all(|x| (6.0..=14.0).contains(x)));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a negative host deviation, for host numbers that are not
/// finite, and for a dtype that is no float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the
/// operands do not broadcast; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn truncated_normal<'a, 'b>(
    mean: impl IntoOperand<'a>,
    std: impl IntoOperand<'b>,
    params: impl Into<RandomNormal>,
) -> Result<Array> {
    call_one(&TRUNCATED_NORMAL, &[mean.into_operand(), std.into_operand()], &params.into())
}
