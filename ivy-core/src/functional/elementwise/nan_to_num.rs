//! NaN and infinities replaced by numbers.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::dtype::finfo;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::{
    add, astype, equal, imag, isfinite, isnan, maximum, minimum, multiply, real, where_,
};
use crate::{Result, Scalar, params};
use num_complex::Complex64;
use smallvec::smallvec;

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

/// Replacement of NaN and infinities: numbers in the place of NaN and of the infinities, by default 0 and the greatest
/// and least of the dtype; of each part of complex numbers. Integers and bool stay as they are.
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
