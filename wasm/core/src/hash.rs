//! Hash functions and the 32-byte values they make.

#[cfg(feature = "bls12-381")]
pub mod merkle;

use core::fmt;

/// A 32-byte hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

/// Hash of a block header; what a caller pins and what links a header to its parent.
pub type BlockHash = Hash;

impl Hash {
    /// 32 zero bytes.
    pub const ZERO: Self = Self([0; 32]);

    /// keccak-256 of no bytes.
    pub const OF_NOTHING: Self = Self([
        0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03,
        0xc0, 0xe5, 0x00, 0xb6, 0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85,
        0xa4, 0x70,
    ]);
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// keccak-256 of bytes that come in parts, with the original Keccak padding.
#[derive(Clone, Debug, Default)]
pub struct Keccak256(lightproof_hash::Keccak256);

impl Keccak256 {
    /// Takes in more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of everything taken in.
    pub fn finish(self) -> Hash {
        Hash(self.0.finish())
    }
}

/// keccak-256 with the original Keccak padding, as Ethereum uses it (not FIPS-202 SHA3-256).
pub fn keccak256(bytes: &[u8]) -> Hash {
    Hash(lightproof_hash::keccak256(&[bytes]))
}

/// keccak-256 of parts, one after the other.
pub(crate) fn keccak256_of(parts: &[&[u8]]) -> Hash {
    Hash(lightproof_hash::keccak256(parts))
}

/// SHA-256.
#[cfg(feature = "bls12-381")]
pub fn sha256(parts: &[&[u8]]) -> Hash {
    let hasher =
        parts.iter().fold(<sha2::Sha256 as sha2::Digest>::new(), sha2::Digest::chain_update);
    Hash(sha2::Digest::finalize(hasher).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nothing_is_its_constant() {
        assert_eq!(keccak256(&[]), Hash::OF_NOTHING);
    }
}
