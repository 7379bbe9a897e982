//! A node's reply: the lists that the header commits to, item by item as the tries hold them.

use alloc::vec::Vec;

use super::query::Query;
use super::receipt::Receipt;
use super::transaction::Transaction;
use super::withdrawal::Withdrawal;
use crate::error::{DecodeError, Malformed, Span};
use crate::wire::{Bytes, Reader};

/// Every transaction has nine items at least, a receipt holds a Bloom filter, a withdrawal an
/// address. So what is held in memory for an item is never much more than its bytes.
const SHORTEST: usize = 10;

/// A list of a block, decoded and not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct List<'a> {
    pub(super) items: Vec<&'a [u8]>,
    pub(super) span: Span,
    /// Where the first item of a type that is not known stands.
    pub(super) unknown: Option<Span>,
}

/// The reply to a query: RLP lists of strings, each a value of its trie.
///
/// * `transactions`: `[[transaction, …]]`; `receipts`: `[[transaction, …], [receipt, …]]`;
/// * `withdrawals`: `[[withdrawal, …]]`; `bloom`: `[]`;
/// * `logs`: `[[receipt, …]]`, with hashes as `receipts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof<'a> {
    pub(super) transactions: List<'a>,
    pub(super) receipts: List<'a>,
    pub(super) withdrawals: List<'a>,
}

impl<'a> Proof<'a> {
    pub(super) fn from_rlp(query: &Query, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut lists = Reader::whole_list(bytes, 0, "proof")?;
        let mut proof = Self::default();
        if query.needs_transactions() {
            let read = |item| Ok(Transaction::read(item)?.is_some());
            proof.transactions = List::read(&mut lists, "transactions", read)?;
        }
        if query.needs_receipts() {
            let read = |item| Ok(Receipt::read(item)?.is_some());
            proof.receipts = List::read(&mut lists, "receipts", read)?;
        }
        if *query == Query::Withdrawals {
            let read = |Bytes { bytes, span }| Withdrawal::read(bytes, span.start).map(|_| true);
            proof.withdrawals = List::read(&mut lists, "withdrawals", read)?;
        }
        lists.finish("proof")?;
        Ok(proof)
    }
}

impl Query {
    const fn needs_transactions(&self) -> bool {
        matches!(self, Self::Transactions(_) | Self::Receipts(_) | Self::Logs { hashes: true, .. })
    }

    const fn needs_receipts(&self) -> bool {
        matches!(self, Self::Receipts(_) | Self::Logs { .. })
    }
}

impl<'a> List<'a> {
    /// * `read`: whether an item is of a known type; decodes it, and drops what it decoded.
    fn read(
        lists: &mut Reader<'a>,
        field: &'static str,
        read: impl Fn(Bytes<'a>) -> Result<bool, DecodeError>,
    ) -> Result<Self, DecodeError> {
        let mut list = lists.list(field)?;
        let mut all = Self { span: list.span(), ..Self::default() };
        while !list.is_empty() {
            let item = list.string(field)?;
            if item.bytes.len() < SHORTEST {
                return Err(Malformed::Shape.at(field, "shorter than any", item.span));
            }
            if !read(item)? && all.unknown.is_none() {
                all.unknown = Some(item.span);
            }
            all.items.push(item.bytes);
        }
        all.items.shrink_to_fit();
        Ok(all)
    }
}
