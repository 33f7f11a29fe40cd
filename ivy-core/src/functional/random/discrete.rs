//! Bernoulli and categorical draws.

use super::Seed;
use super::bits::{Draw, check_scalar, open_unit, sample_shape, unit};
use super::integers::{below, order};
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_axes;
use crate::functional::{
    ArgSort, CumulativeSum, TakeAlongAxis, add, argsort, astype, broadcast_to, cumulative_sum, divide, exp,
    less, less_equal, log, logical_and, minimum, multiply, negative, reciprocal, reshape, subtract,
    take_along_axis, where_,
};
use crate::functional::{Filled, zeros};
use crate::{Array, AxisSlice, Device, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`bernoulli`].
    pub struct Bernoulli {
        /// The logarithms of the odds, in place of probabilities.
        operand logits,
        /// The shape; if not given, that of the probabilities.
        shape: Option<Shape> = None,
        /// The dtype; the default dtype if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    BERNOULLI = "bernoulli", Random, Compositional, (probs: Kept optional, logits: Kept optional),
    Default -> [Compute], Bound::Exact, params: Bernoulli::new(), example: [&[2]],
    Body::Compose(compose_bernoulli)
}

fn compose_bernoulli(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<Bernoulli>();
    let array = |i: usize| call.arrays.get(i).and_then(Option::as_ref);
    let probabilities = match (array(0), array(1)) {
        (Some(probs), None) => astype(probs, Dtype::FLOAT64)?,
        (None, Some(logits)) => {
            let odds = exp(negative(astype(logits, Dtype::FLOAT64)));
            reciprocal(add(odds, 1.0))?
        }
        (probs, _) => {
            let (function, argument) = (call.function.name, "probs, logits");
            let value = if probs.is_some() { "both" } else { "neither" }.into();
            let rule = "one of them, and not both";
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        }
    };
    check_scalar(call, 0, "a probability, from 0 to 1", |p| (0.0..=1.0).contains(&p))?;
    let shape = sample_shape(call, params.shape.as_ref())?;
    let mut draw = Draw::new(call, params.seed)?;
    let unit = unit(&draw.bits(&shape, Dtype::UINT64)?, Dtype::FLOAT64)?;
    Ok(smallvec![astype(less(unit, probabilities), call.compute)?])
}

/// Bernoulli draws: one with a probability, and zero else: whether a multiple of 2^-53, all of which from 0 to below 1
/// are equally likely, is less than the probability. Probabilities are those of `probs`, or `1 / (1 + exp(-logits))`.
/// In arrays, what is above 1 counts as 1, and what is below 0, or NaN, as 0.
///
/// ```
/// use ivy::prelude::*;
/// let p = Array::try_from([0.0f32, 1.0, 1.0])?;
/// assert_eq!(ivy::bernoulli(&p, Dtype::BOOL)?.to_vec::<bool>()?, [false, true, true]);
/// let x = ivy::bernoulli(0.25, ivy::Bernoulli::new().shape([1000]).seed(1))?;
/// assert!((ivy::mean(&x, ())?.item::<f32>()? - 0.25).abs() < 0.05);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a host number that is no probability, and for both
/// probabilities and logits, or neither; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which they
/// do not broadcast.
pub fn bernoulli<'a>(probs: impl IntoOperand<'a>, params: impl Into<Bernoulli>) -> Result<Array> {
    let mut params = params.into();
    let logits = std::mem::replace(&mut params.logits, Operand::Absent);
    call_one(&BERNOULLI, &[probs.into_operand(), logits], &params)
}

impl From<Dtype> for Bernoulli {
    fn from(dtype: Dtype) -> Bernoulli {
        Bernoulli::new().dtype(dtype)
    }
}

params! {
    /// Keyword arguments of [`multinomial`].
    pub struct Multinomial {
        /// How many categories there are.
        population_size: usize = 2,
        /// How many are drawn for each line of the result.
        num_samples: usize = 1,
        /// How many lines; one line of weights by themselves gives draws without an axis of lines.
        batch_size: usize = 1,
        /// The weight of each category, for all lines or for each; all alike if not given.
        operand probs,
        /// Whether a line may have a category several times.
        replace: bool = true,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    MULTINOMIAL = "multinomial", Random, Compositional, (probs: Kept optional), Default -> [Index],
    Bound::Exact, params: Multinomial::new(), example: [&[2]], Body::Compose(compose_multinomial)
}

fn compose_multinomial(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function) = (call.params::<Multinomial>(), call.function.name);
    let (size, count, lines) = (params.population_size, params.num_samples, params.batch_size);
    let refuse = |argument, value: usize, rule| -> Result<Outputs> {
        Err(ErrorKind::InvalidArgument { function, argument, value: value.to_string(), rule }.into())
    };
    let shape = Shape::from([lines, count]);
    let all = Shape::from([lines, size]);
    shape.checked_size(function, Dtype::INT64)?;
    all.checked_size(function, Dtype::FLOAT64)?;
    if size == 0 && shape.size() > 0 {
        return refuse("population_size", size, "at least 1 where something is drawn");
    }
    if !params.replace && count > size {
        return refuse("num_samples", count, "without replacement, at most the population size");
    }
    let probs = call.arrays.first().and_then(Option::as_ref);
    if let Some(probs) = probs
        && !matches!(&probs.shape()[..], [n] if *n == size)
        && *probs.shape() != all
    {
        let expected = format!("({size},) or {all}");
        let actual = probs.shape().clone();
        return Err(ErrorKind::ShapeMismatch { function, argument: "probs", expected, actual }.into());
    }
    let mut draw = Draw::new(call, params.seed)?;
    let weights = probs.map(|probs| broadcast_to(astype(probs, Dtype::FLOAT64), &all)).transpose()?;
    let drawn = match (weights, params.replace) {
        (None, true) => astype(below(&mut draw, size.max(1) as u128, &shape)?, Dtype::INT64)?,
        (None, false) => first(function, &order(&mut draw, &all)?, count)?,
        (Some(weights), true) if shape.size() > 0 => by_weight(&mut draw, &weights, &shape)?,
        (Some(_), true) => zeros(&shape, Filled::new().dtype(Dtype::INT64))?,
        (Some(weights), false) => first_by_weight(&mut draw, &weights, count)?,
    };
    // Probabilities without a batch give draws without one.
    let one = lines == 1 && probs.is_some_and(|probs| probs.ndim() == 1);
    Ok(smallvec![if one { reshape(&drawn, [count as i64], ())? } else { drawn }])
}

/// The first columns of a matrix.
fn first(function: &'static str, x: &Array, count: usize) -> Result<Array> {
    let whole = |len: usize| AxisSlice { start: 0, step: 1, len };
    slice_axes(function, x, smallvec![whole(x.shape()[0]), whole(count)])
}

/// Categories of each line without repetition: those of the shortest times until the first of random events of each
/// rate, since who comes first is as likely as its rate says.
pub(super) fn first_by_weight(draw: &mut Draw, weights: &Array, count: usize) -> Result<Array> {
    let words = draw.bits(weights.shape(), Dtype::UINT64)?;
    let times = divide(negative(log(open_unit(&words, Dtype::FLOAT64))), weights);
    first(draw.function, &argsort(times, ArgSort::new())?, count)
}

/// Categories of each line as likely as its weights: how many running sums of them are at most a random part of the
/// whole sum, found by halving.
pub(super) fn by_weight(draw: &mut Draw, weights: &Array, shape: &Shape) -> Result<Array> {
    let size = weights.shape()[1];
    let sums = cumulative_sum(weights, CumulativeSum::new().axis(1))?;
    let last = smallvec![
        AxisSlice { start: 0, step: 1, len: shape[0] },
        AxisSlice { start: size - 1, step: 1, len: 1 }
    ];
    let total = slice_axes(draw.function, &sums, last)?;
    let aim = multiply(unit(&draw.bits(shape, Dtype::UINT64)?, Dtype::FLOAT64), total)?;
    let mut passed = zeros(shape, Filled::new().dtype(Dtype::INT64))?;
    let mut step = size.next_power_of_two();
    if step > size {
        step /= 2;
    }
    let along = TakeAlongAxis::new().axis(1);
    while step > 0 {
        let next = add(&passed, step as i64)?;
        let place = subtract(minimum(&next, size as i64), 1)?;
        let reached = less_equal(take_along_axis(&sums, place, along.clone()), &aim);
        let further = logical_and(reached, less_equal(&next, size as i64));
        passed = where_(further, next, passed)?;
        step /= 2;
    }
    // Weights without a sum above 0 have no categories: then it is the last one.
    minimum(passed, size as i64 - 1)
}

/// Categorical draws: numbers of categories, from 0 to below `population_size`, as int64: `batch_size` lines of
/// `num_samples`. With weights, a category is as likely as its part of their sum: its own line of `probs`, or the one
/// line for all. Without replacement each is drawn once at most, as if drawn one after the other from what is left;
/// categories of weight 0 come last then.
///
/// Negative weights and NaN have no meaning, and give any of the numbers.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Multinomial;
/// let weights = Array::try_from([0.0f32, 3.0, 0.0])?;
/// let x = ivy::multinomial(3, 4, Multinomial::new().probs(&weights))?;
/// assert_eq!((x.shape().to_string(), x.to_vec::<i64>()?), ("(4,)".into(), vec![1; 4]));
/// let deal = ivy::multinomial(5, 5, Multinomial::new().replace(false).seed(3))?;
/// assert_eq!(ivy::sort(&deal, ())?.to_vec::<i64>()?, [0, 1, 2, 3, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for draws from no categories, and for more draws than
/// categories without replacement; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for weights of another shape than
/// `(population_size,)` and `(batch_size, population_size)`; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn multinomial(
    population_size: usize,
    num_samples: usize,
    params: impl Into<Multinomial>,
) -> Result<Array> {
    let mut params = Multinomial { population_size, num_samples, ..params.into() };
    let probs = std::mem::replace(&mut params.probs, Operand::Absent);
    call_one(&MULTINOMIAL, &[probs], &params)
}
