//! Random words by blocks: a row of a job is divided into the words of each block, which are columns, so that the block
//! is computed once.

use super::{Do, Input, Job, STEP, Source, Step};
use crate::trace::{Affine, Kind};
use ivy_core::Dtype;

/// How many elements of a draw a block has.
fn of_block(dtype: Dtype) -> isize {
    if dtype == Dtype::UINT64 { 2 } else { 4 }
}

/// True for a step that gives the element of a draw of a number.
fn draws(step: &Step) -> bool {
    step.what == Do::Apply(Kind::Random(None))
}

impl Job {
    /// The same job over a space whose last axis is along the elements of a block; `None` for one that draws nothing, or
    /// whose rows are no whole blocks.
    pub(crate) fn in_blocks(&self) -> Option<Job> {
        let each = self.steps.iter().filter(|step| draws(step)).map(|step| of_block(step.dtype)).max()?;
        if self.fold.is_some() || !self.is_plain() {
            return None;
        }
        let mut from = self.space.len().checked_sub(1)?;
        let mut row = self.space[from];
        let step = |input: &Input, axis: usize| input.place.steps.get(axis).copied().unwrap_or(0);
        while !row.is_multiple_of(each as usize) {
            let next = from.checked_sub(1)?;
            let goes_on =
                |i: &Input| step(i, next) == step(i, self.space.len() - 1).wrapping_mul(row as isize);
            if !self.inputs.iter().all(goes_on) {
                return None;
            }
            (from, row) = (next, row * self.space[next]);
        }
        let mut job = self.clone();
        job.space = self.space[..from].iter().copied().chain([row / each as usize, each as usize]).collect();
        for (input, own) in job.inputs.iter_mut().zip(&self.inputs) {
            let last = step(own, self.space.len() - 1);
            let outer = (0..from).map(|axis| step(own, axis));
            input.place.steps = outer.chain([last.wrapping_mul(each), last]).collect();
        }
        Some(job)
    }

    /// It with words by their places in blocks, where these are known: the numbers of elements are then those of blocks,
    /// and words of one block have it in common.
    pub(crate) fn with_places(mut self) -> Job {
        for i in 0..self.steps.len() {
            let (step, each) = (self.steps[i], of_block(self.steps[i].dtype));
            let number = step.operands[0];
            let Some(input) = self.inputs.get(number as usize).filter(|_| draws(&step) && number & STEP == 0)
            else {
                continue;
            };
            let Affine { offset, steps } = &input.place;
            if !matches!(input.source, Source::Count) || steps.iter().any(|step| step % each != 0) {
                continue;
            }
            let place = Affine {
                offset: offset.div_euclid(each),
                steps: steps.iter().map(|step| step / each).collect(),
            };
            let which = offset.rem_euclid(each) as u8;
            let block = Input { place, ..input.clone() };
            let known = self.inputs.iter().position(|input| input.is(&block));
            let number = known.unwrap_or_else(|| {
                self.inputs.push(block);
                self.inputs.len() - 1
            });
            let step = &mut self.steps[i];
            (step.what, step.operands[0]) = (Do::Apply(Kind::Random(Some(which))), number as u32);
        }
        self
    }
}
