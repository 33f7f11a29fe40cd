//! Slots of equal size, by index.

use crate::layout::LayoutError;

/// The slots of a node.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    slot_bytes: u64,
    bytes: Vec<u8>,
    slots: u32,
    free: Vec<u32>,
    /// Slots that are out of use and still hold their values, until garbage is collected.
    retired: Vec<u32>,
}

impl Arena {
    pub(super) fn new(slot_bytes: u64) -> Arena {
        Arena { slot_bytes, bytes: Vec::new(), slots: 0, free: Vec::new(), retired: Vec::new() }
    }

    /// A slot of zeros; `None` where there are as many as the limit says.
    pub(super) fn take(&mut self, limit: u32) -> Result<Option<u32>, LayoutError> {
        if let Some(slot) = self.free.pop() {
            return Ok(Some(slot));
        }
        if self.slots >= limit {
            return Ok(None);
        }
        let more = usize::try_from(self.slot_bytes).ok();
        let fits = more.filter(|&more| self.bytes.try_reserve(more).is_ok());
        let more = fits.ok_or(LayoutError::OutOfMemory { bytes: self.slot_bytes })?;
        self.bytes.resize(self.bytes.len() + more, 0);
        self.slots += 1;
        Ok(Some(self.slots - 1))
    }

    /// Takes a slot out of use.
    pub(super) fn retire(&mut self, slot: u32) {
        self.retired.push(slot);
    }

    /// Makes the slots that are out of use zero, to be taken again; how many they are.
    pub(super) fn collect(&mut self) -> usize {
        let retired = std::mem::take(&mut self.retired);
        for &slot in &retired {
            self.slot_mut(slot).fill(0);
        }
        self.free.extend(&retired);
        retired.len()
    }

    /// The slots in use.
    pub(super) fn used(&self) -> usize {
        self.slots as usize - self.free.len() - self.retired.len()
    }

    /// The bytes of all slots, in use or not.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn slot(&self, slot: u32) -> &[u8] {
        let first = slot as usize * self.slot_bytes as usize;
        &self.bytes[first..first + self.slot_bytes as usize]
    }

    pub(super) fn slot_mut(&mut self, slot: u32) -> &mut [u8] {
        let first = slot as usize * self.slot_bytes as usize;
        &mut self.bytes[first..first + self.slot_bytes as usize]
    }
}

/// So many zeros.
pub(super) fn zeroed(bytes: u64) -> Result<Vec<u8>, LayoutError> {
    let mut zeros = Vec::new();
    let count = usize::try_from(bytes).ok().filter(|&count| zeros.try_reserve_exact(count).is_ok());
    zeros.resize(count.ok_or(LayoutError::OutOfMemory { bytes })?, 0);
    Ok(zeros)
}
