//! For every field of a header and every rule: a block that is right but for it, and is refused by
//! its name.

use super::support::code::{TOKEN_AT, genesis};
use super::support::transactions::{blobs, call, token_input};
use super::support::{Grown, Key, seal};
use alloy_consensus::{Header, TxEnvelope};
use alloy_eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B64, B256, Bloom, Bytes, U256};
use lightproof_ethereum::block::Block;
use lightproof_ethereum::execute::ExecuteError;
use lightproof_ethereum::genesis::Genesis;
use lightproof_ethereum::rules::{MAX_BLOCK_BYTES, Mismatch};

/// A chain, and its next block: with a log, blobs and a withdrawal.
fn next() -> (Grown, Block) {
    let mut chain = Grown::new(&Genesis::parse(genesis().to_string().as_bytes()).unwrap());
    let [a, b] = [Key::new(1), Key::new(2)];
    chain.grow(vec![blobs(&b, 0, b.address, 6)]);
    let withdrawal = Withdrawal { index: 7, validator_index: 8, address: b.address, amount: 9 };
    let transactions =
        vec![call(&a, 0, TOKEN_AT, 0, &token_input(b.address, 5)), blobs(&b, 1, a.address, 2)];
    let block = chain.build(transactions, vec![withdrawal]);
    chain.execute(&block).unwrap();
    (chain, block)
}

fn refusal(chain: &Grown, block: &Block) -> Mismatch {
    match chain.execute(block) {
        Err(ExecuteError::Mismatch(mismatch)) => mismatch,
        other => panic!("{other:?}"),
    }
}

type Forge = fn(&mut Header);
const OTHER: B256 = B256::repeat_byte(0xaa);

/// The field that the refusal names, and how a header is forged.
const HEADERS: &[(&str, Forge)] = &[
    ("parentHash", |header| header.parent_hash = OTHER),
    ("number", |header| header.number += 1),
    ("number", |header| header.number = 0),
    ("number", |header| header.number = u64::MAX),
    ("timestamp", |header| header.timestamp -= 12),
    ("timestamp", |header| header.timestamp = 0),
    ("difficulty", |header| header.difficulty = U256::ONE),
    ("nonce", |header| header.nonce = B64::with_last_byte(1)),
    ("sha3Uncles", |header| header.ommers_hash = OTHER),
    ("extraData", |header| header.extra_data = Bytes::from_static(&[0; 33])),
    ("gasLimit", |header| header.gas_limit += header.gas_limit / 1024),
    ("gasLimit", |header| header.gas_limit -= header.gas_limit / 1024),
    ("gasLimit", |header| header.gas_limit = u64::MAX),
    ("gasLimit", |header| header.gas_limit = 0),
    ("gasUsed", |header| header.gas_used = header.gas_limit + 1),
    ("gasUsed", |header| header.gas_used += 1),
    ("gasUsed", |header| header.gas_used -= 1),
    ("baseFeePerGas", |header| {
        header.base_fee_per_gas = header.base_fee_per_gas.map(|fee| fee + 1);
    }),
    ("baseFeePerGas", |header| header.base_fee_per_gas = Some(0)),
    ("baseFeePerGas", |header| header.base_fee_per_gas = None),
    ("withdrawalsRoot", |header| header.withdrawals_root = None),
    ("withdrawalsRoot", |header| header.withdrawals_root = Some(OTHER)),
    ("blobGasUsed", |header| header.blob_gas_used = None),
    ("blobGasUsed", |header| header.blob_gas_used = Some(1)),
    ("blobGasUsed", |header| header.blob_gas_used = Some(10 << 17)),
    ("blobGasUsed", |header| header.blob_gas_used = Some(u64::MAX)),
    ("blobGasUsed", |header| header.blob_gas_used = Some(3 << 17)),
    ("blobGasUsed", |header| header.blob_gas_used = Some(0)),
    ("excessBlobGas", |header| header.excess_blob_gas = None),
    ("excessBlobGas", |header| header.excess_blob_gas = header.excess_blob_gas.map(|gas| gas + 1)),
    ("excessBlobGas", |header| header.excess_blob_gas = Some(u64::MAX)),
    ("parentBeaconBlockRoot", |header| header.parent_beacon_block_root = None),
    ("requestsHash", |header| header.requests_hash = None),
    ("requestsHash", |header| header.requests_hash = Some(OTHER)),
    ("blockAccessListHash", |header| header.block_access_list_hash = Some(OTHER)),
    ("slotNumber", |header| header.slot_number = Some(1)),
    ("transactionsRoot", |header| header.transactions_root = OTHER),
    ("receiptsRoot", |header| header.receipts_root = OTHER),
    ("logsBloom", |header| header.logs_bloom = Bloom::ZERO),
    ("logsBloom", |header| header.logs_bloom = Bloom::repeat_byte(0xff)),
    ("stateRoot", |header| header.state_root = OTHER),
    // The system's contracts store what the execution cannot check otherwise, and fees are paid.
    ("stateRoot", |header| header.parent_beacon_block_root = Some(OTHER)),
    ("stateRoot", |header| header.beneficiary = Address::repeat_byte(0xaa)),
];

#[test]
fn every_field_of_a_header_is_refused_by_its_name() {
    let (chain, block) = next();
    for (index, (field, forge)) in HEADERS.iter().enumerate() {
        let mut header = block.header.clone();
        forge(&mut header);
        let found = refusal(&chain, &seal(header, block.body.clone()));
        assert_eq!(found.field, *field, "case {index}: {found}");
        assert_ne!(found.expected, found.found, "case {index}");
    }
}

type Swap = fn(&mut Block);

/// Bodies that are not the header's.
const BODIES: &[(&str, Swap)] = &[
    ("transactionsRoot", |block| drop(block.body.transactions.pop())),
    ("transactionsRoot", |block| block.body.transactions.swap(0, 1)),
    ("transactionsRoot", |block| block.body.transactions.clear()),
    ("withdrawalsRoot", |block| block.body.withdrawals = None),
    ("withdrawalsRoot", |block| block.body.withdrawals.as_mut().unwrap().0[0].amount = u64::MAX),
    ("withdrawalsRoot", |block| block.body.withdrawals.as_mut().unwrap().0.clear()),
    ("uncles", |block| block.body.ommers.push(Header::default())),
];

#[test]
fn every_part_of_a_body_is_refused_by_the_root_that_binds_it() {
    let (chain, block) = next();
    for (index, (field, swap)) in BODIES.iter().enumerate() {
        let mut forged = block.clone();
        swap(&mut forged);
        assert_eq!(refusal(&chain, &forged).field, *field, "case {index}");
    }
}

#[test]
fn another_signature_is_another_sender_or_none() {
    let (chain, block) = next();
    let TxEnvelope::Eip1559(signed) = &block.body.transactions[0] else { panic!() };
    let signature = signed.signature();
    let order = U256::from_be_slice(&alloy_primitives::hex!(
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    ));
    let broken = [
        // The same signature with the other s (EIP-2), and two that no key makes.
        alloy_primitives::Signature::new(signature.r(), order - signature.s(), !signature.v()),
        alloy_primitives::Signature::new(U256::ZERO, signature.s(), signature.v()),
        alloy_primitives::Signature::new(U256::MAX, U256::MAX, true),
    ];
    for signature in broken {
        let mut forged = block.clone();
        let transaction = signed.tx().clone();
        forged.body.transactions[0] =
            alloy_consensus::SignableTransaction::into_signed(transaction, signature).into();
        let found = chain.execute(&super::support::body_roots(forged));
        assert!(matches!(found, Err(ExecuteError::Signature { index: 0 })), "{found:?}");
    }
}

#[test]
fn transactions_that_the_rules_forbid_make_no_block() {
    let (chain, _) = next();
    let [a, b] = [Key::new(1), Key::new(2)];
    let poor = Key::new(100);
    let cases: Vec<(&str, Vec<TxEnvelope>)> = vec![
        ("nonce", vec![call(&a, 1, b.address, 0, &[])]),
        ("nonce", vec![call(&b, 0, b.address, 0, &[])]),
        ("funds", vec![call(&poor, 0, b.address, 0, &[])]),
        ("blob", vec![blobs(&a, 0, b.address, 7)]),
        ("blob", vec![blobs(&a, 0, b.address, 0)]),
        ("gas limit", (0..60).map(|nonce| call(&a, nonce, TOKEN_AT, 0, &[0xff; 12_000])).collect()),
    ];
    for (why, transactions) in cases {
        let block = super::support::body_roots(chain.draft(transactions, Vec::new()));
        match chain.execute(&block) {
            Err(ExecuteError::Invalid(found)) => {
                assert!(found.contains(why), "{why}: {found}");
            }
            other => panic!("{why}: {other:?}"),
        }
    }
}

#[test]
fn more_blobs_than_a_block_may_hold_are_refused_by_the_gas_that_they_use() {
    let (chain, _) = next();
    let a = Key::new(1);
    let transactions = (0..2).map(|nonce| blobs(&a, nonce, a.address, 5)).collect();
    let found = refusal(&chain, &super::support::body_roots(chain.draft(transactions, Vec::new())));
    assert_eq!((found.field, found.expected.as_str()), ("gasUsed", "42000"));
    let mut block = super::support::body_roots(
        chain.draft((0..2).map(|nonce| blobs(&a, nonce, a.address, 5)).collect(), Vec::new()),
    );
    block.header.gas_used = 42_000;
    assert_eq!(refusal(&chain, &block).field, "blobGasUsed");
}

#[test]
fn a_block_beyond_the_size_of_osaka_is_refused() {
    let (chain, mut block) = next();
    block.size = MAX_BLOCK_BYTES;
    chain.execute(&block).unwrap();
    block.size += 1;
    assert_eq!(refusal(&chain, &block).field, "size");
    let mut prague = chain;
    prague.chain.osaka = None;
    assert_ne!(refusal(&prague, &block).field, "size");
}

#[test]
fn a_block_of_another_chain_is_refused() {
    let (mut chain, block) = next();
    chain.chain.chain_id += 1;
    assert!(matches!(chain.execute(&block), Err(ExecuteError::Invalid(_))));
}

#[test]
fn fields_that_prague_brings_are_refused_before_it() {
    let mut file = genesis();
    file["config"]["pragueTime"] = serde_json::json!(0x64 + 13);
    file["config"]["osakaTime"] = serde_json::json!(0x64 + 13);
    let mut chain = Grown::new(&Genesis::parse(file.to_string().as_bytes()).unwrap());
    let mut block = chain.build(Vec::new(), Vec::new());
    assert_eq!(block.header.requests_hash, None);
    chain.execute(&block).unwrap();
    block.header.requests_hash = Some(alloy_eips::eip7685::EMPTY_REQUESTS_HASH);
    assert_eq!(refusal(&chain, &block).field, "requestsHash");
    // The first block of the fork has the fork's rules.
    chain.grow(Vec::new());
    let block = chain.build(Vec::new(), Vec::new());
    assert!(block.header.requests_hash.is_some());
}

#[test]
fn a_wrong_block_costs_no_state_root() {
    let (chain, block) = next();
    for (field, forge) in HEADERS.iter().filter(|(field, _)| *field != "stateRoot") {
        let mut header = block.header.clone();
        forge(&mut header);
        let forged = seal(header, block.body.clone());
        let found = lightproof_ethereum::execute::execute(
            &chain.chain,
            &chain.parent,
            &forged,
            &chain.world,
            |_| panic!("{field}"),
        );
        assert!(found.is_err());
    }
}
