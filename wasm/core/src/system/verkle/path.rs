//! The way to a key: digits of its hash.

use crate::hash::Hash;

/// Digit number `level` of a hash: its bits [level·bits, (level + 1)·bits), most significant first.
///
/// * `bits`: log₂ k.
pub fn digit(hash: &Hash, level: usize, bits: usize) -> usize {
    let start = level.saturating_mul(bits);
    let end = start.saturating_add(bits);
    (start..end).fold(0, |digit, at| digit << 1 | usize::from(bit(hash, at)))
}

/// A hash cut to the digits that stand before `level`: what a node of that level is known by.
pub(super) fn prefix(hash: &Hash, level: usize, bits: usize) -> [u8; 48] {
    let kept = level.saturating_mul(bits);
    let mut prefix = [0; 48];
    // At most 51 levels. The length is that of a point: one kind of map serves for both.
    let [.., last] = &mut prefix;
    [*last, ..] = level.to_le_bytes();
    for (index, (to, from)) in prefix.iter_mut().zip(hash.0).enumerate() {
        let whole = kept.saturating_sub(index.saturating_mul(8)).min(8);
        // The highest `whole` bits of this byte.
        let mask = u8::try_from(0xff00_u16 >> whole & 0xff).unwrap_or(0);
        *to = from & mask;
    }
    prefix
}

fn bit(hash: &Hash, at: usize) -> u8 {
    let byte = hash.0.get(at / 8).copied().unwrap_or(0);
    byte >> (7 & !at) & 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_bits_in_order() {
        let mut hash = Hash::ZERO;
        (hash.0[0], hash.0[1], hash.0[2], hash.0[31]) = (0b1010_0101, 0xf0, 0x0f, 0x81);
        assert_eq!([0, 1, 2, 3].map(|level| digit(&hash, level, 8)), [0xa5, 0xf0, 0x0f, 0]);
        assert_eq!(digit(&hash, 31, 8), 0x81);
        assert_eq!([0, 1, 2].map(|level| digit(&hash, level, 5)), [0b10100, 0b10111, 0b11000]);
        assert_eq!([0, 1].map(|level| digit(&hash, level, 10)), [0b10_1001_0111, 0b11_0000_0000]);
    }

    #[test]
    fn prefixes_agree_as_far_as_the_digits_before_do() {
        let (a, mut b) = (Hash([0xff; 32]), Hash([0xff; 32]));
        b.0[1] = 0b1111_1011;
        for bits in [5, 8, 10] {
            for level in 0..256 / bits {
                let same = (0..level).all(|at| digit(&a, at, bits) == digit(&b, at, bits));
                assert_eq!(prefix(&a, level, bits) == prefix(&b, level, bits), same);
                assert_eq!(same, level * bits <= 13);
            }
        }
        assert_ne!(prefix(&a, 0, 8), prefix(&a, 1, 8));
    }
}
