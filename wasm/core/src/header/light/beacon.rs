//! Ethereum's sync committees: bootstraps and updates as the Beacon API serves them, in SSZ.
//!
//! # Forks beyond the table
//!
//! A source is honest, and its bytes are of no use, where the chain has forked and the table of the
//! chain configuration does not say so. That is [`Rejection::Fork`], in two cases:
//!
//! * a container has the layout of a shape that this code knows and that is newer than the table's
//!   last, and the slot of the header in it lies in the table's last fork;
//! * a signature is false for the version that the table gives, the slot before it lies in the
//!   table's last fork, and the signature is true for the version that follows if versions go on in
//!   the step of the table's last two.
//!
//! Only the second is proven. The first is the source's own word: whoever says it falsely makes
//! that answer useless, moves nothing, and should be treated as a source that has no answer: the
//! next one is asked, nobody is blamed, and the client is told to be out of date only where no
//! source leads on. A layout of no known shape stays `decode.ssz`: cut-off bytes look the same. Who
//! fetches answers knows more than their bytes: a name of a fork (`version` of the JSON form,
//! `Eth-Consensus-Version`) that the fetcher does not know is the same case, before any bytes come
//! here. Fork digests decide nothing: since Fulu they change with blob parameters, which no table
//! holds.

mod container;
mod payload;
mod update;

pub(super) use update::BeaconUpdate;

use super::Signed;
use super::committees::Anchor;
use super::update::{Form, bare, check_signature};
use crate::chain::{Beacon, Shape};
use crate::error::{DecodeError, Malformed, Rejection, Span, VerifyError};
use crate::hash::{Hash, merkle};
use crate::header::committee::{Aggregate, Committee, Listed, two_thirds};
use crate::header::signing;
use crate::observer::{Observer, note};
use crate::wire::Bytes;
use crate::wire::ssz::Container;
use container::{
    LightHeader, StateIndices, branch_bytes, header_slot, header_slot_bytes, is_variable,
    state_indices,
};

/// Bytes of one key.
const KEY_BYTES: usize = 48;

/// Bytes of a signature and of a slot.
const SIGNATURE_BYTES: usize = 96;

/// A bootstrap's header and committee, once its root is the pinned one.
///
/// # Errors
/// `decode.ssz`; `verify.checkpoint`, `verify.execution`, `verify.committee`, in this order.
pub(super) fn bootstrap(
    beacon: &Beacon,
    checkpoint: Hash,
    bytes: &[u8],
    observer: &mut impl Observer,
) -> Result<(Anchor, Committee, Signed), Rejection> {
    let size = beacon.committee_size;
    let whole = whole(bytes);
    let fixed = |shape| bootstrap_bytes(shape, size);
    let shape = shape_of(beacon, bytes, fixed)?;
    let mut fields = Container::new(whole, bootstrap_bytes(shape, size))?;
    let header = header_slot(&mut fields, shape, "header")?;
    let listed = committee(&mut fields, size, "current_sync_committee")?;
    let gindex = state_indices(shape).current;
    let branch = fields.fixed(branch_bytes(gindex), "current_sync_committee_branch")?;
    let header = match header {
        Some(header) => {
            fields.finish()?;
            header
        }
        None => fields.finish_one()?,
    };
    let header = read_header(beacon, header, shape)?;
    let (anchor, signed) = anchor(beacon, checkpoint, &header, branch, false, observer)?;
    let committee = prove(&header, &listed, gindex, branch, observer)?;
    Ok((anchor, committee, signed))
}

/// A saved committee, proven again under the root that the caller pins.
///
/// # Errors
/// As [`bootstrap`].
pub(super) fn reopen(
    beacon: &Beacon,
    checkpoint: Hash,
    of_next: bool,
    [header, branch]: [Bytes<'_>; 2],
    listed: &Listed<'_>,
    observer: &mut impl Observer,
) -> Result<(Anchor, Committee, Signed), Rejection> {
    let shape = header_shape(beacon, header)?;
    let header = read_header(beacon, header, shape)?;
    let (anchor, signed) = anchor(beacon, checkpoint, &header, branch, of_next, observer)?;
    let StateIndices { current, next, .. } = state_indices(shape);
    let gindex = if of_next { next } else { current };
    let committee = prove(&header, listed, gindex, branch, observer)?;
    Ok((anchor, committee, signed))
}

/// A header that two thirds of a trusted committee signed in `slot`.
///
/// # Errors
/// `decode.ssz`, `decode.point`; `verify.participation`, `.time`, `.execution`, `.signature`.
pub(super) fn attested(
    beacon: &Beacon,
    committee: &mut Committee,
    header: &[u8],
    aggregate: &[u8],
    slot: u64,
    observer: &mut impl Observer,
) -> Result<Signed, Rejection> {
    let header = whole(header);
    let header = read_header(beacon, header, header_shape(beacon, header)?)?;
    let aggregate = whole(aggregate);
    let aggregate = Aggregate::split(aggregate, beacon.committee_size).ok_or(Malformed::Ssz.at(
        "sync_aggregate",
        "wrong length",
        aggregate.span,
    ))?;
    aggregate.require(two_thirds(beacon.committee_size))?;
    if slot <= header.slot {
        return Err(VerifyError::Time { reason: "signed before its header's slot ended" }.into());
    }
    let mut signed = signed(beacon, &header, observer)?;
    let message = message(beacon, signed.root, slot, observer)?;
    let beyond = |observer: &mut _| signing::message_beyond(beacon, signed.root, slot, observer);
    check_signature(committee, &aggregate, slot, message, beyond, observer)?;
    signed.signers = Some((aggregate.count(), committee.size()));
    Ok(signed)
}

/// What is signed for a header in `slot`.
fn message(
    beacon: &Beacon,
    root: Hash,
    slot: u64,
    observer: &mut impl Observer,
) -> Result<Hash, VerifyError> {
    signing::beacon_message(beacon, root, slot, observer)
        .ok_or(VerifyError::Chain { reason: "a slot before the fork table" })
}

/// The header as an anchor, if its root is the pinned one.
fn anchor(
    beacon: &Beacon,
    checkpoint: Hash,
    header: &LightHeader<'_>,
    branch: Bytes<'_>,
    of_next: bool,
    observer: &mut impl Observer,
) -> Result<(Anchor, Signed), Rejection> {
    let root = header.root(observer);
    if root != checkpoint {
        return Err(VerifyError::Checkpoint { expected: checkpoint, got: root }.into());
    }
    let mut signed = bare(header.slot, root, beacon.time(header.slot));
    signed.execution = header.execution(beacon, observer)?;
    note!(observer, Hashed "checkpoint", header.bytes.span, number: header.slot, digest: &root);
    let (header, branch) = (header.bytes.bytes.to_vec(), branch.bytes.to_vec());
    Ok((Anchor { root, slot: signed.slot, of_next, header, branch }, signed))
}

/// The header with its payload proven.
fn signed(
    beacon: &Beacon,
    header: &LightHeader<'_>,
    observer: &mut impl Observer,
) -> Result<Signed, VerifyError> {
    let execution = header.execution(beacon, observer)?;
    let root = header.root(observer);
    Ok(Signed { execution, ..bare(header.slot, root, beacon.time(header.slot)) })
}

/// The committee that the header's state holds at `gindex`.
fn prove(
    header: &LightHeader<'_>,
    listed: &Listed<'_>,
    gindex: u64,
    branch: Bytes<'_>,
    observer: &mut impl Observer,
) -> Result<Committee, VerifyError> {
    let root = listed.root(observer);
    if merkle::climb(root, gindex, branch.bytes, observer) != Some(header.state_root) {
        let reason = "its branch does not lead to the state's root";
        return Err(VerifyError::Committee { reason, span: branch.span });
    }
    note!(observer, Compared "committee root", branch.span);
    Ok(Committee::proven(listed, root))
}

/// The next field, a `SyncCommittee`.
fn committee<'a>(
    fields: &mut Container<'a>,
    size: usize,
    field: &'static str,
) -> Result<Listed<'a>, DecodeError> {
    Ok(Listed {
        keys: fields.fixed(size.saturating_mul(KEY_BYTES), field)?,
        aggregate: fields.fixed(KEY_BYTES, field)?,
        // Checked at deposit.
        proofs: fields.fixed(0, field)?,
    })
}

/// Bytes of a `LightClientBootstrap`'s fixed part.
fn bootstrap_bytes(shape: Shape, size: usize) -> usize {
    header_slot_bytes(shape)
        .saturating_add(committee_bytes(size))
        .saturating_add(branch_bytes(state_indices(shape).current))
}

/// Bytes of an update's fixed part.
fn update_bytes(form: Form, shape: Shape, size: usize) -> usize {
    let StateIndices { finalized, next, .. } = state_indices(shape);
    let header = header_slot_bytes(shape);
    let signed = (size >> 3).saturating_add(SIGNATURE_BYTES).saturating_add(8);
    let finality = header.saturating_add(branch_bytes(finalized));
    let handover = committee_bytes(size).saturating_add(branch_bytes(next));
    header.saturating_add(signed).saturating_add(match form {
        Form::Optimistic => 0,
        Form::Finality => finality,
        Form::Update => finality.saturating_add(handover),
    })
}

const fn committee_bytes(size: usize) -> usize {
    size.saturating_add(1).saturating_mul(KEY_BYTES)
}

/// The shape whose container these bytes are, by the slot of the header that they begin with: a
/// container of another fork than its slot's is refused.
fn shape_of(
    beacon: &Beacon,
    bytes: &[u8],
    fixed: impl Fn(Shape) -> usize,
) -> Result<Shape, Rejection> {
    let slot_in = |shape| {
        let header = if is_variable(shape) {
            let offset = usize::try_from(u32::from_le_bytes(*bytes.first_chunk()?)).ok()?;
            (offset == fixed(shape)).then_some(())?;
            bytes.get(offset..)?
        } else {
            (bytes.len() == fixed(shape)).then_some(bytes)?
        };
        header.first_chunk().copied().map(u64::from_le_bytes)
    };
    let is_own = |shape: &Shape| {
        let fork = slot_in(*shape).and_then(|slot| beacon.fork(slot));
        fork.is_some_and(|fork| fork.shape == *shape)
    };
    let beyond = |shape| slot_in(shape).filter(|slot| beacon.is_beyond(shape, *slot));
    match beacon.shapes().find(is_own) {
        Some(shape) => Ok(shape),
        None => match Shape::ALL.into_iter().find_map(beyond) {
            Some(slot) => Err(Rejection::Fork { slot }),
            None => Err(Malformed::Ssz
                .at("container", "not the container of its slot's fork", whole(bytes).span)
                .into()),
        },
    }
}

/// A header in a container of `shape`. One that is laid out as in a fork beyond the table is no
/// malformed one.
fn read_header<'a>(
    beacon: &Beacon,
    header: Bytes<'a>,
    shape: Shape,
) -> Result<LightHeader<'a>, Rejection> {
    LightHeader::read(header, shape).map_err(|error| {
        let beyond = Shape::ALL.into_iter().filter_map(|shape| {
            let LightHeader { slot, .. } = LightHeader::read(header, shape).ok()?;
            beacon.is_beyond(shape, slot).then_some(slot)
        });
        beyond.min().map_or(error.into(), |slot| Rejection::Fork { slot })
    })
}

/// The shape of a `LightClientHeader` that stands alone.
fn header_shape(beacon: &Beacon, header: Bytes<'_>) -> Result<Shape, DecodeError> {
    let slot = header.bytes.first_chunk().copied().map(u64::from_le_bytes);
    let fork = slot.and_then(|slot| beacon.fork(slot));
    fork.map(|fork| fork.shape).ok_or(Malformed::Ssz.at(
        "container",
        "not the container of its slot's fork",
        header.span,
    ))
}

const fn whole(bytes: &[u8]) -> Bytes<'_> {
    Bytes { bytes, span: Span { start: 0, end: bytes.len() } }
}
