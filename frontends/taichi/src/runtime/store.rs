//! A tree's numbers of one type: in the engine's memory, on the host, or both while they are equal.

use crate::error::Result;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::{Memory, Target};

/// So many numbers.
pub struct Store {
    ty: Type,
    length: usize,
    /// In the engine, if that is current.
    memory: Option<Memory>,
    /// Their bytes on the host, if these are current.
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

    /// The bytes, to be read.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub fn bytes(&mut self) -> Result<&[u8]> {
        if self.host.is_none() {
            let bytes = match &self.memory {
                Some(memory) => memory.bytes()?.bytes().to_vec(),
                None => Vec::new(),
            };
            self.host = Some(bytes);
        }
        Ok(self.host.as_deref().unwrap_or(&[]))
    }

    /// The bytes, to be written.
    ///
    /// # Errors
    /// As [`bytes`](Store::bytes).
    pub fn bytes_mut(&mut self) -> Result<&mut [u8]> {
        self.bytes()?;
        self.memory = None;
        Ok(self.host.as_deref_mut().unwrap_or(&mut []))
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
