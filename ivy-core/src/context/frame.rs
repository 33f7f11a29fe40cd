//! The stack of frames of a thread.

use super::{Context, Interned, Layer, Settings, SharedGenerator, intern, modes::Setting};
use crate::Result;
use crate::backend::{BackendRef, default_backend};
use once_cell::sync::Lazy;
use std::{
    cell::{Cell, RefCell},
    marker::PhantomData,
    sync::{PoisonError, RwLock},
};

static PROCESS_DEFAULT: Lazy<RwLock<Context>> = Lazy::new(Default::default);

/// A context that is entered again and again: its settings are looked up once.
///
/// ```
/// use ivy_core::{Context, Rules, context::{Prepared, call_scope, current}};
/// let prepared = Prepared::from(&Context::new().rules(Rules::ArrayApi));
/// for _ in 0..3 {
///     let _scope = call_scope(&prepared);
///     assert_eq!(current().settings.rules, Rules::ArrayApi);
/// }
/// ```
#[derive(Clone)]
pub struct Prepared {
    backend: Option<BackendRef>,
    interned: &'static Interned,
    generator: Option<SharedGenerator>,
}

impl Prepared {
    /// The same context on another backend.
    #[must_use]
    pub fn with_backend(self, backend: BackendRef) -> Prepared {
        Prepared { backend: Some(backend), ..self }
    }

    /// The backend that creation functions use, if one is named.
    pub fn backend(&self) -> Option<&BackendRef> {
        self.backend.as_ref()
    }

    /// The context itself.
    pub fn context(&self) -> Context {
        let Prepared { backend, interned, generator } = self.clone();
        Context { backend, settings: interned.settings.clone(), generator }
    }
}

impl From<&Context> for Prepared {
    fn from(context: &Context) -> Prepared {
        let Context { backend, settings, generator } = context;
        Prepared { backend: backend.clone(), interned: intern(settings), generator: generator.clone() }
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Prepared").field(&self.context()).finish()
    }
}

pub(super) struct Frame {
    id: u64,
    initial: Prepared,
    /// What `set_*` pushed since, oldest first.
    pushed: Vec<Setting>,
    /// What both come to.
    backend: Option<BackendRef>,
    interned: &'static Interned,
    generator: Option<SharedGenerator>,
    /// Whether it is one call's: a seed that the call sets outlives it.
    of_call: bool,
    /// The layer over them, and the settings with it: those in force.
    layer: Option<Layer>,
    shown: &'static Interned,
}

impl Frame {
    fn new(id: u64, initial: Prepared) -> Frame {
        let Prepared { backend, interned, generator } = initial.clone();
        let (pushed, of_call) = (Vec::new(), false);
        Frame { id, initial, pushed, backend, interned, generator, of_call, layer: None, shown: interned }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Puts another layer over the frame, or none, and gives the one that was there.
    #[inline]
    pub(super) fn put_layer(&mut self, layer: Option<Layer>) -> Option<Layer> {
        self.shown = layer.map_or(self.interned, |layer| layer.over(self.interned));
        std::mem::replace(&mut self.layer, layer)
    }

    fn context(&self, generator: Option<SharedGenerator>) -> Context {
        Context { backend: self.backend.clone(), settings: self.shown.settings.clone(), generator }
    }

    /// After a change of `pushed`.
    fn recompute(&mut self) {
        let mut context = self.initial.context();
        self.pushed.iter().for_each(|setting| setting.apply(&mut context));
        self.interned = intern(&context.settings);
        self.backend = context.backend;
        self.put_layer(self.layer);
    }
}

struct Stack {
    /// The bottom frame stays.
    frames: Vec<Frame>,
    next_id: u64,
}

thread_local! {
    static STACK: RefCell<Stack> = RefCell::new(Stack {
        frames: vec![Frame::new(0, Prepared::from(&*PROCESS_DEFAULT.read().unwrap_or_else(PoisonError::into_inner)))],
        next_id: 1,
    });
    /// The settings of the top frame; `None` until the thread first asks.
    static CURRENT: Cell<Option<&'static Interned>> = const { Cell::new(None) };
}

impl Stack {
    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the bottom frame stays")
    }

    fn generator(&self) -> Option<SharedGenerator> {
        self.frames.iter().rev().find_map(|frame| frame.generator.clone())
    }

    fn enter(&mut self, frame: impl FnOnce(u64) -> Frame) -> Scope {
        let id = self.next_id;
        self.next_id += 1;
        self.frames.push(frame(id));
        CURRENT.set(Some(self.top().shown));
        Scope { id, not_send: PhantomData }
    }
}

/// Changes what lies over the top frame.
#[inline]
pub(super) fn with_top<T>(change: impl FnOnce(&mut Frame) -> T) -> T {
    STACK.with_borrow_mut(|stack| {
        let top = stack.top();
        let result = change(top);
        CURRENT.set(Some(top.shown));
        result
    })
}

/// Puts a frame's earlier layer back, if the frame is still there.
#[inline]
pub(super) fn restore_layer(id: u64, layer: Option<Layer>) {
    // A thread that is ending has no stack any more, and nothing to restore.
    let _ = STACK.try_with(|stack| {
        let mut stack = stack.borrow_mut();
        if let Some(frame) = stack.frames.iter_mut().rev().find(|frame| frame.id == id) {
            frame.put_layer(layer);
        }
        CURRENT.set(Some(stack.top().shown));
    });
}

/// The settings in force.
#[inline]
pub(crate) fn settings() -> &'static Interned {
    match CURRENT.get() {
        Some(current) => current,
        None => {
            let shown = STACK.with_borrow_mut(|stack| stack.top().shown);
            CURRENT.set(Some(shown));
            shown
        }
    }
}

/// The context in force on this thread. Enter it elsewhere to carry it to another thread.
pub fn current() -> Context {
    STACK.with_borrow_mut(|stack| {
        let generator = stack.generator();
        stack.top().context(generator)
    })
}

/// The backend in force, else the preferred one of those registered.
pub(crate) fn current_backend_or_default() -> Result<BackendRef> {
    match STACK.with_borrow_mut(|stack| stack.top().backend.clone()) {
        Some(backend) => Ok(backend),
        None => default_backend(),
    }
}

/// The number of the backend that is named, if one is.
pub(crate) fn current_backend_id() -> Option<u32> {
    STACK.with_borrow_mut(|stack| stack.top().backend.as_ref().map(BackendRef::id))
}

/// The generator of the innermost frame that has one.
pub(super) fn frame_generator() -> Option<SharedGenerator> {
    STACK.with_borrow(Stack::generator)
}

/// Gives the current frame a generator; in a frame of one call the frame around it, unless it has one of its own.
pub(super) fn set_frame_generator(generator: SharedGenerator) {
    STACK.with_borrow_mut(|stack| {
        let keeps = |frame: &&mut Frame| !frame.of_call || frame.generator.is_some();
        let frame = stack.frames.iter_mut().rev().find(keeps).expect("the bottom frame is no call's");
        frame.generator = Some(generator);
    });
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
    STACK.with_borrow_mut(|stack| stack.enter(|id| Frame::new(id, context.into())))
}

/// Puts a context in force for one call, until the guard is dropped: what the call [seeds](crate::functional::seed) stays seeded after it.
/// It is for bindings, which keep their scopes elsewhere and enter them anew for each call.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::context::{Prepared, call_scope};
/// let draw = || ivy::random_uniform(0.0, 1.0, ivy::RandomUniform::new().shape([2]))?.to_vec::<f32>();
/// let seed = || {
///     let _scope = call_scope(&Prepared::from(&Context::new()));
///     ivy::seed(3);
/// };
/// seed();
/// let first = draw()?;
/// seed();
/// assert_eq!(draw()?, first);
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn call_scope(context: &Prepared) -> Scope {
    STACK
        .with_borrow_mut(|stack| stack.enter(|id| Frame { of_call: true, ..Frame::new(id, context.clone()) }))
}

impl Drop for Scope {
    fn drop(&mut self) {
        // A thread that is ending has no stack any more, and nothing to restore.
        let _ = STACK.try_with(|stack| {
            let mut stack = stack.borrow_mut();
            if let Some(i) = stack.frames.iter().rposition(|frame| frame.id == self.id) {
                stack.frames.remove(i);
            }
            CURRENT.set(Some(stack.top().shown));
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
pub(crate) fn enter_internal(backend: &BackendRef, outer: &'static Interned) -> Scope {
    let interned = outer.internal.get_or_init(|| {
        let Settings { emulation, overrides, memory_limit, modes, .. } = outer.settings;
        intern(&Settings { emulation, overrides, memory_limit, modes, ..Settings::default() })
    });
    let initial = Prepared { backend: Some(backend.clone()), interned, generator: None };
    STACK.with_borrow_mut(|stack| stack.enter(|id| Frame::new(id, initial)))
}

pub(super) fn push(setting: Setting) {
    change(|pushed| pushed.push(setting));
}

/// Takes back the latest setting of the same kind in the current frame; nothing if there is none.
pub(super) fn pop(same_kind: impl Fn(&Setting) -> bool) {
    change(|pushed| {
        if let Some(i) = pushed.iter().rposition(same_kind) {
            pushed.remove(i);
        }
    });
}

/// Takes back every setting of a kind in the current frame.
pub(super) fn remove(kind: impl Fn(&Setting) -> bool) {
    change(|pushed| pushed.retain(|setting| !kind(setting)));
}

fn change(f: impl FnOnce(&mut Vec<Setting>)) {
    STACK.with_borrow_mut(|stack| {
        let top = stack.top();
        f(&mut top.pushed);
        top.recompute();
        CURRENT.set(Some(top.shown));
    });
}
