//! Bytes with a place: what is read from, by name, and how far.

use super::{malformed, read_error};
use crate::Result;
use std::io::Read;

/// A reader that knows its name and how many bytes it gave.
pub(super) struct Source<'a, R> {
    pub name: &'a str,
    pub offset: u64,
    reader: R,
}

impl<'a, R: Read> Source<'a, R> {
    pub fn new(reader: R, name: &'a str) -> Source<'a, R> {
        Source { name, offset: 0, reader }
    }

    /// At most `len` bytes, all that there are: memory grows with what comes.
    fn up_to(&mut self, len: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(len as u64).read_to_end(&mut bytes);
        self.offset += bytes.len() as u64;
        read.map_err(|error| read_error(self.name, self.offset, error))?;
        Ok(bytes)
    }

    /// Exactly `len` bytes of `what`.
    pub fn exactly(&mut self, len: usize, what: &str) -> Result<Vec<u8>> {
        let bytes = self.up_to(len)?;
        if bytes.len() == len {
            return Ok(bytes);
        }
        let rule = format!("{what}: {len} bytes are needed and the input ends after {}", bytes.len());
        Err(malformed(self.name, self.offset, rule))
    }

    /// A number of `N` bytes, as they are.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let bytes = self.exactly(N, what)?;
        let mut out = [0; N];
        out.copy_from_slice(&bytes);
        Ok(out)
    }
}
