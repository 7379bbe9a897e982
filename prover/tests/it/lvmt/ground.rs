//! Keys whose hashes collide at k = 16: 8-byte big-endian numbers, found among the first
//! 215,678,256 by counting the 32-bit prefixes of their hashes until one came up for the sixth
//! time.

/// Numbers of keys whose hashes begin with 0x7818f585: six, so that one of them stands at level 2
/// or below.
const DEEP: [u64; 6] = [53_291_771, 73_307_494, 110_358_695, 173_936_104, 192_277_020, 215_678_254];

/// The first numbers of keys whose hashes begin with 0x7818, and go on otherwise.
const LEAF: [u64; 24] = [
    116_299, 239_178, 249_596, 255_507, 259_584, 425_984, 517_283, 767_023, 780_561, 793_294,
    812_426, 826_674, 887_610, 977_920, 1_097_637, 1_159_285, 1_197_369, 1_325_937, 1_378_074,
    1_421_124, 1_548_037, 1_548_955, 1_568_313, 1_618_411,
];

fn keys(numbers: &[u64]) -> Vec<Vec<u8>> {
    numbers.iter().map(|number| number.to_be_bytes().to_vec()).collect()
}

/// Keys of one leaf at level 0 and one at level 1.
pub(crate) fn deep() -> Vec<Vec<u8>> {
    keys(&DEEP)
}

/// Keys of that leaf at level 0, and of others at level 1.
pub(crate) fn leaf() -> Vec<Vec<u8>> {
    keys(&LEAF)
}
