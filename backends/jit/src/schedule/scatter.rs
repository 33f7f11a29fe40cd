//! Kernels of recorded loops that scatter: the steps of a loop, with effects in its blocks.
//!
//! Each element of the loop's iteration space goes through the whole loop by itself, reads what is not carried in memory
//! in row-major order, and does its updates by atomics. An index out of range is recorded, and ends the loops.

use super::collect::{Collector, SAME, Whole};
use super::flow::{Memories, Written};
use super::scratch::Scratch;
use super::{Do, Input, Job, Output, STEP, Source, Step, formless};
use crate::ir::{Access, Builder, Effects as Manner, Kernel, Param, Steps, Type};
use crate::kind::Kind;
use crate::lower::{Parts, memory};
use crate::passes::Choice;
use crate::runtime::{Elements, Reading};
use crate::trace::{Block, NONE, NodeId, Targets, Trace};
use ivy_core::host::contiguous_strides;
use ivy_core::{BinaryOp, Dims, Dtype, Result as Outcome, Shape};
use std::collections::HashSet;

/// The scatters that a collection takes in.
pub(super) struct Effects<'t> {
    targets: &'t Targets,
}

/// How a kernel with effects reads an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScatterRead {
    /// A number that the launch is given.
    Uniform,
    /// The element of memory with the number of the element of the space.
    Element,
    /// The first element of memory.
    One,
    /// Elements of memory at distances from a place that the launch is given.
    Gathered,
}

/// What such a kernel means: sizes, numbers and addresses are no part of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ScatterMeaning {
    pub(crate) inputs: Vec<(Dtype, ScatterRead)>,
    steps: Vec<Step>,
    pub(crate) targets: Vec<Dtype>,
    outputs: Vec<(u32, Dtype)>,
    pub(crate) passes: Choice,
}

/// What an input is.
pub(crate) enum ScatterInput {
    /// The bits of a number.
    Number(u64),
    /// Elements that are read by their numbers, or the one that there is.
    Array(Elements),
    /// Elements that are read at distances from one of their memory.
    Memory(Elements, usize),
}

/// A loop that scatters, with all that a launch needs but the targets.
pub(crate) struct ScatterKernel {
    pub(crate) meaning: ScatterMeaning,
    pub(crate) inputs: Vec<ScatterInput>,
    /// The nodes of what comes out of the loop besides, of the space's shape.
    pub(crate) outputs: Vec<(NodeId, Dtype)>,
}

impl ScatterKernel {
    /// The kernel of a loop of these targets; `None` if there is none.
    ///
    /// # Errors
    /// A pending node that must be evaluated first.
    pub(crate) fn collect(
        trace: &Trace,
        scratch: &mut Scratch,
        owner: NodeId,
        targets: &Targets,
        passes: Choice,
    ) -> Result<Option<ScatterKernel>, NodeId> {
        let Some(flow) = trace.node(owner).flow() else { return Ok(None) };
        let job = Job::over(targets.space.clone(), Dtype::BOOL, trace.node(owner).weight);
        let mut collector = Collector::new(trace, scratch, job, None);
        collector.effects = Some(Effects { targets });
        let chosen = collector.flow(owner, (&targets.space, SAME), Some(Block::Whole))?;
        for (i, step) in chosen {
            let node = flow.results[i];
            if node != NONE && trace.node(node).shape == targets.space {
                let dtype = trace.node(node).dtype;
                collector.job.outputs.push(Output { node, dtype, number: STEP | step });
            }
        }
        let job = collector.done()?;
        let mut inputs = Vec::with_capacity(job.inputs.len());
        for input in &job.inputs {
            match read(input, &job.space)? {
                Some(read) => inputs.push(read),
                None => return Ok(None),
            }
        }
        let (reads, inputs): (Vec<ScatterRead>, Vec<ScatterInput>) = inputs.into_iter().unzip();
        let dtypes = job.inputs.iter().map(|input| input.dtype);
        let meaning = ScatterMeaning {
            inputs: dtypes.zip(reads).collect(),
            targets: targets.vars.iter().map(|&i| trace.node(flow.vars[i]).dtype).collect(),
            outputs: job.outputs.iter().map(|output| (output.number, output.dtype)).collect(),
            steps: job.steps,
            passes,
        };
        let outputs = job.outputs.iter().map(|output| (output.node, output.dtype)).collect();
        Ok(Some(ScatterKernel { meaning, inputs, outputs }))
    }
}

/// How an input is read, and what it is; `None` for what kernels with effects do not read.
fn read(input: &Input, space: &Shape) -> Result<Option<(ScatterRead, ScatterInput)>, NodeId> {
    if memory(input.dtype).is_none_or(|(_, parts)| parts != 1) {
        return Ok(None);
    }
    let same = input.place.steps.iter().all(|&step| step == 0);
    Ok(match (&input.source, input.reading) {
        (Source::Literal(words), _) => Some((ScatterRead::Uniform, ScatterInput::Number(words[0]))),
        (Source::Array(array), Reading::Walked) => {
            let offset = array.offset().checked_add_signed(input.place.offset);
            let view = offset.and_then(|offset| match same {
                true => array.view(Shape::default(), Dims::new(), offset),
                false => array.view(space.clone(), input.place.steps.clone(), offset),
            });
            let read = if same { ScatterRead::One } else { ScatterRead::Element };
            view.map(|view| (read, ScatterInput::Array(view)))
        }
        (Source::Array(array), Reading::Gathered) if same => {
            let first = array.offset().checked_add_signed(input.place.offset);
            first.map(|first| (ScatterRead::Gathered, ScatterInput::Memory(array.clone(), first)))
        }
        (Source::Count, _) => return Err(input.node),
        _ => None,
    })
}

impl ScatterMeaning {
    /// The kernel: its parameters are the element's number; for each input its number, or its memory and, where it is
    /// gathered from, the place from which distances count; the memory of each target; that of each output; the log.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for an operation without a form.
    pub(crate) fn kernel(&self) -> Outcome<Kernel> {
        let param = |dtype: Dtype, access| -> Outcome<Param> {
            let ty = memory(dtype).ok_or_else(|| formless(dtype.to_string()))?.0;
            Ok(Param { ty, parts: 1, access })
        };
        let number = |access| Param { ty: Type::I64, parts: 1, access };
        let mut params = vec![number(Access::Counter(Steps::One))];
        let mut at = Vec::with_capacity(self.inputs.len());
        for &(dtype, read) in &self.inputs {
            at.push(params.len() as u32);
            params.push(param(
                dtype,
                if read == ScatterRead::Uniform { Access::Uniform } else { Access::Memory },
            )?);
            if read == ScatterRead::Gathered {
                params.push(number(Access::Uniform));
            }
        }
        let first_target = params.len() as u32;
        for &dtype in self.targets.iter().chain(self.outputs.iter().map(|(_, dtype)| dtype)) {
            params.push(param(dtype, Access::Memory)?);
        }
        params.push(number(Access::Log));
        let mut b = Builder::with_effects(params, Manner::FREE).with_halves(false);
        let element = b.load(0, 0);
        let zero = b.constant(Type::I64, 0);
        let (mut inputs, mut gathered) = (Vec::new(), Vec::new());
        for (&(dtype, read), &at) in self.inputs.iter().zip(&at) {
            let mut parts = Parts::new();
            gathered.push(None);
            match read {
                ScatterRead::Uniform => parts.push(b.load(at, 0)),
                ScatterRead::Element | ScatterRead::One => {
                    let memory = b.memory(at);
                    parts.push(b.load_at(memory, if read == ScatterRead::One { zero } else { element }));
                }
                ScatterRead::Gathered => {
                    let memory = b.memory(at);
                    gathered.pop();
                    gathered.push(Some((memory, b.load(at + 1, 0))));
                }
            }
            inputs.push((dtype, parts));
        }
        let count = self.targets.len() as u32;
        let targets = (0..count).map(|n| b.memory(first_target + n)).collect();
        let log = b.memory(b.params().len() as u32 - 1);
        let checked = self.steps.iter().any(|step| step.what == Do::Index);
        let memories = Memories { gathered, targets, element, log, checked };
        let mut written =
            Written { inputs, values: Vec::with_capacity(self.steps.len()), effects: Some(memories) };
        written.steps(&mut b, &self.steps)?;
        for (n, &(output, _)) in self.outputs.iter().enumerate() {
            let memory = b.memory(first_target + count + n as u32);
            let value = written.of(output).1[0];
            b.store_at(memory, element, value);
        }
        Ok(b.finish())
    }

    /// How many steps it has.
    pub(crate) fn statements(&self) -> usize {
        self.steps.len()
    }

    /// How many operations it has.
    pub(crate) fn len(&self) -> usize {
        self.steps.iter().filter(|s| matches!(s.what, Do::Apply(_))).count()
    }

    /// How many outputs it has.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }
}

impl<'t> Collector<'t> {
    /// Takes in the scatters of a block.
    pub(super) fn effects_of(&mut self, block: Option<Block>, whole: Whole<'t>) -> Result<(), NodeId> {
        let (Some(block), Some(effects)) = (block, &self.effects) else { return Ok(()) };
        let (trace, targets) = (self.trace, effects.targets);
        let mut done = HashSet::new();
        for &id in targets.blocks.get(&block).into_iter().flatten() {
            let node = trace.node(id);
            match node.kind {
                Kind::Scatter => self.scatter(id, targets.of[&id], whole)?,
                // All targets of a loop or conditional are those of one block.
                _ if done.insert(node.operands[0]) => {
                    self.flow(node.operands[0], whole, Some(Block::Of(node.operands[0])))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes in a scatter to a target of this number.
    fn scatter(&mut self, id: NodeId, target: u8, whole: Whole<'_>) -> Result<(), NodeId> {
        let trace = self.trace;
        let node = trace.node(id);
        let Some(scatter) = node.scatter() else { return Err(id) };
        let mut of = trace.node(node.operands[0]);
        // Updates that are left out are those of the place after the last one.
        let spare = of.kind == Kind::Pad;
        if spare {
            of = trace.node(of.operands[0]);
        }
        let update = self.part_of(whole, node.operands[1])?;
        let mut distance = NONE;
        let strides = contiguous_strides(&of.shape);
        for (axis, &index) in scatter.indices.iter().enumerate() {
            let mut place = self.part_of(whole, index)?;
            if !(spare && axis == 0) {
                let length = self.number_literal(of.shape[axis] as i64);
                place = STEP | self.step(Do::Index, Dtype::INT64, [place, length, NONE]);
            }
            if strides[axis] != 1 {
                let stride = self.number_literal(strides[axis] as i64);
                place = self.arithmetic(BinaryOp::Multiply, place, stride);
            }
            distance = match distance {
                NONE => place,
                before => self.arithmetic(BinaryOp::Add, before, place),
            };
        }
        self.step(Do::Scatter(scatter.op, target), node.dtype, [distance, update, NONE]);
        Ok(())
    }
}
