//! Truncated division and its remainder.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::binary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    abs, add, astype, copysign, divide, equal, floor_divide, greater, less, logical_and, multiply, not_equal,
    remainder, subtract, trunc, where_,
};
use smallvec::smallvec;

describe! {
    FMOD = "fmod", Elementwise, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_fmod)
}

fn compose_fmod(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    if call.compute.is_float() {
        // Without a change of sign nothing is rounded. Of 0 the magnitude has no slope, and the rest is the operand.
        let divisor = abs(x2)?;
        let same = logical_and(equal(x1, 0)?, greater(&divisor, 0)?)?;
        let x = where_(&same, 1, x1)?;
        let rest = copysign(remainder(abs(&x)?, divisor)?, x)?;
        return Ok(smallvec![where_(same, x1, rest)?]);
    }
    let rest = remainder(x1, x2)?;
    if call.compute.is_uint() {
        return Ok(smallvec![rest]);
    }
    // The magnitude of the least integer is no number, so the quotient is moved instead.
    let signs_differ = not_equal(less(x1, 0)?, less(x2, 0)?)?;
    let moved = logical_and(signs_differ, not_equal(&rest, 0)?)?;
    Ok(smallvec![where_(moved, subtract(&rest, x2)?, &rest)?])
}

/// C remainder: remainder of the quotient rounded towards zero, with the sign of `x1`, as C's `fmod`: exact for all
/// finite floats. NaN of an infinite `x1` or a zero `x2`; integers by 0 give 0.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([7i32, -7, 7])?;
/// assert_eq!(ivy::fmod(&x, &Array::try_from([3i32, 3, 0])?)?.to_vec::<i32>()?, [1, -1, 0]);
/// assert_eq!(ivy::remainder(&x, &Array::try_from([3i32, 3, 0])?)?.to_vec::<i32>()?, [1, 2, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`remainder`].
pub fn fmod<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&FMOD, x1, x2)
}

describe! {
    TRUNC_DIVIDE = "trunc_divide", Elementwise, Compositional, (x1: Promoted, x2: Promoted),
    Promote -> [Compute], Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_trunc_divide)
}

fn compose_trunc_divide(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    if call.compute.is_float() {
        return Ok(smallvec![trunc(divide(x1, x2)?)?]);
    }
    let down = floor_divide(x1, x2)?;
    if call.compute.is_uint() {
        return Ok(smallvec![down]);
    }
    let rounded = logical_and(less(&down, 0)?, not_equal(multiply(&down, x2)?, x1)?)?;
    Ok(smallvec![add(&down, astype(rounded, call.compute)?)?])
}

/// Truncated division: quotient rounded towards zero. Integers stay integers; divided by 0 they give 0, and the least
/// one by -1 wraps. Of floats it is the rounded quotient that loses its fraction.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([7i32, -7, 7])?;
/// let y = Array::try_from([2i32, 2, 0])?;
/// assert_eq!(ivy::trunc_divide(&x, &y)?.to_vec::<i32>()?, [3, -3, 0]);
/// assert_eq!(ivy::trunc_divide(&Array::try_from([-7.5f32])?, 2)?.to_vec::<f32>()?, [-3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`floor_divide`].
pub fn trunc_divide<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&TRUNC_DIVIDE, x1, x2)
}
