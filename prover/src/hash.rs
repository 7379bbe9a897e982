//! Keccak-256, the hash of the devnet's blocks and of its Merkle Patricia tries, and SHA-256, the
//! hash of its committees.

use sha2::Sha256;
use sha3::{Digest as _, Keccak256};

/// A 32-byte hash, slot key or slot value.
pub type Word = [u8; 32];

/// Keccak-256 of the empty string: the code hash of an account without code.
pub const EMPTY_CODE_HASH: Word = [
    0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0,
    0xe5, 0x00, 0xb6, 0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
];

/// Keccak-256 of the RLP of the empty string: the root of an empty trie.
pub const EMPTY_ROOT: Word = [
    0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e,
    0x5b, 0x48, 0xe0, 0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
];

/// Keccak-256 of `data`.
pub fn keccak256(data: &[u8]) -> Word {
    Keccak256::digest(data).into()
}

/// SHA-256 of `parts`, one after the other.
pub fn sha256(parts: &[&[u8]]) -> Word {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_hashes_of_what_they_name() {
        assert_eq!(keccak256(&[]), EMPTY_CODE_HASH);
        assert_eq!(keccak256(&[0x80]), EMPTY_ROOT);
    }
}
