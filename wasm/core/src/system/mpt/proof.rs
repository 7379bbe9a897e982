//! A node's reply, decoded: claimed fields and trie nodes.

use alloc::vec::Vec;

use super::query::{MAX_SLOTS, Query};
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::trie::TrieProof;
use crate::wire::{Bytes, Reader, Uint256};

/// A claimed field, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claimed<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

/// The reply to a query, decoded and not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<'a> {
    pub(super) address: Claimed<[u8; 20]>,
    pub(super) nonce: Claimed<Uint256>,
    pub(super) balance: Claimed<Uint256>,
    pub(super) storage_hash: Claimed<Hash>,
    pub(super) code_hash: Claimed<Hash>,
    pub(super) account: TrieProof<'a>,
    pub(super) slots: Vec<SlotProof<'a>>,
    /// Where the list of slots stands.
    pub(super) slots_span: Span,
    pub(super) code: Option<Bytes<'a>>,
}

/// The reply for one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SlotProof<'a> {
    pub(super) key: Claimed<[u8; 32]>,
    pub(super) value: Claimed<Uint256>,
    pub(super) nodes: TrieProof<'a>,
}

impl<'a> Proof<'a> {
    pub(super) fn from_rlp(
        query: &Query,
        variant: &str,
        bytes: &'a [u8],
    ) -> Result<Self, DecodeError> {
        if variant != super::VARIANT {
            let span = Span::default();
            let reason = "mpt has one variant, plain";
            return Err(Malformed::Variant.at("variant", reason, span));
        }
        let mut items = Reader::whole_list(bytes, 0, "proof")?;
        let proof = Self {
            address: claimed(&mut items, |items| items.array("address"))?,
            nonce: claimed(&mut items, |items| items.uint256("nonce"))?,
            balance: claimed(&mut items, |items| items.uint256("balance"))?,
            storage_hash: claimed(&mut items, |items| items.hash("storageHash"))?,
            code_hash: claimed(&mut items, |items| items.hash("codeHash"))?,
            account: TrieProof::read(items.list("accountProof")?)?,
            slots_span: items.span(),
            slots: slots(items.list("storageProof")?)?,
            code: code(query, items.list("code")?)?,
        };
        items.finish("proof")?;
        Ok(proof)
    }
}

fn claimed<'a, T>(
    items: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Claimed<T>, DecodeError> {
    let before = items.span();
    let value = read(items)?;
    Ok(Claimed { value, span: Span { start: before.start, end: items.span().start } })
}

fn slots(mut list: Reader<'_>) -> Result<Vec<SlotProof<'_>>, DecodeError> {
    let mut slots = Vec::new();
    while !list.is_empty() {
        let span = list.span();
        if slots.len() == MAX_SLOTS {
            let reason = "more than 1024 slots";
            return Err(Malformed::Limit.at("storageProof", reason, span));
        }
        let mut items = list.list("slot proof")?;
        slots.push(SlotProof {
            key: claimed(&mut items, |items| items.array("slot key"))?,
            value: claimed(&mut items, |items| items.uint256("slot value"))?,
            nodes: TrieProof::read(items.list("slot nodes")?)?,
        });
        items.finish("slot proof")?;
    }
    Ok(slots)
}

fn code<'a>(query: &Query, mut list: Reader<'a>) -> Result<Option<Bytes<'a>>, DecodeError> {
    let span = list.span();
    if query.want_code == list.is_empty() {
        let reason = "expected code if and only if the query asks for it";
        return Err(Malformed::Shape.at("code", reason, span));
    }
    let code = if query.want_code { Some(list.string("code")?) } else { None };
    list.finish("code")?;
    Ok(code)
}

/// A state root: 32 bytes.
pub(super) fn root(bytes: &[u8]) -> Result<Hash, DecodeError> {
    let span = Span { start: 0, end: bytes.len() };
    let wrong = |_| Malformed::Shape.at("state root", "a state root has 32 bytes", span);
    bytes.try_into().map(Hash).map_err(wrong)
}
