//! Piecewise linear interpolation.

use super::polyval::element;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::precision::{downcast, upcast};
use crate::functional::{
    SearchSorted, Side, Take, add, argsort, astype, clip, concat, divide, equal, greater, isnan, lerp, less,
    minimum, multiply, remainder, reshape, searchsorted, subtract, take, where_,
};
use crate::{ErrorKind, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`interp`].
    pub struct Interp {
        /// The value below `xp[0]`; that of the first point if not given.
        left: Option<f64> = None,
        /// The value above `xp[-1]`; that of the last point if not given.
        right: Option<f64> = None,
        /// After which distance the function repeats itself. Then `left` and `right` have no meaning, and the points
        /// may be in any order.
        period: Option<f64> = None,
    }
}

describe! {
    INTERP = "interp", Statistical, Compositional, (x: Promoted, xp: Promoted, fp: Promoted),
    PromoteFloat -> [Compute], Bound::Composed(8.0), params: Interp::new(), example: [&[2], &[2], &[2]],
    Body::Compose(compose_interp)
}

fn compose_interp(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Interp>());
    let shape = call.array(0).shape().clone();
    let mut x = reshape(upcast(call.array(0))?, Shape::from([shape.size()]), ())?;
    let (mut xp, mut fp) = (upcast(call.array(1))?, upcast(call.array(2))?);
    if xp.ndim() != 1 || xp.size() == 0 {
        return Err(mismatch(function, "xp", "one axis, not empty".into(), xp.shape()));
    }
    if fp.shape() != xp.shape() {
        return Err(mismatch(function, "fp", xp.shape().to_string(), fp.shape()));
    }
    let (mut left, mut right) = (params.left, params.right);
    if let Some(period) = params.period {
        if !period.is_finite() || period == 0.0 {
            let (value, rule) = (period.to_string(), "a finite number other than 0");
            return Err(ErrorKind::InvalidArgument { function, argument: "period", value, rule }.into());
        }
        let period = period.abs();
        (left, right) = (None, None);
        x = remainder(&x, period)?;
        xp = remainder(&xp, period)?;
        let order = argsort(&xp, ())?;
        let last = xp.size() - 1;
        let sorted = |values: &Array| take(values, &order, Take::new().axis(0));
        (xp, fp) = (sorted(&xp)?, sorted(&fp)?);
        // The last point before the first one, and the first one behind the last.
        let one = |values: &Array, at: usize| element(function, values, at, 1);
        let (before, behind) = (subtract(one(&xp, last)?, period)?, add(one(&xp, 0)?, period)?);
        xp = concat([&before, &xp, &behind], ())?;
        fp = concat([&one(&fp, last)?, &fp, &one(&fp, 0)?], ())?;
    }
    let last = xp.size() - 1;
    let (first, end) = (element(function, &xp, 0, 0)?, element(function, &xp, last, 0)?);
    let (below, above) = (less(&x, &first)?, greater(&x, &end)?);
    let inside = where_(&below, &first, where_(&above, &end, &x)?)?;
    let found = searchsorted(&xp, &inside, SearchSorted::new().side(Side::Right))?;
    let low = clip(subtract(found, 1)?, 0, last.saturating_sub(1) as i64)?;
    let high = minimum(add(&low, 1)?, last as i64)?;
    let at = |values: &Array, places: &Array| take(values, places, Take::new().axis(0));
    let (x0, y0, x1, y1) = (at(&xp, &low)?, at(&fp, &low)?, at(&xp, &high)?, at(&fp, &high)?);
    // Of two points at one place the second one counts.
    let width = subtract(&x1, &x0)?;
    let same = equal(&width, 0)?;
    let divisor = where_(&same, 1, &width)?;
    let part = divide(subtract(&inside, &x0)?, &divisor)?;
    let part = add(part, astype(same, width.dtype())?)?;
    let line = lerp(&y0, &y1, &part)?;
    // Between infinite places or values: the line from the first point, and where that is not defined from the second one;
    // a point itself has its own value, and so have points of one value what lies between them.
    let slope = divide(subtract(&y1, &y0)?, divisor)?;
    let from = |place: &Array, value: &Array| add(multiply(&slope, subtract(&inside, place)?)?, value);
    let (first, second) = (from(&x0, &y0)?, from(&x1, &y1)?);
    let unbounded = where_(equal(&y0, &y1)?, &y0, second)?;
    let unbounded = where_(isnan(&first)?, unbounded, first)?;
    let unbounded = where_(equal(&inside, &x1)?, &y1, unbounded)?;
    let unbounded = where_(equal(&inside, &x0)?, &y0, unbounded)?;
    let unbounded = where_(isnan(&inside)?, &inside, unbounded)?;
    let result = where_(isnan(&line)?, unbounded, &line)?;
    let result = match left {
        Some(left) => where_(below, left, result)?,
        None => where_(below, element(function, &fp, 0, 0)?, result)?,
    };
    let result = match right {
        Some(right) => where_(above, right, result)?,
        None => where_(above, element(function, &fp, last, 0)?, result)?,
    };
    Ok(smallvec![reshape(downcast(result, call.compute)?, shape, ())?])
}

/// Piecewise linear interpolation: the values at `x` of the function that goes through the points `(xp[i], fp[i])` in
/// straight lines: `fp[i] + (fp[i + 1] - fp[i]) * (x - xp[i]) / (xp[i + 1] - xp[i])` where `xp[i] <= x < xp[i + 1]`.
/// Outside of the points it is `left` and `right`. `xp` ascends, which is not checked. At a point the value is exactly
/// the point's. NaN gives NaN.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Interp;
/// let xp = Array::try_from([1.0f32, 2.0, 4.0])?;
/// let fp = Array::try_from([3.0f32, 2.0, 0.0])?;
/// let x = Array::try_from([0.0f32, 1.5, 3.0, 5.0])?;
/// assert_eq!(ivy::interp(&x, &xp, &fp, ())?.to_vec::<f32>()?, [3.0, 2.5, 1.0, 0.0]);
/// let ends = Interp::new().left(-1.0).right(9.0);
/// assert_eq!(ivy::interp(&x, &xp, &fp, ends)?.to_vec::<f32>()?, [-1.0, 2.5, 1.0, 9.0]);
/// let again = ivy::interp(&x, &xp, &fp, Interp::new().period(4.0))?;
/// assert_eq!(again.to_vec::<f32>()?, [0.0, 2.5, 1.0, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) unless `xp` and `fp` have one axis of the same length, which is not 0;
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a period that is 0 or not finite;
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers.
pub fn interp<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    xp: impl IntoOperand<'b>,
    fp: impl IntoOperand<'c>,
    params: impl Into<Interp>,
) -> Result<Array> {
    call_one(&INTERP, &[x.into_operand(), xp.into_operand(), fp.into_operand()], &params.into())
}
