//! Which elements are at work in the branches and loops that a thread is in: an index out of range is an
//! error of those only.
//!
//! An index belongs to the element that stands at its place in the result; an array of indices that
//! does not broadcast so with the condition counts as a whole.

use crate::array::Array;
use crate::backend::{BackendRef, Value, Values};
use crate::functional::scatter_of_lanes;
use crate::{BinaryOp, Dtype, ErrorKind, Op, Result, Scalar, Shape, origin, shape, transform};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::thread::LocalKey;

thread_local! {
    /// Which elements are at work, in each of the branches and loops around.
    static MASKS: RefCell<Vec<Array>> = const { RefCell::new(Vec::new()) };
    /// True while a backend records a loop, and no branch or loop around it runs step by step: each
    /// element is made of the same element of all else.
    static RECORDED: Cell<bool> = const { Cell::new(false) };
    /// True while scatters are those of the elements at work.
    static SCATTERING: Cell<bool> = const { Cell::new(false) };
}

/// True within a branch, or the body of a loop, that this thread is in.
pub(crate) fn is_within() -> bool {
    MASKS.with_borrow(|masks| !masks.is_empty())
}

/// Which elements are at work in the innermost branch or loop.
pub(crate) fn mask() -> Option<Array> {
    MASKS.with_borrow(|masks| masks.last().cloned())
}

/// Takes the last mask away, in a panic too.
struct Masked;

impl Drop for Masked {
    fn drop(&mut self) {
        MASKS.with_borrow_mut(|masks| masks.pop());
    }
}

/// Calls a function in which the elements of a mask are at work.
pub(crate) fn under<T>(mask: Array, f: impl FnOnce() -> Result<T>) -> Result<T> {
    MASKS.with_borrow_mut(|masks| masks.push(mask));
    let _masked = Masked;
    f()
}

/// Puts back what was before, in a panic too.
struct Before(&'static LocalKey<Cell<bool>>, bool);

impl Drop for Before {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// Calls what records a loop.
pub(crate) fn recorded<T>(f: impl FnOnce() -> T) -> T {
    // What stands around it may use what was read for elements at rest there.
    let _before = Before(&RECORDED, RECORDED.replace(RECORDED.get() || !is_within()));
    f()
}

/// Calls a function whose scatters are those of the elements at work. Where a loop is recorded these are all that get
/// there.
pub(crate) fn scattering<T>(f: impl FnOnce() -> T) -> T {
    let _before = Before(&SCATTERING, SCATTERING.replace(true));
    f()
}

/// Runs an op for a function, whose name errors have; of one that reads elements at indices, those of elements
/// that are not at work may be out of range, and read some other element.
///
/// # Errors
/// Those of the op.
pub(crate) fn execute(
    function: &'static str,
    backend: &BackendRef,
    op: &Op,
    operands: &[&Value],
) -> Result<Values> {
    if matches!(op, Op::Scatter { .. } | Op::Exchange { .. })
        && SCATTERING.get()
        && !RECORDED.get()
        && let Some(mask) = mask()
        && let Some(done) = {
            // All that is run for it is run for all.
            let _before = Before(&SCATTERING, SCATTERING.replace(false));
            scatter_of_lanes(function, backend, op, operands, &mask)?
        }
    {
        return Ok(done);
    }
    let gathers = matches!(op, Op::Take { .. } | Op::TakeAlongAxis { .. } | Op::Gather { .. });
    // One of another device has no say, nor has one of an outer level: what is read here is read for all entries.
    let lifted = |mask: Array| mask.lift_to(function, backend).map(Cow::into_owned).ok();
    let mask = if gathers { mask().and_then(lifted) } else { None };
    let Some(mask) = mask else { return run(function, backend, op, operands) };
    if backend.is_lazy() {
        return masked(function, backend, op, operands, &mask);
    }
    // Mostly none is.
    match run(function, backend, op, operands) {
        Err(error) if matches!(error.kind(), ErrorKind::IndexOutOfRange { .. }) => {
            masked(function, backend, op, operands, &mask)
        }
        done => done,
    }
}

fn run(function: &'static str, backend: &BackendRef, op: &Op, operands: &[&Value]) -> Result<Values> {
    let done = origin::named(function, || backend.execute(op, operands));
    // A lazy one may also tell of what was asked for before: it names the functions itself.
    if backend.is_lazy() { done } else { done.map_err(|error| error.with_function(function)) }
}

/// The first axis that an op indexes, and how many axes of its result stand behind those of an index.
fn places(op: &Op, x: &Shape, indices: usize) -> (usize, usize) {
    match *op {
        Op::Take { axis } => (axis, x.len() - axis - 1),
        Op::TakeAlongAxis { axis } => (axis, 0),
        _ => (0, x.len() - indices),
    }
}

fn masked(
    function: &'static str,
    backend: &BackendRef,
    op: &Op,
    operands: &[&Value],
    mask: &Array,
) -> Result<Values> {
    let [x, indices @ ..] = operands else { return run(function, backend, op, operands) };
    let (first, behind) = places(op, &x.shape, indices.len());
    let lengths = &x.shape[first..first + indices.len()];
    if lengths.contains(&0) && !transform::any_true(mask)? {
        // No index is in range, and none counts.
        let all: SmallVec<[(Dtype, &Shape); 4]> = operands.iter().map(|v| (v.dtype, &v.shape)).collect();
        let zeros = op.result(function, &all)?.into_iter().map(|(dtype, shape)| {
            let value = if dtype == Dtype::BOOL { Scalar::Bool(false) } else { Scalar::Int(0) };
            backend.execute_one(&Op::Full { shape, dtype, value }, &[])
        });
        return zeros.collect();
    }
    let mut kept: SmallVec<[Value; 4]> = SmallVec::new();
    for (&index, &length) in indices.iter().zip(lengths) {
        kept.push(match aligned(function, mask, &index.shape, behind)? {
            Some(mask) => counted(backend, index, &mask, length)?,
            None => index.clone(),
        });
    }
    let operands: SmallVec<[&Value; 4]> = std::iter::once(*x).chain(&kept).collect();
    run(function, backend, op, &operands)
}

/// The mask for the elements of an index behind whose axes so many of the result stand; `None` where
/// several elements share an index.
fn aligned(function: &'static str, mask: &Array, index: &Shape, behind: usize) -> Result<Option<Value>> {
    let laid: Shape = index.iter().copied().chain(std::iter::repeat_n(1, behind)).collect();
    if !shape::broadcast(function, &[mask.shape(), &laid]).is_ok_and(|both| both == laid) {
        return Ok(None);
    }
    let own: Shape = mask.shape()[..mask.ndim().saturating_sub(behind)].into();
    if own == *mask.shape() {
        return Ok(Some(mask.value().clone()));
    }
    mask.backend().execute_one(&Op::Reshape { shape: own }, &[mask.value()]).map(Some)
}

/// An index, 0 instead where it does not count and is out of range.
fn counted(backend: &BackendRef, index: &Value, mask: &Value, length: usize) -> Result<Value> {
    let compare = |op, bound: i128| backend.execute_scalar(op, index, Scalar::Int(bound), false);
    let mut counts = mask.clone();
    if !RECORDED.get() {
        // What is in range is read by all: not everything is made of the same element.
        let low = compare(BinaryOp::GreaterEqual, -(length as i128))?;
        let high = compare(BinaryOp::Less, length as i128)?;
        let inside = backend.execute_one(&Op::Binary(BinaryOp::LogicalAnd), &[&low, &high])?;
        counts = backend.execute_one(&Op::Binary(BinaryOp::LogicalOr), &[mask, &inside])?;
    }
    let zero = Op::Full { shape: Shape::default(), dtype: index.dtype, value: Scalar::Int(0) };
    backend.execute_one(&Op::Where, &[&counts, index, &backend.execute_one(&zero, &[])?])
}
