//! The checks: each list against its root in the header, then what the lists say of each other.

use alloc::vec::Vec;

use super::fact::{Fact, LogFact, ReceiptFact, TransactionFact};
use super::proof::{List, Proof};
use super::query::Query;
use super::receipt::Receipt;
use super::transaction::Transaction;
use super::{Filter, Root};
use crate::error::{Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::observer::{Observer, note};
use crate::trie::{EMPTY_ROOT, ordered_root};
use crate::wire::Bytes;

pub(super) fn check(
    root: &Root,
    query: &Query,
    proof: &Proof<'_>,
    observer: &mut impl Observer,
) -> Result<Fact, VerifyError> {
    let Proof { transactions, receipts, withdrawals } = proof;
    match query {
        Query::Bloom(filter) => {
            let may = filter.may_match(&root.bloom);
            note!(observer, Compared "Bloom filter", None, may: may);
            Ok(Fact::Bloom(may))
        }
        Query::Withdrawals => {
            // A block before Shanghai has none.
            let expected = root.withdrawals.unwrap_or(EMPTY_ROOT);
            bound(withdrawals, expected, "withdrawals", observer)?;
            Ok(Fact::Withdrawals(copied(&withdrawals.items)))
        }
        Query::Transactions(indices) => {
            bound(transactions, root.transactions, "transactions", observer)?;
            let wanted = numbered(&transactions.items)
                .filter(|(index, _)| Query::wants(indices, *index))
                .map(|(index, bytes)| TransactionFact { index, envelope: bytes.to_vec() });
            Ok(Fact::Transactions { count: transactions.items.len(), list: wanted.collect() })
        }
        Query::Receipts(indices) => {
            bound(transactions, root.transactions, "transactions", observer)?;
            bound(receipts, root.receipts, "receipts", observer)?;
            pairs(root, transactions, receipts, indices)
        }
        Query::Logs { filter, hashes } => {
            bound(receipts, root.receipts, "receipts", observer)?;
            if *hashes {
                bound(transactions, root.transactions, "transactions", observer)?;
                same_length(transactions, receipts)?;
            }
            logs(filter, transactions, receipts)
        }
    }
}

/// The list is the one that the header commits to, and every item of it can be read.
fn bound(
    list: &List<'_>,
    expected: Hash,
    what: &'static str,
    observer: &mut impl Observer,
) -> Result<(), VerifyError> {
    let got = ordered_root(&list.items);
    if got != expected {
        return Err(VerifyError::Root { expected, got, span: list.span });
    }
    note!(observer, Hashed what, list.span, items: list.items.len(), digest: &got);
    match list.unknown {
        Some(span) => Err(VerifyError::Unsupported { span }),
        None => Ok(()),
    }
}

fn same_length(transactions: &List<'_>, receipts: &List<'_>) -> Result<(), VerifyError> {
    if transactions.items.len() == receipts.items.len() {
        return Ok(());
    }
    Err(VerifyError::Claim { field: "number of receipts", span: receipts.span })
}

/// Receipts beside their transactions. A receipt names none: its place does.
fn pairs(
    root: &Root,
    transactions: &List<'_>,
    receipts: &List<'_>,
    indices: &[u64],
) -> Result<Fact, VerifyError> {
    same_length(transactions, receipts)?;
    let (mut list, mut gas_before, mut first_log) = (Vec::new(), 0, 0_u64);
    for ((index, envelope), bytes) in numbered(&transactions.items).zip(&receipts.items) {
        let span = receipts.span;
        let transaction = transaction(envelope, transactions.span)?;
        let receipt = receipt(bytes, span)?;
        if transaction.kind != receipt.kind {
            return Err(VerifyError::Claim { field: "type of a receipt", span });
        }
        let gas = receipt.cumulative_gas.checked_sub(gas_before);
        let gas_used = gas.ok_or(VerifyError::Claim { field: "cumulativeGasUsed", span })?;
        if Query::wants(indices, index) {
            list.push(ReceiptFact {
                index,
                transaction: keccak256(envelope),
                to: transaction.to,
                gas_used,
                price: transaction.fee.effective(root.base_fee),
                blob_gas: transaction.blob_gas(),
                first_log,
                envelope: bytes.to_vec(),
            });
        }
        gas_before = receipt.cumulative_gas;
        first_log = first_log.saturating_add(receipt.logs.len() as u64);
    }
    Ok(Fact::Receipts { count: receipts.items.len(), list })
}

fn logs(
    filter: &Filter,
    transactions: &List<'_>,
    receipts: &List<'_>,
) -> Result<Fact, VerifyError> {
    let (mut found, mut number) = (Vec::new(), 0_u64);
    for (index, bytes) in numbered(&receipts.items) {
        let envelope = usize::try_from(index).ok().and_then(|index| transactions.items.get(index));
        for log in receipt(bytes, receipts.span)?.logs {
            if filter.matches(&log) {
                found.push(LogFact {
                    index: number,
                    transaction_index: index,
                    transaction: envelope.map(|envelope| keccak256(envelope)),
                    address: log.address,
                    topics: log.topics.collect(),
                    data: log.data.to_vec(),
                });
            }
            number = number.saturating_add(1);
        }
    }
    Ok(Fact::Logs(found))
}

fn numbered<'l, 'a>(items: &'l [&'a [u8]]) -> impl Iterator<Item = (u64, &'a [u8])> + 'l {
    (0_u64..).zip(items.iter().copied())
}

fn copied(items: &[&[u8]]) -> Vec<Vec<u8>> {
    items.iter().map(|item| item.to_vec()).collect()
}

/// Reads an item again: it was read when the list was, and its type is known.
fn transaction(bytes: &[u8], span: Span) -> Result<Transaction<'_>, VerifyError> {
    let read = Transaction::read(Bytes { bytes, span });
    read.ok().flatten().ok_or(VerifyError::Unsupported { span })
}

/// As [`transaction`].
fn receipt(bytes: &[u8], span: Span) -> Result<Receipt<'_>, VerifyError> {
    let read = Receipt::read(Bytes { bytes, span });
    read.ok().flatten().ok_or(VerifyError::Unsupported { span })
}
