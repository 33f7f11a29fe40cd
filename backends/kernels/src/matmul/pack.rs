//! Operands copied into the order in which tiles read them.

use super::{LONG, entry::Entry, matrix::Matrix};
use crate::parallel::chunks;
use ivy_core::host::{Buffer, UniqueBuffer, scratch};
use std::{marker::PhantomData, mem::MaybeUninit, ops::Range, slice};

/// Strips of a row-major operand that are packed at once: their rows' parts lie in the same pages.
const STRIPS: usize = 4;

/// Elements that are copied of a row before those of the next one, where rows become columns.
const BLOCK: usize = 16;

/// So many rows ahead are asked for: they are as far from each other as a matrix is wide.
const AHEAD: usize = 6;

/// The part of `x` in these rows and columns, row after row, `strip` elements from one to the next; what is
/// beyond the columns is not written. Of a left operand it is the transposed matrix that is packed.
#[inline(always)]
pub(super) fn pack_strip<E: Entry, A>(
    x: Matrix<E>,
    rows: Range<usize>,
    columns: Range<usize>,
    strip: usize,
    to: &mut [A],
    load: impl Fn(E) -> A,
) {
    if x.has_rows() && columns.len() == strip {
        // As many as tiles have rows: without the call that a longer copy is worth.
        match strip {
            6 => return pack_strips::<6, E, A>(x, rows, columns, to, load),
            8 => return pack_strips::<8, E, A>(x, rows, columns, to, load),
            12 => return pack_strips::<12, E, A>(x, rows, columns, to, load),
            _ => {}
        }
    }
    if x.row_major() {
        for (i, to) in rows.zip(to.chunks_exact_mut(strip)) {
            match columns.len() < strip {
                // Few, and rarely as many as vectors have.
                true => x.row(i, columns.start, columns.end, |j, value| to[j] = load(value)),
                false => x.copy_row(i, columns.start, to, &load),
            }
        }
        return;
    }
    let x = x.transposed();
    let mut done = 0;
    if x.has_rows() {
        // A line of each row after the other: what is written at once stays near, and a line is read once.
        for to in to[..rows.len() * strip].chunks_exact_mut(BLOCK * strip) {
            let start = rows.start + done;
            for (at, j) in columns.clone().enumerate() {
                let from = x.side_by_side(j, start, start + BLOCK).unwrap_or_default();
                for (to, &value) in to.chunks_exact_mut(strip).zip(from) {
                    to[at] = load(value);
                }
            }
            done += BLOCK;
        }
    }
    for (at, j) in columns.enumerate() {
        x.row(j, rows.start + done, rows.end, |i, value| to[(done + i) * strip + at] = load(value));
    }
}

/// Strips of `N` columns beside each other, each row after row, of a matrix that [`Matrix::has_rows`].
#[inline(always)]
fn pack_strips<const N: usize, E: Entry, A>(
    x: Matrix<E>,
    rows: Range<usize>,
    columns: Range<usize>,
    to: &mut [A],
    load: impl Fn(E) -> A,
) {
    let size = rows.len() * N;
    // Several strips that are not whole rows: those follow each other, which a processor sees by itself.
    let asks = N < columns.len() && columns.len() < x.columns;
    for (i, row) in rows.enumerate() {
        if asks {
            x.prefetch_row(row + AHEAD, columns.clone());
        }
        let from = x.side_by_side(row, columns.start, columns.end).unwrap_or_default();
        for (to, from) in to[i * N..].chunks_mut(size).zip(from.as_chunks::<N>().0) {
            // All of a piece is read before it is written: in vectors.
            *to.first_chunk_mut().expect("a row of a strip") = from.map(&load);
        }
    }
}

/// All elements that recycled memory has room for, set to a value.
pub(crate) fn filled<A: Copy>(memory: &mut UniqueBuffer, value: A) -> &mut [A] {
    let all = memory.as_uninit::<A>();
    all.fill(MaybeUninit::new(value));
    // SAFETY: each has been written.
    unsafe { slice::from_raw_parts_mut(all.as_mut_ptr().cast(), all.len()) }
}

/// A packed operand, in recycled memory: a system's allocator would give fresh pages again and
/// again.
pub(crate) struct Packed<A> {
    memory: Buffer,
    of: PhantomData<A>,
}

impl<A> Packed<A> {
    /// The elements that the memory holds.
    ///
    /// # Safety
    /// They are written, and the memory has no others.
    pub(crate) unsafe fn new(memory: UniqueBuffer) -> Packed<A> {
        // SAFETY: the caller's.
        Packed { memory: unsafe { memory.assume_init() }, of: PhantomData }
    }

    /// All of them, one after the other.
    pub(crate) fn elements(&self) -> &[A] {
        let len = self.memory.len() / size_of::<A>();
        // SAFETY: so many elements were written, to a block that is aligned for them.
        unsafe { slice::from_raw_parts(self.memory.as_ptr().cast(), len) }
    }
}

/// Strips of `strip` columns, each with its rows one after the other; zero beyond the last
/// column.
pub(super) fn pack_columns<E: Entry>(
    b: Matrix<E>,
    columns: Range<usize>,
    depth: Range<usize>,
    strip: usize,
    parallel: bool,
) -> Packed<E::Acc> {
    let size = depth.len() * strip;
    let count = columns.len().div_ceil(strip) * size;
    let mut memory = scratch::buffer(count * size_of::<E::Acc>());
    let packed = memory.as_uninit::<E::Acc>();
    let load = |x: E| MaybeUninit::new(x.load());
    chunks(parallel && count >= LONG, packed, size * STRIPS, &|i, to| {
        let start = columns.start + i * strip * STRIPS;
        let end = (start + strip * STRIPS).min(columns.end);
        let mut done = start;
        if b.has_rows() && end - start > strip {
            done = end - (end - start) % strip;
            let (rows, columns) = (depth.clone(), start..done);
            match strip {
                8 => pack_strips::<8, _, _>(b, rows, columns, to, load),
                16 => pack_strips::<16, _, _>(b, rows, columns, to, load),
                32 => pack_strips::<32, _, _>(b, rows, columns, to, load),
                _ => done = start,
            }
        }
        let rest = to[(done - start) / strip * size..].chunks_exact_mut(size);
        for (to, start) in rest.zip((done..end).step_by(strip)) {
            let columns = start..(start + strip).min(end);
            if columns.len() < strip {
                to.fill(MaybeUninit::new(E::Acc::default()));
            }
            pack_strip(b, depth.clone(), columns, strip, to, load);
        }
    });
    // SAFETY: of each strip all columns are written, and zeros where there are fewer.
    unsafe { Packed::new(memory) }
}
