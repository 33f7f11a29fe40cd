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
pub trait Task: Send + 'static {
    /// What it may fail with.
    type Error: Send + 'static;

    /// Does it. It may wait for smaller numbers, and for no other.
    fn run(&self, number: u64) -> Result<(), Self::Error>;

    /// It has ended, in whichever way; called, and then dropped, before those who wait are told.
    fn ended(&self, number: u64);
}

/// Tasks in the order of their numbers, which threads of the queue run.
pub struct Queue<T: Task> {
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
    pub fn count(&self) -> u64 {
        self.state().last
    }

    /// Starts the piece that is made for a number, if one is.
    pub fn start(self: &Arc<Self>, make: impl FnOnce(u64) -> Option<T>) {
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
    pub fn wait(&self, number: u64) {
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
    pub fn is_idle(&self) -> bool {
        let state = self.state();
        state.waiting.is_empty() && state.running.is_empty()
    }

    /// Waits for all that was started until now; gives the error of the first piece that had one since
    /// this was called last.
    pub fn finish(&self) -> Result<(), T::Error> {
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
    pub fn failure(&self) -> Result<(), T::Error> {
        self.state().failure.take().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// No more is started: the queue's thread ends.
    pub fn close(&self) {
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
