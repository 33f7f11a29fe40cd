//! Unique slices along an axis, and unique elements in order of first occurrence.

use crate::functional::{All, Diff, Take, astype};
use crate::functional::{
    ArgSort, Filled, UniqueAll, any, arange, argsort, concat, cumulative_sum, diff, full, imag, lexsort,
    moveaxis, nonzero, not_equal, real, reshape, subtract, take, unique_all,
};
use crate::{Array, Dtype, Result, Shape, shape};

/// The distinct elements of an array, or slices along an axis, ascending or in their own order.
pub(in crate::functional) fn distinct(
    function: &'static str,
    x: &Array,
    axis: Option<i64>,
    by_value: bool,
) -> Result<UniqueAll> {
    let found = match axis {
        None => unique_all(x)?,
        Some(axis) => slices(x, shape::normalize_axis(function, axis, x.ndim())?)?,
    };
    if by_value { Ok(found) } else { in_first_order(found, axis.unwrap_or(0)) }
}

/// The slices by their elements in row-major order, compared one after the other, real parts first.
fn slices(x: &Array, axis: usize) -> Result<UniqueAll> {
    let n = x.shape()[axis];
    let width: usize =
        x.shape().iter().enumerate().filter(|&(i, _)| i != axis).map(|(_, &len)| len).product();
    let rows = reshape(moveaxis(x, axis as i64, 0)?, Shape::from([n, width]), ())?;
    let order = match n == 0 || width == 0 {
        true => arange(n, Dtype::INT64)?,
        false => lexsort(keys(&rows, width)?, ())?,
    };
    let sorted = take(&rows, &order, Take::new().axis(0))?;
    let starts_group = match n {
        0 => full(0, true, Filled::new().dtype(Dtype::BOOL))?,
        _ => {
            let (before, after) = (sorted.get(crate::s![..-1])?, sorted.get(crate::s![1..])?);
            let changed = any(not_equal(after, before)?, All::new().axis(1))?;
            concat([full(1, true, Filled::new().dtype(Dtype::BOOL))?, changed], ())?
        }
    };
    let starts = nonzero(&starts_group)?.remove(0);
    let indices = take(&order, &starts, ())?;
    let group = subtract(cumulative_sum(astype(&starts_group, Dtype::INT64)?, ())?, 1)?;
    let inverse_indices = take(&group, argsort(&order, ())?, ())?;
    let ends = concat([&starts, &full(1, n as i64, Filled::new().dtype(Dtype::INT64))?], ())?;
    let counts = diff(&ends, Diff::new())?;
    let values = take(x, &indices, Take::new().axis(axis as i64))?;
    Ok(UniqueAll { values, indices, inverse_indices, counts })
}

/// What rows are sorted by: the first column comes last, as the most significant key.
fn keys(rows: &Array, width: usize) -> Result<Vec<Array>> {
    let mut keys = Vec::new();
    for column in (0..width).rev() {
        let column = take(rows, column as i64, Take::new().axis(1))?;
        if column.dtype().is_complex() {
            keys.push(imag(&column)?);
            keys.push(real(&column)?);
        } else {
            keys.push(column);
        }
    }
    Ok(keys)
}

/// The same in the order of the first occurrences.
fn in_first_order(found: UniqueAll, axis: i64) -> Result<UniqueAll> {
    let order = argsort(&found.indices, ArgSort::new())?;
    let place = argsort(&order, ArgSort::new())?;
    let taken = |x: &Array, axis: i64| take(x, &order, Take::new().axis(axis));
    Ok(UniqueAll {
        values: taken(&found.values, axis)?,
        indices: taken(&found.indices, 0)?,
        inverse_indices: take(&place, &found.inverse_indices, ())?,
        counts: taken(&found.counts, 0)?,
    })
}
