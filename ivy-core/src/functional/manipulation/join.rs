//! Concatenation, stacking and unstacking.

use super::{expand_dims, flat, reshape, slice_axes, whole};
use crate::array::{IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Array, Dims, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`concat()`].
    pub struct Concat {
        /// The axis to join along; `None` flattens the arrays first.
        axis: Option<i64> = Some(0),
    }
}

describe! {
    CONCAT = "concat", Manipulation, Mixed, (arrays: Promoted; variadic), Promote -> [Compute],
    Bound::Exact, params: Concat::new(), example: [&[2], &[2]], Body::Compose(compose_concat)
}

fn compose_concat(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let mut arrays: Dims<Array> = (0..call.arrays.len()).map(|i| call.array(i).clone()).collect();
    let axis = match call.params::<Concat>().axis {
        Some(axis) => shape::normalize_axis(function, axis, arrays[0].ndim())?,
        None => {
            arrays = arrays.iter().map(flat).collect::<Result<_>>()?;
            0
        }
    };
    Ok(smallvec![joined(function, &arrays, axis)?])
}

/// Arrays of one dtype joined along an axis.
pub(in crate::functional) fn joined(function: &'static str, arrays: &[Array], axis: usize) -> Result<Array> {
    let first = arrays[0].shape();
    let fits = |s: &Shape| s.len() == first.len() && (0..s.len()).all(|a| a == axis || s[a] == first[a]);
    if let Some(other) = arrays.iter().find(|x| !fits(x.shape())) {
        return Err(ErrorKind::ShapeMismatch {
            function,
            argument: "one of the arrays",
            expected: format!("{first} but for axis {axis}"),
            actual: other.shape().clone(),
        }
        .into());
    }
    let mut result = Dims::from_slice(first);
    result[axis] = arrays.iter().fold(0, |n: usize, x| n.saturating_add(x.shape()[axis]));
    Shape::from(result).checked_size(function, arrays[0].dtype())?;
    let arrays: Dims<&Array> = arrays.iter().collect();
    primitive::run(function, &Op::Concat { axis }, &arrays)
}

/// Concatenation: arrays joined along an axis, promoted to one dtype. Axis `None` flattens them first.
///
/// ```
/// use ivy::prelude::*;
/// let (a, b) = (Array::try_from([1i8, 2])?, Array::try_from([3i32])?);
/// assert_eq!(ivy::concat([&a, &b], ())?.to_vec::<i32>()?, [1, 2, 3]);
/// let c = Array::try_from([[4i32], [5]])?;
/// assert_eq!(ivy::concat([&a, &c], Concat::new().axis(None))?.to_vec::<i32>()?, [1, 2, 4, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if another axis differs,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`NoPromotion`](crate::ErrorKind::NoPromotion),
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), and
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no arrays.
pub fn concat<'a, T: IntoOperand<'a>>(
    arrays: impl IntoIterator<Item = T>,
    params: impl Into<Concat>,
) -> Result<Array> {
    let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
    call_one(&CONCAT, &operands, &params.into())
}

params! {
    /// Keyword arguments of [`stack`].
    pub struct Stack {
        /// Where the new axis stands in the result.
        axis: i64 = 0,
    }
}

describe! {
    STACK = "stack", Manipulation, Compositional, (arrays: Promoted; variadic), Promote -> [Compute],
    Bound::Exact, params: Stack::new(), example: [&[2], &[2]], Body::Compose(compose_stack)
}

fn compose_stack(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let first = call.array(0).shape();
    let axis = shape::normalize_axis(function, call.params::<Stack>().axis, first.len() + 1)? as i64;
    let row = |i: usize| {
        let x = call.array(i);
        if x.shape() != first {
            let (expected, actual) = (first.to_string(), x.shape().clone());
            return Err(ErrorKind::ShapeMismatch {
                function,
                argument: "one of the arrays",
                expected,
                actual,
            }
            .into());
        }
        expand_dims(x, axis)
    };
    let rows: Vec<Array> = (0..call.arrays.len()).map(row).collect::<Result<_>>()?;
    Ok(smallvec![concat(&rows, Concat::new().axis(axis))?])
}

/// Stack along a new axis: arrays of one shape joined along a new axis, promoted to one dtype.
///
/// ```
/// use ivy::prelude::*;
/// let (a, b) = (Array::try_from([1i32, 2])?, Array::try_from([3i32, 4])?);
/// assert_eq!(ivy::stack([&a, &b], ())?.shape().to_string(), "(2, 2)");
/// let columns = ivy::stack([&a, &b], Stack::new().axis(-1))?;
/// assert_eq!(columns.to_vec::<i32>()?, [1, 3, 2, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if the shapes differ,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), counted in the result's axes,
/// [`NoPromotion`](crate::ErrorKind::NoPromotion), and
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no arrays.
pub fn stack<'a, T: IntoOperand<'a>>(
    arrays: impl IntoIterator<Item = T>,
    params: impl Into<Stack>,
) -> Result<Array> {
    let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
    call_one(&STACK, &operands, &params.into())
}

params! {
    /// Keyword arguments of [`unstack`].
    pub struct Unstack {
        /// The axis to split along.
        axis: i64 = 0,
        /// Keep that axis, with length 1.
        flag keepdims,
    }
}

describe! {
    UNSTACK = "unstack", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Unstack::new(), example: [&[2, 2]], Body::Compose(compose_unstack)
}

fn compose_unstack(call: &Composition<'_>) -> Result<Outputs> {
    let (x, function) = (call.array(0), call.function.name);
    let &Unstack { axis, keepdims } = call.params::<Unstack>();
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    let mut left = Dims::from_slice(x.shape());
    if keepdims {
        left[axis] = 1;
    } else {
        left.remove(axis);
    }
    let left = Shape::from(left);
    let part = |start: usize| {
        let mut axes = whole(x.shape());
        (axes[axis].start, axes[axis].len) = (start, 1);
        reshape(slice_axes(function, x, axes)?, &left, ())
    };
    (0..x.shape()[axis]).map(part).collect()
}

/// Split into entries: the parts of an array along an axis, which they do not have any more; the inverse of [`stack`].
///
/// ```
/// use ivy::prelude::*;
/// let rows = ivy::unstack(&Array::try_from([[1i32, 2], [3, 4]])?, ())?;
/// assert_eq!(rows.len(), 2);
/// assert_eq!(rows[1].to_vec::<i32>()?, [3, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes.
pub fn unstack<'a>(x: impl IntoOperand<'a>, params: impl Into<Unstack>) -> Result<Vec<Array>> {
    Ok(call(&UNSTACK, &[x.into_operand()], &params.into())?.into_vec())
}
