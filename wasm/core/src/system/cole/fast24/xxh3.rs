//! XXH3, 64 bits, seed 0, for the two lengths that the filters hash.
//!
//! Source: the xxHash specification, XXH3 of inputs of 17 to 128 bytes.

const PRIME64_1: u64 = 0x9e37_79b1_85eb_ca87;

/// The first 64 bytes of the specification's default secret, as little-endian words.
const SECRET: [u64; 8] = [
    0xbe4b_a423_396c_feb8,
    0x1cad_21f7_2c81_017c,
    0xdb97_9083_e96d_d4de,
    0x1f67_b3b7_a4a4_4072,
    0x78e5_c0cc_4ee6_79cb,
    0x2172_ffcc_7dd0_5a82,
    0x8e24_43f7_7446_08b8,
    0x4c26_3a81_e690_35e0,
];

/// Hash of 33 to 64 bytes; `N` is 52 or 53 here.
pub(super) fn hash<const N: usize>(bytes: &[u8; N]) -> u64 {
    const { assert!(N > 32 && N <= 64) };
    let [s0, s1, s2, s3, s4, s5, s6, s7] = SECRET;
    let mixed = [
        mix(bytes, 16, s4, s5),
        mix(bytes, N.saturating_sub(32), s6, s7),
        mix(bytes, 0, s0, s1),
        mix(bytes, N.saturating_sub(16), s2, s3),
    ];
    let start = (N as u64).wrapping_mul(PRIME64_1);
    avalanche(mixed.into_iter().fold(start, u64::wrapping_add))
}

fn mix(bytes: &[u8], at: usize, low: u64, high: u64) -> u64 {
    let left = u128::from(word(bytes, at) ^ low);
    let right = u128::from(word(bytes, at.saturating_add(8)) ^ high);
    let product = left.wrapping_mul(right).to_le_bytes();
    word(&product, 0) ^ word(&product, 8)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    u64::from_le_bytes(word.copied().unwrap_or_default())
}

const fn avalanche(mut hash: u64) -> u64 {
    hash ^= hash >> 37;
    hash = hash.wrapping_mul(0x1656_6791_9e37_79f9);
    hash ^ (hash >> 32)
}
