//! Elements at places that are computed: an index that is checked for each axis, times what a step
//! along the axis moves, from where a map leads to along the other axes.
//!
//! Lengths and strides are those of the array that is read, and an index is within its axis once
//! [`index`] has seen it, whatever it was: nothing outside of the array is ever read.

use super::collect::{Collector, Found, Where};
use super::{Check, Do, IndexCheck, Input, STEP, Source};
use crate::ir::{Builder, Code, Id, Type};
use crate::runtime::Reading;
use crate::trace::{Affine, Kind, NONE, NodeId};
use ivy_core::{BinaryOp, Dims, Dtype};

/// The part of the flag that an index sets.
const INDEX: u32 = 0;

/// The place that an index means along an axis: negative ones count from the end. What is out of
/// range sets the flag, and means the first place.
pub(super) fn index(b: &mut Builder, index: Id, length: Id) -> Id {
    let (place, inside) = place(b, index, length);
    b.check(INDEX, inside);
    place
}

/// The place that an index means along an axis, and whether it is one; the first place if not.
pub(super) fn place(b: &mut Builder, index: Id, length: Id) -> (Id, Id) {
    let zero = b.constant(Type::I64, 0);
    let negative = b.binary(Code::Lt, index, zero);
    let end = b.binary(Code::Add, index, length);
    let place = b.select(negative, end, index);
    // Of unsigned numbers, negative ones are above all lengths.
    let [number, count] = [place, length].map(|x| b.bitcast(x, Type::U64));
    let inside = b.binary(Code::Lt, number, count);
    (b.select(inside, place, zero), inside)
}

impl Collector<'_> {
    /// Takes in what a node gathers.
    pub(super) fn gather(&mut self, whole: Found) -> Result<(), NodeId> {
        let trace = self.trace;
        let node = trace.node(whole.0);
        let Some(gather) = node.gather() else { return Err(whole.0) };
        let source = trace.node(node.operands[0]);
        let Some(array) = source.data.as_deref() else { return Err(node.operands[0]) };
        // In a loop that is recorded, whoever refers to its symbols is there.
        if !node.symbolic && (self.depth > 0 || self.around.is_some()) {
            return Err(whole.0);
        }
        let mut distance = NONE;
        for (&axis, &id) in gather.axes.iter().zip(&gather.indices) {
            let (length, stride) = (array.shape()[axis], array.strides()[axis]);
            let number = self.part(whole, id)?;
            if !node.symbolic {
                let (asked, number) = (gather.asked.clone(), gather.number);
                let check = IndexCheck { asked, axis, length, node: id, number };
                self.job.checks.push(Check::Index(check));
            }
            let length = self.number_literal(length as i64);
            let mut place = STEP | self.step(Do::Index, Dtype::INT64, [number, length, NONE]);
            if stride != 1 {
                let stride = self.number_literal(stride as i64);
                place = self.arithmetic(BinaryOp::Multiply, place, stride);
            }
            distance = match distance {
                NONE => place,
                before => self.arithmetic(BinaryOp::Add, before, place),
            };
        }
        let strides = array.strides();
        let mut place = match &self.scratch.wheres[whole.1 as usize] {
            Where::Map(outer, _) => gather.map.after(outer).place(strides),
            // One element, or a number that is enough: the map leads to one place.
            Where::One | Where::Order(..) => {
                let at = gather.map.place(strides);
                Affine { offset: at.offset, steps: Dims::new() }
            }
            Where::Same => gather.map.place(strides),
        };
        place.steps.resize(self.space.len(), 0);
        let source = Source::Array(array.clone());
        let dtype = node.dtype;
        let input =
            self.input(Input { node: node.operands[0], dtype, source, place, reading: Reading::Gathered });
        let step = self.step(Do::Gather, dtype, [input, distance, NONE]);
        self.makes(whole, step);
        Ok(())
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: u32, b: u32) -> u32 {
        STEP | self.step(Do::Apply(Kind::Binary(op)), Dtype::INT64, [a, b, NONE])
    }

    /// An input that is a number.
    pub(super) fn number_literal(&mut self, value: i64) -> u32 {
        let source = Source::Literal(super::words_of(&value.to_ne_bytes()));
        let place = Affine { offset: 0, steps: Dims::from_elem(0, self.space.len()) };
        self.input(Input { node: NONE, dtype: Dtype::INT64, source, place, reading: Reading::Walked })
    }

    /// An input that is of no use to others.
    pub(super) fn input(&mut self, input: Input) -> u32 {
        self.scratch.again.push(NONE);
        self.job.inputs.push(input);
        self.job.inputs.len() as u32 - 1
    }
}
