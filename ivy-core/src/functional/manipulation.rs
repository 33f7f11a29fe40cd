//! Functions that move elements: joining, reshaping, indexing.

use crate::array::{IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Request};
use crate::{Array, ErrorKind, Op, Result, Shape, params, shape};

params! {
    /// Keyword arguments of [`concat`].
    pub struct Concat {
        /// The axis to join along; `None` flattens the arrays first.
        axis: Option<i64> = Some(0),
    }
}

describe! {
    CONCAT = "concat", Manipulation, Primary, (arrays: Promoted; variadic), Promote -> [Compute],
    Bound::Exact, params: Concat::new(), example: [&[2], &[2]], Body::Op(lower_concat)
}

fn lower_concat(request: &Request<'_>) -> Result<Op> {
    let function = request.function.name;
    let axis = shape::normalize_axis(
        function,
        request.params::<Concat>().axis.unwrap_or(0),
        request.shape(0).len(),
    )?;
    let first = request.shape(0);
    for i in 1..request.operands.len() {
        let shape = request.shape(i);
        let same = shape.len() == first.len() && (0..shape.len()).all(|a| a == axis || shape[a] == first[a]);
        if !same {
            return Err(ErrorKind::ShapeMismatch {
                function,
                argument: "arrays",
                expected: format!("{} but for axis {axis}", Shape::from(first)),
                actual: shape.into(),
            }
            .into());
        }
    }
    Ok(Op::Concat { axis })
}

/// Arrays joined along an axis, promoted to one dtype.
///
/// ```
/// use ivy::prelude::*;
/// let (a, b) = (Array::try_from([1i8, 2])?, Array::try_from([3i32])?);
/// assert_eq!(ivy::concat([&a, &b], ())?.to_vec::<i32>()?, [1, 2, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if another axis differs,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), and
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no arrays.
pub fn concat<'a, T: IntoOperand<'a>>(
    arrays: impl IntoIterator<Item = T>,
    params: impl Into<Concat>,
) -> Result<Array> {
    let params = params.into();
    let operands: Vec<Operand<'a>> = arrays.into_iter().map(T::into_operand).collect();
    call_one(&CONCAT, &operands, &params)
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
