//! Work that was started and that nobody waits for yet, in the order in which it was started.
//!
//! One thread of the queue's own takes the first piece, then the next one. Whoever waits for a piece
//! does not wait for that thread to wake: what has not begun, the waiting thread does itself. So all
//! gets done without the queue's thread as well: after a fork, or where no thread can be made.
//!
//! # Invariants
//!
//! - Pieces have numbers in the order in which they were started, are taken in that order, and stand
//!   in `running` from when they are taken until they have ended.
//! - A piece waits for pieces with smaller numbers only, which were all taken before it: whatever it
//!   waits for runs on another thread, and the one with the smallest number waits for none.
//! - Pieces are dropped while the lock is free.

use super::exit;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Pieces that wait: whoever starts one more does the first one itself. What they are made of takes memory.
const MOST: usize = 16;

/// As much as a main thread has: kernels are made on it.
const STACK: usize = 8 << 20;

/// A piece of work.
pub(super) trait Task: Send + 'static {
    /// What it may fail with.
    type Error: Send + 'static;

    /// Does it. It may wait for smaller numbers, and for no other.
    fn run(&self, number: u64) -> Result<(), Self::Error>;

    /// It has ended, in whichever way; called, and then dropped, before those who wait are told.
    fn ended(&self, number: u64);
}

pub(super) struct Queue<T: Task> {
    state: Mutex<State<T>>,
    /// Something has ended.
    ended: Condvar,
    /// There is something to do, or nothing ever again.
    started: Condvar,
}

struct State<T: Task> {
    waiting: VecDeque<(u64, T)>,
    running: Vec<u64>,
    /// The number of the last piece.
    last: u64,
    /// The error of the first piece that had one since somebody asked, and its number.
    failure: Option<(u64, T::Error)>,
    /// Whether the queue's thread was asked for.
    attended: bool,
    closed: bool,
}

impl<T: Task> Default for Queue<T> {
    fn default() -> Queue<T> {
        let state = State {
            waiting: VecDeque::new(),
            running: Vec::new(),
            last: 0,
            failure: None,
            attended: false,
            closed: false,
        };
        Queue { state: Mutex::new(state), ended: Condvar::new(), started: Condvar::new() }
    }
}

impl<T: Task> State<T> {
    fn take(&mut self) -> Option<(u64, T)> {
        let (number, task) = self.waiting.pop_front()?;
        self.running.push(number);
        Some((number, task))
    }

    fn has_ended(&self, number: u64) -> bool {
        let waits = self.waiting.back().is_some_and(|(last, _)| number <= *last)
            && self.waiting.front().is_some_and(|(first, _)| *first <= number);
        !waits && !self.running.contains(&number)
    }
}

impl<T: Task> Queue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many pieces were started.
    pub(super) fn count(&self) -> u64 {
        self.state().last
    }

    /// Starts the piece that is made for a number, if one is.
    pub(super) fn start(self: &Arc<Self>, make: impl FnOnce(u64) -> Option<T>) {
        let mut state = self.state();
        let number = state.last + 1;
        let Some(task) = make(number) else { return };
        state.last = number;
        state.waiting.push_back((number, task));
        if !state.attended {
            state.attended = true;
            let queue = self.clone();
            let thread = thread::Builder::new().name("ivy-launches".into()).stack_size(STACK);
            // Without it, those who wait do all.
            let _ = thread.spawn(move || queue.attend());
        }
        let first = if state.waiting.len() > MOST { state.take() } else { None };
        drop(state);
        self.started.notify_one();
        if let Some((number, task)) = first {
            self.run(number, task);
        }
    }

    /// Waits until the piece with this number has ended, or there is none; does those before it that
    /// have not begun, and itself.
    pub(super) fn wait(&self, number: u64) {
        let mut state = self.state();
        while !state.has_ended(number) {
            if state.waiting.front().is_some_and(|(first, _)| *first <= number)
                && let Some((number, task)) = state.take()
            {
                drop(state);
                self.run(number, task);
                state = self.state();
            } else {
                state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// True if all that was started until now has ended.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.state();
        state.waiting.is_empty() && state.running.is_empty()
    }

    /// Waits for all that was started until now; gives the error of the first piece that had one since
    /// this was called last.
    pub(super) fn finish(&self) -> Result<(), T::Error> {
        let last = self.state().last;
        loop {
            let first = {
                let state = self.state();
                let waiting = state.waiting.front().map(|(first, _)| *first);
                state.running.iter().copied().chain(waiting).min()
            };
            match first.filter(|&first| first <= last) {
                Some(first) => self.wait(first),
                None => return self.failure(),
            }
        }
    }

    /// That error, of what has ended.
    pub(super) fn failure(&self) -> Result<(), T::Error> {
        self.state().failure.take().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// No more is started: the queue's thread ends.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.started.notify_all();
    }

    /// Does a piece that was taken.
    fn run(&self, number: u64, task: T) {
        // A fault in it is found again by whoever asks for what it was to give.
        let done = catch_unwind(AssertUnwindSafe(|| task.run(number)));
        let _ = catch_unwind(AssertUnwindSafe(|| task.ended(number)));
        drop(task);
        let mut state = self.state();
        state.running.retain(|&running| running != number);
        if let Ok(Err(error)) = done
            && state.failure.as_ref().is_none_or(|(before, _)| number < *before)
        {
            state.failure = Some((number, error));
        }
        drop(state);
        self.ended.notify_all();
    }

    /// What the queue's thread does.
    fn attend(&self) {
        let mut state = self.state();
        while !state.closed {
            if state.waiting.is_empty() {
                state = self.started.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            drop(state);
            // The process does not end meanwhile, or it ends now.
            let Some(_inside) = exit::enter() else { return };
            let first = self.state().take();
            if let Some((number, task)) = first {
                self.run(number, task);
            }
            state = self.state();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Weak;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Needs some that were started before; every fifth one fails, every seventh panics.
    struct Sum {
        queue: Weak<Queue<Sum>>,
        needs: Vec<u64>,
        done: Arc<Vec<AtomicU64>>,
    }

    impl Task for Sum {
        type Error = u64;

        fn run(&self, number: u64) -> Result<(), u64> {
            let of = |number: u64| self.done[number as usize].load(Ordering::Relaxed);
            for &before in &self.needs {
                self.queue.upgrade().unwrap().wait(before);
                assert_ne!(of(before), 0);
            }
            let sum = self.needs.iter().map(|&n| of(n)).fold(1, u64::wrapping_add);
            self.done[number as usize].store(sum.max(1), Ordering::Relaxed);
            assert_ne!(number % 7, 0, "on purpose");
            if number.is_multiple_of(5) { Err(number) } else { Ok(()) }
        }

        fn ended(&self, number: u64) {
            // What has panicked before it was done is done now.
            let _ = self.done[number as usize].compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    fn start(queue: &Arc<Queue<Sum>>, done: &Arc<Vec<AtomicU64>>, choose: u64) -> u64 {
        let mut at = 0;
        queue.start(|number| {
            at = number;
            let far =
                [1, 2, 9, 17].into_iter().filter(|&far| number > far && !(choose + far).is_multiple_of(3));
            let needs = far.map(|far| number - far).collect();
            Some(Sum { queue: Arc::downgrade(queue), needs, done: done.clone() })
        });
        at
    }

    #[test]
    fn each_is_done_once_after_what_it_needs() {
        const COUNT: u64 = 100;
        for round in 0..10 {
            let queue: Arc<Queue<Sum>> = Arc::default();
            let done: Arc<Vec<AtomicU64>> = Arc::new((0..=3 * COUNT).map(|_| AtomicU64::new(0)).collect());
            let is_done = |number: u64| done[number as usize].load(Ordering::Relaxed) > 0;
            thread::scope(|scope| {
                for t in 0..3 {
                    let (queue, done, is_done) = (&queue, &done, &is_done);
                    scope.spawn(move || {
                        let mut own = Vec::new();
                        for i in 0..COUNT {
                            own.push(start(queue, done, i + round));
                            let some = own[i as usize * 7 % own.len()];
                            if (i + t) % 4 == 0 {
                                queue.wait(some);
                                assert!(is_done(some));
                            }
                            if i % 31 == 30 {
                                let _ = queue.finish();
                                assert!(own.iter().all(|&number| is_done(number)));
                            }
                        }
                    });
                }
            });
            let _ = queue.finish();
            assert!(queue.is_idle() && queue.count() == 3 * COUNT && (1..=3 * COUNT).all(is_done));
            assert_eq!(queue.finish(), Ok(()));
            queue.close();
        }
    }

    #[test]
    fn the_first_error_is_told_once() {
        let queue: Arc<Queue<Sum>> = Arc::default();
        let done: Arc<Vec<AtomicU64>> = Arc::new((0..20).map(|_| AtomicU64::new(0)).collect());
        (0..12).for_each(|i| _ = start(&queue, &done, i));
        assert_eq!((queue.finish(), queue.finish()), (Err(5), Ok(())));
        // What there is none of is not waited for.
        queue.wait(100);
        queue.start(|_| None);
        assert_eq!(queue.count(), 12);
        queue.close();
    }
}
