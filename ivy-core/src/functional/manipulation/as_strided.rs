//! Strided views.

use super::{broadcast_to, flat, reshape, slice_axes};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::{Arange, add, arange};
use crate::{AxisSlice, Dims, Dtype, ErrorKind, Op, Result, Shape, params, primitive};
use smallvec::smallvec;

params! {
    /// The arguments of [`as_strided`].
    pub struct AsStrided {
        /// The shape of the result.
        shape: Shape = Shape::from([2]),
        /// For each axis, how many bytes lie between neighbours.
        strides: Axes = Axes::from([16]),
    }
}

describe! {
    AS_STRIDED = "as_strided", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: AsStrided::new(), example: [&[64]], Body::Compose(compose_as_strided)
}

/// The distances between neighbours, counted in elements, of a view that stays within `size` elements.
fn steps(call: &Composition<'_>, shape: &Shape, strides: &Axes) -> Result<Dims> {
    let (function, size) = (call.function.name, call.array(0).size());
    let invalid = |value: String, rule: &'static str| -> crate::Error {
        ErrorKind::InvalidArgument { function, argument: "strides", value, rule }.into()
    };
    let strides = &strides.0;
    if strides.len() != shape.len() {
        return Err(invalid(
            format!("{:?} for {} axes", strides.as_slice(), shape.len()),
            "one for each axis",
        ));
    }
    let item = call.compute.bytes() as i64;
    if let Some(stride) = strides.iter().find(|&&stride| stride % item != 0) {
        return Err(invalid(stride.to_string(), "multiples of the size of an element, in bytes"));
    }
    let outside =
        || invalid(format!("{:?} with shape {shape}", strides.as_slice()), "within the array's elements");
    let mut last = 0i128;
    let mut steps = Dims::new();
    for (&len, &stride) in shape.iter().zip(strides) {
        let count = (len as i128 - 1).max(0);
        // What has neighbours before the first element ends outside.
        let step = if count == 0 { 0 } else { usize::try_from(stride / item).map_err(|_| outside())? };
        last += count * step as i128;
        steps.push(step);
    }
    if shape.size() > 0 && last >= size as i128 {
        return Err(outside());
    }
    Ok(steps)
}

fn compose_as_strided(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<AsStrided>());
    let shape = &params.shape;
    shape.checked_size(function, call.compute)?;
    let steps = steps(call, shape, &params.strides)?;
    let x = flat(call.array(0))?;
    // Without elements any view of none is as good as another.
    if shape.size() == 0 {
        let none = slice_axes(function, &x, smallvec![AxisSlice { start: 0, step: 1, len: 0 }])?;
        return Ok(smallvec![reshape(none, shape, ())?]);
    }
    // Axes whose elements lie at a distance, those made one that follow each other evenly.
    let mut runs: Dims<(usize, usize)> = Dims::new();
    for (&len, &step) in shape.iter().zip(&steps).filter(|(_, step)| **step > 0) {
        match runs.last_mut() {
            Some((count, before)) if *before == len * step => (*count, *before) = (*count * len, step),
            _ => runs.push((len, step)),
        }
    }
    let once: Shape = shape.iter().zip(&steps).map(|(&len, &step)| if step == 0 { 1 } else { len }).collect();
    let picked = match runs[..] {
        [] => slice_axes(function, &x, smallvec![AxisSlice { start: 0, step: 1, len: 1 }])?,
        [(len, step)] => {
            slice_axes(function, &x, smallvec![AxisSlice { start: 0, step: step as isize, len }])?
        }
        _ => primitive::run(function, &Op::Gather { axes: 1 }, &[&x, &offsets(&runs)?])?,
    };
    let picked = reshape(picked, &once, ())?;
    Ok(smallvec![if once == *shape { picked } else { broadcast_to(picked, shape)? }])
}

/// The sums of what stands along each axis: its own multiples.
fn offsets(runs: &[(usize, usize)]) -> Result<Array> {
    let along = |(a, &(len, step)): (usize, &(usize, usize))| {
        let (len, step) = (len as i64, step as i64);
        let numbers = arange((0, len * step, step), Arange::new().dtype(Dtype::INT64))?;
        let mut own = Dims::from_elem(1i64, runs.len());
        own[a] = len;
        reshape(numbers, Axes(own), ())
    };
    let mut all = runs.iter().enumerate().map(along);
    let first = all.next().expect("there are runs")?;
    all.try_fold(first, |sum, next| add(sum, next?))
}

/// Strided view: the array of a shape whose element at `(i, j, ...)` is the one that stands
/// `i strides[0] + j strides[1] + ...` bytes behind the first, where the elements of `x` lie in row-major order, as Ivy
/// has it: strides are in **bytes**, multiples of the size of an element, whatever the array's own memory looks like.
/// An element may stand at several places. The result is an array of its own.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2, 3, 4])?;
/// let windows = ivy::as_strided(&x, [3, 2], [4, 4])?;
/// assert_eq!(windows.to_vec::<i32>()?, [1, 2, 2, 3, 3, 4]);
/// assert_eq!(ivy::as_strided(&x, [2, 2], [0, 8])?.to_vec::<i32>()?, [1, 3, 1, 3]);
/// assert!(ivy::as_strided(&x, [3, 2], [8, 4]).is_err());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an element outside of the array, strides that are no
/// multiples of the size of an element, and a number of them other than that of the axes;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn as_strided<'a>(
    x: impl IntoOperand<'a>,
    shape: impl Into<Shape>,
    strides: impl Into<Axes>,
) -> Result<Array> {
    call_one(&AS_STRIDED, &[x.into_operand()], &AsStrided::new().shape(shape).strides(strides))
}
