//! Masked fills and scatters.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::zero;
use crate::functional::{
    CumulativeSum, Filled, astype, broadcast_to, cumulative_sum, full, reshape, subtract, where_,
};
use crate::promotion::check_scalar;
use crate::{AxisPad, Dtype, Op, Result, Scalar, Shape, primitive, shape};
use smallvec::smallvec;

describe! {
    MASKED_FILL = "masked_fill", Indexing, Compositional, (x: Kept, mask: Condition, value: Value),
    LikeOperand -> [Compute], Bound::Exact, params: (), example: [&[2], &[2], &[]], Body::Compose(compose_fill)
}

fn compose_fill(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, mask) = (call.function.name, call.array(0), call.array(1));
    let value = call.scalar(2).unwrap_or(Scalar::Int(0));
    check_scalar(function, value, call.compute)?;
    shape::broadcast(function, &[x.shape(), mask.shape()])?;
    let value = full([], value, Filled::new().dtype(call.compute))?;
    Ok(smallvec![where_(mask, value, x)?])
}

/// Masked fill: an array with a value where a mask is true. The two broadcast; the dtype is the array's.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::masked_fill(&x, &Array::try_from([true, false])?, 9)?.to_vec::<i32>()?, [9, 2, 9, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes);
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) and [`CastRefused`](crate::ErrorKind::CastRefused) for a
/// value that the dtype does not hold.
pub fn masked_fill<'a, 'b>(
    x: impl IntoOperand<'a>,
    mask: impl IntoOperand<'b>,
    value: impl Into<Scalar>,
) -> Result<Array> {
    let operands = [x.into_operand(), mask.into_operand(), Operand::Scalar(value.into())];
    call_one(&MASKED_FILL, &operands, &())
}

describe! {
    MASKED_SCATTER = "masked_scatter", Indexing, Mixed, (x: Promoted, mask: Condition, source: Promoted),
    Promote -> [Compute], Bound::Exact, params: (), example: [&[2], &[2], &[2]], Body::Compose(compose_scatter)
}

fn compose_scatter(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, mask, source) = (call.function.name, call.array(0), call.array(1), call.array(2));
    let shape = shape::broadcast(function, &[x.shape(), mask.shape()])?;
    let size = shape.checked_size(function, Dtype::INT64)?;
    let mask = broadcast_to(mask, &shape)?;
    let places = astype(reshape(&mask, Shape::from([size]), ())?, Dtype::INT64)?;
    let count = reshape(cumulative_sum(&places, CumulativeSum::new())?, &shape, ())?;
    let flat = reshape(source, Shape::from([source.size()]), ())?;
    // An empty source gets an element to look at where the mask is false; where it is true, the place after it is none.
    let (flat, which) = match source.size() {
        0 => {
            let axes = smallvec![AxisPad { before: 1, after: 0 }];
            let pad = Op::Pad { axes, value: zero(call.compute) };
            (primitive::run(function, &pad, &[&flat])?, count)
        }
        _ => (flat, subtract(count, 1)?),
    };
    let which = where_(&mask, which, 0)?;
    let taken = primitive::run(function, &Op::Gather { axes: 1 }, &[&flat, &which])?;
    Ok(smallvec![where_(&mask, taken, x)?])
}

/// Masked scatter: an array with the elements of `source`, one after the other in row-major order, where a mask is
/// true. Array and mask broadcast; the source has at least as many elements as are replaced, in any shape.
///
/// ```
/// use ivy::prelude::*;
/// let (x, mask) = (Array::try_from([0i32, 0, 0, 0])?, Array::try_from([false, true, false, true])?);
/// let source = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::masked_scatter(&x, &mask, &source)?.to_vec::<i32>()?, [0, 1, 0, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes);
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange) for a source with too few elements, at the first place that
/// has none.
pub fn masked_scatter<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    mask: impl IntoOperand<'b>,
    source: impl IntoOperand<'c>,
) -> Result<Array> {
    call_one(&MASKED_SCATTER, &[x.into_operand(), mask.into_operand(), source.into_operand()], &())
}
