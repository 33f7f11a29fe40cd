//! The product of two large matrices of real floats, with fused multiply-add.
//!
//! Each element is summed over `k` upwards within blocks of [`DEPTH`], each begun from
//! zero, and the blocks are added in order. A fused multiply-add is the same number on every
//! processor, so that neither the tile, the threads nor the instruction set decides the bits.
//!
//! # Invariants
//!
//! - A tile reads `rows` packed rows of the left operand ([`Order`]) and a packed strip of the right one,
//!   both `depth` long and zero beyond the matrices, and writes `rows` by `columns` elements of the
//!   result.
//! - Instructions are those that [`best`] has found.

use super::{
    DEPTH,
    entry::{Entry, Field},
    matrix::Matrix,
    pack::{Packed, filled, pack_columns, pack_strip},
};
use crate::{
    isa::{Isa, LINE, best},
    parallel::chunks,
};
use ivy_core::host::{UniqueBuffer, scratch};
use std::{mem::MaybeUninit, ops::Range};

/// From so many multiplications on a second thread is worth waking.
pub(super) const WORTH: usize = 1 << 22;
/// Elements from one packed row of the left operand to the next: rows at a distance of a power of
/// two would share few lines of the cache.
const STRIDE: usize = DEPTH + 16;
/// Most rows of the left operand that are packed at once: with their columns they stay in the
/// nearer caches.
const HEIGHT: usize = 192;
/// Columns of the right operand that are packed at once.
const WIDTH: usize = 1024;
/// Blocks along `k` of the right operand that are packed at once for several threads.
const TOGETHER: usize = 8;
/// Elements of a row that stand side by side in [`Order::Pieces`].
const PIECE: usize = 4;
/// Least length of rows that are packed in pieces.
const DEEP: usize = 8 * PIECE;
/// No result has so many columns.
const NEVER: usize = usize::MAX;
/// Elements of the largest tile.
const LARGEST: usize = 12 * 32;

/// How rows of the left operand are packed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// For each tile, its columns one after the other.
    Columns,
    /// For each tile, [`PIECE`] columns after [`PIECE`] others, of which each row's elements are side by side:
    /// the tile reads upwards, and a row-major matrix is copied by pieces.
    Pieces,
    /// One after the other, [`STRIDE`] apart, as a row-major matrix has them.
    Rows,
}

impl Order {
    /// Elements from one packed row to the next, of blocks of rows that are as many as a tile's.
    fn step(self, depth: usize) -> usize {
        match self {
            Order::Columns => depth,
            Order::Pieces => depth.next_multiple_of(PIECE),
            Order::Rows => STRIDE,
        }
    }
}

/// Packed operands of a tile, and where in the result it goes.
struct Strip<T> {
    a: *const T,
    b: *const T,
    depth: usize,
    c: *mut T,
    /// Elements from a row of the result to the next.
    n: usize,
    /// True for the first block along `k`, which finds nothing in `c`.
    first: bool,
}

/// The size of a tile, and the code for it.
pub(crate) struct Tile<T> {
    pub(super) rows: usize,
    columns: usize,
    /// For left operands that are packed in each order.
    code: [unsafe fn(Strip<T>); 3],
    /// From so many columns of the result on, reading packed rows by pieces gains more than packing them so costs.
    pieces: usize,
}

/// True if so many rows are so much fewer in tiles of 8 rows than in those of 12 that it pays for the loads, of which a
/// smaller tile has more.
fn eight(rows: usize) -> bool {
    20 * rows.next_multiple_of(8) <= 19 * rows.next_multiple_of(12)
}

/// Floats with tiles.
pub(crate) trait Fuses: Field {
    /// The tile for results of so many rows and columns.
    fn tile(rows: usize, columns: usize) -> Tile<Self>;
}

// Orders as parameters.
const COLUMNS: u8 = Order::Columns as u8;
const PIECES: u8 = Order::Pieces as u8;
const ROWS: u8 = Order::Rows as u8;

/// The place among `M` packed rows of row `i`'s element `k + s`, where `k` begins a piece.
#[inline(always)]
const fn place<const M: usize, const ORDER: u8>(i: usize, k: usize, s: usize) -> usize {
    match ORDER {
        COLUMNS => (k + s) * M + i,
        PIECES => k * M + i * PIECE + s,
        _ => i * STRIDE + k + s,
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! tiles {
    ($name:ident $features:literal $t:ty, $lanes:literal $steps:tt $zero:ident $load:ident $store:ident $all:ident $fma:ident $add:ident) => {
        /// # Safety
        /// The module's invariants.
        #[target_feature(enable = $features)]
        unsafe fn $name<const M: usize, const V: usize, const ORDER: u8>(strip: Strip<$t>) {
            use std::arch::x86_64::*;
            let Strip { a, b, depth, c, n, first } = strip;
            // The result's rows are far from each other, often at a power of two: they are on their way while
            // the tile is computed, not when it is done. Those of a tile of one vector are near.
            if V > 1 {
                for i in 0..M {
                    let row = c.wrapping_add(i * n);
                    for line in 0..(V * $lanes * size_of::<$t>()).div_ceil(LINE) {
                        _mm_prefetch::<_MM_HINT_T0>(row.wrapping_byte_add(line * LINE).cast());
                    }
                    _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(V * $lanes - 1).cast());
                }
            }
            let mut acc = [[$zero(); V]; M];
            // Column `k + s`, where `k` begins a piece.
            let mut step = |k: usize, s: usize| {
                let mut right = [$zero(); V];
                for (v, right) in right.iter_mut().enumerate() {
                    // SAFETY: row `k + s` of the strip has `V` vectors.
                    *right = unsafe { $load(b.add(((k + s) * V + v) * $lanes)) };
                }
                for (i, acc) in acc.iter_mut().enumerate() {
                    // SAFETY: each of the `M` packed rows has `depth` elements.
                    let left = $all(unsafe { *a.add(place::<M, ORDER>(i, k, s)) });
                    for (acc, &right) in acc.iter_mut().zip(&right) {
                        *acc = $fma(left, right, *acc);
                    }
                }
            };
            let whole = depth / $steps * $steps;
            for k in (0..whole).step_by($steps) {
                for s in 0..$steps {
                    step(k, s);
                }
            }
            for s in 0..depth - whole {
                step(whole, s);
            }
            for (i, acc) in acc.into_iter().enumerate() {
                for (v, acc) in acc.into_iter().enumerate() {
                    // SAFETY: the tile is within the result, whose elements the first block has written.
                    unsafe {
                        let to = c.add(i * n + v * $lanes);
                        $store(to, if first { acc } else { $add($load(to), acc) });
                    }
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
tiles!(wide_f32 "avx512f,fma" f32, 16 1 _mm512_setzero_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_fmadd_ps _mm512_add_ps);
#[cfg(target_arch = "x86_64")]
tiles!(wide_f64 "avx512f,fma" f64, 8 1 _mm512_setzero_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_fmadd_pd _mm512_add_pd);
#[cfg(target_arch = "x86_64")]
tiles!(half_f32 "avx2,fma" f32, 8 PIECE _mm256_setzero_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_fmadd_ps _mm256_add_ps);
#[cfg(target_arch = "x86_64")]
tiles!(half_f64 "avx2,fma" f64, 4 PIECE _mm256_setzero_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_fmadd_pd _mm256_add_pd);

/// A tile of `M` by `N` elements, by what the target always has.
///
/// # Safety
/// The module's invariants.
#[inline(always)]
unsafe fn plain<T: Field, const M: usize, const N: usize, const ORDER: u8>(strip: Strip<T>) {
    let Strip { a, b, depth, c, n, first } = strip;
    let mut acc = [[T::default(); N]; M];
    for k in 0..depth {
        for (i, acc) in acc.iter_mut().enumerate() {
            // SAFETY: each of the `M` packed rows has `depth` elements.
            let left = unsafe { *a.add(place::<M, ORDER>(i, k / PIECE * PIECE, k % PIECE)) };
            for (j, acc) in acc.iter_mut().enumerate() {
                // SAFETY: row `k` of the strip has `N` elements.
                *acc = acc.fused(left, unsafe { *b.add(k * N + j) });
            }
        }
    }
    for (i, acc) in acc.into_iter().enumerate() {
        for (j, acc) in acc.into_iter().enumerate() {
            // SAFETY: the tile is within the result, whose elements the first block has written.
            unsafe {
                let to = c.add(i * n + j);
                to.write(if first { acc } else { (*to).plus(acc) });
            }
        }
    }
}

/// A tile of so many rows, and so many vectors of some elements.
macro_rules! tile {
    ($run:ident::<$($t:ty,)? $m:literal, $v:literal>, $lanes:expr, $pieces:expr) => {
        Tile {
            rows: $m,
            columns: $v * $lanes,
            code: [
                $run::<$($t,)? $m, $v, COLUMNS>,
                $run::<$($t,)? $m, $v, PIECES>,
                $run::<$($t,)? $m, $v, ROWS>,
            ],
            pieces: $pieces,
        }
    };
}

macro_rules! fuses {
    ($($t:ty: $wide:ident $half:ident $lanes:literal;)*) => {$(
        impl Fuses for $t {
            fn tile(rows: usize, columns: usize) -> Tile<$t> {
                // Few columns are one vector, of which the second would be empty.
                let (one, narrow) = (rows == 1, |lanes: usize| columns <= lanes);
                match best() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 if one => tile!($wide::<1, 4>, $lanes, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 if narrow($lanes) => tile!($wide::<12, 1>, $lanes, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 if eight(rows) => tile!($wide::<8, 2>, $lanes, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => tile!($wide::<12, 2>, $lanes, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 if one => tile!($half::<1, 4>, $lanes / 2, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 if narrow($lanes / 2) => tile!($half::<12, 1>, $lanes / 2, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => tile!($half::<6, 2>, $lanes / 2, 128),
                    _ if one => tile!(plain::<$t, 1, 8>, 1, NEVER),
                    _ => tile!(plain::<$t, 4, 8>, 1, NEVER),
                }
            }
        }
    )*};
}
fuses! {
    f32: wide_f32 half_f32 16;
    f64: wide_f64 half_f64 8;
}

/// [`plain`] where multiply-add is an instruction.
///
/// # Safety
/// The module's invariants, and the processor has these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn plain_with_fma<T: Field, const M: usize, const N: usize, const ORDER: u8>(strip: Strip<T>) {
    // SAFETY: the caller's.
    unsafe { plain::<T, M, N, ORDER>(strip) }
}

macro_rules! fuses_plainly {
    ($($t:ty),*) => {$(
        impl Fuses for $t {
            fn tile(rows: usize, _: usize) -> Tile<$t> {
                match (best(), rows) {
                    #[cfg(target_arch = "x86_64")]
                    (Isa::Avx2 | Isa::Avx512, 1) => tile!(plain_with_fma::<$t, 1, 8>, 1, NEVER),
                    #[cfg(target_arch = "x86_64")]
                    (Isa::Avx2 | Isa::Avx512, _) => tile!(plain_with_fma::<$t, 4, 8>, 1, NEVER),
                    (_, 1) => tile!(plain::<$t, 1, 8>, 1, NEVER),
                    _ => tile!(plain::<$t, 4, 8>, 1, NEVER),
                }
            }
        }
    )*};
}
// Integers, and what convolutions of complex numbers are computed in.
fuses_plainly!(u32, u64, num_complex::Complex32, num_complex::Complex64);

/// True if a result of so many elements, which are sums of `k` products, is worth several threads.
pub(crate) fn is_parallel(elements: usize, k: usize) -> bool {
    elements.saturating_mul(k) >= WORTH
}

/// As many as there are, or one.
pub(super) fn threads(parallel: bool) -> usize {
    if parallel { rayon::current_num_threads() } else { 1 }
}

/// The product of `a` and `b` into `c`, row-major.
pub(super) fn multiply<E: Entry>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<E::Acc>])
where
    E::Acc: Fuses,
{
    let (m, k, n) = (a.rows, a.columns, b.columns);
    let parallel = is_parallel(c.len(), k);
    let tile = E::Acc::tile(m, n);
    // As many tasks as threads, or a multiple: no thread waits for another's last rows.
    let tasks = m.div_ceil(HEIGHT).next_multiple_of(threads(parallel));
    let rows = m.div_ceil(tasks).next_multiple_of(tile.rows);
    let order = match a.row_major() {
        true if n >= tile.pieces && k >= DEEP => Order::Pieces,
        true => Order::Rows,
        false => Order::Columns,
    };
    // Threads go through several blocks along `k` before they wait for each other.
    let together = if parallel { TOGETHER.min(k.div_ceil(DEPTH)) } else { 1 };
    for left in (0..n).step_by(WIDTH) {
        let right = (left + WIDTH).min(n);
        for start in (0..k).step_by(together * DEPTH) {
            let end = (start + together * DEPTH).min(k);
            let depths = || (start..end).step_by(DEPTH).map(|start| start..(start + DEPTH).min(end));
            let pack = |depth| pack_columns(b, left..right, depth, tile.columns, parallel);
            let packed: Vec<Packed<E::Acc>> = depths().map(pack).collect();
            chunks(parallel, c, rows * n, &|i, c| {
                let height = rows.min(m - i * rows);
                for (depth, packed) in depths().zip(&packed) {
                    let mut a = pack_rows(a, i * rows..i * rows + height, depth.clone(), tile.rows, order);
                    panel(&tile, (a.as_uninit(), order), packed.elements(), depth, c, n, left..right);
                }
            });
        }
    }
}

/// A right operand that is no matrix in memory: its strips are written when they are needed.
pub(crate) trait Strips<A>: Sync {
    /// Writes the rows `depth` of some columns, row after row, `strip` elements from one to the next, and zeros
    /// beyond the columns.
    fn write(&self, columns: Range<usize>, depth: Range<usize>, strip: usize, to: &mut [A]);
}

/// Columns of such an operand that are written at once.
const WRITTEN: usize = 512;

/// The product of `a` and a `b` of `n` columns into `c`, row-major, on this thread; `a` has columns. The order
/// is that of [`multiply`].
pub(crate) fn multiply_strips<E: Entry>(
    a: Matrix<E>,
    b: &dyn Strips<E::Acc>,
    n: usize,
    c: &mut [MaybeUninit<E::Acc>],
) where
    E::Acc: Fuses,
{
    let (m, k) = (a.rows, a.columns);
    let tile = E::Acc::tile(m, n);
    let rows = m.div_ceil(m.div_ceil(HEIGHT)).next_multiple_of(tile.rows);
    let order = if n >= tile.pieces && k >= DEEP { Order::Pieces } else { Order::Rows };
    let room = n.min(WRITTEN).next_multiple_of(tile.columns) * k.min(DEPTH);
    let mut memory = scratch::buffer(room * size_of::<E::Acc>());
    let written = filled(&mut memory, E::Acc::default());
    let width = WRITTEN / tile.columns * tile.columns;
    for left in (0..n).step_by(width) {
        let right = (left + width).min(n);
        for start in (0..k).step_by(DEPTH) {
            let depth = start..(start + DEPTH).min(k);
            let size = depth.len() * tile.columns;
            let strips = (left..right).step_by(tile.columns);
            let used = strips.len() * size;
            for (to, j) in written.chunks_exact_mut(size).zip(strips) {
                b.write(j..(j + tile.columns).min(right), depth.clone(), tile.columns, to);
            }
            for (i, c) in c.chunks_mut(rows * n).enumerate() {
                let height = rows.min(m - i * rows);
                let mut a = pack_rows(a, i * rows..i * rows + height, depth.clone(), tile.rows, order);
                panel(&tile, (a.as_uninit(), order), &written[..used], depth.clone(), c, n, left..right);
            }
        }
    }
}

/// Some rows of the result, in tiles.
fn panel<T: Fuses>(
    tile: &Tile<T>,
    (a, order): (&[MaybeUninit<T>], Order),
    b: &[T],
    depth: Range<usize>,
    c: &mut [MaybeUninit<T>],
    n: usize,
    columns: Range<usize>,
) {
    let (height, first, depth) = (c.len() / n, depth.start == 0, depth.len());
    let (run, step) = (tile.code[order as usize], order.step(depth));
    assert!(a.len() >= height.next_multiple_of(tile.rows) * step && depth <= STRIDE);
    assert!(tile.rows * tile.columns <= LARGEST);
    for (b, j) in b.chunks_exact(tile.columns * depth).zip(columns.clone().step_by(tile.columns)) {
        let width = tile.columns.min(columns.end - j);
        for i in (0..height).step_by(tile.rows) {
            let rows = tile.rows.min(height - i);
            let (a, b) = (a[i * step..].as_ptr().cast(), b.as_ptr());
            if rows == tile.rows && width == tile.columns {
                let c = c[i * n + j..][..(rows - 1) * n + width].as_mut_ptr().cast();
                // SAFETY: the slices have the sizes that the module wants.
                unsafe { run(Strip { a, b, depth, c, n, first }) };
                continue;
            }
            let mut whole = [MaybeUninit::<T>::uninit(); LARGEST];
            let to = whole.as_mut_ptr().cast();
            // SAFETY: likewise, with a result of the tile's own size.
            unsafe { run(Strip { a, b, depth, c: to, n: tile.columns, first: true }) };
            for (r, whole) in whole.chunks_exact(tile.columns).enumerate().take(rows) {
                for (c, t) in c[(i + r) * n + j..][..width].iter_mut().zip(whole) {
                    // SAFETY: the tile is written, and the first block along `k` has written the element.
                    let sum = unsafe {
                        if first { t.assume_init() } else { c.assume_init().plus(t.assume_init()) }
                    };
                    c.write(sum);
                }
            }
        }
    }
}

/// Rows in an order; zero beyond the last one, up to whole tiles. What no tile reads is not written. The memory
/// is recycled: a system's allocator would give fresh pages again and again.
fn pack_rows<E: Entry>(
    a: Matrix<E>,
    rows: Range<usize>,
    depth: Range<usize>,
    tile: usize,
    order: Order,
) -> UniqueBuffer {
    let step = order.step(depth.len());
    let zero = MaybeUninit::new(E::Acc::default());
    let load = |x: E| MaybeUninit::new(x.load());
    let count = rows.len().next_multiple_of(tile) * step;
    let mut memory = scratch::buffer(count * size_of::<E::Acc>());
    let packed = memory.as_uninit::<E::Acc>();
    for (to, i) in packed.chunks_exact_mut(tile * step).zip(rows.clone().step_by(tile)) {
        let there = i..(i + tile).min(rows.end);
        if there.len() < tile {
            to.fill(zero);
        }
        match order {
            Order::Columns => pack_strip(a.transposed(), depth.clone(), there, tile, to, load),
            Order::Pieces => {
                for (r, row) in there.enumerate() {
                    a.prefetch_row(row + tile, depth.clone());
                    a.copy_pieces::<PIECE, _>(row, depth.clone(), &mut to[r * PIECE..], tile * PIECE, load);
                }
            }
            Order::Rows => {
                for (row, to) in there.zip(to.chunks_exact_mut(step)) {
                    a.copy_row(row, depth.start, &mut to[..depth.len()], load);
                }
            }
        }
    }
    memory
}
