//! What a launch over one row reads.

use super::cuda::Memory;
use ivy_core::host::Buffer;
use std::sync::Arc;

/// An input of a single row.
pub enum Held {
    /// Elements side by side, from this byte of the memory on.
    Memory(Buffer, usize),
    /// Elements side by side in a device's memory, from this byte of it on.
    Device(Arc<Memory>, usize),
    /// The bytes of one element.
    Literal([u64; 2]),
}

impl Held {
    /// Its address, and how many bytes there are; `None` if it begins outside of its memory, or that is not
    /// the host's.
    pub(super) fn reach(&self) -> Option<(*const u8, usize)> {
        match self {
            Held::Memory(buffer, first) => {
                let bytes = buffer.bytes().get(*first..)?;
                Some((bytes.as_ptr(), bytes.len()))
            }
            Held::Device(..) => None,
            Held::Literal(words) => Some((words.as_ptr().cast(), size_of_val(words))),
        }
    }
}
