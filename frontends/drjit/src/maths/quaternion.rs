//! Quaternions: three imaginary parts and the real one last.

use crate::array::{AnyArray, Expr, IntoArg};
use crate::maths::vectors;
use crate::ops::array;
use crate::types::{ArrayType, Kind};
use crate::{Error, Result};

type Out = Result<AnyArray>;

pub(crate) fn parts(q: &AnyArray) -> Result<[&AnyArray; 4]> {
    match q.entries() {
        [i, j, k, re] => Ok([i, j, k, re]),
        other => Err(Error::WrongSize { ty: q.ty(), expected: 4, got: other.len() }),
    }
}

fn of_parts(ty: ArrayType, parts: [Expr; 4]) -> Out {
    Ok(AnyArray::from_entries(ty, parts.into_iter().map(Expr::ok).collect::<Result<_>>()?))
}

/// The imaginary parts by one factor, and another real part.
fn with(q: &AnyArray, factor: &AnyArray, real: AnyArray) -> Out {
    let [i, j, k, _] = parts(q)?;
    of_parts(q.ty(), [i * factor, j * factor, k * factor, real.into()])
}

/// The length of the imaginary parts.
fn imaginary_norm(q: &AnyArray) -> Out {
    let [i, j, k, _] = parts(q)?;
    crate::sqrt(i * i + j * j + k * k)
}

fn square_sum(q: &AnyArray) -> Out {
    let [i, j, k, re] = parts(q)?;
    (i * i + j * j + k * k + re * re).ok()
}

pub(crate) fn product(a: &AnyArray, b: &AnyArray) -> Out {
    let ([ai, aj, ak, ar], [bi, bj, bk, br]) = (parts(a)?, parts(b)?);
    of_parts(
        a.ty(),
        [
            ar * bi + ai * br + aj * bk - ak * bj,
            ar * bj + aj * br + ak * bi - ai * bk,
            ar * bk + ak * br + ai * bj - aj * bi,
            ar * br - ai * bi - aj * bj - ak * bk,
        ],
    )
}

pub(crate) fn rcp(q: &AnyArray) -> Out {
    let scale = crate::rcp(square_sum(q)?)?;
    let [.., re] = parts(q)?;
    with(q, &(-&scale).ok()?, (re * &scale).ok()?)
}

pub(crate) fn abs(q: &AnyArray) -> Out {
    crate::sqrt(square_sum(q)?)
}

/// The root with a real part that is not negative. Of a negative real number it is on the axis `i`.
pub(crate) fn sqrt(q: &AnyArray) -> Out {
    let [i, j, k, re] = parts(q)?;
    let root = crate::sqrt((abs(q)? + re) * 0.5)?;
    // Real numbers have no direction of their own.
    let is_real = crate::eq(imaginary_norm(q)?, 0)?;
    let factor = crate::select(&is_real, 0, crate::rcp(&root * 2)?)?;
    let own_i = crate::select(&is_real, crate::safe_sqrt(-re)?, i * &factor)?;
    of_parts(q.ty(), [own_i.into(), j * &factor, k * &factor, root.into()])
}

pub(crate) fn rsqrt(q: &AnyArray) -> Out {
    rcp(&sqrt(q)?)
}

pub(crate) fn log(q: &AnyArray) -> Out {
    let [.., re] = parts(q)?;
    let norm = imaginary_norm(q)?;
    let factor = crate::select(crate::eq(&norm, 0)?, 0, crate::atan2(&norm, re)? / &norm)?;
    with(q, &factor, crate::log(abs(q)?)?)
}

pub(crate) fn log2(q: &AnyArray) -> Out {
    crate::multiply(log(q)?, std::f64::consts::LOG2_E)
}

pub(crate) fn exp(q: &AnyArray) -> Out {
    let [.., re] = parts(q)?;
    let norm = imaginary_norm(q)?;
    let (sin, cos) = crate::sincos(&norm)?;
    let radius = crate::exp(re)?;
    let factor = crate::select(crate::eq(&norm, 0)?, 1, sin / &norm)?;
    with(q, &(factor * &radius).ok()?, (cos * &radius).ok()?)
}

pub(crate) fn exp2(q: &AnyArray) -> Out {
    exp(&crate::multiply(q, std::f64::consts::LN_2)?)
}

fn quaternion(function: &'static str, argument: &'static str, q: AnyArray) -> Out {
    match q.ty().kind() {
        Kind::Quaternion => Ok(q),
        _ => {
            let expected = "a quaternion".into();
            Err(Error::WrongType { function, argument, expected, actual: q.ty() })
        }
    }
}

/// The rotation between two unit quaternions, as `t` goes from 0 to 1: by the shorter way, at constant speed.
///
/// # Errors
/// [`Error::WrongType`] for what are no quaternions.
pub fn slerp(q0: impl IntoArg, q1: impl IntoArg, t: impl IntoArg) -> Result<AnyArray> {
    let q0 = quaternion("slerp", "q0", array("slerp", q0.into_arg())?)?;
    let q1 = quaternion("slerp", "q1", array("slerp", q1.into_arg())?)?;
    let ty = crate::types::expr_t(q0.ty(), q1.ty())?;
    let (q0, q1, t) = (q0.cast_to(ty)?, q1.cast_to(ty)?, ty.leaf().make(t)?);
    let dot = vectors::dot(q0.clone().retyped(ty.plain())?, q1.clone().retyped(ty.plain())?)?;
    // The other of the two quaternions of a rotation, where that is nearer.
    let q1 = crate::multiply(&q1, crate::mulsign(crate::creation::full_like(&dot, 1)?, &dot)?)?;
    let dot = crate::minimum(crate::abs(&dot)?, 1.0)?;
    let theta = crate::acos(&dot)?;
    let scale = crate::rcp(crate::sin(&theta)?)?;
    let near = crate::gt(&dot, 1.0 - 1e-6)?;
    let rest = (1 - &t).ok()?;
    let a = crate::select(&near, &rest, crate::sin(&rest * &theta)? * &scale)?;
    let b = crate::select(&near, &t, crate::sin(&t * &theta)? * &scale)?;
    crate::add(crate::multiply(&q0, a)?, crate::multiply(&q1, b)?)
}

/// A vector turned by a unit quaternion.
///
/// # Errors
/// [`Error::WrongType`] for what is no quaternion, or no array of three.
pub fn quat_apply(q: impl IntoArg, v: impl IntoArg) -> Result<AnyArray> {
    let q = quaternion("quat_apply", "q", array("quat_apply", q.into_arg())?)?;
    let v = array("quat_apply", v.into_arg())?;
    let axis = q.imag()?;
    let [.., re] = parts(&q)?;
    let twice = (vectors::cross(&axis, &v)? * 2.0).ok()?;
    (v + &twice * re + vectors::cross(&axis, &twice)?).ok()
}
