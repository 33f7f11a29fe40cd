//! Kullback-Leibler divergence and Wasserstein losses.

use super::{LossReduction, of_pairs};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::nn::{downcast, upcast};
use crate::functional::{divide, exp, log, mean, multiply, negative, not_equal, subtract, sum, where_};
use crate::{Array, Result, params, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`kl_div`].
    pub struct KlDiv {
        /// What becomes of the losses of single elements: `batchmean` is their sum over the length of the first axis.
        reduction: LossReduction = LossReduction::Mean,
        /// Whether the target, too, has logarithms.
        flag log_target,
    }
}

describe! {
    KL_DIV = "kl_div", Loss, Mixed, (input: Promoted, target: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: KlDiv::new(), example: [&[2, 2], &[2, 2]], Body::Compose(compose_kl_div)
}

fn compose_kl_div(call: &Composition<'_>) -> Result<Outputs> {
    let (function, &KlDiv { reduction, log_target }) = (call.function.name, call.params());
    if reduction != LossReduction::BatchMean {
        return of_pairs(call, reduction, |x, t| divergence(x, t, log_target));
    }
    let all = shape::broadcast(function, &[call.array(0).shape(), call.array(1).shape()])?;
    let losses = divergence(&upcast(call.array(0))?, &upcast(call.array(1))?, log_target)?;
    let entries = all.first().copied().unwrap_or(1);
    let total = divide(sum(losses, ())?, entries as f64)?;
    Ok(smallvec![downcast(total, call.compute)?])
}

fn divergence(input: &Array, target: &Array, log_target: bool) -> Result<Array> {
    if log_target {
        return multiply(exp(target)?, subtract(target, input)?);
    }
    // 0 log(0) is 0; the logarithm sees a 1 there, so that no derivative is infinite.
    let there = not_equal(target, 0)?;
    multiply(target, subtract(log(where_(there, target, 1)?)?, input)?)
}

/// Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`:
/// `target (log(target) - input)`, 0 where the target is 0, and the mean of that.
///
/// ```
/// use ivy::{KlDiv, LossReduction, prelude::*};
/// let input = ivy::log(Array::try_from([[0.25f64, 0.75]])?)?;
/// let target = Array::try_from([[1.0f64, 0.0]])?;
/// let loss = ivy::kl_div(&input, &target, KlDiv::new().reduction(LossReduction::BatchMean))?;
/// assert_eq!(loss.item::<f64>()?, 4f64.ln());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn kl_div<'a, 'b>(
    input: impl IntoOperand<'a>,
    target: impl IntoOperand<'b>,
    params: impl Into<KlDiv>,
) -> Result<Array> {
    call_one(&KL_DIV, &[input.into_operand(), target.into_operand()], &params.into())
}

describe! {
    WASSERSTEIN_LOSS_DISCRIMINATOR = "wasserstein_loss_discriminator", Loss, Mixed, (p_real: Promoted, p_fake: Promoted),
    PromoteFloat -> [Compute], Bound::Composed(16.0), params: (), example: [&[2], &[2]],
    Body::Compose(|call| {
        let of = |i: usize| mean(upcast(call.array(i))?, ());
        Ok(smallvec![downcast(subtract(of(1)?, of(0)?)?, call.compute)?])
    })
}

/// Wasserstein loss of a discriminator: the mean of what it says of made samples less that of real ones.
///
/// ```
/// use ivy::prelude::*;
/// let (real, made) = (Array::try_from([2.0f32, 4.0])?, Array::try_from([1.0f32])?);
/// assert_eq!(ivy::wasserstein_loss_discriminator(&real, &made)?.item::<f32>()?, -2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn wasserstein_loss_discriminator<'a, 'b>(
    p_real: impl IntoOperand<'a>,
    p_fake: impl IntoOperand<'b>,
) -> Result<Array> {
    call_one(&WASSERSTEIN_LOSS_DISCRIMINATOR, &[p_real.into_operand(), p_fake.into_operand()], &())
}

describe! {
    WASSERSTEIN_LOSS_GENERATOR = "wasserstein_loss_generator", Loss, Mixed, (pred_fake: Promoted),
    PromoteFloat -> [Compute], Bound::Composed(16.0), params: (), example: [&[2]],
    Body::Compose(|call| {
        let loss = mean(upcast(call.array(0))?, ())?;
        Ok(smallvec![downcast(negative(loss)?, call.compute)?])
    })
}

/// Wasserstein loss of a generator: the negative mean of what the discriminator says of its samples.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::wasserstein_loss_generator(&Array::try_from([2.0f32, 4.0])?)?.item::<f32>()?, -3.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn wasserstein_loss_generator<'a>(pred_fake: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&WASSERSTEIN_LOSS_GENERATOR, &[pred_fake.into_operand()], &())
}
