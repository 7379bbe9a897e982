//! Blocks as a node keeps them.

use super::support::Grown;
use super::support::followed::{blocks, file, genesis};
use lightproof_ethereum::json;
use lightproof_ethereum::record::Record;

/// The chain's blocks as records.
fn records() -> Vec<Record> {
    let genesis = genesis(&file());
    let mut chain = Grown::new(&genesis);
    let all = blocks();
    let mut records = vec![Record::genesis(genesis.header.clone())];
    for block in &all[1..] {
        let executed = chain.extend(block);
        records.push(Record::new(&genesis.chain, block.clone(), executed));
    }
    assert_eq!(records[0].block, all[0]);
    records
}

#[test]
fn a_record_comes_back_as_it_was() {
    for record in records() {
        let bytes = record.encode();
        assert_eq!(Record::decode(&bytes).as_ref(), Ok(&record));
        assert_eq!(Record::decode_header(&bytes).as_ref(), Ok(&record.block.header));
    }
}

#[test]
fn bytes_that_are_cut_off_or_go_on_are_no_record() {
    for record in records() {
        let mut bytes = record.encode();
        for end in 0..bytes.len() {
            assert!(Record::decode(&bytes[..end]).is_err(), "{end}");
        }
        bytes.push(0x80);
        assert!(Record::decode(&bytes).is_err());
    }
}

#[test]
fn what_lies_past_the_last_transaction_is_nothing() {
    for record in records() {
        let count = record.block.body.transactions.len();
        assert_eq!(record.transactions().len(), count);
        assert_eq!(json::receipts(&record).len(), count);
        assert!(json::transaction(&record, count).is_none());
        assert!(json::receipt(&record, count).is_none());
    }
}
