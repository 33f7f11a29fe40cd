//! Literals: one value for all elements, without memory for it.

use super::{Engine, Variable};
use crate::schedule::words_of;
use crate::trace::Kind;
use ivy_core::{Dtype, Op, Result, Scalar, Shape};
use std::sync::Arc;

impl Engine {
    /// An array of one value, without memory for it.
    ///
    /// # Errors
    /// Those of a scalar that does not become the dtype.
    pub fn literal(self: &Arc<Self>, dtype: Dtype, shape: Shape, value: Scalar) -> Result<Variable> {
        let words = literal_words(dtype, value)?;
        let share = self.settings().numbering;
        let mut trace = self.trace();
        let id = trace.literal(dtype, shape, words, [share, false]);
        self.log_node(&trace, id, false);
        Ok(trace.handle(self, id))
    }

    /// A literal as a constant of the kernels that it gets into, each value of which is another kernel, where literals are what
    /// kernels are given else. `None` of what is no literal, and of complex numbers.
    pub fn constant(self: &Arc<Self>, literal: &Variable) -> Option<Variable> {
        let mut trace = self.trace();
        let node = trace.node(literal.id());
        if node.kind != Kind::Literal || node.dtype.is_complex() {
            return None;
        }
        let (dtype, shape, words) = (node.dtype, node.shape.clone(), node.literal);
        let id = trace.literal(dtype, shape, words, [false, true]);
        Some(trace.handle(self, id))
    }

    /// An operation on literals is a literal: its one value is computed as any other, so that
    /// its bits are the same.
    pub(super) fn fold(self: &Arc<Self>, variable: &Variable) -> Result<Variable> {
        let (dtype, shape) = variable.signature();
        let Ok(mut job) = self.trace().collect(variable.id()) else { return Ok(variable.clone()) };
        job.uniform();
        // Literals are the host's, whatever the device.
        let one = self.run_here(&job)?.remove(0);
        let words = words_of(one.view().contiguous_bytes().unwrap_or(&[]));
        let share = self.settings().numbering;
        let mut trace = self.trace();
        // What is computed of a constant is one.
        let constant = trace.node(variable.id()).operands().any(|operand| trace.node(operand).constant);
        let id = trace.literal(dtype, shape, words, [share, constant]);
        Ok(trace.handle(self, id))
    }
}

/// The bytes of a scalar in a dtype, as words.
pub(super) fn literal_words(dtype: Dtype, value: Scalar) -> Result<[u64; 2]> {
    let bits = match (dtype, value) {
        (Dtype::FLOAT32, Scalar::Float(x)) => u64::from((x as f32).to_bits()),
        (Dtype::FLOAT64, Scalar::Float(x)) => x.to_bits(),
        (Dtype::INT32, Scalar::Int(i)) => u64::from(i as u32),
        (Dtype::INT64, Scalar::Int(i)) => i as u64,
        _ => {
            let op = Op::Full { shape: Shape::default(), dtype, value };
            let one = ivy_kernels::execute_views(&op, &[])?.remove(0);
            return Ok(words_of(one.view().contiguous_bytes().unwrap_or(&[])));
        }
    };
    // Words begin with the element's bytes, on every machine.
    match dtype.bytes() {
        4 => Ok(words_of(&(bits as u32).to_ne_bytes())),
        _ => Ok(words_of(&bits.to_ne_bytes())),
    }
}
