//! Losses: how far predictions are from what is true. float16 and bfloat16 are computed in float32 and rounded once,
//! integers and bool in the default float dtype.

mod binary;
mod cross_entropy;
mod distances;
mod divergence;
mod margin;
mod poisson;
mod sparse;

pub use binary::{BinaryCrossEntropy, binary_cross_entropy};
pub use cross_entropy::{CrossEntropy, cross_entropy};
pub use distances::{HuberLoss, L1Loss, SmoothL1Loss, huber_loss, l1_loss, smooth_l1_loss};
pub use divergence::{KlDiv, kl_div, wasserstein_loss_discriminator, wasserstein_loss_generator};
pub use margin::{HingeEmbeddingLoss, SoftMarginLoss, hinge_embedding_loss, soft_margin_loss};
pub use poisson::{LogPoissonLoss, PoissonNllLoss, log_poisson_loss, poisson_nll_loss};
pub use sparse::{SparseCrossEntropy, sparse_cross_entropy};

use super::{downcast, invalid, upcast};
use crate::function::{Axes, Composition, Outputs};
use crate::functional::{Mean, Sum, mean, sum};
use crate::{Array, Result, shape};
use smallvec::smallvec;

/// What becomes of the losses of single elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LossReduction {
    /// They stay.
    None,
    /// Their sum.
    Sum,
    /// Their mean.
    #[default]
    Mean,
    /// Their sum over the number of entries of a batch, as each function that has it says.
    BatchMean,
}

param_words! { LossReduction: "mean" => Mean, "none" => None, "sum" => Sum, "batchmean" => BatchMean }

/// The losses reduced over axes, or over all. A function that has a mean of batches deals with it before.
fn reduced(
    function: &'static str,
    losses: Array,
    reduction: LossReduction,
    axis: Option<Axes>,
) -> Result<Array> {
    match reduction {
        LossReduction::None => Ok(losses),
        LossReduction::Sum => sum(&losses, Sum { axis, ..Sum::new() }),
        LossReduction::Mean => mean(&losses, Mean { axis, ..Mean::new() }),
        LossReduction::BatchMean => {
            let rule = "one of none, sum, mean for this function";
            Err(invalid(function, "reduction", "batchmean".into(), rule))
        }
    }
}

/// A loss of pairs of elements of the first two operands, which broadcast, reduced over all.
fn of_pairs(
    call: &Composition<'_>,
    reduction: LossReduction,
    loss: impl Fn(&Array, &Array) -> Result<Array>,
) -> Result<Outputs> {
    let (function, a, b) = (call.function.name, call.array(0), call.array(1));
    shape::broadcast(function, &[a.shape(), b.shape()])?;
    let losses = loss(&upcast(a)?, &upcast(b)?)?;
    Ok(smallvec![downcast(reduced(function, losses, reduction, None)?, call.compute)?])
}
