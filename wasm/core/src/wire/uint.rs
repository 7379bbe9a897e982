//! 256-bit unsigned integers, as far as a verifier needs them: to hold and to compare.

/// An unsigned integer below 2^256, as 32 bytes big-endian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uint256(pub [u8; 32]);

impl Uint256 {
    /// Zero.
    pub const ZERO: Self = Self([0; 32]);

    /// From big-endian bytes of any length up to 32; `None` if longer.
    pub fn from_be(bytes: &[u8]) -> Option<Self> {
        let mut out = [0; 32];
        let start = out.len().checked_sub(bytes.len())?;
        out.get_mut(start..)?.copy_from_slice(bytes);
        Some(Self(out))
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }
}

impl From<u64> for Uint256 {
    fn from(value: u64) -> Self {
        let mut out = [0; 32];
        for (to, from) in out.iter_mut().rev().zip(value.to_le_bytes()) {
            *to = from;
        }
        Self(out)
    }
}
