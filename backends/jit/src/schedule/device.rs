//! Jobs on a device.

use super::{Input, Job, Output, Program, Source};
use crate::codegen::From;
use crate::runtime::cuda::{self, Kept, Memory};
use crate::runtime::{Elements, Reading};
use crate::trace::{Affine, NONE};
use ivy_core::{ErrorKind, Result};
use smallvec::smallvec;
use std::sync::Arc;

impl Job {
    /// A job that does nothing but to write elements in order.
    pub(crate) fn copy(array: Elements) -> Job {
        let shape = array.shape().clone();
        let place = Affine { offset: 0, steps: array.strides().iter().copied().collect() };
        let dtype = array.dtype();
        let input =
            Input { node: NONE, dtype, source: Source::Array(array), place, reading: Reading::Walked };
        let (inputs, steps, space) = (vec![input], Vec::new(), shape.clone());
        let outputs = smallvec![Output { node: NONE, dtype, number: 0 }];
        let (checks, pads, iterations, uneven, columns) = (Vec::new(), smallvec![], None, false, 1);
        Job {
            inputs,
            steps,
            fold: None,
            space,
            shape,
            dtype,
            outputs,
            checks,
            pads,
            iterations,
            uneven,
            columns,
        }
    }

    /// The same job with its axes in another order; what is folded goes with them.
    pub(crate) fn permuted(&self, axes: &[usize]) -> Job {
        let mut job = self.unfolded();
        job.space = axes.iter().map(|&a| self.space[a]).collect::<Vec<_>>().into();
        job.shape = job.space.clone();
        for input in &mut job.inputs {
            let steps = std::mem::take(&mut input.place.steps);
            input.place.steps = axes.iter().map(|&a| steps.get(a).copied().unwrap_or(0)).collect();
        }
        job
    }

    /// The inputs as a device walks them in the iteration space, and the memory that they are in.
    ///
    /// # Errors
    /// No memory; an input that is not there, which is a fault of the trace.
    pub(crate) fn walks(&self, kept: &Kept) -> Result<(Vec<cuda::Input>, Vec<Arc<Memory>>)> {
        walks(self.inputs.iter(), self.space.len(), kept)
    }
}

impl Program {
    /// What the pieces read, each once, as a device walks it in the iteration space, the memory that it is
    /// in, and where each piece's inputs come from.
    ///
    /// # Errors
    /// As [`Job::walks`].
    pub(crate) fn walks(&self, kept: &Kept) -> Result<Walks> {
        let (known, from) = self.sources();
        let (inputs, blocks) = walks(known.into_iter(), self.space.len(), kept)?;
        Ok((inputs, blocks, from))
    }
}

/// Inputs as a device walks them, their memory, and where each piece's inputs come from.
type Walks = (Vec<cuda::Input>, Vec<Arc<Memory>>, Vec<Vec<From>>);

fn walks<'i>(
    inputs: impl Iterator<Item = &'i Input>,
    axes: usize,
    kept: &Kept,
) -> Result<(Vec<cuda::Input>, Vec<Arc<Memory>>)> {
    let (mut walks, mut blocks) = (Vec::new(), Vec::new());
    for input in inputs {
        let (reading, mut steps) = (input.reading, input.place.steps.clone());
        steps.resize(axes, 0);
        let (memory, first) = match &input.source {
            Source::Count => {
                walks.push(cuda::Input { address: input.place.offset as u64, reading, steps });
                continue;
            }
            Source::Literal(words) => (kept.literal(*words)?, 0),
            Source::Array(Elements::Device(array)) => (array.memory().clone(), array.offset()),
            Source::Array(Elements::Host(_)) | Source::Piece(_) => {
                return Err(ErrorKind::InvalidArgument {
                    function: "evaluate",
                    argument: "input",
                    value: format!("node {}", input.node),
                    rule: "an input of a device's kernel is in its memory",
                }
                .into());
            }
        };
        // Of nothing, no element is the first: what a flip begins with is before it.
        let offset = (first as i64).wrapping_add(input.place.offset as i64);
        let bytes = offset.wrapping_mul(input.dtype.bytes() as i64);
        let address = memory.address().wrapping_add_signed(bytes);
        walks.push(cuda::Input { address, reading, steps });
        blocks.push(memory);
    }
    Ok((walks, blocks))
}
