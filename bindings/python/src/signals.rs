//! Ctrl-C in long calls.
//!
//! Python's handler of SIGINT notes the signal, and what it raises is raised when the interpreter is asked next: after
//! the call. So while a long call of the main thread runs, a handler stands before that one which also requests an
//! interrupt of the call ([`ivy::interrupt`]); the error that the call ends with becomes what Python raises.

use ivy::interrupt;
use std::thread::{self, ThreadId};

static MAIN: std::sync::OnceLock<ThreadId> = std::sync::OnceLock::new();

/// Says that this is the thread on which Python handles signals.
pub(crate) fn is_main_thread() {
    let _ = MAIN.set(thread::current().id());
}

/// Makes a long call, which SIGINT interrupts if it is the main thread's.
pub(crate) fn during<T, E: From<ivy::Error>>(call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    if MAIN.get() != Some(&thread::current().id()) {
        return call();
    }
    let _chained = handler::chain();
    interrupt::watching(call)
}

/// # Invariants
///
/// - Only the main thread sets the handler, and `BEFORE` is what stood there as long as ours does.
/// - The handler does what may be done in one: it counts up an atomic number, and calls the other.
#[cfg(unix)]
mod handler {
    use std::cell::Cell;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// The address of the handler before, and whether it takes three arguments.
    static BEFORE: (AtomicUsize, AtomicBool) = (AtomicUsize::new(0), AtomicBool::new(false));

    thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }

    extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        ivy::interrupt::request();
        let (address, extended) = (BEFORE.0.load(Ordering::Acquire), BEFORE.1.load(Ordering::Acquire));
        // SAFETY: what `chain` has found in place is a function of this kind, neither of the system's own actions.
        unsafe {
            if extended {
                let before: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                    std::mem::transmute(address);
                before(signal, info, context);
            } else {
                let before: extern "C" fn(libc::c_int) = std::mem::transmute(address);
                before(signal);
            }
        }
    }

    /// Ours is in place until this goes.
    pub(super) struct Chained(Option<libc::sigaction>);

    /// Puts our handler before the one in place, unless that is an action of the system: then Ctrl-C ends the
    /// process, or is ignored.
    pub(super) fn chain() -> Chained {
        if DEPTH.replace(DEPTH.get() + 1) > 0 {
            return Chained(None);
        }
        let mut found = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: the call writes the action, or fails.
        let before = unsafe {
            match libc::sigaction(libc::SIGINT, ptr::null(), found.as_mut_ptr()) {
                0 => found.assume_init(),
                _ => return Chained(None),
            }
        };
        if [libc::SIG_DFL, libc::SIG_IGN].contains(&before.sa_sigaction) {
            return Chained(None);
        }
        BEFORE.0.store(before.sa_sigaction, Ordering::Release);
        BEFORE.1.store(before.sa_flags & libc::SA_SIGINFO != 0, Ordering::Release);
        let mut own = before;
        own.sa_sigaction = handle as *const () as usize;
        own.sa_flags |= libc::SA_SIGINFO;
        // SAFETY: the action is that in place, with a handler of the kind that its flags name.
        match unsafe { libc::sigaction(libc::SIGINT, &own, ptr::null_mut()) } {
            0 => Chained(Some(before)),
            _ => Chained(None),
        }
    }

    impl Drop for Chained {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
            let Some(before) = &self.0 else { return };
            let mut found = MaybeUninit::<libc::sigaction>::uninit();
            // SAFETY: the first call writes the action, or fails; the second one puts back what stood there. Another
            // one, which the call has set, stays.
            unsafe {
                let is_found = libc::sigaction(libc::SIGINT, ptr::null(), found.as_mut_ptr()) == 0;
                if is_found && found.assume_init().sa_sigaction == handle as *const () as usize {
                    libc::sigaction(libc::SIGINT, before, ptr::null_mut());
                }
            }
        }
    }
}

/// Elsewhere signals are told in no such way.
#[cfg(not(unix))]
mod handler {
    pub(super) fn chain() {}
}
