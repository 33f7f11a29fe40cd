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

/// Calls `task` with each number below `count`, on all cores if `parallel`. Which thread takes
/// which number must not matter.
pub(super) fn each(parallel: bool, count: usize, task: impl Fn(usize) + Sync) {
    let helpers = match parallel {
        true => rayon::current_num_threads().min(count).saturating_sub(1),
        false => 0,
    };
    if helpers == 0 {
        return (0..count).for_each(task);
    }
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < count);
    let work = || {
        while let Some(number) = take() {
            task(number);
        }
    };
    rayon::in_place_scope(|scope| {
        (0..helpers).for_each(|_| scope.spawn(|_| work()));
        work();
    });
}
