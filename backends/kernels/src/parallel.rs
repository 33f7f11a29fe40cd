//! Work for several threads. The loops here are compiled once, not for every kernel, and which
//! thread does what never shows in a result.

mod helpers;

use ivy_core::host::scratch;
use ivy_core::interrupt::Watch;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Below this many elements a second thread that has to be woken costs more than it brings.
pub(crate) const PARALLEL: usize = 1 << 16;

/// True if so much work is worth several threads, where waking one is worth so much: a sixteenth of it is while helpers of
/// the last region still look for work.
pub fn pays(work: usize, waking: usize) -> bool {
    work >= waking || work >= waking / 16 && helpers::are_looking()
}

/// Numbers of tasks that a thread takes one after the other, as others do that have none left. Each share has
/// cache lines of its own.
#[repr(align(128))]
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl Share {
    fn take(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < self.end)
    }
}

/// Calls `work` with each number below `count`, on several threads if `parallel`. The calling thread is the
/// first of them: it need not be woken, and the others help if they are awake before all is done. A thread's numbers
/// follow each other mostly: what it has asked memory for is what it reads next.
///
/// Where the call is [watched](ivy_core::interrupt), an interrupt is looked for before each number, and unwinds.
pub fn tasks(parallel: bool, count: usize, work: &(dyn Fn(usize) + Sync)) {
    let watch = Watch::current();
    let threads = if parallel { rayon::current_num_threads().min(count) } else { 1 };
    if threads <= 1 {
        return (0..count).for_each(|number| {
            watch.leave_if_interrupted();
            work(number);
        });
    }
    let begin = |i: usize| count / threads * i + i.min(count % threads);
    let share = |i: usize| Share { next: AtomicUsize::new(begin(i)), end: begin(i + 1) };
    let shares: Vec<Share> = (0..threads).map(share).collect();
    let take_all = |own: usize| {
        for share in shares[own..].iter().chain(&shares[..own]) {
            while let Some(number) = share.take() {
                watch.leave_if_interrupted();
                work(number);
            }
        }
    };
    helpers::helped(threads - 1, &|own| match own {
        0 => take_all(0),
        own => watch.during(|| take_all(own)),
    });
}

/// Calls `work(i, chunk)` with each chunk of `size` elements (the last may be shorter).
pub(crate) fn chunks<U: Send>(
    parallel: bool,
    out: &mut [U],
    size: usize,
    work: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    if !parallel || out.len() <= size {
        let watch = Watch::current();
        return out.chunks_mut(size).enumerate().for_each(|(i, chunk)| {
            watch.leave_if_interrupted();
            work(i, chunk);
        });
    }
    // Each lock is taken once, by the task that the chunk belongs to.
    let chunks: Vec<Mutex<&mut [U]>> = scratch::collected(out.chunks_mut(size).map(Mutex::new));
    tasks(true, chunks.len(), &|i| work(i, &mut chunks[i].lock().unwrap_or_else(PoisonError::into_inner)));
}

/// Calls `work(i, part)` with each of some parts of a result, on several threads if `parallel`.
pub(crate) fn parts<U: Send>(parallel: bool, parts: Vec<&mut [U]>, work: &(dyn Fn(usize, &mut [U]) + Sync)) {
    // Each lock is taken once, by the task that the part belongs to.
    let parts: Vec<Mutex<&mut [U]>> = scratch::collected(parts.into_iter().map(Mutex::new));
    let work = |i: usize| work(i, &mut parts[i].lock().unwrap_or_else(PoisonError::into_inner));
    tasks(parallel, parts.len(), &work);
}

/// True if something holds of any part of some elements: `holds` says so of each part.
pub(crate) fn any<T: Sync>(elements: &[T], holds: &(dyn Fn(&[T]) -> bool + Sync)) -> bool {
    const PART: usize = 1 << 14;
    let found = AtomicBool::new(false);
    tasks(pays(elements.len(), PARALLEL), elements.len().div_ceil(PART), &|i| {
        if holds(&elements[i * PART..elements.len().min((i + 1) * PART)]) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
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
