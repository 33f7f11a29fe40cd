//! What a launch over one row reads.

use ivy_core::host::Buffer;

/// An input of a single row.
pub enum Held {
    /// Elements side by side, from this byte of the memory on.
    Memory(Buffer, usize),
    /// The bytes of one element.
    Literal([u64; 2]),
}

impl Held {
    /// Its address, and how many bytes there are; `None` if it begins outside of its memory.
    pub(super) fn reach(&self) -> Option<(*const u8, usize)> {
        match self {
            Held::Memory(buffer, first) => {
                let bytes = buffer.bytes().get(*first..)?;
                Some((bytes.as_ptr(), bytes.len()))
            }
            Held::Literal(words) => Some((words.as_ptr().cast(), size_of_val(words))),
        }
    }
}
