//! Bytes and little-endian words of a state.

/// Takes a little-endian word off the front of bytes, and its length: eight, or fewer at the end,
/// the other bytes zero.
pub(crate) fn next_word(bytes: &mut &[u8]) -> Option<(u64, usize)> {
    if let Some((word, rest)) = bytes.split_first_chunk() {
        *bytes = rest;
        return Some((u64::from_le_bytes(*word), 8));
    }
    let last = core::mem::take(bytes);
    let word = last.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte));
    (!last.is_empty()).then_some((word, last.len()))
}

/// Adds a word at byte `at`, a place in `words`; what of it has no room before the next word's
/// place comes back.
pub(crate) fn add(words: &mut [u64], at: usize, word: u64) -> u64 {
    let shift = at % 8 * 8;
    xor(words, at / 8, word << shift);
    (word >> 1) >> (63 - shift)
}

/// Beyond the end there is nothing to add to.
pub(crate) fn xor(words: &mut [u64], index: usize, word: u64) {
    if let Some(to) = words.get_mut(index) {
        *to ^= word;
    }
}

pub(crate) fn bytes_of(words: &[u64]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
    bytes
}
