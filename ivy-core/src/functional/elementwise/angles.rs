//! Angles, in radians and degrees.

use crate::array::{Array, IntoOperand};
use crate::call::{call_one, unary};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{atan2, imag, multiply, real};
use crate::{Result, params};
use smallvec::smallvec;
use std::f64::consts::PI;

const DEGREE: f64 = PI / 180.0;
const RADIAN: f64 = 180.0 / PI;
const ONE_AND_A_HALF: Bound = Bound::Ulp { float32: 1.5, float64: 2.5 };

describe! {
    DEG2RAD = "deg2rad", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    ONE_AND_A_HALF, params: (), example: [&[2]],
    Body::Compose(|call| Ok(smallvec![multiply(call.array(0), DEGREE)?]))
}

/// Degrees to radians: `x * pi / 180`.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::deg2rad(&Array::try_from([180.0f32, -90.0])?)?;
/// assert_eq!(x.to_vec::<f32>()?, [std::f32::consts::PI, -std::f32::consts::FRAC_PI_2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn deg2rad<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&DEG2RAD, x)
}

describe! {
    RAD2DEG = "rad2deg", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    ONE_AND_A_HALF, params: (), example: [&[2]],
    Body::Compose(|call| Ok(smallvec![multiply(call.array(0), RADIAN)?]))
}

/// Radians to degrees: `x * 180 / pi`.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::rad2deg(&Array::try_from([std::f32::consts::PI])?)?;
/// assert_eq!(x.to_vec::<f32>()?, [180.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn rad2deg<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&RAD2DEG, x)
}

params! {
    /// Keyword arguments of [`angle`].
    pub struct Angle {
        /// In degrees instead of radians.
        flag deg,
    }
}

describe! {
    ANGLE = "angle", Elementwise, Compositional, (z: Promoted), PromoteFloat -> [RealPart],
    Bound::Ulp { float32: 4.0, float64: 5.0 }, params: Angle::new(), example: [&[2]], Body::Compose(compose_angle)
}

fn compose_angle(call: &Composition<'_>) -> Result<Outputs> {
    let z = call.array(0);
    let radians = match call.compute.is_complex() {
        true => atan2(imag(z)?, real(z)?)?,
        false => atan2(0.0, z)?,
    };
    Ok(smallvec![if call.params::<Angle>().deg { multiply(radians, RADIAN)? } else { radians }])
}

/// Phase angle: the angle of complex numbers, from -pi to pi (or -180 to 180 with `deg`): `atan2(imag(z), real(z))`. Of
/// real numbers it is 0, or pi where the sign bit is set; NaN for NaN.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Angle;
/// let z = ivy::multiply(&Array::try_from([1.0f32, 2.0])?, num_complex::Complex64::new(0.0, 1.0))?;
/// assert_eq!(ivy::angle(&z, Angle::new().deg())?.to_vec::<f32>()?, [90.0, 90.0]);
/// assert_eq!(ivy::angle(&Array::try_from([-2.0f64, 3.0])?, ())?.to_vec::<f64>()?, [std::f64::consts::PI, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// The backend's refusal.
pub fn angle<'a>(z: impl IntoOperand<'a>, params: impl Into<Angle>) -> Result<Array> {
    call_one(&ANGLE, &[z.into_operand()], &params.into())
}
