//! Functions of one line of an array at a time: scans and sorts along an axis.

use crate::{
    output::new_array,
    parallel::{PARALLEL, chunks, pays, tasks},
    sequence::Sequences,
    small::Value,
};
use ivy_core::host::{HostArray, HostView, scratch};
use ivy_core::{Dims, Dtype, Result, Shape};
use std::mem::MaybeUninit;

/// Lines that stand side by side in memory are taken this many at a time, a cache line of
/// each kind.
const TILE: usize = 16;
/// How many elements of each line of a tile are moved before the next line's.
const STRIP: usize = 256;

/// Memory that several threads fill, each at places of its own.
struct Shared<U>(*mut U);

// SAFETY: a pointer to memory that is borrowed mutably for as long as this lives; `put` says
// who writes where.
unsafe impl<U: Send> Sync for Shared<U> {}

impl<U> Shared<U> {
    /// # Safety
    /// `i` lies within the memory, and no other thread has to do with that place.
    unsafe fn put(&self, i: usize, value: U) {
        // SAFETY: the caller's promise.
        unsafe { self.0.add(i).write(value) }
    }
}

/// Applies `work` to each line along an axis: it reads the line and writes a line of `out_len`
/// elements.
///
/// # Errors
/// No memory for the result.
///
/// # Safety
/// `work` writes every element of the line that it is given, and with bool 0 and 1 only.
pub(crate) unsafe fn map_lines<T: Value, U: Value>(
    function: &'static str,
    x: HostView,
    axis: usize,
    out_len: usize,
    dtype: Dtype,
    work: impl Fn(&[T], &mut [MaybeUninit<U>]) + Sync,
) -> Result<HostArray> {
    let mut dims = Dims::from_slice(x.shape());
    dims[axis] = out_len;
    let shape = Shape::from(dims);
    let inner: usize = x.shape()[axis + 1..].iter().product();
    let lines = Sequences::<T>::new(x, &[axis]);
    let fill = |out: &mut [MaybeUninit<U>]| {
        if out.is_empty() {
            return;
        }
        if inner == 1 {
            along_rows(&lines, out, out_len, &work);
        } else {
            across(&lines, out, out_len, inner, &work);
        }
    };
    // SAFETY: the caller's promise; both ways visit every line.
    unsafe { new_array::<U>(function, dtype, &shape, fill) }
}

/// The lines of the result stand one after the other.
fn along_rows<T: Value, U: Value>(
    lines: &Sequences<T>,
    out: &mut [MaybeUninit<U>],
    out_len: usize,
    work: &(impl Fn(&[T], &mut [MaybeUninit<U>]) + Sync),
) {
    let per_task = (PARALLEL / 4 / (lines.len + out_len)).max(1);
    let parallel = pays(out.len(), PARALLEL);
    chunks(parallel, out, per_task * out_len, &|task, out| {
        let mut buffer = Vec::new();
        for (i, line) in out.chunks_exact_mut(out_len).enumerate() {
            work(lines.part(task * per_task + i, 0..lines.len, &mut buffer), line);
        }
    });
}

/// The lines of the result are interleaved: `inner` of them side by side.
fn across<T: Value, U: Value>(
    lines: &Sequences<T>,
    out: &mut [MaybeUninit<U>],
    out_len: usize,
    inner: usize,
    work: &(impl Fn(&[T], &mut [MaybeUninit<U>]) + Sync),
) {
    let total = out.len();
    let shared = Shared(out.as_mut_ptr());
    let tiles = inner.div_ceil(TILE);
    let tile = |task: usize| {
        let (outer, first) = (task / tiles, task % tiles * TILE);
        let width = TILE.min(inner - first);
        let n = lines.len;
        let mut read: Vec<Vec<T>> = (0..width).map(|_| scratch::vec(n)).collect();
        for start in (0..n).step_by(STRIP) {
            for (w, line) in read.iter_mut().enumerate() {
                lines.gather(outer * inner + first + w, start..(start + STRIP).min(n), line);
            }
        }
        let mut written = scratch::filled(MaybeUninit::<U>::uninit(), width * out_len);
        for (from, to) in read.iter().zip(written.chunks_exact_mut(out_len)) {
            work(from, to);
        }
        for i in 0..out_len {
            for w in 0..width {
                // SAFETY: within the result, as the line number and `i` are; each line
                // belongs to one tile.
                unsafe { shared.put((outer * out_len + i) * inner + first + w, written[w * out_len + i]) };
            }
        }
    };
    tasks(pays(total, PARALLEL), lines.count / inner * tiles, &tile);
}
