//! What a kernel reads: literals, counters and arrays, each walked in the iteration space.

use super::collect::{Collector, Found, Where};
use super::{Do, Input, STEP, Source};
use crate::runtime::Reading;
use crate::trace::{Affine, Kind, NONE};
use ivy_core::host::contiguous_strides;
use ivy_core::{Dims, Dtype};

impl Collector<'_> {
    /// The number of the input that is a literal.
    pub(super) fn literal(&mut self, dtype: Dtype, words: [u64; 2]) -> u32 {
        let inputs = &mut self.job.inputs;
        *self.scratch.literals.entry((dtype, words)).or_insert_with(|| {
            let place = Affine { offset: 0, steps: Dims::from_elem(0, self.space.len()) };
            inputs.push(Input {
                node: NONE,
                dtype,
                source: Source::Literal(words),
                place,
                reading: Reading::Walked,
            });
            self.scratch.again.push(NONE);
            inputs.len() as u32 - 1
        })
    }

    /// The number of an operand: of the step that computes it, or of an input.
    pub(super) fn number(&mut self, found: Found) -> u32 {
        if let Some(step) = self.scratch.notes.step(found) {
            return STEP | step;
        }
        let (id, at) = found;
        let node = self.trace.node(id);
        if node.constant {
            let step = self.step(Do::Constant(node.literal_halves()), node.dtype, [NONE; 3]);
            self.makes(found, step);
            return STEP | step;
        }
        if node.kind == Kind::Literal {
            return self.literal(node.dtype, node.literal);
        }
        if node.kind == Kind::Counter {
            return self.counter(found);
        }
        debug_assert!(self.is_there(found), "r{id} is computed by a step");
        let piece = self.piece(found);
        let zero = || Affine { offset: 0, steps: Dims::from_elem(0, self.space.len()) };
        let mut place = match (&node.data, &self.scratch.wheres[at as usize]) {
            (Some(array), Where::Same) => Affine { offset: 0, steps: Dims::from_slice(array.strides()) },
            (Some(array), Where::Map(map, _)) => map.place(array.strides()),
            (Some(_), Where::Order(order, _)) => order.clone(),
            (None, Where::Map(map, _)) if piece.is_some() => map.order(&node.shape),
            (None, _) if piece.is_some() => Affine { offset: 0, steps: contiguous_strides(&self.space) },
            _ => zero(),
        };
        self.fit(&mut place);
        let guard = self.guard(at);
        let reading = if guard == NONE { Reading::Walked } else { Reading::Guarded };
        let note = self.scratch.notes.of(id);
        let inputs = &mut self.job.inputs;
        let mut known = note.input;
        while known != NONE {
            let input = &inputs[known as usize];
            if (&input.place, input.reading) == (&place, reading) {
                return self.read(found, known, guard);
            }
            known = self.scratch.again[known as usize];
        }
        self.scratch.again.push(std::mem::replace(&mut note.input, inputs.len() as u32));
        let source = match (&node.data, piece) {
            (Some(array), _) => Source::Array((**array).clone()),
            (None, Some(piece)) => Source::Piece(piece),
            // A fault of the trace, which is found when its elements are looked for.
            (None, None) => Source::Piece(NONE),
        };
        inputs.push(Input { node: id, dtype: node.dtype, source, place, reading });
        let input = inputs.len() as u32 - 1;
        self.read(found, input, guard)
    }

    /// Makes a place one of the space, in which axes of length 1 make no difference.
    pub(super) fn fit(&self, place: &mut Affine) {
        place.steps.resize(self.space.len(), 0);
        let axes = place.steps.iter_mut().zip(&self.space);
        axes.filter(|(_, length)| **length == 1).for_each(|(step, _)| *step = 0);
    }
}
