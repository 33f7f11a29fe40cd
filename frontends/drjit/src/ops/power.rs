//! Powers.

use super::{Domain, array, cast_all, plain, promote};
use crate::array::{AnyArray, Arg, IntoArg};
use crate::types::Kind;
use crate::{Error, Result};
use ivy_core::Scalar;
use ivy_core::functional as f;

/// `x` to the power of `y`. A whole host number is a product of squares, of any number (its inverse, if negative); else floats are
/// needed, and complex numbers and quaternions are `exp(log(x) y)`.
///
/// # Errors
/// [`Error::NotSupported`] for a base of integers with anything but a whole number from 0 on.
pub fn power(x: impl IntoArg, y: impl IntoArg) -> Result<AnyArray> {
    let (x, y) = (array("power", x.into_arg())?, y.into_arg());
    Domain::Numbers.check("power", x.ty())?;
    if let Arg::Scalar(exponent) = y
        && let Some(exponent) = whole(exponent)
    {
        return by_squares(&x, exponent);
    }
    if !x.ty().is_float_v() {
        return Err(Error::NotSupported { function: "power", ty: x.ty() });
    }
    let args = vec![Arg::Array(x), y];
    let ty = promote("power", &args)?;
    let args = cast_all(ty, args)?;
    match ty.kind() {
        Kind::Complex | Kind::Quaternion => crate::exp(crate::multiply(crate::log(&args[0])?, &args[1])?),
        Kind::Matrix => Err(Error::NotSupported { function: "power", ty }),
        _ => plain("power", ty, |x| f::pow(&x[0], &x[1]), &[&args[0], &args[1]]),
    }
}

fn whole(exponent: Scalar) -> Option<i64> {
    match exponent {
        Scalar::Bool(b) => Some(b.into()),
        Scalar::Int(i) => i64::try_from(i).ok(),
        Scalar::Float(x) if x.fract() == 0.0 && x.abs() < 64.0 => Some(x as i64),
        _ => None,
    }
}

fn by_squares(x: &AnyArray, exponent: i64) -> Result<AnyArray> {
    if exponent < 0 {
        Domain::Floats.check("power", x.ty())?;
    }
    let mut left = exponent.unsigned_abs();
    let (mut square, mut result) = (x.clone(), None::<AnyArray>);
    while left > 0 {
        if left & 1 == 1 {
            result = Some(result.map_or_else(|| Ok(square.clone()), |r| crate::multiply(&r, &square))?);
        }
        left >>= 1;
        if left > 0 {
            square = crate::multiply(&square, &square)?;
        }
    }
    match (result, exponent < 0) {
        (Some(result), true) => crate::rcp(result),
        (Some(result), false) => Ok(result),
        (None, _) => crate::creation::identity_like(x),
    }
}
