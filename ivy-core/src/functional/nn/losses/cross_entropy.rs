//! Cross-entropy with a distribution.

use super::LossReduction;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::nn::activations::log_shares;
use crate::functional::nn::{downcast, mismatch, upcast};
use crate::functional::statistical::max_min::check_not_empty;
use crate::functional::{Mean, Sum, add, clip, divide, log, mean, multiply, negative, reshape, sum};
use crate::{Result, Shape, params, shape};
use smallvec::smallvec;
use std::{iter, mem};

params! {
    /// Keyword arguments of [`cross_entropy`].
    pub struct CrossEntropy {
        /// The axis of the classes, along which losses are reduced; if not given the last one, and losses are reduced over
        /// all axes, as Ivy has it.
        axis: Option<i64> = None,
        /// How far probabilities are kept from 0 and 1, from 0 to 0.5. Of no meaning for logits.
        epsilon: Coefficient = Coefficient::Number(1e-7),
        /// What becomes of the losses of single classes: sum and mean are those along the axis that is given, `batchmean` is the sum
        /// over the number of entries, one for each place of the other axes.
        reduction: LossReduction = LossReduction::Mean,
        /// Whether predictions are logits, and not probabilities.
        flag from_logits,
        /// How far targets are moved towards a uniform distribution, from 0 to 1.
        label_smoothing: Coefficient = Coefficient::Number(0.0),
        /// A number for each class that its losses are multiplied with.
        operand weight,
    }
}

describe! {
    CROSS_ENTROPY = "cross_entropy", Loss, Mixed,
    (true: Promoted, pred: Promoted, weight: Promoted optional), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: CrossEntropy::new(), example: [&[2, 3], &[2, 3], &[3]], Body::Compose(compose)
}

/// The axis of the classes, counted from the end, as predictions and targets may have another number of axes.
pub(super) fn class_axis(function: &'static str, axis: i64, pred: &Array) -> Result<i64> {
    let own = shape::normalize_axis(function, axis, pred.ndim())?;
    check_not_empty(function, pred.shape(), &[own])?;
    Ok(own as i64 - pred.ndim() as i64)
}

/// What the two functions of this kind check alike.
pub(super) fn check_shares(
    function: &'static str,
    epsilon: &Coefficient,
    label_smoothing: &Coefficient,
) -> Result<()> {
    epsilon.check_share(function, "epsilon", 0.5, "a number from 0 to 0.5 is needed")?;
    label_smoothing.check_share(function, "label_smoothing", 1.0, "a number from 0 to 1 is needed")
}

/// The logarithms of the predicted probabilities.
pub(super) fn log_predictions(
    pred: &Array,
    axis: i64,
    from_logits: bool,
    epsilon: &Coefficient,
) -> Result<Array> {
    match from_logits {
        true => log_shares(pred, axis),
        false => log(clip(pred, epsilon.like(pred)?, epsilon.rest()?.like(pred)?)?),
    }
}

/// The weights of the classes, widened, in a shape that broadcasts with the predictions.
pub(super) fn class_weights(call: &Composition<'_>, axis: i64, classes: usize) -> Result<Option<Array>> {
    let Some(weight) = &call.arrays[2] else { return Ok(None) };
    if weight.shape()[..] != [classes] {
        return Err(mismatch(call.function.name, "weight", format!("({classes},)"), weight));
    }
    let behind = (-axis - 1) as usize;
    let aligned: Shape = [classes].into_iter().chain(iter::repeat_n(1, behind)).collect();
    reshape(upcast(weight)?, aligned, ()).map(Some)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, t, pred) = (call.function.name, call.array(0), call.array(1));
    let CrossEntropy { axis, epsilon, reduction, from_logits, label_smoothing, .. } = call.params();
    let reduced = axis.is_some();
    let axis = class_axis(function, axis.unwrap_or(-1), pred)?;
    check_shares(function, epsilon, label_smoothing)?;
    let all = shape::broadcast(function, &[t.shape(), pred.shape()])?;
    let classes = pred.shape()[(pred.ndim() as i64 + axis) as usize];
    if all[(all.len() as i64 + axis) as usize] != classes {
        return Err(mismatch(function, "true", format!("{classes} classes"), t));
    }
    let weight = class_weights(call, axis, classes)?;
    let (mut t, pred) = (upcast(t)?, upcast(pred)?);
    if label_smoothing.number() != Some(0.0) {
        let (own, shared) = (label_smoothing.rest()?, label_smoothing.times(1.0 / classes as f64)?);
        t = add(multiply(&t, own.like(&t)?)?, shared.like(&t)?)?;
    }
    let mut terms = multiply(log_predictions(&pred, axis, *from_logits, epsilon)?, t)?;
    if let Some(weight) = weight {
        terms = multiply(terms, weight)?;
    }
    // The sign is turned where there are the fewest elements.
    let along = reduced.then(|| Axes::from(axis));
    let total = match reduction {
        LossReduction::None => terms,
        LossReduction::Sum => sum(terms, Sum { axis: along, ..Sum::new() })?,
        LossReduction::Mean => mean(terms, Mean { axis: along, ..Mean::new() })?,
        LossReduction::BatchMean => {
            let entries = all.iter().product::<usize>() / classes;
            divide(sum(terms, ())?, entries as f64)?
        }
    };
    Ok(smallvec![downcast(negative(total)?, call.compute)?])
}

/// Cross-entropy: `-targets log(pred)`, of the distributions along an axis, and the mean of that along the axis, or of
/// all of it. With `from_logits`, which is more exact, the logarithms are
/// [`log_softmax`](crate::functional::log_softmax) of the predictions.
///
/// The loss of an entry is the sum along the axis, and that of a batch to train with their mean:
/// [`LossReduction::BatchMean`].
///
/// ```
/// use ivy::{CrossEntropy, LossReduction, prelude::*};
/// let t = Array::try_from([0i32, 0, 1, 0])?;
/// let p = Array::try_from([0.25f64, 0.25, 0.25, 0.25])?;
/// assert_eq!(ivy::cross_entropy(&t, &p, ())?.item::<f64>()?, 4f64.ln() / 4.0);
/// let logits = Array::try_from([[0.0f64, 0.0, 1000.0], [0.0, 0.0, 2000.0]])?;
/// let t = Array::try_from([[0i32, 0, 1], [1, 0, 0]])?;
/// let keywords = CrossEntropy::new().from_logits().reduction(LossReduction::BatchMean);
/// assert_eq!(ivy::cross_entropy(&t, &logits, keywords)?.item::<f64>()?, 1000.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for
/// another number of classes, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) without classes,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `epsilon` or a smoothing out of its range,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn cross_entropy<'a, 'b>(
    targets: impl IntoOperand<'a>,
    pred: impl IntoOperand<'b>,
    params: impl Into<CrossEntropy>,
) -> Result<Array> {
    let mut params = params.into();
    let weight = mem::replace(&mut params.weight, Operand::Absent);
    call_one(&CROSS_ENTROPY, &[targets.into_operand(), pred.into_operand(), weight], &params)
}
