//! Derivatives of programs that run, as PyTorch's `backward` and TensorFlow's tapes have them: a graph that is noted
//! meanwhile.
//!
//! A tensor that requires a gradient is an array of a backend of its own, which wraps the one that computes
//! (`backend.rs`). Each op of such arrays is noted with its operands as a node of a graph that the results hold
//! (`graph.rs`); it goes when they go, and what it saved goes with the first walk unless that is retained. [`backward`] walks from results to leaves in the order of
//! creation reversed, and takes each noted op's derivative by the core's rule for it
//! ([`pull_op`](ivy_core::backend::pull_op)), which does not compute the op again (`pull.rs`). With `create_graph` the walk
//! itself computes with noted arrays, so that gradients have gradients. So every function differentiates that is made of ops: rows, code, and ivy's own functions alike.

mod backend;
mod custom;
mod graph;
mod hooks;
mod kept;
mod mode;
mod origin;
mod overwritten;
mod place;
mod pull;
mod recording;
mod result;

pub use custom::custom;
pub use graph::{Node, Pullback};
pub use hooks::{Hook, HookHandle, register_hook};
pub use mode::{enable_grad, is_grad_enabled, no_grad, set_grad_enabled};
pub use overwritten::{Began, WeakTensor};
pub use place::Place;
pub use pull::{Graph, Unused, Walking, backward, grad, grad_with};
pub use recording::{Recording, make_variable};
pub use result::{as_copy, as_result};
pub(crate) use result::{in_place_of, is_same, save_result};

use crate::Call;
use graph::{Edge, Leaf};
use ivy_core::{Array, Dtype, ErrorKind, Result};
use origin::Origin;
use std::sync::Arc;

/// True for a tensor that derivatives are taken to.
pub fn requires_grad(x: &Array) -> bool {
    backend::origin(x).is_some_and(Origin::is_recorded)
}

/// The node that made a tensor; `None` for a leaf and for a tensor that requires no gradient.
pub fn node_of(x: &Array) -> Option<Node> {
    backend::origin(x).filter(|origin| origin.is_made())?.edge().map(Node)
}

/// True for a tensor that no noted op made.
pub fn is_leaf(x: &Array) -> bool {
    !backend::origin(x).is_some_and(Origin::is_made)
}

/// The tensor as one that requires a gradient from here on, a leaf of the graph; one that does stays itself.
///
/// # Errors
/// [`ErrorKind::WrongDtypeKind`] for integers and truth values.
pub fn require_grad(x: &Array) -> Result<Array> {
    if requires_grad(x) {
        return Ok(x.clone());
    }
    let dtype = x.dtype();
    if !differentiable(dtype) {
        let (function, expected) = ("requires_grad_", "float or complex");
        return Err(ErrorKind::WrongDtypeKind { function, dtype, expected }.into());
    }
    Ok(backend::noted(&detached(x), Some(Edge::Leaf(Arc::new(Leaf::default())))))
}

/// The array where ops are noted, as it is: so that a transformation of a function of it has to do with tensors that require gradients,
/// which the function uses beside its arguments. Arrays inside of transformations stay.
pub fn recordable(x: &Array) -> Array {
    match x.backend().wraps() {
        None => backend::noted(x, None),
        Some(_) => x.clone(),
    }
}

/// [`require_grad`], refused in the name of a call.
///
/// # Errors
/// For integers and truth values.
pub fn require(call: &Call<'_>, x: &Array) -> Result<Array> {
    match differentiable(x.dtype()) {
        true => require_grad(x),
        false => {
            let rule = "Only Tensors of floating point and complex dtype can require gradients";
            Err(call.refuse(crate::Fault::Runtime, "requires_grad", None, rule))
        }
    }
}

fn differentiable(dtype: Dtype) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// The elements without the graph, on the backend that computes.
pub fn detached(x: &Array) -> Array {
    backend::below(x).unwrap_or_else(|| x.clone())
}

/// The gradient that [`backward`] has gathered for a leaf, or for a tensor that [`retain_grad`] named.
pub fn grad_of(x: &Array) -> Option<Array> {
    match backend::edge(x)? {
        Edge::Leaf(leaf) => leaf.gradient(),
        Edge::Made(made, at) => made.retained(at),
    }
}

/// Sets or clears the gradient of a leaf: `x.grad = None`.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for a tensor that is no leaf that requires a gradient; [`ErrorKind::DtypeMismatch`] and
/// [`ErrorKind::ShapeMismatch`] for a gradient that is not as the leaf.
pub fn set_grad(x: &Array, gradient: Option<Array>) -> Result<()> {
    if let Some(gradient) = &gradient {
        same_form("grad", "gradient", x, gradient)?;
    }
    match backend::edge(x) {
        Some(Edge::Leaf(leaf)) => {
            leaf.set(gradient);
            Ok(())
        }
        _ => Err(not_a_leaf("grad")),
    }
}

/// A number that stands for a leaf as long as it is there, and how often its gradient was set; `None` for other tensors.
pub fn grad_version(x: &Array) -> Option<(usize, u64)> {
    match backend::edge(x)? {
        Edge::Leaf(leaf) => Some((Arc::as_ptr(&leaf).addr(), leaf.version())),
        Edge::Made(..) => None,
    }
}

/// Keeps the gradient of a tensor that is no leaf, too, when it is computed.
pub fn retain_grad(x: &Array) {
    if let Some(Edge::Made(made, at)) = backend::edge(x) {
        made.retain(at);
    }
}

/// The same place in the graph with other elements, as an in-place operation under [`no_grad`] leaves a tensor: what an
/// optimiser does to a leaf. They are computed, or begun to be, where the backend has only noted how.
///
/// # Errors
/// [`ErrorKind::DtypeMismatch`] and [`ErrorKind::ShapeMismatch`] for elements that are not as the tensor's.
pub fn updated(x: &Array, elements: &Array) -> Result<Array> {
    same_form("updated", "elements", x, elements)?;
    let elements = detached(elements);
    // On a backend that notes work the history of a leaf would grow with each update, and be computed anew for each. What
    // has no elements yet, inside of what is recorded, stays pending; other errors are those of whoever reads it.
    let _ = ivy_core::functional::evaluate([&elements]);
    let Some(origin) = backend::origin(x) else { return Ok(elements) };
    let Some(edge) = origin.edge() else { return Ok(elements) };
    let updated = backend::noted(&elements, Some(edge));
    if origin.is_saved_result() {
        overwritten::note_result(&updated);
    }
    Ok(updated)
}

/// Refuses an array of another dtype or shape than a tensor's.
fn same_form(function: &'static str, argument: &'static str, x: &Array, array: &Array) -> Result<()> {
    if x.dtype() != array.dtype() {
        let (expected, actual) = (x.dtype(), array.dtype());
        return Err(ErrorKind::DtypeMismatch { function, argument, expected, actual }.into());
    }
    if x.shape() != array.shape() {
        let (expected, actual) = (x.shape().to_string(), array.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    Ok(())
}

fn not_a_leaf(argument: &'static str) -> ivy_core::Error {
    let (function, value) = ("autograd", "a tensor".into());
    ErrorKind::InvalidArgument {
        function,
        argument,
        value,
        rule: "a leaf that requires a gradient is needed",
    }
    .into()
}
