//! Broadcasting.

use crate::array::{IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Axes, Body, Bound, Composition, Outputs, Request};
use crate::{Array, Dims, ErrorKind, Op, Result, Shape, params, shape};
use smallvec::smallvec;

/// Broadcast of shapes: aligned at the last axis, lengths of 1 give way. No shapes give that of a zero-dimensional
/// array.
///
/// ```
/// let shape = ivy::broadcast_shapes(&[[2, 1].into(), [3].into()])?;
/// assert_eq!(shape.to_string(), "(2, 3)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes).
pub fn broadcast_shapes(shapes: &[Shape]) -> Result<Shape> {
    shape::broadcast("broadcast_shapes", shapes)
}

params! {
    /// The arguments of [`broadcast_to`].
    pub struct BroadcastTo {
        /// The shape to broadcast to.
        shape: Shape = Shape::from([2, 2]),
    }
}

describe! {
    BROADCAST_TO = "broadcast_to", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: BroadcastTo::new(), example: [&[2]], Body::Op(lower_broadcast_to)
}

fn lower_broadcast_to(request: &Request<'_>) -> Result<Op> {
    let (function, from) = (request.function.name, Shape::from(request.shape(0)));
    let shape = request.params::<BroadcastTo>().shape.clone();
    match shape::broadcast(function, &[&from, &shape]) {
        Ok(common) if common == shape => {
            shape.checked_size(function, request.compute)?;
            Ok(Op::BroadcastTo { shape })
        }
        _ => Err(ErrorKind::BroadcastShapes { function, shapes: vec![from, shape] }.into()),
    }
}

/// Broadcast to a shape: the array's axes of length 1 and new leading axes repeat.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2])?;
/// assert_eq!(ivy::broadcast_to(&x, [2, 2])?.to_vec::<i32>()?, [1, 2, 1, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) if the array's shape does not broadcast
/// to just this one, [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn broadcast_to<'a>(x: impl IntoOperand<'a>, shape: impl Into<Shape>) -> Result<Array> {
    call_one(&BROADCAST_TO, &[x.into_operand()], &BroadcastTo::new().shape(shape))
}

describe! {
    BROADCAST_ARRAYS = "broadcast_arrays", Manipulation, Compositional, (arrays: Kept; variadic),
    LikeOperand -> [Compute], Bound::Exact, params: (), example: [&[2, 1], &[2]],
    Body::Compose(compose_broadcast_arrays)
}

fn compose_broadcast_arrays(call: &Composition<'_>) -> Result<Outputs> {
    let n = call.arrays.len();
    let shapes: Vec<&Shape> = (0..n).map(|i| call.array(i).shape()).collect();
    let shape = shape::broadcast(call.function.name, &shapes)?;
    (0..n).map(|i| broadcast_to(call.array(i), &shape)).collect()
}

/// Broadcast of arrays to one shape; each keeps its dtype. No arrays give none.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (ivy::zeros([2, 1], ())?, ivy::ones(3, Dtype::INT8)?);
/// let both = ivy::broadcast_arrays([&x, &y])?;
/// assert_eq!(both[1].shape().to_string(), "(2, 3)");
/// assert_eq!(both[1].dtype(), Dtype::INT8);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes),
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn broadcast_arrays<'a, T: IntoOperand<'a>>(arrays: impl IntoIterator<Item = T>) -> Result<Vec<Array>> {
    let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
    if operands.is_empty() {
        return Ok(Vec::new());
    }
    Ok(call(&BROADCAST_ARRAYS, &operands, &())?.into_vec())
}

params! {
    /// The arguments of [`expand`].
    pub struct Expand {
        /// The shape; a length of -1 is the array's own.
        shape: Axes = Axes::from([2, -1]),
    }
}

describe! {
    EXPAND = "expand", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Expand::new(), example: [&[1, 2]], Body::Compose(compose_expand)
}

fn compose_expand(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function, asked) = (call.array(0), call.function.name, &call.params::<Expand>().shape.0);
    let more = asked.len().checked_sub(x.ndim());
    let length = |(a, &d): (usize, &i64)| match (d, more) {
        (-1, Some(more)) => a.checked_sub(more).map(|a| x.shape()[a]),
        _ => usize::try_from(d).ok(),
    };
    let Some(shape) = asked.iter().enumerate().map(length).collect::<Option<Dims>>() else {
        let (argument, value) = ("shape", format!("{:?} for {}", asked.as_slice(), x.shape()));
        let rule = "lengths are 0 or more, or -1 for an axis that the array has";
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    };
    Ok(smallvec![broadcast_to(x, Shape::from(shape))?])
}

/// Broadcast to a shape, as [`broadcast_to`](super::broadcast_to) does it, where a length of -1 is the array's own.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32], [2]])?;
/// assert_eq!(ivy::expand(&x, [-1, 3])?.to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another negative length, or -1 of an axis that the array
/// does not have; else as [`broadcast_to`](super::broadcast_to).
pub fn expand<'a>(x: impl IntoOperand<'a>, shape: impl Into<Axes>) -> Result<Array> {
    call_one(&EXPAND, &[x.into_operand()], &Expand::new().shape(shape))
}
