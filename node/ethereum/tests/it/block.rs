//! Bytes and JSON that are blocks, and such that are none.

use super::support::code::{MARK_AT, genesis};
use super::support::node::{as_json as json_of, rlp};
use super::support::transactions::{blobs, call, delegate, legacy, listed};
use super::support::{Grown, Key};
use alloy_consensus::TxEnvelope;
use alloy_eips::eip4895::Withdrawal;
use alloy_primitives::{B256, hex};
use alloy_rlp::Encodable as _;
use lightproof_ethereum::block::{Block, BlockError};
use lightproof_ethereum::genesis::Genesis;
use serde_json::{Value, json};

/// A block with transactions of every type.
fn block() -> Block {
    let chain = Grown::new(&Genesis::parse(genesis().to_string().as_bytes()).unwrap());
    let [a, b] = [Key::new(1), Key::new(2)];
    let transactions = vec![
        legacy(&a, 0, b.address, 1, true),
        legacy(&a, 1, b.address, 1, false),
        listed(&a, 2, MARK_AT, &[]),
        call(&a, 3, b.address, 1, &[1, 2]),
        blobs(&a, 4, b.address, 1),
        delegate(&a, 5, &b, 0, MARK_AT),
    ];
    let paid = Withdrawal { index: 1, validator_index: 2, address: a.address, amount: 3 };
    chain.build(transactions, vec![paid])
}

#[test]
fn bytes_and_json_give_the_same_block() {
    let block = block();
    let bytes = rlp(&block);
    assert_eq!(Block::from_rlp(&bytes).unwrap(), block);
    assert_eq!(Block::from_json(&json_of(&block)).unwrap(), block);
    assert_eq!(bytes.len(), block.size);
}

#[test]
fn refuses_another_hash_than_was_asked_for() {
    let block = block();
    let expected = B256::repeat_byte(1);
    let found = block.hash;
    assert_eq!(block.clone().with_hash(found), Ok(block.clone()));
    assert_eq!(block.with_hash(expected), Err(BlockError::Hash { expected, found }));
}

#[test]
fn refuses_bytes_that_are_cut_off_or_go_on() {
    let bytes = rlp(&block());
    for length in 0..bytes.len() {
        assert!(matches!(Block::from_rlp(&bytes[..length]), Err(BlockError::Rlp(_))), "{length}");
    }
    for more in [0, 0x80, 0xc0] {
        let longer = [&bytes[..], &[more]].concat();
        assert!(matches!(Block::from_rlp(&longer), Err(BlockError::Rlp(_))), "{more}");
    }
    assert_eq!(Block::from_rlp(&vec![0; (32 << 20) + 1]), Err(BlockError::TooLong((32 << 20) + 1)));
}

/// Every byte changed in some ways: an error or another block, never a panic, and never the same
/// block from other bytes.
#[test]
fn other_bytes_are_never_the_same_block() {
    let block = block();
    let bytes = rlp(&block);
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut other = bytes.clone();
            other[at] ^= flip;
            if let Ok(found) = Block::from_rlp(&other) {
                assert_ne!(found, block, "byte {at}");
                assert_eq!(rlp(&found), other, "byte {at}");
            }
        }
    }
}

#[test]
fn names_transaction_types_that_it_does_not_know() {
    let block = block();
    let bytes = rlp(&block);
    let mut typed = Vec::new();
    let TxEnvelope::Eip7702(signed) = &block.body.transactions[5] else { panic!() };
    alloy_eips::Encodable2718::encode_2718(signed, &mut typed);
    let at = bytes.windows(typed.len()).position(|window| window == typed).unwrap();
    for kind in [0x00, 0x05, 0x06, 0x7e, 0x7f, 0xff] {
        let mut other = bytes.clone();
        other[at] = kind;
        let expected = BlockError::UnknownTransactionType { index: 5, kind: format!("0x{kind:x}") };
        assert_eq!(Block::from_rlp(&other), Err(expected));
    }
    for kind in ["0x5", "0x7e", "", "4"] {
        let mut answer = json_of(&block);
        answer["transactions"][2]["type"] = json!(kind);
        let expected = BlockError::UnknownTransactionType { index: 2, kind: kind.to_owned() };
        assert_eq!(Block::from_json(&answer), Err(expected));
    }
}

#[test]
fn a_blob_transaction_with_its_blobs_is_no_part_of_a_block() {
    // Of the network's form `0x03 ‖ [transaction, blobs, commitments, proofs]`.
    let block = block();
    let bytes = rlp(&block);
    let mut typed = Vec::new();
    alloy_eips::Encodable2718::encode_2718(&block.body.transactions[4], &mut typed);
    let mut inner = typed[1..].to_vec();
    inner.extend_from_slice(&hex!("c0c0c0"));
    let mut wrapped = vec![3];
    alloy_rlp::Header { list: true, payload_length: inner.len() }.encode(&mut wrapped);
    wrapped.extend(inner);
    let mut body = block.body.clone();
    body.transactions.remove(4);
    let mut list = Vec::new();
    for (index, transaction) in block.body.transactions.iter().enumerate() {
        if index == 4 {
            wrapped.as_slice().encode(&mut list);
        } else {
            transaction.encode(&mut list);
        }
    }
    let mut payload = Vec::new();
    block.header.encode(&mut payload);
    alloy_rlp::Header { list: true, payload_length: list.len() }.encode(&mut payload);
    payload.extend(list);
    payload.push(0xc0);
    body.withdrawals.unwrap().encode(&mut payload);
    let mut out = Vec::new();
    alloy_rlp::Header { list: true, payload_length: payload.len() }.encode(&mut out);
    out.extend(payload);
    assert_ne!(out, bytes);
    assert!(
        matches!(Block::from_rlp(&out), Err(BlockError::Rlp(_))),
        "{:?}",
        Block::from_rlp(&out)
    );
}

#[test]
fn json_that_is_no_full_block_is_refused() {
    let block = block();
    let answer = json_of(&block);
    for json in [json!(null), json!([]), json!("0x"), json!({}), json!(1)] {
        assert!(matches!(Block::from_json(&json), Err(BlockError::Json(_))));
    }
    let edits: [fn(&mut Value); 6] = [
        |answer| answer["transactions"][0] = json!("0x00"),
        |answer| answer["uncles"] = json!(["0x00"]),
        |answer| answer["number"] = json!("0x10000000000000000"),
        |answer| answer["stateRoot"] = json!("0x12"),
        |answer| answer["transactions"][3]["r"] = Value::Null,
        |answer| answer["withdrawals"] = json!({}),
    ];
    for (index, edit) in edits.iter().enumerate() {
        let mut answer = answer.clone();
        edit(&mut answer);
        let found = Block::from_json(&answer);
        assert!(matches!(found, Err(BlockError::Json(_))), "{index}: {found:?}");
    }
    for key in ["transactions", "uncles", "parentHash", "gasUsed"] {
        let mut answer = answer.clone();
        answer.as_object_mut().unwrap().remove(key);
        assert!(matches!(Block::from_json(&answer), Err(BlockError::Json(_))), "{key}");
    }
}
