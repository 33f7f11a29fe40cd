//! The end of the process: what runs beside the program then has ended before libraries go that it
//! may be using, libLLVM above all.
//!
//! # Invariants
//!
//! - `atexit` is C's: it takes a function without arguments that returns, and does not unwind.
//! - Handlers run in the reverse order. A library's own end is a handler from when it was opened, and so
//!   is the end of what it made at its first use: whoever enters has used what he uses, and what he made
//!   meanwhile is followed by another handler of ours.

use std::cell::Cell;
use std::ffi::c_int;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

struct Gate {
    inside: usize,
    closed: bool,
}

static GATE: Mutex<Gate> = Mutex::new(Gate { inside: 0, closed: false });
static LEFT: Condvar = Condvar::new();

thread_local! {
    /// How often this thread is inside.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
}

/// While it lives, the process waits for it to end.
pub(super) struct Inside;

fn gate() -> MutexGuard<'static, Gate> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the end of the process wait for those inside before anything ends that is there now.
pub(super) fn wait_before() {
    // SAFETY: the handler returns, and what it calls does not panic.
    let _ = unsafe { atexit(close) };
}

/// Has the process wait until what is given is dropped; `None` if it ends already.
pub(super) fn enter() -> Option<Inside> {
    let mut gate = gate();
    if gate.closed {
        return None;
    }
    gate.inside += 1;
    OWN.set(OWN.get() + 1);
    Some(Inside)
}

impl Drop for Inside {
    fn drop(&mut self) {
        OWN.set(OWN.get() - 1);
        gate().inside -= 1;
        LEFT.notify_all();
    }
}

extern "C" fn close() {
    let mut gate = gate();
    gate.closed = true;
    // Whoever ends the process does not wait for itself.
    while gate.inside > OWN.get() {
        gate = LEFT.wait(gate).unwrap_or_else(PoisonError::into_inner);
    }
}
