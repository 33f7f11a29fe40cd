//! Maximum and minimum over axes, with and without NaN.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Mask, Outputs, Request};
use crate::functional::elementwise::keywords::check_number;
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{
    Reduce, all, any, fmax, fmin, full, isnan, logical_and, logical_or, maximum, minimum, where_,
};
use crate::{ErrorKind, Op, ReduceOp, Result, Scalar, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`max`], [`min`](crate::functional::min), [`nanmax`] and [`nanmin`].
    pub struct Max {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
        /// One more element of each line, and what comes out of lines without elements.
        extended initial: Option<Scalar> = None,
        /// Which elements are compared: true where they are; broadcast to the operand. It needs `initial`, since nothing
        /// has no extreme.
        extended r#where: Option<Mask> = None,
    }
}

/// Keyword arguments of [`min`], the same as of [`max`].
pub type Min = Max;

/// Refuses to reduce nothing where there is no identity (decision S36).
pub(in crate::functional) fn check_not_empty(
    function: &'static str,
    shape: &[usize],
    axes: &[usize],
) -> Result<()> {
    if axes.iter().any(|&a| shape[a] == 0) {
        return Err(ErrorKind::EmptyReduction { function, shape: shape.into() }.into());
    }
    Ok(())
}

fn lower_extreme(request: &Request<'_>, op: ReduceOp) -> Result<Op> {
    let (params, shape) = (request.params::<Max>(), request.shape(0));
    let axes = reduced_axes(request.function.name, &params.axis, shape.len())?;
    check_not_empty(request.function.name, shape, &axes)?;
    Ok(Op::Reduce { op, axes, keepdims: params.keepdims })
}

/// Refuses a mask without an initial value, and an initial value that the operand's dtype does not hold.
fn checked_initial(call: &Composition<'_>, params: &Max) -> Result<Option<Scalar>> {
    match params.initial {
        Some(initial) => check_number(call, "initial", initial).map(|()| Some(initial)),
        None if params.r#where.is_some() => Err(ErrorKind::InvalidArgument {
            function: call.function.name,
            argument: "initial",
            value: "none".into(),
            rule: "needed with `where`: of a line in which nothing is compared there is no extreme",
        }
        .into()),
        None => Ok(None),
    }
}

/// An extreme of the elements that a mask keeps and of an initial value. `reduce` gives that of all elements, and `pair`
/// that of two.
fn with_initial(
    call: &Composition<'_>,
    initial: Scalar,
    reduce: impl FnOnce(&Array, Max) -> Result<Array>,
    pair: impl FnOnce(Array, Scalar) -> Result<Array>,
) -> Result<Array> {
    let (x, params) = (call.array(0), call.params::<Max>());
    let axes = reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let plain = Reduce { axis: params.axis.clone(), keepdims: params.keepdims };
    if axes.iter().any(|&axis| x.shape()[axis] == 0) {
        let lines = any(x, plain)?;
        return full(lines.shape(), initial, x.dtype());
    }
    let kept = match &params.r#where {
        Some(mask) => where_(mask.of(call.function.name, "where", x)?, x, initial)?,
        None => x.clone(),
    };
    pair(reduce(&kept, plain.into())?, initial)
}

/// The greater of each element and a number; of truth values whether either holds.
fn greater_of(x: Array, number: Scalar) -> Result<Array> {
    if x.dtype().is_bool() { logical_or(x, number) } else { maximum(x, number) }
}

/// The lesser of each element and a number; of truth values whether both hold.
fn lesser_of(x: Array, number: Scalar) -> Result<Array> {
    if x.dtype().is_bool() { logical_and(x, number) } else { minimum(x, number) }
}

fn bounded_extreme(call: &Composition<'_>, greatest: bool) -> Result<Outputs> {
    let found = match (checked_initial(call, call.params::<Max>())?, greatest) {
        (None, true) => max(call.array(0), call.params::<Max>().clone())?,
        (None, false) => min(call.array(0), call.params::<Max>().clone())?,
        (Some(initial), true) => with_initial(call, initial, |x, p| max(x, p), greater_of)?,
        (Some(initial), false) => with_initial(call, initial, |x, p| min(x, p), lesser_of)?,
    };
    Ok(smallvec![found])
}

describe! {
    MAX = "max", Statistical, Primary, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Max::new(), example: [&[2, 2]], Body::Op(|request| lower_extreme(request, ReduceOp::Max)),
    extended: |call| bounded_extreme(call, true)
}

/// Maximum over axes; NaN if there is one; true if any bool is.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, 5.0], [f32::NAN, 2.0]])?;
/// let rows = ivy::max(&x, Max::new().axis(1))?.to_vec::<f32>()?;
/// assert_eq!(rows[0], 5.0);
/// assert!(rows[1].is_nan());
/// let mask = Array::try_from([true, false])?;
/// let kept = Max::new().axis(1).initial(-1.0).r#where(&mask);
/// assert_eq!(ivy::max(&x, kept)?.to_vec::<f32>()?[0], 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) over no elements without `initial`,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for `where` without `initial` and for an initial value of a
/// higher kind than the operand or beyond its dtype, [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes).
pub fn max<'a>(x: impl IntoOperand<'a>, params: impl Into<Max>) -> Result<Array> {
    call_one(&MAX, &[x.into_operand()], &params.into())
}

describe! {
    MIN = "min", Statistical, Primary, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Min::new(), example: [&[2, 2]], Body::Op(|request| lower_extreme(request, ReduceOp::Min)),
    extended: |call| bounded_extreme(call, false)
}

/// Minimum over axes; NaN if there is one; true if every bool is.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 5], [7, 2]])?;
/// assert_eq!(ivy::min(&x, Min::new().axis(0))?.to_vec::<i32>()?, [1, 2]);
/// assert_eq!(ivy::min(&x, Min::new().initial(0))?.item::<i32>()?, 0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`max`].
pub fn min<'a>(x: impl IntoOperand<'a>, params: impl Into<Min>) -> Result<Array> {
    call_one(&MIN, &[x.into_operand()], &params.into())
}

describe! {
    NANMAX = "nanmax", Statistical, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Max::new(), example: [&[2, 2]], Body::Compose(|call| nan_extreme(call, true))
}

describe! {
    NANMIN = "nanmin", Statistical, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Min::new(), example: [&[2, 2]], Body::Compose(|call| nan_extreme(call, false))
}

fn nan_extreme(call: &Composition<'_>, greatest: bool) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Max>());
    let of = |x: &Array, p: Max| known_extreme(function, x, &p, greatest);
    let found = match (checked_initial(call, params)?, greatest) {
        (None, _) => of(call.array(0), params.clone())?,
        (Some(initial), true) => with_initial(call, initial, of, fmax_of)?,
        (Some(initial), false) => with_initial(call, initial, of, fmin_of)?,
    };
    Ok(smallvec![found])
}

/// The greater of each element and a number; of NaN the number.
fn fmax_of(x: Array, number: Scalar) -> Result<Array> {
    if x.dtype().is_float() { fmax(x, number) } else { greater_of(x, number) }
}

/// The lesser of each element and a number; of NaN the number.
fn fmin_of(x: Array, number: Scalar) -> Result<Array> {
    if x.dtype().is_float() { fmin(x, number) } else { lesser_of(x, number) }
}

/// The extreme of the elements that are not NaN; NaN where all are.
fn known_extreme(function: &'static str, x: &Array, params: &Max, greatest: bool) -> Result<Array> {
    let axes = reduced_axes(function, &params.axis, x.ndim())?;
    check_not_empty(function, x.shape(), &axes)?;
    let of = |x: &Array| if greatest { max(x, params.clone()) } else { min(x, params.clone()) };
    if !x.dtype().is_float() {
        return of(x);
    }
    let (missing, last) = (isnan(x)?, if greatest { f64::NEG_INFINITY } else { f64::INFINITY });
    let found = of(&where_(&missing, last, x)?)?;
    let lines = Reduce { axis: params.axis.clone(), keepdims: params.keepdims };
    where_(all(missing, lines)?, f64::NAN, found)
}

/// Maximum over axes of the elements that are not NaN; NaN where all are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, f32::NAN], [2.0, 3.0]])?;
/// assert_eq!(ivy::nanmax(&x, Max::new().axis(0))?.to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`max`].
pub fn nanmax<'a>(x: impl IntoOperand<'a>, params: impl Into<Max>) -> Result<Array> {
    call_one(&NANMAX, &[x.into_operand()], &params.into())
}

/// Minimum over axes of the elements that are not NaN; NaN where all are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, 2.0])?;
/// assert_eq!(ivy::nanmin(&x, ())?.item::<f32>()?, 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`min`].
pub fn nanmin<'a>(x: impl IntoOperand<'a>, params: impl Into<Min>) -> Result<Array> {
    call_one(&NANMIN, &[x.into_operand()], &params.into())
}
