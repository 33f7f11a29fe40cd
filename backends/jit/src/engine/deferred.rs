//! Work of the reference kernels that waits until it is read: updates put at places, and running sums
//! and products, for which what they run along is computed in parts.

use super::evaluate::Held;
use super::launch::{SHORT, array_of};
use super::variable::State;
use super::{Engine, Variable, misfit, replay};
use crate::ir::Access;
use crate::runtime::Elements;
use crate::runtime::cpu::{Scan, Space, scan};
use crate::schedule::{Check, Job, SHARED};
use crate::trace::{Asked, Deferred, Kind, More, Node, NodeId, Trace};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Error, Op, Result, Shape, origin};
use ivy_kernels::{INDICES, matmul};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;
use std::time::Instant;

/// What is next for such a node.
pub(super) enum Next {
    /// Another one must be evaluated first.
    First(NodeId),
    /// Two must be, which have work in common.
    Both([NodeId; 2]),
    /// The elements along which a sum or product runs are computed in its launch; their node is to be
    /// evaluated first where that cannot be.
    Along(Box<Job>, NodeId),
    /// All that it needs is there.
    Kernel(Box<Work>),
}

/// A call of a reference kernel.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) op: Op,
    pub(super) operands: SmallVec<[(NodeId, Operand); 4]>,
    asked: Asked,
}

#[derive(Clone)]
pub(super) enum Operand {
    Array(Elements),
    Literal(Dtype, Shape, [u64; 2]),
    /// A repetition has it.
    Left,
}

impl Operand {
    /// Its dtype and shape; `None` if a repetition has it.
    pub(super) fn signature(&self) -> Option<(Dtype, &Shape)> {
        match self {
            Operand::Array(array) => Some((array.dtype(), array.shape())),
            Operand::Literal(dtype, shape, _) => Some((*dtype, shape)),
            Operand::Left => None,
        }
    }
}

impl Work {
    /// A call on nodes that are there.
    pub(super) fn of(trace: &Trace, op: &Op, operands: &[NodeId], asked: Asked) -> Work {
        let operand = |&id: &NodeId| {
            let node = trace.node(id);
            let operand = match &node.data {
                Some(array) => Operand::Array((**array).clone()),
                None => Operand::Literal(node.dtype, node.shape.clone(), node.literal),
            };
            (id, operand)
        };
        Work { op: op.clone(), operands: operands.iter().map(operand).collect(), asked }
    }

    /// True if another one calls the same, on the same constants.
    pub(super) fn is_like(&self, other: &Work) -> bool {
        let mut operands = self.operands.iter().zip(&other.operands);
        self.op == other.op
            && self.operands.len() == other.operands.len()
            && operands.all(|((_, a), (_, b))| match (a, b) {
                (Operand::Array(a), Operand::Array(b)) => a.are(b),
                (Operand::Literal(d, s, words), Operand::Literal(dtype, shape, other)) => {
                    (d, s, words) == (dtype, shape, other)
                }
                (Operand::Left, Operand::Left) => true,
                _ => false,
            })
    }

    /// An error of the call, with what it was called for.
    pub(super) fn told(&self, error: Error) -> Error {
        self.asked.told(error)
    }
}

/// What indices that are to be computed are converted from, if the scatter kernel takes it: it need not be read and written
/// once more.
fn unconverted(trace: &Trace, id: NodeId) -> NodeId {
    let node = trace.node(id);
    let from = node.operands[0];
    let is_cast = node.is_pending() && node.kind == Kind::Cast && node.dtype == Dtype::INT64 && !node.given;
    let is_taken = |of: &Node| INDICES.contains(&of.dtype) && of.shape == node.shape && !of.symbolic;
    if is_cast && is_taken(trace.node(from)) { from } else { id }
}

impl Engine {
    /// An op of the reference kernels on variables, to be done when its result is read, which has this
    /// dtype and shape. `None` if the caller has to do it: of what is recorded, and without the switch.
    ///
    /// # Errors
    /// Those of evaluation, where it takes place.
    pub fn deferred(
        self: &Arc<Self>,
        op: &Op,
        dtype: Dtype,
        shape: Shape,
        operands: &[&Variable],
    ) -> Result<Option<Variable>> {
        let settings = self.settings();
        if !settings.deferred || !settings.fusion {
            return Ok(None);
        }
        let asked = self.asked(origin::function(op));
        let operands: SmallVec<[NodeId; 4]> = operands.iter().map(|v| v.id()).collect();
        let (variable, waits) = {
            let mut trace = self.trace();
            let given = operands.iter().any(|&id| trace.node(id).given);
            if given && !replay::is_open() || operands.iter().any(|&id| trace.node(id).symbolic) {
                return Ok(None);
            }
            let ([weight, cost], ..) = trace.taken_with(&operands, shape.size());
            let mut node = trace.pending(Kind::Deferred, dtype, shape, &[]);
            operands.iter().for_each(|&id| trace.retain(id));
            (node.weight, node.cost) = (node.weight.saturating_add(weight), node.cost.saturating_add(cost));
            (node.flat, node.given) = (false, given);
            node.more = Some(Box::new(More::Deferred(Deferred { op: op.clone(), operands, asked })));
            self.noted(&mut trace, node, [false, true], &mut Vec::new())
        };
        if !waits {
            self.settle(&variable)?;
        }
        Ok(Some(variable))
    }

    /// What is to be done for a node that waits.
    pub(super) fn next(&self, trace: &mut State, id: NodeId) -> Option<Next> {
        let node = trace.node(id);
        let Deferred { op, operands, asked } = node.deferred()?;
        if let Op::Scan { axis, .. } = *op {
            let (id, under) = (operands[0], trace.node(operands[0]));
            // Others want it too: once is enough.
            let early = under.refs > 1 && under.weight > SHARED;
            let rows = under.shape[axis] >= SHORT && under.shape[axis + 1..].iter().all(|&n| n == 1);
            // A repetition has no such launch.
            if under.is_pending()
                && !node.given
                && rows
                && !early
                && self.on_device.is_none()
                && self.settings().scans
            {
                return Some(match trace.collect(id) {
                    Ok(job)
                        if job.fold.is_none()
                            && job.outputs.len() == 1
                            && job.view().is_none()
                            && !job.is_padded()
                            && !job.counts()
                            && !(job.is_uneven() && self.packs()) =>
                    {
                        Next::Along(Box::new(job), id)
                    }
                    Ok(_) => Next::First(id),
                    Err(first) => Next::First(first),
                });
            }
        }
        if let (Op::Concat { .. }, &[a, b]) = (op, &operands[..])
            && trace.node(a).is_pending()
            && trace.node(b).is_pending()
            && a != b
        {
            return Some(Next::Both([a, b]));
        }
        let read: SmallVec<[NodeId; 4]> = match (op, &operands[..]) {
            (Op::Scatter { .. }, [x, updates, indices @ ..]) if self.on_device.is_none() => {
                let indices = indices.iter().map(|&id| unconverted(trace, id));
                [*x, *updates].into_iter().chain(indices).collect()
            }
            _ => operands.clone(),
        };
        if let Some(&first) = read.iter().find(|&&id| trace.node(id).is_pending()) {
            return Some(Next::First(first));
        }
        Some(Next::Kernel(Box::new(Work::of(trace, op, &read, asked.clone()))))
    }

    /// The elements that a sum or product runs along computed in parts, for a node that holds what the
    /// job needs; `None` if they are not found in one stride.
    pub(super) fn run_along(&self, job: &Job, id: NodeId) -> Result<Option<Elements>> {
        let (op, shape) = {
            let trace = self.trace();
            let node = trace.node(id);
            let Some(deferred) = node.deferred() else { return Ok(None) };
            (deferred.op.clone(), node.shape.clone())
        };
        let Op::Scan { op, axis, include_initial } = op else { return Ok(None) };
        let settings = self.settings();
        let written = self.checked(job, |job| {
            let views = job.views()?;
            let Some(mut space) = Space::rows_of(&job.space, axis, &views) else { return Ok(None) };
            job.reach(&mut space);
            let access = |i| space.access(i, settings.steps, false, false);
            let meaning = job.meaning(access, Access::Out, self.choice_of(settings, &space));
            let (ready, hit) = self.ready(meaning, job)?;
            let start = Instant::now();
            let how = Scan { op, dtype: job.dtype, include_initial };
            let written = scan(&*ready.code, &ready.params, &space, how)?;
            self.log_launch(&ready, job, job.len(), hit, start.elapsed());
            Ok(Some(written))
        })?;
        let Some(written) = written else { return Ok(None) };
        let array = array_of(written, job.dtype, shape).ok_or_else(|| misfit("evaluate"))?;
        Ok(Some(Elements::Host(array)))
    }

    /// Calls a reference kernel.
    ///
    /// # Errors
    /// Those of the kernel.
    pub fn kernel(&self, op: &Op, arrays: &[HostArray]) -> Result<SmallVec<[HostArray; 1]>> {
        match (op, arrays) {
            (Op::Matmul, [a, b]) => {
                let product = match self.settings().products {
                    true => matmul::matmul(a.view(), b.view())?,
                    false => matmul::by_definition(a.view(), b.view())?,
                };
                Ok(smallvec![product])
            }
            _ => Ok(ivy_kernels::execute(op, arrays)?.into_iter().collect()),
        }
    }

    /// Calls a reference kernel, for all its results; on a device, on copies, where that has no kernel.
    pub(super) fn work(&self, mut work: Box<Work>) -> Result<SmallVec<[Elements; 1]>> {
        if let Some(done) = self.work_on_device(&work)? {
            return Ok(done);
        }
        let host = |elements| match elements {
            Elements::Host(array) => Ok(array),
            Elements::Device(array) => array.download(),
        };
        let mut arrays: SmallVec<[HostArray; 4]> = smallvec![];
        for (_, operand) in std::mem::take(&mut work.operands) {
            arrays.push(host(match operand {
                Operand::Array(array) => array,
                Operand::Literal(dtype, shape, words) => self.filled(dtype, &shape, &words)?,
                Operand::Left => return Err(misfit("compile")),
            })?);
        }
        let done = match (&work.op, arrays.as_mut_slice()) {
            // What nobody else holds is written in place.
            (Op::Scatter { op, .. }, [x, updates, indices @ ..]) => {
                let indices: SmallVec<[_; 4]> = indices.iter().map(HostArray::view).collect();
                let done = ivy_kernels::scatter_in_place(*op, x, updates.view(), &indices);
                done.map(|()| smallvec![x.clone()])
            }
            (op, arrays) => self.kernel(op, arrays),
        };
        let arrays = done.map_err(|error| work.told(error))?;
        let placed = |array: HostArray| match &self.on_device {
            None => Ok(Elements::Host(array)),
            Some(on_device) => on_device.take(&array),
        };
        arrays.into_iter().map(placed).collect()
    }

    /// Says which nodes a job needs while it runs.
    pub(super) fn hold(&self, trace: &mut State, job: &Job, held: &mut Held<'_>) {
        for id in job.others().chain(job.checks().iter().map(Check::node)) {
            trace.retain(id);
            held.ids.push(id);
        }
    }
}
