//! Finite differences: gradients, consecutive differences, phase unwrapping.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::manipulation::slice_along;
use crate::functional::precision::{downcast, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{
    CumulativeSum, abs, add, ceil, cumulative_sum, divide, less, multiply, reshape, sign, subtract, where_,
};
use crate::{Dims, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;
use std::mem;

/// What each element along an axis is more than the one before it.
fn steps(function: &'static str, x: &Array, axis: usize) -> Result<Array> {
    let len = x.shape()[axis].saturating_sub(1);
    subtract(slice_along(function, x, axis, 1, 1, len)?, slice_along(function, x, axis, 0, 1, len)?)
}

params! {
    /// Keyword arguments of [`gradient`].
    pub struct Gradient {
        /// Of which order the slopes at the ends are: 1 by two samples, 2 by three.
        edge_order: i64 = 1,
        /// The axes along which slopes are taken; all if not given.
        axis: Option<Axes> = None,
        /// How far neighbours are from each other: a number, or an array of one for each axis; or the coordinates of the
        /// samples: an array of them along the axis, of a row of them for each of several axes, or of those of all axes one
        /// after the other, which may be of different lengths.
        operand spacing,
    }
}

describe! {
    GRADIENT = "gradient", Elementwise, Compositional, (x: Promoted, spacing: Promoted optional),
    PromoteFloat -> [Compute], Bound::Composed(8.0), params: Gradient::new(), example: [&[2], &[2]],
    Body::Compose(compose_gradient)
}

fn compose_gradient(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, x) = (call.function.name, call.params::<Gradient>(), &upcast(call.array(0))?);
    if !matches!(params.edge_order, 1 | 2) {
        let (value, rule) = (params.edge_order.to_string(), "1 or 2");
        return Err(ErrorKind::InvalidArgument { function, argument: "edge_order", value, rule }.into());
    }
    if x.ndim() == 0 {
        return Err(mismatch(function, "x", "at least one axis".into(), x.shape()));
    }
    let axes: Dims = match &params.axis {
        Some(axes) => shape::normalize_axes(function, &axes.0, x.ndim())?,
        None => reduced_axes(function, &None, x.ndim())?,
    };
    let spacing = call.arrays.get(1).and_then(Option::as_ref).map(upcast).transpose()?;
    let curved = params.edge_order == 2;
    for &axis in &axes {
        let length = x.shape()[axis];
        if length < 2 + usize::from(curved) {
            let least = if curved { "3" } else { "2" };
            let expected = format!("{least} samples or more along axis {axis}");
            return Err(mismatch(function, "x", expected, x.shape()));
        }
    }
    let lengths: Dims = axes.iter().map(|&axis| x.shape()[axis]).collect();
    let slopes = |(i, &axis): (usize, &usize)| {
        let own = spacing.as_ref().map(|spacing| own_spacing(function, spacing, i, &lengths)).transpose()?;
        let slope = match own {
            Some(places) if places.ndim() == 1 => uneven(function, x, &places, axis, curved)?,
            Some(distance) => divide(even(function, x, axis, curved)?, distance)?,
            None => even(function, x, axis, curved)?,
        };
        downcast(slope, call.compute)
    };
    axes.iter().enumerate().map(slopes).collect()
}

/// The distance or the coordinates of one of the axes of these lengths.
fn own_spacing(function: &'static str, spacing: &Array, i: usize, lengths: &[usize]) -> Result<Array> {
    let (axes, length) = (lengths.len(), lengths[i]);
    let row = || spacing.get(crate::s![i as i64]);
    let total = lengths.iter().sum::<usize>();
    match (&spacing.shape()[..], axes) {
        ([], _) => Ok(spacing.clone()),
        ([n], 1) if *n == length => Ok(spacing.clone()),
        ([n], _) if *n == axes => row(),
        ([n], _) if *n == total => slice_along(function, spacing, 0, lengths[..i].iter().sum(), 1, length),
        ([rows, n], _) if *rows == axes && *n == length => row(),
        _ => {
            let expected = match axes {
                1 => format!("() or ({length},)"),
                _ => format!("(), ({axes},), ({total},) or ({axes}, {length})"),
            };
            Err(mismatch(function, "spacing", expected, spacing.shape()))
        }
    }
}

/// Slopes of samples that are 1 from each other.
fn even(function: &'static str, x: &Array, axis: usize, curved: bool) -> Result<Array> {
    let n = x.shape()[axis];
    let at = |start: usize, len: usize| slice_along(function, x, axis, start, 1, len);
    let middle = multiply(subtract(at(2, n - 2)?, at(0, n - 2)?)?, 0.5)?;
    let (first, last) = (subtract(at(1, 1)?, at(0, 1)?)?, subtract(at(n - 1, 1)?, at(n - 2, 1)?)?);
    let (first, last) = match curved {
        false => (first, last),
        true => {
            let (second, before) = (subtract(at(2, 1)?, at(1, 1)?)?, subtract(at(n - 2, 1)?, at(n - 3, 1)?)?);
            let beyond = |end: &Array, next: &Array| subtract(multiply(end, 1.5)?, multiply(next, 0.5)?);
            (beyond(&first, &second)?, beyond(&last, &before)?)
        }
    };
    primitive::run(function, &Op::Concat { axis }, &[&first, &middle, &last])
}

/// Slopes of samples at places of their own: those of the lines between neighbours, weighted by the lengths of the
/// other lines.
fn uneven(function: &'static str, x: &Array, places: &Array, axis: usize, curved: bool) -> Result<Array> {
    let n = x.shape()[axis];
    let mut column: Dims = smallvec![1; x.ndim()];
    column[axis] = n - 1;
    let widths = reshape(steps(function, places, 0)?, Shape::from(column), ())?;
    let lines = divide(steps(function, x, axis)?, &widths)?;
    let line = |start: usize, len: usize| slice_along(function, &lines, axis, start, 1, len);
    let width = |start: usize, len: usize| slice_along(function, &widths, axis, start, 1, len);
    let (left, right) = (width(0, n - 2)?, width(1, n - 2)?);
    let weighted = add(multiply(line(0, n - 2)?, &right)?, multiply(line(1, n - 2)?, &left)?)?;
    let middle = divide(weighted, add(&left, &right)?)?;
    let (first, last) = (line(0, 1)?, line(n - 2, 1)?);
    let (first, last) = match curved {
        false => (first, last),
        true => {
            // The line at the end, and as much of what it changes as half of it has of both lines' lengths.
            let beyond = |end: &Array, next: Array, own: Array, other: Array| {
                let share = divide(&own, add(&own, other)?)?;
                add(end, multiply(subtract(end, next)?, share)?)
            };
            let first = beyond(&first, line(1, 1)?, width(0, 1)?, width(1, 1)?)?;
            (first, beyond(&last, line(n - 3, 1)?, width(n - 2, 1)?, width(n - 3, 1)?)?)
        }
    };
    primitive::run(function, &Op::Concat { axis }, &[&first, &middle, &last])
}

/// Finite-difference gradient: the slopes of samples, an array of the shape of `x` for each of the axes, in their
/// order: between the ends by both neighbours, `(x[i + 1] - x[i - 1]) / (2 h)`, and at uneven places
/// `(s[i - 1] * h[i] + s[i] * h[i - 1]) / (h[i - 1] + h[i])` of the lines' slopes `s` and lengths `h`, which are exact
/// for polynomials of degree 2. At the ends it is the slope of the last line, or with `edge_order` 2 that of the
/// polynomial of degree 2 through three samples.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Gradient;
/// let x = Array::try_from([1.0f32, 2.0, 4.0, 7.0])?;
/// assert_eq!(ivy::gradient(&x, ())?[0].to_vec::<f32>()?, [1.0, 1.5, 2.5, 3.0]);
/// let places = Array::try_from([0.0f32, 1.0, 3.0, 6.0])?;
/// assert_eq!(ivy::gradient(&x, Gradient::new().spacing(&places))?[0].to_vec::<f32>()?, [1.0; 4]);
/// let grid = Array::try_from([[1.0f32, 2.0], [4.0, 8.0]])?;
/// let each = ivy::gradient(&grid, Gradient::new().spacing(&Array::try_from([3.0f32, 2.0])?))?;
/// assert_eq!(each[0].to_vec::<f32>()?, [1.0, 2.0, 1.0, 2.0]);
/// let slope = Array::try_from([[0.0f32, 2.0, 6.0], [10.0, 12.0, 16.0]])?;
/// let coordinates = Array::try_from([0.0f32, 10.0, 0.0, 2.0, 6.0])?;
/// for along in ivy::gradient(&slope, Gradient::new().spacing(&coordinates))? {
///     assert_eq!(along.to_vec::<f32>()?, [1.0; 6]);
/// }
/// let curved = ivy::gradient(&x, Gradient::new().spacing(0.5).edge_order(2))?;
/// assert_eq!(curved[0].to_vec::<f32>()?, [1.0, 3.0, 5.0, 7.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for an axis with fewer than `edge_order + 1` samples, no axes, and
/// places that are not as many as the samples; [`InvalidArgument`](ErrorKind::InvalidArgument) for another
/// `edge_order`; [`AxisOutOfRange`](ErrorKind::AxisOutOfRange), [`RepeatedAxis`](ErrorKind::RepeatedAxis).
pub fn gradient<'a>(x: impl IntoOperand<'a>, params: impl Into<Gradient>) -> Result<Vec<Array>> {
    let mut params = params.into();
    let spacing = mem::replace(&mut params.spacing, Operand::Absent);
    Ok(call(&GRADIENT, &[x.into_operand(), spacing], &params)?.into_vec())
}

params! {
    /// Keyword arguments of [`ediff1d`].
    pub struct Ediff1d {
        /// What is put behind the differences.
        operand to_end,
        /// What is put before them.
        operand to_begin,
    }
}

describe! {
    EDIFF1D = "ediff1d", Utility, Compositional,
    (x: Promoted, to_end: Promoted optional, to_begin: Promoted optional), Promote -> [Compute],
    Bound::Composed(1.0), params: (), example: [&[2], &[2], &[2]], Body::Compose(compose_ediff1d)
}

fn compose_ediff1d(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let flat = |x: &Array| reshape(x, Shape::from([x.size()]), ());
    let given = |i: usize| call.arrays.get(i).and_then(Option::as_ref).map(flat).transpose();
    let (end, begin) = (given(1)?, given(2)?);
    let differences = steps(function, &flat(call.array(0))?, 0)?;
    let parts: Vec<&Array> = begin.iter().chain([&differences]).chain(&end).collect();
    Ok(smallvec![match parts.len() {
        1 => differences,
        _ => primitive::run(function, &Op::Concat { axis: 0 }, &parts)?,
    }])
}

/// Differences of consecutive elements: the differences of neighbours among all elements in row-major order,
/// `x[i + 1] - x[i]`, with what is given before and behind them, flattened as well. Integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Ediff1d;
/// let x = Array::try_from([[1i32, 2], [4, 7]])?;
/// assert_eq!(ivy::ediff1d(&x, ())?.to_vec::<i32>()?, [1, 2, 3]);
/// assert_eq!(ivy::ediff1d(&x, Ediff1d::new().to_begin(-9).to_end(&x))?.to_vec::<i32>()?, [-9, 1, 2, 3, 1, 2, 4, 7]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for bool, [`NoPromotion`](ErrorKind::NoPromotion).
pub fn ediff1d<'a>(x: impl IntoOperand<'a>, params: impl Into<Ediff1d>) -> Result<Array> {
    let params = params.into();
    call_one(&EDIFF1D, &[x.into_operand(), params.to_end, params.to_begin], &())
}

params! {
    /// Keyword arguments of [`unwrap`].
    pub struct Unwrap {
        /// Jumps below this size stay, also where they are larger than half the period, which it is if not given.
        discont: Option<f64> = None,
        /// The axis along which the elements follow each other.
        axis: i64 = -1,
        /// After which distance numbers stand for the same.
        period: f64 = std::f64::consts::TAU,
    }
}

describe! {
    UNWRAP = "unwrap", Statistical, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(8.0), params: Unwrap::new(), example: [&[2]], Body::Compose(compose_unwrap)
}

fn compose_unwrap(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, x) = (call.function.name, call.params::<Unwrap>(), upcast(call.array(0))?);
    let axis = shape::normalize_axis(function, params.axis, x.ndim())?;
    let period = params.period;
    if !(period.is_finite() && period > 0.0) {
        let (value, rule) = (period.to_string(), "a finite number above 0");
        return Err(ErrorKind::InvalidArgument { function, argument: "period", value, rule }.into());
    }
    if x.shape()[axis] < 2 {
        return Ok(smallvec![call.array(0).clone()]);
    }
    let jumps = steps(function, &x, axis)?;
    let sizes = abs(&jumps)?;
    // How many periods a jump is too large by: none of half a period, in either direction.
    let mut turns = multiply(ceil(subtract(divide(&sizes, period)?, 0.5)?)?, sign(&jumps)?)?;
    if let Some(least) = params.discont {
        turns = where_(less(sizes, least)?, 0, turns)?;
    }
    let turns = cumulative_sum(turns, CumulativeSum::new().axis(axis as i64).include_initial())?;
    Ok(smallvec![downcast(subtract(x, multiply(turns, period)?)?, call.compute)?])
}

/// Phase unwrapping: the elements along an axis with multiples of `period` added, so that no two neighbours differ by
/// more than half of it: the angles of a turn, without the jumps where they begin anew. Jumps smaller than `discont`
/// stay.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Unwrap;
/// let x = Array::try_from([0.0f32, 1.0, 2.0, -1.0, 0.0])?;
/// assert_eq!(ivy::unwrap(&x, Unwrap::new().period(4.0))?.to_vec::<f32>()?, [0.0, 1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a period that is not above 0,
/// [`AxisOutOfRange`](ErrorKind::AxisOutOfRange), [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers.
pub fn unwrap<'a>(x: impl IntoOperand<'a>, params: impl Into<Unwrap>) -> Result<Array> {
    call_one(&UNWRAP, &[x.into_operand()], &params.into())
}
