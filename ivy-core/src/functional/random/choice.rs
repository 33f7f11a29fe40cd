//! Random choice.

use super::Seed;
use super::bits::Draw;
use super::discrete::{by_weight, first_by_weight};
use super::integers::{below, order};
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_axes;
use crate::functional::{Take, astype, reshape, take};
use crate::{Array, AxisSlice, Dtype, ErrorKind, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`choice`].
    pub struct Choice {
        /// How many, as a shape.
        size: Shape = Shape::default(),
        /// Whether a part may be drawn several times.
        replace: bool = true,
        /// The weight of each part, along the axis; all alike if not given.
        operand p,
        /// The axis along which the parts are.
        axis: i64 = 0,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    CHOICE = "choice", Random, Compositional, (a: Kept, p: Kept optional), LikeOperand -> [Compute],
    Bound::Exact, params: Choice::new(), example: [&[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function, a) = (call.params::<Choice>(), call.function.name, call.array(0));
    let axis = shape::normalize_axis(function, params.axis, a.ndim())?;
    let (size, count) = (a.shape()[axis], params.size.checked_size(function, Dtype::INT64)?);
    let refuse = |value: usize, rule| -> Result<Outputs> {
        Err(ErrorKind::InvalidArgument { function, argument: "size", value: value.to_string(), rule }.into())
    };
    if size == 0 && count > 0 {
        return refuse(count, "0, since there is nothing to draw");
    }
    if !params.replace && count > size {
        return refuse(count, "without replacement, at most as many as there are");
    }
    let weights = call.arrays[1].as_ref();
    if let Some(p) = weights.filter(|p| p.shape()[..] != [size]) {
        let (expected, actual) = (format!("({size},)"), p.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "p", expected, actual }.into());
    }
    let mut draw = Draw::new(call, params.seed)?;
    let line = Shape::from([1, count]);
    let weights = match weights {
        Some(p) => Some(reshape(astype(p, Dtype::FLOAT64), Shape::from([1, size]), ())?),
        None => None,
    };
    let drawn = match (weights, params.replace) {
        (Some(weights), true) if count > 0 => by_weight(&mut draw, &weights, &line)?,
        (Some(weights), false) => first_by_weight(&mut draw, &weights, count)?,
        (None, false) => {
            let order = order(&mut draw, &Shape::from([size]))?;
            slice_axes(function, &order, smallvec![AxisSlice { start: 0, step: 1, len: count }])?
        }
        (_, true) => astype(below(&mut draw, size.max(1) as u128, &line)?, Dtype::INT64)?,
    };
    let parts = take(a, reshape(drawn, Shape::from([count]), ())?, Take::new().axis(axis as i64))?;
    let lengths = a.shape();
    let whole: Shape =
        lengths[..axis].iter().chain(params.size.iter()).chain(&lengths[axis + 1..]).copied().collect();
    Ok(smallvec![reshape(parts, whole, ())?])
}

/// Random choice: parts of an array along an axis, drawn at random, in the shape `size` in the place of the axis: each
/// is equally likely, or as likely as its weight is part of their sum. Without replacement each is drawn once at most,
/// as if drawn one after the other from what is left; parts of weight 0 come last then.
///
/// Negative weights and NaN have no meaning, and give any of the parts.
///
/// ```
/// use ivy::{Choice, prelude::*};
/// let x = Array::try_from([10i32, 20, 30])?;
/// let p = Array::try_from([0.0f32, 1.0, 0.0])?;
/// assert_eq!(ivy::choice(&x, Choice::new().size([2]).p(&p))?.to_vec::<i32>()?, [20, 20]);
/// let all = ivy::choice(&x, Choice::new().size([3]).replace(false))?;
/// assert_eq!(ivy::sort(&all, ())?.to_vec::<i32>()?, [10, 20, 30]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for draws from nothing, and for more draws than parts without
/// replacement; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for weights that are not one a part;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn choice<'a>(a: impl IntoOperand<'a>, params: impl Into<Choice>) -> Result<Array> {
    let mut params = params.into();
    let p = std::mem::replace(&mut params.p, Operand::Absent);
    call_one(&CHOICE, &[a.into_operand(), p], &params)
}
