//! Polynomials at points, by Horner's rule.

use crate::array::{Array, IntoOperand};
use crate::call::binary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::manipulation::slice_axes;
use crate::functional::precision::{downcast, upcast};
use crate::functional::{add, broadcast_to, multiply, reshape, zeros};
use crate::{AxisSlice, Result, Shape};
use smallvec::smallvec;

/// The element at a place of an array with one axis, with `ndim` axes.
pub(super) fn element(function: &'static str, x: &Array, start: usize, ndim: usize) -> Result<Array> {
    let one = slice_axes(function, x, smallvec![AxisSlice { start, step: 1, len: 1 }])?;
    if ndim == 1 { Ok(one) } else { reshape(one, Shape::default(), ()) }
}

describe! {
    POLYVAL = "polyval", Creation, Compositional, (coeffs: Promoted, x: Promoted), Promote -> [Compute],
    Bound::Sum, params: (), example: [&[2], &[2]], Body::Compose(compose_polyval)
}

fn compose_polyval(call: &Composition<'_>) -> Result<Outputs> {
    let (function, coeffs, x) = (call.function.name, upcast(call.array(0))?, upcast(call.array(1))?);
    let [n] = coeffs.shape()[..] else {
        return Err(mismatch(function, "coeffs", "one axis".into(), coeffs.shape()));
    };
    let found = match n {
        0 => zeros(x.shape(), x.dtype())?,
        1 => broadcast_to(element(function, &coeffs, 0, 0)?, x.shape())?,
        _ => {
            let mut sum = element(function, &coeffs, 0, 0)?;
            for k in 1..n {
                sum = add(multiply(sum, &x)?, element(function, &coeffs, k, 0)?)?;
            }
            sum
        }
    };
    Ok(smallvec![downcast(found, call.compute)?])
}

/// Polynomial evaluation: the values of a polynomial at `x`, whose coefficients come from that of the highest power to
/// the constant: `coeffs[0] * x^(n - 1) + ... + coeffs[n - 1]`, by Horner's rule; 0 without coefficients. Integers
/// wrap.
///
/// ```
/// use ivy::prelude::*;
/// let coeffs = Array::try_from([3i32, 0, 1])?;
/// assert_eq!(ivy::polyval(&coeffs, &Array::try_from([5i32, -1])?)?.to_vec::<i32>()?, [76, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) unless `coeffs` has one axis,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn polyval<'a, 'b>(coeffs: impl IntoOperand<'a>, x: impl IntoOperand<'b>) -> Result<Array> {
    binary(&POLYVAL, coeffs, x)
}
