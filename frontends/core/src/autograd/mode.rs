//! Whether ops are noted: a flag of the thread.

use std::cell::Cell;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
}

/// Whether ops of tensors that require gradients are noted on this thread.
pub fn is_grad_enabled() -> bool {
    ENABLED.get()
}

/// Sets whether they are, until it is set again.
pub fn set_grad_enabled(enabled: bool) {
    ENABLED.set(enabled);
}

/// The flag of before, which is set again at the end of a scope.
#[derive(Debug)]
struct Restored(bool);

impl Drop for Restored {
    fn drop(&mut self) {
        ENABLED.set(self.0);
    }
}

fn scope<T>(enabled: bool, f: impl FnOnce() -> T) -> T {
    let _restored = Restored(ENABLED.replace(enabled));
    f()
}

/// Calls a function whose ops are not noted.
///
/// ```
/// use ivy_frontend::autograd;
/// assert!(!autograd::no_grad(autograd::is_grad_enabled));
/// assert!(autograd::is_grad_enabled());
/// ```
pub fn no_grad<T>(f: impl FnOnce() -> T) -> T {
    scope(false, f)
}

/// Calls a function whose ops are noted, inside [`no_grad`] too.
pub fn enable_grad<T>(f: impl FnOnce() -> T) -> T {
    scope(true, f)
}
