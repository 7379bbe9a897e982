//! The compression of BLAKE2 with a number of rounds that the caller gives (EIP-152), as a loop:
//! the engine's own is unrolled, 9 kB of WebAssembly for a precompile that is hardly used.

/// The beginning of the second half of the working vector (RFC 7693, section 2.6).
const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// Order of the message's words in each of ten rounds, which repeat (section 2.7).
const SIGMA: [[u8; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// Words of the working vector that each of a round's eight steps mixes: columns, then diagonals.
const STEPS: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

/// Mixes block `m`, at offset `t`, into `h`.
#[allow(clippy::indexing_slicing, reason = "every index is below 16, as the tables say")]
pub(super) fn compress(rounds: u32, h: &mut [u64; 8], m: &[u64; 16], t: [u64; 2], last: bool) {
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..].copy_from_slice(&IV);
    v[12] ^= t[0];
    v[13] ^= t[1];
    if last {
        v[14] = !v[14];
    }
    for order in SIGMA.iter().cycle().take(usize::try_from(rounds).unwrap_or(usize::MAX)) {
        for (step, pair) in STEPS.iter().zip(order.as_chunks::<2>().0) {
            let mut words = step.map(|index| v[index]);
            mix(&mut words, m[usize::from(pair[0])], m[usize::from(pair[1])]);
            for (index, word) in step.iter().zip(words) {
                v[*index] = word;
            }
        }
    }
    for (index, word) in h.iter_mut().enumerate() {
        *word ^= v[index] ^ v[index | 8];
    }
}

/// The function G, in the RFC's letters (section 3.1).
#[allow(clippy::many_single_char_names, reason = "the RFC's names")]
fn mix([a, b, c, d]: &mut [u64; 4], x: u64, y: u64) {
    for (word, to_d, to_b) in [(x, 32, 24), (y, 16, 63)] {
        *a = a.wrapping_add(*b).wrapping_add(word);
        *d = (*d ^ *a).rotate_right(to_d);
        *c = c.wrapping_add(*d);
        *b = (*b ^ *c).rotate_right(to_b);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects)]

    use super::*;

    /// The engine's own compression, over numbers of rounds on both sides of ten.
    #[test]
    fn the_engines_own_gives_the_same() {
        let word = |seed: u64| seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for rounds in [0, 1, 2, 9, 10, 11, 12, 20, 33] {
            for last in [false, true] {
                let seed = u64::from(rounds) * 64;
                let mut ours = core::array::from_fn(|index| word(seed + index as u64));
                let m = core::array::from_fn(|index| word(seed + 8 + index as u64));
                let t = [word(seed + 30), word(seed + 31)];
                let mut theirs = ours;
                compress(rounds, &mut ours, &m, t, last);
                revm::precompile::blake2::compress(rounds, &mut theirs, &m, &t, last);
                assert_eq!(ours, theirs, "{rounds} rounds");
            }
        }
    }
}
