//! Batch and instance normalization, with running statistics.

use super::{Channels, axes, moments, standardized};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs, Params};
use crate::functional::nn::{DataFormat, check_not_negative, downcast, invalid, upcast};
use crate::functional::{Mean, add, mean, multiply, reshape};
use crate::{Function, Result, Shape, params};
use std::mem;

params! {
    /// Keyword arguments of [`batch_norm`].
    pub struct BatchNorm {
        /// Take the statistics of `x` and bring them into the running ones.
        flag training,
        /// What is added to the variance.
        eps: f64 = 1e-5,
        /// How much of the new running statistics is those of `x`.
        momentum: Coefficient = Coefficient::Number(0.1),
        /// Where the channels are.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// What is added to the normalized elements of each channel.
        operand offset,
        /// What the normalized elements of each channel are multiplied with.
        operand scale,
    }
}

params! {
    /// Keyword arguments of [`instance_norm`].
    pub struct InstanceNorm {
        /// Take the statistics of `x` and bring them into the running ones.
        flag training,
        /// What is added to the variance.
        eps: f64 = 0.0,
        /// How much of the new running statistics is those of `x`.
        momentum: Coefficient = Coefficient::Number(0.1),
        /// Where the channels are.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// What is added to the normalized elements of each channel.
        operand offset,
        /// What the normalized elements of each channel are multiplied with.
        operand scale,
    }
}

/// The results of [`batch_norm`] and [`instance_norm`].
#[derive(Clone, Debug)]
pub struct Normalized {
    /// The normalized elements, in the shape of `x`.
    pub normalized: Array,
    /// The running mean of each channel.
    pub running_mean: Array,
    /// The running variance of each channel.
    pub running_var: Array,
}

describe! {
    BATCH_NORM = "batch_norm", Norm, Mixed,
    (x: Promoted, mean: Promoted, variance: Promoted, offset: Promoted optional, scale: Promoted optional),
    PromoteFloat -> [Compute, Compute, Compute], Bound::Composed(16.0), params: BatchNorm::new(),
    example: [&[4, 2], &[2], &[2], &[2], &[2]],
    Body::Compose(|call| {
        let BatchNorm { training, eps, momentum, data_format, .. } = call.params();
        compose(call, *training, *eps, momentum, *data_format, false)
    })
}

describe! {
    INSTANCE_NORM = "instance_norm", Norm, Mixed,
    (x: Promoted, mean: Promoted, variance: Promoted, offset: Promoted optional, scale: Promoted optional),
    PromoteFloat -> [Compute, Compute, Compute], Bound::Composed(16.0), params: InstanceNorm::new(),
    example: [&[2, 3, 2], &[2], &[2], &[2], &[2]],
    Body::Compose(|call| {
        let InstanceNorm { training, eps, momentum, data_format, .. } = call.params();
        compose(call, *training, *eps, momentum, *data_format, true)
    })
}

fn compose(
    call: &Composition<'_>,
    training: bool,
    eps: f64,
    momentum: &Coefficient,
    format: DataFormat,
    each: bool,
) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let channels = Channels::of(function, x, format)?;
    check_not_negative(function, "eps", eps)?;
    momentum.check_share(function, "momentum", 1.0, "a number from 0 to 1 is needed")?;
    let numbers = |i: usize| channels.numbers(call, i);
    let required =
        |i: usize| numbers(i).map(|x| x.expect("the plan has checked that required operands are there"));
    let (mut running_mean, mut running_var) = (required(1)?, required(2)?);
    let aligned = |x: Array| {
        let shape = channels.aligned();
        if *x.shape() == shape { Ok(x) } else { reshape(x, shape, ()) }
    };
    let affine = (numbers(4)?.map(aligned).transpose()?, numbers(3)?.map(aligned).transpose()?);
    let x = upcast(x)?;
    let y = if training {
        let mut over = channels.spatial.clone();
        if !each {
            over.insert(0, 0);
        }
        let count: usize = over.iter().map(|&a| x.shape()[a]).product();
        if count < 2 || x.shape()[0] == 0 {
            let value = format!("{count} elements of a channel");
            return Err(invalid(function, "training", value, "a variance needs more than one element"));
        }
        let (mean, variance) = moments(&x, &over, true)?;
        running_mean = moved(&channels, &running_mean, &mean, momentum, 1.0)?;
        let unbiased = count as f64 / (count - 1) as f64;
        running_var = moved(&channels, &running_var, &variance, momentum, unbiased)?;
        standardized(&x, (&mean, &variance), eps, affine)?
    } else {
        let (mean, variance) = (aligned(running_mean.clone())?, aligned(running_var.clone())?);
        standardized(&x, (&mean, &variance), eps, affine)?
    };
    [y, running_mean, running_var].into_iter().map(|x| downcast(x, call.compute)).collect()
}

/// A running statistic moved towards that of a batch: the mean of its entries, times a factor.
fn moved(
    channels: &Channels,
    running: &Array,
    of_batch: &Array,
    momentum: &Coefficient,
    factor: f64,
) -> Result<Array> {
    let own = if of_batch.shape()[0] > 1 {
        mean(of_batch, Mean { axis: Some(axes(&[0])), ..Mean::new() })?
    } else {
        of_batch.clone()
    };
    let own = reshape(own, Shape::from([channels.count]), ())?;
    let kept = multiply(running, momentum.rest()?.like(running)?)?;
    add(kept, multiply(&own, momentum.times(factor)?.like(&own)?)?)
}

fn normalized(
    function: &'static Function,
    operands: [Operand<'_>; 5],
    params: &dyn Params,
) -> Result<Normalized> {
    let mut results = call(function, &operands, params)?.into_iter();
    match (results.next(), results.next(), results.next()) {
        (Some(normalized), Some(running_mean), Some(running_var)) => {
            Ok(Normalized { normalized, running_mean, running_var })
        }
        _ => unreachable!("the function has three results"),
    }
}

/// Batch normalization: `(x - mean) / sqrt(variance + eps) scale + offset` of each channel. In training the statistics
/// are those of `x`, over the batch and the spatial axes, and the running ones that come back are
/// `(1 - momentum) mean + momentum mean_of_x`, and the same of the variance, of which the batch's is divided by
/// `n - 1`. Else the given ones are taken, and come back.
///
/// The axes of `x` are the batch, the spatial ones, if any, and the channels, in the order of `data_format`; `mean`,
/// `variance`, `offset` and `scale` have a number of each channel.
///
/// ```
/// use ivy::{BatchNorm, prelude::*};
/// let x = Array::try_from([[1.0f64], [3.0]])?;
/// let (mean, variance) = (Array::try_from([0.0f64])?, Array::try_from([4.0f64])?);
/// let y = ivy::batch_norm(&x, &mean, &variance, BatchNorm::new().eps(0.0))?;
/// assert_eq!(y.normalized.to_vec::<f64>()?, [0.5, 1.5]);
/// let y = ivy::batch_norm(&x, &mean, &variance, BatchNorm::new().eps(0.0).training().momentum(0.5))?;
/// assert_eq!(y.normalized.to_vec::<f64>()?, [-1.0, 1.0]);
/// assert_eq!((y.running_mean.item::<f64>()?, y.running_var.item::<f64>()?), (1.0, 3.0));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch);
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `eps` below 0, a momentum that is not from 0 to 1, a
/// format of another number of axes, and for training with less than two elements of a channel;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn batch_norm<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    mean: impl IntoOperand<'b>,
    variance: impl IntoOperand<'c>,
    params: impl Into<BatchNorm>,
) -> Result<Normalized> {
    let mut params = params.into();
    let offset = mem::replace(&mut params.offset, Operand::Absent);
    let scale = mem::replace(&mut params.scale, Operand::Absent);
    let operands = [x.into_operand(), mean.into_operand(), variance.into_operand(), offset, scale];
    normalized(&BATCH_NORM, operands, &params)
}

/// Instance normalization: [`batch_norm`] of each entry of the batch by itself: in training the statistics are those of
/// the spatial axes, and the running ones are moved towards the mean of the entries'.
///
/// ```
/// use ivy::{InstanceNorm, prelude::*};
/// let x = Array::try_from([[[1.0f64], [3.0]], [[0.0], [8.0]]])?;
/// let (mean, variance) = (Array::try_from([0.0f64])?, Array::try_from([1.0f64])?);
/// let y = ivy::instance_norm(&x, &mean, &variance, InstanceNorm::new().training())?;
/// assert_eq!(y.normalized.to_vec::<f64>()?, [-1.0, 1.0, -1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`batch_norm`].
pub fn instance_norm<'a, 'b, 'c>(
    x: impl IntoOperand<'a>,
    mean: impl IntoOperand<'b>,
    variance: impl IntoOperand<'c>,
    params: impl Into<InstanceNorm>,
) -> Result<Normalized> {
    let mut params = params.into();
    let offset = mem::replace(&mut params.offset, Operand::Absent);
    let scale = mem::replace(&mut params.scale, Operand::Absent);
    let operands = [x.into_operand(), mean.into_operand(), variance.into_operand(), offset, scale];
    normalized(&INSTANCE_NORM, operands, &params)
}
