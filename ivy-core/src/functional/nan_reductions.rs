//! Reductions that leave NaN out.

use super::powers::{narrowed, wide};
use super::statistical::{check_not_empty, check_numeric_dtype, reduced_axes};
use super::{
    Max, Min, Prod, Std, Sum, Var, all, astype, divide, equal, isnan, logical_not, max, maximum, min, prod,
    sqrt, square, squeeze, subtract, sum, where_,
};
use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use smallvec::smallvec;

describe! {
    NANMAX = "nanmax", Statistical, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Max::new(), example: [&[2, 2]], Body::Compose(|call| extreme(call, true))
}

describe! {
    NANMIN = "nanmin", Statistical, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: Min::new(), example: [&[2, 2]], Body::Compose(|call| extreme(call, false))
}

fn extreme(call: &Composition<'_>, greatest: bool) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<Max>());
    let axes = reduced_axes(call.function.name, &params.axis, x.ndim())?;
    check_not_empty(call.function.name, x.shape(), &axes)?;
    let of = |x: &Array| if greatest { max(x, params.clone()) } else { min(x, params.clone()) };
    if !call.compute.is_float() {
        return Ok(smallvec![of(x)?]);
    }
    let (missing, last) = (isnan(x)?, if greatest { f64::NEG_INFINITY } else { f64::INFINITY });
    let found = of(&where_(&missing, last, x)?)?;
    Ok(smallvec![where_(all(missing, params.clone())?, f64::NAN, found)?])
}

/// The greatest element over axes that is not NaN; NaN where all are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, f32::NAN], [2.0, 3.0]])?;
/// assert_eq!(ivy::nanmax(&x, Max::new().axis(0))?.to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`max`].
pub fn nanmax<'a>(x: impl IntoOperand<'a>, params: impl Into<Max>) -> Result<Array> {
    call_one(&NANMAX, &[x.into_operand()], &params.into())
}

/// The least element over axes that is not NaN; NaN where all are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, 2.0])?;
/// assert_eq!(ivy::nanmin(&x, ())?.item::<f32>()?, 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`min`].
pub fn nanmin<'a>(x: impl IntoOperand<'a>, params: impl Into<Min>) -> Result<Array> {
    call_one(&NANMIN, &[x.into_operand()], &params.into())
}

describe! {
    NANPROD = "nanprod", Statistical, Compositional, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: Prod::new(), example: [&[2, 2]], Body::Compose(compose_nanprod)
}

fn compose_nanprod(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<Prod>());
    check_numeric_dtype(call.function.name, call.compute)?;
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let params = Prod { dtype: Some(call.compute), ..params.clone() };
    Ok(smallvec![match call.compute.is_int() {
        true => prod(x, params)?,
        false => prod(where_(isnan(x)?, 1, x)?, params)?,
    }])
}

/// Product over axes in which NaN counts as 1; 1 of nothing. Dtypes are as for [`sum`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([2.0f32, f32::NAN, 3.0])?;
/// assert_eq!(ivy::nanprod(&x, ())?.item::<f32>()?, 6.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`prod`].
pub fn nanprod<'a>(x: impl IntoOperand<'a>, params: impl Into<Prod>) -> Result<Array> {
    call_one(&NANPROD, &[x.into_operand()], &params.into())
}

/// Keyword arguments of [`nanmean`], the same as of [`sum`].
pub type NanMean = Sum;

describe! {
    NANMEAN = "nanmean", Statistical, Compositional, (a: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: NanMean::new(), example: [&[2, 2]], Body::Compose(compose_nanmean)
}

fn compose_nanmean(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (&wide(call.array(0))?, call.params::<NanMean>());
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let params = || Sum { dtype: None, ..params.clone() };
    let missing = isnan(x)?;
    let count = sum(astype(logical_not(&missing)?, x.dtype())?, params())?;
    Ok(smallvec![narrowed(call, divide(sum(where_(missing, 0, x)?, params())?, count)?)?])
}

/// Arithmetic mean over axes of the elements that are not NaN; NaN where all are, and of nothing.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, 4.0])?;
/// assert_eq!(ivy::nanmean(&x, ())?.item::<f32>()?, 2.5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis).
pub fn nanmean<'a>(a: impl IntoOperand<'a>, params: impl Into<NanMean>) -> Result<Array> {
    call_one(&NANMEAN, &[a.into_operand()], &params.into())
}

describe! {
    NANVAR = "nanvar", Statistical, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Var::new(), example: [&[2, 2]],
    Body::Compose(|call| Ok(smallvec![narrowed(call, variance(call)?)?]))
}

describe! {
    NANSTD = "nanstd", Statistical, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Std::new(), example: [&[2, 2]],
    Body::Compose(|call| Ok(smallvec![narrowed(call, sqrt(variance(call)?)?)?]))
}

/// By two passes; of small floats in float32.
fn variance(call: &Composition<'_>) -> Result<Array> {
    let (x, params) = (&wide(call.array(0))?, call.params::<Var>());
    let axes = reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let squeezed: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
    let total = |x: Array| sum(x, Sum { axis: params.axis.clone(), dtype: None, keepdims: true });
    let missing = isnan(x)?;
    let count = total(astype(logical_not(&missing)?, x.dtype())?)?;
    let known = &where_(&missing, 0, x)?;
    let mean = divide(total(known.clone())?, &count)?;
    // What is added is divided before, since the sum may be beyond the dtype where the variance is not.
    let divisor = maximum(subtract(&count, params.correction.like(x)?)?, 0)?;
    // A missing element has no part in it before it is squared, so that its tangent has none.
    let parts = divide(square(where_(&missing, 0, subtract(known, mean)?)?)?, divisor)?;
    let variance = total(where_(missing, 0, parts)?)?;
    let found = where_(equal(count, 0)?, f64::NAN, variance)?;
    if params.keepdims { Ok(found) } else { squeeze(found, Axes::from(squeezed)) }
}

/// Variance over axes of the elements that are not NaN, as [`var`](crate::functional::var) has it; NaN where all are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, f32::NAN, 3.0])?;
/// assert_eq!(ivy::nanvar(&x, ())?.item::<f32>()?, 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`var`](crate::functional::var).
pub fn nanvar<'a>(x: impl IntoOperand<'a>, params: impl Into<Var>) -> Result<Array> {
    call_one(&NANVAR, &[x.into_operand()], &params.into())
}

/// Standard deviation over axes of the elements that are not NaN: the square root of [`nanvar`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f64, f64::NAN, 5.0])?;
/// assert_eq!(ivy::nanstd(&x, ())?.item::<f64>()?, 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`nanvar`].
pub fn nanstd<'a>(x: impl IntoOperand<'a>, params: impl Into<Std>) -> Result<Array> {
    call_one(&NANSTD, &[x.into_operand()], &params.into())
}
