//! Group normalization.

use super::{Channels, moments, standardized};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::nn::{DataFormat, check_not_negative, downcast, invalid, upcast};
use crate::functional::reshape;
use crate::{Dims, Result, Shape, params};
use smallvec::smallvec;
use std::{iter, mem};

params! {
    /// Arguments of [`group_norm`].
    pub struct GroupNorm {
        /// How many groups the channels make.
        num_groups: usize = 1usize,
        /// What is added to the variance.
        eps: f64 = 1e-5,
        /// Where the channels are.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// What is added to the normalized elements of each channel.
        operand offset,
        /// What the normalized elements of each channel are multiplied with.
        operand scale,
    }
}

describe! {
    GROUP_NORM = "group_norm", Norm, Mixed,
    (x: Promoted, offset: Promoted optional, scale: Promoted optional), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: GroupNorm::new(), example: [&[2, 3, 2], &[2], &[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let &GroupNorm { num_groups: groups, eps, data_format, .. } = call.params();
    let channels = Channels::of(function, x, data_format)?;
    check_not_negative(function, "eps", eps)?;
    if groups == 0 || channels.count % groups != 0 {
        let value = format!("{groups} of {} channels", channels.count);
        return Err(invalid(function, "num_groups", value, "a number that divides that of the channels"));
    }
    let pair = [groups, channels.count / groups];
    // The channels' axis becomes two: the groups and what is in each.
    let (before, behind) = (&x.shape()[..channels.axis], &x.shape()[channels.axis + 1..]);
    let split: Shape = before.iter().chain(&pair).chain(behind).copied().collect();
    let over: Dims = (1..split.len()).filter(|&a| a != channels.axis).collect();
    let aligned: Shape = pair.into_iter().chain(iter::repeat_n(1, behind.len())).collect();
    let numbers = |i: usize| -> Result<Option<Array>> {
        channels.numbers(call, i)?.map(|x| reshape(x, aligned.clone(), ())).transpose()
    };
    let affine = (numbers(2)?, numbers(1)?);
    let parts = reshape(upcast(x)?, split, ())?;
    let (mean, variance) = moments(&parts, &over, true)?;
    let y = reshape(standardized(&parts, (&mean, &variance), eps, affine)?, x.shape().clone(), ())?;
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Group normalization: `(x - mean) / sqrt(variance + eps) scale + offset`, with statistics of each entry of the batch
/// and each of so many groups of channels, over the spatial axes and the group's channels. `offset` and `scale` have a
/// number of each channel.
///
/// ```
/// use ivy::{GroupNorm, prelude::*};
/// let x = Array::try_from([[1.0f64, 3.0, 0.0, 8.0]])?;
/// let y = ivy::group_norm(&x, 2usize, GroupNorm::new().eps(0.0))?;
/// assert_eq!(y.to_vec::<f64>()?, [-1.0, 1.0, -1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch);
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a number of groups that does not divide that of the
/// channels, an `eps` below 0, or a format of another number of axes;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn group_norm<'a>(
    x: impl IntoOperand<'a>,
    num_groups: usize,
    params: impl Into<GroupNorm>,
) -> Result<Array> {
    let mut params = GroupNorm { num_groups, ..params.into() };
    let offset = mem::replace(&mut params.offset, Operand::Absent);
    let scale = mem::replace(&mut params.scale, Operand::Absent);
    call_one(&GROUP_NORM, &[x.into_operand(), offset, scale], &params)
}
