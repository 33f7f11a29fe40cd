//! Evaluation: what a node needs is computed first, then the node, and what comes out besides is kept.

use super::deferred::{Next, Work};
use super::variable::State;
use super::{Engine, How, Variable, misfit, record};
use crate::runtime::Elements;
use crate::schedule::{Job, Program};
use crate::trace::{Asked, Kind, NodeId};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Result, Shape};

impl Engine {
    /// The elements in the host's memory, computed if they are pending; from a device, a copy.
    ///
    /// # Errors
    /// No memory. The variable stays as it was, and the next read tries again.
    pub fn evaluate(&self, variable: &Variable) -> Result<HostArray> {
        match (self.compute(variable)?, &self.on_device) {
            (Elements::Host(array), _) => Ok(array),
            // Mostly gaps: they are left there.
            (Elements::Device(array), Some(on_device)) if array.is_sparse() => {
                self.contiguous(on_device, Elements::Device(array))?.download()
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

    /// Computes the elements if they are pending, which nobody reads yet: what takes long is started, and
    /// may have an error later.
    ///
    /// # Errors
    /// As [`Engine::evaluate`].
    pub fn settle(&self, variable: &Variable) -> Result<()> {
        self.compute_as(&[variable.id()], How::Start).map(drop)
    }

    /// The elements, computed if they are pending.
    pub(super) fn force(&self, variable: &Variable) -> Result<Elements> {
        self.compute_nodes(&[variable.id()])
    }

    /// The elements of the first of some nodes that the caller has references to; of the others as well,
    /// if one kernel computes them all.
    pub(super) fn compute_nodes(&self, roots: &[NodeId]) -> Result<Elements> {
        self.compute_as(roots, How::Read)?.ok_or_else(|| misfit("evaluate"))
    }

    /// The elements of the first of some nodes, after those of what is held under them. `None` if that goes on beside
    /// the program, which [`How::Start`] may do.
    pub(super) fn compute_as(&self, roots: &[NodeId], how: How) -> Result<Option<Elements>> {
        if let [root] = roots
            && let Some(array) = self.direct(*root, how)?
        {
            return Ok(Some(array));
        }
        self.materializing(roots, how, || self.compute_pending(roots, how))
    }

    /// [`Engine::compute_as`], without regard to what is held.
    pub(super) fn compute_pending(&self, roots: &[NodeId], how: How) -> Result<Option<Elements>> {
        enum Found {
            Array(Elements),
            Literal(Dtype, Shape, [u64; 2]),
            /// Only another shape of what is there.
            Reshaped(Option<Box<Elements>>, Shape, NodeId),
            Pending(Job),
            /// Several kernels over some rows at a time; else this one must be evaluated first.
            Rows(Program, NodeId),
            /// Elements along which a sum or product runs; else this one must be evaluated first.
            Along(Job, NodeId),
            /// A call of a reference kernel.
            Kernel(Box<Work>),
            /// It has none.
            Symbolic,
            Not,
            /// This evaluation gives what is needed.
            Awaited(u64),
        }
        let before_us = how.waits_for();
        // What must be evaluated before, the next one last.
        let mut before = Held { engine: self, ids: Vec::new() };
        // What is computed in the kernel of another one of these.
        let mut beside: Vec<[NodeId; 2]> = Vec::new();
        // What is computed besides.
        let mut others = Held { engine: self, ids: Vec::new() };
        loop {
            let id = before.ids.last().copied().unwrap_or(roots[0]);
            let (found, recorded) = {
                let mut trace = self.trace();
                let node = trace.node(id);
                let given = node.given;
                let awaited = roots.iter().filter_map(|&root| trace.awaited(root, before_us)).max();
                let found = match (awaited, &node.data, node.kind) {
                    (Some(number), ..) => Found::Awaited(number),
                    _ if node.symbolic => Found::Symbolic,
                    (_, Some(array), _) => Found::Array((**array).clone()),
                    (_, None, Kind::Literal) => Found::Literal(node.dtype, node.shape.clone(), node.literal),
                    (_, None, Kind::Reshape) if trace.node(node.operands[0]).data.is_some() => {
                        let from = node.operands[0];
                        Found::Reshaped(trace.node(from).data.clone(), node.shape.clone(), from)
                    }
                    (_, None, Kind::Deferred) => match self.next(&mut trace, id) {
                        Some(Next::First(first)) => {
                            trace.retain(first);
                            before.ids.push(first);
                            Found::Not
                        }
                        Some(Next::Both(both)) => {
                            trace.retain(both[0]);
                            before.ids.push(both[0]);
                            beside.push(both);
                            Found::Not
                        }
                        Some(Next::Along(job, first)) => {
                            self.hold(&mut trace, &job, &mut others);
                            Found::Along(*job, first)
                        }
                        Some(Next::Kernel(work)) => Found::Kernel(work),
                        None => return Err(misfit("evaluate")),
                    },
                    (_, None, Kind::Concat) if self.copies(&trace, id) => {
                        let op = node.placed().ok_or_else(|| misfit("evaluate"))?;
                        Found::Kernel(Box::new(Work::of(&trace, &op, &node.operands[..2], Asked::of(&op))))
                    }
                    _ => match self.collect(&mut trace, id, {
                        let both = beside.iter().find(|both| both[0] == id).map(|both| &both[..]);
                        both.or(before.ids.is_empty().then_some(roots))
                    }) {
                        Ok(job) if job.fold.is_some() && job.is_uneven() && self.packs() => {
                            let first = trace.node(id).operands[0];
                            trace.retain(first);
                            before.ids.push(first);
                            Found::Not
                        }
                        Ok(job) if self.is_short(&job) => match self.short(&trace, &job, id) {
                            Next::First(first) => {
                                trace.retain(first);
                                before.ids.push(first);
                                Found::Not
                            }
                            Next::Kernel(work) => Found::Kernel(work),
                            Next::Along(..) | Next::Both(_) => return Err(misfit("evaluate")),
                        },
                        Ok(job) => {
                            // They live while their elements are computed.
                            self.hold(&mut trace, &job, &mut others);
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
                let is_step = matches!(
                    found,
                    Found::Pending(_) | Found::Rows(..) | Found::Reshaped(..) | Found::Kernel(_)
                );
                let recorded = given && is_step;
                let recorded = recorded && trace.recorders.follow();
                // A recording notes what is done on its own thread.
                let work = match &found {
                    _ if given => None,
                    Found::Pending(job) if job.view().is_none() => Some(job.work()),
                    Found::Rows(program, _) => Some(program.work()),
                    Found::Along(job, _) => Some(job.work()),
                    Found::Awaited(_) => Some(usize::MAX),
                    _ => None,
                };
                if how == How::Start && work.is_some_and(|work| self.leaves(work)) {
                    drop(trace);
                    self.start(roots);
                    return Ok(None);
                }
                (found, recorded)
            };
            let array = match found {
                Found::Not => continue,
                Found::Awaited(number) => {
                    self.queue.wait(number);
                    continue;
                }
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
                Found::Along(job, first) => {
                    let array = self.run_along(&job, id)?;
                    while others.pop() {}
                    match array {
                        Some(array) => array,
                        None => {
                            self.trace().retain(first);
                            before.ids.push(first);
                            continue;
                        }
                    }
                }
                Found::Kernel(work) => {
                    let step = recorded.then(|| work.clone());
                    let array = self.work(work)?.into_iter().next();
                    if let Some(step) = step {
                        self.note_work(step, &[id]);
                    }
                    array.ok_or_else(|| misfit("evaluate"))?
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
            beside.retain(|both| both[0] != id);
            if !before.pop() {
                return Ok(Some(array));
            }
        }
    }

    /// What one kernel is to compute: a node, or several.
    pub(super) fn collect(
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
}

/// Nodes with a reference of their own while they are worked on.
pub(super) struct Held<'e> {
    engine: &'e Engine,
    pub(super) ids: Vec<NodeId>,
}

impl<'e> Held<'e> {
    /// Nodes, each with a reference for this.
    pub(super) fn of(engine: &'e Engine, ids: Vec<NodeId>) -> Held<'e> {
        Held { engine, ids }
    }

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
