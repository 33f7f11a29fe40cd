//! Tiles of the product of two matrices of real floats, with fused multiply-add: loops over packed operands, for each
//! instruction set.
//!
//! # Invariants
//!
//! - A tile reads `rows` packed rows of the left operand ([`Order`]) and a packed strip of the right one,
//!   both `depth` long and zero beyond the matrices, and writes `rows` by `columns` elements of the
//!   result.
//! - Instructions are those that [`best`] has found.

use super::{DEPTH, entry::Field};
use crate::isa::{Isa, LINE, best};
use std::{mem::MaybeUninit, ops::Range};

/// Elements from one packed row of the left operand to the next: rows at a distance of a power of
/// two would share few lines of the cache.
pub(super) const STRIDE: usize = DEPTH + 16;
/// Elements of a row that stand side by side in [`Order::Pieces`].
pub(super) const PIECE: usize = 4;
/// No result has so many columns.
const NEVER: usize = usize::MAX;
/// Elements of the largest tile.
const LARGEST: usize = 12 * 32;

/// How rows of the left operand are packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
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
    pub(super) fn step(self, depth: usize) -> usize {
        match self {
            Order::Columns => depth,
            Order::Pieces => depth.next_multiple_of(PIECE),
            Order::Rows => STRIDE,
        }
    }
}

/// Packed operands of a tile, and where in the result it goes.
pub(super) struct Strip<T> {
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
    pub(super) columns: usize,
    /// For left operands that are packed in each order.
    code: [unsafe fn(Strip<T>); 3],
    /// From so many columns of the result on, reading packed rows by pieces gains more than packing them so costs.
    pub(super) pieces: usize,
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

/// Some rows of the result, in tiles.
pub(super) fn panel<T: Fuses>(
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
