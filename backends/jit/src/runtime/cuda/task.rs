//! Kernels with effects on a device, and the memory that they have there.
//!
//! # The promise
//! As in [`super::launch`]: a launch's words are those that the kernel's text names, and the memory that they
//! lead to stays until the launch has ended, since it goes back to the pool in the order of the stream.

use super::device::Kernel;
use super::failure::Failure;
use super::pool::Memory;
use crate::ir::Effects;
use ivy_core::host::Buffer;

/// Threads of a block whose elements have nothing in common.
const THREADS: u32 = 256;
/// Blocks of those for each multiprocessor; what is left is done by the same threads.
const WAVES: u64 = 8;

/// Launches a kernel of [`crate::codegen::ptx::effects`] over so many elements, or as many as memory says.
///
/// # Errors
/// What a launch before ended with.
pub fn task(kernel: &Kernel, effects: Effects, count: Option<u64>, words: &[u64]) -> Result<(), Failure> {
    let device = kernel.device();
    let threads = match effects {
        Effects { serial: true, .. } => 1,
        Effects { block: 1, .. } => THREADS,
        Effects { block, .. } => block,
    };
    let most = if effects.serial { 1 } else { u64::from(device.processors) * WAVES };
    let blocks = count.map_or(most, |count| count.div_ceil(u64::from(threads))).clamp(1, most);
    device.start(kernel, blocks as u32, (threads, 1), words)
}

/// A copy of a block's first bytes on the host; waits for what was launched.
///
/// # Errors
/// No memory, or what a launch before ended with.
pub fn download(memory: &Memory, bytes: usize) -> Result<Buffer, Failure> {
    let bytes = bytes.min(memory.bytes());
    let copied = memory.device().download(memory, 0, bytes)?;
    copied.ok_or(Failure::Memory { bytes, free: 0 })
}
