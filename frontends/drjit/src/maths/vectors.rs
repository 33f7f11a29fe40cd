//! Products and lengths of vectors.

use crate::array::{AnyArray, IntoArg};
use crate::ops::{array, promote};
use crate::types::{Kind, Size};
use crate::{Error, Result};

/// The sum of the products of entries: of nested arrays that of their components, of flat arrays and tensors that of all elements.
///
/// # Errors
/// [`Error::IncompatibleTypes`], [`Error::IncompatibleSizes`].
pub fn dot(a: impl IntoArg, b: impl IntoArg) -> Result<AnyArray> {
    let args = vec![a.into_arg(), b.into_arg()];
    let ty = promote("dot", &args)?;
    let args = crate::ops::cast_all(ty, args)?;
    let [a, b] = [&args[0], &args[1]].map(|x| x.clone().retyped(ty.plain()));
    if ty.is_mask_v() {
        return crate::any(crate::bitwise_and(a?, b?)?, ());
    }
    crate::sum(crate::multiply(a?, b?)?, ())
}

/// The magnitude of [`dot`].
///
/// # Errors
/// As [`dot`].
pub fn abs_dot(a: impl IntoArg, b: impl IntoArg) -> Result<AnyArray> {
    crate::abs(dot(a, b)?)
}

/// [`dot`] of an array with itself.
///
/// # Errors
/// As [`dot`].
pub fn squared_norm(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("squared_norm", x.into_arg())?;
    dot(&x, &x)
}

/// The Euclidean length.
///
/// # Errors
/// [`Error::NotSupported`] for what are no floats.
pub fn norm(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("norm", x.into_arg())?;
    crate::ops::Domain::Floats.check("norm", x.ty())?;
    crate::sqrt(squared_norm(x)?)
}

/// The array over its length.
///
/// # Errors
/// As [`norm`].
pub fn normalize(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("normalize", x.into_arg())?;
    crate::ops::Domain::Floats.check("normalize", x.ty())?;
    crate::multiply(&x, crate::rsqrt(squared_norm(&x)?)?)
}

/// The vector product of arrays of three.
///
/// # Errors
/// [`Error::WrongType`] for other arrays.
pub fn cross(a: impl IntoArg, b: impl IntoArg) -> Result<AnyArray> {
    let args = vec![a.into_arg(), b.into_arg()];
    let ty = promote("cross", &args)?;
    if ty.kind() != Kind::Array || ty.size() != Some(Size::Fixed(3)) {
        let (function, argument, expected) = ("cross", "the arguments", "an array of three".into());
        return Err(Error::WrongType { function, argument, expected, actual: ty });
    }
    let args = crate::ops::cast_all(ty, args)?;
    let (a, b) = (args[0].entries(), args[1].entries());
    let one = |i: usize, j: usize| (&a[i] * &b[j] - &a[j] * &b[i]).ok();
    Ok(AnyArray::from_entries(ty, vec![one(1, 2)?, one(2, 0)?, one(0, 1)?]))
}

/// The angle between two unit vectors, accurate for small angles: by the half of the chord between them.
///
/// # Errors
/// As [`norm`].
pub fn unit_angle(a: impl IntoArg, b: impl IntoArg) -> Result<AnyArray> {
    let (a, b) = (array("unit_angle", a.into_arg())?, array("unit_angle", b.into_arg())?);
    let cosine = dot(&a, &b)?;
    let signed = crate::multiply(&a, crate::mulsign(crate::creation::full_like(&cosine, 1)?, &cosine)?)?;
    let half = crate::safe_asin(norm(&b - signed)? * 0.5)?;
    let acute = (&half * 2).ok()?;
    crate::select(crate::ge(&cosine, 0)?, &acute, std::f64::consts::PI - &acute)
}
