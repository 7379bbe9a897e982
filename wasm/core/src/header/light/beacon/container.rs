//! Light-client containers of the beacon chain, by shape.
//!
//! Source: consensus-specs, `{altair,capella,deneb,electra,gloas}/light-client/sync-protocol.md`.

use alloc::vec::Vec;

use crate::chain::{Beacon, Shape};
use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle::{Work, leaf_of, leaf_of_u64, leaves_of};
use crate::header::light::Execution;
use crate::wire::Bytes;
use crate::wire::ssz::{Container, OFFSET_BYTES};

/// Bytes of a `BeaconBlockHeader`.
const BEACON_BYTES: usize = 112;

/// The payload header's leaf in a block body, Capella to Fulu.
const PAYLOAD_GINDEX: u64 = 25;

/// Most bytes of a payload's extra data.
const MAX_EXTRA: usize = 32;

/// Generalized indices in the beacon state.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateIndices {
    pub(super) finalized: u64,
    pub(super) current: u64,
    pub(super) next: u64,
}

/// Those of a shape, chosen by the attested header's slot.
pub(super) const fn state_indices(shape: Shape) -> StateIndices {
    match shape {
        Shape::Altair | Shape::Capella | Shape::Deneb => {
            StateIndices { finalized: 105, current: 54, next: 55 }
        }
        Shape::Electra => StateIndices { finalized: 169, current: 86, next: 87 },
        Shape::Gloas => StateIndices { finalized: 735, current: 2945, next: 2946 },
    }
}

/// Bytes of a branch to a generalized index.
pub(super) fn branch_bytes(gindex: u64) -> usize {
    let depth = gindex.checked_ilog2().and_then(|depth| usize::try_from(depth).ok());
    depth.unwrap_or(0).saturating_mul(32)
}

/// Bytes of a `LightClientHeader` inside a container: the header, or an offset to it.
pub(super) const fn header_slot_bytes(shape: Shape) -> usize {
    if is_variable(shape) { OFFSET_BYTES } else { header_bytes(shape) }
}

/// Whether a header's length varies: its payload holds extra data.
pub(super) const fn is_variable(shape: Shape) -> bool {
    matches!(shape, Shape::Capella | Shape::Deneb | Shape::Electra)
}

/// Bytes of the fixed part of a `LightClientHeader`.
const fn header_bytes(shape: Shape) -> usize {
    match shape {
        Shape::Altair => BEACON_BYTES,
        Shape::Capella | Shape::Deneb | Shape::Electra => BEACON_BYTES + OFFSET_BYTES + 4 * 32,
        Shape::Gloas => BEACON_BYTES + 32 + 11 * 32,
    }
}

/// The next field, a header: read in place, or its offset noted and `None`.
pub(super) fn header_slot<'a>(
    container: &mut Container<'a>,
    shape: Shape,
    field: &'static str,
) -> Result<Option<Bytes<'a>>, DecodeError> {
    if is_variable(shape) {
        container.offset(field)?;
        return Ok(None);
    }
    container.fixed(header_bytes(shape), field).map(Some)
}

/// A `LightClientHeader`, decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct LightHeader<'a> {
    pub(super) bytes: Bytes<'a>,
    pub(super) slot: u64,
    proposer: u64,
    parent_root: Hash,
    pub(super) state_root: Hash,
    body_root: Hash,
    carried: Carried<'a>,
}

/// What a header carries of its execution payload.
#[derive(Clone, Copy, Debug)]
enum Carried<'a> {
    Nothing,
    Payload { payload: Payload<'a>, branch: Bytes<'a> },
    BlockHash { hash: Hash, branch: Bytes<'a> },
}

impl<'a> LightHeader<'a> {
    pub(super) fn read(bytes: Bytes<'a>, shape: Shape) -> Result<Self, DecodeError> {
        let mut fields = Container::new(bytes, header_bytes(shape))?;
        let slot = fields.u64("slot")?;
        let proposer = fields.u64("proposer_index")?;
        let parent_root = fields.hash("parent_root")?;
        let state_root = fields.hash("state_root")?;
        let body_root = fields.hash("body_root")?;
        let carried = match shape {
            Shape::Altair => {
                fields.finish()?;
                Carried::Nothing
            }
            Shape::Capella | Shape::Deneb | Shape::Electra => {
                fields.offset("execution")?;
                let branch = fields.fixed(4 * 32, "execution_branch")?;
                let payload = Payload::read(fields.finish_one()?, shape)?;
                Carried::Payload { payload, branch }
            }
            Shape::Gloas => {
                let hash = fields.hash("execution_block_hash")?;
                let branch = fields.fixed(11 * 32, "execution_branch")?;
                fields.finish()?;
                Carried::BlockHash { hash, branch }
            }
        };
        Ok(Self { bytes, slot, proposer, parent_root, state_root, body_root, carried })
    }

    /// `hash_tree_root(BeaconBlockHeader)`.
    pub(super) fn root(&self, work: &mut Work) -> Hash {
        let leaves = alloc::vec![
            leaf_of_u64(self.slot),
            leaf_of_u64(self.proposer),
            self.parent_root,
            self.state_root,
            self.body_root,
        ];
        work.root(leaves, 3)
    }

    /// Whether it is the container's default value, which stands for "none".
    pub(super) fn is_default(&self) -> bool {
        let beacon = self.bytes.bytes.get(..BEACON_BYTES);
        let carried = match &self.carried {
            Carried::Nothing => true,
            Carried::Payload { payload, branch } => payload.is_default() && is_zero(branch),
            Carried::BlockHash { hash, branch } => *hash == Hash::ZERO && is_zero(branch),
        };
        carried && beacon.is_some_and(|beacon| beacon.iter().all(|byte| *byte == 0))
    }

    /// `is_valid_light_client_header`: the payload is the one in the block's body.
    ///
    /// The shape of its own slot says which tree the body has; a container of a later fork carries
    /// an older payload with the fields that it did not have yet at zero.
    pub(super) fn execution(
        &self,
        beacon: &Beacon,
        work: &mut Work,
    ) -> Result<Option<Execution>, VerifyError> {
        let own = beacon.fork(self.slot).map_or(Shape::Altair, |fork| fork.shape);
        match &self.carried {
            Carried::Nothing => Ok(None),
            Carried::Payload { payload, branch } if own == Shape::Altair => {
                no_execution(payload.is_default() && is_zero(branch), *branch)
            }
            Carried::BlockHash { hash, branch } if own == Shape::Altair => {
                no_execution(*hash == Hash::ZERO && is_zero(branch), *branch)
            }
            Carried::Payload { payload, branch } => {
                let root = payload.root(own, work)?;
                self.in_body(root, PAYLOAD_GINDEX, *branch, work)?;
                Ok(Some(Execution { hash: payload.block_hash, number: Some(payload.number) }))
            }
            Carried::BlockHash { hash, branch } => {
                let gindex = match own {
                    Shape::Altair | Shape::Capella => 412,
                    Shape::Deneb | Shape::Electra => 812,
                    Shape::Gloas => 2856,
                };
                self.in_body(*hash, gindex, *branch, work)?;
                Ok(Some(Execution { hash: *hash, number: None }))
            }
        }
    }

    fn in_body(
        &self,
        leaf: Hash,
        gindex: u64,
        branch: Bytes<'_>,
        work: &mut Work,
    ) -> Result<(), VerifyError> {
        if work.climb(leaf, gindex, branch.bytes) == Some(self.body_root) {
            return Ok(());
        }
        let reason = "its branch does not lead to the body's root";
        Err(VerifyError::Execution { reason, span: branch.span })
    }
}

fn no_execution(is_empty: bool, branch: Bytes<'_>) -> Result<Option<Execution>, VerifyError> {
    if is_empty {
        return Ok(None);
    }
    let reason = "a payload before blocks had one";
    Err(VerifyError::Execution { reason, span: branch.span })
}

/// An `ExecutionPayloadHeader`.
#[derive(Clone, Copy, Debug)]
struct Payload<'a> {
    /// The fixed part with its offset, in the order of the container.
    fixed: Bytes<'a>,
    extra: &'a [u8],
    number: u64,
    block_hash: Hash,
    /// Blob gas used, excess blob gas; zero before Deneb.
    blobs: [u64; 2],
}

impl<'a> Payload<'a> {
    fn read(bytes: Bytes<'a>, shape: Shape) -> Result<Self, DecodeError> {
        let with_blobs = shape != Shape::Capella;
        let size = if with_blobs { 584 } else { 568 };
        let mut fields = Container::new(bytes, size)?;
        let mut all = fields;
        let fixed = all.fixed(size, "execution")?;
        for (size, field) in HEAD {
            fields.fixed(size, field)?;
        }
        let number = fields.u64("block_number")?;
        for field in ["gas_limit", "gas_used", "timestamp"] {
            fields.u64(field)?;
        }
        fields.offset("extra_data")?;
        fields.hash("base_fee_per_gas")?;
        let block_hash = fields.hash("block_hash")?;
        fields.hash("transactions_root")?;
        fields.hash("withdrawals_root")?;
        let blobs = if with_blobs {
            [fields.u64("blob_gas_used")?, fields.u64("excess_blob_gas")?]
        } else {
            [0; 2]
        };
        let Bytes { bytes: extra, span } = fields.finish_one()?;
        if extra.len() > MAX_EXTRA {
            return Err(too_long(span));
        }
        Ok(Self { fixed, extra, number, block_hash, blobs })
    }

    fn is_default(&self) -> bool {
        // The offset is the only byte string of a default payload that is not zero.
        let size = self.fixed.bytes.len();
        let offset = u32::try_from(size).unwrap_or(0).to_le_bytes();
        let (head, rest) = self.fixed.bytes.split_at_checked(OFFSET_AT).unwrap_or_default();
        let tail = rest.strip_prefix(&offset).unwrap_or(&[1]);
        self.extra.is_empty() && head.iter().chain(tail).all(|byte| *byte == 0)
    }

    /// `hash_tree_root`, of the fields that a block of shape `own` has.
    fn root(&self, own: Shape, work: &mut Work) -> Result<Hash, VerifyError> {
        let with_blobs = own != Shape::Capella;
        if !with_blobs && self.blobs != [0; 2] {
            let reason = "blob gas before blocks had blobs";
            return Err(VerifyError::Execution { reason, span: self.fixed.span });
        }
        let mut rest = self.fixed.bytes;
        let mut take = |size: usize| {
            let (head, tail) = rest.split_at_checked(size).unwrap_or_default();
            rest = tail;
            head
        };
        let mut leaves: Vec<Hash> = Vec::with_capacity(17);
        for (size, _) in HEAD {
            let field = take(size);
            leaves.push(match size {
                0..=32 => leaf_of(field),
                _ => work.root(leaves_of(field), 3),
            });
        }
        for _ in ["block_number", "gas_limit", "gas_used", "timestamp"] {
            leaves.push(leaf_of(take(8)));
        }
        take(OFFSET_BYTES);
        let length = u64::try_from(self.extra.len()).unwrap_or(0);
        leaves.push(work.pair(&leaf_of(self.extra), &leaf_of_u64(length)));
        for _ in ["base_fee_per_gas", "block_hash", "transactions_root", "withdrawals_root"] {
            leaves.push(leaf_of(take(32)));
        }
        if with_blobs {
            leaves.extend(self.blobs.map(leaf_of_u64));
        }
        Ok(work.root(leaves, if with_blobs { 5 } else { 4 }))
    }
}

/// Fields of a payload before its number.
const HEAD: [(usize, &str); 6] = [
    (32, "parent_hash"),
    (20, "fee_recipient"),
    (32, "state_root"),
    (32, "receipts_root"),
    (256, "logs_bloom"),
    (32, "prev_randao"),
];

/// Where the offset of the extra data stands in a payload: after `HEAD` and four integers.
const OFFSET_AT: usize = 32 + 20 + 32 + 32 + 256 + 32 + 4 * 8;

pub(super) fn is_zero(bytes: &Bytes<'_>) -> bool {
    bytes.bytes.iter().all(|byte| *byte == 0)
}

const fn too_long(span: Span) -> DecodeError {
    let reason = "longer than 32 bytes";
    DecodeError { malformed: Malformed::Ssz, field: "extra_data", reason, span }
}
