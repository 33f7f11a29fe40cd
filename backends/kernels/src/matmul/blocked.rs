//! The product of two large matrices of integers, in blocks that stay in the caches.

use super::{
    DEPTH,
    entry::{Entry, Field},
    matrix::Matrix,
    pack::{pack_columns, pack_strip},
};
use crate::{
    isa::{Isa, Kernel, best, run_on},
    parallel::{chunks, pays},
};
use ivy_core::host::scratch;
use std::{mem::MaybeUninit, ops::Range};

/// Rows of the left operand that are packed at once.
const ROWS: usize = 96;
/// Columns of the right operand that are packed at once.
const COLUMNS: usize = 2048;
/// From so many multiplications on a second thread is worth waking.
pub(super) const WORTH: usize = 1 << 20;

/// Integers with a tile for each instruction set.
pub(super) trait Tiled: Field {
    /// The tile for so many rows of a result.
    fn tile(rows: usize) -> Tile<Self>;
}

/// Tiles of rows and columns for each instruction set.
macro_rules! tiled {
    ($($t:ty: [$m:literal, $n:literal], [$m2:literal, $n2:literal], [$m3:literal, $n3:literal];)*) => {$(
        impl Tiled for $t {
            fn tile(rows: usize) -> Tile<$t> {
                match best() {
                    _ if rows == 1 => Tile::of::<1, $n2, 0>(),
                    Isa::Baseline => Tile::of::<$m, $n, 0>(),
                    Isa::Avx2 => Tile::of::<$m2, $n2, 1>(),
                    Isa::Avx512 => Tile::of::<$m3, $n3, 2>(),
                }
            }
        }
    )*};
}
tiled! {
    u32: [4, 8], [4, 16], [8, 32];
    u64: [4, 4], [4, 8], [4, 32];
}

/// The sizes of a tile, and the loop over a panel that is compiled for it.
pub(super) struct Tile<A> {
    rows: usize,
    columns: usize,
    panel: fn(Panel<A>),
}

impl<A: Field> Tile<A> {
    fn of<const M: usize, const N: usize, const ISA: u8>() -> Tile<A> {
        Tile { rows: M, columns: N, panel: |panel| run_on::<_, ISA>(InTiles::<A, M, N>(panel)) }
    }
}

/// The product of `a` and `b` into `c`, row-major.
pub(super) fn multiply<E: Entry>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<E::Acc>])
where
    E::Acc: Tiled,
{
    // With one column, the transposed product has one row, whose elements are side by side.
    let (a, b) = if b.columns == 1 { (b.transposed(), a.transposed()) } else { (a, b) };
    let (k, n, tile) = (a.columns, b.columns, E::Acc::tile(a.rows));
    let parallel = pays(c.len().saturating_mul(k), WORTH);
    for left in (0..n).step_by(COLUMNS) {
        let right = (left + COLUMNS).min(n);
        for start in (0..k).step_by(DEPTH) {
            let depth = start..(start + DEPTH).min(k);
            let packed = pack_columns(b, left..right, depth.clone(), tile.columns, parallel);
            chunks(parallel, c, ROWS * n, &|i, c| {
                let rows = i * ROWS..(i * ROWS + ROWS).min(a.rows);
                let height = rows.len();
                let (a, first) = (pack_rows(a, rows, depth.clone(), tile.rows), start == 0);
                let b = packed.elements();
                (tile.panel)(Panel { a, b, depth: depth.len(), height, c, n, left, right, first });
            });
        }
    }
}

/// Strips of `strip` rows, each with its columns one after the other; zero beyond the last row.
fn pack_rows<E: Entry>(a: Matrix<E>, rows: Range<usize>, depth: Range<usize>, strip: usize) -> Vec<E::Acc> {
    let size = strip * depth.len();
    let mut packed = scratch::filled(E::Acc::default(), rows.len().div_ceil(strip) * size);
    for (to, i) in packed.chunks_exact_mut(size).zip(rows.clone().step_by(strip)) {
        pack_strip(a.transposed(), depth.clone(), i..(i + strip).min(rows.end), strip, to, E::load);
    }
    packed
}

/// Some rows of the result, and the packed operands that they come from.
struct Panel<'a, A> {
    a: Vec<A>,
    b: &'a [A],
    depth: usize,
    height: usize,
    c: &'a mut [MaybeUninit<A>],
    n: usize,
    left: usize,
    right: usize,
    /// True for the first block along `k`, which finds nothing in `c`.
    first: bool,
}

/// A panel in tiles of `M` by `N`.
struct InTiles<'a, A, const M: usize, const N: usize>(Panel<'a, A>);

impl<A: Field, const M: usize, const N: usize> Kernel for InTiles<'_, A, M, N> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Panel { a, b, depth, height, c, n, left, right, first } = self.0;
        for (b, j) in b.chunks_exact(N * depth).zip((left..right).step_by(N)) {
            let width = N.min(right - j);
            for (a, i) in a.chunks_exact(M * depth).zip((0..height).step_by(M)) {
                let tile = tile::<A, M, N>(a, b);
                for (r, tile) in tile.iter().enumerate().take(M.min(height - i)) {
                    let c = &mut c[(i + r) * n + j..][..width];
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
                acc[i][j] = acc[i][j].fused(a[i], b[j]);
            }
        }
    }
    acc
}
