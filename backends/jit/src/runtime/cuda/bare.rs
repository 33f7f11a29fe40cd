//! A launch of nothing, beside which the engine's launches are measured.

use super::device::{Device, Kernel};
use super::failure::Failure;
use crate::codegen::ptx::{WARP, empty};
use std::sync::Arc;

/// A kernel that reads, computes and writes nothing.
pub struct Bare(Kernel);

impl Bare {
    /// The kernel on a device.
    ///
    /// # Errors
    /// What the driver's assembler says.
    pub fn new(device: &Arc<Device>) -> Result<Bare, Failure> {
        device.kernel(&empty()).map(Bare)
    }

    /// Starts it: what this takes on the host is the driver's own part of any launch.
    ///
    /// # Errors
    /// What a launch before ended with.
    pub fn start(&self) -> Result<(), Failure> {
        self.0.device().start(&self.0, 1, (WARP, 1), &[0])
    }
}
