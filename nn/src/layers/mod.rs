//! Layers with their parameters.

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

/// Training or evaluation mode of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Training mode: dropout draws from the generator.
    Train(Generator),
    /// Evaluation mode: nothing is random.
    Eval,
}
