//! Predicates of infinities and of real numbers, and rounding towards zero.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::unary;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{equal, full, imag, isinf};
use smallvec::smallvec;

elementwise_unary! {
    /// Rounding towards zero: the nearest integer towards zero, as [`trunc`](crate::functional::trunc); integers stay
    /// as they are.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// assert_eq!(ivy::fix(&Array::try_from([2.7f32, -2.7])?)?.to_vec::<f32>()?, [2.0, -2.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    fix = Trunc: Promote -> Compute, Bound::Exact;
}

describe! {
    ISPOSINF = "isposinf", Elementwise, Compositional, (x: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(|call| is_infinity(call, f64::INFINITY))
}

describe! {
    ISNEGINF = "isneginf", Elementwise, Compositional, (x: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(|call| is_infinity(call, f64::NEG_INFINITY))
}

fn is_infinity(call: &Composition<'_>, which: f64) -> Result<Outputs> {
    let x = call.array(0);
    Ok(smallvec![if call.compute.is_float() { equal(x, which)? } else { isinf(x)? }])
}

/// Test for positive infinity: true where an element is positive infinity.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([f32::INFINITY, f32::NEG_INFINITY, 1.0])?;
/// assert_eq!(ivy::isposinf(&x)?.to_vec::<bool>()?, [true, false, false]);
/// assert_eq!(ivy::isneginf(&x)?.to_vec::<bool>()?, [false, true, false]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers and bool.
pub fn isposinf<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ISPOSINF, x)
}

/// Test for negative infinity: true where an element is negative infinity.
///
/// # Errors
/// As [`isposinf`].
pub fn isneginf<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ISNEGINF, x)
}

describe! {
    ISREAL = "isreal", Elementwise, Compositional, (x: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2]], Body::Compose(compose_isreal)
}

fn compose_isreal(call: &Composition<'_>) -> Result<Outputs> {
    let x = call.array(0);
    Ok(smallvec![match call.compute.is_complex() {
        true => equal(imag(x)?, 0)?,
        false => full(x.shape().clone(), true, ())?,
    }])
}

/// Test for real numbers: true where the imaginary part is 0: everywhere in arrays of other dtypes than complex ones.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::isreal(&Array::try_from([1.0f32, f32::NAN])?)?.to_vec::<bool>()?, [true, true]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal.
pub fn isreal<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&ISREAL, x)
}
