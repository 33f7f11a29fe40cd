//! Complex numbers: the textbook formulas on real and imaginary parts.

use crate::array::{AnyArray, IntoArg};
use crate::types::ArrayType;
use crate::{Error, Result};

type Out = Result<AnyArray>;

/// The parts.
pub(crate) fn parts(z: &AnyArray) -> Result<(&AnyArray, &AnyArray)> {
    match z.entries() {
        [re, im] => Ok((re, im)),
        other => Err(Error::WrongSize { ty: z.ty(), expected: 2, got: other.len() }),
    }
}

pub(crate) fn of_parts(ty: ArrayType, re: AnyArray, im: AnyArray) -> AnyArray {
    AnyArray::from_entries(ty, vec![re, im])
}

/// Each part by a real number.
fn scaled(z: &AnyArray, by: impl IntoArg) -> Out {
    let (re, im) = parts(z)?;
    let by = re.ty().make(by)?;
    Ok(of_parts(z.ty(), (re * &by).ok()?, (im * &by).ok()?))
}

/// The number turned by a right angle: times `i`.
fn turned(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    Ok(of_parts(z.ty(), (-im).ok()?, re.clone()))
}

/// The number turned back: over `i`.
fn turned_back(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    Ok(of_parts(z.ty(), im.clone(), (-re).ok()?))
}

pub(crate) fn product(a: &AnyArray, b: &AnyArray) -> Out {
    let ((a_re, a_im), (b_re, b_im)) = (parts(a)?, parts(b)?);
    let re = (a_re * b_re - a_im * b_im).ok()?;
    let im = (a_re * b_im + a_im * b_re).ok()?;
    Ok(of_parts(a.ty(), re, im))
}

pub(crate) fn rcp(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    let scale = crate::rcp(re * re + im * im)?;
    Ok(of_parts(z.ty(), (re * &scale).ok()?, (-(im * &scale)).ok()?))
}

pub(crate) fn abs(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    crate::hypot(re, im)
}

/// The root with a real part that is not negative.
pub(crate) fn sqrt(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    // The greater of the parts, from which the other one follows without cancellation.
    let greater = crate::sqrt((abs(z)? + crate::abs(re)) * 0.5)?;
    let none = crate::eq(&greater, 0)?;
    let lesser = crate::select(&none, 0, crate::abs(im)? / (&greater * 2))?;
    let right = crate::ge(re, 0)?;
    let own_re = crate::select(&right, &greater, &lesser)?;
    let own_im = crate::copysign(crate::select(&right, &lesser, &greater)?, im)?;
    Ok(of_parts(z.ty(), own_re, own_im))
}

pub(crate) fn rsqrt(z: &AnyArray) -> Out {
    rcp(&sqrt(z)?)
}

pub(crate) fn log(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    Ok(of_parts(z.ty(), crate::log(abs(z)?)?, crate::atan2(im, re)?))
}

pub(crate) fn log2(z: &AnyArray) -> Out {
    scaled(&log(z)?, std::f64::consts::LOG2_E)
}

pub(crate) fn exp(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    let radius = crate::exp(re)?;
    let (sin, cos) = crate::sincos(im)?;
    Ok(of_parts(z.ty(), (&radius * cos).ok()?, (&radius * sin).ok()?))
}

pub(crate) fn exp2(z: &AnyArray) -> Out {
    exp(&scaled(z, std::f64::consts::LN_2)?)
}

pub(crate) fn sin(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    let ((s, c), (sh, ch)) = (crate::sincos(re)?, crate::sincosh(im)?);
    Ok(of_parts(z.ty(), (s * ch).ok()?, (c * sh).ok()?))
}

pub(crate) fn cos(z: &AnyArray) -> Out {
    let (re, im) = parts(z)?;
    let ((s, c), (sh, ch)) = (crate::sincos(re)?, crate::sincosh(im)?);
    Ok(of_parts(z.ty(), (c * ch).ok()?, (-(s * sh)).ok()?))
}

pub(crate) fn tan(z: &AnyArray) -> Out {
    product(&sin(z)?, &rcp(&cos(z)?)?)
}

pub(crate) fn sinh(z: &AnyArray) -> Out {
    turned_back(&sin(&turned(z)?)?)
}

pub(crate) fn cosh(z: &AnyArray) -> Out {
    cos(&turned(z)?)
}

pub(crate) fn tanh(z: &AnyArray) -> Out {
    product(&sinh(z)?, &rcp(&cosh(z)?)?)
}

/// `log(z + sqrt(z + 1) sqrt(z - 1))`, on the side of the cut that its factors say.
pub(crate) fn acosh(z: &AnyArray) -> Out {
    let roots = product(&sqrt(&(z + 1).ok()?)?, &sqrt(&(z - 1).ok()?)?)?;
    log(&(z + roots).ok()?)
}

/// `log(z + sqrt(z^2 + 1))`.
pub(crate) fn asinh(z: &AnyArray) -> Out {
    let root = sqrt(&(product(z, z)? + 1).ok()?)?;
    log(&(z + root).ok()?)
}

/// Half of `log(1 + z) - log(1 - z)`.
pub(crate) fn atanh(z: &AnyArray) -> Out {
    // The difference negated, so that the sign of an imaginary zero chooses the side of the branch cut.
    let (above, below) = (log(&(z + 1).ok()?)?, log(&crate::negative(z - 1)?)?);
    scaled(&(above - below).ok()?, 0.5)
}

pub(crate) fn asin(z: &AnyArray) -> Out {
    turned_back(&asinh(&turned(z)?)?)
}

pub(crate) fn acos(z: &AnyArray) -> Out {
    (std::f64::consts::FRAC_PI_2 - asin(z)?).ok()
}

pub(crate) fn atan(z: &AnyArray) -> Out {
    turned_back(&atanh(&turned(z)?)?)
}
