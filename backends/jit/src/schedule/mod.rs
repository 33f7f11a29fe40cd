//! From a pending node to one kernel: which nodes it takes in, what it reads, its meaning as a
//! key, and the kernel itself.
//!
//! Fusion stops by rule, and nowhere else:
//! - at nodes that are evaluated already;
//! - where an operand has another number of elements than the result, and not one: it is
//!   evaluated before the node is made;
//! - where a node's shape is changed although an input under it is not walked in order;
//! - at [`LARGEST`](crate::trace::LARGEST) nodes.
//!
//! Only the node that is asked for is written to memory.

mod words;

pub(crate) use words::words_of;

use crate::ir::{Access, Builder, Kernel, Param};
use crate::lower::{Parts, lower, memory};
use crate::trace::{Kind, NONE, NodeId, Trace, WordHash};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, ErrorKind, Result, Shape};
use std::collections::HashMap;
use std::sync::Arc;

/// Where an input's elements are.
enum Source {
    Array(HostArray),
    /// The bytes of one element.
    Literal([u64; 2]),
}

/// An input: a node that is there, walked in the iteration space.
struct Input {
    node: NodeId,
    dtype: Dtype,
    source: Source,
    strides: Dims<isize>,
}

/// A node in the kernel: its operation, and its operands by number: inputs first, then steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Step {
    kind: Kind,
    dtype: Dtype,
    operands: [u32; 3],
}

/// What a kernel means: what it reads and how, and what it does. Names, literals, addresses and
/// sizes are no part of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Meaning {
    inputs: Vec<(Dtype, Access)>,
    steps: Vec<Step>,
}

/// All that a launch needs, taken from a trace.
pub struct Job {
    inputs: Vec<Input>,
    steps: Vec<Step>,
    /// The result's shape.
    pub shape: Arc<Shape>,
    /// The result's dtype.
    pub dtype: Dtype,
}

impl Job {
    /// What it takes to evaluate a pending node.
    pub(crate) fn collect(trace: &Trace, root: NodeId) -> Job {
        let order = trace.order(root);
        let (shape, dtype) = (trace.node(root).shape.clone(), trace.node(root).dtype);
        let mut inputs: Vec<Input> = Vec::new();
        let mut input_of: HashMap<NodeId, Vec<u32>, WordHash> = HashMap::default();
        let mut step_of: HashMap<NodeId, u32, WordHash> = HashMap::default();
        let mut steps = Vec::with_capacity(order.len());
        for &id in &order {
            let node = trace.node(id);
            let mut operands = [NONE; 3];
            for (to, &operand) in operands.iter_mut().zip(&node.operands) {
                if operand == NONE {
                    continue;
                }
                if let Some(&step) = step_of.get(&operand) {
                    *to = STEP | step;
                    continue;
                }
                let strides = walked(trace, operand, &shape);
                let known = input_of.entry(operand).or_default();
                let same = known.iter().find(|&&i| inputs[i as usize].strides == strides).copied();
                *to = same.unwrap_or_else(|| {
                    known.push(inputs.len() as u32);
                    inputs.push(input(trace, operand, strides));
                    inputs.len() as u32 - 1
                });
            }
            step_of.insert(id, steps.len() as u32);
            steps.push(Step { kind: node.kind, dtype: node.dtype, operands });
        }
        Job { inputs, steps, shape, dtype }
    }

    /// How many operations it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if it does nothing.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How many inputs it reads.
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Makes it a job of one element: its inputs are literals.
    pub(crate) fn uniform(&mut self) {
        self.inputs.iter_mut().for_each(|i| i.strides.clear());
    }

    /// The inputs' elements, walked in the result's shape.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for an input that has not got the elements: a fault of the
    /// trace, not of the user.
    pub fn views(&self) -> Result<Vec<HostView<'_>>> {
        self.inputs
            .iter()
            .map(|i| {
                i.view(&self.shape).ok_or_else(|| {
                    ErrorKind::InvalidArgument {
                        function: "evaluate",
                        argument: "input",
                        value: format!("node {} in {}", i.node, self.shape),
                        rule: "an input has the elements that the trace says",
                    }
                    .into()
                })
            })
            .collect()
    }

    /// The meaning of its kernel, for inputs that are found like this.
    pub fn meaning(&self, access: impl Fn(usize) -> Access) -> Meaning {
        let inputs = self.inputs.iter().enumerate().map(|(i, input)| (input.dtype, access(i))).collect();
        Meaning { inputs, steps: self.steps.clone() }
    }
}

/// Marks an operand that is a step.
const STEP: u32 = 1 << 31;

/// How a node that is there is walked in a kernel of the shape `whole`. The node that reads it
/// has that shape but for leading axes of length 1, or all inputs under it are walked in order.
fn walked(trace: &Trace, id: NodeId, whole: &Shape) -> Dims<isize> {
    let node = trace.node(id);
    let Some(array) = &node.data else { return Dims::from_elem(0, whole.len()) };
    if array.shape().size() == 1 {
        return Dims::from_elem(0, whole.len());
    }
    if array.is_contiguous() && array.shape().size() == whole.size() {
        return ivy_core::host::contiguous_strides(whole);
    }
    let mut strides = Dims::from_elem(0, whole.len());
    let (from, to) = (array.shape(), strides.len());
    for (i, (&length, &stride)) in from.iter().zip(array.strides()).enumerate().rev() {
        // Axes count from the right; those that `whole` lacks have length 1.
        if let Some(axis) = (to + i).checked_sub(from.len())
            && length != 1
        {
            strides[axis] = stride;
        }
    }
    strides
}

fn input(trace: &Trace, id: NodeId, strides: Dims<isize>) -> Input {
    let node = trace.node(id);
    let source = match &node.data {
        Some(array) => Source::Array((**array).clone()),
        None => Source::Literal(node.literal),
    };
    Input { node: id, dtype: node.dtype, source, strides }
}

impl Input {
    fn view<'a>(&'a self, shape: &'a Shape) -> Option<HostView<'a>> {
        match &self.source {
            Source::Array(array) => {
                HostView::new(array.buffer().bytes(), self.dtype, shape, &self.strides, array.offset())
            }
            Source::Literal(words) => {
                HostView::new(words::bytes_of(words), self.dtype, shape, &self.strides, 0)
            }
        }
    }
}

/// The kernel of a meaning. The result is the last step.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for an operation without a form, which no support lets through.
pub fn kernel(meaning: &Meaning) -> Result<Kernel> {
    let mut params = Vec::with_capacity(meaning.inputs.len() + 1);
    let wrong = |value: String| {
        ivy_core::Error::from(ErrorKind::InvalidArgument {
            function: "evaluate",
            argument: "operation",
            value,
            rule: "an operation that has a form in the engine",
        })
    };
    let typed = |dtype: Dtype| memory(dtype).ok_or_else(|| wrong(dtype.to_string()));
    for &(dtype, access) in &meaning.inputs {
        let (ty, parts) = typed(dtype)?;
        params.push(Param { ty, parts, access });
    }
    let last = meaning.steps.last().map_or(Dtype::BOOL, |s| s.dtype);
    let (ty, parts) = typed(last)?;
    params.push(Param { ty, parts, access: Access::Out });
    let counts: Vec<u32> = params.iter().map(|p| p.parts).collect();
    let mut b = Builder::new(params);
    let inputs: Vec<(Dtype, Parts)> = meaning
        .inputs
        .iter()
        .enumerate()
        .map(|(i, &(dtype, _))| (dtype, (0..counts[i]).map(|part| b.load(i as u32, part)).collect()))
        .collect();
    let mut values: Vec<(Dtype, Parts)> = Vec::with_capacity(meaning.steps.len());
    for step in &meaning.steps {
        let operands: smallvec::SmallVec<[(Dtype, &Parts); 3]> = step
            .operands
            .iter()
            .filter(|&&o| o != NONE)
            .map(|&o| match o & STEP {
                0 => (inputs[o as usize].0, &inputs[o as usize].1),
                _ => (values[(o ^ STEP) as usize].0, &values[(o ^ STEP) as usize].1),
            })
            .collect();
        let value = lower(&mut b, step.kind, step.dtype, &operands);
        drop(operands);
        values.push((step.dtype, value.ok_or_else(|| wrong(format!("{:?} of {}", step.kind, step.dtype)))?));
    }
    if let Some((_, value)) = values.last() {
        b.store(meaning.inputs.len() as u32, value);
    }
    Ok(b.finish())
}
