//! JSON of the vectors, as the crate's types; the chain that they run on.

use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::hash::Hash;
use lightproof_evm::context_interface::transaction::{AccessList, AccessListItem};
use lightproof_evm::primitives::{Address, B256, Bytes, Log, U256};
use lightproof_evm::{Forks, Rules};
use lightproof_testkit::{Rlp, hex, keccak};
use serde_json::Value;

/// Bytes of hex text; none if there is no text.
pub(super) fn bytes(json: &Value) -> Vec<u8> {
    json.as_str().map(hex::decode).unwrap_or_default()
}

pub(super) fn number(json: &Value) -> U256 {
    let text = json.as_str().unwrap_or("0x0");
    U256::from_be_slice(&hex::minimal(&hex::decode(text)))
}

pub(super) fn address(json: &Value) -> Address {
    Address::from_slice(&bytes(json))
}

pub(super) fn word(json: &Value) -> B256 {
    B256::from(number(json))
}

pub(super) fn access_list(json: &Value) -> AccessList {
    let entries = json.as_array().into_iter().flatten().map(|entry| AccessListItem {
        address: address(&entry["address"]),
        storage_keys: entry["storageKeys"].as_array().unwrap().iter().map(word).collect(),
    });
    AccessList(entries.collect())
}

/// Logs as JSON-RPC writes them.
pub(super) fn logs(json: &Value) -> Vec<Log> {
    let all = json.as_array().into_iter().flatten().map(|log| {
        let topics = log["topics"].as_array().unwrap().iter().map(word).collect();
        Log::new_unchecked(address(&log["address"]), topics, Bytes::from(bytes(&log["data"])))
    });
    all.collect()
}

/// keccak of the logs' RLP.
pub(super) fn logs_hash(logs: &[Log]) -> [u8; 32] {
    let log = |log: &Log| {
        let topics = log.topics().iter().map(Rlp::str);
        Rlp::list([Rlp::str(log.address), Rlp::list(topics), Rlp::str(&log.data.data)])
    };
    keccak(&Rlp::list(logs.iter().map(log)).encode())
}

pub(super) fn chain(chain_id: u64, genesis_hash: Hash) -> Chain {
    Chain { kind: ChainKind::Ethereum, chain_id, genesis_hash, consensus: None }
}

/// A table with one entry: all blocks follow `rules`.
pub(super) fn always(rules: &str, blob_fraction: u64) -> Forks {
    table(&[(rules, "block", 0, blob_fraction)])
}

/// Mainnet's forks (EIPs' activation blocks and times).
pub(super) fn mainnet() -> Forks {
    table(&[
        ("byzantium", "block", 4_370_000, 0),
        ("petersburg", "block", 7_280_000, 0),
        ("istanbul", "block", 9_069_000, 0),
        ("berlin", "block", 12_244_000, 0),
        ("london", "block", 12_965_000, 0),
        ("paris", "block", 15_537_394, 0),
        ("shanghai", "time", 1_681_338_455, 0),
        ("cancun", "time", 1_710_338_135, 3_338_477),
        ("prague", "time", 1_746_612_311, 5_007_716),
        ("osaka", "time", 1_764_798_551, 5_007_716),
        ("osaka", "time", 1_765_290_071, 8_346_193),
        ("osaka", "time", 1_767_747_671, 11_684_671),
    ])
}

fn table(entries: &[(&str, &str, u64, u64)]) -> Forks {
    let entry = |(rules, start, at, fraction): &(&str, &str, u64, u64)| {
        Rlp::list([Rlp::str(rules), Rlp::str(start), Rlp::uint(*at), Rlp::uint(*fraction)])
    };
    Forks::from_rlp(&Rlp::list(entries.iter().map(entry)).encode()).unwrap()
}

/// Which optional fields a header has.
pub(super) fn since(name: &str, rules: Rules) -> bool {
    Rules::named(name).is_some_and(|named| named >= rules)
}
