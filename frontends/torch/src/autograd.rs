//! Derivatives: [`ivy_frontend::autograd`], with PyTorch's defaults.

/// The functions as rows have them: lists of tensors and Python's keywords.
pub use crate::functions::autograd as functions;
pub use ivy_frontend::autograd::*;
