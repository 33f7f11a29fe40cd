//! Scatters in recorded loops: effects of the loop's elements, in one launch.
//!
//! Sums and bounds of integers, and truth values that are set, come out alike in any order, so that each element may go
//! through the whole loop by itself. What no kernel does comes out step by step: sums of floats, unless their order is
//! nobody's concern ([`with_fast_sums`]), loops that read what they scatter to, and those with an index out of range,
//! of which the step has the error. Nothing has changed then: targets are written as copies.

use super::evaluate::Held;
use super::history::Launch;
use super::memory::{elements_of, memory_of, whole_memory};
use super::{Engine, Settings, Variable, misfit, record, replay};
use crate::lower::{effect, is_rounded, memory};
use crate::passes::Choice;
use crate::program::{Argument, Bound, Memory, Order, Program, Scalar, Site, SiteKind, Task};
use crate::schedule::{ScatterInput, ScatterKernel, ScatterMeaning, ScatterRead};
use crate::trace::{Flow, Kind, More, NodeId, Scatter, Targets};
use ivy_core::{Dtype, Result, ScatterOp, Shape};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

/// Programs of loops that are kept.
const KEPT: usize = 256;

/// Programs by what their kernels mean.
pub(super) type ScatterPrograms = HashMap<ScatterMeaning, Arc<Program>>;

/// Why a loop is none of one kernel.
type Obstacle = &'static str;

thread_local! {
    static FAST: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function in which recorded loops may add floats to places of an array in any order, by atomics: in one
/// kernel, whose last digits are other ones each time. Without it such loops run step by step, and each sum is that of
/// its updates in their order.
///
/// ```
/// use ivy_core::functional::{ScatterFlat, for_loop, multiply, scatter_flat, zeros};
/// use ivy_core::{Array, Dtype};
/// # use ivy_backend_jit as _;
///
/// ivy_core::set_backend("jit")?;
/// let places = Array::try_from([0i64, 1, 0])?;
/// let sums = ivy_backend_jit::engine::with_fast_sums(|| {
///     let step = |_: &Array, sums: &Array| {
///         let half = Array::try_from([0.5f32, 0.25, 1.0])?;
///         scatter_flat(&places, half, ScatterFlat::new().out(sums))
///     };
///     for_loop(0..4, step, zeros(2, Dtype::FLOAT32)?)
/// })?;
/// assert_eq!(sums.to_vec::<f32>()?, [6.0, 1.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub fn with_fast_sums<T>(f: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            FAST.set(self.0);
        }
    }
    let _before = Before(FAST.replace(true));
    f()
}

impl Engine {
    /// Notes a scatter to all axes of what a recorded loop carries; `None` for all other targets. The dtypes are one, and
    /// the indices broadcast to the updates' shape.
    ///
    /// # Errors
    /// One that ends the recording, where the order of updates is seen.
    pub(crate) fn scatter(
        self: &Arc<Self>,
        op: ScatterOp,
        target: &Variable,
        updates: &Variable,
        indices: &[&Variable],
    ) -> Result<Option<Variable>> {
        let mut trace = self.trace();
        let of = trace.node(target.id());
        if !of.symbolic {
            return Ok(None);
        }
        let (dtype, shape) = (of.dtype, of.shape.clone());
        let obstacle = match effect(op, dtype) {
            None => Some("the order of what it scatters is seen, or there are no atomics of its dtype"),
            Some(_) if is_rounded(dtype) && !FAST.get() => Some("sums of floats are rounded in their order"),
            Some(_) => None,
        };
        if let Some(reason) = obstacle {
            drop(trace);
            return Err(record::ended(target.id(), reason));
        }
        let mut node = trace.pending(Kind::Scatter, dtype, shape, &[target.id(), updates.id()]);
        let indices: SmallVec<[NodeId; 2]> = indices.iter().map(|index| index.id()).collect();
        for &id in &indices {
            trace.retain(id);
            node.weight = node.weight.saturating_add(trace.node(id).weight);
            node.cost = node.cost.saturating_add(trace.node(id).cost);
            node.given |= trace.node(id).given;
        }
        node.flat = false;
        node.more = Some(Box::new(More::Scatter(Scatter { op, indices })));
        let (id, _) = trace.add(node, false, &mut Vec::new());
        self.log_node(&trace, id, false);
        Ok(Some(trace.handle(self, id)))
    }

    /// Runs a loop that scatters; gives what comes out of it, where not all has elements yet. An obstacle leaves it to the
    /// caller to run it step by step.
    ///
    /// # Errors
    /// Those of evaluation.
    pub(super) fn scatter_loop(
        self: &Arc<Self>,
        flow: Flow,
        outputs: &[(Dtype, Shape)],
        vars: &[Variable],
        targets: &Targets,
    ) -> Result<std::result::Result<Vec<Variable>, Obstacle>> {
        let (results, is_large) = self.note_flow(Kind::Loop, flow, outputs, false);
        let owner = {
            let mut trace = self.trace();
            let owner = trace.node(results[0].id()).operands[0];
            if trace.node(owner).given && replay::is_open() {
                return Ok(Err("a function that scatters in loops is recorded step by step"));
            }
            trace.mark_targets(owner, targets);
            owner
        };
        if is_large {
            return Ok(Err("it has too many operations for a kernel that scatters"));
        }
        let kernel = match self.scatter_kernel(owner, targets)? {
            Some(kernel) => kernel,
            None => return Ok(Err("its kernel reads what one that scatters cannot")),
        };
        let ScatterKernel { meaning, inputs, outputs: written } = kernel;
        let start = Instant::now();
        let (program, hit) = self.scatter_program(&meaning)?;
        let compile = start.elapsed();
        let (mut memories, mut scalars) = (Vec::new(), vec![Scalar::int(targets.space.size() as i64)]);
        for (&(dtype, _), input) in meaning.inputs.iter().zip(inputs) {
            match input {
                ScatterInput::Number(bits) => {
                    let ty = memory(dtype).ok_or_else(|| misfit("while_loop"))?.0;
                    scalars.push(Scalar { ty, bits: bits & ty.mask() });
                }
                ScatterInput::Array(array) => {
                    memories.push(memory_of(self.in_order(array)?, false).map_err(|(error, _)| error)?);
                }
                ScatterInput::Memory(array, first) => {
                    memories.push(whole_memory(array));
                    scalars.push(Scalar::int(first as i64));
                }
            }
        }
        let first = memories.len();
        for &i in &targets.vars {
            // The variable has it too: what is written is a copy.
            let array = self.in_order(self.compute(&vars[i])?)?;
            memories.push(memory_of(array, true).map_err(|(error, _)| error)?);
        }
        let target = self.target();
        for &(_, dtype) in &written {
            let ty = memory(dtype).ok_or_else(|| misfit("while_loop"))?.0;
            memories.push(Memory::zeros(&*target, ty, targets.space.size())?);
        }
        let start = Instant::now();
        if program.run(&mut memories, &scalars)?.fault.is_some() {
            return Ok(Err("an index is out of range"));
        }
        self.log_scatter(&meaning, targets.space.size(), (!hit).then_some(compile), start.elapsed());
        let signatures = targets.vars.iter().map(|&i| (results[i].id(), outputs[i].clone()));
        let besides = written.into_iter().map(|(id, dtype)| (id, (dtype, targets.space.clone())));
        let mut gone = Vec::new();
        for ((id, (dtype, shape)), memory) in signatures.chain(besides).zip(memories.into_iter().skip(first))
        {
            let elements = elements_of(memory, dtype, shape)?;
            self.trace().settle(id, elements, &mut gone);
        }
        drop(gone);
        Ok(Ok(results))
    }

    /// The kernel of a loop, when all that it reads is in memory; `None` where it has none.
    fn scatter_kernel(&self, owner: NodeId, targets: &Targets) -> Result<Option<ScatterKernel>> {
        let Settings { state, hoisting, .. } = self.settings();
        let passes = Choice { state, hoisting, ..Choice::EFFECTS };
        loop {
            let first = {
                let mut trace = self.trace();
                match trace.collect_scatters(owner, targets, passes) {
                    Ok(kernel) => return Ok(kernel),
                    Err(first) if !trace.node(first).is_pending() || trace.node(first).symbolic => {
                        return Ok(None);
                    }
                    Err(first) => {
                        trace.retain(first);
                        first
                    }
                }
            };
            let held = Held::of(self, vec![first]);
            self.compute_nodes(&[first])?;
            drop(held);
        }
    }

    /// The program of a kernel, and whether it was there.
    fn scatter_program(&self, meaning: &ScatterMeaning) -> Result<(Arc<Program>, bool)> {
        if let Some(program) = self.scatters.take().get(meaning) {
            return Ok((program.clone(), true));
        }
        let (mut arguments, mut memories, mut scalars) = (vec![Argument::Element], 0, 1);
        let mut next_memory = |arguments: &mut Vec<Argument>| {
            arguments.push(Argument::Memory(memories));
            memories += 1;
        };
        let mut next_scalar = |arguments: &mut Vec<Argument>| {
            arguments.push(Argument::Scalar(scalars));
            scalars += 1;
        };
        for &(_, read) in &meaning.inputs {
            if read != ScatterRead::Uniform {
                next_memory(&mut arguments);
            }
            if matches!(read, ScatterRead::Uniform | ScatterRead::Gathered) {
                next_scalar(&mut arguments);
            }
        }
        (0..meaning.targets.len() + meaning.outputs()).for_each(|_| next_memory(&mut arguments));
        arguments.push(Argument::Log);
        let order = match meaning.targets.iter().any(|&dtype| is_rounded(dtype)) {
            true => Order::Fast,
            false => Order::Deterministic,
        };
        let (begin, end) = (Bound::Fixed(0), Bound::Scalar(0));
        let task = Task { kernel: meaning.kernel()?, begin, end, arguments, order };
        let place = || "while_loop".to_string();
        let site =
            Site { kind: SiteKind::Index, place: place(), text: "an index".into(), values: Vec::new() };
        let program = Program::new(&self.target(), vec![task], vec![site], meaning.passes, self.disk())?;
        let program = Arc::new(program);
        let mut kept = self.scatters.take();
        if kept.len() == KEPT {
            kept.clear();
        }
        kept.insert(meaning.clone(), program.clone());
        Ok((program, false))
    }

    fn log_scatter(
        &self,
        meaning: &ScatterMeaning,
        elements: usize,
        compile: Option<std::time::Duration>,
        run: std::time::Duration,
    ) {
        let mut hasher = DefaultHasher::new();
        meaning.hash(&mut hasher);
        self.log(Launch {
            hash: hasher.finish(),
            elements,
            pieces: 1,
            operations: meaning.len(),
            fold: None,
            statements: meaning.statements(),
            inputs: meaning.inputs.len(),
            outputs: meaning.targets.len() + meaning.outputs(),
            compile,
            loaded: false,
            run,
        });
    }
}
