//! Which of a device's own kernels a piece of work has run, for the history.

use super::device::Kernel;
use super::failure::Failure;
use super::kept::{Kept, Made};
use super::own::Own;
use crate::codegen::ptx::Product;
use crate::ir::Type;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// What the kernels were that a piece of work has run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The number of the last one: the same for the same kernel.
    pub hash: u64,
    /// How many ran.
    pub kernels: usize,
    /// The instructions in their texts.
    pub instructions: usize,
    /// How long it took to make those that were not there; `None` if all were.
    pub compile: Option<Duration>,
}

/// What is kept on a device, for a piece of work that notes what it takes of it: each kernel that it asks for
/// runs once.
pub struct Uses<'k> {
    kept: &'k Kept,
    used: Cell<Used>,
}

impl<'k> Uses<'k> {
    /// For work that begins.
    pub fn of(kept: &'k Kept) -> Uses<'k> {
        Uses { kept, used: Cell::default() }
    }

    /// What has run so far.
    pub fn used(&self) -> Used {
        self.used.get()
    }

    /// The kernel for products.
    pub(super) fn product(&self, key: Product) -> Result<Arc<Kernel>, Failure> {
        self.kept.product(key).map(|made| self.noted(made))
    }

    /// The kernel that adds parts of products.
    pub(super) fn parts(&self, ty: Type) -> Result<Arc<Kernel>, Failure> {
        self.kept.parts(ty).map(|made| self.noted(made))
    }

    /// A kernel that comes from no trace.
    pub(super) fn own(&self, key: Own) -> Result<Arc<Kernel>, Failure> {
        self.kept.own(key).map(|made| self.noted(made))
    }

    fn noted(&self, (made, compile): (Made, Option<Duration>)) -> Arc<Kernel> {
        let before = self.used.get();
        self.used.set(Used {
            hash: made.hash,
            kernels: before.kernels + 1,
            instructions: before.instructions + made.instructions,
            compile: match (before.compile, compile) {
                (Some(before), Some(more)) => Some(before + more),
                (before, more) => before.or(more),
            },
        });
        made.kernel
    }
}

impl Deref for Uses<'_> {
    type Target = Kept;
    fn deref(&self) -> &Kept {
        self.kept
    }
}
