//! Literals as memory: two words, aligned for every element.

/// The bytes of two words.
pub(super) fn bytes_of(words: &[u64; 2]) -> &[u8] {
    // SAFETY: any words are bytes, and 16 of them are the words' memory.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), 16) }
}

/// The words that begin with these bytes, of which there are at most 16.
pub(crate) fn words_of(bytes: &[u8]) -> [u64; 2] {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_ne_bytes(word)
    };
    let (first, second) = bytes.split_at(bytes.len().min(8));
    [word(first), word(&second[..second.len().min(8)])]
}
