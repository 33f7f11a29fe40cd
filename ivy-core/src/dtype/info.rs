//! finfo and iinfo, computed from a dtype's row.

use super::{Dtype, DtypeLike, Kind};
use crate::{Error, ErrorKind, Result};

/// What a float dtype can represent; for complex, of each part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FInfo {
    /// Width in bits.
    pub bits: usize,
    /// Distance from 1.0 to the next value.
    pub eps: f64,
    /// Greatest finite value.
    pub max: f64,
    /// Least finite value.
    pub min: f64,
    /// Least positive value with a full mantissa.
    pub smallest_normal: f64,
    /// The real dtype described.
    pub dtype: Dtype,
}

/// What an integer dtype can represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IInfo {
    /// Width in bits.
    pub bits: usize,
    /// Greatest value.
    pub max: i128,
    /// Least value.
    pub min: i128,
    /// The dtype described.
    pub dtype: Dtype,
}

/// Limits of a float or complex dtype (the parts' limits).
///
/// ```
/// let info = ivy_core::finfo("bfloat16")?;
/// assert_eq!(info.eps, 2f64.powi(-7));
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::WrongDtypeKind`] for other kinds, [`ErrorKind::UnknownDtype`] for unknown names.
pub fn finfo(dtype: impl DtypeLike) -> Result<FInfo> {
    let asked = dtype.to_dtype()?;
    let dtype = asked.real_part();
    if dtype.kind() != Kind::Float {
        return Err(wrong_kind("finfo", asked, "float or complex"));
    }
    let row = dtype.row();
    let (exponent, mantissa) = (i32::from(row.exponent_bits), i32::from(row.mantissa_bits));
    let bias = (1 << (exponent - 1)) - 1;
    let eps = 2f64.powi(-mantissa);
    if let Some([max, min, smallest_normal]) = row.limits {
        return Ok(FInfo { bits: dtype.bits(), eps, max, min, smallest_normal, dtype });
    }
    let max = (2.0 - eps) * 2f64.powi(bias);
    Ok(FInfo { bits: dtype.bits(), eps, max, min: -max, smallest_normal: 2f64.powi(1 - bias), dtype })
}

/// Limits of an integer dtype.
///
/// ```
/// assert_eq!(ivy_core::iinfo("int8")?.min, -128);
/// assert!(ivy_core::iinfo("float32").is_err());
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::WrongDtypeKind`] for other kinds, [`ErrorKind::UnknownDtype`] for unknown names.
pub fn iinfo(dtype: impl DtypeLike) -> Result<IInfo> {
    let dtype = dtype.to_dtype()?;
    let (min, max) = dtype.int_range().ok_or_else(|| wrong_kind("iinfo", dtype, "integer"))?;
    Ok(IInfo { bits: dtype.bits(), max, min, dtype })
}

pub(crate) fn wrong_kind(function: &'static str, dtype: Dtype, expected: &'static str) -> Error {
    ErrorKind::WrongDtypeKind { function, dtype, expected }.into()
}
