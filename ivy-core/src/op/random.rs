//! The numbers behind [`super::Op::RandomBits`]: Philox4x32-10 of Salmon, Moraes, Dror and Shaw,
//! "Parallel random numbers: as easy as 1, 2, 3" (2011).

/// How far the two words of the key go on from round to round: the golden ratio and the square root of 3, less 1,
/// in units of 2^-32.
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// What words of the counter are multiplied by.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];

/// How many rounds there are.
pub const PHILOX_ROUNDS: u32 = 10;

/// The constants of a round of [`philox`]: what words 0 and 2 are multiplied by, and what is added to the words of
/// the key after it.
pub const PHILOX_CONSTANTS: ([u32; 2], [u32; 2]) = (MULTIPLIERS, WEYL);

/// The block of four random words of a counter under a key. Different counters under one key have blocks that no
/// test of randomness tells from independent ones, and one counter may be asked without those before it.
///
/// ```
/// assert_eq!(ivy_core::philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[inline(always)]
pub const fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter, key);
    let mut round = 0;
    while round < PHILOX_ROUNDS {
        let first = a as u64 * MULTIPLIERS[0] as u64;
        let second = c as u64 * MULTIPLIERS[1] as u64;
        a = (second >> 32) as u32 ^ b ^ k;
        b = second as u32;
        c = (first >> 32) as u32 ^ d ^ l;
        d = first as u32;
        k = k.wrapping_add(WEYL[0]);
        l = l.wrapping_add(WEYL[1]);
        round += 1;
    }
    [a, b, c, d]
}
