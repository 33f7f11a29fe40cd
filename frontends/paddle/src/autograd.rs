//! Derivatives: [`ivy_frontend::autograd`], with Paddle's defaults: a tensor stops gradients unless it is told not to.

/// The functions as rows have them: lists of tensors and Python's keywords.
pub use crate::functions::autograd as functions;
pub use ivy_frontend::autograd::*;
