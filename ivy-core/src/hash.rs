//! A fast hash for keys of a few words that no stranger chooses: of plans, traces, kernels.

use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies and rotates word by word. It does not withstand keys that are chosen to collide.
///
/// ```
/// use std::collections::HashMap;
/// let mut sizes: HashMap<(u32, u64), usize, ivy_core::hash::WordHash> = HashMap::default();
/// sizes.insert((1, 2), 3);
/// assert_eq!(sizes.get(&(1, 2)), Some(&3));
/// ```
#[derive(Clone, Copy, Default)]
pub struct WordHasher(u64);

/// Makes [`WordHasher`]s.
pub type WordHash = BuildHasherDefault<WordHasher>;

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        // The high bits are the well mixed ones; tables use the low bits too.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(26) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}
