//! Scatters along an axis.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::broadcast_to;
use crate::functional::{Arange, Reduction, arange, astype, reshape};
use crate::{Dims, Dtype, ErrorKind, Op, Result, ScatterOp, Shape, params, primitive, shape};
use smallvec::{SmallVec, smallvec};

params! {
    /// Arguments of [`put_along_axis`].
    pub struct PutAlongAxis {
        /// The axis that the indices are of.
        axis: i64 = -1,
        /// What becomes of a value and the element that it is put on, and of several values of one place.
        mode: Reduction = Reduction::Replace,
    }
}

describe! {
    PUT_ALONG_AXIS = "put_along_axis", Manipulation, Mixed,
    (arr: Promoted, indices: Index, values: Promoted), Promote -> [Compute],
    Bound::Sum, params: PutAlongAxis::new(), example: [&[2, 2], &[2, 1], &[2, 1]],
    Body::Compose(compose_put)
}

fn compose_put(call: &Composition<'_>) -> Result<Outputs> {
    let (function, compute) = (call.function.name, call.compute);
    let (x, indices, values) = (call.array(0), call.array(1), call.array(2));
    let &PutAlongAxis { axis, mode, .. } = call.params::<PutAlongAxis>();
    mode.check(function, compute)?;
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    let mismatch = |argument, expected: String, actual: &Array| -> crate::Error {
        let actual = actual.shape().clone();
        ErrorKind::ShapeMismatch { function, argument, expected, actual }.into()
    };
    let (own, given) = (x.shape(), indices.shape());
    let fits = |a: usize| a == axis || given[a] == own[a] || given[a] == 1;
    if given.len() != own.len() || !(0..own.len()).all(fits) {
        let expected = format!("one that broadcasts to {own} but for axis {axis}");
        return Err(mismatch("indices", expected, indices));
    }
    let mut places = Dims::from_slice(own);
    places[axis] = given[axis];
    let places = Shape::from(places);
    places.checked_size(function, Dtype::INT64)?;
    if shape::broadcast(function, &[values.shape(), &places]).ok().as_ref() != Some(&places) {
        return Err(mismatch("values", format!("one that broadcasts to {places}"), values));
    }
    // An array of numbers for each axis but the one that the indices are of.
    let numbers = |a: usize| {
        if a == axis {
            return broadcast_to(indices, &places);
        }
        let mut lengths = Dims::from_elem(1, own.len());
        lengths[a] = own[a];
        reshape(arange(own[a], Arange::new().dtype(Dtype::INT64))?, Shape::from(lengths), ())
    };
    let all = (0..own.len()).map(numbers).collect::<Result<SmallVec<[Array; 4]>>>()?;
    // Sums and products are rounded to 16 bits once (decision S18).
    let op = mode.op();
    let small = compute.is_float() && compute.bytes() == 2 && matches!(op, ScatterOp::Add | ScatterOp::Mul);
    let widened = |x: &Array| if small { astype(x, Dtype::FLOAT32) } else { Ok(x.clone()) };
    let (target, updates) = (widened(x)?, broadcast_to(widened(values)?, &places)?);
    let mut operands: SmallVec<[&Array; 6]> = smallvec![&target, &updates];
    operands.extend(&all);
    let result = primitive::run(function, &Op::Scatter { axes: own.len(), op }, &operands)?;
    Ok(smallvec![if small { astype(&result, compute)? } else { result }])
}

/// Scatter along an axis: an array with values put at indices along an axis: for each index `i` at a place of
/// `indices`, the element at that place of the other axes, and at `i` of this one, is combined with the value there.
/// The inverse of [`take_along_axis`](crate::functional::take_along_axis). Negative indices count from the end. Axes of
/// length 1 of `indices` stand for all of the array's, and `values` broadcast to the places.
///
/// By default the value replaces the element, and of several values of one place the last one stays; the other
/// [`Reduction`]s combine the element with all of them. The dtype is that which array and values promote to; sums and
/// products of float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::{PutAlongAxis, Reduction, prelude::*};
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// let (indices, values) = (Array::try_from([[0i64], [1]])?, Array::try_from([[10i32], [20]])?);
/// let put = ivy::put_along_axis(&x, &indices, &values, 1, ())?;
/// assert_eq!(put.to_vec::<i32>()?, [10, 2, 3, 20]);
/// let added = ivy::put_along_axis(&x, &indices, 5, 1, PutAlongAxis::new().mode(Reduction::Sum))?;
/// assert_eq!(added.to_vec::<i32>()?, [6, 2, 3, 9]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for indices or values that do not fit;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange); [`NoPromotion`](crate::ErrorKind::NoPromotion);
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for a reduction that the dtype does not have.
pub fn put_along_axis<'a, 'b, 'c>(
    arr: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    values: impl IntoOperand<'c>,
    axis: i64,
    params: impl Into<PutAlongAxis>,
) -> Result<Array> {
    let operands = [arr.into_operand(), indices.into_operand(), values.into_operand()];
    call_one(&PUT_ALONG_AXIS, &operands, &params.into().axis(axis))
}
