//! The engine: a trace, a generator, the kernels made so far, and what can be set and asked.
//!
//! Locks are held for bookkeeping only. Evaluation takes what it needs from the trace, runs
//! without a lock, and puts the result back; two threads that want the same node may both
//! compute it, with the same bits. What takes long is started where nobody reads it yet
//! (`asynchronous.rs`), and whoever does waits for it.

mod access;
mod asynchronous;
mod columns;
mod concat;
mod counter;
mod debug;
mod deferred;
mod device;
mod diagnose;
mod direct;
mod evaluate;
mod evaluate_all;
mod exit;
mod gather;
mod history;
mod launch;
mod literal;
pub(crate) mod lock;
mod materialize;
pub(crate) mod memory;
mod native;
mod pad;
pub(crate) mod queue;
mod record;
mod replay;
mod rows;
mod rows_on_device;
mod scatter;
mod settings;
mod small;
mod variable;

pub use gather::Places;
pub use history::{Counters, Launch};
pub(crate) use native::is_native;
pub use record::Step;
pub use replay::{Function, Replay};
pub use scatter::with_fast_sums;
pub use settings::Settings;
pub use variable::Variable;

use crate::cache::{Cache, Disk, Generator};
use crate::codegen::Ready;
use crate::codegen::llvm::{LANES, ROOTS, SIDE_BY_SIDE};
use crate::ir::Join;
use crate::log::{Level, say, wants};
use crate::passes::Choice;
use crate::runtime::Elements;
use crate::runtime::cpu::Space;
use crate::trace::{Kind, Map, More, NONE, Node, NodeId, Trace, changes_nothing};
use asynchronous::{How, Launches};
use debug::Debug;
use device::DeviceState;
use history::History;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, ErrorKind, Result, Scalar, Shape};
use literal::literal_words;
use lock::{Guard, Lock};
use scatter::ScatterPrograms;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use variable::State;

/// An engine with one generator. Clones of an `Arc` share it.
pub struct Engine {
    generator: Generator,
    disk: Option<Disk>,
    /// The device that arrays are on, if it is not the processor.
    on_device: Option<DeviceState>,
    trace: Lock<State>,
    cache: Lock<Cache<Ready>>,
    /// Programs of recorded loops that scatter.
    scatters: Lock<ScatterPrograms>,
    history: Lock<History>,
    queue: Launches,
    settings: AtomicU64,
    debug: Debug,
}

impl Engine {
    /// An engine with nothing noted.
    pub fn new(generator: Generator) -> Arc<Engine> {
        Engine::with_disk(generator, None)
    }

    /// An engine that keeps the object code of its kernels on disk, and takes it from there.
    pub fn with_disk(generator: Generator, disk: Option<Disk>) -> Arc<Engine> {
        Engine::of(generator, disk, None)
    }

    fn of(generator: Generator, disk: Option<Disk>, on_device: Option<DeviceState>) -> Arc<Engine> {
        Arc::new(Engine {
            generator,
            disk,
            on_device,
            trace: Lock::default(),
            cache: Lock::default(),
            scatters: Lock::default(),
            history: Lock::default(),
            queue: Launches::default(),
            settings: AtomicU64::new(Settings::default().bits()),
            debug: Debug::of_environment(),
        })
    }

    fn trace(&self) -> Guard<'_, State> {
        self.trace.take()
    }

    /// What makes its code for the processor.
    pub fn generator(&self) -> Generator {
        self.generator
    }

    /// The switches.
    #[inline]
    pub fn settings(&self) -> Settings {
        Settings::of(self.settings.load(Ordering::Relaxed))
    }

    /// What is done to kernels, as far as what makes code of them can.
    pub(super) fn choice(&self, settings: Settings) -> Choice {
        let choice = settings.passes();
        let halves = choice.halves && self.generator.has_halves();
        Choice { halves, twins: choice.twins && self.generator.looks_twice(), ..choice }
    }

    /// The passes that run, for rows of so many elements.
    pub(super) fn choice_in(&self, settings: Settings, row: usize) -> Choice {
        let roots = settings.roots && self.generator.roots().is_some_and(|r| row >= ROOTS * r.wide);
        Choice { roots, pipelined: roots && settings.pipelined, ..self.choice(settings) }
    }

    /// The passes that run, for the rows of a space: vectors are no longer than these, if there are several or one whose
    /// elements are not there everywhere.
    pub(super) fn choice_of(&self, settings: Settings, space: &Space<'_>) -> Choice {
        let row = space.row();
        let choice = self.choice_in(settings, row);
        let rows = (space.rows() > 1 || space.is_guarded()) && !space.folds_columns();
        match self.takes_short(settings) && rows && row < SIDE_BY_SIDE {
            true => Choice { abreast: false, short: row < LANES, ..choice },
            false => choice,
        }
    }

    /// True if kernels have a form for rows that are shorter than a vector.
    pub(super) fn takes_short(&self, settings: Settings) -> bool {
        settings.short && matches!(self.generator, Generator::Llvm(_))
    }

    /// True if elements that go on in a loop are put together.
    pub(super) fn packs(&self) -> bool {
        self.settings().packing && matches!(self.generator, Generator::Llvm(_))
    }

    /// Sets the switches; gives those before.
    pub fn set_settings(&self, settings: Settings) -> Settings {
        self.trace().set_bounded(settings.bounded);
        Settings::of(self.settings.swap(settings.bits(), Ordering::Relaxed))
    }

    /// An array in memory as a variable: without a copy, but for one to the engine's device.
    ///
    /// # Errors
    /// Those of that copy.
    pub fn data(self: &Arc<Self>, array: HostArray) -> Result<Variable> {
        let elements = match &self.on_device {
            None => Elements::Host(array),
            Some(on_device) => on_device.take(&array)?,
        };
        let mut trace = self.trace();
        let id = trace.data(elements);
        self.log_node(&trace, id, false);
        Ok(trace.handle(self, id))
    }

    /// An operation on variables of this engine, whose result has this dtype and shape: noted,
    /// not done, unless the settings or the size of what is pending say so. The operation must
    /// have a form for the operands ([`crate::lower::supports`]), and the shape be what they
    /// broadcast to; for [`Kind::Reshape`], of the same size. For views there is [`Engine::view`],
    /// for folds [`Engine::reduce`].
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn apply(
        self: &Arc<Self>,
        kind: Kind,
        dtype: Dtype,
        shape: Shape,
        operands: &[&Variable],
    ) -> Result<Variable> {
        let settings = self.settings();
        let mut ids = [NONE; 3];
        ids.iter_mut().zip(operands).for_each(|(id, v)| *id = v.id());
        let ids = &ids[..operands.len().min(3)];
        let mut gone = Vec::new();
        let (variable, folds, waits) = {
            let mut trace = self.trace();
            if settings.folding {
                let same = trace.unchanged(kind, dtype, ids).filter(|&x| trace.node(x).shape == shape);
                if let Some(x) = same {
                    trace.retain(x);
                    return Ok(trace.handle(self, x));
                }
            }
            let folds = settings.folding && ids.iter().all(|&i| trace.node(i).kind == Kind::Literal);
            let node = trace.pending(kind, dtype, shape, ids);
            let (variable, waits) =
                self.noted(&mut trace, node, [settings.numbering, settings.fusion], &mut gone);
            (variable, folds, waits)
        };
        drop(gone);
        if folds {
            return self.fold(&variable);
        }
        if !waits {
            self.settle(&variable)?;
        }
        Ok(variable)
    }

    /// Puts an operation into the trace; `false` says that it is not to wait. The switches are given one
    /// by one: to have all of them in memory takes time, and so does to move the node once more.
    #[inline(always)]
    fn noted(
        self: &Arc<Self>,
        trace: &mut State,
        node: Node,
        [numbering, fusion]: [bool; 2],
        gone: &mut Vec<Elements>,
    ) -> (Variable, bool) {
        let (id, shared) = trace.add(node, numbering, gone);
        self.log_node(trace, id, shared);
        let (is_large, symbolic) = (trace.is_too_large(id), trace.node(id).symbolic);
        let is_large = is_large && !symbolic && trace.exceeds(id);
        // What is recorded is never evaluated.
        (trace.handle(self, id), symbolic || !is_large && fusion)
    }

    /// [`Engine::apply`] of an operation on the elements of a variable and a host value, which becomes
    /// their dtype, is the first operand if `first`, and has no node of its own.
    ///
    /// # Errors
    /// As [`Engine::apply`] and [`Engine::literal`].
    pub fn apply_scalar(
        self: &Arc<Self>,
        op: BinaryOp,
        dtype: Dtype,
        x: &Variable,
        value: Scalar,
        first: bool,
    ) -> Result<Variable> {
        let (settings, kind) = (self.settings(), Kind::Binary(op));
        let mut gone = Vec::new();
        let (from, shape) = {
            let mut trace = self.trace();
            let node = trace.node(x.id());
            let (from, shape) = (node.dtype, node.shape.clone());
            if node.kind == Kind::Literal {
                (from, shape)
            } else {
                let words = literal_words(from, value)?;
                if settings.folding && changes_nothing(op, dtype, words[0], first) {
                    trace.retain(x.id());
                    return Ok(trace.handle(self, x.id()));
                }
                let mut node = trace.pending(kind, dtype, shape, &[x.id()]);
                node.literal = words;
                if first {
                    node.operands.swap(0, 1);
                }
                let (variable, waits) =
                    self.noted(&mut trace, node, [settings.numbering, settings.fusion], &mut gone);
                drop(trace);
                drop(gone);
                if !waits {
                    self.settle(&variable)?;
                }
                return Ok(variable);
            }
        };
        let value = self.literal(from, Shape::default(), value)?;
        self.apply(kind, dtype, shape, &if first { [&value, x] } else { [x, &value] })
    }

    /// A variable looked at in another way: its element with coordinates `x` is the one that the
    /// map finds for `x`. The map must lead to elements of the variable for every `x` in the shape.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn view(self: &Arc<Self>, map: Map, shape: Shape, of: &Variable) -> Result<Variable> {
        let (variable, large) = {
            let mut trace = self.trace();
            let node = trace.node(of.id());
            if node.kind == Kind::Literal {
                let (dtype, words, constant) = (node.dtype, node.literal, node.constant);
                let share = self.settings().numbering;
                let id = trace.literal(dtype, shape, words, [share, constant]);
                return Ok(trace.handle(self, id));
            }
            let dtype = node.dtype;
            let mut node = trace.pending(Kind::View, dtype, shape, &[of.id()]);
            node.flat = false;
            node.more = Some(Box::new(More::Map(map)));
            let (id, _) = trace.add(node, false, &mut Vec::new());
            self.log_node(&trace, id, false);
            let large = trace.is_too_large(id) && !trace.node(id).symbolic;
            (trace.handle(self, id), large)
        };
        if large {
            self.settle(of)?;
        }
        Ok(variable)
    }

    /// An operand folded over the axes that `axes` has a bit for, `shape` being what is left. There
    /// is something to fold, and the join takes the dtype ([`crate::lower::folds`]).
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn reduce(
        self: &Arc<Self>,
        join: Join,
        axes: u64,
        keepdims: bool,
        shape: Shape,
        of: &Variable,
    ) -> Result<Variable> {
        let settings = self.settings();
        let (dtype, literal) = (of.signature().0, [axes, u64::from(keepdims)]);
        let mut gone = Vec::new();
        let (variable, is_large) = {
            let mut trace = self.trace();
            let mut node = trace.pending(Kind::Fold(join), dtype, shape, &[of.id()]);
            (node.flat, node.literal) = (false, literal);
            let (id, shared) = trace.add(node, settings.numbering, &mut gone);
            self.log_node(&trace, id, shared);
            let is_large = trace.is_too_large(id);
            (trace.handle(self, id), is_large)
        };
        drop(gone);
        if !settings.folds || !settings.fusion {
            self.settle(of)?;
        }
        if is_large || !settings.fusion {
            self.settle(&variable)?;
        }
        Ok(variable)
    }

    #[inline]
    fn log_node(&self, trace: &Trace, id: NodeId, shared: bool) {
        if wants(Level::Trace) {
            say_node(trace, id, shared);
        }
    }

    /// What variables are made of, as a Graphviz digraph.
    pub fn graphviz(&self, roots: &[&Variable]) -> String {
        let ids: Vec<NodeId> = roots.iter().map(|v| v.id()).collect();
        self.trace().graphviz(&ids)
    }

    /// One line for each node that lives: number, references, dtype, shape, what it is, and its label.
    pub fn whos(&self) -> String {
        let trace = self.trace();
        trace
            .live()
            .map(|(id, n)| {
                let label = trace.label(id).map_or_else(String::new, |label| format!(" {label:?}"));
                format!("r{id} {} refs {} {} {}{label}\n", n.refs, n.dtype, n.shape, n.kind.name())
            })
            .collect()
    }

    /// The last launches, the oldest first, which are forgotten then.
    pub fn take_history(&self) -> Vec<Launch> {
        self.history.take().take()
    }

    /// What was done so far: launches count when they have ended.
    pub fn counters(&self) -> Counters {
        let (nodes, shared, live) = {
            let trace = self.trace();
            (trace.made, trace.shared, trace.live().count())
        };
        let on_device = self.on_device.as_ref().map_or(0, DeviceState::kernels);
        let kernels = self.cache.take().len() + on_device;
        let [launches, compiled, loaded] = self.history.take().totals();
        Counters { nodes, shared, live, kernels, launches, compiled, loaded, started: self.started() }
    }
}

#[cold]
fn say_node(trace: &Trace, id: NodeId, shared: bool) {
    let node = trace.node(id);
    let mut operands: Vec<String> = node.operands().map(|o| format!("r{o}")).collect();
    if let Some(at) = node.scalar() {
        operands.insert(at, format!("{:#x}", node.literal[0]));
    }
    let (dtype, name, operands) = (node.dtype, node.kind.name(), operands.join(", "));
    let size = node.shape.size();
    let made = match node.kind {
        Kind::Literal => format!("{:#x}", node.literal[0]),
        Kind::Data => name.into(),
        _ => format!("{name}({operands})"),
    };
    let mut about = String::new();
    for (is, what) in
        [(node.kind == Kind::Literal, " [literal]"), (shared, " [lvn hit]"), (node.symbolic, " [symbolic]")]
    {
        about.push_str(if is { what } else { "" });
    }
    say(Level::Trace, format_args!("jit_var_new(): {dtype} r{id}[{size}] = {made}{about}"));
}

pub(crate) fn misfit(function: &'static str) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function,
        argument: "shape",
        value: "of an input".into(),
        rule: "inputs are walked in the shape of the result",
    }
    .into()
}

impl Trace {
    /// What operands weigh and cost together, whether all are flat in a shape of this size, and whether one is
    /// made of what a recorded function was given.
    fn taken_with(&self, ids: &[NodeId], size: usize) -> ([u16; 2], bool, bool) {
        let taken = ([0u16; 2], true, false);
        ids.iter().map(|&id| self.node(id)).fold(taken, |([weight, cost], flat, given), node| {
            let both = [weight.saturating_add(node.weight), cost.saturating_add(node.cost)];
            (both, flat & node.is_flat(size), given | node.given)
        })
    }

    /// A pending node, with references to its operands.
    fn pending(&mut self, kind: Kind, dtype: Dtype, shape: Shape, ids: &[NodeId]) -> Node {
        let size = shape.size();
        let mut operands = [NONE; 3];
        let (mut weight, mut cost) = (kind.weight(), kind.cost(dtype));
        let (mut flat, mut symbolic, mut given) = (true, false, false);
        for (number, &id) in ids.iter().enumerate() {
            self.retain(id);
            operands[number] = id;
            let node = self.node(id);
            // What is an operand twice is computed once.
            if !ids[..number].contains(&id) {
                weight = weight.saturating_add(node.weight);
                cost = cost.saturating_add(node.cost);
            }
            symbolic |= node.symbolic;
            given |= node.given;
            flat &= node.is_flat(size);
        }
        Node {
            refs: 1,
            weight: weight.min(u16::MAX - 1),
            cost,
            operands,
            kind,
            dtype,
            flat,
            symbolic,
            given,
            materialized: false,
            constant: false,
            literal: [0; 2],
            shape,
            data: None,
            more: None,
        }
    }
}
