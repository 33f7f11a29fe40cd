//! The product of two large matrices of real floats, with fused multiply-add.
//!
//! Each element is summed over `k` upwards within blocks of [`DEPTH`], each begun from
//! zero, and the blocks are added in order. A fused multiply-add is the same number on every
//! processor, so that neither the tile, the threads nor the instruction set decides the bits.

use super::{
    DEPTH,
    entry::Entry,
    matrix::Matrix,
    pack::{Packed, filled, pack_columns, pack_strip},
    tile::{Fuses, Order, PIECE, STRIDE, Tile, panel},
};
use crate::parallel::{chunks, pays};
use ivy_core::host::{UniqueBuffer, scratch};
use std::{mem::MaybeUninit, ops::Range};

/// From so many multiplications on a second thread is worth waking.
pub(super) const WORTH: usize = 1 << 22;
/// Most rows of the left operand that are packed at once: with their columns they stay in the
/// nearer caches.
const HEIGHT: usize = 192;
/// Columns of the right operand that are packed at once.
const WIDTH: usize = 1024;
/// Blocks along `k` of the right operand that are packed at once for several threads.
const TOGETHER: usize = 8;
/// Least length of rows that are packed in pieces.
const DEEP: usize = 8 * PIECE;

/// True if a result of so many elements, which are sums of `k` products, is worth several threads.
pub(crate) fn is_parallel(elements: usize, k: usize) -> bool {
    pays(elements.saturating_mul(k), WORTH)
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
    let (m, k, n) = (a.rows, b.rows, b.columns);
    let parallel = is_parallel(c.len(), k);
    let tile = E::Acc::tile(m, n);
    let order = match a.row_major() {
        true if n >= tile.pieces && k >= DEEP => Order::Pieces,
        true => Order::Rows,
        false => Order::Columns,
    };
    // As many tasks as threads, or a multiple: no thread waits for another's last rows.
    let tasks = m.div_ceil(HEIGHT).next_multiple_of(threads(parallel));
    let rows = m.div_ceil(tasks).next_multiple_of(tile.rows);
    // Threads go through several blocks along `k` before they wait for each other.
    let together = if parallel { TOGETHER.min(k.div_ceil(DEPTH)) } else { 1 };
    for columns in blocks(0..n, WIDTH) {
        for range in blocks(0..k, together * DEPTH) {
            let depths = || blocks(range.clone(), DEPTH);
            let pack = |depth| pack_columns(b, columns.clone(), depth, tile.columns, parallel);
            let packed: Vec<Packed<E::Acc>> = depths().map(pack).collect();
            chunks(parallel, c, rows * n, &|i, c| {
                let height = rows.min(m - i * rows);
                for (depth, packed) in depths().zip(&packed) {
                    let mut a = pack_rows(a, i * rows..i * rows + height, depth.clone(), tile.rows, order);
                    panel(&tile, (a.as_uninit(), order), packed.elements(), depth, c, n, columns.clone());
                }
            });
        }
    }
}

/// A range in parts of so many, the last of which may be shorter.
fn blocks(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(size).map(move |start| start..(start + size).min(end))
}

/// Most elements of a right operand that is packed whole: it stays in the caches while all products read it.
const WHOLE: usize = 1 << 20;

/// A right operand of several products: packed once for all of them if it is small, else block by block in each.
pub(crate) struct Right<'a, E: Entry> {
    b: Matrix<'a, E>,
    tile: Tile<E::Acc>,
    /// Blocks along `k` of the first columns, then of the next ones; none if each product packs its own.
    packed: Vec<Option<Packed<E::Acc>>>,
}

impl<'a, E: Entry> Right<'a, E>
where
    E::Acc: Fuses,
{
    /// `b` for left operands of about `m` rows.
    pub(crate) fn new(b: Matrix<'a, E>, m: usize) -> Right<'a, E> {
        Right { b, tile: E::Acc::tile(m, b.columns), packed: Vec::new() }
    }

    /// True if one of so many rows and columns is small enough to be packed whole.
    pub(crate) fn is_small(rows: usize, columns: usize) -> bool {
        rows.saturating_mul(columns) <= WHOLE
    }

    /// Packs it for all products, on several threads if `parallel`.
    pub(crate) fn packed(mut self, parallel: bool) -> Right<'a, E> {
        let (b, strip) = (self.b, self.tile.columns);
        let along = b.rows.div_ceil(DEPTH);
        let count = b.columns.div_ceil(WIDTH) * along;
        self.packed = scratch::vec(count);
        self.packed.resize_with(count, || None);
        chunks(parallel, &mut self.packed, 1, &|i, to| {
            let (left, start) = (i / along * WIDTH, i % along * DEPTH);
            let (columns, depth) = (left..(left + WIDTH).min(b.columns), start..(start + DEPTH).min(b.rows));
            to[0] = Some(pack_columns(b, columns, depth, strip, false));
        });
        self
    }
}

/// A left operand that is no matrix in memory: its rows are written when they are needed.
///
/// # Safety
/// `write_rows` writes every element that it is asked for.
pub(crate) unsafe trait Rows<A>: Sync {
    /// Writes the columns `depth` of some rows, row after row, `step` elements from one to the next, which is more than
    /// there are columns; what is between them is left or written.
    fn write_rows(&self, rows: Range<usize>, depth: Range<usize>, step: usize, to: &mut [MaybeUninit<A>]);
}

/// The product of an `a` of `m` rows and `b` into `c`, row-major, on this thread. The order is that of [`multiply`].
pub(crate) fn multiply_rows<E: Entry>(
    m: usize,
    a: &dyn Rows<E::Acc>,
    b: &Right<E>,
    c: &mut [MaybeUninit<E::Acc>],
) where
    E::Acc: Fuses,
{
    let (tile, k, n) = (&b.tile, b.b.rows, b.b.columns);
    let rows = m.div_ceil(m.div_ceil(HEIGHT)).next_multiple_of(tile.rows);
    let mut shared = b.packed.iter().flatten();
    for columns in blocks(0..n, WIDTH) {
        for depth in blocks(0..k, DEPTH) {
            let own;
            let packed = match shared.next() {
                Some(packed) => packed,
                None => {
                    own = pack_columns(b.b, columns.clone(), depth.clone(), tile.columns, false);
                    &own
                }
            };
            for (i, c) in c.chunks_mut(rows * n).enumerate() {
                let rows = i * rows..(i * rows + rows).min(m);
                let whole = rows.len().next_multiple_of(tile.rows);
                let mut memory = scratch::buffer(whole * STRIDE * size_of::<E::Acc>());
                let (to, beyond) = memory.as_uninit().split_at_mut(rows.len() * STRIDE);
                a.write_rows(rows, depth.clone(), STRIDE, to);
                beyond.fill(MaybeUninit::new(E::Acc::default()));
                let a = (&*memory.as_uninit(), Order::Rows);
                panel(tile, a, packed.elements(), depth.clone(), c, n, columns.clone());
            }
        }
    }
}

/// A right operand that is no matrix in memory: its strips are written when they are needed.
pub(crate) trait Strips<A>: Sync {
    /// Writes the rows `depth` of some columns, row after row, `strip` elements from one to the next, and zeros
    /// beyond the columns.
    fn write(&self, columns: Range<usize>, depth: Range<usize>, strip: usize, to: &mut [A]);
}

/// Columns that rows of the left operand are packed once for.
pub(crate) const SHARED: usize = 512;

/// The product of `a` and a `b` of `n` columns into `c`, row-major, on this thread; `a` has columns. The order
/// is that of [`multiply`].
///
/// A strip is read right after it is written, while it is in the nearest cache: once where the rows are one block, else
/// by each block in turn.
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
    let blocks = m.div_ceil(HEIGHT);
    let rows = m.div_ceil(blocks).next_multiple_of(tile.rows);
    let order = if n >= tile.pieces && k >= DEEP { Order::Pieces } else { Order::Rows };
    let shared = SHARED / tile.columns * tile.columns;
    // Several blocks read as many strips as their rows are packed for.
    let written = if blocks == 1 { tile.columns } else { shared.min(n.next_multiple_of(tile.columns)) };
    let mut memory = scratch::buffer(written * k.min(DEPTH) * size_of::<E::Acc>());
    let strips = filled(&mut memory, E::Acc::default());
    for left in (0..n).step_by(shared) {
        let right = (left + shared).min(n);
        for start in (0..k).step_by(DEPTH) {
            let depth = start..(start + DEPTH).min(k);
            let size = depth.len() * tile.columns;
            let pack = |rows: Range<usize>| pack_rows(a, rows, depth.clone(), tile.rows, order);
            let mut all = (blocks == 1).then(|| pack(0..m));
            for left in (left..right).step_by(written) {
                let columns = left..(left + written).min(right);
                let mut used = 0;
                for (to, j) in strips.chunks_exact_mut(size).zip(columns.clone().step_by(tile.columns)) {
                    b.write(j..(j + tile.columns).min(right), depth.clone(), tile.columns, to);
                    used += size;
                }
                for (i, c) in c.chunks_mut(rows * n).enumerate() {
                    let mut block = match &all {
                        Some(_) => None,
                        None => Some(pack(i * rows..(i * rows + rows).min(m))),
                    };
                    let a = all.as_mut().or(block.as_mut()).expect("rows are packed").as_uninit();
                    panel(&tile, (a, order), &strips[..used], depth.clone(), c, n, columns.clone());
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
