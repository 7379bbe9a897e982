//! Light-client containers of the beacon chain, by shape.
//!
//! Source: consensus-specs, `{altair,capella,deneb,electra,gloas}/light-client/sync-protocol.md`.

use super::payload::Payload;
use crate::chain::{Beacon, Shape};
use crate::error::{DecodeError, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle::{self, leaf_of_u64};
use crate::header::light::Execution;
use crate::observer::Observer;
use crate::wire::Bytes;
use crate::wire::ssz::{Container, OFFSET_BYTES};

/// Bytes of a `BeaconBlockHeader`.
const BEACON_BYTES: usize = 112;

/// The payload header's leaf in a block body, Capella to Fulu.
const PAYLOAD_GINDEX: u64 = 25;

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
    pub(super) fn root(&self, observer: &mut impl Observer) -> Hash {
        let leaves = alloc::vec![
            leaf_of_u64(self.slot),
            leaf_of_u64(self.proposer),
            self.parent_root,
            self.state_root,
            self.body_root,
        ];
        merkle::root(leaves, 3, observer)
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
        observer: &mut impl Observer,
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
                let root = payload.root(own, observer)?;
                self.in_body(root, PAYLOAD_GINDEX, *branch, observer)?;
                Ok(Some(Execution { hash: payload.block_hash, number: Some(payload.number) }))
            }
            Carried::BlockHash { hash, branch } => {
                let gindex = match own {
                    Shape::Altair | Shape::Capella => 412,
                    Shape::Deneb | Shape::Electra => 812,
                    Shape::Gloas => 2856,
                };
                self.in_body(*hash, gindex, *branch, observer)?;
                Ok(Some(Execution { hash: *hash, number: None }))
            }
        }
    }

    fn in_body(
        &self,
        leaf: Hash,
        gindex: u64,
        branch: Bytes<'_>,
        observer: &mut impl Observer,
    ) -> Result<(), VerifyError> {
        if merkle::climb(leaf, gindex, branch.bytes, observer) == Some(self.body_root) {
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

pub(super) fn is_zero(bytes: &Bytes<'_>) -> bool {
    bytes.bytes.iter().all(|byte| *byte == 0)
}
