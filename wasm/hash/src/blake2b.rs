//! `BLAKE2b` (RFC 7693) with 32 bytes of output and no key, by crate `blake2`.

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest as _};

/// A digest of bytes that come in parts.
#[derive(Clone, Debug, Default)]
pub struct Blake2b256(Blake2b<U32>);

impl Blake2b256 {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of everything taken in.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of "abc", as `b2sum -l 256` says; the key, the length of the digest and the padding count in
    /// it.
    #[test]
    fn digests_have_32_bytes_and_no_key() {
        let mut hasher = Blake2b256::new();
        hasher.update(b"a");
        hasher.update(b"bc");
        let expected = [
            0xbd, 0xdd, 0x81, 0x3c, 0x63, 0x42, 0x39, 0x72, 0x31, 0x71, 0xef, 0x3f, 0xee, 0x98,
            0x57, 0x9b, 0x94, 0x96, 0x4e, 0x3b, 0xb1, 0xcb, 0x3e, 0x42, 0x72, 0x62, 0xc8, 0xc0,
            0x68, 0xd5, 0x23, 0x19,
        ];
        assert_eq!(hasher.finish(), expected);
    }
}
