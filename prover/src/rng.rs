//! The workload's random numbers: the same seed gives the same chain on every machine and in every
//! version.

use crate::hash::keccak256;

/// `SplitMix64`, seeded by a hash. Not for secrets: the devnet has none.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator of its own for every (seed, purpose, number), so that a block's writes do not
    /// depend on how many numbers an earlier block drew.
    pub fn new(seed: u64, purpose: &str, number: u64) -> Self {
        let hash = digest(seed, purpose, number);
        Self(u64::from_be_bytes(std::array::from_fn(|i| hash[i])))
    }

    /// The next 64 bits (Steele, Lea, Flood 2014).
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; the modulo bias does not matter here. Zero if `bound` is zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64().checked_rem(bound).unwrap_or(0)
    }

    /// True once in `odds` times.
    pub fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }

    /// One of `choices`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let count = u64::try_from(choices.len()).unwrap_or(u64::MAX);
        choices[usize::try_from(self.below(count)).unwrap_or(0)]
    }

    /// `count` random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next_u64().to_be_bytes()[0]).collect()
    }
}

/// keccak256(`lightproof/devnet/` ‖ purpose ‖ seed ‖ number): addresses, slots and seeds come from
/// here.
pub fn digest(seed: u64, purpose: &str, number: u64) -> crate::hash::Word {
    let mut input = b"lightproof/devnet/".to_vec();
    input.extend_from_slice(purpose.as_bytes());
    input.extend_from_slice(&seed.to_be_bytes());
    input.extend_from_slice(&number.to_be_bytes());
    keccak256(&input)
}
