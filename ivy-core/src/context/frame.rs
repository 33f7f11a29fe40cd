//! The stack of frames of a thread.

use super::{Context, Interned, Settings, intern, modes::Setting};
use crate::Result;
use crate::backend::{BackendRef, default_backend};
use once_cell::sync::Lazy;
use std::{
    cell::{Cell, RefCell},
    marker::PhantomData,
    sync::{PoisonError, RwLock},
};

static PROCESS_DEFAULT: Lazy<RwLock<Context>> = Lazy::new(Default::default);

struct Frame {
    id: u64,
    initial: Context,
    /// What `set_*` pushed since, oldest first.
    pushed: Vec<Setting>,
}

struct Stack {
    frames: Vec<Frame>,
    backend: Option<BackendRef>,
    next_id: u64,
}

thread_local! {
    static STACK: RefCell<Stack> = RefCell::new(Stack {
        frames: vec![Frame {
            id: 0,
            initial: PROCESS_DEFAULT.read().unwrap_or_else(PoisonError::into_inner).clone(),
            pushed: Vec::new(),
        }],
        backend: PROCESS_DEFAULT.read().unwrap_or_else(PoisonError::into_inner).backend.clone(),
        next_id: 1,
    });
    /// The settings of the top frame; `None` until the thread first asks.
    static CURRENT: Cell<Option<&'static Interned>> = const { Cell::new(None) };
}

impl Stack {
    /// The context of the top frame: what it began with, and what was set since.
    fn top(&self) -> Context {
        let frame = self.frames.last().expect("the bottom frame stays");
        let mut context = frame.initial.clone();
        frame.pushed.iter().for_each(|setting| setting.apply(&mut context));
        context
    }

    fn refresh(&mut self) {
        let top = self.top();
        self.backend = top.backend;
        CURRENT.set(Some(intern(&top.settings)));
    }
}

/// The settings in force.
#[inline]
pub(crate) fn settings() -> &'static Interned {
    match CURRENT.get() {
        Some(current) => current,
        None => {
            STACK.with_borrow_mut(Stack::refresh);
            CURRENT.get().expect("refreshed")
        }
    }
}

/// The context in force on this thread. Enter it elsewhere to carry it to another thread.
pub fn current() -> Context {
    STACK.with_borrow(Stack::top)
}

/// The backend in force, else the preferred one of those registered.
pub(crate) fn current_backend_or_default() -> Result<BackendRef> {
    match STACK.with_borrow(|stack| stack.backend.clone()) {
        Some(backend) => Ok(backend),
        None => default_backend(),
    }
}

/// Sets the context that threads begin with from now on. Threads that run keep theirs.
pub fn set_process_default(context: Context) {
    *PROCESS_DEFAULT.write().unwrap_or_else(PoisonError::into_inner) = context;
}

/// A context in force until the guard is dropped. It stays on its thread; guards may be
/// dropped in any order, and each takes away its own frame.
#[must_use = "the context is in force until the guard is dropped"]
pub struct Scope {
    id: u64,
    not_send: PhantomData<*const ()>,
}

/// Puts a context in force until the guard is dropped.
pub fn scope(context: &Context) -> Scope {
    STACK.with_borrow_mut(|stack| {
        let id = stack.next_id;
        stack.next_id += 1;
        stack.frames.push(Frame { id, initial: context.clone(), pushed: Vec::new() });
        stack.refresh();
        Scope { id, not_send: PhantomData }
    })
}

impl Drop for Scope {
    fn drop(&mut self) {
        // A thread that is ending has no stack any more, and nothing to restore.
        let _ = STACK.try_with(|stack| {
            let mut stack = stack.borrow_mut();
            stack.frames.retain(|frame| frame.id != self.id);
            stack.refresh();
        });
    }
}

/// Runs `f` with a context in force; afterwards, also after a panic, the old one is back.
///
/// ```
/// use ivy_core::{Context, Rules, context};
/// let rules = context::with(&Context::new().rules(Rules::ArrayApi), || context::current().settings.rules);
/// assert_eq!(rules, Rules::ArrayApi);
/// assert_eq!(context::current().settings.rules, Rules::Precise);
/// ```
pub fn with<T>(context: &Context, f: impl FnOnce() -> T) -> T {
    let _scope = scope(context);
    f()
}

/// The fixed context in which a composition runs: the operands' backend, and the default
/// settings but for what the caller forbids.
pub(crate) fn enter_internal(backend: &BackendRef, outer: &Settings) -> Scope {
    let settings =
        Settings { emulation: outer.emulation, memory_limit: outer.memory_limit, ..Settings::default() };
    scope(&Context { backend: Some(backend.clone()), settings })
}

pub(super) fn push(setting: Setting) {
    STACK.with_borrow_mut(|stack| {
        stack.frames.last_mut().expect("the bottom frame stays").pushed.push(setting);
        stack.refresh();
    });
}

/// Takes back the latest setting of the same kind in the current frame; nothing if there is none.
pub(super) fn pop(same_kind: impl Fn(&Setting) -> bool) {
    STACK.with_borrow_mut(|stack| {
        let frame = stack.frames.last_mut().expect("the bottom frame stays");
        if let Some(i) = frame.pushed.iter().rposition(same_kind) {
            frame.pushed.remove(i);
        }
        stack.refresh();
    });
}
