//! Cross-entropy with class labels.

use super::LossReduction;
use super::cross_entropy::{check_shares, class_axis, class_weights, log_predictions};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::nn::{downcast, upcast};
use crate::functional::{
    Arange, Sum, add, arange, astype, divide, equal, less, multiply, negative, not_equal, reshape, subtract,
    sum, where_,
};
use crate::{Dtype, Error, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;
use std::{iter, mem};

params! {
    /// Keyword arguments of [`sparse_cross_entropy`].
    pub struct SparseCrossEntropy {
        /// The axis of the classes.
        axis: i64 = -1,
        /// How far probabilities are kept from 0 and 1, from 0 to 0.5. Of no meaning for logits.
        epsilon: Coefficient = Coefficient::Number(1e-7),
        /// What becomes of the losses of single classes: sum and mean are those along the axis; `batchmean` is the sum
        /// over the number of labels, or over the sum of their weights, of those that are not ignored.
        reduction: LossReduction = LossReduction::Mean,
        /// Whether predictions are logits, and not probabilities.
        flag from_logits,
        /// How much of each label is shared among all classes, from 0 to 1.
        label_smoothing: Coefficient = Coefficient::Number(0.0),
        /// A label whose losses are 0; it may be none of the classes.
        ignore_index: Option<i64> = None,
        /// A number for each class that its losses are multiplied with.
        operand weight,
    }
}

describe! {
    SPARSE_CROSS_ENTROPY = "sparse_cross_entropy", Loss, Mixed,
    (true: Index, pred: Promoted, weight: Promoted optional), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: SparseCrossEntropy::new(), example: [&[2], &[2, 3], &[3]], Body::Compose(compose)
}

/// A shape with as many axes as are asked for: those in front have length 1.
fn padded(shape: &[usize], axes: usize) -> Shape {
    iter::repeat_n(1, axes - shape.len()).chain(shape.iter().copied()).collect()
}

fn shaped(x: &Array, shape: Shape) -> Result<Array> {
    if *x.shape() == shape { Ok(x.clone()) } else { reshape(x, shape, ()) }
}

/// Labels below 0 are no classes, though as indices they would count from the end: they become less than any of
/// these.
fn as_indices(labels: &Array, classes: usize) -> Result<Array> {
    where_(less(labels, 0)?, subtract(labels, classes as i64)?, labels)
}

/// The error of an index, with the label that it was.
fn of_label(error: Error, classes: usize) -> Error {
    let &ErrorKind::IndexOutOfRange { function, index, axis, length, position } = error.kind() else {
        return error;
    };
    if index >= 0 {
        return error;
    }
    let index = index + classes as i128;
    let told: Error = ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into();
    match error.origin() {
        Some(origin) => told.with_origin(origin),
        None => told,
    }
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, labels, pred) = (call.function.name, call.array(0), call.array(1));
    let SparseCrossEntropy { axis, epsilon, reduction, from_logits, label_smoothing, ignore_index, .. } =
        call.params();
    let (reduction, ignore_index) = (*reduction, *ignore_index);
    let axis = class_axis(function, *axis, pred)?;
    check_shares(function, epsilon, label_smoothing)?;
    let behind = (-axis - 1) as usize;
    let own = pred.ndim() - 1 - behind;
    let classes = pred.shape()[own];
    let others: Shape = pred.shape().iter().enumerate().filter(|(a, _)| *a != own).map(|(_, &n)| n).collect();
    let batch = shape::broadcast(function, &[labels.shape(), &others])?;
    let at = batch.len() - behind;
    let mut of_labels = padded(labels.shape(), batch.len()).to_vec();
    of_labels.insert(at, 1);
    let labels = shaped(labels, of_labels.into())?;
    let pred = shaped(&upcast(pred)?, padded(pred.shape(), batch.len() + 1))?;
    let weight = class_weights(call, axis, classes)?;
    let kept = ignore_index.map(|ignored| not_equal(&labels, ignored)).transpose()?;
    let labels = match &kept {
        Some(kept) => where_(kept, &labels, 0)?,
        None => labels,
    };
    let logs = log_predictions(&pred, axis, *from_logits, epsilon)?;
    let take = Op::TakeAlongAxis { axis: at };
    let places = as_indices(&labels, classes)?;
    let picked = primitive::run(function, &take, &[&logs, &places]).map_err(|e| of_label(e, classes))?;
    let own_weight = match &weight {
        Some(w) => {
            let w = shaped(w, padded(w.shape(), batch.len() + 1))?;
            Some(primitive::run(function, &take, &[&w, &places])?)
        }
        None => None,
    };
    let mut losses = negative(match &own_weight {
        Some(weight) => multiply(picked, weight)?,
        None => picked,
    })?;
    if reduction == LossReduction::None {
        let numbers = arange(classes, Arange::new().dtype(Dtype::INT64))?;
        let aligned: Shape = iter::once(classes).chain(iter::repeat_n(1, behind)).collect();
        losses = where_(equal(&labels, reshape(&numbers, aligned, ())?)?, losses, 0)?;
    }
    if label_smoothing.number() != Some(0.0) {
        let mut all = match weight {
            Some(weight) => multiply(&logs, weight)?,
            None => logs,
        };
        if reduction != LossReduction::None {
            all = sum(&all, Sum::new().axis(axis).keepdims())?;
        }
        let (own, share) = (label_smoothing.rest()?, label_smoothing.times(-1.0 / classes as f64)?);
        let shared = multiply(&all, share.like(&all)?)?;
        losses = add(multiply(&losses, own.like(&losses)?)?, shared)?;
    }
    if let Some(kept) = &kept {
        losses = where_(kept, losses, 0)?;
    }
    let along = || Sum { axis: Some(Axes::from(axis)), ..Sum::new() };
    let result = match reduction {
        LossReduction::None => losses,
        LossReduction::Sum => sum(losses, along())?,
        LossReduction::Mean => divide(sum(losses, along())?, classes as f64)?,
        LossReduction::BatchMean => {
            let total = sum(losses, ())?;
            match (own_weight, kept) {
                (None, None) => divide(total, batch.iter().product::<usize>() as f64)?,
                (Some(weight), None) => divide(total, sum(weight, ())?)?,
                (Some(weight), Some(kept)) => divide(total, sum(where_(kept, weight, 0)?, ())?)?,
                (None, Some(kept)) => divide(&total, sum(astype(kept, total.dtype())?, ())?)?,
            }
        }
    };
    Ok(smallvec![downcast(result, call.compute)?])
}

/// Cross-entropy with class labels: [`cross_entropy`](crate::functional::cross_entropy) with labels, which are the
/// numbers of classes: the losses of the other classes are 0. The labels' axes are those of the predictions without
/// that of the classes, and broadcast.
///
/// With the sum, there is one loss for each label; `batchmean` is the one to train with.
///
/// ```
/// use ivy::{LossReduction, SparseCrossEntropy, prelude::*};
/// let p = Array::try_from([0.125f64, 0.125, 0.5, 0.25])?;
/// let loss = ivy::sparse_cross_entropy(Array::try_from([2i64])?, &p, ())?;
/// assert_eq!(loss.to_vec::<f64>()?, [2f64.ln() / 4.0]);
/// let logits = Array::try_from([[0.0f64, 1000.0], [5.0, 5.0], [7.0, 8.0]])?;
/// let labels = Array::try_from([0i32, 1, -1])?;
/// let keywords = SparseCrossEntropy::new().from_logits().ignore_index(-1);
/// let loss = ivy::sparse_cross_entropy(&labels, &logits, keywords.reduction(LossReduction::BatchMean))?;
/// assert_eq!(loss.item::<f64>()?, (1000.0 + 2f64.ln()) / 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange) for a label that is no class and not ignored (also one below
/// 0; an engine that reads labels later tells it less by the number of classes);
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for
/// another number of weights, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) without classes,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `epsilon` or a smoothing out of its range,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for labels that are not integers, and for complex numbers.
pub fn sparse_cross_entropy<'a, 'b>(
    labels: impl IntoOperand<'a>,
    pred: impl IntoOperand<'b>,
    params: impl Into<SparseCrossEntropy>,
) -> Result<Array> {
    let mut params = params.into();
    let weight = mem::replace(&mut params.weight, Operand::Absent);
    call_one(&SPARSE_CROSS_ENTROPY, &[labels.into_operand(), pred.into_operand(), weight], &params)
}
