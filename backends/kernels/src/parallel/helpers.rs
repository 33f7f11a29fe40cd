//! Threads that join another's work while it lasts: fork and join of regions that take some hundred microseconds.
//!
//! A scope of rayon's ends when each of its jobs has run, those included that a thread takes up long after the work is
//! done, and its owner sleeps meanwhile. To wake a thread takes tens of microseconds, and products of matrices of a
//! layer take a hundred. So helpers look for work a while before they sleep, an owner takes back what none has taken up
//! when its own part is done, and looks a while before it sleeps.
//!
//! # Invariants
//!
//! - A pointer to lent work is read under the lock of the queue that it is in, and by a helper that has counted itself
//!   under that lock, until it has taken itself off.
//! - An owner returns, or unwinds, only after its work is in the queue no more and nobody counts.

use std::any::Any;
use std::collections::VecDeque;
use std::hint::spin_loop;
use std::mem::transmute;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

/// Looks before an owner sleeps, or a helper gives its time away: about a microsecond.
const LOOKS: usize = 32;
/// How often that is done before a thread sleeps: about a millisecond, longer than programs take from one region to the next,
/// which may record hundreds of operations in between. OpenMP's runtimes look as long and longer.
const ROUNDS: usize = 2000;

/// Work that its owner has lent.
struct Lent {
    work: *const (dyn Fn(usize) + Sync),
    helpers: AtomicUsize,
    owner: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Lent {
    /// Does the work that has a number. A reference would outlive what is lent: the owner may be gone as soon as the helper
    /// counts no more.
    ///
    /// # Safety
    /// The helper has counted itself.
    unsafe fn help(this: *const Lent, number: usize) {
        // SAFETY: the owner keeps both while somebody counts.
        let (lent, work) = unsafe { (&*this, AssertUnwindSafe(&*(*this).work)) };
        if let Err(payload) = catch_unwind(|| work(number)) {
            *lock(&lent.panic) = Some(payload);
        }
        let owner = lent.owner.clone();
        // SAFETY: likewise, until the subtraction is done.
        if unsafe { (*this).helpers.fetch_sub(1, Ordering::Release) } == 1 {
            owner.unpark();
        }
    }
}

/// A number of some lent work.
struct Place(*const Lent, usize);

// SAFETY: what is lent may be shared between threads, and the module's invariants say when a pointer is read.
unsafe impl Send for Place {}

/// Work that waits for helpers.
struct Queue {
    waiting: Mutex<Waiting>,
    /// How many places wait, for those who look without the lock.
    count: AtomicUsize,
    /// Helpers that look for work.
    looking: AtomicUsize,
    posted: Condvar,
}

struct Waiting {
    places: VecDeque<Place>,
    /// Threads that were started.
    threads: usize,
    /// Those that sleep.
    asleep: usize,
}

static QUEUE: Queue = Queue {
    waiting: Mutex::new(Waiting { places: VecDeque::new(), threads: 0, asleep: 0 }),
    count: AtomicUsize::new(0),
    looking: AtomicUsize::new(0),
    posted: Condvar::new(),
};

/// No thread panics while it holds a lock here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks whether something holds, and gives the thread's time away in between; false if it never did.
fn look(holds: impl Fn() -> bool) -> bool {
    for _ in 0..ROUNDS {
        for _ in 0..LOOKS {
            if holds() {
                return true;
            }
            spin_loop();
        }
        thread::yield_now();
    }
    false
}

impl Queue {
    /// Lends work to so many helpers, which are started where there are fewer.
    fn lend(&'static self, lent: &Lent, helpers: usize) {
        let mut waiting = lock(&self.waiting);
        waiting.places.extend((1..=helpers).map(|number| Place(lent, number)));
        self.count.store(waiting.places.len(), Ordering::Relaxed);
        // A thread that cannot be started is one less.
        while waiting.threads < helpers
            && thread::Builder::new().name("ivy".into()).spawn(|| self.serve()).is_ok()
        {
            waiting.threads += 1;
        }
        let missing = helpers.saturating_sub(self.looking.load(Ordering::Relaxed)).min(waiting.asleep);
        drop(waiting);
        (0..missing).for_each(|_| self.posted.notify_one());
    }

    /// Takes back what no helper has taken up, and waits for those who have.
    fn end(&self, lent: &Lent) {
        let mut waiting = lock(&self.waiting);
        waiting.places.retain(|&Place(of, _)| !std::ptr::eq(of, lent));
        self.count.store(waiting.places.len(), Ordering::Relaxed);
        drop(waiting);
        let is_over = || lent.helpers.load(Ordering::Acquire) == 0;
        if !look(is_over) {
            while !is_over() {
                thread::park();
            }
        }
    }

    /// A helper's life.
    fn serve(&self) {
        loop {
            self.looking.fetch_add(1, Ordering::Relaxed);
            look(|| self.count.load(Ordering::Relaxed) > 0);
            self.looking.fetch_sub(1, Ordering::Relaxed);
            let mut waiting = lock(&self.waiting);
            let Place(lent, number) = loop {
                match waiting.places.pop_front() {
                    Some(place) => break place,
                    None => {
                        waiting.asleep += 1;
                        waiting = self.posted.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                        waiting.asleep -= 1;
                    }
                }
            };
            self.count.store(waiting.places.len(), Ordering::Relaxed);
            // SAFETY: it was in the queue, whose lock is held.
            unsafe { &(*lent).helpers }.fetch_add(1, Ordering::Relaxed);
            drop(waiting);
            // SAFETY: this thread has counted itself.
            unsafe { Lent::help(lent, number) };
        }
    }
}

/// True while helpers look for work: one that is lent now is begun within a microsecond or two.
pub(super) fn are_looking() -> bool {
    QUEUE.looking.load(Ordering::Relaxed) > 0
}

/// Ends what an owner lends when it is done, or unwinds.
struct Ending<'a>(&'a Lent);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        QUEUE.end(self.0);
    }
}

/// Calls `work(0)` on this thread, and meanwhile, on others that are awake soon enough, `work` with some of the numbers
/// up to `helpers`. It must do for all that 0 is called.
///
/// # Panics
/// If the work does, on whichever thread.
pub(super) fn helped(helpers: usize, work: &(dyn Fn(usize) + Sync)) {
    // SAFETY: only the lifetime changes: the invariants keep it.
    let lasting =
        unsafe { transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync)>(work) };
    let lent = Lent {
        work: lasting,
        helpers: AtomicUsize::new(0),
        owner: thread::current(),
        panic: Mutex::new(None),
    };
    {
        let _ending = Ending(&lent);
        QUEUE.lend(&lent, helpers);
        work(0);
    }
    let payload = lock(&lent.panic).take();
    if let Some(payload) = payload {
        resume_unwind(payload);
    }
}
