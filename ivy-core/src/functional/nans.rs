//! Functions that leave NaN out, or put numbers in its place.

use super::statistical::{check_numeric_dtype, reduced_axes};
use super::{
    Sum, add, astype, equal, greater, imag, isfinite, isnan, less, logical_or, maximum, minimum, multiply,
    real, sum, where_,
};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::{binary, call_one};
use crate::dtype::finfo;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::{Result, Scalar, params};
use num_complex::Complex64;
use smallvec::smallvec;

describe! {
    FMAX = "fmax", Elementwise, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(|call| extreme(call, true))
}

describe! {
    FMIN = "fmin", Elementwise, Compositional, (x1: Promoted, x2: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2], &[2]], Body::Compose(|call| extreme(call, false))
}

fn extreme(call: &Composition<'_>, greatest: bool) -> Result<Outputs> {
    let (x1, x2) = (call.array(0), call.array(1));
    if call.compute.is_int() {
        return Ok(smallvec![if greatest { maximum(x1, x2)? } else { minimum(x1, x2)? }]);
    }
    let beyond = if greatest { greater(x2, x1)? } else { less(x2, x1)? };
    // What compares with NaN is false, so that the first one stays where the second is NaN.
    Ok(smallvec![where_(logical_or(isnan(x1)?, beyond)?, x2, x1)?])
}

/// The greater of two elements; of NaN and a number the number, and NaN only where both are. Of zeros of
/// different signs it is the first.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, f32::NAN])?;
/// let y = ivy::fmax(&x, &Array::try_from([2.0f32, 3.0, f32::NAN])?)?.to_vec::<f32>()?;
/// assert!(y[..2] == [2.0, 3.0] && y[2].is_nan());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`maximum`].
pub fn fmax<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&FMAX, x1, x2)
}

/// The lesser of two elements; of NaN and a number the number, and NaN only where both are. Of zeros of
/// different signs it is the first.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN])?;
/// assert_eq!(ivy::fmin(&x, 3.0)?.to_vec::<f32>()?, [1.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`minimum`].
pub fn fmin<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&FMIN, x1, x2)
}

params! {
    /// Keyword arguments of [`nan_to_num`].
    pub struct NanToNum {
        /// What stands for NaN.
        nan: Coefficient = Coefficient::Number(0.0),
        /// What stands for infinity; the greatest number of the dtype if not given.
        posinf: Option<Coefficient> = None,
        /// What stands for negative infinity; the least number of the dtype if not given.
        neginf: Option<Coefficient> = None,
    }
}

describe! {
    NAN_TO_NUM = "nan_to_num", Elementwise, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: NanToNum::new(), example: [&[2]], Body::Compose(compose_nan_to_num)
}

fn compose_nan_to_num(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<NanToNum>());
    Ok(smallvec![if call.compute.is_complex() {
        complex_numbers(x, params)?
    } else if call.compute.is_float() {
        numbers(x, params)?
    } else {
        x.clone()
    }])
}

fn numbers(x: &Array, params: &NanToNum) -> Result<Array> {
    let info = finfo(x.dtype())?;
    let above = match &params.posinf {
        Some(value) => where_(equal(x, f64::INFINITY)?, value.like(x)?, x)?,
        None => minimum(x, info.max)?,
    };
    let both = match &params.neginf {
        Some(value) => where_(equal(x, f64::NEG_INFINITY)?, value.like(x)?, above)?,
        // An infinity that was asked for in the other's place stays.
        None if params.posinf.is_some() => where_(equal(x, f64::NEG_INFINITY)?, info.min, above)?,
        None => maximum(above, info.min)?,
    };
    where_(isnan(x)?, params.nan.like(x)?, both)
}

/// The parts by themselves. A part that is replaced is put in as a whole complex number, since an infinity that was
/// asked for is none any more once it is multiplied.
fn complex_numbers(x: &Array, params: &NanToNum) -> Result<Array> {
    let (dtype, im) = (x.dtype(), imag(x)?);
    let info = finfo(dtype)?;
    let unit = |y: f64| Scalar::Complex(Complex64::new(0.0, y));
    let upright = |value: &Coefficient| -> Result<Operand<'static>> {
        Ok(match value.number() {
            Some(value) => Operand::Scalar(unit(value)),
            None => multiply(value.like(x)?, unit(1.0))?.into_operand(),
        })
    };
    let mut parts = multiply(astype(where_(isfinite(&im)?, &im, 0.0)?, dtype)?, unit(1.0))?;
    let (most, least) = (Coefficient::Number(info.max), Coefficient::Number(info.min));
    let places = [
        (isnan(&im)?, &params.nan),
        (equal(&im, f64::INFINITY)?, params.posinf.as_ref().unwrap_or(&most)),
        (equal(&im, f64::NEG_INFINITY)?, params.neginf.as_ref().unwrap_or(&least)),
    ];
    for (place, value) in places {
        parts = where_(place, upright(value)?, parts)?;
    }
    let replaced = add(astype(numbers(&real(x)?, params)?, dtype)?, parts)?;
    // Signs of zeros are lost in the sum: what is finite stays as it is.
    where_(isfinite(x)?, x, replaced)
}

/// Numbers in the place of NaN and of the infinities, by default 0 and the greatest and least of the dtype; of each
/// part of complex numbers. Integers and bool stay as they are.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::NanToNum;
/// let x = Array::try_from([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.5])?;
/// assert_eq!(ivy::nan_to_num(&x, ())?.to_vec::<f32>()?, [0.0, f32::MAX, f32::MIN, 1.5]);
/// let own = NanToNum::new().nan(-1.0).posinf(9.0);
/// assert_eq!(ivy::nan_to_num(&x, own)?.to_vec::<f32>()?, [-1.0, 9.0, f32::MIN, 1.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal.
pub fn nan_to_num<'a>(x: impl IntoOperand<'a>, params: impl Into<NanToNum>) -> Result<Array> {
    call_one(&NAN_TO_NUM, &[x.into_operand()], &params.into())
}

/// Keyword arguments of [`nansum`], the same as of [`sum`].
pub type NanSum = Sum;

describe! {
    NANSUM = "nansum", Statistical, Compositional, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: NanSum::new(), example: [&[2, 2]], Body::Compose(compose_nansum)
}

fn compose_nansum(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<NanSum>());
    check_numeric_dtype(call.function.name, call.compute)?;
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let params = Sum { dtype: Some(call.compute), ..params.clone() };
    Ok(smallvec![match call.compute.is_int() {
        true => sum(x, params)?,
        false => sum(where_(isnan(x)?, 0, x)?, params)?,
    }])
}

/// Sum over axes in which NaN counts as 0 (a complex number, where either part is); 0 of nothing. Dtypes are as for
/// [`sum`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, f32::NAN], [2.0, 3.0]])?;
/// assert_eq!(ivy::nansum(&x, Sum::new().axis(0))?.to_vec::<f32>()?, [3.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`sum`].
pub fn nansum<'a>(x: impl IntoOperand<'a>, params: impl Into<NanSum>) -> Result<Array> {
    call_one(&NANSUM, &[x.into_operand()], &params.into())
}
