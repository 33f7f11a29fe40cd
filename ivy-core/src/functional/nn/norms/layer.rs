//! Layer normalization.

use super::moments;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::nn::{check_finite, check_not_negative, downcast, mismatch, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{add, divide, multiply, sqrt, subtract};
use crate::{Result, params, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Arguments of [`layer_norm`].
    pub struct LayerNorm {
        /// The axes over which the statistics are.
        normalized_idxs: Axes = Axes::from(-1),
        /// What is added to the variance.
        eps: f64 = 1e-5,
        /// The standard deviation of the result, before it is scaled.
        new_std: f64 = 1.0,
        /// What the normalized elements are multiplied with; it broadcasts to the shape of `x`.
        operand scale,
        /// What is added then; it broadcasts to the shape of `x`.
        operand offset,
    }
}

describe! {
    LAYER_NORM = "layer_norm", Norm, Mixed,
    (x: Promoted, scale: Promoted optional, offset: Promoted optional), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: LayerNorm::new(), example: [&[2, 3], &[3], &[3]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, params) = (call.function.name, call.array(0), call.params::<LayerNorm>());
    let over = reduced_axes(function, &Some(params.normalized_idxs.clone()), x.ndim())?;
    check_not_negative(function, "eps", params.eps)?;
    check_finite(function, "new_std", params.new_std)?;
    let aligned = |i: usize| -> Result<Option<Array>> {
        let Some(y) = &call.arrays[i] else { return Ok(None) };
        if shape::broadcast(function, &[x.shape(), y.shape()])? != *x.shape() {
            let expected = format!("one that broadcasts to {}", x.shape());
            return Err(mismatch(function, call.function.operand(i).name, expected, y));
        }
        upcast(y).map(Some)
    };
    let (scale, offset) = (aligned(1)?, aligned(2)?);
    let x = upcast(x)?;
    let (mean, variance) = moments(&x, &over, true)?;
    let factor = divide(params.new_std, sqrt(add(variance, params.eps)?)?)?;
    let mut y = multiply(subtract(x, mean)?, factor)?;
    if let Some(scale) = scale {
        y = multiply(y, scale)?;
    }
    if let Some(offset) = offset {
        y = add(y, offset)?;
    }
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Layer normalization: `(x - mean) / sqrt(variance + eps) new_std scale + offset`, with the mean and the variance of
/// `x` over the axes `normalized_idxs`: mostly the last one, or the last few.
///
/// ```
/// use ivy::{LayerNorm, prelude::*};
/// let x = Array::try_from([[1.0f64, 3.0], [-5.0, 5.0]])?;
/// let y = ivy::layer_norm(&x, -1, LayerNorm::new().eps(0.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [-1.0, 1.0, -1.0, 1.0]);
/// let (scale, offset) = (Array::try_from([2.0f64, 3.0])?, Array::try_from([0.5f64, 0.0])?);
/// let y = ivy::layer_norm(&x, -1, LayerNorm::new().eps(0.0).scale(&scale).offset(&offset))?;
/// assert_eq!(y.to_vec::<f64>()?, [-1.5, 3.0, -1.5, 3.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `eps` below 0 or numbers that are not finite,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) and [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a
/// scale or an offset that does not broadcast to the shape of `x`,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn layer_norm<'a>(
    x: impl IntoOperand<'a>,
    normalized_idxs: impl Into<Axes>,
    params: impl Into<LayerNorm>,
) -> Result<Array> {
    let mut params = LayerNorm { normalized_idxs: normalized_idxs.into(), ..params.into() };
    let scale = mem::replace(&mut params.scale, Operand::Absent);
    let offset = mem::replace(&mut params.offset, Operand::Absent);
    call_one(&LAYER_NORM, &[x.into_operand(), scale, offset], &params)
}
