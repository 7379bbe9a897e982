//! Proofs as large as main networks make them, for benches.

use serde_json::json;

use crate::ask::{Chain, Claim, Source};
use crate::rlp::Rlp;
use crate::state::{MptProof, Query, SlotProof};
use crate::trie::deep_path;
use crate::{header, hex, keccak};

/// Full branches above an account's leaf: about as many as on Ethereum, whose trie holds 2^28 keys.
const STATE_DEPTH: usize = 7;

/// Full branches above a slot's leaf in a large contract.
const STORAGE_DEPTH: usize = 6;

/// A chain whose headers hold what [`claim`] proves.
pub const CHAIN: Chain = Chain { kind: "ethereum", chain_id: 1, genesis_hash: [0; 32] };

/// A claim about one account, and about one of its slots if `with_slot`, under an Ethereum header.
pub fn claim(with_slot: bool) -> Claim {
    let (address, key, value) = ([0xc0; 20], [5; 32], [0x11; 32]);
    let leaf = Rlp::str(value).encode();
    let (storage_hash, slot_nodes) = deep_path(&keccak(&key), &leaf, STORAGE_DEPTH);
    let balance = Rlp::uint(1_000_000_000_000_000_000);
    let code_hash = keccak(b"code");
    let account =
        Rlp::list([Rlp::uint(7), balance.clone(), Rlp::str(storage_hash), Rlp::str(code_hash)]);
    let (root, nodes) = deep_path(&keccak(&address), &account.encode(), STATE_DEPTH);
    let Rlp::Str(balance) = balance else { panic!("an integer is a string") };
    let slot = SlotProof { key: key.to_vec(), value: value.to_vec(), nodes: slot_nodes };
    let slots: Vec<SlotProof> = with_slot.then_some(slot).into_iter().collect();
    let query = Query {
        address: address.to_vec(),
        slots: slots.iter().map(|slot| slot.key.clone()).collect(),
        want_code: false,
    };
    let proof = MptProof {
        address: address.to_vec(),
        nonce: vec![7],
        balance,
        storage_hash: storage_hash.to_vec(),
        code_hash: code_hash.to_vec(),
        nodes,
        slots,
        code: None,
    };
    let rlp = execution_header(&root);
    let source = Source::Header { hash: keccak(&rlp).to_vec(), rlps: vec![rlp] };
    Claim::plain(source, query.encode(), proof.encode())
}

/// A header with the fields of the Prague fork.
pub fn execution_header(state_root: &[u8; 32]) -> Vec<u8> {
    let hash = hex::encode(&[0xab; 32]);
    header::execution(&json!({
        "parentHash": hash, "sha3Uncles": hash, "miner": hex::encode(&[0xcd; 20]),
        "stateRoot": hex::encode(state_root), "transactionsRoot": hash, "receiptsRoot": hash,
        "logsBloom": hex::encode(&[0xef; 256]), "difficulty": "0x0", "number": "0x1564a16",
        "gasLimit": "0x22551ab", "gasUsed": "0xd3dc48", "timestamp": "0x680a9c2f",
        "extraData": hex::encode(b"a builder's name"), "mixHash": hash, "nonce": "0x0000000000000000",
        "baseFeePerGas": "0x1c0b1d2a", "withdrawalsRoot": hash, "blobGasUsed": "0xc0000",
        "excessBlobGas": "0x4b80000", "parentBeaconBlockRoot": hash, "requestsHash": hash,
    }))
}
