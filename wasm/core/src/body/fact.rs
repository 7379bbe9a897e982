//! What is proven of a block's body, in the words of Ethereum's JSON-RPC. A field that nothing
//! binds is not here.

use alloc::string::String;
use alloc::vec::Vec;

use super::receipt::{Outcome, Receipt};
use super::transaction::{Access, Authorization, Fee, Signature, Transaction};
use super::withdrawal::Withdrawal;
use crate::error::Span;
use crate::hash::Hash;
use crate::json::{self, ToJson};
use crate::wire::{Bytes, Uint256};

/// A transaction and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionFact {
    /// Its place in the block.
    pub index: u64,
    /// Its bytes.
    pub envelope: Vec<u8>,
}

/// A receipt, and what follows from its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptFact {
    /// Its place in the block.
    pub index: u64,
    /// Hash of the transaction of the same index.
    pub transaction: Hash,
    /// Whom that calls.
    pub to: Option<[u8; 20]>,
    /// Gas that it used: the difference to the receipt before.
    pub gas_used: u64,
    /// Wei that it paid for one gas.
    pub price: Uint256,
    /// Blob gas that it used.
    pub blob_gas: Option<u64>,
    /// The number of its first log in the block.
    pub first_log: u64,
    /// Its bytes.
    pub envelope: Vec<u8>,
}

/// A log and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFact {
    /// Its number in the block.
    pub index: u64,
    /// Its transaction's place in the block.
    pub transaction_index: u64,
    /// Its transaction's hash, if it was asked for.
    pub transaction: Option<Hash>,
    /// The contract that wrote it.
    pub address: [u8; 20],
    /// Up to four.
    pub topics: Vec<Hash>,
    /// Anything.
    pub data: Vec<u8>,
}

/// What a proof shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Transactions.
    Transactions {
        /// How many the block has.
        count: usize,
        /// Those that were asked for and are there, by index ascending.
        list: Vec<TransactionFact>,
    },
    /// Receipts.
    Receipts {
        /// How many the block has.
        count: usize,
        /// Those that were asked for and are there, by index ascending.
        list: Vec<ReceiptFact>,
    },
    /// All withdrawals, in their RLP.
    Withdrawals(Vec<Vec<u8>>),
    /// Whether the block may have a log of the filter; `false` proves that it has none.
    Bloom(bool),
    /// All logs of the filter.
    Logs(Vec<LogFact>),
}

impl ToJson for Fact {
    fn to_json(&self, out: &mut String) {
        match self {
            Self::Transactions { count, list } => {
                counted(out, "transactions", *count);
                json::list(out, list, |out, fact| fact.to_json(out));
            }
            Self::Receipts { count, list } => {
                counted(out, "receipts", *count);
                json::list(out, list, |out, fact| fact.to_json(out));
            }
            Self::Withdrawals(list) => {
                out.push_str("{\"withdrawals\":");
                json::list(out, list, |out, bytes| {
                    // It was read when it was checked.
                    if let Ok(withdrawal) = Withdrawal::read(bytes, 0) {
                        withdrawal.to_json(out);
                    }
                });
            }
            Self::Bloom(may) => {
                out.push_str("{\"bloom\":");
                out.push_str(if *may { "true" } else { "false" });
            }
            Self::Logs(list) => {
                out.push_str("{\"logs\":");
                json::list(out, list, |out, fact| fact.to_json(out));
            }
        }
        out.push('}');
    }
}

fn counted(out: &mut String, name: &str, count: usize) {
    out.push_str("{\"count\":");
    json::number(out, count);
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
}

/// Members of an object, each behind a comma.
struct Members<'o>(&'o mut String);

impl Members<'_> {
    fn name(&mut self, name: &str) -> &mut String {
        self.0.push_str(",\"");
        self.0.push_str(name);
        self.0.push_str("\":");
        self.0
    }

    fn number(&mut self, name: &str, value: u64) {
        json::quantity(self.name(name), &value.to_be_bytes());
    }

    fn uint(&mut self, name: &str, value: &[u8]) {
        json::quantity(self.name(name), value);
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        json::bytes(self.name(name), bytes);
    }

    /// `null` if there is none.
    fn address(&mut self, name: &str, address: Option<[u8; 20]>) {
        match address {
            Some(address) => self.bytes(name, &address),
            None => self.name(name).push_str("null"),
        }
    }

    fn signature(&mut self, parity: &str, Signature { v, r, s }: Signature<'_>) {
        self.uint(parity, v);
        self.uint("r", r);
        self.uint("s", s);
    }
}

/// Items that were read before.
fn read<T>(out: &mut String, items: impl Iterator<Item = T>, mut each: impl FnMut(&mut String, T)) {
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(out, item);
    }
    out.push(']');
}

fn hashes(out: &mut String, hashes: impl Iterator<Item = Hash>) {
    read(out, hashes, |out, hash| json::bytes(out, &hash.0));
}

impl ToJson for TransactionFact {
    fn to_json(&self, out: &mut String) {
        let bytes = Bytes { bytes: &self.envelope, span: Span::default() };
        // It was read when it was checked.
        let Ok(Some(transaction)) = Transaction::read(bytes) else { return };
        out.push_str("{\"transactionIndex\":");
        json::quantity(out, &self.index.to_be_bytes());
        let mut members = Members(out);
        members.bytes("hash", &transaction.hash().0);
        // What the sender signed: with the signature, it gives the sender.
        members.bytes("signingHash", &transaction.signing_hash().0);
        members.number("type", transaction.kind.into());
        if let Some(chain_id) = transaction.chain_id {
            members.uint("chainId", chain_id);
        }
        members.number("nonce", transaction.nonce);
        match transaction.fee {
            Fee::Price(price) => members.uint("gasPrice", price),
            Fee::Market { max_priority, max } => {
                members.uint("maxPriorityFeePerGas", max_priority);
                members.uint("maxFeePerGas", max);
            }
        }
        members.number("gas", transaction.gas);
        members.address("to", transaction.to);
        members.uint("value", transaction.value);
        members.bytes("input", transaction.input);
        if let Some(access) = transaction.access {
            read(members.name("accessList"), access, accessed);
        }
        if let Some(blobs) = transaction.blobs {
            members.uint("maxFeePerBlobGas", blobs.max_fee);
            hashes(members.name("blobVersionedHashes"), blobs.hashes);
        }
        if let Some(authorizations) = transaction.authorizations {
            read(members.name("authorizationList"), authorizations, authorized);
        }
        members
            .signature(if transaction.kind == 0 { "v" } else { "yParity" }, transaction.signature);
        out.push('}');
    }
}

fn accessed(out: &mut String, Access { address, slots }: Access<'_>) {
    out.push_str("{\"address\":");
    json::bytes(out, &address);
    hashes(Members(out).name("storageKeys"), slots);
    out.push('}');
}

fn authorized(out: &mut String, authorization: Authorization<'_>) {
    out.push_str("{\"chainId\":");
    json::quantity(out, authorization.chain_id);
    let mut members = Members(out);
    members.bytes("address", &authorization.address);
    members.number("nonce", authorization.nonce);
    members.signature("yParity", authorization.signature);
    out.push('}');
}

impl ToJson for ReceiptFact {
    fn to_json(&self, out: &mut String) {
        let bytes = Bytes { bytes: &self.envelope, span: Span::default() };
        // It was read when it was checked.
        let Ok(Some(receipt)) = Receipt::read(bytes) else { return };
        out.push_str("{\"transactionIndex\":");
        json::quantity(out, &self.index.to_be_bytes());
        let mut members = Members(out);
        members.bytes("transactionHash", &self.transaction.0);
        members.number("type", receipt.kind.into());
        members.address("to", self.to);
        match receipt.outcome {
            Outcome::Status(ended) => members.number("status", ended.into()),
            Outcome::StateRoot(root) => members.bytes("root", &root.0),
        }
        members.number("cumulativeGasUsed", receipt.cumulative_gas);
        members.number("gasUsed", self.gas_used);
        members.uint("effectiveGasPrice", &self.price.0);
        if let Some(gas) = self.blob_gas {
            members.number("blobGasUsed", gas);
        }
        members.bytes("logsBloom", &receipt.bloom.0);
        let mut index = self.first_log;
        read(members.name("logs"), receipt.logs, |out, log| {
            log_members(out, index, log.address, log.topics, log.data);
            out.push('}');
            index = index.saturating_add(1);
        });
        out.push('}');
    }
}

/// An object of a log, without its end.
fn log_members(
    out: &mut String,
    index: u64,
    address: [u8; 20],
    topics: impl Iterator<Item = Hash>,
    data: &[u8],
) {
    out.push_str("{\"logIndex\":");
    json::quantity(out, &index.to_be_bytes());
    let mut members = Members(out);
    members.bytes("address", &address);
    hashes(members.name("topics"), topics);
    members.bytes("data", data);
}

impl ToJson for LogFact {
    fn to_json(&self, out: &mut String) {
        log_members(out, self.index, self.address, self.topics.iter().copied(), &self.data);
        let mut members = Members(out);
        members.number("transactionIndex", self.transaction_index);
        if let Some(hash) = self.transaction {
            members.bytes("transactionHash", &hash.0);
        }
        out.push('}');
    }
}

impl ToJson for Withdrawal {
    fn to_json(&self, out: &mut String) {
        out.push_str("{\"index\":");
        json::quantity(out, &self.index.to_be_bytes());
        let mut members = Members(out);
        members.number("validatorIndex", self.validator);
        members.bytes("address", &self.address);
        members.number("amount", self.amount);
        out.push('}');
    }
}
