//! Local response normalization.

use super::Channels;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::manipulation::slice_axes;
use crate::functional::nn::{DataFormat, downcast, invalid, upcast};
use crate::functional::{add, divide, multiply, pow, square, zero_pad};
use crate::{AxisSlice, Dims, Result, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`local_response_norm`].
    pub struct LocalResponseNorm {
        /// How many neighbouring channels are added.
        size: usize = 1usize,
        /// What the sum is added to.
        bias: Coefficient = Coefficient::Number(1.0),
        /// What the sum is multiplied with.
        alpha: Coefficient = Coefficient::Number(1.0),
        /// The power of the divisor.
        beta: Coefficient = Coefficient::Number(0.5),
        /// Whether the sum is divided by `size`.
        flag average,
        /// Where the channels are.
        data_format: DataFormat = DataFormat::Nhwc,
    }
}

describe! {
    LOCAL_RESPONSE_NORM = "local_response_norm", Norm, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: LocalResponseNorm::new(), example: [&[1, 2, 2, 3]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x) = (call.function.name, upcast(call.array(0))?);
    let LocalResponseNorm { size, bias, alpha, beta, average, data_format } = call.params();
    let size = *size;
    let channels = Channels::of(function, &x, *data_format)?;
    if size == 0 {
        return Err(invalid(function, "size", size.to_string(), "at least one channel"));
    }
    for (argument, value) in [("bias", bias), ("alpha", alpha), ("beta", beta)] {
        value.check_finite(function, argument)?;
    }
    if x.size() == 0 {
        return Ok(smallvec![call.array(0).clone()]);
    }
    // No neighbour is farther away than the last channel.
    let (before, behind) = ((size / 2).min(channels.count - 1), ((size - 1) / 2).min(channels.count - 1));
    let widths: Vec<(usize, usize)> =
        (0..x.ndim()).map(|a| if a == channels.axis { (before, behind) } else { (0, 0) }).collect();
    let squares = zero_pad(square(&x)?, widths)?;
    let shifted = |start: usize| {
        let mut axes: Dims<AxisSlice> =
            x.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        axes[channels.axis].start = start;
        slice_axes(function, &squares, axes)
    };
    let mut total = shifted(0)?;
    for start in 1..=before + behind {
        total = add(total, shifted(start)?)?;
    }
    let factor = if *average { alpha.times(1.0 / size as f64)? } else { alpha.clone() };
    let divisor = pow(add(multiply(total, factor.like(&x)?)?, bias.like(&x)?)?, beta.like(&x)?)?;
    Ok(smallvec![downcast(divide(&x, divisor)?, call.compute)?])
}

/// Local response normalization: `x / (bias + alpha s)^beta`, where `s` is the sum of the squares of `size`
/// neighbouring channels, `size / 2` of them before each and the others from it on, or with `average` that sum divided
/// by `size`.
///
/// ```
/// use ivy::{DataFormat, LocalResponseNorm, prelude::*};
/// let x = Array::try_from([[3.0f64, 4.0, 0.0]])?;
/// let all = LocalResponseNorm::new().bias(0.0).data_format(DataFormat::ChannelLast);
/// let y = ivy::local_response_norm(&x, 3usize, all)?;
/// assert_eq!(y.to_vec::<f64>()?, [0.6, 0.8, 0.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a size of 0, numbers that are not finite, or a format of
/// another number of axes; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for less than two axes;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn local_response_norm<'a>(
    x: impl IntoOperand<'a>,
    size: usize,
    params: impl Into<LocalResponseNorm>,
) -> Result<Array> {
    call_one(&LOCAL_RESPONSE_NORM, &[x.into_operand()], &LocalResponseNorm { size, ..params.into() })
}
