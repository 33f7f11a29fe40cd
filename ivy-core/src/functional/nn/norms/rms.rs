//! Root-mean-square normalization.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::nn::{check_not_negative, downcast, mismatch, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{Mean, add, divide, mean, multiply, sqrt, square};
use crate::{Result, params, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Arguments of [`rms_norm`].
    pub struct RmsNorm {
        /// The axes over which the mean is; an argument of the function.
        normalized_idxs: Axes = Axes::from(-1),
        /// What is added to the mean square.
        eps: f64 = 1e-5,
        /// What the normalized elements are multiplied with; it broadcasts to the shape of `x`.
        operand scale,
    }
}

describe! {
    RMS_NORM = "rms_norm", Norm, Mixed, (x: Promoted, scale: Promoted optional), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: RmsNorm::new(), example: [&[2, 3], &[3]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<RmsNorm>());
    let x = call.array(0);
    reduced_axes(function, &Some(p.normalized_idxs.clone()), x.ndim())?;
    check_not_negative(function, "eps", p.eps)?;
    if let Some(scale) = &call.arrays[1]
        && shape::broadcast(function, &[x.shape(), scale.shape()])? != *x.shape()
    {
        return Err(mismatch(function, "scale", format!("one that broadcasts to {}", x.shape()), scale));
    }
    let x = upcast(x)?;
    let over = Mean { axis: Some(p.normalized_idxs.clone()), keepdims: true, dtype: None };
    let root = sqrt(add(mean(square(&x)?, over)?, p.eps)?)?;
    let mut y = divide(&x, root)?;
    if let Some(scale) = &call.arrays[1] {
        y = multiply(y, upcast(scale)?)?;
    }
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Root-mean-square normalization: `x / sqrt(mean(x^2) + eps) scale`, with the mean over the axes `normalized_idxs`:
/// mostly the last one. Integers and bool give the default float dtype; float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::{RmsNorm, prelude::*};
/// let x = Array::try_from([[1.0f64, 7.0], [-5.0, 5.0]])?;
/// let y = ivy::rms_norm(&x, -1, RmsNorm::new().eps(0.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [0.2, 1.4, -1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `eps` below 0;
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) and [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a
/// scale that does not broadcast to the shape of `x`; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex
/// numbers.
pub fn rms_norm<'a>(
    x: impl IntoOperand<'a>,
    normalized_idxs: impl Into<Axes>,
    params: impl Into<RmsNorm>,
) -> Result<Array> {
    let mut params = RmsNorm { normalized_idxs: normalized_idxs.into(), ..params.into() };
    let scale = mem::replace(&mut params.scale, Operand::Absent);
    call_one(&RMS_NORM, &[x.into_operand(), scale], &params)
}
