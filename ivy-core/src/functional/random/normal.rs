//! Normal draws.

use super::Seed;
use super::bits::{Draw, bits, check_result, check_scalar, open_unit, sample_shape, word, working};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_axes;
use crate::functional::{
    Concat, add, astype, bitwise_and, bitwise_left_shift, bitwise_right_shift, broadcast_to, concat, cos,
    greater_equal, log, multiply, negative, not_equal, reshape, sin, sqrt, where_,
};
use crate::{Array, AxisSlice, Device, Dtype, Result, Shape, params};
use smallvec::smallvec;
use std::f64::consts::FRAC_PI_4;

params! {
    /// Keyword arguments of [`random_normal`].
    pub struct RandomNormal {
        /// The shape; if not given, that to which the mean and the deviation broadcast.
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
    RANDOM_NORMAL = "random_normal", Random, Compositional, (mean: Promoted optional, std: Promoted optional),
    InferFloat -> [Compute], Bound::Composed(4.0), params: RandomNormal::new(), example: [&[], &[]],
    Body::Compose(compose_normal)
}

fn compose_normal(call: &Composition<'_>) -> Result<Outputs> {
    let (params, dtype) = (call.params::<RandomNormal>(), call.compute);
    let shape = sample_shape(call, params.shape.as_ref())?;
    check_result(call, &shape)?;
    check_scalar(call, 0, "a finite number", f64::is_finite)?;
    check_scalar(call, 1, "a finite number, not a negative one", |std| std >= 0.0 && std.is_finite())?;
    let mut draw = Draw::new(call, params.seed)?;
    let work = working(dtype);
    let mut x = standard_normal(draw.function, [&draw.state()?, &draw.state()?], &shape, work)?;
    let given = |i: usize, neutral: f64| {
        let array = call.arrays[i].as_ref()?;
        (call.scalar(i).map(|s| s.to_f64()) != Some(neutral)).then_some(array)
    };
    if let Some(std) = given(1, 1.0) {
        x = multiply(x, astype(std, work))?;
    }
    if let Some(mean) = given(0, 0.0) {
        x = add(x, astype(mean, work))?;
    }
    Ok(smallvec![astype(broadcast_to(x, shape)?, dtype)?])
}

/// Independent standard normal numbers of two states, in float32 or float64, by the transform of Box and Muller: of a
/// number `u` in (0, 1] and an angle, `sqrt(-2 log u)` times its cosine and its sine. All cosines come first.
///
/// The two upper bits of the angle's word are its quadrant, and the rest is the way from the middle of it, at most an
/// eighth of a turn: sine and cosine of that have all their digits.
pub(super) fn standard_normal(
    function: &'static str,
    states: [&Array; 2],
    shape: &Shape,
    dtype: Dtype,
) -> Result<Array> {
    let n = shape.size();
    let (half, words) = (Shape::from([n.div_ceil(2)]), word(dtype));
    let lengths = bits(function, states[0], &half, words)?;
    let turns = bits(function, states[1], &half, words)?;
    let width = words.bits() as i32;
    let signed = if words == Dtype::UINT64 { Dtype::INT64 } else { Dtype::INT32 };
    let radius = sqrt(multiply(log(open_unit(&lengths, dtype)), -2.0))?;
    // Half of the quadrants are those of the others, reversed.
    let around = greater_equal(&turns, 1i128 << (width - 1))?;
    let radius = where_(&around, negative(&radius), &radius)?;
    let way = astype(astype(bitwise_left_shift(&turns, 2), signed), dtype);
    let angle = multiply(way, FRAC_PI_4 * 0.5f64.powi(width - 1))?;
    let (sine, cosine) = (sin(&angle)?, cos(&angle)?);
    let upright = not_equal(bitwise_and(bitwise_right_shift(&turns, width - 2), 1), 0)?;
    let first = multiply(&radius, where_(&upright, &sine, &cosine))?;
    let second = multiply(&radius, where_(&upright, &cosine, &sine))?;
    let mut all = concat([&first, &second], Concat::new())?;
    if n % 2 == 1 {
        all = slice_axes(function, &all, smallvec![AxisSlice { start: 0, step: 1, len: n }])?;
    }
    reshape(all, shape.clone(), ())
}

/// Normal draws: normally distributed numbers of a mean and a standard deviation (0 and 1 if left out), by the
/// transform of Box and Muller, computed in float32, or in float64 for float64. Up to 6.7 deviations from the mean in
/// float32, and 9.4 in float64, where words end.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::random_normal(10.0, 2.0, ivy::RandomNormal::new().shape([1000]).seed(1))?;
/// let (mean, std) = (ivy::mean(&x, ())?.item::<f32>()?, ivy::std(&x, ())?.item::<f32>()?);
/// assert!((mean - 10.0).abs() < 0.2 && (std - 2.0).abs() < 0.2);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a negative host deviation, for host numbers that are not
/// finite, and for a dtype that is no float; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a shape to which the
/// operands do not broadcast; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn random_normal<'a, 'b>(
    mean: impl IntoOperand<'a>,
    std: impl IntoOperand<'b>,
    params: impl Into<RandomNormal>,
) -> Result<Array> {
    call_one(&RANDOM_NORMAL, &[mean.into_operand(), std.into_operand()], &params.into())
}
