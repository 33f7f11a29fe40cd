//! Memory of a device, kept for what comes next.

use super::device::Device;
use super::failure::Failure;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Blocks up to this many bytes are powers of two; larger ones are multiples of it.
const SMALL: usize = 1 << 21;
/// No block is smaller.
const LEAST: usize = 256;

/// Blocks that are not in use, by their size.
#[derive(Default)]
pub(super) struct Pool {
    free: BTreeMap<usize, Vec<u64>>,
}

impl Pool {
    /// The size of the block for so many bytes.
    pub(super) fn class(bytes: usize) -> Option<usize> {
        match bytes.max(LEAST) {
            small @ ..=SMALL => Some(small.next_power_of_two()),
            large => large.checked_next_multiple_of(SMALL),
        }
    }

    pub(super) fn take(&mut self, class: usize) -> Option<u64> {
        self.free.get_mut(&class)?.pop()
    }

    pub(super) fn give(&mut self, class: usize, address: u64) {
        self.free.entry(class).or_default().push(address);
    }

    /// All blocks.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = u64> + use<> {
        std::mem::take(&mut self.free).into_values().flatten()
    }
}

/// A block of a device's memory, which goes back to the pool in the end.
pub struct Memory {
    device: Arc<Device>,
    address: u64,
    class: usize,
}

impl Memory {
    /// A block of at least so many bytes, of any content.
    ///
    /// # Errors
    /// No memory.
    pub fn new(device: &Arc<Device>, bytes: usize) -> Result<Memory, Failure> {
        let none = || Failure::Memory { bytes, free: device.free_memory() };
        let class = Pool::class(bytes).ok_or_else(none)?;
        let address = device.block(class)?.ok_or_else(none)?;
        Ok(Memory { device: device.clone(), address, class })
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Where it begins.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// How many bytes it has at least.
    pub fn bytes(&self) -> usize {
        self.class
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.device.give(self.class, self.address);
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({:#x}, {} bytes)", self.address, self.class)
    }
}
