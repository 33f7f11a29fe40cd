//! Memory of a device: blocks at addresses that are no host's, with nothing between them.

use crate::parse::{Fault, fault};

/// What a device has allocated.
#[derive(Debug)]
pub struct Memory {
    /// By their addresses.
    blocks: Vec<(u64, Vec<u8>)>,
    /// The block that was used last: the next is mostly the same.
    last: usize,
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
        Memory { blocks: Vec::new(), last: 0, next: 0x7f00_0000_0000, used: 0, capacity }
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
        // Addresses only grow: the order stays.
        self.blocks.push((address, vec![0xa5; bytes as usize]));
        Some(address)
    }

    /// Gives a block back; false if none begins there.
    pub fn release(&mut self, address: u64) -> bool {
        let Ok(at) = self.blocks.binary_search_by_key(&address, |(first, _)| *first) else { return false };
        self.used -= self.blocks.remove(at).1.len() as u64;
        true
    }

    /// The bytes from an address on.
    ///
    /// # Errors
    /// Bytes that no block has.
    #[inline]
    pub fn bytes(&mut self, address: u64, count: usize) -> Result<&mut [u8], Fault> {
        let within = |(first, block): &(u64, Vec<u8>)| {
            let at = usize::try_from(address.checked_sub(*first)?).ok()?;
            at.checked_add(count).filter(|end| *end <= block.len()).map(|end| at..end)
        };
        let mut range = self.blocks.get(self.last).and_then(within);
        if range.is_none() {
            self.last = self.blocks.partition_point(|(first, _)| *first <= address).saturating_sub(1);
            range = self.blocks.get(self.last).and_then(within);
        }
        match range {
            Some(range) => Ok(&mut self.blocks[self.last].1[range]),
            None => fault(format!("an access of {count} bytes at {address:#x}")),
        }
    }
}

/// The number that some bytes are, which are 8 at most.
#[inline]
pub(crate) fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)),
    }
}
