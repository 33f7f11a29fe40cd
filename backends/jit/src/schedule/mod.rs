//! From a pending node to one kernel: which nodes it takes in, what it reads, its meaning as a
//! key, and the kernel itself.
//!
//! Views are maps from the iteration space to elements, put together as they are followed down
//! ([`Map`](crate::trace::Map)). Fusion stops by rule, and nowhere else:
//! - at nodes that are evaluated already;
//! - at an operand whose elements would be computed several times over, since it is broadcast
//!   (one element is computed once);
//! - at what is gathered from, which is read at places that are computed, and at what is gathered for a
//!   loop or conditional and not in it, where the index of an element that does not get there counts;
//! - at a loop in which something is gathered, in a program over rows;
//! - at a node of more than 8 operations that is needed under a second map, as the operands of a
//!   stencil are;
//! - at a fold, which is the last thing of a kernel, and at what it folds if that takes more than
//!   24 operations and others refer to it, or comes out of a loop that elements may leave at different times,
//!   where these are put together;
//! - at a reshape that joins axes of something that is not walked in order;
//! - at what is padded or joined in a loop or conditional, and at a loop, a conditional or what is gathered
//!   that is padded or joined, since it would be computed where it has no elements;
//! - at what is padded or joined, on the processor, where the rows of the space are shorter than vectors;
//! - at a counter, in a kernel of a loop or of what is gathered: lanes beyond the last element would go by
//!   numbers that are no element's;
//! - at [`LARGEST`](crate::trace::LARGEST) nodes.
//!
//! What is stopped at is evaluated by itself, and is an input then; but folds along the same rows,
//! and what is made of them, may be pieces of one program (`rows.rs`). Only the node that is asked
//! for is written to memory, and with something that comes out of a loop or a conditional what
//! else of its shape does.
//!
//! A loop or a conditional is steps between a first and a last one; what is first needed within is
//! computed within.

mod alike;
mod collect;
mod columns;
mod concat;
mod control;
mod counter;
mod device;
mod direct;
mod flow;
mod gather;
mod groups;
mod inputs;
mod materialize;
mod merge;
mod pad;
mod random;
mod reach;
mod rows;
mod scatter;
pub(crate) mod scratch;
mod template;
mod words;

pub(crate) use collect::{REPEATED, SHARED};
pub(crate) use columns::COLUMNS;
pub(crate) use direct::Direct;
pub(crate) use groups::{groups, is_joinable};
pub(crate) use materialize::Materialization;
pub(crate) use rows::{Given, Piece, Program};
pub(crate) use scatter::{ScatterInput, ScatterKernel, ScatterMeaning, ScatterRead};
pub(crate) use scratch::Scratch;
pub(crate) use template::{ProgramTemplate, Slots, Template};
pub(crate) use words::words_of;

use crate::ir::{Access, Builder, Join, Kernel, Param};
use crate::lower::{Parts, memory};
use crate::passes::Choice;
use crate::runtime::{Elements, Reading};
use crate::trace::{Affine, Asked, Kind, NodeId};
use ivy_core::host::HostView;
use ivy_core::{Dtype, ErrorKind, Result, ScatterOp, Shape};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Where an input's elements are.
#[derive(Clone)]
enum Source {
    Array(Elements),
    /// The bytes of one element.
    Literal([u64; 2]),
    /// What another piece of the same program gives: see [`rows`].
    Piece(u32),
    /// The place itself is the value: no memory.
    Count,
}

/// An input: a node that is there, walked in the iteration space.
#[derive(Clone)]
struct Input {
    node: NodeId,
    dtype: Dtype,
    source: Source,
    /// In elements, from the array's first.
    place: Affine,
    /// How it is read.
    reading: Reading,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Do {
    /// An operation.
    Apply(Kind),
    /// A value that the kernel has itself: its bits, the lower ones first.
    Constant([u32; 2]),
    /// The place that an index means along an axis of a length, which is the other operand. One that
    /// is out of range is noted, and means the first place.
    Index,
    /// The element of an input at a distance, and at a further one if there is a third operand.
    Gather,
    /// An update, the last operand, at a distance in a target's memory, the first.
    Scatter(ScatterOp, u8),
    /// Whether what is counted, the first operand, is a place along an axis of a length.
    Inside,
    /// The element of an input where the second operand is true, else zero.
    Read,
    /// One of the elements that are the parts of the operand.
    Column(u8),
    /// The parts of both operands.
    Append,
    /// A loop begins; a `Carry` follows for each thing that it carries. It stops where it has gone round
    /// as often as the operand says, if there is one.
    Loop,
    /// What a loop carries, at first the operand.
    Carry,
    /// The loop ends where the operand is false.
    While,
    /// What is carried next, for each thing in order.
    Next,
    /// A conditional begins.
    If,
    /// What a branch gives, for each thing in order.
    Give,
    /// The other branch begins.
    Else,
    /// A loop or conditional ends; a `Result` follows for each thing.
    End,
    /// What comes out of it.
    Result,
}

/// A step of the kernel: what it does, and its operands by number: inputs first, then steps.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    what: Do,
    dtype: Dtype,
    operands: [u32; 3],
}

/// Word by word.
impl Hash for Step {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c] = self.operands.map(u64::from);
        self.what.hash(state);
        state.write_u64(a << 32 | b);
        state.write_u64(c << 32 | self.dtype.index() as u64);
    }
}

/// A result: a node, and the step or input that computes it.
#[derive(Clone)]
pub(crate) struct Output {
    node: NodeId,
    pub(crate) dtype: Dtype,
    number: u32,
}

/// What a kernel means: what it reads and how, and what it does. Names, literals, addresses and
/// sizes are no part of it.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Meaning {
    /// Dtypes, how many elements are the parts of one, and how these are found.
    inputs: Vec<(Dtype, u8, Access)>,
    steps: Vec<Step>,
    /// What is written, and how.
    outputs: SmallVec<[(u32, Access); 1]>,
    pub(crate) passes: Choice,
}

/// All that a launch needs, taken from a trace.
#[derive(Clone)]
pub struct Job {
    inputs: Vec<Input>,
    steps: Vec<Step>,
    /// How elements are folded, and a bit for each axis over which they are.
    pub(crate) fold: Option<(Join, u64)>,
    /// The iteration space.
    pub(crate) space: Shape,
    /// The results' shape.
    pub shape: Shape,
    /// The first result's dtype.
    pub dtype: Dtype,
    /// The results, that of the node that is asked for first.
    pub(crate) outputs: SmallVec<[Output; 1]>,
    /// The indices that are checked.
    checks: Vec<Check>,
    /// What is padded or joined in it.
    pads: SmallVec<[NodeId; 2]>,
    /// The input that says how often its loops may go round, if they are to stop.
    iterations: Option<u32>,
    /// Whether it has a loop that asks each element by itself whether that goes on.
    uneven: bool,
    /// How many elements of a row an element of the space stands for.
    columns: usize,
}

/// Elements of a loop that are worth a launch of their own.
const UNEVEN: usize = 1 << 12;

/// What is checked.
#[derive(Clone)]
pub(crate) enum Check {
    /// An index.
    Index(IndexCheck),
    /// Indices in a loop, which a node comes out of; and when it was asked for.
    Loop(NodeId, u64),
}

/// An index that is checked: by whom it was asked for, what for, and which node it is.
#[derive(Clone)]
pub(crate) struct IndexCheck {
    pub(crate) asked: Asked,
    pub(crate) axis: usize,
    pub(crate) length: usize,
    pub(crate) node: NodeId,
    /// When it was asked for.
    pub(crate) number: u64,
}

impl Check {
    /// The node by which a fault is found.
    pub(crate) fn node(&self) -> NodeId {
        match self {
            Check::Index(index) => index.node,
            Check::Loop(node, _) => *node,
        }
    }

    /// The program asked for those with smaller numbers before.
    pub(crate) fn number(&self) -> u64 {
        match self {
            Check::Index(index) => index.number,
            Check::Loop(_, number) => *number,
        }
    }
}

impl Job {
    /// How many operations it has.
    pub fn len(&self) -> usize {
        self.steps.iter().filter(|s| matches!(s.what, Do::Apply(_))).count()
    }

    /// How many operations on elements it does.
    pub(crate) fn work(&self) -> usize {
        self.space.size().saturating_mul(self.steps.len().max(1))
    }

    /// The nodes that are computed besides the one that is asked for.
    pub(crate) fn others(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.outputs.iter().skip(1).map(|o| o.node)
    }

    /// True if results are written past the caches, where that is possible.
    pub(crate) fn is_large(&self) -> bool {
        is_large(&self.shape, self.dtype)
    }

    /// True if an element of its space stands for a row of a few elements.
    pub(crate) fn is_by_columns(&self) -> bool {
        self.columns > 1
    }

    /// True if it does nothing.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The job of what is folded.
    pub(crate) fn unfolded(&self) -> Job {
        Job {
            inputs: self.inputs.clone(),
            steps: self.steps.clone(),
            fold: None,
            space: self.space.clone(),
            shape: self.space.clone(),
            dtype: self.dtype,
            outputs: self.outputs.clone(),
            checks: self.checks.clone(),
            pads: self.pads.clone(),
            iterations: self.iterations,
            uneven: self.uneven,
            columns: self.columns,
        }
    }

    /// True if it has a loop that some of many elements may go round much longer than others: a kernel may put
    /// these together if each element is a result.
    pub(crate) fn is_uneven(&self) -> bool {
        self.uneven && self.space.size() >= UNEVEN
    }

    /// It with loops that go round more often, after a launch in which one had not ended.
    pub(crate) fn longer(&self) -> Option<Job> {
        let mut job = self.clone();
        match &mut job.inputs.get_mut(self.iterations? as usize)?.source {
            Source::Literal([iterations, _]) => {
                *iterations = iterations.saturating_mul(MORE_ITERATIONS).min(i64::MAX as u64)
            }
            _ => return None,
        }
        Some(job)
    }

    /// What it does, if that is no more than to look at an array in another way.
    pub(crate) fn view(&self) -> Option<Elements> {
        let [Input { source: Source::Array(array), place, reading: Reading::Walked, .. }] =
            self.inputs.as_slice()
        else {
            return None;
        };
        let offset = array
            .offset()
            .checked_add_signed(place.offset)
            .filter(|_| self.is_empty() && self.fold.is_none() && self.outputs.len() == 1)?;
        array.view(self.shape.clone(), place.steps.clone(), offset)
    }

    /// How many inputs it reads.
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Makes it a job of one element: its inputs are literals.
    pub(crate) fn uniform(&mut self) {
        (self.space, self.shape) = Default::default();
        self.inputs.iter_mut().for_each(|i| i.place.steps.clear());
    }

    /// The inputs' elements, walked in the iteration space. All of them are in memory everywhere.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for an input that has not got the elements: a fault of the
    /// trace, not of the user.
    pub fn views(&self) -> Result<Vec<HostView<'_>>> {
        self.inputs.iter().map(|i| i.view(&self.space).ok_or_else(|| self.lacks(i))).collect()
    }

    fn lacks(&self, input: &Input) -> ivy_core::Error {
        ErrorKind::InvalidArgument {
            function: "evaluate",
            argument: "input",
            value: format!("node {} in {}", input.node, self.shape),
            rule: "an input has the elements that the trace says",
        }
        .into()
    }

    /// The meaning of its kernel, for inputs that are found and results that are written like this,
    /// after these passes.
    pub fn meaning(&self, access: impl Fn(usize) -> Access, result: Access, passes: Choice) -> Meaning {
        self.meaning_of(access, |_| result, passes)
    }

    /// The meaning of its kernel, with results that are written each in its own way.
    pub(crate) fn meaning_of(
        &self,
        access: impl Fn(usize) -> Access,
        result: impl Fn(usize) -> Access,
        passes: Choice,
    ) -> Meaning {
        let of = |(i, input): (usize, &Input)| (input.dtype, input.reading.columns(), access(i));
        let inputs = self.inputs.iter().enumerate().map(of).collect();
        let outputs = self.outputs.iter().enumerate().map(|(i, o)| (o.number, result(i))).collect();
        Meaning { inputs, steps: self.steps.clone(), outputs, passes }
    }
}

/// Results of this many bytes are written past the caches.
const LARGE: usize = 4 << 20;

/// True if a result is written past the caches, where that is possible.
pub(crate) fn is_large(shape: &Shape, dtype: Dtype) -> bool {
    shape.size().saturating_mul(dtype.bytes()) >= LARGE
}

/// How often loops may go round at first where indices are checked, and how many times as often when one
/// had not ended: what goes on for ever in one place must not hide an index that is out of range in
/// another, which is found step by step.
const ITERATIONS: i64 = 1 << 16;
const MORE_ITERATIONS: u64 = 16;

/// Marks an operand that is a step.
const STEP: u32 = 1 << 31;

impl Input {
    /// True if another one is the same.
    fn is(&self, other: &Input) -> bool {
        let alike = match (&self.source, &other.source) {
            (Source::Literal(a), Source::Literal(b)) => a == b && self.dtype == other.dtype,
            (Source::Literal(_), _) | (_, Source::Literal(_)) => false,
            _ => self.node == other.node,
        };
        alike && (&self.place, self.reading) == (&other.place, other.reading)
    }

    fn view<'a>(&'a self, shape: &'a Shape) -> Option<HostView<'a>> {
        let (bytes, first) = match &self.source {
            Source::Array(Elements::Host(array)) => (array.buffer().bytes(), array.offset()),
            Source::Array(Elements::Device(_)) | Source::Piece(_) | Source::Count => return None,
            Source::Literal(words) => (words::bytes_of(words), 0),
        };
        if matches!(self.reading, Reading::Guarded | Reading::Rows(_)) {
            return None;
        }
        self.walk(bytes, first, shape)
    }

    /// Memory walked as the input's is, whose first element stands at place `first`.
    fn walk<'a>(&'a self, bytes: &'a [u8], first: usize, shape: &'a Shape) -> Option<HostView<'a>> {
        // Of nothing, no element is the first: a flip would begin before it.
        let offset = match shape.size() {
            0 => first,
            _ => first.checked_add_signed(self.place.offset)?,
        };
        HostView::new(bytes, self.dtype, shape, &self.place.steps, offset)
    }
}

/// The kernel of a meaning.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for an operation without a form, which no support lets through.
pub fn kernel(meaning: &Meaning) -> Result<Kernel> {
    let mut params = Vec::with_capacity(meaning.inputs.len() + meaning.outputs.len());
    let typed = |dtype: Dtype| memory(dtype).ok_or_else(|| formless(dtype.to_string()));
    for &(dtype, columns, access) in &meaning.inputs {
        let (ty, parts) = typed(dtype)?;
        params.push(Param { ty, parts: parts * u32::from(columns), access });
    }
    for &(number, access) in &meaning.outputs {
        let dtype = match number & STEP {
            0 => meaning.inputs[number as usize].0,
            _ => meaning.steps[(number ^ STEP) as usize].dtype,
        };
        let (ty, parts) = typed(dtype)?;
        params.push(Param { ty, parts: parts * columns::together(&meaning.steps, number), access });
    }
    if meaning.steps.iter().any(|s| s.what == Do::Index) {
        params.push(Param::FLAG);
    }
    let counts: Vec<u32> = params.iter().map(|p| p.parts).collect();
    let mut b = Builder::new(params).with_halves(meaning.passes.halves);
    let mut load = |(i, &(dtype, _, access)): (usize, &(Dtype, u8, Access))| {
        // What is gathered or guarded is read by steps.
        let by_steps = matches!(access, Access::Gather(_)) || access.guarded().is_some();
        let parts = if by_steps { 0 } else { counts[i] };
        (dtype, (0..parts).map(|part| b.load(i as u32, part)).collect())
    };
    let inputs: Vec<(Dtype, Parts)> = meaning.inputs.iter().enumerate().map(&mut load).collect();
    let mut written =
        flow::Written { inputs, values: Vec::with_capacity(meaning.steps.len()), effects: None };
    // What is written is written when it is known, and its registers are free then.
    let plain = meaning.steps.iter().all(|s| matches!(s.what, Do::Apply(_)));
    let known = |number: u32| match number & STEP {
        _ if !plain => meaning.steps.len(),
        0 => 0,
        _ => (number ^ STEP) as usize + 1,
    };
    let mut order: SmallVec<[usize; 2]> = (0..meaning.outputs.len()).collect();
    order.sort_by_key(|&i| known(meaning.outputs[i].0));
    let mut done = 0;
    for i in order {
        let (number, _) = meaning.outputs[i];
        written.steps(&mut b, &meaning.steps[done..known(number)])?;
        done = known(number);
        b.store((meaning.inputs.len() + i) as u32, &written.of(number).1);
    }
    Ok(b.finish())
}

fn formless(value: String) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function: "evaluate",
        argument: "operation",
        value,
        rule: "an operation that has a form in the engine",
    }
    .into()
}
