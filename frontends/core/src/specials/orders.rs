//! Elements by their order along an axis, and where they stand.

use super::{cut, several};
use crate::{Call, compute, invoke};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};

/// The greatest elements so far along an axis (`cummax`), or the least (`cummin`), and where they stand: the last one of
/// equal ones, and each NaN.
///
/// # Errors
/// Those of the function of the core that is named.
pub fn running_extremes(call: &Call<'_>, name: &str, x: &Array, axis: usize) -> Result<[Array; 2]> {
    let values = several(call, invoke!(call, name, [x], axis = axis as i64)?)?.swap_remove(0);
    let hits = f::logical_or(f::equal(x, &values)?, f::isnan(x)?)?;
    let count = x.shape()[axis] as i64;
    let mut column = vec![1i64; x.ndim()];
    column[axis] = count;
    let places = compute!(call, "arange", [0, count, 1], dtype = Dtype::INT64)?;
    let places = f::where_(&hits, compute!(call, "reshape", [&places], shape = column)?, 0)?;
    let places = several(call, invoke!(call, "cummax", [&places], axis = axis as i64)?)?.swap_remove(0);
    Ok([values, places])
}

/// The element in the middle of the order along an axis, the lower one of two, and where it stands; the axis has length 1.
/// NaNs have no place in the order if they are ignored, and are the median else.
///
/// # Errors
/// For an axis without elements.
pub fn lower_median(call: &Call<'_>, x: &Array, axis: usize, ignores_nan: bool) -> Result<[Array; 2]> {
    let along = axis as i64;
    let order = compute!(call, "argsort", [x], axis = along)?;
    let nans = compute!(call, "count_nonzero", [&f::isnan(x)?], axis = along, keepdims = true)?;
    let known = f::subtract(x.shape()[axis] as i64, &nans)?;
    let middle = f::maximum(f::floor_divide(f::subtract(&known, 1)?, 2)?, 0)?;
    // NaNs stand behind all else.
    let place = if ignores_nan { middle } else { f::where_(f::greater(&nans, 0)?, &known, &middle)? };
    let places = compute!(call, "take_along_axis", [&order, &place], axis = along)?;
    let values = compute!(call, "take_along_axis", [x, &places], axis = along)?;
    Ok([values, places])
}

/// The `k`th least element along an axis, from 1 on, and where it stands; the axis has length 1.
///
/// # Errors
/// For a number that is not there.
pub fn kth_least(call: &Call<'_>, x: &Array, axis: usize, k: i64) -> Result<[Array; 2]> {
    let order = compute!(call, "argsort", [x], axis = axis as i64)?;
    let places = cut(&order, axis, k - 1, k, 1)?;
    let values = compute!(call, "take_along_axis", [x, &places], axis = axis as i64)?;
    Ok([values, places])
}
