//! Bin indices of values.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::manipulation::slice_axes;
use crate::functional::{Flip, SearchSorted, Side, flip, greater, reshape, searchsorted, subtract, where_};
use crate::{AxisSlice, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`digitize`] and [`bucketize`].
    pub struct Digitize {
        /// For [`digitize`], whether a bin has its right edge instead of its left one; for [`bucketize`] the
        /// other way round.
        flag right,
    }
}

/// Keyword arguments of [`bucketize`], the same as of [`digitize`].
pub type Bucketize = Digitize;

describe! {
    DIGITIZE = "digitize", Searching, Compositional, (x: Promoted, bins: Promoted), Promote -> [Index],
    Bound::Exact, params: Digitize::new(), example: [&[2], &[2]], Body::Compose(compose_digitize)
}

fn compose_digitize(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, bins) = (call.function.name, call.array(0), call.array(1));
    let [n] = bins.shape()[..] else {
        return Err(mismatch(function, "bins", "one axis".into(), bins.shape()));
    };
    let side = if call.params::<Digitize>().right { Side::Left } else { Side::Right };
    let counted = |bins: &Array| searchsorted(bins, x, SearchSorted::new().side(side));
    if n < 2 {
        return Ok(smallvec![counted(bins)?]);
    }
    // Which way the bins go is decided by their ends, where they are: no element is read here.
    let edge = |start: usize| {
        let one = slice_axes(function, bins, smallvec![AxisSlice { start, step: 1, len: 1 }])?;
        reshape(one, Shape::default(), ())
    };
    let descends = greater(edge(0)?, edge(n - 1)?)?;
    let found = counted(&where_(&descends, flip(bins, Flip::new())?, bins)?)?;
    Ok(smallvec![where_(descends, subtract(n as i64, &found)?, &found)?])
}

/// Bin indices: the number of the bin that each element lies in; int64, in the shape of `x`. The edges `bins` ascend or
/// descend, which is not checked. For `i` from 1 to below their number, bin `i` is `bins[i - 1] <= x < bins[i]`, or of
/// descending edges `bins[i - 1] > x >= bins[i]`; with `right` it is `bins[i - 1] < x <= bins[i]`, or
/// `bins[i - 1] >= x > bins[i]`. Bin 0 is before all edges, and as many as there are edges stands for what is behind
/// them. NaN is above all numbers.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Digitize;
/// let x = Array::try_from([0.5f32, 1.0, 9.0])?;
/// let bins = Array::try_from([0.0f32, 1.0, 2.5])?;
/// assert_eq!(ivy::digitize(&x, &bins, ())?.to_vec::<i64>()?, [1, 2, 3]);
/// assert_eq!(ivy::digitize(&x, &bins, Digitize::new().right())?.to_vec::<i64>()?, [1, 1, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) unless `bins` has one axis,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool and complex numbers.
pub fn digitize<'a, 'b>(
    x: impl IntoOperand<'a>,
    bins: impl IntoOperand<'b>,
    params: impl Into<Digitize>,
) -> Result<Array> {
    call_one(&DIGITIZE, &[x.into_operand(), bins.into_operand()], &params.into())
}

describe! {
    BUCKETIZE = "bucketize", Searching, Compositional, (input: Promoted, boundaries: Promoted), Promote -> [Index],
    Bound::Exact, params: Bucketize::new(), example: [&[2], &[2]], Body::Compose(compose_bucketize)
}

fn compose_bucketize(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, bounds) = (call.function.name, call.array(0), call.array(1));
    if bounds.ndim() != 1 {
        return Err(mismatch(function, "boundaries", "one axis".into(), bounds.shape()));
    }
    let side = if call.params::<Bucketize>().right { Side::Right } else { Side::Left };
    Ok(smallvec![searchsorted(bounds, x, SearchSorted::new().side(side))?])
}

/// Bucket indices: the number of the bucket that each element lies in, between ascending boundaries; int64, in the
/// shape of `input`. Bucket `i` is `boundaries[i - 1] < x <= boundaries[i]`, with `right` it is
/// `boundaries[i - 1] <= x < boundaries[i]`: `right` means the opposite of that of [`digitize`]. NaN is above all
/// numbers.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Bucketize;
/// let x = Array::try_from([3i32, 6, 9])?;
/// let boundaries = Array::try_from([1i32, 3, 5, 7, 9])?;
/// assert_eq!(ivy::bucketize(&x, &boundaries, ())?.to_vec::<i64>()?, [1, 3, 4]);
/// assert_eq!(ivy::bucketize(&x, &boundaries, Bucketize::new().right())?.to_vec::<i64>()?, [2, 3, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) unless `boundaries` has one axis,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool and complex numbers.
pub fn bucketize<'a, 'b>(
    input: impl IntoOperand<'a>,
    boundaries: impl IntoOperand<'b>,
    params: impl Into<Bucketize>,
) -> Result<Array> {
    call_one(&BUCKETIZE, &[input.into_operand(), boundaries.into_operand()], &params.into())
}
