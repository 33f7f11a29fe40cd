//! Binary cross-entropy.

use super::{LossReduction, reduced};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::nn::activations::softplus_of;
use crate::functional::nn::{downcast, invalid, mismatch, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{add, clip, log, log1p, multiply, negative, subtract};
use crate::{Result, params, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`binary_cross_entropy`].
    pub struct BinaryCrossEntropy {
        /// Whether predictions are logits, and not probabilities.
        flag from_logits,
        /// How far targets are moved towards one half, from 0 to 1.
        epsilon: Coefficient = Coefficient::Number(0.0),
        /// What becomes of the losses of single elements.
        reduction: LossReduction = LossReduction::Mean,
        /// The axes that are reduced; all if not given.
        axis: Option<Axes> = None,
        /// What the part of the positive class is multiplied with; it broadcasts to the shape of the losses. With
        /// logits only.
        operand pos_weight,
    }
}

describe! {
    BINARY_CROSS_ENTROPY = "binary_cross_entropy", Loss, Mixed,
    (true: Promoted, pred: Promoted, pos_weight: Promoted optional), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: BinaryCrossEntropy::new(), example: [&[2, 2], &[2, 2]],
    Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, t, x) = (call.function.name, call.array(0), call.array(1));
    let BinaryCrossEntropy { from_logits, epsilon, reduction, axis, .. } = call.params();
    let all = shape::broadcast(function, &[t.shape(), x.shape()])?;
    reduced_axes(function, axis, all.len())?;
    epsilon.check_share(function, "epsilon", 1.0, "a number from 0 to 1 is needed")?;
    let weight = match &call.arrays[2] {
        None => None,
        Some(_) if !from_logits => {
            let (value, rule) = ("an array".into(), "logits are needed: `from_logits`");
            return Err(invalid(function, "pos_weight", value, rule));
        }
        Some(weight) if shape::broadcast(function, &[&all, weight.shape()])? != all => {
            return Err(mismatch(function, "pos_weight", format!("one that broadcasts to {all}"), weight));
        }
        Some(weight) => Some(upcast(weight)?),
    };
    let (mut t, x) = (upcast(t)?, upcast(x)?);
    if epsilon.number() != Some(0.0) {
        t = add(multiply(&t, epsilon.rest()?.like(&t)?)?, epsilon.times(0.5)?.like(&t)?)?;
    }
    let losses = if *from_logits { of_logits(&t, &x, weight)? } else { of_probabilities(&t, &x)? };
    let loss = reduced(function, losses, *reduction, axis.clone())?;
    Ok(smallvec![downcast(loss, call.compute)?])
}

/// `-t log(p) - (1 - t) log(1 - p)` with the logistic function `p` of `x` is `log(1 + exp(x)) - t x`; with a weight `w`
/// of the first part it is `(1 - t) x + (1 + (w - 1) t) log(1 + exp(-x))`.
fn of_logits(t: &Array, x: &Array, weight: Option<Array>) -> Result<Array> {
    let Some(weight) = weight else { return subtract(softplus_of(x)?, multiply(t, x)?) };
    let share = add(multiply(subtract(weight, 1)?, t)?, 1)?;
    add(multiply(subtract(1, t)?, x)?, multiply(share, softplus_of(&negative(x)?)?)?)
}

/// Probabilities are kept from 0 and 1 by this much.
const LEAST: f64 = 1e-7;

fn of_probabilities(t: &Array, p: &Array) -> Result<Array> {
    let p = clip(p, LEAST, 1.0 - LEAST)?;
    let both = add(multiply(t, log(&p)?)?, multiply(subtract(1, t)?, log1p(negative(p)?)?)?)?;
    negative(both)
}

/// Binary cross-entropy: `-t log(p) - (1 - t) log(1 - p)`, of targets `t` from 0 to 1 and predictions `p`, and the mean
/// of that. Probabilities are taken to be from 1e-7 to 1 - 1e-7. With `from_logits`, which is more exact, `p` is
/// [`sigmoid`](crate::functional::sigmoid) of the predictions, and nothing overflows.
///
/// ```
/// use ivy::{BinaryCrossEntropy, prelude::*};
/// let t = Array::try_from([0i32, 1, 0, 0])?;
/// let p = Array::try_from([0.2f32, 0.8, 0.3, 0.8])?;
/// let loss = ivy::binary_cross_entropy(&t, &p, ())?.item::<f64>()?;
/// assert!((loss - 0.6031).abs() < 1e-4);
/// let logits = Array::try_from([-1000.0f32, 1000.0, -1000.0, 1000.0])?;
/// let loss = ivy::binary_cross_entropy(&t, &logits, BinaryCrossEntropy::new().from_logits())?;
/// assert_eq!(loss.item::<f64>()?, 250.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a
/// weight that does not broadcast to the losses, [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`RepeatedAxis`](crate::ErrorKind::RepeatedAxis),
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an `epsilon` that is not from 0 to 1, a weight without
/// logits, and the reduction of batches; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn binary_cross_entropy<'a, 'b>(
    targets: impl IntoOperand<'a>,
    pred: impl IntoOperand<'b>,
    params: impl Into<BinaryCrossEntropy>,
) -> Result<Array> {
    let mut params = params.into();
    let weight = mem::replace(&mut params.pos_weight, Operand::Absent);
    call_one(&BINARY_CROSS_ENTROPY, &[targets.into_operand(), pred.into_operand(), weight], &params)
}
