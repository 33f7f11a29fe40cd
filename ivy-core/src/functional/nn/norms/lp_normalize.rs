//! Lp normalization.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::linalg::squared_magnitude;
use crate::functional::nn::{downcast, upcast};
use crate::functional::statistical::{max_min::check_not_empty, standard::reduced_axes};
use crate::functional::{Reduce, Sum, abs, divide, max, maximum, pow, sqrt, sum};
use crate::{Result, finfo, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`lp_normalize`].
    pub struct LpNormalize {
        /// The order of the norm, above 0; infinity for the greatest magnitude.
        p: Coefficient = Coefficient::Number(2.0),
        /// The axes of the vectors; all, as one vector, if not given.
        axis: Option<Axes> = None,
    }
}

params! {
    /// Keyword arguments of [`l1_normalize`] and [`l2_normalize`].
    pub struct L2Normalize {
        /// The axes of the vectors; all, as one vector, if not given.
        axis: Option<Axes> = None,
    }
}

/// Keyword arguments of [`l1_normalize`], the same as of [`l2_normalize`].
pub type L1Normalize = L2Normalize;

/// The norms that are less count as this one, so that a vector of zeros stays one.
const LEAST: f64 = 1e-12;

fn normalized(call: &Composition<'_>, p: &Coefficient, axis: &Option<Axes>) -> Result<Outputs> {
    let (function, x) = (call.function.name, upcast(call.array(0))?);
    let over = reduced_axes(function, axis, x.ndim())?;
    let total = |x: Array| sum(x, Sum { axis: axis.clone(), keepdims: true, dtype: None });
    let normal = finfo(x.dtype().real_part()).map_or(0.0, |f| f.smallest_normal);
    // The bound stands below the root, whose derivative at 0 is infinite.
    let norm = match p.constant() {
        Some(f64::INFINITY) => {
            check_not_empty(function, x.shape(), &over)?;
            maximum(max(abs(&x)?, Reduce { axis: axis.clone(), keepdims: true })?, LEAST)?
        }
        Some(1.0) => maximum(total(abs(&x)?)?, LEAST)?,
        Some(2.0) => sqrt(maximum(total(squared_magnitude(&x)?)?, LEAST * LEAST)?)?,
        Some(p) => pow(maximum(total(pow(abs(&x)?, p)?)?, LEAST.powf(p).max(normal))?, 1.0 / p)?,
        None => {
            let sizes = abs(&x)?;
            let p = p.like(&sizes)?;
            let least = maximum(pow(LEAST, p.clone())?, normal)?;
            pow(maximum(total(pow(sizes, p.clone())?)?, least)?, divide(1.0, p)?)?
        }
    };
    Ok(smallvec![downcast(divide(&x, norm)?, call.compute)?])
}

describe! {
    LP_NORMALIZE = "lp_normalize", Norm, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: LpNormalize::new(), example: [&[2, 2]],
    Body::Compose(|call| {
        let LpNormalize { p, axis } = call.params();
        p.check(call.function.name, "p", |p| p > 0.0, "a number above 0 is needed")?;
        normalized(call, p, axis)
    })
}

/// Lp normalization: vectors along axes, divided by their norm of order `p`, the `p`-th root of the sum of the
/// magnitudes' `p`-th powers. Norms below 1e-12 count as 1e-12 (as more, where the power of that is below the floats'
/// normal range).
///
/// ```
/// use ivy::{LpNormalize, prelude::*};
/// let x = Array::try_from([[3.0f32, 4.0], [0.0, 0.0]])?;
/// let y = ivy::lp_normalize(&x, LpNormalize::new().axis(1))?;
/// assert_eq!(y.to_vec::<f32>()?, [0.6, 0.8, 0.0, 0.0]);
/// let y = ivy::lp_normalize(&x, LpNormalize::new().p(f64::INFINITY))?;
/// assert_eq!(y.to_vec::<f32>()?, [0.75, 1.0, 0.0, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an order that is not above 0,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis), and
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) for the greatest of nothing.
pub fn lp_normalize<'a>(x: impl IntoOperand<'a>, params: impl Into<LpNormalize>) -> Result<Array> {
    call_one(&LP_NORMALIZE, &[x.into_operand()], &params.into())
}

describe! {
    L1_NORMALIZE = "l1_normalize", Norm, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: L1Normalize::new(), example: [&[2, 2]],
    Body::Compose(|call| normalized(call, &Coefficient::Number(1.0), &call.params::<L1Normalize>().axis))
}

/// L1 normalization: vectors along axes, divided by the sum of their magnitudes: [`lp_normalize`] of order 1.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::l1_normalize(&Array::try_from([1.0f32, -3.0])?, ())?.to_vec::<f32>()?, [0.25, -0.75]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`lp_normalize`].
pub fn l1_normalize<'a>(x: impl IntoOperand<'a>, params: impl Into<L1Normalize>) -> Result<Array> {
    call_one(&L1_NORMALIZE, &[x.into_operand()], &params.into())
}

describe! {
    L2_NORMALIZE = "l2_normalize", Norm, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: L2Normalize::new(), example: [&[2, 2]],
    Body::Compose(|call| normalized(call, &Coefficient::Number(2.0), &call.params::<L2Normalize>().axis))
}

/// L2 normalization: vectors along axes, divided by their length: [`lp_normalize`] of order 2.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::l2_normalize(&Array::try_from([3.0f32, -4.0])?, ())?.to_vec::<f32>()?, [0.6, -0.8]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`lp_normalize`].
pub fn l2_normalize<'a>(x: impl IntoOperand<'a>, params: impl Into<L2Normalize>) -> Result<Array> {
    call_one(&L2_NORMALIZE, &[x.into_operand()], &params.into())
}
