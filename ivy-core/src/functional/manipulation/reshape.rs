//! Reshapes.

use super::{MemoryOrder, permute_dims};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs, Request};
use crate::{Array, Dims, ErrorKind, Op, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`reshape`].
    pub struct Reshape {
        /// The new shape; one length may be -1, which takes what is left.
        shape: Axes = Axes::from(-1),
        /// Whether a copy is made. Arrays are values, so nothing but memory tells the difference,
        /// and no value changes anything else.
        copy: Option<bool> = None,
        /// The order in which elements are read and placed; that of rows if not given.
        extended order: Option<MemoryOrder> = None,
        /// Whether a length of 0 is one, as without it; the operand's length of that axis otherwise.
        extended allowzero: Option<bool> = None,
    }
}

describe! {
    RESHAPE = "reshape", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Reshape::new(), example: [&[2, 2]], Body::Op(lower_reshape), extended: compose_reshape
}

fn lower_reshape(request: &Request<'_>) -> Result<Op> {
    let from = Shape::from(request.shape(0));
    let asked = &request.params::<Reshape>().shape.0;
    Ok(Op::Reshape { shape: new_shape(request.function.name, from, asked)? })
}

fn compose_reshape(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, params) = (call.function.name, call.array(0), call.params::<Reshape>());
    let mut asked = params.shape.0.clone();
    if params.allowzero == Some(false) {
        for (axis, length) in asked.iter_mut().enumerate().filter(|(_, length)| **length == 0) {
            *length = x.shape().get(axis).map_or(0, |&own| own as i64);
        }
    }
    let shape = new_shape(function, x.shape().clone(), &asked)?;
    if params.order != Some(MemoryOrder::F) {
        return Ok(smallvec![reshape(x, &shape, ())?]);
    }
    // By columns is by rows with all axes in the other order.
    let reversed = |x: &Array| permute_dims(x, (0..x.ndim() as i64).rev().collect::<Vec<_>>());
    let columns: Shape = shape.iter().rev().copied().collect();
    Ok(smallvec![reversed(&reshape(reversed(x)?, columns, ())?)?])
}

/// The shape that is asked for, with one length that is left.
fn new_shape(function: &'static str, from: Shape, asked: &[i64]) -> Result<Shape> {
    let invalid = |rule: &'static str| -> crate::Error {
        let value = format!("{asked:?}");
        ErrorKind::InvalidArgument { function, argument: "shape", value, rule }.into()
    };
    if asked.iter().any(|&d| d < -1) {
        return Err(invalid("lengths are 0 or more, or -1 once"));
    }
    let free = asked.iter().position(|&d| d == -1);
    if free.is_some_and(|f| asked[f + 1..].contains(&-1)) {
        return Err(invalid("only one length may be -1"));
    }
    let mut dims: Dims = asked.iter().map(|&d| usize::try_from(d).unwrap_or(1)).collect();
    if let Some(free) = free {
        match Shape::from(&dims[..]).size() {
            0 => return Err(invalid("-1 beside a length of 0 has no one answer")),
            others if from.size().is_multiple_of(others) => dims[free] = from.size() / others,
            _ => {
                let expected = format!("a size that {asked:?} divides");
                return Err(
                    ErrorKind::ShapeMismatch { function, argument: "x", expected, actual: from }.into()
                );
            }
        }
    }
    let shape = Shape::from(dims);
    if shape.size() != from.size() {
        let expected = format!("a shape of as many elements as {shape}");
        return Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual: from }.into());
    }
    Ok(shape)
}

/// Reshape: the elements in row-major order under another shape of the same size. One length may be -1.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::arange(6, ())?;
/// assert_eq!(ivy::reshape(&x, [2, -1], ())?.shape().to_string(), "(2, 3)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if the sizes differ,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length below -1, for two of -1,
/// and for -1 beside 0.
pub fn reshape<'a>(
    x: impl IntoOperand<'a>,
    shape: impl Into<Axes>,
    params: impl Into<Reshape>,
) -> Result<Array> {
    let params = Reshape { shape: shape.into(), ..params.into() };
    call_one(&RESHAPE, &[x.into_operand()], &params)
}

params! {
    /// The arguments of [`expand_dims`].
    pub struct ExpandDims {
        /// Where the new axes stand in the result.
        axis: Axes = Axes::from(0),
    }
}

describe! {
    EXPAND_DIMS = "expand_dims", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: ExpandDims::new(), example: [&[2]], Body::Op(lower_expand_dims)
}

fn lower_expand_dims(request: &Request<'_>) -> Result<Op> {
    let axes = &request.params::<ExpandDims>().axis.0;
    let ndim = request.shape(0).len() + axes.len();
    let new = shape::normalize_axes(request.function.name, axes, ndim)?;
    let mut old = request.shape(0).iter();
    let shape = (0..ndim).filter_map(|a| if new.contains(&a) { Some(1) } else { old.next().copied() });
    Ok(Op::Reshape { shape: shape.collect() })
}

/// New axes of length 1, at one or several positions of the result.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 3], ())?;
/// assert_eq!(ivy::expand_dims(&x, -1)?.shape().to_string(), "(2, 3, 1)");
/// assert_eq!(ivy::expand_dims(&x, [0, 2])?.shape().to_string(), "(1, 2, 1, 3)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), counted in the result's axes;
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn expand_dims<'a>(x: impl IntoOperand<'a>, axis: impl Into<Axes>) -> Result<Array> {
    call_one(&EXPAND_DIMS, &[x.into_operand()], &ExpandDims::new().axis(axis))
}

params! {
    /// The arguments of [`squeeze`].
    pub struct Squeeze {
        /// The axes to drop, each of length 1; all of that length if not given.
        axis: Option<Axes> = None,
    }
}

describe! {
    SQUEEZE = "squeeze", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Squeeze::new(), example: [&[1, 2]], Body::Op(lower_squeeze)
}

fn lower_squeeze(request: &Request<'_>) -> Result<Op> {
    let (function, from) = (request.function.name, request.shape(0));
    let axes = match &request.params::<Squeeze>().axis {
        Some(axes) => shape::normalize_axes(function, &axes.0, from.len())?,
        None => (0..from.len()).filter(|&a| from[a] == 1).collect(),
    };
    if let Some(axis) = axes.iter().find(|&&a| from[a] != 1) {
        let expected = format!("length 1 on axis {axis}");
        return Err(
            ErrorKind::ShapeMismatch { function, argument: "x", expected, actual: from.into() }.into()
        );
    }
    let kept = from.iter().enumerate().filter(|(a, _)| !axes.contains(a));
    Ok(Op::Reshape { shape: kept.map(|(_, &d)| d).collect() })
}

/// Removal of one or several axes of length 1.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([1, 3, 1], ())?;
/// assert_eq!(ivy::squeeze(&x, [0, -1])?.shape().to_string(), "(3,)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an axis of another length,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn squeeze<'a>(x: impl IntoOperand<'a>, axis: impl Into<Axes>) -> Result<Array> {
    call_one(&SQUEEZE, &[x.into_operand()], &Squeeze::new().axis(axis))
}
