//! Axis permutations.

use crate::array::IntoOperand;
use crate::call::{call_one, unary};
use crate::function::{Axes, Body, Bound, Request};
use crate::functional::conj;
use crate::{Array, Dims, ErrorKind, Op, Result, params, shape};
use smallvec::smallvec;

params! {
    /// The arguments of [`permute_dims`].
    pub struct PermuteDims {
        /// For each axis of the result, the operand's axis that it is.
        axes: Axes = Axes::from([1, 0]),
    }
}

describe! {
    PERMUTE_DIMS = "permute_dims", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: PermuteDims::new(), example: [&[2, 2]], Body::Op(lower_permute_dims)
}

fn lower_permute_dims(request: &Request<'_>) -> Result<Op> {
    let (function, ndim) = (request.function.name, request.shape(0).len());
    let given = &request.params::<PermuteDims>().axes.0;
    let axes = shape::normalize_axes(function, given, ndim)?;
    if axes.len() != ndim {
        return Err(ErrorKind::InvalidArgument {
            function,
            argument: "axes",
            value: format!("{:?} for {ndim} axes", given.as_slice()),
            rule: "every axis of the array is named once",
        }
        .into());
    }
    Ok(Op::PermuteDims { axes })
}

/// Axis permutation: the array with its axes in another order: axis `i` of the result is axis `axes[i]`.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 3, 4], ())?;
/// assert_eq!(ivy::permute_dims(&x, [2, 0, 1])?.shape().to_string(), "(4, 2, 3)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if not every axis is named,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn permute_dims<'a>(x: impl IntoOperand<'a>, axes: impl Into<Axes>) -> Result<Array> {
    call_one(&PERMUTE_DIMS, &[x.into_operand()], &PermuteDims::new().axes(axes))
}

params! {
    /// The arguments of [`moveaxis`].
    pub struct Moveaxis {
        /// The axes to move.
        source: Axes = Axes::from(0),
        /// Where each one stands in the result.
        destination: Axes = Axes::from(-1),
    }
}

describe! {
    MOVEAXIS = "moveaxis", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Moveaxis::new(), example: [&[2, 2]], Body::Op(lower_moveaxis)
}

fn lower_moveaxis(request: &Request<'_>) -> Result<Op> {
    let (function, ndim) = (request.function.name, request.shape(0).len());
    let params = request.params::<Moveaxis>();
    let source = shape::normalize_axes(function, &params.source.0, ndim)?;
    let destination = shape::normalize_axes(function, &params.destination.0, ndim)?;
    if source.len() != destination.len() {
        return Err(ErrorKind::InvalidArgument {
            function,
            argument: "destination",
            value: format!("{} axes for {} in source", destination.len(), source.len()),
            rule: "each moved axis has one destination",
        }
        .into());
    }
    let mut others = (0..ndim).filter(|a| !source.contains(a));
    let at = |i: usize| match destination.iter().position(|&d| d == i) {
        Some(moved) => Some(source[moved]),
        None => others.next(),
    };
    Ok(Op::PermuteDims { axes: (0..ndim).filter_map(at).collect() })
}

/// Moved axes: the array with one or several axes moved to other positions; the others keep their order.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 3, 4], ())?;
/// assert_eq!(ivy::moveaxis(&x, 0, -1)?.shape().to_string(), "(3, 4, 2)");
/// assert_eq!(ivy::moveaxis(&x, [0, 2], [2, 0])?.shape().to_string(), "(4, 3, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if there are not as many destinations as
/// sources, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn moveaxis<'a>(
    x: impl IntoOperand<'a>,
    source: impl Into<Axes>,
    destination: impl Into<Axes>,
) -> Result<Array> {
    let params = Moveaxis::new().source(source).destination(destination);
    call_one(&MOVEAXIS, &[x.into_operand()], &params)
}

params! {
    /// Keyword arguments of [`matrix_transpose_with`].
    pub struct MatrixTransposeParams {
        /// Whether elements become their complex conjugates, so that the result is the adjoint.
        extended flag conjugate,
    }
}

describe! {
    MATRIX_TRANSPOSE = "matrix_transpose", LinearAlgebra, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: MatrixTransposeParams::new(), example: [&[2, 2]], Body::Op(lower_matrix_transpose),
    extended: |call| Ok(smallvec![adjoint(call.array(0))?])
}

/// The adjoint of each matrix: transposed and conjugated.
pub(crate) fn adjoint(x: &Array) -> Result<Array> {
    let transposed = matrix_transpose(x)?;
    if x.dtype().is_complex() { conj(transposed) } else { Ok(transposed) }
}

fn lower_matrix_transpose(request: &Request<'_>) -> Result<Op> {
    let from = request.shape(0);
    let n = from.len();
    if n < 2 {
        let (function, argument) = (request.function.name, "x");
        let (expected, actual) = ("at least two axes".into(), from.into());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    let mut axes: Dims = (0..n).collect();
    axes.swap(n - 2, n - 1);
    Ok(Op::PermuteDims { axes })
}

/// Matrix transpose: the last two axes change places.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// assert_eq!(ivy::matrix_transpose(&x)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes.
pub fn matrix_transpose<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&MATRIX_TRANSPOSE, x)
}

/// [`matrix_transpose`] with keyword arguments.
///
/// # Errors
/// As [`matrix_transpose`].
pub fn matrix_transpose_with<'a>(
    x: impl IntoOperand<'a>,
    params: impl Into<MatrixTransposeParams>,
) -> Result<Array> {
    call_one(&MATRIX_TRANSPOSE, &[x.into_operand()], &params.into())
}

params! {
    /// The arguments of [`swapaxes`].
    pub struct Swapaxes {
        /// One of the axes.
        axis0: i64 = 0,
        /// The other one.
        axis1: i64 = 1,
    }
}

describe! {
    SWAPAXES = "swapaxes", Manipulation, Primary, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Swapaxes::new(), example: [&[2, 2]], Body::Op(lower_swapaxes)
}

fn lower_swapaxes(request: &Request<'_>) -> Result<Op> {
    let (function, ndim) = (request.function.name, request.shape(0).len());
    let params = request.params::<Swapaxes>();
    let (a, b) = (
        shape::normalize_axis(function, params.axis0, ndim)?,
        shape::normalize_axis(function, params.axis1, ndim)?,
    );
    let mut axes: Dims = (0..ndim).collect();
    axes.swap(a, b);
    Ok(Op::PermuteDims { axes })
}

/// Exchange of two axes; one axis with itself is the array as it is.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::zeros([2, 3, 4], ())?;
/// assert_eq!(ivy::swapaxes(&x, 0, -1)?.shape().to_string(), "(4, 3, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn swapaxes<'a>(x: impl IntoOperand<'a>, axis0: i64, axis1: i64) -> Result<Array> {
    call_one(&SWAPAXES, &[x.into_operand()], &Swapaxes { axis0, axis1 })
}
