//! Hooks: functions that see a tensor's gradient when a walk has computed it, and may replace it.

use super::backend;
use super::graph::{Edge, Leaf, Made};
use ivy_core::{Array, ErrorKind, Result};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A hook: it sees the gradient, and may give another one of the same dtype and shape.
pub type Hook = Arc<dyn Fn(&Array) -> Result<Option<Array>> + Send + Sync>;

/// The hooks of a tensor, in the order in which they were added.
#[derive(Default)]
pub(super) struct Hooks(Mutex<Vec<(u64, Hook)>>);

static IDS: AtomicU64 = AtomicU64::new(0);

impl Hooks {
    pub(super) fn add(&self, hook: Hook) -> u64 {
        let id = IDS.fetch_add(1, Ordering::Relaxed);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((id, hook));
        id
    }

    pub(super) fn remove(&self, id: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|(own, _)| *own != id);
    }

    /// The gradient behind all hooks.
    pub(super) fn run(&self, mut gradient: Array) -> Result<Array> {
        // A copy of the list, so that a hook may add and remove hooks.
        let hooks = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (_, hook) in hooks {
            let Some(other) = hook(&gradient)? else { continue };
            if other.dtype() != gradient.dtype() || other.shape() != gradient.shape() {
                let argument = "hook";
                let value = format!("a gradient of {} and shape {}", other.dtype(), other.shape());
                let rule = "a hook has changed the dtype or the shape of the gradient";
                return Err(ErrorKind::InvalidArgument { function: "autograd", argument, value, rule }.into());
            }
            gradient = other;
        }
        Ok(gradient)
    }
}

/// Where a hook was registered. It does not keep the graph alive.
enum Target {
    Leaf(Weak<Leaf>),
    Made(Weak<Made>, usize),
}

/// A registered hook, by which it can be removed.
pub struct HookHandle {
    target: Target,
    id: u64,
}

impl fmt::Debug for HookHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HookHandle").field(&self.id).finish()
    }
}

impl HookHandle {
    /// Removes the hook; a second time does nothing.
    pub fn remove(&self) {
        match &self.target {
            Target::Leaf(leaf) => {
                if let Some(leaf) = leaf.upgrade() {
                    leaf.hooks.remove(self.id);
                }
            }
            Target::Made(made, at) => {
                if let Some(made) = made.upgrade() {
                    made.unhook(*at, self.id);
                }
            }
        }
    }
}

/// Registers a hook on the gradient of a tensor: each walk that computes it calls the hook, before the gradient is
/// accumulated or goes on.
///
/// ```
/// use ivy_core::{Array, functional as f};
/// use ivy_frontend::autograd;
/// use std::sync::Arc;
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([1.0f64, 2.0])?)?;
/// let handle = autograd::register_hook(&x, Arc::new(|g: &Array| f::multiply(g, 10.0).map(Some)))?;
/// autograd::backward(&[f::sum(&x, ())?], &[], autograd::Graph::Freed, None)?;
/// assert_eq!(autograd::grad_of(&x).unwrap().to_vec::<f64>()?, [10.0, 10.0]);
/// handle.remove();
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for a tensor that requires no gradient.
pub fn register_hook(x: &Array, hook: Hook) -> Result<HookHandle> {
    match backend::edge(x) {
        Some(Edge::Leaf(leaf)) => {
            Ok(HookHandle { target: Target::Leaf(Arc::downgrade(&leaf)), id: leaf.hooks.add(hook) })
        }
        Some(Edge::Made(made, at)) => {
            Ok(HookHandle { target: Target::Made(Arc::downgrade(&made), at), id: made.hook(at, hook) })
        }
        None => {
            let value = format!("a tensor of {} and shape {}", x.dtype(), x.shape());
            let rule = "cannot register a hook on a tensor that doesn't require gradient";
            Err(ErrorKind::InvalidArgument { function: "autograd", argument: "self", value, rule }.into())
        }
    }
}
