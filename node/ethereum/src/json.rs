//! Blocks, transactions and receipts as geth prints them.

use alloy_consensus::{Header, Transaction as _, TxEnvelope};
use alloy_primitives::{Bloom, TxKind};
use serde_json::{Map, Value, json};

use crate::record::Record;

type Object = Map<String, Value>;

/// A block, with its transactions or with their hashes.
pub fn block(record: &Record, full: bool) -> Value {
    let mut json = header(&record.block.header);
    let of = |index| if full { transaction(record, index) } else { hash(record, index) };
    let count = record.block.body.transactions.len();
    json.insert("size".to_owned(), quantity(record.block.size as u64));
    json.insert("transactions".to_owned(), (0..count).filter_map(of).collect());
    json.insert("uncles".to_owned(), json!([]));
    json.insert("withdrawals".to_owned(), json!(record.block.body.withdrawals));
    json.into()
}

fn header(header: &Header) -> Object {
    let mut json = object(json!(header));
    json.insert("hash".to_owned(), json!(header.hash_slow()));
    json
}

fn hash(record: &Record, index: usize) -> Option<Value> {
    Some(json!(record.block.body.transactions.get(index)?.tx_hash()))
}

/// A transaction by its position; `None` past the last one.
pub fn transaction(record: &Record, index: usize) -> Option<Value> {
    let transaction = record.block.body.transactions.get(index)?;
    let header = &record.block.header;
    let mut json = object(json!(transaction));
    json.extend(object(json!({
        "blockHash": record.block.hash,
        "blockNumber": quantity(header.number),
        "blockTimestamp": quantity(header.timestamp),
        "from": record.senders.get(index)?,
        "gasPrice": quantity(transaction.effective_gas_price(header.base_fee_per_gas)),
        "transactionIndex": quantity(index as u64),
    })));
    Some(json.into())
}

/// The receipts of a block, in its order.
pub fn receipts(record: &Record) -> Vec<Value> {
    (0..record.receipts.len()).filter_map(|index| receipt(record, index)).collect()
}

/// The receipt of a transaction by its position; `None` past the last one.
pub fn receipt(record: &Record, index: usize) -> Option<Value> {
    let transaction = record.block.body.transactions.get(index)?;
    let (receipt, from) = (record.receipts.get(index)?, record.senders.get(index)?);
    let header = &record.block.header;
    let before = &record.receipts[..index];
    let gas_before = before.last().map_or(0, |receipt| receipt.cumulative_gas_used);
    let first_log = before.iter().map(|receipt| receipt.logs.len()).sum();
    let bloom: Bloom = receipt.logs.iter().collect();
    let created = match transaction.kind() {
        TxKind::Create => Some(from.create(transaction.nonce())),
        TxKind::Call(_) => None,
    };
    let logs: Vec<_> =
        (0..receipt.logs.len()).filter_map(|at| log(record, index, at, first_log)).collect();
    let mut json = object(json!({
        "blockHash": record.block.hash,
        "blockNumber": quantity(header.number),
        "contractAddress": created,
        "cumulativeGasUsed": quantity(receipt.cumulative_gas_used),
        "effectiveGasPrice": quantity(transaction.effective_gas_price(header.base_fee_per_gas)),
        "from": from,
        "gasUsed": quantity(receipt.cumulative_gas_used.saturating_sub(gas_before)),
        "logs": logs,
        "logsBloom": bloom,
        "status": quantity(u64::from(receipt.status.coerce_status())),
        "to": transaction.to(),
        "transactionHash": transaction.tx_hash(),
        "transactionIndex": quantity(index as u64),
        "type": quantity(u64::from(kind(transaction))),
    }));
    if let Some(gas) = transaction.blob_gas_used() {
        json.insert("blobGasUsed".to_owned(), quantity(gas));
        json.insert("blobGasPrice".to_owned(), quantity(record.blob_gas_price));
    }
    Some(json.into())
}

fn kind(transaction: &TxEnvelope) -> u8 {
    transaction.tx_type().into()
}

/// One log of a transaction.
///
/// * `index`, `at`: positions of the transaction in the block, and of the log in the transaction.
/// * `first`: logs of the block before the transaction's first.
pub(crate) fn log(record: &Record, index: usize, at: usize, first: usize) -> Option<Value> {
    let log = record.receipts.get(index)?.logs.get(at)?;
    let header = &record.block.header;
    Some(json!({
        "address": log.address,
        "topics": log.topics(),
        "data": log.data.data,
        "blockNumber": quantity(header.number),
        "transactionHash": hash(record, index)?,
        "transactionIndex": quantity(index as u64),
        "blockHash": record.block.hash,
        "blockTimestamp": quantity(header.timestamp),
        "logIndex": quantity((first + at) as u64),
        "removed": false,
    }))
}

fn object(json: Value) -> Object {
    match json {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

fn quantity(number: impl Into<u128>) -> Value {
    json!(format!("0x{:x}", number.into()))
}
