//! Folding every sequence of a view into one element of the result.

use super::{
    fold::Fold,
    rows,
    tree::{Pairs, fold_slice},
};
use crate::{
    isa::{Kernel, dispatch},
    parallel::{PARALLEL, chunks, map, pays},
    sequence::Sequences,
};
use ivy_core::host::scratch;
use std::{mem::MaybeUninit, ops::Range};

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
    let parallel = pays(x.count * x.len, PARALLEL);
    if parts > 1 {
        let folded = map(parallel, x.count * parts, &|i| {
            let (sequence, start) = (i / parts, i % parts * PART);
            part(fold, x, sequence, start..(start + PART).min(x.len))
        });
        for (parts, out) in folded.chunks_exact(parts).zip(out) {
            out.write(finish(fold_parts(fold, parts)));
        }
        return;
    }
    let per_task = (PART / x.len).max(1);
    chunks(parallel, out, per_task, &|i, out| {
        let (first, count) = (i * per_task, out.len());
        let mut to = |i: usize, acc| _ = out[i].write(finish(acc));
        dispatch(Ranges { fold, x, first, count, range: 0..x.len, to: &mut to });
    });
}

/// A part of one sequence.
fn part<F: Fold>(fold: F, x: &Sequences<F::In>, sequence: usize, range: Range<usize>) -> F::Acc {
    let mut folded = None;
    let mut to = |_, acc| folded = Some(acc);
    dispatch(Ranges { fold, x, first: sequence, count: 1, range, to: &mut to });
    folded.expect("one sequence")
}

/// Parts that were folded apart, together.
pub(super) fn fold_parts<F: Fold>(fold: F, parts: &[F::Acc]) -> F::Acc {
    let mut pairs = Pairs::new();
    for &part in parts {
        pairs.push(|a, b| fold.join(a, b), part);
    }
    pairs.finish(|a, b| fold.join(a, b))
}

/// A range of each of some sequences.
struct Ranges<'a, 'x, F: Fold> {
    fold: F,
    x: &'a Sequences<'x, F::In>,
    first: usize,
    count: usize,
    range: Range<usize>,
    /// Takes the number, from 0, and the fold of each.
    to: &'a mut dyn FnMut(usize, F::Acc),
}

impl<F: Fold> Kernel for Ranges<'_, '_, F> {
    const WIDE: bool = F::WIDE;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let mut buffer = Vec::new();
        for i in 0..self.count {
            let x = self.x.part(self.first + i, self.range.clone(), &mut buffer);
            (self.to)(i, fold_slice(self.fold, x));
        }
    }
}

/// The fold of one sequence, which is not empty.
pub(super) fn fold_one<F: Fold>(fold: F, x: &Sequences<F::In>, sequence: usize) -> F::Acc {
    let parts = (0..x.len).step_by(PART);
    let parts = parts.map(|start| part(fold, x, sequence, start..(start + PART).min(x.len)));
    fold_parts(fold, &scratch::collected(parts))
}
