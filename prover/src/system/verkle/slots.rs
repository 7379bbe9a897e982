//! Slots of nodes, and where they lie: in the store, one version per block that changed them.
//!
//! Key = place of the node ‖ digit (u16, big-endian) ‖ block; value = the slot, empty where it
//! became so. The top node itself stands in slot 0 of a place of its own.

use std::collections::BTreeMap;

use ark_bls12_381::{Fr, G1Affine};
use ark_ff::PrimeField as _;
use ark_serialize::{CanonicalDeserialize as _, CanonicalSerialize as _};

use super::commitment::{Committer, compress, scalar_bytes};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{Order, Read, Table, between};

/// Slots by place and digit.
pub(super) const SLOTS: Table = Table("verkle/slots");
/// Values by hash of the key.
pub(super) const VALUES: Table = Table("verkle/values");

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Hashes of a key and of its value.
    Leaf(Word, Word),
    /// A node's commitment, and how many leaves lie below it.
    Node(G1Affine, u64),
}

/// A slot that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// As the node commits to it.
    pub scalar: Fr,
    /// What it stands for.
    pub held: Held,
}

impl Slot {
    /// A leaf.
    pub fn leaf(committer: &dyn Committer, key: Word, value: Word) -> Self {
        Self { scalar: committer.leaf(&key, &value), held: Held::Leaf(key, value) }
    }

    /// A node.
    pub fn node(committer: &dyn Committer, commitment: G1Affine, leaves: u64) -> Self {
        let scalar = committer.inner(&compress(&commitment));
        Self { scalar, held: Held::Node(commitment, leaves) }
    }

    /// Leaves in it or below it.
    pub fn leaves(&self) -> u64 {
        match self.held {
            Held::Leaf(..) => 1,
            Held::Node(_, leaves) => leaves,
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = scalar_bytes(self.scalar).to_vec();
        match self.held {
            Held::Leaf(key, value) => {
                out.push(0);
                out.extend(key);
                out.extend(value);
            }
            Held::Node(commitment, leaves) => {
                out.push(1);
                out.extend(leaves.to_be_bytes());
                // Writing to a vector cannot fail.
                let _ = commitment.serialize_uncompressed(&mut out);
            }
        }
        out
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (scalar, rest) = bytes.split_first_chunk::<32>()?;
        let (kind, rest) = rest.split_first()?;
        let held = if *kind == 0 {
            let (key, value) = rest.split_first_chunk()?;
            Held::Leaf(*key, value.try_into().ok()?)
        } else {
            let (leaves, point) = rest.split_first_chunk()?;
            // This program wrote it.
            let commitment = G1Affine::deserialize_uncompressed_unchecked(point).ok()?;
            Held::Node(commitment, u64::from_be_bytes(*leaves))
        };
        Some(Self { scalar: Fr::from_be_bytes_mod_order(scalar), held })
    }
}

/// The bytes of a slot; none for an empty one.
pub fn encode(slot: Option<&Slot>) -> Vec<u8> {
    slot.map_or_else(Vec::new, Slot::encode)
}

/// A node's place: its level, and the digits before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(Vec<u8>);

impl Place {
    /// Where the top node is kept.
    pub fn top() -> Self {
        Self(vec![u8::MAX])
    }

    /// The node at a level on the way to a hash.
    pub fn on_way(hash: &Word, level: usize, bits: usize) -> Self {
        let kept = level * bits;
        let mut place = vec![u8::try_from(level).unwrap_or(u8::MAX)];
        place.extend(hash.iter().take(kept.div_ceil(8)));
        if let (Some(last), 1..) = (place.last_mut(), kept % 8) {
            *last &= u8::MAX << (8 - kept % 8);
        }
        Self(place)
    }

    /// Whether the top node's slots lie here.
    pub fn is_top(&self) -> bool {
        self.0 == [0]
    }

    /// The key of one slot.
    pub fn slot(&self, digit: usize) -> Vec<u8> {
        let digit = u16::try_from(digit).unwrap_or(u16::MAX);
        [self.0.as_slice(), &digit.to_be_bytes()].concat()
    }
}

/// Slots as they were after a block.
#[derive(Debug)]
pub struct View<'r> {
    store: &'r dyn Read,
    block: u64,
}

impl<'r> View<'r> {
    /// The slots after `block`.
    pub fn new(store: &'r dyn Read, block: u64) -> Self {
        Self { store, block }
    }

    /// The top node's commitment and number of leaves; `None` if there was nothing.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn top(&self) -> Result<Option<(G1Affine, u64)>, StoreError> {
        Ok(match self.slot(&Place::top(), 0)?.map(|slot| slot.held) {
            Some(Held::Node(commitment, leaves)) => Some((commitment, leaves)),
            _ => None,
        })
    }

    /// One slot of a node.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn slot(&self, place: &Place, digit: usize) -> Result<Option<Slot>, StoreError> {
        let slot = self.store.newest(SLOTS, &place.slot(digit), self.block)?;
        slot.map(|slot| read(&slot.value)).transpose()
    }

    /// Every slot of a node that is not empty.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn all(&self, place: &Place) -> Result<BTreeMap<usize, Slot>, StoreError> {
        let mut slots = BTreeMap::new();
        let (first, last) = (place.slot(0), [place.slot(usize::MAX), vec![u8::MAX; 8]].concat());
        for entry in self.store.range(SLOTS, between(&first, &last), Order::Ascending)? {
            let (key, value) = entry?;
            let corrupt = || StoreError::Corrupt("a slot of verkle has no place");
            let (rest, version) = key.split_last_chunk().ok_or_else(corrupt)?;
            let (_, digit) = rest.split_last_chunk().ok_or_else(corrupt)?;
            if u64::from_be_bytes(*version) > self.block {
                continue;
            }
            let digit = usize::from(u16::from_be_bytes(*digit));
            // Versions ascend: the last one stays.
            if value.is_empty() {
                slots.remove(&digit);
            } else {
                slots.insert(digit, read(&value)?);
            }
        }
        Ok(slots)
    }
}

fn read(bytes: &[u8]) -> Result<Slot, StoreError> {
    Slot::decode(bytes).ok_or(StoreError::Corrupt("a slot of verkle is none"))
}
