//! Layers: parameters, and what they make of an input.

mod attention;
mod conv;
mod embedding;
mod linear;
mod norms;
mod recurrent;
mod sequential;

pub use attention::MultiHeadAttention;
pub use conv::Conv2d;
pub use embedding::Embedding;
pub use linear::Linear;
pub use norms::{BatchNorm, LayerNorm, RunningStatistics};
pub use recurrent::Lstm;
pub use sequential::{Activation, Dropout, Layer, Sequential};

use ivy_core::functional::Generator;

/// What a model is called for: to be trained, with random numbers for what is left out, or to be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Training: dropout leaves elements out.
    Train(Generator),
    /// Use: nothing is random.
    Use,
}
