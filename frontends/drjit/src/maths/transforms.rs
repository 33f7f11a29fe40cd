//! Affine transformations as matrices of four rows.

use crate::array::{AnyArray, IntoArg};
use crate::maths::{matrix_to_quat, polar_decomp, quat_to_matrix};
use crate::ops::array;
use crate::types::{ArrayType, Kind, Size};
use crate::{Error, Result};

/// A transformation as a scaling and shearing, a rotation and a shift: a matrix of three rows, a quaternion and an array of three.
///
/// # Errors
/// [`Error::WrongType`] for what is no matrix of four rows.
pub fn transform_decompose(m: impl IntoArg) -> Result<(AnyArray, AnyArray, AnyArray)> {
    let m = array("transform_decompose", m.into_arg())?;
    let ty = m.ty();
    if ty.kind() != Kind::Matrix || m.len() != 4 {
        let (function, argument, expected) =
            ("transform_decompose", "the array", "a matrix of four rows".into());
        return Err(Error::WrongType { function, argument, expected, actual: ty });
    }
    let three = Size::Fixed(3);
    let unknown = Error::NotSupported { function: "transform_decompose", ty };
    let nested = |kind, sizes: &[Size]| {
        ArrayType::nested(ty.package(), kind, sizes, ty.dtype()).ok_or(unknown.clone())
    };
    let (vector, matrix) = (nested(Kind::Array, &[three])?, nested(Kind::Matrix, &[three, three])?);
    let row = |row: &AnyArray| AnyArray::from_entries(vector, row.entries()[..3].to_vec());
    let rows: Vec<AnyArray> = m.entries()[..3].iter().map(row).collect();
    let (q, p) = polar_decomp(AnyArray::from_entries(matrix, rows))?;
    // A reflection is part of the scaling, so that the rotation is one.
    let sign = crate::sign(crate::det(&q)?)?;
    let (q, p) = (crate::multiply(q, &sign)?, crate::multiply(p, &sign)?);
    let shift = m.entries()[..3].iter().map(|row| row.entries()[3].clone()).collect();
    Ok((p, matrix_to_quat(q)?, AnyArray::from_entries(vector, shift)))
}

/// The transformation of a scaling and shearing, a rotation and a shift: the inverse of [`transform_decompose`].
///
/// # Errors
/// [`Error::WrongType`] for other arrays.
pub fn transform_compose(s: impl IntoArg, q: impl IntoArg, t: impl IntoArg) -> Result<AnyArray> {
    let t = array("transform_compose", t.into_arg())?;
    let turned = crate::matmul(quat_to_matrix(q, 3)?, s)?;
    let ty = turned.ty();
    if t.entries().len() != 3 || turned.len() != 3 {
        let (function, argument, expected) = ("transform_compose", "the shift", "an array of three".into());
        return Err(Error::WrongType { function, argument, expected, actual: t.ty() });
    }
    let four = Size::Fixed(4);
    let matrix = ArrayType::nested(ty.package(), Kind::Matrix, &[four, four], ty.dtype());
    let matrix = matrix.ok_or(Error::NotSupported { function: "transform_compose", ty })?;
    let row_ty = matrix.entry().ok_or(Error::NotSupported { function: "transform_compose", ty })?;
    let (zero, one) = (ty.leaf().make(0)?, ty.leaf().make(1)?);
    let mut rows = Vec::new();
    for (row, shift) in turned.entries().iter().zip(t.entries()) {
        let mut row = row.entries().to_vec();
        row.push(shift.cast_to(ty.leaf())?);
        rows.push(AnyArray::from_entries(row_ty, row));
    }
    rows.push(AnyArray::from_entries(row_ty, vec![zero.clone(), zero.clone(), zero, one]));
    Ok(AnyArray::from_entries(matrix, rows))
}
