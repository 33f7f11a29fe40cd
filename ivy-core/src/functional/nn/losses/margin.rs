//! Margin losses.

use super::{LossReduction, of_pairs};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient};
use crate::functional::nn::activations::softplus_of;
use crate::functional::{add, less_equal, multiply, negative, not_equal, subtract, where_};
use crate::{Array, Result, params};

params! {
    /// Keyword arguments of [`soft_margin_loss`].
    pub struct SoftMarginLoss {
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
    }
}

describe! {
    SOFT_MARGIN_LOSS = "soft_margin_loss", Loss, Mixed, (input: Promoted, target: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: SoftMarginLoss::new(), example: [&[2], &[2]],
    Body::Compose(|call| {
        of_pairs(call, call.params::<SoftMarginLoss>().reduction, |x, t| {
            softplus_of(&negative(multiply(x, t)?)?)
        })
    })
}

/// Soft margin loss: `log(1 + exp(-target input))` without overflow, for targets 1 and -1; and the mean of that.
///
/// ```
/// use ivy::prelude::*;
/// let (x, t) = (Array::try_from([0.0f64, -1000.0])?, Array::try_from([1i8, 1])?);
/// assert_eq!(ivy::soft_margin_loss(&x, &t, ())?.item::<f64>()?, (2f64.ln() + 1000.0) / 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`l1_loss`](crate::functional::l1_loss).
pub fn soft_margin_loss<'a, 'b>(
    input: impl IntoOperand<'a>,
    target: impl IntoOperand<'b>,
    params: impl Into<SoftMarginLoss>,
) -> Result<Array> {
    call_one(&SOFT_MARGIN_LOSS, &[input.into_operand(), target.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`hinge_embedding_loss`].
    pub struct HingeEmbeddingLoss {
        /// The distance from which different ones cost nothing.
        margin: Coefficient = Coefficient::Number(1.0),
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
    }
}

describe! {
    HINGE_EMBEDDING_LOSS = "hinge_embedding_loss", Loss, Mixed, (input: Promoted, target: Promoted),
    PromoteFloat -> [Compute], Bound::Composed(16.0), params: HingeEmbeddingLoss::new(), example: [&[2], &[2]],
    Body::Compose(|call| {
        let HingeEmbeddingLoss { margin, reduction } = call.params();
        margin.check_finite(call.function.name, "margin")?;
        of_pairs(call, *reduction, |x, t| {
            let lacks = subtract(margin.like(x)?, x)?;
            let lacks = where_(less_equal(&lacks, 0)?, 0, &lacks)?;
            add(where_(not_equal(t, 1)?, lacks, 0)?, where_(not_equal(t, -1)?, x, 0)?)
        })
    })
}

/// Hinge embedding loss: of distances: `input` where the target is 1, `max(0, margin - input)` where it is -1, and the
/// sum of both elsewhere; and the mean of that.
///
/// ```
/// use ivy::prelude::*;
/// let (x, t) = (Array::try_from([0.25f32, 0.25, 3.0])?, Array::try_from([1i8, -1, -1])?);
/// assert_eq!(ivy::hinge_embedding_loss(&x, &t, ())?.item::<f32>()?, (0.25 + 0.75) / 3.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`l1_loss`](crate::functional::l1_loss), and [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a margin
/// that is not finite.
pub fn hinge_embedding_loss<'a, 'b>(
    input: impl IntoOperand<'a>,
    target: impl IntoOperand<'b>,
    params: impl Into<HingeEmbeddingLoss>,
) -> Result<Array> {
    call_one(&HINGE_EMBEDDING_LOSS, &[input.into_operand(), target.into_operand()], &params.into())
}
