//! What a call goes through, stage by stage: the order of the pipeline, in one place, and a record of it.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

/// The stages of a call, in the order in which every call goes through them. A call goes through some of them; an
/// error ends it at the stage that refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// The operands are as many as the function takes, and none is the error of an expression.
    Operands,
    /// The backend is chosen by the arrays, and all of them are on it.
    Backend,
    /// `device=` is the backend's.
    Device,
    /// A plan is known for operands like these, or one is made; for a trace it is made anew.
    Plan,
    /// Each operand's dtype lies in the function's domain.
    Domain,
    /// The rules give the dtype computed in, and what comes out.
    Promotion,
    /// The backend, and the tables about it, say how it runs.
    Support,
    /// Where it is refused, a casting mode changes dtypes.
    CastingMode,
    /// Casts that nobody wrote are refused in strict mode.
    StrictCasts,
    /// Arrays are cast.
    Casts,
    /// Host scalars are checked for range and become arrays.
    Scalars,
    /// The op is made for the call: axes, shapes and the memory limit are checked.
    Lowering,
    /// The backend runs the op, or its own form of the function.
    Execution,
    /// The function is composed of others, which are calls of their own.
    Composition,
    /// The results go back to the `dtype=` that was asked for.
    CastBack,
}

impl Stage {
    /// The name, as a trace has it.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Operands => "operands",
            Stage::Backend => "backend",
            Stage::Device => "device",
            Stage::Plan => "plan",
            Stage::Domain => "domain",
            Stage::Promotion => "promotion",
            Stage::Support => "support",
            Stage::CastingMode => "casting mode",
            Stage::StrictCasts => "strict casts",
            Stage::Casts => "casts",
            Stage::Scalars => "scalars",
            Stage::Lowering => "lowering",
            Stage::Execution => "execution",
            Stage::Composition => "composition",
            Stage::CastBack => "cast back",
        }
    }
}

/// A stage that a call reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    /// How many compositions the call stands in.
    pub depth: usize,
    /// The function that was called.
    pub function: &'static str,
    /// The stage.
    pub stage: Stage,
    /// What was found or done there.
    pub detail: String,
}

impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (indent, stage) = (2 * self.depth, self.stage.name());
        write!(f, "{:indent$}{stage:12} {}: {}", "", self.function, self.detail)
    }
}

thread_local! {
    /// Whether anything is recorded: one load for each call.
    static ON: Cell<bool> = const { Cell::new(false) };
    static EVENTS: RefCell<Vec<TraceEvent>> = const { RefCell::new(Vec::new()) };
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// True within [`record_trace`].
#[inline]
pub(crate) fn is_traced() -> bool {
    ON.get()
}

/// Notes a stage where a trace is recorded.
#[inline]
pub(crate) fn note(function: &'static str, stage: Stage, detail: impl FnOnce() -> String) {
    if ON.get() {
        let event = TraceEvent { depth: DEPTH.get(), function, stage, detail: detail() };
        EVENTS.with_borrow_mut(|events| events.push(event));
    }
}

/// What was in force before, and is again when this is dropped.
pub(crate) struct Restored {
    on: bool,
    depth: usize,
    not_send: PhantomData<*const ()>,
}

impl Drop for Restored {
    fn drop(&mut self) {
        ON.set(self.on);
        DEPTH.set(self.depth);
    }
}

fn restored() -> Restored {
    Restored { on: ON.get(), depth: DEPTH.get(), not_send: PhantomData }
}

/// Nothing is noted until this is dropped: calls that a plan tries are not made.
pub(crate) fn paused() -> Restored {
    let before = restored();
    ON.set(false);
    before
}

/// Calls are below the one that is noted last, until this is dropped.
pub(crate) fn deeper() -> Restored {
    let before = restored();
    DEPTH.set(before.depth + 1);
    before
}

/// Runs `f` and gives the stages that its calls on this thread went through, in order. A call of one op whose plan is
/// known, with nothing between the operands and the op, goes past the pipeline and leaves no trace.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::plan::{Stage, record_trace};
/// let (x, y) = (ivy::zeros([2], Dtype::INT8)?, ivy::zeros([2], Dtype::FLOAT32)?);
/// let (sum, trace) = record_trace(|| ivy::add(&x, &y));
/// assert_eq!(sum?.dtype(), Dtype::FLOAT32);
/// assert!(trace.is_sorted_by_key(|event| event.stage));
/// let casts = trace.iter().find(|event| event.stage == Stage::Casts).unwrap();
/// assert_eq!(casts.to_string(), "casts        add: x1: int8 -> float32");
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn record_trace<T>(f: impl FnOnce() -> T) -> (T, Vec<TraceEvent>) {
    let before = restored();
    ON.set(true);
    DEPTH.set(0);
    let outer = EVENTS.take();
    let result = f();
    drop(before);
    (result, EVENTS.replace(outer))
}
