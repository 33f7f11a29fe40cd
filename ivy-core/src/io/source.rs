//! Bytes with a place: what is read from, by name, and how far.

use super::{malformed, read_error};
use crate::Result;
use crate::host::scratch;
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

    /// At most `len` bytes, all that there are: memory grows with what comes, not with what a header says.
    fn up_to(&mut self, len: usize) -> Result<Vec<u8>> {
        const LEAST: usize = 1 << 16;
        let mut bytes = Vec::new();
        while bytes.len() < len {
            let (before, more) = (bytes.len(), bytes.len().max(LEAST).min(len - bytes.len()));
            scratch::try_reserve(&mut bytes, more).map_err(|refused| refused.by("load"))?;
            bytes.resize(before + more, 0);
            let read = self.fill(&mut bytes[before..]);
            let read = read.map_err(|error| read_error(self.name, self.offset, error))?;
            bytes.truncate(before + read);
            if read < more {
                break;
            }
        }
        Ok(bytes)
    }

    /// Reads into all of `to`, or up to the end of the input; gives how many bytes that were.
    fn fill(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let mut read = 0;
        while read < to.len() {
            match self.reader.read(&mut to[read..]) {
                Ok(0) => break,
                Ok(some) => read += some,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.offset += read as u64;
        Ok(read)
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
