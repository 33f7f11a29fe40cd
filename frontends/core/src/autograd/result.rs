//! Results of functions that are an argument of theirs as it is.

use super::graph::{Operand, Rule};
use super::kept::KeptOp;
use super::origin::Origin;
use super::{backend, mode};
use crate::wrapper;
use ivy_core::{Array, Dtype, Result, Scalar, Shape, functional as f};
use smallvec::smallvec;
use std::sync::Arc;

/// The identity as a node of the graph, of a tensor that something else holds too: what a function gives is no leaf, has a
/// gradient of its own, and requires none under [`no_grad`](super::no_grad), also where the core gives back an argument as
/// it is (`clone`, a power of a matrix with exponent 1). Other arrays stay.
///
/// ```
/// use ivy_core::Array;
/// use ivy_frontend::autograd;
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([1.0f64, 2.0])?)?;
/// let y = autograd::as_result(x.clone());
/// assert!(autograd::requires_grad(&y) && !autograd::is_leaf(&y));
/// assert!(!autograd::requires_grad(&autograd::no_grad(|| autograd::as_result(x.clone()))));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[must_use]
pub fn as_result(x: Array) -> Array {
    let is_elsewhere = |noted: &&Arc<_>| Arc::strong_count(noted) > 1;
    let Some(shared) =
        wrapper::shared::<Origin>(&x).filter(is_elsewhere).filter(|noted| noted.note.is_recorded())
    else {
        return x;
    };
    copied(&x, shared)
}

/// The identity as a node of the graph, of any tensor that requires a gradient: what copies elements has it, and does not change
/// with what it copied.
#[must_use]
pub fn as_copy(x: Array) -> Array {
    match wrapper::shared::<Origin>(&x).filter(|noted| noted.note.is_recorded()) {
        Some(noted) => copied(&x, noted),
        None => x,
    }
}

fn copied(x: &Array, shared: &Operand) -> Array {
    if !mode::is_grad_enabled() {
        return shared.below();
    }
    let rule = Rule::Op { op: KeptOp::Copy(x.dtype()), operands: smallvec![shared.clone()] };
    wrapper::with_note(&shared.below(), Origin::of_op(rule))
}

/// Elements of a tensor's form in its place, after an operation in place that they do not depend on it by (`zero_`): it stays a
/// part of the graph, and its derivative is zero. Of constants, and where no ops are noted, they are what they are.
///
/// # Errors
/// Out of memory.
pub(crate) fn in_place_of(x: &Array, elements: Array) -> Result<Array> {
    let is_constant = !super::requires_grad(&elements) && super::differentiable(elements.dtype());
    if !is_constant || !mode::is_grad_enabled() || !super::requires_grad(x) || x.shape() != elements.shape() {
        return Ok(elements);
    }
    let backend = super::detached(x).backend().clone();
    let never = crate::from_scalars(&[Scalar::Bool(false)], Shape::from([]), &backend, Dtype::BOOL)?;
    f::where_(never, f::astype(x, elements.dtype())?, elements)
}

/// Notes that the framework keeps the result of a function for its gradient.
pub(crate) fn save_result(x: &Array) {
    // What an operation in place leaves of a tensor while no ops are noted has no node that could need it.
    if let Some(origin) = backend::origin(x).filter(|_| mode::is_grad_enabled()) {
        origin.save_result();
    }
}

/// Whether two arrays are one tensor of the graph.
pub(crate) fn is_same(x: &Array, y: &Array) -> bool {
    match (wrapper::noted::<Origin>(x), wrapper::noted::<Origin>(y)) {
        (Some(x), Some(y)) => std::ptr::eq(x, y),
        _ => false,
    }
}
