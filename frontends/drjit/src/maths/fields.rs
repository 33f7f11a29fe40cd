//! What complex numbers and quaternions have in common.

use crate::array::{AnyArray, IntoArg};
use crate::maths::complex;
use crate::ops::array;
use crate::types::Kind;
use crate::{Error, Result};

/// The conjugate: imaginary parts with the other sign. Real arrays stay.
///
/// # Errors
/// None for arrays.
pub fn conj(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("conj", x.into_arg())?;
    let entries = match (x.ty().kind(), x.entries()) {
        (Kind::Complex, [re, im]) => vec![re.clone(), (-im).ok()?],
        (Kind::Quaternion, [i, j, k, re]) => vec![(-i).ok()?, (-j).ok()?, (-k).ok()?, re.clone()],
        _ => return Ok(x),
    };
    Ok(AnyArray::from_entries(x.ty(), entries))
}

/// The angle of a complex number, from -pi to pi; of real arrays 0, or pi of negative elements.
///
/// # Errors
/// [`Error::NotSupported`] for quaternions and what are no floats.
pub fn arg(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("arg", x.into_arg())?;
    match x.ty().kind() {
        Kind::Complex => {
            let (re, im) = complex::parts(&x)?;
            crate::atan2(im, re)
        }
        Kind::Quaternion | Kind::Matrix => Err(Error::NotSupported { function: "arg", ty: x.ty() }),
        _ => {
            crate::ops::Domain::Floats.check("arg", x.ty())?;
            crate::select(crate::ge(&x, 0)?, 0.0, std::f64::consts::PI)?.cast_to(x.ty())
        }
    }
}
