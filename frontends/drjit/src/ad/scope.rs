//! Scopes in which gradients are suspended, resumed or isolated, and recorded code.

use super::graph::{Node, next_id};
use super::traverse::{AdMode, go};
use crate::array::AnyArray;
use crate::{Error, Result};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::marker::PhantomData;

/// Which nodes are enabled: those that are listed, or all but those.
#[derive(Clone, Default)]
struct Frame {
    listed: HashSet<u64>,
    listed_are_enabled: bool,
    /// Nodes below this number are of the outside; a traversal stops there and goes on when the scope ends.
    boundary: Option<u64>,
    postponed: Vec<(AdMode, Node)>,
}

thread_local! {
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
    static RECORDING: Cell<u32> = const { Cell::new(0) };
}

/// Whether operations on a node are noted.
pub(super) fn is_enabled(id: u64) -> bool {
    FRAMES.with_borrow(|frames| {
        frames.last().is_none_or(|frame| frame.listed.contains(&id) == frame.listed_are_enabled)
    })
}

/// Takes nodes of the outside of an isolated scope from those that a traversal wants to go to.
pub(super) fn postpone(mode: AdMode, node: &Node) -> bool {
    FRAMES.with_borrow_mut(|frames| {
        let inner = frames.iter_mut().rev().find(|frame| frame.boundary.is_some());
        let Some(frame) = inner.filter(|frame| frame.boundary.is_some_and(|boundary| node.id() < boundary))
        else {
            return false;
        };
        frame.postponed.push((mode, node.clone()));
        true
    })
}

/// Whether a function is being recorded: run once for all iterations of a loop or all threads of a branch (`JitFlag.SymbolicScope`).
/// Elements cannot be read then, and values of the host are constants.
///
/// ```
/// use ivy_drjit::{AnyArray, Mode, is_recording, lt, llvm::Int, while_loop};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let body = |x: &AnyArray| {
///     assert!(is_recording());
///     (x + 1).ok()
/// };
/// while_loop(Int::new(0)?.into_any(), |x| lt(x, 3), body, Mode::Symbolic)?;
/// assert!(!is_recording());
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub fn is_recording() -> bool {
    RECORDING.get() > 0
}

/// Calls a function as recorded code.
pub(crate) fn recorded<T>(f: impl FnOnce() -> T) -> T {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            RECORDING.set(RECORDING.get() - 1);
        }
    }
    RECORDING.set(RECORDING.get() + 1);
    let _guard = Guard;
    f()
}

/// A scope of differentiation: it ends where the value is dropped, or by [`GradScope::end`], which tells of errors.
#[must_use = "the scope ends where this is dropped"]
pub struct GradScope {
    depth: usize,
    // Frames are the thread's.
    not_send: PhantomData<*const ()>,
}

impl GradScope {
    fn enter(change: impl FnOnce(&mut Frame)) -> GradScope {
        FRAMES.with_borrow_mut(|frames| {
            let all = Frame::default();
            let mut frame = frames.last().cloned().unwrap_or(all);
            frame.boundary = None;
            frame.postponed = Vec::new();
            change(&mut frame);
            frames.push(frame);
            GradScope { depth: frames.len(), not_send: PhantomData }
        })
    }

    fn leave(&mut self) -> Result<()> {
        let depth = std::mem::replace(&mut self.depth, 0);
        let frame = FRAMES.with_borrow_mut(|frames| match depth {
            0 => None,
            _ => {
                frames.truncate(depth);
                frames.pop()
            }
        });
        let Some(frame) = frame.filter(|frame| !frame.postponed.is_empty()) else { return Ok(()) };
        for mode in [AdMode::Forward, AdMode::Backward] {
            let nodes = frame.postponed.iter().filter(|(own, _)| *own == mode).map(|(_, node)| node.clone());
            go(mode, nodes.collect())?;
        }
        Ok(())
    }

    /// Ends the scope. What an isolated one has postponed is done now.
    ///
    /// # Errors
    /// Those of the traversal.
    pub fn end(mut self) -> Result<()> {
        self.leave()
    }
}

impl Drop for GradScope {
    fn drop(&mut self) {
        // An error here was not asked for: `end` is there for whoever wants it.
        let _ = self.leave();
    }
}

fn ids(arrays: &[&AnyArray]) -> Vec<u64> {
    let mut ids = Vec::new();
    for array in arrays {
        array.for_each_leaf(&mut |leaf| ids.extend(leaf.node.as_ref().map(Node::id)));
    }
    ids
}

/// Operations are not noted for derivatives until the scope ends.
///
/// ```
/// use ivy_drjit::{enable_grad, grad_enabled, llvm::ad::Float, suspend_grad};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let x = Float::new([1.0, 2.0])?;
/// let x = enable_grad(&x)?;
/// let scope = suspend_grad();
/// assert!(!grad_enabled(&(&x * 2.0).ok()?));
/// drop(scope);
/// assert!(grad_enabled(&(&x * 2.0).ok()?));
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub fn suspend_grad() -> GradScope {
    GradScope::enter(|frame| {
        frame.listed.clear();
        frame.listed_are_enabled = true;
    })
}

/// [`suspend_grad`] for some arrays only.
pub fn suspend_grad_of(arrays: &[&AnyArray]) -> GradScope {
    let ids = ids(arrays);
    GradScope::enter(|frame| ids.iter().for_each(|&id| frame.set(id, false)))
}

/// Operations are noted again until the scope ends, within a scope that suspends them.
pub fn resume_grad() -> GradScope {
    GradScope::enter(|frame| {
        frame.listed.clear();
        frame.listed_are_enabled = false;
    })
}

/// [`resume_grad`] for some arrays only.
pub fn resume_grad_of(arrays: &[&AnyArray]) -> GradScope {
    let ids = ids(arrays);
    GradScope::enter(|frame| ids.iter().for_each(|&id| frame.set(id, true)))
}

/// Traversals within the scope stop at what was computed before it, and go on from there when it ends.
pub fn isolate_grad() -> GradScope {
    let boundary = next_id();
    GradScope::enter(|frame| frame.boundary = Some(boundary))
}

impl Frame {
    fn set(&mut self, id: u64, enabled: bool) {
        match enabled == self.listed_are_enabled {
            true => drop(self.listed.insert(id)),
            false => drop(self.listed.remove(&id)),
        }
    }
}

/// The error of code that captures what has gradients.
pub(crate) fn is_captured(error: &Error) -> bool {
    match error {
        Error::CapturedGradient { .. } => true,
        Error::Failed { source, .. } => is_captured(source),
        _ => false,
    }
}
