//! What needs no map: operations on elements that are walked in order, or are one, as the kernel of a
//! single row.
//!
//! Nodes are taken in as [`Job::collect`](super::Job) does it, in the same order, so that both find one
//! kernel; here they are found by their numbers alone, and what is noted of them is what a kernel that
//! is there needs to run again.

use super::scratch::Notes;
use super::{Do, LARGE, Meaning, STEP, Step};
use crate::ir::Access;
use crate::passes::Choice;
use crate::runtime::{Elements, Held};
use crate::trace::{Kind, NONE, Node, NodeId, Trace};
use ivy_core::Dtype;
use ivy_core::hash::WordHash;
use smallvec::smallvec;
use std::collections::HashMap;

/// A flat node, as a kernel over one row.
#[derive(Default)]
pub(crate) struct Direct {
    /// The kernel.
    pub(crate) meaning: Meaning,
    /// What it reads.
    pub(crate) inputs: Vec<Held>,
    /// How many elements it computes.
    pub(crate) row: usize,
    /// Whether something of what it computes has several references: it may be held.
    pub(crate) shares: bool,
    /// Whether it reads an array that is there since it was held.
    materialized: bool,
    stack: Vec<Frame>,
    literals: HashMap<(Dtype, [u64; 2]), u32, WordHash>,
}

struct Frame {
    id: NodeId,
    operands: [NodeId; 3],
    open: bool,
}

/// The map of all notes.
const HERE: u32 = 0;

/// True if an operation is done to each element.
fn is_elementwise(kind: Kind) -> bool {
    matches!(kind, Kind::Unary(_) | Kind::Binary(_) | Kind::Where | Kind::Cast | Kind::Rank(_) | Kind::Key(_))
}

impl Direct {
    /// True if a node may be computed like this: what it is made of decides.
    pub(crate) fn suits(node: &Node) -> bool {
        is_elementwise(node.kind)
            && node.flat
            && !node.symbolic
            && !node.given
            && (1..LARGE / node.dtype.bytes()).contains(&node.shape.size())
    }

    /// Takes in a node that suits, and all that it needs; `None` if something of that takes another way.
    pub(super) fn take_in(
        &mut self,
        trace: &Trace,
        notes: &mut Notes,
        root: NodeId,
        passes: Choice,
    ) -> Option<()> {
        notes.begin(trace.len());
        self.row = trace.node(root).shape.size();
        (self.shares, self.materialized) = (false, false);
        self.meaning.inputs.clear();
        self.meaning.steps.clear();
        self.inputs.clear();
        self.literals.clear();
        self.stack.clear();
        self.stack.push(Frame::of(root));
        while let Some(frame) = self.stack.last_mut() {
            let (id, node) = (frame.id, trace.node(frame.id));
            if notes.step((id, HERE)).is_some() {
                self.stack.pop();
                continue;
            }
            if !std::mem::replace(&mut frame.open, true) {
                if !is_elementwise(node.kind) || node.materialized && id != root {
                    return None;
                }
                self.shares |= node.refs > 1 && id != root;
                let operands = node.operands.map(|o| under(trace, o));
                let views = || node.operands.iter().zip(&operands).filter(|(o, inner)| o != inner);
                self.shares |= views().any(|(&o, _)| trace.node(o).refs > 1);
                frame.operands = operands;
                // In reverse: the first operand comes first.
                let waits =
                    |&o: &NodeId| o != NONE && trace.node(o).is_pending() && notes.step((o, HERE)).is_none();
                let before = self.stack.len();
                self.stack.extend(operands.into_iter().rev().filter(waits).map(Frame::of));
                if self.stack.len() > before {
                    continue;
                }
            }
            let operands = self.stack.pop()?.operands;
            let mut numbers = [NONE; 3];
            for (number, operand) in numbers.iter_mut().zip(operands).filter(|(_, o)| *o != NONE) {
                *number = self.number(trace, notes, operand)?;
            }
            if let Some(position) = node.scalar() {
                let dtype = trace.node(operands[1 - position]).dtype;
                numbers[position] = self.literal(dtype, node.literal);
            }
            notes.set_step((id, HERE), self.meaning.steps.len() as u32);
            self.meaning.steps.push(Step {
                what: Do::Apply(node.kind),
                dtype: node.dtype,
                operands: numbers,
            });
        }
        // What is held is the next step of a recurrence then, and is written.
        if self.shares && self.materialized {
            return None;
        }
        self.meaning.outputs = smallvec![(STEP | notes.step((root, HERE))?, Access::Out)];
        self.meaning.passes = passes;
        Some(())
    }

    /// The number of an operand: of the step that computes it, or of an input.
    fn number(&mut self, trace: &Trace, notes: &mut Notes, id: NodeId) -> Option<u32> {
        if let Some(step) = notes.step((id, HERE)) {
            return Some(STEP | step);
        }
        let node = trace.node(id);
        if node.constant {
            return None;
        }
        if node.kind == Kind::Literal {
            return Some(self.literal(node.dtype, node.literal));
        }
        let elements = node.data.as_deref()?;
        self.materialized |= node.materialized;
        let note = notes.of(id);
        if note.input != NONE {
            return Some(note.input);
        }
        let access = match node.shape.size() {
            1 => Access::Uniform,
            size if size == self.row && node.flat => Access::Linear,
            _ => return None,
        };
        note.input = self.meaning.inputs.len() as u32;
        self.meaning.inputs.push((node.dtype, 1, access));
        let first = elements.offset() * node.dtype.bytes();
        self.inputs.push(match elements {
            Elements::Host(array) => Held::Memory(array.buffer().clone(), first),
            Elements::Device(array) => Held::Device(array.memory().clone(), first),
        });
        Some(note.input)
    }

    /// The number of the input that is a literal.
    fn literal(&mut self, dtype: Dtype, words: [u64; 2]) -> u32 {
        let Direct { meaning, inputs, literals, .. } = self;
        *literals.entry((dtype, words)).or_insert_with(|| {
            meaning.inputs.push((dtype, 1, Access::Uniform));
            inputs.push(Held::Literal(words));
            meaning.inputs.len() as u32 - 1
        })
    }

    /// How many operations it does.
    pub(crate) fn len(&self) -> usize {
        self.meaning.steps.len()
    }
}

impl Frame {
    fn of(id: NodeId) -> Frame {
        Frame { id, operands: [NONE; 3], open: false }
    }
}

/// What a node is another shape of.
#[inline]
fn under(trace: &Trace, mut id: NodeId) -> NodeId {
    while id != NONE && trace.node(id).kind == Kind::Reshape {
        id = trace.node(id).operands[0];
    }
    id
}
