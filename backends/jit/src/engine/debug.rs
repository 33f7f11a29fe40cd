//! What the engine remembers for whoever looks for a mistake: where the calls were made whose errors
//! come later.

use super::Engine;
use crate::environment::switch;
use crate::trace::Asked;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable that turns it on.
const VARIABLE: &str = "IVY_JIT_DEBUG";

pub(super) struct Debug(AtomicBool);

impl Debug {
    /// As the environment says.
    pub(super) fn of_environment() -> Debug {
        Debug(AtomicBool::new(switch(VARIABLE, false)))
    }
}

impl Engine {
    /// True if the engine remembers where in the program calls were made that may fail when they
    /// are evaluated, for [`ivy_core::Error::origin`].
    pub fn debug(&self) -> bool {
        self.debug.0.load(Ordering::Relaxed)
    }

    /// Turns that on or off; gives what was before. Each such call takes milliseconds with it, and
    /// needs a program with a table of lines.
    pub fn set_debug(&self, on: bool) -> bool {
        self.debug.0.swap(on, Ordering::Relaxed)
    }

    /// The call at hand, of a function: where it was made, if that is to be remembered.
    pub(super) fn asked(&self, function: &'static str) -> Asked {
        let origin = self.debug().then(ivy_core::origin::caller).flatten().map(Arc::from);
        Asked { function, origin }
    }
}
