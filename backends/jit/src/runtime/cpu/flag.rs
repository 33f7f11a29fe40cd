//! What the checks of a kernel set.

use super::super::fault;
use crate::codegen::Argument;
use ivy_core::Result;
use std::sync::atomic::{AtomicU8, Ordering};

/// The bytes of a launch's flag, which its tasks set on any thread.
#[derive(Default)]
pub(super) struct Flag([AtomicU8; 2]);

impl Flag {
    /// It as a kernel's last argument; it stays where it is until the launch has ended.
    pub(super) fn argument(&self) -> Argument {
        Argument { base: self.0.as_ptr().cast_mut().cast(), stride: 0, row: 0 }
    }

    /// What was found.
    ///
    /// # Errors
    /// [`ivy_core::ErrorKind::IndexOutOfRange`], without more, if a check failed.
    pub(super) fn result(&self) -> Result<()> {
        fault([0, 1].map(|part: usize| self.0[part].load(Ordering::Relaxed)))
    }
}
