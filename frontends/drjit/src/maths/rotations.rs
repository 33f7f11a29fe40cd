//! Rotations as quaternions, matrices and angles.

use crate::array::{AnyArray, Expr, IntoArg};
use crate::maths::quaternion;
use crate::ops::array;
use crate::types::{ArrayType, Kind, Size};
use crate::{Error, Result};

/// The quaternion, or the array of three, beside an element type.
fn number_of(x: &AnyArray, kind: Kind, size: u8) -> Result<ArrayType> {
    let ty = x.ty();
    ArrayType::nested(ty.package(), kind, &[Size::Fixed(size)], ty.dtype())
        .ok_or(Error::NotSupported { function: "rotation", ty })
}

fn made(ty: ArrayType, entries: Vec<Expr>) -> Result<AnyArray> {
    Ok(AnyArray::from_entries(ty, entries.into_iter().map(Expr::ok).collect::<Result<_>>()?))
}

fn wrong(function: &'static str, expected: &str, x: &AnyArray) -> Error {
    Error::WrongType { function, argument: "the array", expected: expected.into(), actual: x.ty() }
}

fn three<'a>(function: &'static str, v: &'a AnyArray) -> Result<[&'a AnyArray; 3]> {
    match (v.ty().kind(), v.entries()) {
        (Kind::Array, [x, y, z]) => Ok([x, y, z]),
        _ => Err(wrong(function, "an array of three", v)),
    }
}

/// The quaternion that turns by an angle about a unit axis.
///
/// # Errors
/// [`Error::WrongType`] for an axis that is no array of three.
pub fn rotate(axis: impl IntoArg, angle: impl IntoArg) -> Result<AnyArray> {
    let axis = array("rotate", axis.into_arg())?;
    let [x, y, z] = three("rotate", &axis)?;
    let half = (axis.ty().leaf().make(angle)? * 0.5).ok()?;
    let (sin, cos) = crate::sincos(half)?;
    made(number_of(&axis, Kind::Quaternion, 4)?, vec![x * &sin, y * &sin, z * &sin, cos.into()])
}

/// The rotation matrix of a unit quaternion, of three rows or, with a fourth axis that stays, four.
///
/// # Errors
/// [`Error::WrongType`] for what is no quaternion; [`Error::InvalidArgument`] for another number of rows.
pub fn quat_to_matrix(q: impl IntoArg, rows: usize) -> Result<AnyArray> {
    let q = array("quat_to_matrix", q.into_arg())?;
    if q.ty().kind() != Kind::Quaternion {
        return Err(wrong("quat_to_matrix", "a quaternion", &q));
    }
    if rows != 3 && rows != 4 {
        let (function, argument, rule) = ("quat_to_matrix", "rows", "3 or 4");
        return Err(Error::InvalidArgument { function, argument, value: rows.to_string(), rule });
    }
    let [x, y, z, w] = quaternion::parts(&q)?;
    let twice = |a: &AnyArray, b: &AnyArray| a * b * 2.0;
    let (xx, yy, zz) = (twice(x, x), twice(y, y), twice(z, z));
    let (xy, xz, yz) = (twice(x, y), twice(x, z), twice(y, z));
    let (wx, wy, wz) = (twice(w, x), twice(w, y), twice(w, z));
    let ty = q.ty();
    let own = [
        [1.0 - (&yy + &zz), &xy - &wz, &xz + &wy],
        [&xy + &wz, 1.0 - (&xx + &zz), &yz - &wx],
        [&xz - &wy, &yz + &wx, 1.0 - (&xx + &yy)],
    ];
    let size = Size::Fixed(rows as u8);
    let matrix = ArrayType::nested(ty.package(), Kind::Matrix, &[size, size], ty.dtype());
    let matrix = matrix.ok_or(Error::NotSupported { function: "quat_to_matrix", ty })?;
    let row_ty = matrix.entry().ok_or(Error::NotSupported { function: "quat_to_matrix", ty })?;
    let (zero, one) = (ty.leaf().make(0)?, ty.leaf().make(1)?);
    let mut made_rows = Vec::new();
    for row in own {
        let mut row = Vec::from(row);
        row.resize(rows, zero.clone().into());
        made_rows.push(made(row_ty, row)?);
    }
    if rows == 4 {
        made_rows.push(AnyArray::from_entries(row_ty, vec![zero.clone(), zero.clone(), zero, one]));
    }
    Ok(AnyArray::from_entries(matrix, made_rows))
}

/// The unit quaternion of a rotation matrix, with a real part that is not negative (Mike Day 2015): the greatest of the four sums that are
/// squares of its parts is divided by, of which one is 1 at least.
///
/// # Errors
/// [`Error::WrongType`] for what is no matrix of three or four rows.
pub fn matrix_to_quat(m: impl IntoArg) -> Result<AnyArray> {
    let m = array("matrix_to_quat", m.into_arg())?;
    if m.ty().kind() != Kind::Matrix || m.len() < 3 {
        return Err(wrong("matrix_to_quat", "a matrix of three or four rows", &m));
    }
    let cell = |i: usize, j: usize| &m.entries()[i].entries()[j];
    let (a, b, c) = (cell(0, 0), cell(1, 1), cell(2, 2));
    let low = crate::lt(c, 0)?;
    let first = crate::gt(a, b)?;
    let last = crate::lt(a, -b)?;
    let sums = [1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c, 1.0 + a + b + c].map(Expr::ok);
    let [t0, t1, t2, t3] = sums;
    let pick = |x0: &AnyArray, x1: &AnyArray, x2: &AnyArray, x3: &AnyArray| {
        let below = crate::select(&first, x0, x1)?;
        let above = crate::select(&last, x2, x3)?;
        crate::select(&low, below, above)
    };
    let (t0, t1, t2, t3) = (t0?, t1?, t2?, t3?);
    let plus = |i: usize, j: usize| (cell(i, j) + cell(j, i)).ok();
    let minus = |i: usize, j: usize| (cell(i, j) - cell(j, i)).ok();
    let (p01, p02, p12) = (plus(0, 1)?, plus(0, 2)?, plus(1, 2)?);
    let (m21, m02, m10) = (minus(2, 1)?, minus(0, 2)?, minus(1, 0)?);
    let parts = [
        pick(&t0, &p01, &p02, &m21)?,
        pick(&p01, &t1, &p12, &m02)?,
        pick(&p02, &p12, &t2, &m10)?,
        pick(&m21, &m02, &m10, &t3)?,
    ];
    let greatest = pick(&t0, &t1, &t2, &t3)?;
    let scale = (crate::rsqrt(greatest)? * 0.5).ok()?;
    let scale = crate::mulsign(&scale, &parts[3])?;
    made(number_of(&m, Kind::Quaternion, 4)?, parts.iter().map(|part| part * &scale).collect())
}

/// The angles about x, y and z, in this order about fixed axes, of a unit quaternion.
///
/// # Errors
/// [`Error::WrongType`] for what is no quaternion.
pub fn quat_to_euler(q: impl IntoArg) -> Result<AnyArray> {
    let q = array("quat_to_euler", q.into_arg())?;
    if q.ty().kind() != Kind::Quaternion {
        return Err(wrong("quat_to_euler", "a quaternion", &q));
    }
    let [x, y, z, w] = quaternion::parts(&q)?;
    let sine = ((w * y - z * x) * 2.0).ok()?;
    // At the poles only the sum or difference of the other two is known: that about z is 0.
    let pole = crate::gt(crate::abs(&sine)?, 1.0 - 1e-6)?;
    let about_x = crate::atan2((w * x + y * z) * 2.0, 1.0 - (x * x + y * y) * 2.0)?;
    let about_z = crate::atan2((w * z + x * y) * 2.0, 1.0 - (y * y + z * z) * 2.0)?;
    let at_pole = (crate::atan2(x, w)? * 2.0).ok()?;
    let entries = vec![
        crate::select(&pole, at_pole, about_x).into(),
        crate::safe_asin(&sine).into(),
        crate::select(&pole, 0.0, about_z).into(),
    ];
    made(number_of(&q, Kind::Array, 3)?, entries)
}

/// The unit quaternion of angles about x, y and z, in this order about fixed axes.
///
/// # Errors
/// [`Error::WrongType`] for what is no array of three.
pub fn euler_to_quat(angles: impl IntoArg) -> Result<AnyArray> {
    let angles = array("euler_to_quat", angles.into_arg())?;
    let [x, y, z] = three("euler_to_quat", &angles)?;
    let half = |angle: &AnyArray| crate::sincos(angle * 0.5);
    let ((sx, cx), (sy, cy), (sz, cz)) = (half(x)?, half(y)?, half(z)?);
    let entries = vec![
        &sx * &cy * &cz - &cx * &sy * &sz,
        &cx * &sy * &cz + &sx * &cy * &sz,
        &cx * &cy * &sz - &sx * &sy * &cz,
        &cx * &cy * &cz + &sx * &sy * &sz,
    ];
    made(number_of(&angles, Kind::Quaternion, 4)?, entries)
}
