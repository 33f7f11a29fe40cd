//! Renormalization: parts whose norm is limited.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::linalg::squared_magnitude;
use crate::functional::nn::{check, check_not_negative, downcast, upcast};
use crate::functional::{Reduce, Sum, abs, divide, greater, max, maximum, multiply, pow, sqrt, sum, where_};
use crate::{Result, params, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`renorm`].
    pub struct Renorm {
        /// The order of the norm, above 0; infinity for the greatest magnitude. An argument of the function.
        p: f64 = 2.0,
        /// The axis of the parts; an argument of the function.
        axis: i64 = 0,
        /// The greatest norm that a part keeps; an argument of the function.
        maxnorm: f64 = 1.0,
    }
}

describe! {
    RENORM = "renorm", Norm, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: Renorm::new(), example: [&[2, 2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, &Renorm { p, axis, maxnorm }) = (call.function.name, call.params::<Renorm>());
    check(function, "p", p, p > 0.0, "a number above 0 is needed")?;
    check_not_negative(function, "maxnorm", maxnorm)?;
    let x = upcast(call.array(0))?;
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    if x.shape().size() == 0 {
        return Ok(smallvec![call.array(0).clone()]);
    }
    let others: Axes = (0..x.ndim()).filter(|&a| a != axis).map(|a| a as i64).collect::<Vec<_>>().into();
    let sizes = || abs(&x);
    let total = |x: Array| match x.ndim() {
        1 => Ok(x),
        _ => sum(x, Sum { axis: Some(others.clone()), keepdims: true, dtype: None }),
    };
    // The limit stands below the root, whose derivative at 0 is infinite.
    let power = match p {
        f64::INFINITY if x.ndim() == 1 => sizes()?,
        f64::INFINITY => max(sizes()?, Reduce { axis: Some(others), keepdims: true })?,
        1.0 => total(sizes()?)?,
        2.0 => total(squared_magnitude(&x)?)?,
        _ => total(pow(sizes()?, p)?)?,
    };
    let limit = if p.is_finite() { maxnorm.powf(p) } else { maxnorm };
    let some = maximum(&power, limit.max(f64::from(f32::MIN_POSITIVE)))?;
    let norm = match p {
        f64::INFINITY | 1.0 => some,
        2.0 => sqrt(some)?,
        _ => pow(some, 1.0 / p)?,
    };
    let factor = where_(greater(&power, limit)?, divide(maxnorm, norm)?, 1.0)?;
    Ok(smallvec![downcast(multiply(&x, factor)?, call.compute)?])
}

/// Renormalization: an array whose parts along an axis have norms of order `p` of at most `maxnorm`: those with a
/// greater one are multiplied by `maxnorm / norm`, the others stay as they are. The norm of a part is the `p`-th root
/// of the sum of the `p`-th powers of its elements' magnitudes.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[3.0f32, 4.0], [0.5, 0.5]])?;
/// assert_eq!(ivy::renorm(&x, 2.0, 0, 2.5)?.to_vec::<f32>()?, [1.5, 2.0, 0.5, 0.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an order that is not above 0 and a limit below 0;
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes.
pub fn renorm<'a>(x: impl IntoOperand<'a>, p: f64, axis: i64, maxnorm: f64) -> Result<Array> {
    call_one(&RENORM, &[x.into_operand()], &Renorm { p, axis, maxnorm })
}
