//! A store as bytes (`spec/headers.md`, section 7).
//!
//! Nothing in it is believed. The header must hash to the root that the caller pins; it proves the
//! committee, and signed updates prove the rest, by the code that took them the first time.

use alloc::vec::Vec;

use super::committees::{Anchor, Committees};
use super::store::Store;
use crate::chain::{Chain, Consensus};
use crate::error::{Malformed, Rejection, VerifyError};
use crate::header::committee::Listed;
use crate::wire::{Bytes, ListWriter, Reader};

/// Format and version.
const TAG: &[u8] = b"lightproof-store/1";

/// A saved store, decoded and not yet proven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved<'a> {
    pub(super) of_next: bool,
    pub(super) header: Bytes<'a>,
    pub(super) branch: Bytes<'a>,
    pub(super) committee: Listed<'a>,
    /// Empty if the next committee was not known.
    pub(super) next: Bytes<'a>,
    /// Empty if the finalized header comes with `next`, or is the anchor.
    pub(super) finality: Bytes<'a>,
}

impl<'a> Saved<'a> {
    /// Reads a store of `chain`.
    ///
    /// # Errors
    /// `decode.*` for the form, `verify.chain` for a store of another chain.
    pub(super) fn read(
        chain: &Chain,
        consensus: &Consensus,
        bytes: &'a [u8],
    ) -> Result<Self, Rejection> {
        let mut items = Reader::whole_list(bytes, 0, "store")?;
        let shape = |field, span| {
            Malformed::Shape.at(field, "not a light client store of this version", span)
        };
        let tag = items.string("tag")?;
        if tag.bytes != TAG {
            return Err(shape("tag", tag.span).into());
        }
        let network = (items.u64("chain id")?, items.hash("genesis hash")?);
        if network != (chain.chain_id, chain.genesis_hash) {
            return Err(VerifyError::Chain { reason: "a store of another chain" }.into());
        }
        let span = items.span();
        let of_next = match items.u64("kind of anchor")? {
            0 => false,
            1 => true,
            _ => return Err(shape("kind of anchor", span).into()),
        };
        let (header, branch) = (items.string("header")?, items.string("branch")?);
        let committee = items.string("committee")?;
        let has_proofs = consensus.has_proofs();
        let listed = match consensus.committee_size() {
            Some(size) => Listed::split(committee, size, if has_proofs { size } else { 0 }),
            None => Listed::of_any_size(committee, has_proofs),
        };
        let committee = listed.ok_or(shape("committee", committee.span))?;
        let (next, finality) = (items.string("update")?, items.string("finality")?);
        items.finish("store")?;
        Ok(Self { of_next, header, branch, committee, next, finality })
    }
}

/// Writes what proves a store again; nothing if it was moved by force.
pub(super) fn write(chain: &Chain, store: &Store) -> Vec<u8> {
    if store.evidence.forced {
        return Vec::new();
    }
    let Committees { anchor: Anchor { of_next, header, branch, .. }, current, .. } =
        &store.committees;
    let next = store.evidence.next.as_ref().map_or(&[][..], |(update, _)| update);
    ListWriter::default()
        .string(TAG)
        .u64(chain.chain_id)
        .string(&chain.genesis_hash.0)
        .u64((*of_next).into())
        .string(header)
        .string(branch)
        .string(&[current.bytes(), current.proofs()].concat())
        .string(next)
        .string(store.evidence.finalized.as_deref().unwrap_or_default())
        .finish()
}
