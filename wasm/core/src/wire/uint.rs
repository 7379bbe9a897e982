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

    /// The sum, or the largest integer where that is over 256 bits.
    #[must_use]
    pub fn saturating_add(&self, other: Self) -> Self {
        let mut sum = [0; 32];
        let mut carry = 0;
        for ((to, a), b) in sum.iter_mut().zip(self.0).zip(other.0).rev() {
            let [high, low] = u16::from(a).wrapping_add(b.into()).wrapping_add(carry).to_be_bytes();
            (*to, carry) = (low, high.into());
        }
        if carry > 0 { Self([0xff; 32]) } else { Self(sum) }
    }

    /// Big-endian, without leading zeros.
    pub fn minimal(&self) -> &[u8] {
        let zeros = self.0.iter().take_while(|byte| **byte == 0).count();
        self.0.get(zeros..).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stop_at_the_largest_integer() {
        let of = |value: u64| Uint256::from(value);
        assert_eq!(of(0x01ff).saturating_add(of(0x0101)), of(0x0300));
        let most = Uint256([0xff; 32]);
        assert_eq!(most.saturating_add(of(0)), most);
        assert_eq!(most.saturating_add(of(5)), most);
    }
}
