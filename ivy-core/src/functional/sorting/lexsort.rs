//! Lexicographic sorts by several keys.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::{ArgSort, TakeAlongAxis, argsort, take_along_axis};
use crate::{Result, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`lexsort`].
    pub struct Lexsort {
        /// The axis to sort along.
        axis: i64 = -1,
    }
}

describe! {
    LEXSORT = "lexsort", Sorting, Compositional, (keys: Promoted; variadic), Promote -> [Index],
    Bound::Exact, params: Lexsort::new(), example: [&[2, 2], &[2, 2]], Body::Compose(compose_lexsort)
}

fn compose_lexsort(call: &Composition<'_>) -> Result<Outputs> {
    let (function, first) = (call.function.name, call.array(0));
    let axis = shape::normalize_axis(function, call.params::<Lexsort>().axis, first.ndim())? as i64;
    for i in 1..call.arrays.len() {
        if call.array(i).shape() != first.shape() {
            let expected = first.shape().to_string();
            return Err(mismatch(function, "one of the keys", expected, call.array(i).shape()));
        }
    }
    let along = || TakeAlongAxis::new().axis(axis);
    let mut order = argsort(first, ArgSort::new().axis(axis))?;
    // Sorting keeps the order of equal elements, so that the last key sorted by comes first.
    for i in 1..call.arrays.len() {
        let key = take_along_axis(call.array(i), &order, along())?;
        order = take_along_axis(&order, argsort(&key, ArgSort::new().axis(axis))?, along())?;
    }
    Ok(smallvec![order])
}

/// Lexicographic sort: the indices along an axis that sort by several keys of one shape; int64. The last key comes
/// first, where it is equal the one before it counts, and so on; where all are, elements keep their order. NaN comes
/// last. Keys of different dtypes are compared in the one that they promote to.
///
/// ```
/// use ivy::prelude::*;
/// let surnames = Array::try_from([2i32, 1, 2, 1])?;
/// let names = Array::try_from([7i32, 9, 3, 4])?;
/// assert_eq!(ivy::lexsort([&names, &surnames], ())?.to_vec::<i64>()?, [3, 1, 2, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no keys, [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for keys
/// of different shapes, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for keys without axes,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn lexsort<'a, T: IntoOperand<'a>>(
    keys: impl IntoIterator<Item = T>,
    params: impl Into<Lexsort>,
) -> Result<Array> {
    let operands: Vec<Operand<'a>> = keys.into_iter().map(T::into_operand).collect();
    call_one(&LEXSORT, &operands, &params.into())
}
