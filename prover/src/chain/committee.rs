//! Committees that sign the devnet's headers (`spec/headers.md`, section 4), and those of
//! operators.
//!
//! INSECURE: every secret key of the devnet follows from the chain's seed, so whoever knows the
//! seed can sign whatever they like. That is what makes signatures reproducible and a lie easy to
//! write.

pub mod forms;
mod keys;
pub mod operators;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use keys::{Committee, KEY_BYTES, SIGNATURE_BYTES, root, signed_by_small};

use crate::chain::CHAIN_ID;
use crate::hash::{Word, sha256};
use crate::rng::Rng;

/// Committees, and signatures, that are kept: two for each of 128 periods, the most that one call
/// asks for.
const KEPT: usize = 256;

/// Bits and signature.
type Signed = (Vec<u8>, [u8; SIGNATURE_BYTES]);

/// Who signs, as the client's chain configuration says it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// N, keys of a committee: a power of two from 8 to 512.
    pub size: u64,
    /// L, blocks for which a committee signs, at least 1.
    pub period: u64,
}

impl Terms {
    /// The period that a block lies in.
    pub fn period_of(&self, number: u64) -> u64 {
        number / self.period.max(1)
    }

    /// First block of a period.
    pub fn first_block(&self, period: u64) -> u64 {
        period.saturating_mul(self.period)
    }

    /// The fewest signers that are two thirds.
    pub fn two_thirds(&self) -> u64 {
        (self.size * 2).div_ceil(3)
    }

    /// Who signs a block: a seeded choice of at least two thirds, bit i = byte i/8, least
    /// significant first.
    pub fn participants(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut rng = Rng::new(seed, "participants", number);
        let absent = rng.below(self.size - self.two_thirds() + 1);
        let mut bits = vec![0xff; usize::try_from(self.size / 8).unwrap_or(0)];
        for _ in 0..absent {
            // The same one may be drawn twice: then one more signs.
            clear(&mut bits, rng.below(self.size));
        }
        bits
    }
}

/// Sets a bit of a list of participants to zero.
pub fn clear(bits: &mut [u8], index: u64) {
    let byte = usize::try_from(index / 8).ok().and_then(|byte| bits.get_mut(byte));
    if let Some(byte) = byte {
        *byte &= !(1 << (index % 8));
    }
}

/// Every committee of a chain, made when it is first needed.
#[derive(Debug)]
pub struct Committees {
    terms: Terms,
    seed: u64,
    made: Mutex<BTreeMap<u64, Arc<Committee>>>,
    /// By block and message: a batch of calls must not sign the same blocks a hundred times.
    signed: Mutex<BTreeMap<(u64, Word), Signed>>,
}

impl Committees {
    /// The committees of the chain with this seed.
    pub fn new(seed: u64, terms: Terms) -> Self {
        Self { terms, seed, made: Mutex::default(), signed: Mutex::default() }
    }

    /// Sizes and periods.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// The committee of a period. INSECURE, as all of them.
    pub fn of(&self, period: u64) -> Arc<Committee> {
        // A committee is whole before it is put here, so a panic elsewhere leaves nothing half
        // done.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(committee) = made.get(&period) {
            return Arc::clone(committee);
        }
        if made.len() >= KEPT {
            made.pop_first();
        }
        let committee = Arc::new(Committee::insecure(self.seed, period, self.terms.size));
        made.insert(period, Arc::clone(&committee));
        committee
    }

    /// What a header says of the committees: SHA-256(root(p) ‖ root(p+1)), p the block's period.
    pub fn root_at(&self, number: u64) -> Word {
        let period = self.terms.period_of(number);
        sha256(&[&self.of(period).root(), &self.of(period.saturating_add(1)).root()])
    }

    /// The participants of a block and their signature of a message. The same every time.
    pub fn sign(&self, number: u64, message: &Word) -> Signed {
        let key = (number, *message);
        let kept = || self.signed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(signed) = kept().get(&key) {
            return signed.clone();
        }
        let bits = self.terms.participants(self.seed, number);
        let signature = self.of(self.terms.period_of(number)).sign(&bits, message);
        let mut kept = kept();
        if kept.len() >= KEPT {
            kept.pop_first();
        }
        kept.insert(key, (bits.clone(), signature));
        (bits, signature)
    }
}

/// What is signed for a header: SHA-256(header hash ‖ domain), the domain "LP" and two zeros, then
/// the first 28 bytes of SHA-256(genesis hash ‖ chain id as 8 bytes).
pub fn message(genesis_hash: &Word, chain_id: u64, header_hash: &Word) -> Word {
    let network = sha256(&[genesis_hash, &chain_id.to_be_bytes()]);
    sha256(&[header_hash, &[0x4c, 0x50, 0, 0], &network[..28]])
}

/// [`message`] on the devnet with this genesis block.
pub fn devnet_message(genesis_hash: &Word, header_hash: &Word) -> Word {
    message(genesis_hash, CHAIN_ID, header_hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Terms = Terms { size: 32, period: 64 };

    #[test]
    fn at_least_two_thirds_take_part_and_not_always_the_same() {
        let counts: Vec<u32> = (0..200)
            .map(|number| TERMS.participants(7, number).iter().map(|byte| byte.count_ones()).sum())
            .collect();
        assert!(counts.iter().all(|count| (22..=32).contains(count)), "{counts:?}");
        assert!(counts.contains(&32) && counts.iter().any(|count| *count < 26), "{counts:?}");
    }

    #[test]
    fn a_period_begins_where_the_one_before_ends() {
        assert_eq!(TERMS.two_thirds(), 22);
        assert_eq!((TERMS.period_of(63), TERMS.period_of(64)), (0, 1));
        assert_eq!(TERMS.first_block(u64::MAX), u64::MAX);
    }
}
