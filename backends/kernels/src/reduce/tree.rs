//! The order in which a sequence is folded, which depends on its length alone.
//!
//! Blocks of [`BLOCK`] elements fall into [`LANES`] lanes: element `i` of a block belongs to
//! lane `i % LANES`. A lane is folded front to back, then the lanes are folded in halves (lane
//! `j` with `j + 16`, then with `j + 8`, ...), then the blocks in pairs, pairs of pairs and so
//! on. Lanes and blocks that a short sequence lacks are left out. A sum of `n` elements is so
//! at most `log2(n) + 7` additions deep.

use super::fold::Fold;
use smallvec::SmallVec;

/// How many elements are folded side by side.
pub(crate) const LANES: usize = 32;
/// How many elements each lane of a block has.
pub(crate) const STEPS: usize = 8;
/// Elements of a block.
pub(crate) const BLOCK: usize = LANES * STEPS;

/// One block, or the shorter end of a sequence; not empty.
#[inline(always)]
pub(crate) fn block<F: Fold>(fold: F, x: &[F::In]) -> F::Acc {
    if let Ok(x) = <&[F::In; BLOCK]>::try_from(x) {
        let mut lanes: [F::Acc; LANES] = std::array::from_fn(|j| fold.load(x[j]));
        for k in 1..STEPS {
            for j in 0..LANES {
                lanes[j] = fold.join(lanes[j], fold.load(x[k * LANES + j]));
            }
        }
        let mut half = LANES / 2;
        while half > 0 {
            for j in 0..half {
                lanes[j] = fold.join(lanes[j], lanes[j + half]);
            }
            half /= 2;
        }
        return lanes[0];
    }
    short_block(fold, x)
}

#[inline(always)]
fn short_block<F: Fold>(fold: F, x: &[F::In]) -> F::Acc {
    let present = x.len().min(LANES);
    let mut lanes = [fold.load(x[0]); LANES];
    for (lane, &x) in lanes.iter_mut().zip(x).skip(1) {
        *lane = fold.load(x);
    }
    for row in x[present..].chunks(LANES) {
        for (lane, &x) in lanes.iter_mut().zip(row) {
            *lane = fold.join(*lane, fold.load(x));
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for j in 0..half.min(present.saturating_sub(half)) {
            lanes[j] = fold.join(lanes[j], lanes[j + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Folds equal parts in pairs as they come. Parts may be single blocks, or runs of the same
/// power of two of them (the last may be shorter): the result is the same.
pub(crate) struct Pairs<A> {
    /// Folded runs of 2^k parts, the sizes falling.
    runs: SmallVec<[A; 8]>,
    count: usize,
}

impl<A: Copy> Pairs<A> {
    #[inline(always)]
    pub fn new() -> Pairs<A> {
        Pairs { runs: SmallVec::new(), count: 0 }
    }

    /// Takes the next part.
    #[inline(always)]
    pub fn push(&mut self, join: impl Fn(A, A) -> A, part: A) {
        let mut run = part;
        for _ in 0..self.count.trailing_ones() {
            let before = self.runs.pop().expect("a run for each bit of the count");
            run = join(before, run);
        }
        self.runs.push(run);
        self.count += 1;
    }

    /// All parts together; there was at least one.
    #[inline(always)]
    pub fn finish(mut self, join: impl Fn(A, A) -> A) -> A {
        let mut all = self.runs.pop().expect("at least one part");
        while let Some(before) = self.runs.pop() {
            all = join(before, all);
        }
        all
    }
}

/// A contiguous sequence, not empty.
#[inline(always)]
pub(crate) fn fold_slice<F: Fold>(fold: F, x: &[F::In]) -> F::Acc {
    if x.len() <= BLOCK {
        return block(fold, x);
    }
    let mut pairs = Pairs::new();
    for part in x.chunks(BLOCK) {
        pairs.push(|a, b| fold.join(a, b), block(fold, part));
    }
    pairs.finish(|a, b| fold.join(a, b))
}
