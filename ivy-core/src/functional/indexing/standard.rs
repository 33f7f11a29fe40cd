//! Indexing functions: elements at positions, and index expressions under Ivy's names.

use crate::array::{Array, Index, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs, Request};
use crate::functional::{
    Filled, astype, clip, full, greater_equal, less, logical_or, remainder, reshape, where_,
};
use crate::{Dtype, ErrorKind, Op, Result, Scalar, Shape, params, primitive, shape};
use smallvec::smallvec;

/// Indexing: the elements that an index expression selects; see [`Array::get`].
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

/// Indexed assignment: the array with the elements that an index expression selects replaced by `value`; the operand
/// stays as it is. [`Array::set`] writes into an array that nobody else holds.
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

/// What becomes of an index that is beyond the elements of its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OutOfBounds {
    /// An error.
    #[default]
    Raise,
    /// It is taken modulo the length.
    Wrap,
    /// The nearest element, the first one for negative indices.
    Clip,
    /// The fill value in place of an element.
    Fill,
}

param_words! { OutOfBounds: "raise" => Raise, "wrap" => Wrap, "clip" => Clip, "fill" => Fill }

params! {
    /// Keyword arguments of [`take`].
    pub struct Take {
        /// The axis to take along; the flat array if not given.
        axis: Option<i64> = None,
        /// What becomes of indices that are out of bounds.
        mode: OutOfBounds = OutOfBounds::Raise,
        /// What stands for elements that are out of bounds: by default NaN, the least integer, or the greatest unsigned one.
        fill_value: Option<Scalar> = None,
    }
}

describe! {
    TAKE = "take", Indexing, Compositional, (x: Kept, indices: Index), LikeOperand -> [Compute],
    Bound::Exact, params: Take::new(), example: [&[2], &[2]], Body::Compose(compose_take)
}

fn compose_take(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, indices, params) =
        (call.function.name, call.array(0), call.array(1), call.params::<Take>());
    let flat;
    let (x, axis) = match params.axis {
        Some(axis) => (x, shape::normalize_axis(function, axis, x.ndim())?),
        None if x.ndim() == 1 => (x, 0),
        None => {
            flat = reshape(x, -1, ())?;
            (&flat, 0)
        }
    };
    let bounded = Bounded::new(indices, x.shape()[axis], params.mode)?;
    let row = match indices.ndim() {
        1 => bounded.indices.clone(),
        _ => reshape(&bounded.indices, -1, ())?,
    };
    let taken = primitive::run(function, &Op::Take { axis }, &[x, &row])?;
    let taken = match indices.ndim() {
        1 => taken,
        _ => {
            let (before, after) = (&x.shape()[..axis], &x.shape()[axis + 1..]);
            let shape: Shape = before.iter().chain(indices.shape().iter()).chain(after).copied().collect();
            reshape(taken, &shape, ())?
        }
    };
    if let Some(fill) = params.fill_value.filter(|fill| !fill.fits(x.dtype())) {
        let (argument, value, rule) =
            ("fill_value", fill.to_string(), "a number that the dtype of the array holds");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    bounded.filled(taken, params.fill_value, |outside| {
        let ones = std::iter::repeat_n(1, x.ndim() - 1 - axis);
        let shape: Shape = indices.shape().iter().copied().chain(ones).collect();
        reshape(outside, &shape, ())
    })
}

/// Indices that no element is asked beyond, and where they were out of bounds, if anything is put there.
struct Bounded {
    indices: Array,
    outside: Option<Array>,
}

impl Bounded {
    fn new(indices: &Array, len: usize, mode: OutOfBounds) -> Result<Bounded> {
        let len = len as i64;
        let as_int64 = || astype(indices, Dtype::INT64);
        Ok(match mode {
            // Nothing can be taken of nothing.
            _ if mode == OutOfBounds::Raise || len == 0 => {
                Bounded { indices: indices.clone(), outside: None }
            }
            OutOfBounds::Wrap => Bounded { indices: remainder(as_int64()?, len)?, outside: None },
            OutOfBounds::Clip => Bounded { indices: clip(as_int64()?, 0, len - 1)?, outside: None },
            _ => {
                let given = as_int64()?;
                let outside = logical_or(less(&given, -len)?, greater_equal(&given, len)?)?;
                Bounded { indices: where_(&outside, 0, &given)?, outside: Some(outside) }
            }
        })
    }

    /// The elements that were taken, with the fill value where `mask` makes the outside ones of them.
    fn filled(
        &self,
        taken: Array,
        fill: Option<Scalar>,
        mask: impl Fn(&Array) -> Result<Array>,
    ) -> Result<Outputs> {
        let Some(outside) = &self.outside else { return Ok(smallvec![taken]) };
        let dtype = taken.dtype();
        let fill = match fill {
            Some(fill) => fill,
            None if dtype.is_bool() => Scalar::Bool(true),
            None => match crate::iinfo(dtype) {
                Ok(info) if dtype.is_uint() => Scalar::Int(info.max),
                Ok(info) => Scalar::Int(info.min),
                Err(_) => Scalar::Float(f64::NAN),
            },
        };
        let fill = full((), fill, Filled::new().dtype(dtype))?;
        Ok(smallvec![where_(mask(outside)?, fill, taken)?])
    }
}

/// Gather by indices along an axis: the elements (or slices) at `indices` along an axis, whose place their axes take;
/// negative indices count from the end. Without an axis those of the flat array.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([10.0f32, 20.0, 30.0])?;
/// assert_eq!(ivy::take(&x, &Array::try_from([2i64, -3])?, ())?.to_vec::<f32>()?, [30.0, 10.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position, unless `mode` says otherwise;
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
        /// What becomes of indices that are out of bounds; an error if not given. What is filled has the default of [`take`].
        extended mode: Option<OutOfBounds> = None,
    }
}

describe! {
    TAKE_ALONG_AXIS = "take_along_axis", Indexing, Primary, (x: Kept, indices: Index), LikeOperand -> [Compute],
    Bound::Exact, params: TakeAlongAxis::new(), example: [&[2, 2], &[2, 2]], Body::Op(lower_take_along_axis),
    extended: |call| {
        let &TakeAlongAxis { axis, mode } = call.params::<TakeAlongAxis>();
        let (x, indices) = (call.array(0), call.array(1));
        let at = shape::normalize_axis(call.function.name, axis, x.ndim())?;
        let bounded = Bounded::new(indices, x.shape()[at], mode.unwrap_or_default())?;
        let taken = take_along_axis(x, &bounded.indices, TakeAlongAxis::new().axis(axis))?;
        bounded.filled(taken, None, |outside| Ok(outside.clone()))
    }
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

/// Gather along an axis: the elements at the positions that `indices` gives for each place of the other axes; what
/// [`argsort`](crate::functional::argsort) gives, this applies. Both arrays have the same number of axes, which
/// broadcast but for the one taken along; negative indices count from the end.
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
