//! The engine: a trace, a generator, the kernels made so far, and what can be set and asked.
//!
//! Locks are held for bookkeeping only. Evaluation takes what it needs from the trace, runs
//! without a lock, and puts the result back; two threads that want the same node may both
//! compute it, with the same bits.

mod debug;
mod device;
mod gather;
mod history;
mod lock;
mod record;
mod replay;
mod rows;
mod settings;
mod together;
mod variable;

pub use gather::Places;
pub use history::{Counters, Launch};
pub use record::Step;
pub use replay::{Function, Replay};
pub use settings::Settings;
pub use variable::Variable;

use crate::cache::{Cache, Disk, Generator, Ready, prepare};
use crate::ir::{Access, Join};
use crate::log::{Level, say, wants};
use crate::runtime::Elements;
use crate::runtime::cpu::{Space, Written, fold, launch};
use crate::schedule::{Job, Meaning, Program, kernel, words_of};
use crate::trace::{Kind, LARGEST, Map, More, NONE, Node, NodeId, Trace, changes_nothing};
use debug::Debug;
use device::There;
use history::History;
use ivy_core::host::{HostArray, HostView, contiguous_strides};
use ivy_core::{BinaryOp, Dims, Dtype, ErrorKind, Op, ReduceOp, Result, Scalar, Shape};
use lock::{Guard, Lock};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use variable::State;

/// An engine with one generator. Clones of an `Arc` share it.
pub struct Engine {
    generator: Generator,
    disk: Option<Disk>,
    /// The device that arrays are on, if it is not the processor.
    there: Option<There>,
    trace: Lock<State>,
    cache: Lock<Cache<Ready>>,
    history: Lock<History>,
    settings: AtomicU32,
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

    fn of(generator: Generator, disk: Option<Disk>, there: Option<There>) -> Arc<Engine> {
        Arc::new(Engine {
            generator,
            disk,
            there,
            trace: Lock::default(),
            cache: Lock::default(),
            history: Lock::default(),
            settings: AtomicU32::new(Settings::default().bits()),
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
    pub fn settings(&self) -> Settings {
        Settings::of(self.settings.load(Ordering::Relaxed))
    }

    /// Sets the switches; gives those before.
    pub fn set_settings(&self, settings: Settings) -> Settings {
        Settings::of(self.settings.swap(settings.bits(), Ordering::Relaxed))
    }

    /// An array in memory as a variable: without a copy, but for one to the engine's device.
    ///
    /// # Errors
    /// Those of that copy.
    pub fn data(self: &Arc<Self>, array: HostArray) -> Result<Variable> {
        let elements = match &self.there {
            None => Elements::Host(array),
            Some(there) => there.take(&array)?,
        };
        let mut trace = self.trace();
        let id = trace.data(elements);
        Ok(trace.handle(self, id))
    }

    /// An array of one value, without memory for it.
    ///
    /// # Errors
    /// Those of a scalar that does not become the dtype.
    pub fn literal(self: &Arc<Self>, dtype: Dtype, shape: Shape, value: Scalar) -> Result<Variable> {
        let words = literal_words(dtype, value)?;
        let share = self.settings().numbering;
        let mut trace = self.trace();
        let id = trace.literal(dtype, shape, words, share);
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
        let ids: SmallVec<[NodeId; 3]> = operands.iter().map(|v| v.id()).collect();
        let mut gone = Vec::new();
        let (variable, folds, waits) = {
            let mut trace = self.trace();
            if settings.folding {
                let same = trace.unchanged(kind, dtype, &ids).filter(|&x| trace.node(x).shape == shape);
                if let Some(x) = same {
                    trace.retain(x);
                    return Ok(trace.handle(self, x));
                }
            }
            let folds = settings.folding && ids.iter().all(|&i| trace.node(i).kind == Kind::Literal);
            let node = trace.pending(kind, dtype, shape, &ids);
            let (variable, waits) = self.noted(&mut trace, node, settings, &mut gone);
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

    /// Puts an operation into the trace; `false` says that it is not to wait.
    fn noted(
        self: &Arc<Self>,
        trace: &mut State,
        node: Node,
        settings: Settings,
        gone: &mut Vec<Elements>,
    ) -> (Variable, bool) {
        let (id, shared) = trace.add(node, settings.numbering, gone);
        self.log_node(trace, id, shared);
        let (mut weight, symbolic) = (trace.node(id).weight, trace.node(id).symbolic);
        if weight > LARGEST && !symbolic {
            weight = trace.weigh(id);
        }
        // What is recorded is never evaluated.
        (trace.handle(self, id), symbolic || weight <= LARGEST && settings.fusion)
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
                let (variable, waits) = self.noted(&mut trace, node, settings, &mut gone);
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
                let (dtype, words) = (node.dtype, node.literal);
                let share = self.settings().numbering;
                let id = trace.literal(dtype, shape, words, share);
                return Ok(trace.handle(self, id));
            }
            let dtype = node.dtype;
            let mut node = trace.pending(Kind::View, dtype, shape, &[of.id()]);
            node.flat = false;
            node.more = Some(Box::new(More::Map(map)));
            let (id, _) = trace.add(node, false, &mut Vec::new());
            self.log_node(&trace, id, false);
            let node = trace.node(id);
            let large = node.weight > LARGEST && !node.symbolic;
            (trace.handle(self, id), large)
        };
        if large {
            self.settle(of)?;
        }
        Ok(variable)
    }

    /// An operation on literals is a literal: its one value is computed as any other, so that
    /// its bits are the same.
    fn fold(self: &Arc<Self>, variable: &Variable) -> Result<Variable> {
        let (dtype, shape) = variable.signature();
        let Ok(mut job) = self.trace().collect(variable.id()) else { return Ok(variable.clone()) };
        job.uniform();
        // Literals are the host's, whatever the device.
        let one = self.run_here(&job)?.remove(0);
        let words = words_of(one.view().contiguous_bytes().unwrap_or(&[]));
        let share = self.settings().numbering;
        let mut trace = self.trace();
        let id = trace.literal(dtype, shape, words, share);
        Ok(trace.handle(self, id))
    }

    /// The elements in the host's memory, computed if they are pending; from a device, a copy.
    ///
    /// # Errors
    /// No memory. The variable stays as it was, and the next read tries again.
    pub fn evaluate(&self, variable: &Variable) -> Result<HostArray> {
        match (self.compute(variable)?, &self.there) {
            (Elements::Host(array), _) => Ok(array),
            // Mostly gaps: they are left there.
            (Elements::Device(array), Some(there)) if array.is_sparse() => {
                self.contiguous(there, Elements::Device(array))?.download()
            }
            (Elements::Device(array), _) => array.download(),
        }
    }

    /// The elements where the engine has them, computed if they are pending.
    ///
    /// # Errors
    /// As [`Engine::evaluate`].
    pub fn compute(&self, variable: &Variable) -> Result<Elements> {
        let mut state = self.trace();
        if state.node(variable.id()).given {
            state.recorders.is_read();
        }
        drop(state);
        self.force(variable)
    }

    /// Computes the elements if they are pending, which nobody reads yet.
    ///
    /// # Errors
    /// As [`Engine::evaluate`].
    pub fn settle(&self, variable: &Variable) -> Result<()> {
        self.force(variable).map(drop)
    }

    /// The elements, computed if they are pending.
    fn force(&self, variable: &Variable) -> Result<Elements> {
        self.compute_nodes(&[variable.id()])
    }

    /// The elements of the first of some nodes that the caller has references to; of the others as well,
    /// if one kernel computes them all.
    fn compute_nodes(&self, roots: &[NodeId]) -> Result<Elements> {
        enum Found {
            Array(Elements),
            Literal(Dtype, Shape, [u64; 2]),
            /// Only another shape of what is there.
            Reshaped(Option<Box<Elements>>, Shape, NodeId),
            Pending(Job),
            /// Several kernels over some rows at a time; else this one must be evaluated first.
            Rows(Program, NodeId),
            /// It has none.
            Symbolic,
            Not,
        }
        // What must be evaluated before, the next one last.
        let mut before = Held { engine: self, ids: Vec::new() };
        // What is computed besides.
        let mut others = Held { engine: self, ids: Vec::new() };
        loop {
            let id = before.ids.last().copied().unwrap_or(roots[0]);
            let (found, recorded) = {
                let mut trace = self.trace();
                let node = trace.node(id);
                let given = node.given;
                let found = match (&node.data, node.kind) {
                    _ if node.symbolic => Found::Symbolic,
                    (Some(array), _) => Found::Array((**array).clone()),
                    (None, Kind::Reshape) if trace.node(node.operands[0]).data.is_some() => {
                        let from = node.operands[0];
                        Found::Reshaped(trace.node(from).data.clone(), node.shape.clone(), from)
                    }
                    (None, Kind::Literal) => Found::Literal(node.dtype, node.shape.clone(), node.literal),
                    (None, _) => match self.collect(&mut trace, id, before.ids.is_empty().then_some(roots)) {
                        Ok(job) => {
                            // They live while their elements are computed.
                            for id in job.others().chain(job.checks().iter().map(|c| c.node)) {
                                trace.retain(id);
                                others.ids.push(id);
                            }
                            Found::Pending(job)
                        }
                        Err(first) => match self.program(&mut trace, id, first) {
                            Some(program) => {
                                for id in program.needs(first) {
                                    trace.retain(id);
                                    others.ids.push(id);
                                }
                                Found::Rows(program, first)
                            }
                            None => {
                                trace.retain(first);
                                before.ids.push(first);
                                Found::Not
                            }
                        },
                    },
                };
                let recorded =
                    given && matches!(found, Found::Pending(_) | Found::Rows(..) | Found::Reshaped(..));
                (found, recorded && trace.recorders.follow())
            };
            let array = match found {
                Found::Not => continue,
                Found::Symbolic => return Err(record::no_elements(id)),
                Found::Array(array) => array,
                Found::Literal(dtype, shape, words) => self.filled(dtype, &shape, &words)?,
                Found::Pending(job) => {
                    let first = match job.view() {
                        Some(array) => array,
                        None => {
                            let mut arrays = self.run_checked(&job)?.into_iter();
                            let first = arrays.next().ok_or_else(|| misfit("evaluate"))?;
                            let mut gone = Vec::new();
                            for (id, array) in job.others().zip(arrays) {
                                self.trace().settle(id, array, &mut gone);
                            }
                            drop(gone);
                            first
                        }
                    };
                    if recorded {
                        self.note_job(job, id);
                    }
                    while others.pop() {}
                    first
                }
                Found::Rows(program, first) => {
                    let given = self.run_program(&program)?;
                    if let (Some(given), true) = (&given, recorded) {
                        self.note_program(program, given.iter().map(|(node, _)| *node));
                    }
                    let mut result = None;
                    let mut gone = Vec::new();
                    for (node, array) in given.into_iter().flatten() {
                        let array = Elements::Host(array);
                        match node == id {
                            true => result = Some(array),
                            false => self.trace().settle(node, array, &mut gone),
                        }
                    }
                    drop(gone);
                    if result.is_none() {
                        self.trace().retain(first);
                        before.ids.push(first);
                    }
                    while others.pop() {}
                    match result {
                        Some(array) => array,
                        None => continue,
                    }
                }
                Found::Reshaped(Some(array), shape, from) => {
                    if recorded {
                        self.note_reshape(from, &shape, id);
                    }
                    self.reshaped(*array, &shape)?
                }
                Found::Reshaped(None, ..) => continue,
            };
            let mut gone = Vec::new();
            self.trace().settle(id, array.clone(), &mut gone);
            drop(gone);
            if !before.pop() {
                return Ok(array);
            }
        }
    }

    /// What one kernel is to compute: a node, or several.
    fn collect(
        &self,
        trace: &mut State,
        id: NodeId,
        roots: Option<&[NodeId]>,
    ) -> std::result::Result<Job, NodeId> {
        match roots {
            Some(roots @ [_, _, ..]) => trace.collect_all(roots),
            _ => trace.collect(id),
        }
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
        let (variable, weight) = {
            let mut trace = self.trace();
            let mut node = trace.pending(Kind::Fold(join), dtype, shape, &[of.id()]);
            (node.flat, node.literal) = (false, literal);
            let (id, shared) = trace.add(node, settings.numbering, &mut gone);
            self.log_node(&trace, id, shared);
            let weight = trace.node(id).weight;
            (trace.handle(self, id), weight)
        };
        drop(gone);
        if !settings.folds || !settings.fusion {
            self.settle(of)?;
        }
        if weight > LARGEST || !settings.fusion {
            self.settle(&variable)?;
        }
        Ok(variable)
    }

    /// Runs a job whose nodes the caller has references to; says which index was out of range.
    fn run_checked(&self, job: &Job) -> Result<SmallVec<[Elements; 1]>> {
        self.run(job).map_err(|error| match error.kind() {
            ErrorKind::IndexOutOfRange { .. } => self.out_of_range(job.checks()),
            _ => error,
        })
    }

    /// Runs a job in one kernel, where the engine's arrays are; gives all its results.
    fn run(&self, job: &Job) -> Result<SmallVec<[Elements; 1]>> {
        match &self.there {
            None => Ok(self.run_here(job)?.into_iter().map(Elements::Host).collect()),
            Some(there) => Ok(self.run_all_there(there, job)?.into_iter().map(Elements::Device).collect()),
        }
    }

    fn filled(&self, dtype: Dtype, shape: &Shape, words: &[u64; 2]) -> Result<Elements> {
        match &self.there {
            None => filled(dtype, shape, words).map(Elements::Host),
            Some(there) => there.filled(dtype, shape, words),
        }
    }

    fn reshaped(&self, elements: Elements, shape: &Shape) -> Result<Elements> {
        match (elements, &self.there) {
            (Elements::Host(array), _) => ivy_kernels::layout::reshape(&array, shape).map(Elements::Host),
            (elements, Some(there)) => {
                let array = Elements::Device(self.contiguous(there, elements)?);
                let (offset, strides) = (array.offset(), ivy_core::host::contiguous_strides(shape));
                array.view(shape.clone(), strides, offset).ok_or_else(|| misfit("reshape"))
            }
            (Elements::Device(_), None) => Err(misfit("reshape")),
        }
    }

    /// Runs a job in one kernel on the processor.
    fn run_here(&self, job: &Job) -> Result<Results> {
        let views = job.views()?;
        let settings = self.settings();
        if let Some((join, axes)) = job.fold {
            let Some(mut space) = Space::folding(&job.space, axes, &views) else {
                return self.fold_in_order(job, join, axes).map(|array| smallvec![array]);
            };
            job.reach(&mut space);
            let result = if space.folds_columns() { Access::Across(join) } else { Access::Along(join) };
            return self.launch(job, &space, result, settings);
        }
        let mut space = Space::new(&job.space, &views).ok_or_else(|| misfit("evaluate"))?;
        // Short rows are copied into order first: each would be a call of its own.
        if space.rows() > 1 && space.row() < SHORT {
            return self.run_in_order(job, settings);
        }
        job.reach(&mut space);
        let stream = settings.streams && job.is_large() && !space.gathers_rows();
        self.launch(job, &space, if stream { Access::Stream } else { Access::Out }, settings)
    }

    /// Runs a job on copies of its inputs in order; what is gathered from stays as it is.
    fn run_in_order(&self, job: &Job, settings: Settings) -> Result<Results> {
        let unwalked = job.gathers().then(|| job.unwalked()).transpose()?;
        let job = unwalked.as_ref().unwrap_or(job);
        let views = job.views()?;
        let arrays = views.iter().enumerate().map(|(i, view)| match job.is_gathered(i) {
            true => Ok(None),
            false => ivy_kernels::to_contiguous(*view).map(Some),
        });
        let arrays = arrays.collect::<Result<SmallVec<[Option<HostArray>; 4]>>>()?;
        let both = arrays.iter().zip(&views);
        let views: SmallVec<[HostView<'_>; 4]> =
            both.map(|(array, view)| array.as_ref().map_or(*view, HostArray::view)).collect();
        let mut space = Space::new(&job.space, &views).ok_or_else(|| misfit("evaluate"))?;
        job.reach(&mut space);
        self.launch(job, &space, Access::Out, settings)
    }

    /// What is folded in no single stride is computed, and folded by the reference kernels.
    fn fold_in_order(&self, job: &Job, join: Join, axes: u64) -> Result<HostArray> {
        let whole = self.run_here(&job.unfolded())?.remove(0);
        let op = match join {
            Join::Add => ReduceOp::Sum,
            Join::Mul => ReduceOp::Prod,
            Join::Max => ReduceOp::Max,
            Join::Min => ReduceOp::Min,
            Join::And => ReduceOp::All,
            Join::Or => ReduceOp::Any,
        };
        let axes: Dims = (0..job.space.len()).filter(|a| axes >> a & 1 > 0).collect();
        let folded = ivy_kernels::reduce::reduce(op, &axes, false, whole.view())?;
        ivy_kernels::layout::reshape(&folded, &job.shape)
    }

    /// The kernel of a meaning, and whether it was there.
    fn ready(&self, meaning: Meaning, job: &Job, settings: Settings) -> Result<(Arc<Ready>, bool)> {
        if let Some(ready) = self.cache.take().find(&meaning) {
            return Ok((ready, true));
        }
        let kernel = kernel(&meaning)?;
        let ready = Arc::new(prepare(self.generator, kernel, settings.passes(), self.disk.as_ref()));
        self.log_kernel(&ready, job);
        Ok((self.cache.take().insert(meaning, ready), false))
    }

    fn launch(&self, job: &Job, space: &Space<'_>, result: Access, settings: Settings) -> Result<Results> {
        let tiles = settings.tiles && job.fold.is_none();
        // What is large enough to go past the caches comes from beyond them.
        let ahead = |i| settings.ahead && (job.fold.is_some() || result == Access::Stream && space.leads(i));
        let access = |i| space.access(i, settings.steps, tiles, ahead(i));
        let (ready, hit) = self.ready(job.meaning(access, result, settings.passes()), job, settings)?;
        let start = Instant::now();
        let written = match job.fold {
            Some(_) => smallvec![Written { buffer: fold(&*ready.code, &ready.params, space)?, first: 0 }],
            None => launch(&*ready.code, &ready.params, space)?,
        };
        self.log_launch(&ready, job, job.len(), hit, start.elapsed());
        let arrays = written
            .into_iter()
            .zip(&job.outputs)
            .map(|(written, output)| array_of(written, output.dtype, job.shape.clone()));
        arrays.map(|array| array.ok_or_else(|| misfit("evaluate"))).collect()
    }

    fn log_launch(&self, ready: &Ready, job: &Job, operations: usize, hit: bool, run: Duration) {
        self.history.take().add(Launch {
            hash: ready.hash,
            elements: job.space.size(),
            pieces: 1,
            operations,
            fold: job.fold.map(|(join, _)| join.name()),
            statements: ready.statements,
            inputs: job.inputs(),
            outputs: job.outputs.len(),
            compile: if hit { None } else { Some(ready.time) },
            loaded: ready.loaded,
            run,
        });
        if !wants(Level::Info) {
            return;
        }
        say(
            Level::Info,
            format_args!(
                "launch {:016x}: {} elements, {operations} operations{}, {} inputs, {}, {run:?}",
                ready.hash,
                job.space.size(),
                job.fold.map_or_else(String::new, |(join, _)| format!(" and {}", join.name())),
                job.inputs(),
                if hit { "cache hit" } else { "cache miss" }
            ),
        );
    }

    fn log_kernel(&self, ready: &Ready, job: &Job) {
        if let Some(reason) = &ready.fallback {
            say(
                Level::Warn,
                format_args!(
                    "LLVM refused a kernel of {} operations, which is interpreted: {reason}",
                    job.len()
                ),
            );
        }
        let (hash, count, time) = (ready.hash, ready.statements, ready.time);
        let name = self.generator.name();
        say(Level::Info, format_args!("compiled {hash:016x} by {name}: {count} statements in {time:?}"));
    }

    fn log_node(&self, trace: &Trace, id: NodeId, shared: bool) {
        if !wants(Level::Trace) {
            return;
        }
        let node = trace.node(id);
        let mut operands: Vec<String> = node.operands().map(|o| format!("r{o}")).collect();
        if let Some(at) = node.scalar() {
            operands.insert(at, format!("{:#x}", node.literal[0]));
        }
        let (dtype, name, operands) = (node.dtype, node.kind.name(), operands.join(", "));
        let size = node.shape.size();
        let hit = if shared { " [lvn hit]" } else { "" };
        say(Level::Trace, format_args!("jit_var_new(): {dtype} r{id}[{size}] = {name}({operands}){hit}"));
    }

    /// What variables are made of, as a Graphviz digraph.
    pub fn graphviz(&self, roots: &[&Variable]) -> String {
        let ids: Vec<NodeId> = roots.iter().map(|v| v.id()).collect();
        self.trace().graphviz(&ids)
    }

    /// One line for each node that lives: number, references, dtype, shape and what it is.
    pub fn whos(&self) -> String {
        let trace = self.trace();
        trace
            .live()
            .map(|(id, n)| format!("r{id} {} refs {} {} {}\n", n.refs, n.dtype, n.shape, n.kind.name()))
            .collect()
    }

    /// The last launches, the oldest first, which are forgotten then.
    pub fn take_history(&self) -> Vec<Launch> {
        self.history.take().take()
    }

    /// What was done so far.
    pub fn counters(&self) -> Counters {
        let (nodes, shared, live) = {
            let trace = self.trace();
            (trace.made, trace.shared, trace.live().count())
        };
        let there = self.there.as_ref().map_or(0, There::kernels);
        let kernels = self.cache.take().len() + there;
        let [launches, compiled, loaded] = self.history.take().totals();
        Counters { nodes, shared, live, kernels, launches, compiled, loaded }
    }
}

/// The results of a job.
type Results = SmallVec<[HostArray; 1]>;

/// What a launch has written, as an array.
fn array_of(Written { buffer, first }: Written, dtype: Dtype, shape: Shape) -> Option<HostArray> {
    if first == 0 {
        return HostArray::new(buffer, dtype, shape);
    }
    let strides = contiguous_strides(&shape);
    HostArray::from_parts(buffer, dtype, shape, strides, first)
}

/// Nodes with a reference of their own while they are worked on.
struct Held<'e> {
    engine: &'e Engine,
    ids: Vec<NodeId>,
}

impl Held<'_> {
    /// Gives the last one back; false if there is none.
    fn pop(&mut self) -> bool {
        let Some(id) = self.ids.pop() else { return false };
        let mut gone = Vec::new();
        self.engine.trace().release(id, &mut gone);
        // The arrays go when the lock is free again.
        drop(gone);
        true
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        while self.pop() {}
    }
}

/// Rows below this length are copied into order.
const SHORT: usize = 32;

fn misfit(function: &'static str) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function,
        argument: "shape",
        value: "of an input".into(),
        rule: "inputs are walked in the shape of the result",
    }
    .into()
}

/// The bytes of a scalar in a dtype, as words.
fn literal_words(dtype: Dtype, value: Scalar) -> Result<[u64; 2]> {
    let bits = match (dtype, value) {
        (Dtype::FLOAT32, Scalar::Float(x)) => u64::from((x as f32).to_bits()),
        (Dtype::FLOAT64, Scalar::Float(x)) => x.to_bits(),
        (Dtype::INT32, Scalar::Int(i)) => u64::from(i as u32),
        (Dtype::INT64, Scalar::Int(i)) => i as u64,
        _ => {
            let op = Op::Full { shape: Shape::default(), dtype, value };
            let one = ivy_kernels::execute_views(&op, &[])?.remove(0);
            return Ok(words_of(one.view().contiguous_bytes().unwrap_or(&[])));
        }
    };
    // Words begin with the element's bytes, on every machine.
    match dtype.bytes() {
        4 => Ok(words_of(&(bits as u32).to_ne_bytes())),
        _ => Ok(words_of(&bits.to_ne_bytes())),
    }
}

/// An array of one value.
fn filled(dtype: Dtype, shape: &Shape, words: &[u64; 2]) -> Result<HostArray> {
    let bytes: SmallVec<[u8; 16]> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    let one = ivy_core::host::Buffer::copy_from(&bytes[..dtype.bytes()]);
    let one = one.and_then(|b| HostArray::new(b, dtype, Shape::default())).ok_or_else(|| misfit("full"))?;
    let view = ivy_kernels::layout::broadcast_to(&one, shape)?;
    ivy_kernels::to_contiguous(view.view())
}

impl Trace {
    /// What operands weigh together, whether all are flat in a shape of this size, and whether one is
    /// made of what a recorded function was given.
    fn taken_with(&self, ids: &[NodeId], size: usize) -> (u16, bool, bool) {
        ids.iter().map(|&id| self.node(id)).fold((0, true, false), |(weight, flat, given), node| {
            (weight.saturating_add(node.weight), flat & node.is_flat(size), given | node.given)
        })
    }

    /// A pending node, with references to its operands.
    fn pending(&mut self, kind: Kind, dtype: Dtype, shape: Shape, ids: &[NodeId]) -> Node {
        let size = shape.size();
        let mut operands = [NONE; 3];
        let (mut weight, mut flat, mut symbolic, mut given) = (1u16, true, false, false);
        for (to, &id) in operands.iter_mut().zip(ids) {
            self.retain(id);
            *to = id;
            let node = self.node(id);
            weight = weight.saturating_add(node.weight);
            symbolic |= node.symbolic;
            given |= node.given;
            flat &= node.is_flat(size);
        }
        Node {
            refs: 1,
            weight: weight.min(u16::MAX - 1),
            operands,
            kind,
            dtype,
            flat,
            symbolic,
            given,
            literal: [0; 2],
            shape,
            data: None,
            more: None,
        }
    }
}
