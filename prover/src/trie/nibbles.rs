//! Paths of 4-bit nibbles, one per byte, and their hex-prefix encoding (Yellow Paper, appendix C).

/// A path: each byte is 0..=15.
pub type Nibbles = Vec<u8>;

/// The nibbles of `bytes`, high one first.
pub fn unpack(bytes: &[u8]) -> Nibbles {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect()
}

/// Two nibbles a byte; an odd last nibble is padded with zero.
pub fn pack(nibbles: &[u8]) -> Vec<u8> {
    nibbles.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

/// Hex-prefix encoding: the flag nibble is 2 for a leaf, plus 1 if the path is odd.
pub fn hex_prefix(path: &[u8], leaf: bool) -> Vec<u8> {
    let odd = path.len() % 2 == 1;
    let flag = u8::from(leaf) << 1 | u8::from(odd);
    let mut prefixed = vec![flag];
    if !odd {
        prefixed.push(0);
    }
    prefixed.extend_from_slice(path);
    pack(&prefixed)
}

/// Undoes [`hex_prefix`]: the path and whether it is a leaf's. `None` if the bytes are no
/// hex-prefix encoding.
pub fn from_hex_prefix(bytes: &[u8]) -> Option<(Nibbles, bool)> {
    let nibbles = unpack(bytes);
    let flag = *nibbles.first()?;
    if flag > 3 {
        return None;
    }
    let path = if flag & 1 == 1 { nibbles.get(1..)? } else { nibbles.get(2..)? };
    Some((path.to_vec(), flag & 2 == 2))
}

/// Length of the longest common prefix.
pub fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_prefix_round_trips() {
        for length in 0..6 {
            let path: Nibbles = (1..=length).collect();
            for leaf in [false, true] {
                assert_eq!(from_hex_prefix(&hex_prefix(&path, leaf)), Some((path.clone(), leaf)));
            }
        }
        assert_eq!(hex_prefix(&[15, 1, 12, 11, 8], true), [0x3f, 0x1c, 0xb8]);
        assert_eq!(from_hex_prefix(&[0x40]), None);
        assert_eq!(from_hex_prefix(&[]), None);
    }
}
