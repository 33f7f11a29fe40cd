//! Folding over an outer axis: whole rows at a time, in the order of [`super::tree`].

use super::{
    fold::Fold,
    tree::{BLOCK, LANES, STEPS},
};
use crate::{
    isa::{Kernel, dispatch, dispatch_rows},
    parallel::{self, PARALLEL, chunks},
    sequence::Sequences,
};
use ivy_core::host::scratch;
use std::mem::MaybeUninit;

/// Columns that are folded together: long enough runs for the memory's read-ahead, and few enough
/// that the partial rows stay in the nearer caches.
const TILE: usize = 4096;
/// Fewer than this are not worth a thread.
const NARROW: usize = 256;
/// Rows of a part of a long fold, a power of two of blocks.
const PART: usize = 1024;

/// True if rows are long enough to be worth it.
pub(super) fn pays<T: crate::small::Value>(x: &Sequences<T>) -> bool {
    x.len > 1 && x.row_len() >= 16
}

/// Writes `finish` of each folded column.
pub(super) fn fold_all<F: Fold, U: Send>(
    fold: F,
    x: &Sequences<F::In>,
    out: &mut [MaybeUninit<U>],
    finish: impl Fn(F::Acc) -> U + Copy + Sync,
) {
    let row = x.row_len();
    // The number of threads may choose the tiles: no column depends on another. Long folds fall
    // into parts anyway, and whole rows are read faster than halves.
    let threads = rayon::current_num_threads().div_ceil(x.len.div_ceil(PART));
    let tile = TILE.min(row.div_ceil(threads).max(NARROW));
    let tiles = row.div_ceil(tile);
    let columns = |i: usize| {
        let start = i / tiles * row + i % tiles * tile;
        start..(start + tile).min(i / tiles * row + row)
    };
    let count = x.count / row * tiles;
    let parts = if count >= 16 { 1 } else { x.len.div_ceil(PART) };
    let task = |i: usize| {
        let (columns, part) = (columns(i / parts), i % parts);
        let rows = if parts == 1 { 0..x.len } else { part * PART..((part + 1) * PART).min(x.len) };
        fold_tile(fold, x, columns, rows)
    };
    let mut folded: Vec<Vec<F::Acc>> = scratch::filled(Vec::new(), count * parts);
    chunks(parallel::pays(x.count * x.len, PARALLEL), &mut folded, 1, &|i, to| to[0] = task(i));
    for (i, parts) in folded.chunks_exact_mut(parts).enumerate() {
        let mut all = Runs::new();
        parts.iter_mut().for_each(|part| all.push(fold, std::mem::take(part)));
        for (out, acc) in out[columns(i)].iter_mut().zip(all.finish(fold)) {
            out.write(finish(acc));
        }
    }
}

/// As [`super::tree::Pairs`], of rows.
struct Runs<A> {
    runs: Vec<Vec<A>>,
    spare: Vec<Vec<A>>,
    count: usize,
}

impl<A: Copy> Runs<A> {
    fn new() -> Runs<A> {
        Runs { runs: Vec::new(), spare: Vec::new(), count: 0 }
    }

    fn push<F: Fold<Acc = A>>(&mut self, fold: F, part: Vec<A>) {
        let mut run = part;
        for _ in 0..self.count.trailing_ones() {
            let mut before = self.runs.pop().expect("a run for each bit of the count");
            join(fold, &mut before, &run);
            self.spare.push(run);
            run = before;
        }
        self.runs.push(run);
        self.count += 1;
    }

    fn finish<F: Fold<Acc = A>>(mut self, fold: F) -> Vec<A> {
        let mut all = self.runs.pop().expect("at least one part");
        while let Some(mut before) = self.runs.pop() {
            join(fold, &mut before, &all);
            all = before;
        }
        all
    }
}

/// Some rows of some columns.
fn fold_tile<F: Fold>(
    fold: F,
    x: &Sequences<F::In>,
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
) -> Vec<F::Acc> {
    let mut blocks = Runs::new();
    let mut spare: Vec<Vec<F::Acc>> = Vec::new();
    let mut halves: Vec<F::Acc> = Vec::new();
    for start in rows.clone().step_by(BLOCK) {
        let block = Block { fold, x, columns: columns.clone(), start, len: BLOCK.min(rows.end - start) };
        let mut to = blocks.spare.pop().unwrap_or_default();
        match block.len {
            BLOCK => block.whole(&mut to, &mut halves),
            _ => block.lanes(0, 1, &mut to, &mut spare),
        }
        blocks.push(fold, to);
    }
    blocks.finish(fold)
}

struct Block<'a, 'x, F: Fold> {
    fold: F,
    x: &'a Sequences<'x, F::In>,
    columns: std::ops::Range<usize>,
    start: usize,
    len: usize,
}

impl<F: Fold> Block<'_, '_, F> {
    /// The lanes `first`, `first + step`, ... together, into `to`.
    fn lanes(&self, first: usize, step: usize, to: &mut Vec<F::Acc>, spare: &mut Vec<Vec<F::Acc>>) {
        if step == LANES {
            return self.lane(first, to);
        }
        self.lanes(first, 2 * step, to, spare);
        if first + step < self.len {
            let mut other = spare.pop().unwrap_or_default();
            self.lanes(first + step, 2 * step, &mut other, spare);
            join(self.fold, to, &other);
            spare.push(other);
        }
    }

    fn row(&self, i: usize) -> &[F::In] {
        self.x.row(self.columns.clone(), self.start + i)
    }

    /// All lanes of a full block, in the order that [`Block::lanes`] has: those that differ by
    /// half of their number first. They follow each other, so that memory is read in long runs,
    /// and one is folded at a time: its rows fall into the same places of the caches, which have
    /// room for eight, but not for those of two lanes.
    fn whole(&self, to: &mut Vec<F::Acc>, halves: &mut Vec<F::Acc>) {
        let n = self.columns.len();
        // The values do not matter: all are overwritten.
        let any = self.fold.load(self.row(0)[0]);
        scratch::reserve(to, n.saturating_sub(to.len()));
        to.resize(n, any);
        scratch::reserve(halves, (HALF * n).saturating_sub(halves.len()));
        halves.resize(HALF * n, any);
        let (fold, rows) = (self.fold, |lane: usize| std::array::from_fn(|k| self.row(lane + k * LANES)));
        for (lane, to) in halves.chunks_exact_mut(n).enumerate() {
            dispatch_rows(WholeLane::<F, false> { fold, to, rows: rows(lane) });
        }
        for (lane, to) in halves.chunks_exact_mut(n).enumerate() {
            dispatch_rows(WholeLane::<F, true> { fold, to, rows: rows(lane + HALF) });
        }
        dispatch(JoinHalves { fold, to, halves });
    }

    fn lane(&self, lane: usize, to: &mut Vec<F::Acc>) {
        let row = |k: usize| self.row(lane + k * LANES);
        let count = (self.len - lane).div_ceil(LANES);
        to.clear();
        scratch::reserve(to, self.columns.len());
        to.extend(row(0).iter().map(|&x| self.fold.load(x)));
        for k in 1..count {
            dispatch(Append { fold: self.fold, to, from: row(k) });
        }
    }
}

/// A lane of a full block; together with what stands in `to`, if `MORE`.
struct WholeLane<'a, F: Fold, const MORE: bool> {
    fold: F,
    to: &'a mut [F::Acc],
    rows: [&'a [F::In]; STEPS],
}

impl<F: Fold, const MORE: bool> Kernel for WholeLane<'_, F, MORE> {
    const WIDE: bool = F::WIDE;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        whole_lane::<F, MORE>(self.fold, self.to, &self.rows);
    }
}

/// A function of its own, so that the compiler knows `to` to be apart from the rows; written out,
/// since a loop over the rows would stand in the way of vectors.
#[inline(always)]
fn whole_lane<F: Fold, const MORE: bool>(fold: F, to: &mut [F::Acc], rows: &[&[F::In]; STEPS]) {
    let n = to.len();
    let [a, b, c, d, e, f, g, h] = rows.map(|row| &row[..n]);
    for i in 0..n {
        let mut lane = fold.load(a[i]);
        for x in [b[i], c[i], d[i], e[i], f[i], g[i], h[i]] {
            lane = fold.join(lane, fold.load(x));
        }
        to[i] = if MORE { fold.join(to[i], lane) } else { lane };
    }
}

/// Half of the lanes.
const HALF: usize = LANES / 2;

/// The lanes of a full block, the second half of them being joined to the first, together.
struct JoinHalves<'a, F: Fold> {
    fold: F,
    to: &'a mut [F::Acc],
    halves: &'a [F::Acc],
}

impl<F: Fold> Kernel for JoinHalves<'_, F> {
    const WIDE: bool = F::WIDE;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        join_halves(self.fold, self.to, self.halves);
    }
}

/// A function of its own, and written out, for the reasons that [`whole_lane`] has.
#[inline(always)]
fn join_halves<F: Fold>(fold: F, to: &mut [F::Acc], halves: &[F::Acc]) {
    let n = to.len();
    let lanes: [&[F::Acc]; HALF] = std::array::from_fn(|lane| &halves[lane * n..][..n]);
    let [a, b, c, d, e, f, g, h, a8, b8, c8, d8, e8, f8, g8, h8] = lanes;
    let join = |x, y| fold.join(x, y);
    for i in 0..n {
        let first = join(join(a[i], a8[i]), join(e[i], e8[i]));
        let second = join(join(b[i], b8[i]), join(f[i], f8[i]));
        let third = join(join(c[i], c8[i]), join(g[i], g8[i]));
        let fourth = join(join(d[i], d8[i]), join(h[i], h8[i]));
        to[i] = join(join(first, third), join(second, fourth));
    }
}

/// One more row of a lane.
struct Append<'a, 'x, F: Fold> {
    fold: F,
    to: &'a mut [F::Acc],
    from: &'x [F::In],
}

impl<F: Fold> Kernel for Append<'_, '_, F> {
    const WIDE: bool = F::WIDE;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (to, &x) in self.to.iter_mut().zip(self.from) {
            *to = self.fold.join(*to, self.fold.load(x));
        }
    }
}

/// Two folded rows into one.
fn join<F: Fold>(fold: F, to: &mut [F::Acc], from: &[F::Acc]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = fold.join(*to, from);
    }
}
