//! Differentiation: a graph of steps beside the arrays, each of which the core differentiates.
//!
//! An array of a differentiable package has a [`Node`] while its gradients are enabled or it was computed of such. A node knows the
//! [`Step`](graph::Step) that made it: a function of arrays and its arguments. A traversal goes from step to step in the order in which
//! they were made, or back, and asks the core for each step's product with a tangent or a cotangent, so that there is no second set of
//! derivative rules.

mod custom;
mod functions;
mod graph;
mod scope;
mod traverse;

pub use custom::{CustomOp, MultiOutputOp, custom, custom_outputs, wrap};
pub use functions::*;
pub(crate) use graph::{Kernel, Node, run, run_all};
pub use scope::is_recording;
pub use scope::{GradScope, isolate_grad, resume_grad, resume_grad_of, suspend_grad, suspend_grad_of};
pub(crate) use scope::{is_captured, recorded};
pub use traverse::{AdMode, enqueue, traverse};
