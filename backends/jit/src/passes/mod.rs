//! What makes kernels smaller before code is made of them. A pass is a function from kernel to
//! kernel that keeps what [`crate::ir::verify`] checks; the pipeline is data.

mod dead;
mod same;

pub use dead::dead;
pub use same::same;

use crate::ir::Kernel;

/// A named pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name, for logs.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&mut Kernel),
}

/// The passes, in the order in which they run.
pub const PIPELINE: &[Pass] = &[Pass { name: "same", run: same }, Pass { name: "dead", run: dead }];

/// Runs passes one after the other.
pub fn run(kernel: &mut Kernel, passes: &[Pass]) {
    for pass in passes {
        (pass.run)(kernel);
        debug_assert_eq!(crate::ir::verify(kernel), Ok(()), "after the pass `{}`:\n{kernel}", pass.name);
    }
}
