//! Interrupts: a call that takes long leaves its work when it is asked to.
//!
//! [`watching`] calls something that may be interrupted, and [`request`] interrupts whatever is watched at that moment.
//! Kernels look between the parts of their work, a few thousand elements each, and unwind to the nearest
//! [`scratch::guard`](crate::host::scratch::guard) or to [`watching`], where that becomes the error
//! [`Interrupted`](crate::ErrorKind::Interrupted). No result of theirs has been seen by anybody, so nothing is lost but
//! the work, and the next call finds everything as it was. Python's binding watches calls of the main thread and
//! requests an interrupt in SIGINT's handler.

use crate::{Error, ErrorKind};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many interrupts there were.
static REQUESTS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static WATCH: Cell<Watch> = const { Cell::new(Watch(None)) };
}

/// What a thread watches: the interrupts since a moment, or none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch(Option<u64>);

/// The payload of unwinding out of interrupted work.
struct Left;

/// Interrupts all calls that are [watched](watching) now. It may be called from a signal's handler.
pub fn request() {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
}

/// Calls something that [`request`] interrupts from now on.
///
/// ```
/// use ivy::prelude::*;
/// use std::{thread, time::Duration};
/// // A sum of 2^40 elements takes many minutes.
/// let long = ivy::broadcast_to(&ivy::ones([1], ())?, [1 << 40])?;
/// thread::spawn(|| {
///     thread::sleep(Duration::from_millis(100));
///     ivy::interrupt::request();
/// });
/// let interrupted = ivy::interrupt::watching(|| ivy::sum(&long, ()));
/// assert!(matches!(interrupted.unwrap_err().kind(), ivy::ErrorKind::Interrupted { .. }));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`Interrupted`](crate::ErrorKind::Interrupted), and those of the call.
pub fn watching<R, E: From<Error>>(call: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
    match catch_unwind(AssertUnwindSafe(|| Watch::new().during(call))) {
        Ok(done) => done,
        Err(payload) if payload.is::<Left>() => Err(error("watching").into()),
        Err(other) => resume_unwind(other),
    }
}

impl Watch {
    /// The interrupts from now on.
    #[must_use]
    pub fn new() -> Watch {
        Watch(Some(REQUESTS.load(Ordering::Relaxed)))
    }

    /// What this thread watches.
    pub fn current() -> Watch {
        WATCH.get()
    }

    /// Calls something on a thread that watches the same meanwhile: one that helps with the work of another.
    pub fn during<R>(self, call: impl FnOnce() -> R) -> R {
        struct Before(Watch);
        impl Drop for Before {
            fn drop(&mut self) {
                WATCH.set(self.0);
            }
        }
        let _before = Before(WATCH.replace(self));
        call()
    }

    /// True if an interrupt was requested since.
    #[inline]
    pub fn is_interrupted(self) -> bool {
        self.0.is_some_and(|seen| REQUESTS.load(Ordering::Relaxed) != seen)
    }

    /// True if there may be an interrupt.
    #[inline]
    pub fn is_on(self) -> bool {
        self.0.is_some()
    }

    /// Leaves the work if an interrupt was requested, as work leaves that is refused memory.
    #[inline]
    pub fn leave_if_interrupted(self) {
        if self.is_interrupted() {
            leave();
        }
    }
}

#[cold]
fn leave() -> ! {
    resume_unwind(Box::new(Left))
}

/// The error of what has left its work, if that is what the payload of an unwinding says.
pub(crate) fn left(payload: &(dyn std::any::Any + Send), function: &'static str) -> Option<Error> {
    payload.is::<Left>().then(|| error(function))
}

/// The error of an interrupted function.
#[cold]
pub fn error(function: &'static str) -> Error {
    ErrorKind::Interrupted { function }.into()
}
