//! Who lives on the chain: addresses, contract kinds, code and slots, all from the seed.

use crate::chain::{Address, Slot};
use crate::hash::keccak256;
use crate::rng::{Rng, digest};

/// Slot numbers whose key hashes share their first 8 nibbles (10 in the last pair). Both leaves of
/// such a pair are shorter than 32 bytes when the values are below 0x80, and so are embedded in
/// their branch.
pub const EMBEDDED_PAIRS: [(u64, u64); 3] =
    [(40_364, 105_566), (50_541, 125_299), (247_476, 515_151)];

/// What a contract of the workload looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A large storage trie at mapping slots.
    Token,
    /// A few slots with low numbers.
    Counter,
    /// A storage trie whose leaves are embedded.
    Tiny,
    /// Code, no storage.
    CodeOnly,
    /// EIP-7702: the code is a delegation to another address.
    Delegated,
}

/// The accounts that exist by some block.
#[derive(Clone, Copy, Debug)]
pub struct Population {
    /// The chain's seed.
    pub seed: u64,
    /// Externally owned accounts: indices below this.
    pub eoas: u64,
    /// Contracts: indices below this.
    pub contracts: u64,
}

/// An address worth asking for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// `eoa`, `contract` or `absent`.
    pub kind: &'static str,
    /// The address.
    pub address: Address,
    /// Slots worth asking for; the last one is absent.
    pub slots: Vec<Slot>,
}

impl Population {
    /// Everybody created up to and including block `number`.
    pub fn new(seed: u64, number: u64) -> Self {
        Self { seed, eoas: 240 + 2 * number, contracts: 15 + number / 4 }
    }

    /// Address of an externally owned account.
    pub fn eoa(&self, index: u64) -> Address {
        address(self.seed, "eoa", index)
    }

    /// Address of a contract.
    pub fn contract(&self, index: u64) -> Address {
        address(self.seed, "contract", index)
    }

    /// An address that is never used.
    pub fn absent(&self, index: u64) -> Address {
        address(self.seed, "absent", index)
    }

    /// The kind of contract `index`.
    pub fn kind(index: u64) -> Kind {
        match index % 5 {
            0 => Kind::Token,
            1 => Kind::Counter,
            2 => Kind::Tiny,
            3 => Kind::CodeOnly,
            _ => Kind::Delegated,
        }
    }

    /// The code of contract `index`.
    pub fn code(&self, index: u64) -> Vec<u8> {
        if Self::kind(index) == Kind::Delegated {
            return [&[0xef, 0x01, 0x00], self.contract(0).as_slice()].concat();
        }
        let mut rng = Rng::new(self.seed, "code", index);
        let length = 40 + usize::try_from(rng.below(1_500)).unwrap_or(0);
        // PUSH1 0x80 PUSH1 0x40 MSTORE, as compilers begin; the rest is noise.
        [&[0x60, 0x80, 0x60, 0x40, 0x52], rng.bytes(length).as_slice()].concat()
    }

    /// One account of every kind that exists from genesis on and keeps its kind.
    pub fn samples(&self) -> Vec<Sample> {
        let (a, b) = EMBEDDED_PAIRS[0];
        let contract =
            |index, slots| Sample { kind: "contract", address: self.contract(index), slots };
        vec![
            Sample { kind: "eoa", address: self.eoa(0), slots: vec![] },
            Sample { kind: "eoa", address: self.eoa(1), slots: vec![low_slot(0)] },
            contract(0, vec![mapping_slot(0), mapping_slot(1), mapping_slot(1_000_000)]),
            contract(1, vec![low_slot(0), low_slot(1), low_slot(1_000_000)]),
            contract(2, vec![low_slot(a), low_slot(b), low_slot(1_000_000)]),
            contract(3, vec![low_slot(0)]),
            contract(4, vec![low_slot(0)]),
            Sample { kind: "absent", address: self.absent(0), slots: vec![low_slot(0)] },
        ]
    }
}

/// A slot by number.
pub fn low_slot(number: u64) -> Slot {
    let mut slot = [0; 32];
    slot[24..].copy_from_slice(&number.to_be_bytes());
    slot
}

/// The slot of `mapping[number]` where the mapping is declared at slot 0 (Solidity's layout).
pub fn mapping_slot(number: u64) -> Slot {
    keccak256(&[low_slot(number), low_slot(0)].concat())
}

fn address(seed: u64, kind: &str, index: u64) -> Address {
    let hash = digest(seed, kind, index);
    std::array::from_fn(|i| hash[12 + i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trie::nibbles::{common_prefix, unpack};

    #[test]
    fn pairs_share_what_they_claim() {
        let shared = EMBEDDED_PAIRS.map(|(a, b)| {
            common_prefix(&unpack(&keccak256(&low_slot(a))), &unpack(&keccak256(&low_slot(b))))
        });
        assert_eq!(shared, [8, 8, 10]);
    }
}
