//! RIPEMD-160 as a loop; unrolled it takes 5 kB of WebAssembly.

/// Message words of the left line's steps, and of the right one's.
const WORDS: [[u8; 80]; 2] = [
    [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9,
        5, 2, 14, 11, 8, 3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8,
        12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
    ],
    [
        5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8,
        12, 4, 9, 1, 2, 15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11,
        15, 0, 5, 12, 2, 13, 9, 7, 10, 14, 12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
    ],
];

/// Bits that each step rotates by.
const TURNS: [[u8; 80]; 2] = [
    [
        11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12,
        15, 9, 11, 7, 13, 12, 11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14,
        15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12, 9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11,
        8, 5, 6,
    ],
    [
        8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7,
        12, 7, 6, 15, 13, 11, 9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11,
        14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8, 8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13,
        11, 11,
    ],
];

/// What each line adds in its five rounds.
const SUMS: [[u32; 5]; 2] = [
    [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e],
    [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0],
];

/// The hash of a message.
pub(super) fn digest(message: &[u8]) -> [u8; 20] {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let (blocks, rest) = message.as_chunks::<64>();
    for block in blocks {
        compress(&mut state, block);
    }
    // A one bit, zeros, and the length in bits; in a block of their own where they do not fit.
    let mut last = [0; 64];
    let bits = (message.len() as u64).wrapping_mul(8).to_le_bytes();
    for (to, from) in last.iter_mut().zip(rest.iter().chain(&[0x80])) {
        *to = *from;
    }
    if rest.len() >= 56 {
        compress(&mut state, &last);
        last = [0; 64];
    }
    if let Some(end) = last.last_chunk_mut() {
        *end = bits;
    }
    compress(&mut state, &last);
    let mut digest = [0; 20];
    for (to, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *to = word.to_le_bytes();
    }
    digest
}

fn compress(state: &mut [u32; 5], block: &[u8; 64]) {
    let [left, right] = [0, 1].map(|side| line(*state, block, side));
    let [h0, h1, h2, h3, h4] = *state;
    let sum = |h: u32, left: u32, right: u32| h.wrapping_add(left).wrapping_add(right);
    *state = [
        sum(h1, left[2], right[3]),
        sum(h2, left[3], right[4]),
        sum(h3, left[4], right[0]),
        sum(h4, left[0], right[1]),
        sum(h0, left[1], right[2]),
    ];
}

/// Eighty steps of one line; the right one takes the functions in the opposite order.
#[allow(clippy::indexing_slicing, reason = "sides are 0 and 1, steps below 80, words below 16")]
#[allow(clippy::many_single_char_names, reason = "the names of the definition")]
fn line([mut a, mut b, mut c, mut d, mut e]: [u32; 5], block: &[u8; 64], side: usize) -> [u32; 5] {
    let words = block.as_chunks::<4>().0;
    for step in 0..80_usize {
        let round = step >> 4;
        let mixed = match if side == 0 { round } else { 4_usize.saturating_sub(round) } {
            0 => b ^ c ^ d,
            1 => (b & c) | (!b & d),
            2 => (b | !c) ^ d,
            3 => (b & d) | (c & !d),
            _ => b ^ (c | !d),
        };
        let word = u32::from_le_bytes(words[usize::from(WORDS[side][step])]);
        let sum = a.wrapping_add(mixed).wrapping_add(word).wrapping_add(SUMS[side][round]);
        let turned = sum.rotate_left(u32::from(TURNS[side][step])).wrapping_add(e);
        (a, b, c, d, e) = (e, turned, b, c.rotate_left(10), d);
    }
    [a, b, c, d, e]
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use ::ripemd::Digest as _;

    use super::*;

    #[test]
    fn every_length_around_a_block_is_hashed_as_elsewhere() {
        let message: Vec<u8> = (0..=255).collect();
        for length in 0..=256 {
            let message = &message[..length];
            let theirs: [u8; 20] = ::ripemd::Ripemd160::digest(message).into();
            assert_eq!(digest(message), theirs, "{length}");
        }
    }
}
