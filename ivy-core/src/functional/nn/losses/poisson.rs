//! Poisson losses.

use super::{LossReduction, of_pairs, reduced};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::nn::{downcast, upcast};
use crate::functional::{add, exp, greater, log, multiply, subtract, where_};
use crate::{Array, Result, params, shape};
use smallvec::smallvec;
use std::f64::consts::TAU;

/// The logarithm of the factorial by Stirling's formula, `t log(t) - t + log(2 pi t) / 2`, and 0 up to 1.
fn log_factorial(targets: &Array) -> Result<Array> {
    let many = greater(targets, 1)?;
    let t = where_(&many, targets, 1)?;
    let formula = add(subtract(multiply(&t, log(&t)?)?, &t)?, multiply(log(multiply(&t, TAU)?)?, 0.5)?)?;
    where_(many, formula, 0)
}

params! {
    /// Keyword arguments of [`log_poisson_loss`].
    pub struct LogPoissonLoss {
        /// Add the part that does not depend on the predictions.
        flag compute_full_loss,
        /// The axis that is reduced.
        axis: i64 = -1,
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::None,
    }
}

describe! {
    LOG_POISSON_LOSS = "log_poisson_loss", Loss, Mixed, (true: Promoted, pred: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: LogPoissonLoss::new(), example: [&[2], &[2]], Body::Compose(compose_log_poisson)
}

fn compose_log_poisson(call: &Composition<'_>) -> Result<Outputs> {
    let (function, t, x) = (call.function.name, call.array(0), call.array(1));
    let &LogPoissonLoss { compute_full_loss, axis, reduction } = call.params();
    let all = shape::broadcast(function, &[t.shape(), x.shape()])?;
    // Of an array without axes there is none to name, and none is needed where nothing is reduced.
    if reduction != LossReduction::None || !all.is_empty() {
        shape::normalize_axis(function, axis, all.len())?;
    }
    let (t, x) = (upcast(t)?, upcast(x)?);
    let mut losses = subtract(exp(&x)?, multiply(&x, &t)?)?;
    if compute_full_loss {
        losses = add(losses, log_factorial(&t)?)?;
    }
    let loss = reduced(function, losses, reduction, Some(Axes::from(axis)))?;
    Ok(smallvec![downcast(loss, call.compute)?])
}

/// Poisson loss of log-rates: `exp(pred) - targets pred`, for predictions of the logarithm of a Poisson distribution's
/// mean; the full loss adds `log(targets!)` by Stirling's formula where a target is above 1. Reduced along an axis, if
/// at all.
///
/// ```
/// use ivy::prelude::*;
/// let (t, x) = (Array::try_from([2.0f32, 0.0])?, Array::try_from([0.0f32, 0.0])?);
/// assert_eq!(ivy::log_poisson_loss(&t, &x, ())?.to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for the reduction of batches,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn log_poisson_loss<'a, 'b>(
    targets: impl IntoOperand<'a>,
    pred: impl IntoOperand<'b>,
    params: impl Into<LogPoissonLoss>,
) -> Result<Array> {
    call_one(&LOG_POISSON_LOSS, &[targets.into_operand(), pred.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`poisson_nll_loss`].
    pub struct PoissonNllLoss {
        /// Whether the input has logarithms.
        log_input: bool = true,
        /// Add the part that does not depend on the input.
        flag full,
        /// What is added to an input whose logarithm is taken.
        eps: Coefficient = Coefficient::Number(1e-8),
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
    }
}

describe! {
    POISSON_NLL_LOSS = "poisson_nll_loss", Loss, Mixed, (input: Promoted, target: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: PoissonNllLoss::new(), example: [&[2], &[2]],
    Body::Compose(|call| {
        let PoissonNllLoss { log_input, full, eps, reduction } = call.params();
        eps.check_not_negative(call.function.name, "eps")?;
        of_pairs(call, *reduction, |x, t| {
            let losses = match log_input {
                true => subtract(exp(x)?, multiply(t, x)?)?,
                false => subtract(x, multiply(t, log(add(x, eps.like(x)?)?)?)?)?,
            };
            if *full { add(losses, log_factorial(t)?) } else { Ok(losses) }
        })
    })
}

/// Poisson negative log-likelihood: `exp(input) - target input`, or `input - target log(input + eps)` for an input that
/// has no logarithms, and the mean of that; the full loss adds `log(target!)` by Stirling's formula where a target is
/// above 1.
///
/// ```
/// use ivy::{PoissonNllLoss, prelude::*};
/// let (x, t) = (Array::try_from([1.0f64])?, Array::try_from([3.0f64])?);
/// let loss = ivy::poisson_nll_loss(&x, &t, PoissonNllLoss::new().log_input(false).eps(0.0))?;
/// assert_eq!(loss.item::<f64>()?, 1.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`l1_loss`](crate::functional::l1_loss), and [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `eps`
/// below 0.
pub fn poisson_nll_loss<'a, 'b>(
    input: impl IntoOperand<'a>,
    target: impl IntoOperand<'b>,
    params: impl Into<PoissonNllLoss>,
) -> Result<Array> {
    call_one(&POISSON_NLL_LOSS, &[input.into_operand(), target.into_operand()], &params.into())
}
