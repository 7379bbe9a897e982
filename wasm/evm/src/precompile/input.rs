//! What a precompile reads of its input.

use alloc::vec::Vec;

use revm::primitives::U256;

/// `length` bytes from `start` on, as if zeros followed the input.
pub(super) fn padded(input: &[u8], start: usize, length: usize) -> Vec<u8> {
    let from = input.get(start.min(input.len())..).unwrap_or_default();
    let mut bytes = from.get(..length.min(from.len())).unwrap_or_default().to_vec();
    bytes.resize(length, 0);
    bytes
}

/// The integer of 32 bytes at `start`.
pub(super) fn word(input: &[u8], start: usize) -> U256 {
    U256::from_be_slice(&padded(input, start, 32))
}
