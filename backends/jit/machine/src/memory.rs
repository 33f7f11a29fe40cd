//! Memory of a device: blocks at addresses that are no host's, with nothing between them.

use crate::parse::{Fault, fault};
use std::collections::BTreeMap;

/// What a device has allocated.
#[derive(Debug)]
pub struct Memory {
    blocks: BTreeMap<u64, Vec<u8>>,
    next: u64,
    used: u64,
    /// How many bytes there are.
    pub capacity: u64,
}

/// Blocks begin at multiples of this.
const ALIGNMENT: u64 = 256;

impl Memory {
    /// Memory of so many bytes.
    pub fn new(capacity: u64) -> Memory {
        Memory { blocks: BTreeMap::new(), next: 0x7f00_0000_0000, used: 0, capacity }
    }

    /// The bytes that are not allocated.
    pub fn free(&self) -> u64 {
        self.capacity.saturating_sub(self.used)
    }

    /// The bytes that are.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// A block of so many bytes, which are not zeros; `None` if there are not so many.
    pub fn allocate(&mut self, bytes: u64) -> Option<u64> {
        if bytes == 0 || bytes > self.free() {
            return None;
        }
        let address = self.next;
        // What no block has lies between any two.
        self.next += bytes.next_multiple_of(ALIGNMENT) + ALIGNMENT;
        self.used += bytes;
        self.blocks.insert(address, vec![0xa5; bytes as usize]);
        Some(address)
    }

    /// Gives a block back; false if none begins there.
    pub fn release(&mut self, address: u64) -> bool {
        let block = self.blocks.remove(&address);
        self.used -= block.as_ref().map_or(0, |b| b.len() as u64);
        block.is_some()
    }

    /// The bytes from an address on.
    ///
    /// # Errors
    /// Bytes that no block has.
    pub fn bytes(&mut self, address: u64, count: usize) -> Result<&mut [u8], Fault> {
        let found = self.blocks.range_mut(..=address).next_back();
        let within = found.and_then(|(first, block)| {
            let at = usize::try_from(address - first).ok()?;
            block.get_mut(at..at.checked_add(count)?)
        });
        within.map_or_else(|| fault(format!("an access of {count} bytes at {address:#x}")), Ok)
    }
}

pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
}
