//! Recording what a function does with arrays, to do it again with others without tracing: which
//! launches computed its results, and what each of them read.
//!
//! A function that is recorded is given nodes of its own, and each node that is made of those
//! says so ([`given`](crate::trace::Node)). What the engine computes for such nodes is a step of the
//! recording; whoever reads elements of one, other than a step, is no part of it and ends it, on
//! whichever thread. What was not made of the arguments is the same each time.

use super::deferred::{Operand, Work};
use super::device::Flat;
use super::launch::ended;
use super::record;
use super::variable::State;
use super::{Engine, Guard, Variable, misfit};
use crate::ir::Access;
use crate::log::{Level, say};
use crate::runtime::Elements;
use crate::runtime::cpu::{Prepared, Space};
use crate::schedule::{Job, Program, ProgramTemplate, Slots, Template};
use crate::trace::NodeId;
use ivy_core::hash::WordHash;
use ivy_core::host::HostArray;
use ivy_core::{Dims, Dtype, ErrorKind, Op, Result, Shape, origin};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread::ThreadId;
use std::time::Instant;

/// A function of arrays.
pub type Function<'f> = &'f mut dyn FnMut(&[Variable]) -> Result<Vec<Variable>>;

thread_local! {
    /// True while a function is recorded on this thread.
    static OPEN: Cell<bool> = const { Cell::new(false) };
}

/// True while a function is recorded on this thread.
pub(super) fn is_open() -> bool {
    OPEN.get()
}

/// The recordings that are going on, one for each thread at most.
#[derive(Default)]
pub(super) struct Recorders(Vec<Recorder>);

struct Recorder {
    thread: ThreadId,
    /// Whether something was read.
    read: bool,
    /// How many numbers there are.
    count: u32,
    /// The numbers of what the function was given, and of what steps have computed.
    numbers: HashMap<NodeId, u32, WordHash>,
    /// Those nodes, each with a reference, so that their ids stay theirs.
    held: Vec<NodeId>,
    steps: Vec<Step>,
}

/// What is done again.
enum Step {
    /// A launch; its results have the numbers from `to` on. The second is the short way of a small one.
    Launch(Box<Template>, Option<Short>, u32),
    /// A program over rows; what it gives has the numbers from here on.
    Rows(Box<ProgramTemplate>, u32),
    /// An array looked at in another way.
    View(Box<Template>, u32),
    /// Elements of a number in another shape.
    Reshape(u32, Shape, u32),
    /// A call of a reference kernel, whose results have the numbers from here on; which of its operands
    /// have numbers.
    Kernel(Box<Work>, SmallVec<[Option<u32>; 4]>, u32),
}

/// The short way of a launch over one row.
enum Short {
    Host(Box<Prepared>),
    Device(Flat),
}

/// Where a result comes from.
enum From {
    Number(u32),
    /// It is the same each time.
    Fixed(Elements),
}

/// An array that a recording is for: dtype, shape and strides.
type Kind = (Dtype, Shape, Dims<isize>);

/// What a function did with arrays, to be done with others of the same kind.
pub struct Replay {
    engine: Arc<Engine>,
    switches: u64,
    kinds: Vec<Kind>,
    steps: Vec<Step>,
    /// The numbers that nobody asks for after a step: their memory may be the next one's.
    gone: Vec<SmallVec<[u32; 2]>>,
    count: usize,
    from: Vec<From>,
    results: Vec<(Dtype, Shape)>,
}

impl Recorders {
    fn own(&mut self) -> Option<&mut Recorder> {
        let thread = std::thread::current().id();
        self.0.iter_mut().find(|r| r.thread == thread)
    }

    /// Somebody reads what a recorded function has made.
    pub(super) fn is_read(&mut self) {
        self.0.iter_mut().for_each(|r| r.read = true);
    }

    /// True if a recording of this thread takes what is computed as a step. Others cannot.
    pub(super) fn follow(&mut self) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let own = OPEN.get() && self.own().is_some();
        if !own {
            self.is_read();
        }
        own
    }
}

/// A recording of this thread; it ends when it is dropped, in a panic too.
struct Recording<'e>(&'e Engine);

impl Recording<'_> {
    fn end(&self) -> Option<Recorder> {
        OPEN.set(false);
        let mut state = self.0.trace();
        let thread = std::thread::current().id();
        let at = state.recorders.0.iter().position(|r| r.thread == thread)?;
        let recorder = state.recorders.0.swap_remove(at);
        let mut gone = Vec::new();
        recorder.held.iter().for_each(|&id| state.release(id, &mut gone));
        drop(state);
        drop(gone);
        Some(recorder)
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

impl Engine {
    /// True if this thread may record a function now.
    pub fn records(&self) -> bool {
        self.settings().replay && !OPEN.get() && !record::is_open()
    }

    /// Calls a function, and gives what does the same again besides its results, which are computed then.
    /// `None` if it read elements of what it was given or made of it, or if results are not this engine's.
    ///
    /// # Errors
    /// Those of the function and of evaluation.
    pub fn record(
        self: &Arc<Self>,
        inputs: &[Variable],
        function: Function<'_>,
    ) -> Result<(Vec<Variable>, Option<Replay>)> {
        let symbolic = |v: &Variable| self.trace().node(v.id()).symbolic;
        if !self.records() || inputs.is_empty() || inputs.iter().any(symbolic) {
            return Ok((function(inputs)?, None));
        }
        let switches = self.settings().bits();
        let arrays = inputs.iter().map(|v| self.compute(v)).collect::<Result<Vec<Elements>>>()?;
        let kinds =
            arrays.iter().map(|a| (a.dtype(), a.shape().clone(), Dims::from_slice(a.strides()))).collect();
        let (given, recording) = self.begin(arrays);
        let results = function(&given)?;
        let read = |mut state: Guard<'_, State>| state.recorders.own().is_none_or(|r| r.read);
        if read(self.trace()) || results.iter().any(|v| !std::ptr::eq(v.engine(), &**self)) {
            say(Level::Info, format_args!("a compiled function reads elements, and is called each time"));
            return Ok((results, None));
        }
        let arrays = results.iter().map(|v| self.force(v)).collect::<Result<Vec<Elements>>>()?;
        // Only what is recorded has the mark: results are nodes of their own.
        let signatures = results.iter().map(Variable::signature).collect();
        let fresh: Vec<Variable> = {
            let mut state = self.trace();
            let handle = |array: &Elements| {
                let id = state.result(array.clone());
                state.handle(self, id)
            };
            arrays.iter().map(handle).collect()
        };
        let Some(recorder) = recording.end().filter(|r| !r.read) else { return Ok((fresh, None)) };
        let from = results.iter().zip(arrays).map(|(v, array)| match recorder.numbers.get(&v.id()) {
            Some(&number) => From::Number(number),
            None => From::Fixed(array),
        });
        let from: Vec<From> = from.collect();
        let replay = Replay {
            engine: self.clone(),
            switches,
            kinds,
            gone: gone(&recorder.steps, &from),
            from,
            count: recorder.count as usize,
            steps: recorder.steps,
            results: signatures,
        };
        Ok((fresh, Some(replay)))
    }

    /// Begins a recording of this thread, with nodes for what the function is given.
    fn begin(self: &Arc<Self>, arrays: Vec<Elements>) -> (Vec<Variable>, Recording<'_>) {
        let mut state = self.trace();
        let mut recorder = Recorder {
            thread: std::thread::current().id(),
            read: false,
            count: 0,
            numbers: HashMap::default(),
            held: Vec::new(),
            steps: Vec::new(),
        };
        let given = arrays.into_iter().map(|array| {
            let id = state.given(array);
            recorder.hold(&mut state, id);
            state.handle(self, id)
        });
        let given = given.collect();
        state.recorders.0.push(recorder);
        OPEN.set(true);
        (given, Recording(self))
    }

    /// Notes that a job was run for a node, as a step of this thread's recording.
    pub(super) fn note_job(&self, job: Job, id: NodeId) {
        // The short way is found while the inputs are at hand.
        let short = match &self.on_device {
            None => self.prepared(&job).map(|prepared| Short::Host(Box::new(prepared))),
            Some(on_device) => self.rerun_on_device(on_device, &job).map(Short::Device),
        };
        let is_view = job.view().is_some();
        let ids: SmallVec<[NodeId; 1]> = std::iter::once(id).chain(job.others()).collect();
        let mut state = self.trace();
        let mut recorders = std::mem::take(&mut state.recorders);
        if let Some(recorder) = recorders.own() {
            let template = Box::new(job.template(|node| recorder.numbers.get(&node).copied()));
            let to = recorder.count;
            recorder.steps.push(match is_view {
                true => Step::View(template, to),
                false => Step::Launch(template, short, to),
            });
            ids.into_iter().for_each(|id| recorder.hold(&mut state, id));
        }
        state.recorders = recorders;
    }

    /// Notes that a program was run, which gave these nodes, as a step of this thread's recording.
    pub(super) fn note_program(&self, program: Program, nodes: impl Iterator<Item = NodeId>) {
        let mut state = self.trace();
        let mut recorders = std::mem::take(&mut state.recorders);
        if let Some(recorder) = recorders.own() {
            let template = Box::new(program.template(|node| recorder.numbers.get(&node).copied()));
            recorder.steps.push(Step::Rows(template, recorder.count));
            nodes.for_each(|id| recorder.hold(&mut state, id));
        }
        state.recorders = recorders;
    }

    /// Notes that elements were reshaped for a node, as a step of this thread's recording.
    pub(super) fn note_reshape(&self, from: NodeId, shape: &Shape, id: NodeId) {
        let mut state = self.trace();
        let mut recorders = std::mem::take(&mut state.recorders);
        if let Some(recorder) = recorders.own() {
            match recorder.numbers.get(&from) {
                Some(&number) => {
                    let to = recorder.count;
                    recorder.steps.push(Step::Reshape(number, shape.clone(), to));
                    recorder.hold(&mut state, id);
                }
                // What it is made of came about elsewhere.
                None => recorder.read = true,
            }
        }
        state.recorders = recorders;
    }

    /// True while a function is recorded on this thread, by this engine or another one.
    pub fn is_recording(&self) -> bool {
        is_open() && self.settings().deferred
    }

    /// Calls a reference kernel at once, as a step of this thread's recording, which has made an operand:
    /// whatever it refuses, it refuses in the call. `None` if it is to be called as everywhere else.
    ///
    /// # Errors
    /// Those of evaluation and of the kernel; they end the recording, since other arguments may have none.
    pub fn call(
        self: &Arc<Self>,
        op: &Op,
        operands: &[&Variable],
    ) -> Result<Option<SmallVec<[Variable; 1]>>> {
        let ids: SmallVec<[NodeId; 4]> = operands.iter().map(|v| v.id()).collect();
        {
            let mut state = self.trace();
            let is_open = ids.iter().all(|&id| !state.node(id).symbolic) && state.recorders.follow();
            if !is_open {
                return Ok(None);
            }
        }
        for operand in operands {
            self.force(operand)?;
        }
        // Before the lock: what finds a call in a program may run that program's code.
        let asked = self.asked(origin::function(op));
        let work = Box::new(Work::of(&self.trace(), op, &ids, asked));
        let arrays = self.work(work.clone()).inspect_err(|_| self.trace().recorders.is_read())?;
        let mut state = self.trace();
        let results: SmallVec<[Variable; 1]> = (arrays.into_iter())
            .map(|array| {
                let id = state.given(array);
                state.handle(self, id)
            })
            .collect();
        drop(state);
        self.note_work(work, &results.iter().map(Variable::id).collect::<SmallVec<[NodeId; 1]>>());
        Ok(Some(results))
    }

    /// Notes that a reference kernel was called for nodes, as a step of this thread's recording.
    pub(super) fn note_work(&self, mut work: Box<Work>, ids: &[NodeId]) {
        let mut state = self.trace();
        let mut recorders = std::mem::take(&mut state.recorders);
        let mut gone = SmallVec::<[Operand; 4]>::new();
        if let Some(recorder) = recorders.own() {
            let leave = |(node, operand): &mut (NodeId, Operand)| {
                let number = recorder.numbers.get(node).copied();
                if number.is_some() {
                    gone.push(std::mem::replace(operand, Operand::Left));
                }
                number
            };
            let from = work.operands.iter_mut().map(leave).collect();
            recorder.steps.push(Step::Kernel(work, from, recorder.count));
            ids.iter().for_each(|&id| recorder.hold(&mut state, id));
        }
        state.recorders = recorders;
        // Arrays go when the lock is free.
        drop(state);
        drop(gone);
    }

    /// The short way of a launch that was just done, if there is one.
    fn prepared(&self, job: &Job) -> Option<Prepared> {
        if job.fold.is_some() || job.is_large() || job.gathers() {
            return None;
        }
        let views = job.views().ok()?;
        let (settings, space) = (self.settings(), Space::new(&job.space, &views)?);
        let access = |i| space.access(i, settings.steps, settings.tiles, false);
        let meaning = job.meaning(access, Access::Out, self.choice_of(settings, &space));
        let ready = self.cache.take().find(&meaning)?;
        Prepared::new(ready, job.len(), &space, &views, job.literals())
    }
}

impl Recorder {
    /// Gives a node the next number, and a reference.
    fn hold(&mut self, state: &mut State, id: NodeId) {
        self.numbers.insert(id, self.count);
        self.count += 1;
        state.retain(id);
        self.held.push(id);
    }
}

/// For each step, the numbers that it is the last one to ask for, and that are no results.
fn gone(steps: &[Step], from: &[From]) -> Vec<SmallVec<[u32; 2]>> {
    let results = from.iter().filter_map(|from| match from {
        From::Number(number) => Some(*number),
        From::Fixed(_) => None,
    });
    let mut wanted: HashSet<u32> = results.collect();
    let mut all: Vec<SmallVec<[u32; 2]>> = Vec::new();
    for step in steps.iter().rev() {
        let mut last = SmallVec::new();
        step.reads(&mut |number| {
            if wanted.insert(number) {
                last.push(number);
            }
        });
        all.push(last);
    }
    all.reverse();
    all
}

impl Step {
    /// Tells the numbers that it asks for.
    fn reads(&self, tell: &mut dyn FnMut(u32)) {
        match self {
            Step::Launch(template, ..) | Step::View(template, _) => template.numbers().for_each(tell),
            Step::Rows(template, _) => template.numbers().for_each(tell),
            Step::Reshape(from, ..) => tell(*from),
            Step::Kernel(_, from, _) => from.iter().flatten().copied().for_each(tell),
        }
    }

    fn is_like(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Launch(a, _, m), Step::Launch(b, _, n)) | (Step::View(a, m), Step::View(b, n)) => {
                m == n && a.is_like(b)
            }
            (Step::Rows(a, m), Step::Rows(b, n)) => m == n && a.is_like(b),
            (Step::Reshape(a, shape, m), Step::Reshape(b, other, n)) => (a, shape, m) == (b, other, n),
            (Step::Kernel(a, from, m), Step::Kernel(b, other, n)) => (from, m) == (other, n) && a.is_like(b),
            _ => false,
        }
    }
}

impl Replay {
    /// True if another one does the same, on arrays of the same kind, with the same constants.
    pub fn is_like(&self, other: &Replay) -> bool {
        let mut steps = self.steps.iter().zip(&other.steps);
        let mut from = self.from.iter().zip(&other.from);
        Arc::ptr_eq(&self.engine, &other.engine)
            && (self.switches, &self.kinds, &self.results) == (other.switches, &other.kinds, &other.results)
            && (self.steps.len(), self.from.len()) == (other.steps.len(), other.from.len())
            && from.all(|pair| match pair {
                (From::Number(a), From::Number(b)) => a == b,
                (From::Fixed(a), From::Fixed(b)) => a.are(b),
                _ => false,
            })
            && steps.all(|(a, b)| a.is_like(b))
    }

    /// The results' dtypes and shapes.
    pub fn results(&self) -> impl Iterator<Item = (Dtype, &Shape)> {
        self.results.iter().map(|(dtype, shape)| (*dtype, shape))
    }

    /// Does it again with these variables; `None` if they are of another kind than it was recorded for,
    /// switches have changed since, or an index is out of range, which calling the function tells.
    ///
    /// # Errors
    /// Those of evaluation.
    pub fn run(&self, inputs: &[&Variable]) -> Result<Option<SmallVec<[Variable; 1]>>> {
        if self.engine.settings().bits() != self.switches || inputs.len() != self.kinds.len() {
            return Ok(None);
        }
        let Some(mut slots) = self.slots(inputs)? else { return Ok(None) };
        for (step, gone) in self.steps.iter().zip(&self.gone) {
            match self.step(step, &mut slots) {
                // Which index it was, the function itself tells.
                Err(error) if matches!(error.kind(), ErrorKind::IndexOutOfRange { .. }) => return Ok(None),
                // What a kernel of the host refuses, the function tells as well.
                Err(_) if matches!(step, Step::Kernel(..)) => return Ok(None),
                done => done?,
            }
            gone.iter().for_each(|&number| slots[number as usize] = None);
        }
        let results = self.from.iter().map(|from| match from {
            From::Number(number) => slots[*number as usize].clone().ok_or_else(|| misfit("compile")),
            From::Fixed(elements) => Ok(elements.clone()),
        });
        let results = results.collect::<Result<SmallVec<[Elements; 1]>>>()?;
        let mut state = self.engine.trace();
        let handle = |elements| {
            let id = state.result(elements);
            state.handle(&self.engine, id)
        };
        Ok(Some(results.into_iter().map(handle).collect()))
    }

    /// The inputs' elements, with room for those of the steps; `None` if they are of another kind.
    fn slots(&self, inputs: &[&Variable]) -> Result<Option<Slots>> {
        let mut slots = Slots::new();
        let mut pending = false;
        {
            let mut state = self.engine.trace();
            for (input, (dtype, shape, _)) in inputs.iter().zip(&self.kinds) {
                if !std::ptr::eq(input.engine(), &*self.engine) {
                    return Ok(None);
                }
                let node = state.node(input.id());
                if node.dtype != *dtype || node.shape != *shape || node.symbolic {
                    return Ok(None);
                }
                let (array, given) = (node.data.as_deref().cloned(), node.given);
                pending |= array.is_none();
                slots.push(array);
                if given {
                    state.recorders.is_read();
                }
            }
        }
        if pending {
            for (slot, input) in slots.iter_mut().zip(inputs).filter(|(slot, _)| slot.is_none()) {
                *slot = Some(self.engine.compute(input)?);
            }
        }
        let alike = |(slot, kind): (&Option<Elements>, &Kind)| {
            slot.as_ref().is_some_and(|array| array.strides() == &*kind.2)
        };
        if !slots.iter().zip(&self.kinds).all(alike) {
            return Ok(None);
        }
        slots.resize(self.count, None);
        Ok(Some(slots))
    }

    fn step(&self, step: &Step, slots: &mut Slots) -> Result<()> {
        let missing = || misfit("compile");
        match step {
            Step::Launch(template, short, to) => {
                let first = *to as usize;
                match short {
                    Some(Short::Host(prepared)) => return self.rerun(template, prepared, slots, first),
                    Some(Short::Device(flat)) => {
                        let inputs = template.held(slots).ok_or_else(missing)?;
                        slots[first] = Some(self.engine.flat_on_device(flat, template.about(), &inputs)?);
                        return Ok(());
                    }
                    None => {}
                }
                let job = template.job(slots).ok_or_else(missing)?;
                let results = ended(&job, |job| self.engine.run(job))?;
                for (slot, result) in slots[first..].iter_mut().zip(results) {
                    *slot = Some(result);
                }
            }
            Step::Rows(template, to) => {
                let program = template.program(slots).ok_or_else(missing)?;
                let given = self.engine.run_program(&program)?.ok_or_else(missing)?;
                for (slot, (_, array)) in slots[*to as usize..].iter_mut().zip(given) {
                    *slot = Some(array);
                }
            }
            Step::View(template, to) => {
                let job = template.job(slots).ok_or_else(missing)?;
                slots[*to as usize] = Some(job.view().ok_or_else(missing)?);
            }
            Step::Kernel(work, from, to) => {
                let mut work = work.clone();
                for ((_, operand), from) in work.operands.iter_mut().zip(from) {
                    if let Some(number) = from {
                        *operand = Operand::Array(slots[*number as usize].clone().ok_or_else(missing)?);
                    }
                }
                for (slot, array) in slots[*to as usize..].iter_mut().zip(self.engine.work(work)?) {
                    *slot = Some(array);
                }
            }
            Step::Reshape(from, shape, to) => {
                let array = slots[*from as usize].clone().ok_or_else(missing)?;
                slots[*to as usize] = Some(self.engine.reshaped(array, shape)?);
            }
        }
        Ok(())
    }

    /// The short way of a launch, whose results have the numbers from `first` on.
    fn rerun(&self, template: &Template, prepared: &Prepared, slots: &mut Slots, first: usize) -> Result<()> {
        let job = template.about();
        let start = Instant::now();
        let written = prepared.run(&template.views(slots).ok_or_else(|| misfit("compile"))?)?;
        self.engine.log_launch(prepared.kernel(), job, prepared.operations(), true, start.elapsed());
        for ((slot, output), written) in slots[first..].iter_mut().zip(&job.outputs).zip(written) {
            let array = HostArray::new(written.buffer, output.dtype, job.shape.clone());
            *slot = Some(Elements::Host(array.ok_or_else(|| misfit("compile"))?));
        }
        Ok(())
    }
}
