//! What a job reads at computed distances.
//!
//! # Invariants
//!
//! - [`Do::Gather`] stands in jobs only as [`super::gather`] writes it: its distance is a sum of
//!   indices that were checked against axes of the array, times their strides, and the input's walk
//!   leads to places along the other axes.
//! - [`Do::Read`] stands in jobs only as [`super::pad`] and [`super::join`] write it: where its second operand is true, the
//!   input's walk leads to an element of the array.

use super::{Check, Do, Input, Job, Source};
use crate::runtime::cpu::{Space, View};
use crate::runtime::{Elements, Reading};
use crate::trace::{Affine, NONE};
use ivy_core::host::{HostArray, for_each_offset};
use ivy_core::{Dtype, ErrorKind, Result, Shape};

impl Input {
    /// What is walked of it in a space of this shape; `None` if it has not got the elements.
    pub(super) fn walked<'a>(&'a self, shape: &'a Shape) -> Option<View<'a>> {
        match (&self.source, self.reading) {
            (Source::Count, _) => Some(View::counting(self.place.offset, shape, &self.place.steps)),
            (Source::Array(Elements::Host(array)), Reading::Guarded) => {
                let (bytes, first) = (array.buffer().bytes(), array.offset() as isize);
                let (first, steps) = (first.checked_add(self.place.offset)?, &self.place.steps);
                // SAFETY: the invariant: what a kernel asks for of it are elements of the array.
                Some(unsafe { View::guarded(bytes, self.dtype, shape, steps, first) })
            }
            (Source::Array(Elements::Host(array)), Reading::Rows(columns)) => {
                let (bytes, walk) = (array.buffer().bytes(), (&shape[..], &self.place.steps[..]));
                let first = match shape.size() {
                    0 => array.offset(),
                    _ => array.offset().checked_add_signed(self.place.offset)?,
                };
                View::of_rows(bytes, self.dtype, columns, walk, first)
            }
            _ => self.view(shape).map(View::from),
        }
    }
}

impl Job {
    /// The inputs, walked in the iteration space.
    ///
    /// # Errors
    /// As [`Job::views`].
    pub(crate) fn walks_here(&self) -> Result<Vec<View<'_>>> {
        self.inputs.iter().map(|i| i.walked(&self.space).ok_or_else(|| self.lacks(i))).collect()
    }

    /// True if it reads elements at computed places.
    pub(crate) fn gathers(&self) -> bool {
        self.inputs.iter().any(|i| i.reading == Reading::Gathered)
    }

    /// True if an input is read so.
    pub(crate) fn is_gathered(&self, input: usize) -> bool {
        self.inputs.get(input).is_some_and(|i| i.reading == Reading::Gathered)
    }

    /// The indices that it checks.
    pub(crate) fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Says which inputs of a space are read at computed distances.
    pub(crate) fn reach(&self, space: &mut Space<'_>) {
        for (i, _) in self.inputs.iter().enumerate().filter(|(_, input)| input.reading == Reading::Gathered) {
            // SAFETY: the invariant: both together lead to an element of the array.
            unsafe { space.gather(i) };
        }
    }

    /// The same job, in which what is gathered from is not walked: how far the walk leads is a further
    /// distance, an array that is read in order. What is counted is such an array, too.
    ///
    /// # Errors
    /// No memory.
    pub(crate) fn unwalked(&self) -> Result<Job> {
        let bytes = self.space.size() as u128 * size_of::<i64>() as u128;
        let none = || ErrorKind::no_memory("gather", bytes);
        let mut job = self.unfolded();
        (job.fold, job.shape) = (self.fold, self.shape.clone());
        for i in 0..self.inputs.len() {
            let Input { source, reading, place, .. } = &self.inputs[i];
            let counted = matches!(source, Source::Count);
            if !counted && (*reading != Reading::Gathered || place.steps.iter().all(|&s| s == 0)) {
                continue;
            }
            let mut distances = Vec::new();
            distances.try_reserve_exact(self.space.size()).map_err(|_| none())?;
            let first = if counted { place.offset as i64 } else { 0 };
            for_each_offset(&self.space, &place.steps, |offset| distances.push(first + offset as i64));
            let array = HostArray::from_vec(distances, self.space.clone()).ok_or_else(none)?;
            let place = Affine { offset: 0, steps: array.strides().iter().copied().collect() };
            let source = Source::Array(Elements::Host(array));
            let input = Input { node: NONE, dtype: Dtype::INT64, source, place, reading: Reading::Walked };
            if counted {
                job.inputs[i] = input;
                continue;
            }
            job.inputs[i].place.steps.fill(0);
            let number = job.inputs.len() as u32;
            job.inputs.push(input);
            let reads = |s: &&mut super::Step| s.what == Do::Gather && s.operands[0] == i as u32;
            job.steps.iter_mut().filter(reads).for_each(|s| s.operands[2] = number);
        }
        Ok(job)
    }
}
