//! Folding every sequence of a view into one element of the result.

use super::{
    fold::Fold,
    rows,
    tree::{Pairs, fold_slice},
};
use crate::{
    isa::{Kernel, dispatch},
    lines::PARALLEL,
    sequence::Sequences,
};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// A long sequence is folded in parts of this length, a power of two of blocks.
const PART: usize = 1 << 15;

/// Writes `finish` of each folded sequence; the sequences are not empty.
pub(super) fn fold_all<F: Fold, U: Send>(
    fold: F,
    x: &Sequences<F::In>,
    out: &mut [MaybeUninit<U>],
    finish: impl Fn(F::Acc) -> U + Copy + Sync,
) {
    if rows::pays(x) {
        return rows::fold_all(fold, x, out, finish);
    }
    let parts = x.len.div_ceil(PART);
    let parallel = x.count * x.len >= PARALLEL;
    if parts == 1 {
        let some = |first: usize, out: &mut [MaybeUninit<U>]| dispatch(Whole { fold, x, first, out, finish });
        let per_task = (PART / x.len).max(1);
        if !parallel || x.count <= per_task {
            return some(0, out);
        }
        let tasks = out.par_chunks_mut(per_task).enumerate();
        return tasks.for_each(|(i, out)| some(i * per_task, out));
    }
    let part = |i: usize| {
        let (sequence, start) = (i / parts, i % parts * PART);
        dispatch(Part { fold, x, sequence, start, len: PART.min(x.len - start) })
    };
    let folded: Vec<F::Acc> = (0..x.count * parts).into_par_iter().map(part).collect();
    for (parts, out) in folded.chunks_exact(parts).zip(out) {
        out.write(finish(fold_parts(fold, parts)));
    }
}

/// Parts that were folded apart, together.
pub(super) fn fold_parts<F: Fold>(fold: F, parts: &[F::Acc]) -> F::Acc {
    let mut pairs = Pairs::new();
    for &part in parts {
        pairs.push(|a, b| fold.join(a, b), part);
    }
    pairs.finish(|a, b| fold.join(a, b))
}

/// Sequences of at most one part each, from `first` on.
struct Whole<'a, 'x, F: Fold, U, G> {
    fold: F,
    x: &'a Sequences<'x, F::In>,
    first: usize,
    out: &'a mut [MaybeUninit<U>],
    finish: G,
}

impl<F: Fold, U, G: Fn(F::Acc) -> U> Kernel for Whole<'_, '_, F, U, G> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let mut buffer = Vec::new();
        for (i, out) in self.out.iter_mut().enumerate() {
            let x = self.x.part(self.first + i, 0..self.x.len, &mut buffer);
            out.write((self.finish)(fold_slice(self.fold, x)));
        }
    }
}

/// A part of one sequence.
struct Part<'a, 'x, F: Fold> {
    fold: F,
    x: &'a Sequences<'x, F::In>,
    sequence: usize,
    start: usize,
    len: usize,
}

impl<F: Fold> Kernel for Part<'_, '_, F> {
    type Output = F::Acc;
    #[inline(always)]
    fn run(self) -> F::Acc {
        let range = self.start..self.start + self.len;
        fold_slice(self.fold, self.x.part(self.sequence, range, &mut Vec::new()))
    }
}

/// The fold of one sequence, which is not empty.
pub(super) fn fold_one<F: Fold>(fold: F, x: &Sequences<F::In>, sequence: usize) -> F::Acc {
    let parts = (0..x.len).step_by(PART).map(|start| {
        let len = PART.min(x.len - start);
        dispatch(Part { fold, x, sequence, start, len })
    });
    fold_parts(fold, &parts.collect::<Vec<_>>())
}
