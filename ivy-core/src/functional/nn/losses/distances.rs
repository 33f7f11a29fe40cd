//! L1, Huber and smooth L1 losses.

use super::{LossReduction, of_pairs};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient};
use crate::functional::{abs, divide, less_equal, multiply, subtract, where_};
use crate::{Array, Result, params};

params! {
    /// Keyword arguments of [`l1_loss`].
    pub struct L1Loss {
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
    }
}

describe! {
    L1_LOSS = "l1_loss", Loss, Mixed, (input: Promoted, target: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: L1Loss::new(), example: [&[2], &[2]],
    Body::Compose(|call| of_pairs(call, call.params::<L1Loss>().reduction, |a, b| abs(subtract(a, b)?)))
}

/// Mean absolute error: `|input - target|`, and the mean of that.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([1.0f32, 5.0])?, Array::try_from([2.0f32, 2.0])?);
/// assert_eq!(ivy::l1_loss(&x, &y, ())?.item::<f32>()?, 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for the reduction of batches,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn l1_loss<'a, 'b>(
    input: impl IntoOperand<'a>,
    target: impl IntoOperand<'b>,
    params: impl Into<L1Loss>,
) -> Result<Array> {
    call_one(&L1_LOSS, &[input.into_operand(), target.into_operand()], &params.into())
}

/// `d^2 / 2` where the distance `d` is at most a width `w`, else `w (d - w / 2)`; over `w` if so asked. Each form sees
/// only the distances that it is of, so that the other has no part in derivatives, and the square overflows nowhere.
fn bent(a: &Array, b: &Array, width: &Coefficient, over_width: bool) -> Result<Array> {
    let difference = subtract(a, b)?;
    let (half, width) = (width.times(0.5)?.like(&difference)?, width.like(&difference)?);
    let inside = less_equal(abs(&difference)?, width.clone())?;
    let near = where_(&inside, &difference, 0)?;
    let far = where_(&inside, width.clone(), abs(&difference)?)?;
    let square = multiply(&near, multiply(&near, 0.5)?)?;
    let linear = subtract(far, half)?;
    match over_width {
        true => where_(inside, divide(square, width)?, linear),
        false => where_(inside, square, multiply(linear, width)?),
    }
}

params! {
    /// Keyword arguments of [`huber_loss`].
    pub struct HuberLoss {
        /// The distance from which the loss is linear.
        delta: Coefficient = Coefficient::Number(1.0),
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
    }
}

describe! {
    HUBER_LOSS = "huber_loss", Loss, Mixed, (true: Promoted, pred: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: HuberLoss::new(), example: [&[2], &[2]],
    Body::Compose(|call| {
        let HuberLoss { delta, reduction } = call.params();
        delta.check_positive(call.function.name, "delta")?;
        of_pairs(call, *reduction, |a, b| bent(a, b, delta, false))
    })
}

/// Huber loss: with the distance `d = |targets - pred|`, `d^2 / 2` where it is at most `delta`, else
/// `delta (d - delta / 2)`; and the mean of that.
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([1.0f32, 5.0])?, Array::try_from([2.0f32, 2.0])?);
/// assert_eq!(ivy::huber_loss(&x, &y, ())?.item::<f32>()?, 1.5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`l1_loss`], and [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a `delta` that is not above 0.
pub fn huber_loss<'a, 'b>(
    targets: impl IntoOperand<'a>,
    pred: impl IntoOperand<'b>,
    params: impl Into<HuberLoss>,
) -> Result<Array> {
    call_one(&HUBER_LOSS, &[targets.into_operand(), pred.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`smooth_l1_loss`].
    pub struct SmoothL1Loss {
        /// The distance from which the loss is linear.
        beta: Coefficient = Coefficient::Number(1.0),
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
    }
}

describe! {
    SMOOTH_L1_LOSS = "smooth_l1_loss", Loss, Mixed, (input: Promoted, target: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: SmoothL1Loss::new(), example: [&[2], &[2]],
    Body::Compose(|call| {
        let SmoothL1Loss { beta, reduction } = call.params();
        beta.check_not_negative(call.function.name, "beta")?;
        of_pairs(call, *reduction, |a, b| match beta.number() {
            Some(beta) if beta < 1e-5 => abs(subtract(a, b)?),
            _ => bent(a, b, beta, true),
        })
    })
}

/// Smooth L1 loss: with the distance `d = |input - target|`, `d^2 / (2 beta)` where it is at most `beta`, else
/// `d - beta / 2`; and the mean of that. With a `beta` below 1e-5 it is [`l1_loss`].
///
/// ```
/// use ivy::prelude::*;
/// let (x, y) = (Array::try_from([1.0f32, 5.0])?, Array::try_from([2.0f32, 2.0])?);
/// assert_eq!(ivy::smooth_l1_loss(&x, &y, ())?.item::<f32>()?, 1.5);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`l1_loss`], and [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a `beta` below 0.
pub fn smooth_l1_loss<'a, 'b>(
    input: impl IntoOperand<'a>,
    target: impl IntoOperand<'b>,
    params: impl Into<SmoothL1Loss>,
) -> Result<Array> {
    call_one(&SMOOTH_L1_LOSS, &[input.into_operand(), target.into_operand()], &params.into())
}
