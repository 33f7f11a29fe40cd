//! Reductions without NaN.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Mask, Outputs};
use crate::functional::elementwise::keywords::check_number;
use crate::functional::precision::{downcast, upcast};
use crate::functional::statistical::standard::{check_numeric_dtype, reduced_axes};
use crate::functional::{
    Prod, Std, Sum, Var, astype, divide, equal, isnan, logical_not, maximum, multiply, prod, sqrt, square,
    squeeze, subtract, sum, where_,
};
use crate::{Dtype, Result, Scalar, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`nanprod`].
    pub struct NanProd {
        /// The axes to reduce; all if not given. An empty list reduces nothing.
        axis: Option<Axes> = None,
        /// The dtype to multiply in and to give.
        dtype: Option<Dtype> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
        /// One more factor of each product.
        initial: Option<Scalar> = None,
        /// Which elements are multiplied: true where they are; broadcast to the operand.
        r#where: Option<Mask> = None,
    }
}

describe! {
    NANPROD = "nanprod", Statistical, Compositional, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: NanProd::new(), example: [&[2, 2]], Body::Compose(compose_nanprod)
}

fn compose_nanprod(call: &Composition<'_>) -> Result<Outputs> {
    let (mut x, params) = (call.array(0).clone(), call.params::<NanProd>());
    check_numeric_dtype(call.function.name, call.compute)?;
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    if let Some(initial) = params.initial {
        check_number(call, "initial", initial)?;
    }
    if let Some(mask) = &params.r#where {
        x = where_(mask.of(call.function.name, "where", &x)?, &x, 1)?;
    }
    if !call.compute.is_int() {
        x = where_(isnan(&x)?, 1, &x)?;
    }
    let (axis, keepdims) = (params.axis.clone(), params.keepdims);
    let product = prod(x, Prod { axis, keepdims, dtype: Some(call.compute) })?;
    Ok(smallvec![match params.initial {
        Some(initial) => multiply(product, initial)?,
        None => product,
    }])
}

/// Product over axes in which NaN counts as 1; 1 of nothing. Dtypes are as for [`sum`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([2.0f32, f32::NAN, 3.0])?;
/// assert_eq!(ivy::nanprod(&x, ())?.item::<f32>()?, 6.0);
/// assert_eq!(ivy::nanprod(&x, ivy::NanProd::new().initial(0.5))?.item::<f32>()?, 3.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`prod`]; those of `initial` and `where` as [`max`](crate::functional::max).
pub fn nanprod<'a>(x: impl IntoOperand<'a>, params: impl Into<NanProd>) -> Result<Array> {
    call_one(&NANPROD, &[x.into_operand()], &params.into())
}

/// Keyword arguments of [`nanmean`], the same as of [`sum`].
pub type NanMean = Sum;

describe! {
    NANMEAN = "nanmean", Statistical, Compositional, (a: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: NanMean::new(), example: [&[2, 2]], Body::Compose(compose_nanmean)
}

fn compose_nanmean(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (&upcast(call.array(0))?, call.params::<NanMean>());
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let params = || Sum { dtype: None, ..params.clone() };
    let missing = isnan(x)?;
    let count = sum(astype(logical_not(&missing)?, x.dtype())?, params())?;
    Ok(smallvec![downcast(divide(sum(where_(missing, 0, x)?, params())?, count)?, call.compute)?])
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
    Body::Compose(|call| Ok(smallvec![downcast(variance(call)?, call.compute)?]))
}

describe! {
    NANSTD = "nanstd", Statistical, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: Std::new(), example: [&[2, 2]],
    Body::Compose(|call| Ok(smallvec![downcast(sqrt(variance(call)?)?, call.compute)?]))
}

/// By two passes; of small floats in float32.
fn variance(call: &Composition<'_>) -> Result<Array> {
    let (x, params) = (&upcast(call.array(0))?, call.params::<Var>());
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

/// Keyword arguments of [`nansum`], the same as of [`sum`].
pub type NanSum = Sum;

describe! {
    NANSUM = "nansum", Statistical, Compositional, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: NanSum::new(), example: [&[2, 2]], Body::Compose(compose_nansum)
}

fn compose_nansum(call: &Composition<'_>) -> Result<Outputs> {
    let (x, params) = (call.array(0), call.params::<NanSum>());
    check_numeric_dtype(call.function.name, call.compute)?;
    reduced_axes(call.function.name, &params.axis, x.ndim())?;
    let params = Sum { dtype: Some(call.compute), ..params.clone() };
    Ok(smallvec![match call.compute.is_int() {
        true => sum(x, params)?,
        false => sum(where_(isnan(x)?, 0, x)?, params)?,
    }])
}

/// Sum over axes in which NaN counts as 0 (a complex number, where either part is); 0 of nothing. Dtypes are as for
/// [`sum`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, f32::NAN], [2.0, 3.0]])?;
/// assert_eq!(ivy::nansum(&x, Sum::new().axis(0))?.to_vec::<f32>()?, [3.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`sum`].
pub fn nansum<'a>(x: impl IntoOperand<'a>, params: impl Into<NanSum>) -> Result<Array> {
    call_one(&NANSUM, &[x.into_operand()], &params.into())
}
