//! Associative scans.

use super::join::joined;
use super::slice_along;
use super::{reshape, stack};
use crate::array::Array;
use crate::{Dims, ErrorKind, Result, Shape, params, shape};

const FUNCTION: &str = "associative_scan";

params! {
    /// Keyword arguments of [`associative_scan`].
    pub struct AssociativeScan {
        /// From the end of the axis to its beginning.
        flag reverse,
        /// The axis.
        axis: i64 = 0,
    }
}

/// Associative scan: all prefixes along an axis, combined by an associative function: `x[0]`, `f(x[0], x[1])`,
/// `f(f(x[0], x[1]), x[2])` and so on. With `reverse` they begin at the end: `x[n-1]`, `f(x[n-1], x[n-2])` and so on,
/// each at the place of its last operand.
///
/// The function is called on blocks: two arrays of one shape, `a` and `b`, of which it combines each part of `a` along
/// the axis with the part of `b` at the same place, and gives an array of their shape and dtype. It is called at most
/// `2 log2 n` times. Since operands are grouped as trees, a function that is not associative, or only nearly so as
/// sums of floats are, gives what that grouping gives.
///
/// ```
/// use ivy::{AssociativeScan, prelude::*};
/// let x = Array::try_from([1i32, 2, 3, 4, 5])?;
/// let sums = ivy::associative_scan(&x, |a, b| ivy::add(a, b), ())?;
/// assert_eq!(sums.to_vec::<i32>()?, [1, 3, 6, 10, 15]);
/// let greatest = ivy::associative_scan(&x, |a, b| ivy::maximum(a, b), AssociativeScan::new().reverse())?;
/// assert_eq!(greatest.to_vec::<i32>()?, [5, 5, 5, 5, 5]);
/// // Matrices multiply, too.
/// let m = Array::try_from([[[1i64, 1], [1, 0]]])?;
/// let powers = ivy::associative_scan(&ivy::repeat(&m, 6, Repeat::new().axis(0))?, |a, b| ivy::matmul(a, b), ())?;
/// assert_eq!(powers.get([5.into()])?.to_vec::<i64>()?, [13, 8, 8, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// What the function gives; [`ShapeMismatch`](ErrorKind::ShapeMismatch) or [`DtypeMismatch`](ErrorKind::DtypeMismatch)
/// if its result has not the shape and dtype of its operands; [`AxisOutOfRange`](ErrorKind::AxisOutOfRange).
pub fn associative_scan(
    x: &Array,
    mut f: impl FnMut(&Array, &Array) -> Result<Array>,
    params: impl Into<AssociativeScan>,
) -> Result<Array> {
    let params = params.into();
    let axis = shape::normalize_axis(FUNCTION, params.axis, x.ndim())?;
    let reversed = |x: &Array| match x.shape()[axis] {
        len @ 2.. if params.reverse => slice_along(FUNCTION, x, axis, len - 1, -1, len),
        _ => Ok(x.clone()),
    };
    let mut checked = |a: &Array, b: &Array| {
        let result = f(a, b)?;
        let argument = "the function's result";
        if result.dtype() != a.dtype() {
            let (expected, actual) = (a.dtype(), result.dtype());
            return Err(ErrorKind::DtypeMismatch { function: FUNCTION, argument, expected, actual }.into());
        }
        if result.shape() != a.shape() {
            let (expected, actual) = (a.shape().to_string(), result.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function: FUNCTION, argument, expected, actual }.into());
        }
        Ok(result)
    };
    reversed(&scanned(&reversed(x)?, axis, &mut checked)?)
}

/// Every other part along the axis.
fn strided(x: &Array, axis: usize, start: usize, len: usize) -> Result<Array> {
    slice_along(FUNCTION, x, axis, start, 2, len)
}

/// Pairs are combined, the half as many that come out are scanned in the same way, and each of what stands between is
/// combined with what is before it. The depth is the logarithm of the length.
fn scanned(x: &Array, axis: usize, f: &mut dyn FnMut(&Array, &Array) -> Result<Array>) -> Result<Array> {
    let len = x.shape()[axis];
    if len < 2 {
        return Ok(x.clone());
    }
    let (pairs, between) = (len / 2, (len - 1) / 2);
    let combined = f(&strided(x, axis, 0, pairs)?, &strided(x, axis, 1, pairs)?)?;
    // The prefixes that end at odd places.
    let odd = scanned(&combined, axis, f)?;
    let first = slice_along(FUNCTION, x, axis, 0, 1, 1)?;
    let even = match between {
        0 => first,
        _ => {
            let before = slice_along(FUNCTION, &odd, axis, 0, 1, between)?;
            let later = f(&before, &strided(x, axis, 2, between)?)?;
            joined(FUNCTION, &[first, later], axis)?
        }
    };
    interleaved(&even, &odd, axis)
}

/// The parts of two arrays in turn; the first one may have one more.
fn interleaved(even: &Array, odd: &Array, axis: usize) -> Result<Array> {
    let (more, len) = (even.shape()[axis], odd.shape()[axis]);
    let same = slice_along(FUNCTION, even, axis, 0, 1, len)?;
    let mut shape = Dims::from_slice(odd.shape());
    shape[axis] *= 2;
    let pairs = stack([&same, odd], super::Stack::new().axis(axis as i64 + 1))?;
    let pairs = reshape(pairs, Shape::from(shape), ())?;
    match more > len {
        true => joined(FUNCTION, &[pairs, slice_along(FUNCTION, even, axis, len, 1, 1)?], axis),
        false => Ok(pairs),
    }
}
