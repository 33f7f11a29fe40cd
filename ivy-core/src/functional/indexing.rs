//! Indexing functions: elements at positions, and index expressions under Ivy's names.

use crate::array::{Array, Index, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{ErrorKind, Op, Result, Shape, params, shape};

/// The elements that an index expression selects; see [`Array::get`].
///
/// ```
/// use ivy::prelude::*;
/// use ivy::s;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::get_item(&x, s![.., 0])?.to_vec::<i32>()?, [1, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`Array::get`].
pub fn get_item(x: &Array, query: impl AsRef<[Index]>) -> Result<Array> {
    x.get(query)
}

/// The array with the elements that an index expression selects replaced by `value`; the
/// operand stays as it is. [`Array::set`] writes into an array that nobody else holds.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::s;
/// let x = Array::try_from([1.0f32, f32::NAN])?;
/// let y = ivy::set_item(&x, s![ivy::isnan(&x)?], 0.0)?;
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`Array::set`].
pub fn set_item<'a>(x: &Array, query: impl AsRef<[Index]>, value: impl IntoOperand<'a>) -> Result<Array> {
    let mut result = x.clone();
    result.set(query, value)?;
    Ok(result)
}

params! {
    /// Keyword arguments of [`take`].
    pub struct Take {
        /// The axis to take along; required if the array has more than one.
        axis: Option<i64> = None,
    }
}

describe! {
    TAKE = "take", Indexing, Primary, (x: Kept, indices: Index), LikeOperand -> [Compute],
    Bound::Exact, params: Take::new(), example: [&[2], &[2]], Body::Op(lower_take)
}

fn lower_take(request: &Request<'_>) -> Result<Op> {
    let (function, ndim) = (request.function.name, request.shape(0).len());
    let indices = request.shape(1);
    if indices.len() != 1 {
        let (expected, actual) = ("one axis".into(), indices.into());
        return Err(ErrorKind::ShapeMismatch { function, argument: "indices", expected, actual }.into());
    }
    match request.params::<Take>().axis {
        Some(axis) => Ok(Op::Take { axis: shape::normalize_axis(function, axis, ndim)? }),
        None if ndim == 1 => Ok(Op::Take { axis: 0 }),
        None => {
            let (value, rule) =
                (format!("None for {ndim} axes"), "needed unless the array has exactly one axis");
            Err(ErrorKind::InvalidArgument { function, argument: "axis", value, rule }.into())
        }
    }
}

/// The elements (or slices) at `indices` along an axis; negative indices count from the end.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([10.0f32, 20.0, 30.0])?;
/// assert_eq!(ivy::take(&x, &Array::try_from([2i64, -3])?, ())?.to_vec::<f32>()?, [30.0, 10.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn take<'a, 'b>(
    x: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    params: impl Into<Take>,
) -> Result<Array> {
    call_one(&TAKE, &[x.into_operand(), indices.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`take_along_axis`].
    pub struct TakeAlongAxis {
        /// The axis to take along.
        axis: i64 = -1,
    }
}

describe! {
    TAKE_ALONG_AXIS = "take_along_axis", Indexing, Primary, (x: Kept, indices: Index), LikeOperand -> [Compute],
    Bound::Exact, params: TakeAlongAxis::new(), example: [&[2, 2], &[2, 2]], Body::Op(lower_take_along_axis)
}

fn lower_take_along_axis(request: &Request<'_>) -> Result<Op> {
    let (function, x, indices) = (request.function.name, request.shape(0), request.shape(1));
    let axis = shape::normalize_axis(function, request.params::<TakeAlongAxis>().axis, x.len())?;
    // But for the axis, the shapes broadcast.
    let fits = |a: usize| a == axis || x[a] == indices[a] || x[a] == 1 || indices[a] == 1;
    if indices.len() != x.len() || !(0..x.len()).all(fits) {
        let expected = format!("one that broadcasts with {} but for axis {axis}", Shape::from(x));
        let (argument, actual) = ("indices", indices.into());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    Ok(Op::TakeAlongAxis { axis })
}

/// Along an axis, the elements at the positions that `indices` gives for each place of the other
/// axes; what [`argsort`](crate::functional::argsort) gives, this applies. Both arrays have the same
/// number of axes, which broadcast but for the one taken along; negative indices count from the end.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[3i32, 1, 2], [5, 6, 4]])?;
/// let order = Array::try_from([[1i64, 2, 0], [2, 0, -2]])?;
/// assert_eq!(ivy::take_along_axis(&x, &order, ())?.to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch),
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for indices that are not integers.
pub fn take_along_axis<'a, 'b>(
    x: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    params: impl Into<TakeAlongAxis>,
) -> Result<Array> {
    call_one(&TAKE_ALONG_AXIS, &[x.into_operand(), indices.into_operand()], &params.into())
}
