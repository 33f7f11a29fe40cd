//! Evaluations beside the program: what takes long and nobody reads yet is started, and the call
//! returns.
//!
//! What is started is the evaluation of nodes, by a [`Queue`]. They stay pending, and the trace knows
//! which evaluation computes them: whoever needs one waits for that, and for no more than it needs.
//! So nobody ever sees memory that is not written yet, and what an evaluation reads or writes lives
//! until it has ended, since it holds it. If an evaluation fails, its nodes wait again, and whoever
//! reads one computes it, and has the error then.

use super::queue::{Queue, Task};
use super::{Engine, Variable, exit};
use crate::cache::Generator;
use crate::codegen::llvm;
use crate::log::{Level, say};
use crate::runtime::cpu::WORTH;
use crate::trace::NodeId;
use ivy_core::interrupt::Watch;
use ivy_core::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};

/// What an evaluation is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Somebody reads the elements.
    Read,
    /// Nobody does yet.
    Start,
    /// It was started, and has this number.
    Started(u64),
}

impl How {
    /// It waits for evaluations with smaller numbers. One that was started waits for those before it, so
    /// that no two wait for each other. A thread of the pool that kernels run on waits for none, since they
    /// may wait for it; what others compute meanwhile it computes as well, with the same bits.
    pub(super) fn waits_for(self) -> u64 {
        match self {
            How::Started(number) => number,
            _ if rayon::current_thread_index().is_some() => 0,
            _ => u64::MAX,
        }
    }
}

/// An evaluation of some variables, which it keeps; an interrupt since it was started ends it.
pub(super) struct Evaluation(Vec<Variable>, Watch);

impl Task for Evaluation {
    type Error = Error;

    fn run(&self, number: u64) -> Result<()> {
        match self.1.during(|| self.evaluate(number)) {
            // Whoever reads them computes them.
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted { .. }) => Ok(()),
            done => done,
        }
    }

    fn ended(&self, number: u64) {
        if let Some(engine) = self.0.first().map(Variable::engine) {
            let mut trace = engine.trace();
            self.0.iter().for_each(|v| trace.ended(v.id(), number));
        }
    }
}

impl Evaluation {
    fn evaluate(&self, number: u64) -> Result<()> {
        let Some(engine) = self.0.first().map(Variable::engine) else { return Ok(()) };
        say(Level::Info, format_args!("evaluation {number} of {} arrays begins", self.0.len()));
        let compiled = engine.counters().compiled;
        let (all, how) = (self.0.iter().map(Variable::id), How::Started(number));
        let pending: Vec<NodeId> = {
            let trace = engine.trace();
            all.clone().filter(|&id| trace.node(id).is_pending()).collect()
        };
        if pending.len() > 1 {
            // Each says below what is wrong with it.
            let _ = engine.compute_as(&pending, how);
        }
        let each = all.map(|id| engine.compute_as(&[id], how).map(drop));
        let done = each.fold(Ok(()), Result::and);
        if engine.counters().compiled > compiled {
            exit::wait_before();
        }
        done
    }
}

impl Engine {
    /// True if so much work, in operations on elements, is left to the queue's thread where nobody
    /// waits for it.
    pub(super) fn leaves(&self, work: usize) -> bool {
        work >= self.queue.least.load(Ordering::Relaxed)
            && self.settings().asynchronous
            && self.on_device.is_none()
            && rayon::current_thread_index().is_none()
    }

    /// Has evaluations of so many operations on elements, or more, started beside the program where nobody
    /// reads them yet; gives what was before.
    pub fn set_least_started(&self, work: usize) -> usize {
        self.queue.least.swap(work, Ordering::Relaxed)
    }

    /// Starts the evaluation of nodes that the caller has references to.
    pub(super) fn start(&self, roots: &[NodeId]) {
        self.queue.prepared.call_once(|| {
            if let Generator::Llvm(llvm) = self.generator() {
                llvm::warm_up(llvm);
            }
            exit::wait_before();
        });
        self.queue.start(|number| {
            let mut state = self.trace();
            let engine = state.keeper()?;
            let ours: Vec<NodeId> = roots.iter().copied().filter(|&id| state.runs(id, number)).collect();
            let hold = |id: NodeId| {
                state.retain(id);
                state.handle(&engine, id)
            };
            let ours: Vec<Variable> = ours.into_iter().map(hold).collect();
            (!ours.is_empty()).then(|| Evaluation(ours, Watch::new()))
        });
    }

    /// Waits until some variables are computed.
    ///
    /// # Errors
    /// Those of evaluation.
    pub fn wait(&self, variables: &[&Variable]) -> Result<()> {
        self.settle_all(variables)?;
        variables.iter().try_for_each(|v| self.force(v).map(drop))?;
        self.arrived()
    }

    /// Waits for all that was started until now.
    ///
    /// # Errors
    /// That of the first evaluation that had one since this was asked last; of a device, its own.
    pub fn synchronize(&self) -> Result<()> {
        if rayon::current_thread_index().is_none() {
            self.queue.finish()?;
            return self.arrived();
        }
        // Kernels may need this thread: it does what they ask for.
        while !self.queue.is_idle() {
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::yield_now();
            }
        }
        self.queue.failure()?;
        self.arrived()
    }

    /// Waits for what was launched on the device.
    fn arrived(&self) -> Result<()> {
        self.device().map_or(Ok(()), |device| Ok(device.wait()?))
    }

    /// How many evaluations were started that the program did not wait for.
    pub(super) fn started(&self) -> u64 {
        self.queue.count()
    }
}

/// The queue of an engine; its thread ends with the engine.
pub(super) struct Launches {
    queue: Arc<Queue<Evaluation>>,
    /// Less work than this is done in the call.
    least: AtomicUsize,
    /// Done before the first evaluation is started.
    prepared: Once,
}

impl Default for Launches {
    fn default() -> Launches {
        Launches { queue: Arc::default(), least: AtomicUsize::new(WORTH), prepared: Once::new() }
    }
}

impl std::ops::Deref for Launches {
    type Target = Arc<Queue<Evaluation>>;
    fn deref(&self) -> &Arc<Queue<Evaluation>> {
        &self.queue
    }
}

impl Drop for Launches {
    fn drop(&mut self) {
        self.queue.close();
    }
}
