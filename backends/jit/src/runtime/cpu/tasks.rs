//! Tasks on several threads, of which the calling one is the first: it need not be woken, and
//! the others help as soon as they are awake.

use crate::codegen::Code;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Statements for one element each, below which other threads cost more than they bring.
pub(crate) const WORTH: usize = 1 << 21;

/// True if so many elements are worth several threads, and there are some.
pub(super) fn are_worth(code: &dyn Code, elements: usize) -> bool {
    elements.saturating_mul(code.cost()) >= WORTH && rayon::current_num_threads() > 1
}

/// Numbers of tasks that a thread takes one after the other, as others do who have none left. Each lies in
/// lines of its own.
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

/// Calls `task` with each number below `count`, on all cores if `parallel`. Which thread takes
/// which number must not matter. One thread's numbers follow each other mostly: what it has asked memory
/// for is what it reads next.
pub(super) fn each(parallel: bool, count: usize, task: impl Fn(usize) + Sync) {
    let threads = if parallel { rayon::current_num_threads().min(count) } else { 1 };
    if threads <= 1 {
        return (0..count).for_each(task);
    }
    let begin = |i: usize| count / threads * i + i.min(count % threads);
    let share = |i: usize| Share { next: AtomicUsize::new(begin(i)), end: begin(i + 1) };
    let shares: Vec<Share> = (0..threads).map(share).collect();
    let work = |own: usize| {
        for share in shares[own..].iter().chain(&shares[..own]) {
            while let Some(number) = share.take() {
                task(number);
            }
        }
    };
    rayon::in_place_scope(|scope| {
        (1..threads).for_each(|own| {
            let work = &work;
            scope.spawn(move |_| work(own));
        });
        work(0);
    });
}
