//! A tree's numbers of one type: in the engine's memory, which the host reads and writes where it is its own, on the host, or both while
//! they are equal.

use crate::error::Result;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::{Memory, Target};

/// So many numbers.
pub struct Store {
    ty: Type,
    length: usize,
    /// In the engine, if that is current.
    memory: Option<Memory>,
    /// A copy of a device's bytes on the host, if that is current.
    host: Option<Vec<u8>>,
}

impl Store {
    /// Zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn zeros(target: &dyn Target, ty: Type, length: usize) -> Result<Store> {
        Ok(Store { ty, length, memory: Some(Memory::zeros(target, ty, length)?), host: None })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// The bytes, to be read.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub fn bytes(&mut self) -> Result<&[u8]> {
        let is_own = self.memory.as_ref().is_some_and(|memory| memory.host_bytes().is_some());
        match &self.memory {
            Some(memory) if is_own => Ok(memory.host_bytes().unwrap_or(&[])),
            memory => {
                if self.host.is_none() {
                    let bytes = memory.as_ref().map(Memory::bytes).transpose()?;
                    self.host = Some(bytes.map_or_else(Vec::new, |bytes| bytes.bytes().to_vec()));
                }
                Ok(self.host.as_deref().unwrap_or(&[]))
            }
        }
    }

    /// The bytes, to be written.
    ///
    /// # Errors
    /// As [`bytes`](Store::bytes).
    pub fn bytes_mut(&mut self) -> Result<&mut [u8]> {
        let is_own = self.memory.as_mut().is_some_and(|memory| memory.host_bytes_mut().is_some());
        if !is_own {
            if self.host.is_none() {
                self.host = Some(self.bytes()?.to_vec());
            }
            self.memory = None;
        }
        let own = self.memory.as_mut().and_then(Memory::host_bytes_mut);
        Ok(own.or(self.host.as_deref_mut()).unwrap_or(&mut []))
    }

    /// Takes the memory away, for a launch that may write to it; [`give`](Store::give) brings it back.
    ///
    /// # Errors
    /// No memory.
    pub fn take(&mut self, target: &dyn Target) -> Result<Memory> {
        match (self.memory.take(), self.host.take()) {
            (Some(memory), _) => Ok(memory),
            (None, Some(bytes)) => match Memory::new(target, self.ty, &bytes) {
                Ok(memory) => Ok(memory),
                Err(error) => {
                    self.host = Some(bytes);
                    Err(error.into())
                }
            },
            (None, None) => Ok(Memory::zeros(target, self.ty, self.length)?),
        }
    }

    /// Brings memory back after a launch.
    pub fn give(&mut self, memory: Memory) {
        self.memory = Some(memory);
    }
}

/// The bits of the number at a place of bytes.
pub fn read(bytes: &[u8], width: usize, element: usize) -> Option<u64> {
    let bytes = bytes.get(element.checked_mul(width)?..)?.get(..width)?;
    let mut word = [0; 8];
    word[..width].copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

/// Writes the bits of a number to a place of bytes.
pub fn write(bytes: &mut [u8], width: usize, element: usize, bits: u64) {
    let start = element.checked_mul(width);
    if let Some(place) = start.and_then(|start| bytes.get_mut(start..)?.get_mut(..width)) {
        place.copy_from_slice(&bits.to_le_bytes()[..width]);
    }
}
