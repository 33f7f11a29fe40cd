//! Closeness within tolerances, and equality of arrays.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    abs, add, all, astype, equal, full, isfinite, isnan, less_equal, logical_and, logical_or, maximum,
    minimum, multiply, subtract,
};
use crate::{Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`isclose`] and [`allclose`].
    pub struct IsClose {
        /// The difference that is allowed, relative to the magnitude of `b`.
        rtol: f64 = 1e-5,
        /// The difference that is allowed besides.
        atol: f64 = 1e-8,
        /// Whether NaN is close to NaN.
        flag equal_nan,
    }
}

/// Keyword arguments of [`allclose`], the same as of [`isclose`].
pub type AllClose = IsClose;

impl IsClose {
    fn check(&self, function: &'static str) -> Result<()> {
        for (argument, value) in [("rtol", self.rtol), ("atol", self.atol)] {
            if value.is_nan() || value < 0.0 {
                let (value, rule) = (value.to_string(), "a number of 0 or more");
                return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
            }
        }
        Ok(())
    }
}

describe! {
    ISCLOSE = "isclose", Elementwise, Compositional, (a: Promoted, b: Promoted), Promote -> [Bool],
    Bound::Exact, params: IsClose::new(), example: [&[2], &[2]], Body::Compose(compose_isclose)
}

describe! {
    ALLCLOSE = "allclose", Utility, Compositional, (a: Promoted, b: Promoted), Promote -> [Bool],
    Bound::Exact, params: AllClose::new(), example: [&[2], &[2]], Body::Compose(compose_allclose)
}

fn compose_isclose(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<IsClose>();
    params.check(call.function.name)?;
    Ok(smallvec![close(call.array(0), call.array(1), params)?])
}

fn compose_allclose(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<AllClose>();
    params.check(call.function.name)?;
    Ok(smallvec![all(close(call.array(0), call.array(1), params)?, ())?])
}

/// The elements of two arrays of one dtype that are close.
fn close(a: &Array, b: &Array, params: &IsClose) -> Result<Array> {
    let within = |distance: &Array, size: &Array| {
        less_equal(distance, add(multiply(size, params.rtol)?, params.atol)?)
    };
    let double = Dtype::FLOAT64;
    let dtype = a.dtype();
    if dtype.is_bool() || dtype.is_int() {
        let size = abs(astype(b, double)?)?;
        let distance = match dtype.bits() {
            // float64 does not hold the numbers, but the bits of their difference are those of its magnitude.
            64 => astype(astype(subtract(maximum(a, b)?, minimum(a, b)?)?, Dtype::UINT64)?, double)?,
            _ => abs(subtract(astype(a, double)?, astype(b, double)?)?)?,
        };
        return within(&distance, &size);
    }
    // The least tolerances are no numbers of float16.
    let narrow = dtype.bits() < 32;
    let wider = |x: &Array| if narrow { astype(x, Dtype::FLOAT32) } else { Ok(x.clone()) };
    let (a, b) = (&wider(a)?, &wider(b)?);
    let near = within(&abs(subtract(a, b)?)?, &abs(b)?)?;
    // Nothing but itself is close to an infinity.
    let found = logical_or(equal(a, b)?, logical_and(near, isfinite(b)?)?)?;
    match params.equal_nan {
        true => logical_or(found, logical_and(isnan(a)?, isnan(b)?)?),
        false => Ok(found),
    }
}

/// Element-wise closeness within tolerances: true where `|a - b| <= atol + rtol * |b|`, element by element; of complex
/// numbers, the magnitudes. Infinities are close to themselves only, NaN to nothing, or with `equal_nan` to NaN.
///
/// float16 and bfloat16 are compared in float32. The difference of integers, however large they are, is exact and
/// rounded once, to float64, in which the tolerance is computed; so with both tolerances 0 only equal ones are close.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::IsClose;
/// let x = Array::try_from([1.0f32, 1e10, f32::NAN, f32::INFINITY])?;
/// let y = Array::try_from([1.0f32 + 1e-6, 1.001e10, f32::NAN, f32::INFINITY])?;
/// assert_eq!(ivy::isclose(&x, &y, ())?.to_vec::<bool>()?, [true, false, false, true]);
/// let loose = IsClose::new().rtol(0.01).equal_nan();
/// assert_eq!(ivy::isclose(&x, &y, loose)?.to_vec::<bool>()?, [true; 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a tolerance below 0 or NaN; as for any function of two
/// operands.
pub fn isclose<'a, 'b>(
    a: impl IntoOperand<'a>,
    b: impl IntoOperand<'b>,
    params: impl Into<IsClose>,
) -> Result<Array> {
    call_one(&ISCLOSE, &[a.into_operand(), b.into_operand()], &params.into())
}

/// Closeness of whole arrays: whether all elements are close, as [`isclose`] has it; an array without axes, true of
/// nothing.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0.1f64, 0.2])?;
/// assert!(ivy::allclose(&x, ivy::divide(ivy::multiply(&x, 3.0), 3.0), ())?.item::<bool>()?);
/// assert!(!ivy::allclose(&x, 0.1, ())?.item::<bool>()?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`isclose`].
pub fn allclose<'a, 'b>(
    a: impl IntoOperand<'a>,
    b: impl IntoOperand<'b>,
    params: impl Into<AllClose>,
) -> Result<Array> {
    call_one(&ALLCLOSE, &[a.into_operand(), b.into_operand()], &params.into())
}

describe! {
    ARRAY_EQUAL = "array_equal", General, Compositional, (x0: Promoted, x1: Promoted), Promote -> [Bool],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(compose_array_equal)
}

fn compose_array_equal(call: &Composition<'_>) -> Result<Outputs> {
    let (x0, x1) = (call.array(0), call.array(1));
    Ok(smallvec![match x0.shape() == x1.shape() {
        true => all(equal(x0, x1)?, ())?,
        false => full(Shape::default(), false, ())?,
    }])
}

/// Equality of whole arrays: whether two arrays have one shape and equal elements, which are promoted to one dtype
/// before; an array without axes. NaN equals nothing, and nothing is broadcast.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2])?;
/// assert!(ivy::array_equal(&x, &Array::try_from([1.0f64, 2.0])?)?.item::<bool>()?);
/// assert!(!ivy::array_equal(&x, &Array::try_from([[1i32, 2]])?)?.item::<bool>()?);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](ErrorKind::NoPromotion) where the rules mix no such kinds.
pub fn array_equal<'a, 'b>(x0: impl IntoOperand<'a>, x1: impl IntoOperand<'b>) -> Result<Array> {
    call_one(&ARRAY_EQUAL, &[x0.into_operand(), x1.into_operand()], &())
}
