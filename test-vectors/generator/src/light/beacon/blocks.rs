//! Light-client headers of every shape, over states and bodies that are filled trees.

use super::rules::Shape;
use super::ssz::{Field, Value, container};
use super::tree::{Tree, branch, leaf_of, node, root_of};
use lightproof_prover::hash::{Word, sha256};

/// Place of the payload header in a body, Capella to Fulu; of the hash of the bid's parent block
/// from Gloas on.
const PAYLOAD: u64 = 25;
const PARENT_HASH: u64 = 2856;

/// Place of the block's hash among a payload's leaves.
const BLOCK_HASH: u64 = 12;

/// An execution payload header; its constant fields are those of [`Payload::fields`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Payload {
    /// Block number.
    pub(super) number: u64,
    /// Unix time of the block.
    pub(super) time: u64,
    /// Block hash.
    pub(super) hash: Word,
    /// At most 32 bytes in an honest one.
    pub(super) extra: Vec<u8>,
    /// State root of the execution chain.
    pub(super) state_root: Word,
    /// Blob gas used and excess blob gas, zero before Deneb.
    pub(super) blobs: [u64; 2],
}

impl Payload {
    pub(super) fn of(slot: u64, own: Shape) -> Self {
        let block = if own == Shape::Gloas { slot.saturating_sub(1) } else { slot };
        let number = slot + 1000;
        Self {
            number,
            time: 1_700_000_000 + number,
            hash: sha256(&[b"execution block", &block.to_be_bytes()]),
            extra: b"extra".to_vec(),
            state_root: sha256(&[b"execution state", &slot.to_be_bytes()]),
            blobs: if own == Shape::Capella { [0; 2] } else { [slot, 1] },
        }
    }

    fn default_one() -> Self {
        let (hash, state_root) = ([0; 32], [0; 32]);
        Self { number: 0, time: 0, hash, extra: vec![], state_root, blobs: [0; 2] }
    }

    /// Every field in its order: names of the Beacon API, and values.
    pub(super) fn fields(&self, with_blobs: bool) -> Vec<(&'static str, Value)> {
        let same = |byte| Value::Bytes(vec![byte; 32]);
        let word = |word: &Word| Value::Bytes(word.to_vec());
        let bloom = (1..=8).flat_map(|byte| [byte; 32]).collect();
        let mut fields = vec![
            ("parent_hash", same(1)),
            ("fee_recipient", Value::Bytes(vec![2; 20])),
            ("state_root", word(&self.state_root)),
            ("receipts_root", same(4)),
            ("logs_bloom", Value::Bytes(bloom)),
            ("prev_randao", same(5)),
            ("block_number", Value::Uint(self.number)),
            ("gas_limit", Value::Uint(30_000_000)),
            ("gas_used", Value::Uint(20_000_000)),
            ("timestamp", Value::Uint(self.time)),
            ("extra_data", Value::List(self.extra.clone())),
            ("base_fee_per_gas", Value::Uint256([6; 32])),
            ("block_hash", word(&self.hash)),
            ("transactions_root", same(7)),
            ("withdrawals_root", same(8)),
        ];
        if with_blobs {
            let names = ["blob_gas_used", "excess_blob_gas"];
            fields.extend(names.into_iter().zip(self.blobs.map(Value::Uint)));
        }
        fields
    }

    fn leaves(&self, with_blobs: bool) -> Vec<Word> {
        self.fields(with_blobs).iter().map(|(_, value)| value.root()).collect()
    }

    fn ssz(&self, with_blobs: bool) -> Vec<u8> {
        let fields: Vec<_> =
            self.fields(with_blobs).into_iter().map(|(_, value)| value.field()).collect();
        container(&fields)
    }

    /// An absent payload: every field at its default.
    fn empty_ssz(with_blobs: bool) -> Vec<u8> {
        let after = if with_blobs { 4 * 32 + 16 } else { 4 * 32 };
        container(&[
            Field::Fixed(vec![0; 436]),
            Field::Variable(vec![]),
            Field::Fixed(vec![0; after]),
        ])
    }
}

/// A light-client header, its parts free to be tampered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Slot of the block; its shape says what is in the body.
    pub(super) slot: u64,
    /// Who proposed it.
    pub(super) proposer: u64,
    /// Root of the block before it.
    pub(super) parent_root: Word,
    /// The state after it.
    pub(super) state_root: Word,
    /// Its body.
    pub(super) body_root: Word,
    /// What it says of the execution chain.
    pub(super) payload: Payload,
    /// From the payload, or its hash, to the body's root: in the container's length.
    pub(super) execution_branch: Vec<Word>,
    /// Written before Capella too, where there must be none.
    pub(super) has_payload: bool,
    /// The shape of the container around it.
    pub(super) container: Shape,
}

impl Header {
    /// The block of a slot, of a fork of shape `own`, over a state, in a container that may be of a
    /// later shape.
    pub(super) fn new(slot: u64, own: Shape, state_root: Word, container: Shape) -> Self {
        Self::around(Payload::of(slot, own), slot, own, state_root, container)
    }

    /// The same around another payload.
    pub(super) fn around(
        payload: Payload,
        slot: u64,
        own: Shape,
        state_root: Word,
        container: Shape,
    ) -> Self {
        let mut body = Tree::new();
        let mut index = 0;
        match own {
            Shape::Altair => drop(body.insert(8, [8; 32])),
            Shape::Gloas => {
                index = PARENT_HASH;
                body.insert(index, payload.hash);
            }
            _ => {
                let leaves = payload.leaves(own != Shape::Capella);
                let width = if own == Shape::Capella { 16 } else { 32 };
                let padded = leaves.into_iter().chain(std::iter::repeat([0; 32]));
                body.extend((PAYLOAD * width..(PAYLOAD + 1) * width).zip(padded));
                index = match container {
                    Shape::Gloas => PAYLOAD * width + BLOCK_HASH,
                    _ => PAYLOAD,
                };
            }
        }
        let mut execution_branch = if index == 0 { vec![] } else { branch(&body, index) };
        while execution_branch.len() < branch_length(container) {
            execution_branch.insert(0, [0; 32]);
        }
        Self {
            slot,
            proposer: slot * 7 % 100,
            parent_root: sha256(&[b"parent", &slot.to_be_bytes()]),
            state_root,
            body_root: node(&body, 1),
            payload,
            execution_branch,
            has_payload: own != Shape::Altair,
            container,
        }
    }

    /// The default of its container, which stands for none.
    pub(super) fn absent(container: Shape) -> Self {
        Self {
            slot: 0,
            proposer: 0,
            parent_root: [0; 32],
            state_root: [0; 32],
            body_root: [0; 32],
            payload: Payload::default_one(),
            execution_branch: vec![[0; 32]; branch_length(container)],
            has_payload: false,
            container,
        }
    }

    /// `hash_tree_root(BeaconBlockHeader)`.
    pub(super) fn root(&self) -> Word {
        let integers = [self.slot, self.proposer].map(leaf_of);
        root_of(
            [integers.as_slice(), &[self.parent_root, self.state_root, self.body_root]].concat(),
        )
    }

    /// Hash of the execution block that it proves.
    pub(super) fn execution(&self) -> Option<Word> {
        self.has_payload.then_some(self.payload.hash)
    }

    /// The `LightClientHeader`.
    pub(super) fn ssz(&self) -> Vec<u8> {
        let mut beacon = [self.slot, self.proposer].map(u64::to_le_bytes).concat();
        beacon.extend([self.parent_root, self.state_root, self.body_root].concat());
        let (beacon, branch) = (Field::Fixed(beacon), Field::Fixed(self.execution_branch.concat()));
        match self.container {
            Shape::Altair | Shape::Unknown => container(&[beacon]),
            Shape::Gloas => {
                let hash = if self.has_payload { self.payload.hash } else { [0; 32] };
                container(&[beacon, Field::Fixed(hash.to_vec()), branch])
            }
            Shape::Capella | Shape::Deneb | Shape::Electra => {
                let with_blobs = self.container != Shape::Capella;
                let payload = if self.has_payload {
                    self.payload.ssz(with_blobs)
                } else {
                    Payload::empty_ssz(with_blobs)
                };
                container(&[beacon, Field::Variable(payload), branch])
            }
        }
    }

    /// As a field of another container.
    pub(super) fn field(&self) -> Field {
        match self.container {
            Shape::Altair | Shape::Gloas | Shape::Unknown => Field::Fixed(self.ssz()),
            Shape::Capella | Shape::Deneb | Shape::Electra => Field::Variable(self.ssz()),
        }
    }
}

/// Nodes of an execution branch.
const fn branch_length(container: Shape) -> usize {
    match container {
        Shape::Altair | Shape::Unknown => 0,
        Shape::Capella | Shape::Deneb | Shape::Electra => 4,
        Shape::Gloas => 11,
    }
}
