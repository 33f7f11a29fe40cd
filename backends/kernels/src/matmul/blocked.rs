//! The product of two large matrices, in blocks that stay in the caches.
//!
//! Every element of the result is accumulated over `k` upwards within blocks of [`DEPTH`], each
//! begun from zero, and the blocks are added in order. Nothing else decides its bits: not the
//! tile, the threads or the instruction set.

use super::{
    entry::{Entry, Field},
    matrix::Matrix,
};
use crate::isa::{Isa, Kernel, best, dispatch};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Length of a block along `k`.
pub(super) const DEPTH: usize = 256;
/// Rows of the left operand that are packed at once.
const ROWS: usize = 96;
/// Columns of the right operand that are packed at once.
const COLUMNS: usize = 2048;

/// Accumulators with a tile for each instruction set.
pub(super) trait Tiled: Field {
    /// The product of `a` and `b` into `c`, row-major.
    fn multiply<E: Entry<Acc = Self>>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<Self>]);
}

macro_rules! tiled {
    ($($t:ty: $baseline:literal, $avx2:literal, $avx512:literal;)*) => {$(
        impl Tiled for $t {
            fn multiply<E: Entry<Acc = $t>>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<$t>]) {
                match best() {
                    _ if a.rows == 1 => multiply::<E, 1, $avx512>(a, b, c),
                    Isa::Baseline => multiply::<E, 4, $baseline>(a, b, c),
                    Isa::Avx2 => multiply::<E, 4, $avx2>(a, b, c),
                    Isa::Avx512 => multiply::<E, 8, $avx512>(a, b, c),
                }
            }
        }
    )*};
}
tiled! {
    f32: 8, 16, 32;
    u32: 8, 16, 32;
    f64: 4, 8, 16;
    u64: 4, 8, 16;
    num_complex::Complex32: 4, 8, 16;
    num_complex::Complex64: 2, 4, 8;
}

/// The product of `a` and `b` into `c`, row-major, in tiles of `M` by `N`.
fn multiply<E: Entry, const M: usize, const N: usize>(
    a: Matrix<E>,
    b: Matrix<E>,
    c: &mut [MaybeUninit<E::Acc>],
) {
    let (k, n) = (a.columns, b.columns);
    let mut packed = Vec::new();
    for left in (0..n).step_by(COLUMNS) {
        let right = (left + COLUMNS).min(n);
        for start in (0..k).step_by(DEPTH) {
            let end = (start + DEPTH).min(k);
            pack_columns::<E, N>(b, left..right, start..end, &mut packed);
            let packed = &packed;
            c.par_chunks_mut(ROWS * n).enumerate().for_each(|(i, c)| {
                let rows = i * ROWS..(i * ROWS + ROWS).min(a.rows);
                dispatch(Panel::<E, M, N> { a, rows, depth: start..end, packed, c, n, left, right });
            });
        }
    }
}

/// Strips of `N` columns, each with its rows one after the other; zero beyond the last column.
fn pack_columns<E: Entry, const N: usize>(
    b: Matrix<E>,
    columns: std::ops::Range<usize>,
    depth: std::ops::Range<usize>,
    to: &mut Vec<E::Acc>,
) {
    let size = depth.len() * N;
    to.resize(columns.len().div_ceil(N) * size, E::Acc::default());
    let strips = to.par_chunks_mut(size).enumerate();
    strips.for_each(|(i, strip)| {
        let start = columns.start + i * N;
        let end = (start + N).min(columns.end);
        strip.fill(E::Acc::default());
        if b.row_major() {
            for (k, to) in depth.clone().zip(strip.chunks_exact_mut(N)) {
                b.row(k, start, end, |j, x| to[j] = x.load());
            }
        } else {
            let b = b.transposed();
            for j in start..end {
                b.row(j, depth.start, depth.end, |k, x| strip[k * N + j - start] = x.load());
            }
        }
    });
}

/// Some rows of the result.
struct Panel<'a, 'm, E: Entry, const M: usize, const N: usize> {
    a: Matrix<'m, E>,
    rows: std::ops::Range<usize>,
    depth: std::ops::Range<usize>,
    packed: &'a [E::Acc],
    c: &'a mut [MaybeUninit<E::Acc>],
    n: usize,
    left: usize,
    right: usize,
}

impl<E: Entry, const M: usize, const N: usize> Kernel for Panel<'_, '_, E, M, N> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let depth = self.depth.len();
        let mut packed = vec![E::Acc::default(); self.rows.len().div_ceil(M) * M * depth];
        for (strip, i) in packed.chunks_exact_mut(M * depth).zip(self.rows.clone().step_by(M)) {
            for r in i..(i + M).min(self.rows.end) {
                self.a.row(r, self.depth.start, self.depth.end, |k, x| strip[k * M + r - i] = x.load());
            }
        }
        let first = self.depth.start == 0;
        for (b, j) in self.packed.chunks_exact(N * depth).zip((self.left..self.right).step_by(N)) {
            let width = N.min(self.right - j);
            for (a, i) in packed.chunks_exact(M * depth).zip((0..self.rows.len()).step_by(M)) {
                let tile = tile::<E::Acc, M, N>(a, b);
                let height = M.min(self.rows.len() - i);
                for (r, tile) in tile.iter().enumerate().take(height) {
                    let c = &mut self.c[(i + r) * self.n + j..][..width];
                    for (c, &t) in c.iter_mut().zip(tile) {
                        // SAFETY: the first block along `k` has written the element.
                        c.write(if first { t } else { unsafe { c.assume_init() }.plus(t) });
                    }
                }
            }
        }
    }
}

/// The product of a strip of `M` rows and a strip of `N` columns.
#[inline(always)]
fn tile<A: Field, const M: usize, const N: usize>(a: &[A], b: &[A]) -> [[A; N]; M] {
    let mut acc = [[A::default(); N]; M];
    for (a, b) in a.chunks_exact(M).zip(b.chunks_exact(N)) {
        for i in 0..M {
            for j in 0..N {
                acc[i][j] = acc[i][j].add_product(a[i], b[j]);
            }
        }
    }
    acc
}
