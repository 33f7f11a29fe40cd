//! A launch of nothing, beside which the engine's launches are measured.

use super::device::{Device, Kernel};
use super::failure::Failure;
use crate::codegen::ptx::empty;
use std::sync::Arc;

/// The words of a kernel's argument that has one input and one result.
const WORDS: usize = 6;
/// Threads of a block, as the engine's launches have them.
const THREADS: u32 = 256;

/// A kernel that reads, computes and writes nothing.
pub struct Bare(Kernel);

impl Bare {
    /// The kernel on a device.
    ///
    /// # Errors
    /// What the driver's assembler says.
    pub fn new(device: &Arc<Device>) -> Result<Bare, Failure> {
        device.kernel(&empty(WORDS)).map(Bare)
    }

    /// Starts it with a thread for each of some elements: what this takes on the host is the driver's own part of
    /// any launch.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn start(&self, elements: u32) -> Result<(), Failure> {
        self.0.device().start(&self.0, elements.div_ceil(THREADS), (THREADS, 1), &[0; WORDS])
    }
}
