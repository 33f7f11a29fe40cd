//! Losses, similarities and the inverses of max pools: modules of several inputs.

use super::functions::stored_module;
use super::stored::Stored;
use super::{Module, Part, PartMut};
use crate::{Keywords, Tensor, Value};
use ivy_core::Result;

/// Modules of several inputs.
macro_rules! of_inputs {
    ($($(#[$doc:meta])* $name:ident $path:literal ($($input:ident),*) [$($argument:ident),*];)*) => {$(
        $(#[$doc])*
        ///
        #[doc = concat!("The keyword arguments are those of `", $path, "`.")]
        #[derive(Clone, Debug)]
        pub struct $name(Stored);
        stored_module!($name);

        impl $name {
            /// The module, with the function's arguments.
            ///
            /// # Errors
            /// For keyword arguments that the function has not.
            pub fn new<'a>($($argument: impl Into<Value<'a>>,)* keywords: impl Into<Keywords<'a>>) -> Result<$name> {
                let class = concat!("nn.", stringify!($name));
                Stored::new(class, $path, vec![$($argument.into()),*], keywords.into(), &[]).map($name)
            }

            /// The function's result.
            ///
            /// # Errors
            /// Those of the function.
            pub fn forward(&self, $($input: &Tensor),*) -> Result<Tensor> {
                self.0.call([$($input),*])
            }
        }
    )*};
}
of_inputs! {
    /// Mean absolute error.
    L1Loss "nn.functional.l1_loss" (input, target) [];
    /// Mean squared error.
    MSELoss "nn.functional.mse_loss" (input, target) [];
    /// Huber loss.
    HuberLoss "nn.functional.huber_loss" (input, target) [];
    /// Smooth L1 loss.
    SmoothL1Loss "nn.functional.smooth_l1_loss" (input, target) [];
    /// Two-class logistic loss.
    SoftMarginLoss "nn.functional.soft_margin_loss" (input, target) [];
    /// Logistic loss of several labels.
    MultiLabelSoftMarginLoss "nn.functional.multilabel_soft_margin_loss" (input, target) [];
    /// Cross entropy of logits.
    CrossEntropyLoss "nn.functional.cross_entropy" (input, target) [];
    /// Negative log likelihood.
    NLLLoss "nn.functional.nll_loss" (input, target) [];
    /// Binary cross entropy of probabilities.
    BCELoss "nn.functional.binary_cross_entropy" (input, target) [];
    /// Binary cross entropy of logits.
    BCEWithLogitsLoss "nn.functional.binary_cross_entropy_with_logits" (input, target) [];
    /// Kullback-Leibler divergence.
    KLDivLoss "nn.functional.kl_div" (input, target) [];
    /// Negative log likelihood of Poisson's distribution.
    PoissonNLLLoss "nn.functional.poisson_nll_loss" (input, target) [];
    /// Negative log likelihood of a normal distribution.
    GaussianNLLLoss "nn.functional.gaussian_nll_loss" (input, target, var) [];
    /// Margin ranking loss.
    MarginRankingLoss "nn.functional.margin_ranking_loss" (input1, input2, target) [];
    /// Triplet margin loss.
    TripletMarginLoss "nn.functional.triplet_margin_loss" (anchor, positive, negative) [];
    /// Cosine of the angle between vectors.
    CosineSimilarity "nn.functional.cosine_similarity" (x1, x2) [];
    /// Distance between vectors.
    PairwiseDistance "nn.functional.pairwise_distance" (x1, x2) [];
    /// Inverse of 1-D max pooling, of the indices that it gives.
    MaxUnpool1d "nn.functional.max_unpool1d" (input, indices) [kernel_size];
    /// Inverse of 2-D max pooling, of the indices that it gives.
    MaxUnpool2d "nn.functional.max_unpool2d" (input, indices) [kernel_size];
    /// Inverse of 3-D max pooling, of the indices that it gives.
    MaxUnpool3d "nn.functional.max_unpool3d" (input, indices) [kernel_size];
}
