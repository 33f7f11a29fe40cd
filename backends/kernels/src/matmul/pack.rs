//! Operands copied into the order in which tiles read them.

use super::{LONG, entry::Entry, matrix::Matrix};
use crate::parallel::chunks;
use ivy_core::host::scratch;
use std::ops::Range;

/// Strips of a row-major operand that are packed at once: their rows' parts lie in the same pages.
const TOGETHER: usize = 4;

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
    if x.row_major() {
        for (i, to) in rows.zip(to.chunks_exact_mut(strip)) {
            x.copy_row(i, columns.start, &mut to[..columns.len()], &load);
        }
        return;
    }
    let x = x.transposed();
    for (at, j) in columns.enumerate() {
        x.row(j, rows.start, rows.end, |i, value| to[i * strip + at] = load(value));
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
    packed: &mut Vec<E::Acc>,
) {
    let size = depth.len() * strip;
    let count = columns.len().div_ceil(strip) * size;
    scratch::reserve(packed, count.saturating_sub(packed.len()));
    packed.resize(count, E::Acc::default());
    chunks(parallel && count >= LONG, packed, size * TOGETHER, &|i, to| {
        let start = columns.start + i * strip * TOGETHER;
        let end = (start + strip * TOGETHER).min(columns.end);
        if !(end - start).is_multiple_of(strip) {
            to[(end - start) / strip * size..].fill(E::Acc::default());
        }
        let strips = || (start..end).step_by(strip).map(|start| start..(start + strip).min(end));
        if !b.has_rows() || end - start <= strip {
            for (to, columns) in to.chunks_exact_mut(size).zip(strips()) {
                pack_strip(b, depth.clone(), columns, strip, to, E::load);
            }
            return;
        }
        // Whole rows follow each other: a processor sees that by itself.
        let parts = end - start < b.columns;
        for (i, k) in depth.clone().enumerate() {
            if parts {
                b.prefetch_row(k + AHEAD, start..end);
            }
            let row = b.side_by_side(k, start, end).unwrap_or_default();
            for (to, from) in to[i * strip..].chunks_mut(size).zip(row.chunks(strip)) {
                copy_short(from, to, E::load);
            }
        }
    });
}

/// Copies a few elements, a strip's mostly, without the call that a longer copy is worth.
#[inline(always)]
fn copy_short<T: Copy, A>(from: &[T], to: &mut [A], load: impl Fn(T) -> A) {
    match from.len() {
        8 => copy_piece::<8, T, A>(from, to, load),
        16 => copy_piece::<16, T, A>(from, to, load),
        32 => copy_piece::<32, T, A>(from, to, load),
        _ => from.iter().zip(to).for_each(|(&x, to)| *to = load(x)),
    }
}

/// Copies one piece of `N` elements: all of it is read before it is written, in vectors.
#[inline(always)]
fn copy_piece<const N: usize, T: Copy, A>(from: &[T], to: &mut [A], load: impl Fn(T) -> A) {
    if let (Some(from), Some(to)) = (from.first_chunk::<N>(), to.first_chunk_mut::<N>()) {
        *to = from.map(load);
    }
}
