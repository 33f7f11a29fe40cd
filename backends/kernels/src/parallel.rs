//! Work for several threads. The loops here are compiled once, not for every kernel, and which
//! thread does what never shows in a result.

use ivy_core::host::scratch;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Below this many elements a second thread costs more than it brings.
pub(crate) const PARALLEL: usize = 1 << 16;

/// Calls `work` with each number below `count`, on several threads if `parallel`.
pub(crate) fn tasks(parallel: bool, count: usize, work: &(dyn Fn(usize) + Sync)) {
    if parallel && count > 1 {
        (0..count).into_par_iter().for_each(work);
    } else {
        (0..count).for_each(work);
    }
}

/// Calls `work(i, chunk)` with each chunk of `size` elements (the last may be shorter).
pub(crate) fn chunks<U: Send>(
    parallel: bool,
    out: &mut [U],
    size: usize,
    work: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    if !parallel || out.len() <= size {
        return out.chunks_mut(size).enumerate().for_each(|(i, chunk)| work(i, chunk));
    }
    // Each lock is taken once, by the task that the chunk belongs to.
    let chunks: Vec<Mutex<&mut [U]>> = scratch::collected(out.chunks_mut(size).map(Mutex::new));
    tasks(true, chunks.len(), &|i| work(i, &mut chunks[i].lock().unwrap_or_else(PoisonError::into_inner)));
}

/// What `work` gives for each number below `count`, in order.
pub(crate) fn map<R: Send + Copy>(
    parallel: bool,
    count: usize,
    work: &(dyn Fn(usize) -> R + Sync),
) -> Vec<R> {
    let mut results: Vec<Option<R>> = scratch::filled(None, count);
    chunks(parallel, &mut results, 1, &|i, to| to[0] = Some(work(i)));
    scratch::collected(results.into_iter().map(|r| r.expect("every task has run")))
}
