//! Memory that programs write to.

use super::Target;
use crate::ir::Type;
use crate::runtime::cuda;
use ivy_core::host::Buffer;
use ivy_core::{ErrorKind, Result};
use std::sync::Arc;

/// Elements of a type, in memory that is pooled.
pub struct Memory {
    ty: Type,
    length: usize,
    place: MemoryLocation,
}

/// Where elements are.
pub enum MemoryLocation {
    /// In the host's memory.
    Host(Buffer),
    /// In a device's.
    Device(Arc<cuda::Memory>),
}

/// The error for what a program cannot be given.
pub(super) fn refused(argument: &'static str, value: String, rule: &'static str) -> ivy_core::Error {
    ErrorKind::InvalidArgument { function: "program", argument, value, rule }.into()
}

impl Memory {
    /// So many zeros.
    ///
    /// # Errors
    /// No memory.
    pub fn zeros(target: &dyn Target, ty: Type, length: usize) -> Result<Memory> {
        let bytes = length.checked_mul(ty.bytes());
        let none =
            || ivy_core::Error::from(ErrorKind::no_memory("program", length as u128 * ty.bytes() as u128));
        Memory::of_bytes(target, ty, bytes.and_then(Buffer::zeroed).ok_or_else(none)?)
    }

    /// Elements by their bytes, those of truth values 0 or 1.
    ///
    /// # Errors
    /// No memory; [`ErrorKind::InvalidArgument`] for bytes that are no whole elements, or no truth values.
    pub fn new(target: &dyn Target, ty: Type, bytes: &[u8]) -> Result<Memory> {
        let none = || ivy_core::Error::from(ErrorKind::no_memory("program", bytes.len() as u128));
        Memory::of_bytes(target, ty, Buffer::copy_from(bytes).ok_or_else(none)?)
    }

    fn of_bytes(target: &dyn Target, ty: Type, buffer: Buffer) -> Result<Memory> {
        let bytes = buffer.bytes();
        let rule = "memory holds whole elements, and of truth values the bytes 0 and 1";
        if !bytes.len().is_multiple_of(ty.bytes()) || ty == Type::Bool && bytes.iter().any(|&b| b > 1) {
            return Err(refused("bytes", format!("{} bytes of {ty}", bytes.len()), rule));
        }
        let length = bytes.len() / ty.bytes();
        Ok(Memory { ty, length, place: target.allocate(buffer)? })
    }

    /// So many elements of a place, which has them. Those of truth values are bytes 0 and 1.
    pub(crate) fn of_place(ty: Type, length: usize, place: MemoryLocation) -> Memory {
        Memory { ty, length, place }
    }

    /// Where its elements are.
    pub fn place(&self) -> &MemoryLocation {
        &self.place
    }

    pub(crate) fn place_mut(&mut self) -> &mut MemoryLocation {
        &mut self.place
    }

    /// Takes it apart.
    pub(crate) fn into_place(self) -> MemoryLocation {
        self.place
    }

    /// The type of its elements.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// A copy of its bytes; on a device, when all that was launched has ended.
    ///
    /// # Errors
    /// No memory, or what a launch before ended with.
    pub fn bytes(&self) -> Result<Buffer> {
        let bytes = self.length * self.ty.bytes();
        match &self.place {
            MemoryLocation::Host(buffer) => Buffer::copy_from(&buffer.bytes()[..bytes])
                .ok_or_else(|| ErrorKind::no_memory("program", bytes as u128).into()),
            MemoryLocation::Device(memory) => Ok(cuda::download(memory, bytes)?),
        }
    }

    /// Its bytes where they are, if that is the host's memory.
    pub fn host_bytes(&self) -> Option<&[u8]> {
        match &self.place {
            MemoryLocation::Host(buffer) => Some(&buffer.bytes()[..self.length * self.ty.bytes()]),
            MemoryLocation::Device(_) => None,
        }
    }

    /// Its bytes where they are, to be written: those of the host's memory that nobody else has, other than truth values, which have but two.
    pub fn host_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let bytes = self.length * self.ty.bytes();
        match &mut self.place {
            MemoryLocation::Host(buffer) if self.ty != Type::Bool => buffer.unique_bytes()?.get_mut(..bytes),
            _ => None,
        }
    }

    /// Reads its bytes where they are, or a copy of a device's.
    ///
    /// # Errors
    /// As [`Memory::bytes`].
    pub(super) fn with_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Result<R> {
        match self.host_bytes() {
            Some(bytes) => Ok(read(bytes)),
            None => Ok(read(self.bytes()?.bytes())),
        }
    }

    /// A log without records, by its first word alone; `None` where that is not the host's.
    pub(super) fn emptied(mut self) -> Option<Memory> {
        let MemoryLocation::Host(buffer) = &mut self.place else { return None };
        buffer.unique_bytes()?.first_chunk_mut::<8>()?.fill(0);
        Some(self)
    }

    /// The integer at a place of i32 or i64, or `None` if there is none.
    pub(super) fn integer(&self, element: usize) -> Option<i64> {
        let MemoryLocation::Host(buffer) = &self.place else { return None };
        let bytes = buffer.bytes().get(element.checked_mul(self.ty.bytes())?..)?;
        match self.ty {
            Type::I32 => bytes.first_chunk().map(|&four| i64::from(i32::from_ne_bytes(four))),
            Type::I64 => bytes.first_chunk().map(|&eight| i64::from_ne_bytes(eight)),
            _ => None,
        }
    }
}
