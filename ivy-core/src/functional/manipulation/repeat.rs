//! Tiling and repetition.

use super::{broadcast_to, check_lengths, flat, reshape};
use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Take, take};
use crate::{Array, Dims, Dtype, ErrorKind, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// The arguments of [`tile`].
    pub struct Tile {
        /// How often the array stands along each axis.
        repetitions: Shape = Shape::from([2]),
    }
}

describe! {
    TILE = "tile", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Tile::new(), example: [&[2]], Body::Compose(compose_tile)
}

fn compose_tile(call: &Composition<'_>) -> Result<Outputs> {
    let (x, repetitions) = (call.array(0), &call.params::<Tile>().repetitions);
    let ndim = x.ndim().max(repetitions.len());
    let padded = |dims: &[usize]| -> Dims {
        std::iter::repeat_n(1, ndim - dims.len()).chain(dims.iter().copied()).collect()
    };
    let (own, times) = (padded(x.shape()), padded(repetitions));
    let pairs = || own.iter().zip(&times);
    let result = pairs().map(|(&len, &n)| len.saturating_mul(n)).collect::<Shape>();
    check_lengths(call.function.name, call.compute, &result)?;
    // Each axis stands beside one of its own for the repetitions, and the two become one.
    let apart: Shape = pairs().flat_map(|(&len, _)| [1, len]).collect();
    let spread: Shape = pairs().flat_map(|(&len, &n)| [n, len]).collect();
    let spread = broadcast_to(reshape(x, apart, ())?, spread)?;
    Ok(smallvec![reshape(spread, result, ())?])
}

/// Tiling: the array set side by side with itself along its axes. The shorter of the shape and the repetitions is taken
/// to begin with ones.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2])?;
/// assert_eq!(ivy::tile(&x, 2)?.to_vec::<i32>()?, [1, 2, 1, 2]);
/// assert_eq!(ivy::tile(&x, [2, 1])?.shape().to_string(), "(2, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn tile<'a>(x: impl IntoOperand<'a>, repetitions: impl Into<Shape>) -> Result<Array> {
    call_one(&TILE, &[x.into_operand()], &Tile::new().repetitions(repetitions))
}

params! {
    /// Keyword arguments of [`repeat`].
    pub struct Repeat {
        /// The axis to repeat along; without it the array is flattened first.
        axis: Option<i64> = None,
    }
}

describe! {
    REPEAT = "repeat", Manipulation, Compositional, (x: Kept, repeats: Index), LikeOperand -> [Compute],
    Bound::Exact, params: Repeat::new(), example: [&[2], &[]], Body::Compose(compose_repeat)
}

fn compose_repeat(call: &Composition<'_>) -> Result<Outputs> {
    let (function, repeats) = (call.function.name, call.array(1));
    let (x, axis) = match call.params::<Repeat>().axis {
        Some(axis) => {
            let x = call.array(0).clone();
            let axis = shape::normalize_axis(function, axis, x.ndim())?;
            (x, axis)
        }
        None => (flat(call.array(0))?, 0),
    };
    let len = x.shape()[axis];
    if repeats.ndim() > 1 || (repeats.size() != 1 && repeats.size() != len) {
        let expected = format!("one number, or one for each of the {len} elements of the axis");
        let (argument, actual) = ("repeats", repeats.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    let counts = match call.scalar(1) {
        Some(value) => Dims::from_slice(&[value.to_i128() as i64]),
        // Without values any length is as good as another.
        None if repeats.backend().is_abstract() => smallvec![1; repeats.size()],
        None => repeats.to_vec::<i64>()?.into(),
    };
    if let Some((at, count)) = counts.iter().enumerate().find(|(_, c)| **c < 0) {
        let value = format!("{count} at position {at}");
        let rule = "nothing is repeated a negative number of times";
        return Err(ErrorKind::InvalidArgument { function, argument: "repeats", value, rule }.into());
    }
    let total = match counts[..] {
        [n] => len as u128 * n as u128,
        _ => counts.iter().map(|&n| n as u128).sum(),
    };
    let mut result = Dims::from_slice(x.shape());
    result[axis] = usize::try_from(total).unwrap_or(usize::MAX);
    let result = Shape::from(result);
    check_lengths(call.function.name, call.compute, &result)?;
    if let [n] = counts[..] {
        let mut apart = Dims::from_slice(x.shape());
        apart.insert(axis + 1, 1);
        let mut spread = apart.clone();
        spread[axis + 1] = n as usize;
        let spread = broadcast_to(reshape(&x, Shape::from(apart), ())?, Shape::from(spread))?;
        return Ok(smallvec![reshape(spread, result, ())?]);
    }
    // The indices are one more array of the result's length.
    Shape::from([result[axis]]).checked_size(function, Dtype::INT64)?;
    let indices: Vec<i64> =
        counts.iter().zip(0..).flat_map(|(&n, i)| std::iter::repeat_n(i, n as usize)).collect();
    let indices = Array::from_vec(indices, result[axis])?;
    Ok(smallvec![take(&x, &indices, Take::new().axis(axis as i64))?])
}

/// Repetition of elements: each element (or slice along an axis) several times in a row: all as often, or each by its
/// own number. An array of numbers is read at the call, since the result's shape depends on it.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::repeat(&x, 2, ())?.to_vec::<i32>()?, [1, 1, 2, 2, 3, 3, 4, 4]);
/// let counts = Array::try_from([0i64, 2])?;
/// let rows = ivy::repeat(&x, &counts, Repeat::new().axis(0))?;
/// assert_eq!(rows.to_vec::<i32>()?, [3, 4, 3, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a negative number,
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if there is not one number for each element
/// of the axis, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for numbers that are not integers,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn repeat<'a, 'b>(
    x: impl IntoOperand<'a>,
    repeats: impl IntoOperand<'b>,
    params: impl Into<Repeat>,
) -> Result<Array> {
    let operands: [Operand<'_>; 2] = [x.into_operand(), repeats.into_operand()];
    call_one(&REPEAT, &operands, &params.into())
}
