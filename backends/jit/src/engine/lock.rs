//! A lock for short work: one locked instruction to take it and none to give it back, where a
//! mutex has one for each. Making a node is short enough for that to be what it costs.
//!
//! # Invariants
//!
//! - `taken` is true while a [`Guard`] lives, and a guard is made by whoever has set it.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// Attempts before another thread is let run.
const SPINS: u32 = 64;

/// A value that one thread at a time has.
#[derive(Default)]
pub struct Lock<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time has the value.
unsafe impl<T: Send> Sync for Lock<T> {}

/// The value of a lock that is taken; gives it back.
pub struct Guard<'l, T> {
    lock: &'l Lock<T>,
    /// Threads may share a guard if they may share the value.
    value: PhantomData<&'l mut T>,
}

impl<T> Lock<T> {
    /// Waits for the value.
    #[inline]
    pub fn take(&self) -> Guard<'_, T> {
        if self.taken.swap(true, Ordering::Acquire) {
            self.wait();
        }
        Guard { lock: self, value: PhantomData }
    }

    #[cold]
    fn wait(&self) {
        let mut spins = 0;
        // Reading leaves the line to whoever has the lock.
        while self.taken.load(Ordering::Relaxed) || self.taken.swap(true, Ordering::Acquire) {
            spins += 1;
            match spins % SPINS {
                0 => std::thread::yield_now(),
                _ => std::hint::spin_loop(),
            }
        }
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.taken.store(false, Ordering::Release);
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the lock is taken by this guard.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: likewise, and the guard is borrowed for itself.
        unsafe { &mut *self.lock.value.get() }
    }
}
