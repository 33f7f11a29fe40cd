//! A small generator of numbers that depend on the seed only.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator of a seed and of words that set it apart.
    pub fn new(seed: u64, words: &[&str]) -> Rng {
        let first = Rng(seed ^ 0x9e37_79b9_7f4a_7c15);
        words.iter().fold(first, |rng, word| rng.for_word(word))
    }

    /// Another generator, which a word more sets apart.
    pub fn for_word(&self, word: &str) -> Rng {
        let with = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Rng(word.bytes().chain([0]).fold(self.0, with))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}
