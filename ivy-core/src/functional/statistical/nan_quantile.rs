//! Quantiles without NaN.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::statistical::quantile::{Lines, Quantile, fraction_of};
use crate::functional::{
    Filled, Sum, TakeAlongAxis, astype, divide, full, isnan, logical_not, maximum, subtract, sum,
    take_along_axis,
};
use crate::{Dtype, Result};
use smallvec::smallvec;

/// Keyword arguments of [`nanquantile`], the same as of [`quantile`](crate::functional::quantile).
pub type NanQuantile = Quantile;
/// Keyword arguments of [`nanpercentile`], the same as of [`quantile`](crate::functional::quantile).
pub type NanPercentile = Quantile;

describe! {
    NANQUANTILE = "nanquantile", Statistical, Compositional, (a: Promoted, q: Kept), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: NanQuantile::new(), example: [&[2, 2], &[]],
    Body::Compose(|call| compose_nanquantile(call, 1.0))
}

describe! {
    NANPERCENTILE = "nanpercentile", Statistical, Compositional, (a: Promoted, q: Kept),
    PromoteFloat -> [Compute], Bound::Composed(4.0), params: NanPercentile::new(), example: [&[2, 2], &[]],
    Body::Compose(|call| compose_nanquantile(call, 100.0))
}

/// The quantiles of fractions of `whole`.
fn compose_nanquantile(call: &Composition<'_>, whole: f64) -> Result<Outputs> {
    let params = call.params::<Quantile>();
    let lines = Lines::new(call, &params.axis, params.keepdims)?;
    let q = match fraction_of(call, whole)? {
        Some(fraction) => full([], fraction, Filled::new().dtype(Dtype::FLOAT64))?,
        None => {
            let q = astype(call.array(1), Dtype::FLOAT64)?;
            if whole == 1.0 { q } else { divide(q, whole)? }
        }
    };
    let number = astype(logical_not(isnan(&lines.sorted)?)?, Dtype::FLOAT64)?;
    let count = sum(number, Sum::new().axis(0).keepdims())?;
    // NaN comes last, so that the numbers are in front, and a line without any gives NaN.
    let last = maximum(subtract(count, 1)?, 0)?;
    let rows =
        |at: &Array| take_along_axis(&lines.sorted, astype(at, Dtype::INT64)?, TakeAlongAxis::new().axis(0));
    Ok(smallvec![lines.several(call, &q, &last, params.interpolation, false, rows)?])
}

/// Quantile without NaN: the [`quantile`](crate::functional::quantile)s of the elements that are not NaN; NaN where all
/// are, and of nothing.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Quantile;
/// let x = Array::try_from([[1.0f32, f32::NAN, 2.0], [4.0, 8.0, f32::NAN]])?;
/// assert_eq!(ivy::nanquantile(&x, 0.5, Quantile::new().axis(1))?.to_vec::<f32>()?, [1.5, 6.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`quantile`](crate::functional::quantile).
pub fn nanquantile<'a, 'b>(
    a: impl IntoOperand<'a>,
    q: impl IntoOperand<'b>,
    params: impl Into<NanQuantile>,
) -> Result<Array> {
    call_one(&NANQUANTILE, &[a.into_operand(), q.into_operand()], &params.into())
}

/// Percentile without NaN: the [`nanquantile`]s of `q / 100`.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, 4.0])?;
/// assert_eq!(ivy::nanpercentile(&x, 50, ())?.item::<f32>()?, 2.5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`percentile`](crate::functional::percentile).
pub fn nanpercentile<'a, 'b>(
    a: impl IntoOperand<'a>,
    q: impl IntoOperand<'b>,
    params: impl Into<NanPercentile>,
) -> Result<Array> {
    call_one(&NANPERCENTILE, &[a.into_operand(), q.into_operand()], &params.into())
}
