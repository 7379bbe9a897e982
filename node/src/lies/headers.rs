//! Headers of blocks that are not what they seem.

use serde_json::{Value, json};

use super::{Ask, Told};
use crate::rpc::error::RpcError;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::source::SourceBlock;
use lightproof_prover::chain::state::Wei;
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::chain::{Address, BLOCK_INTERVAL, CHAIN_ID};
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::mpt;
use lightproof_prover::system::mpt::account::Account;
use lightproof_prover::trie::nibbles::{hex_prefix, unpack};

/// Where headers are served.
pub(super) const METHODS: &[&str] =
    &["lp_getHeader", "lp_getHeaders", "eth_getBlockByNumber", "eth_getBlockByHash"];
/// Where the chain says who it is.
pub(super) const CHAIN_METHODS: &[&str] =
    &["lp_status", "lp_getHeader", "lp_getHeaders", "eth_chainId", "net_version"];
/// Where a forged head shows.
pub(super) const FORGED_METHODS: &[&str] = &[
    "lp_status",
    "lp_getHeader",
    "lp_getHeaders",
    "eth_blockNumber",
    "eth_getBlockByNumber",
    "eth_getBlockByHash",
    "eth_getProof",
];

pub(super) fn state_root(reply: &mut Value) {
    let forged = [0x66; 32];
    change(reply, &|header| {
        for (_, commitment) in header.commitments.iter_mut().filter(|(name, _)| name == mpt::NAME) {
            *commitment = forged.to_vec();
        }
    });
    change_field(reply, "stateRoot", |_| hex::encode(&forged));
}

pub(super) fn number(reply: &mut Value) {
    change(reply, &|header| header.number += 1);
    change_field(reply, "number", |number| hex::quantity(number + 1));
}

pub(super) fn timestamp(reply: &mut Value) {
    change(reply, &|header| header.timestamp += 3_600);
    change_field(reply, "timestamp", |timestamp| hex::quantity(timestamp + 3_600));
}

pub(super) fn extra_field(reply: &mut Value) {
    change_rlp(reply, &|bytes| {
        let Item::List(mut fields) = rlp::decode(bytes).ok()? else { return None };
        fields.push(Item::bytes([]));
        Some(Item::List(fields).encode())
    });
}

pub(super) fn other_block(ask: &Ask<'_>, reply: Value) -> Told {
    let block = ask.context.answer("eth_getBlockByNumber", &json!(["0x0"]))?;
    let header = ask.context.answer("lp_getHeader", &json!([block["hash"]]))?;
    Ok(match reply {
        Value::Object(_) => block,
        Value::String(_) => header,
        Value::Array(headers) => headers.iter().map(|_| header.clone()).collect(),
        other => other,
    })
}

pub(super) fn other_chain(reply: &mut Value) {
    let other = CHAIN_ID + 1;
    change(reply, &|header| header.chain_id = other);
    if *reply == json!(hex::quantity(CHAIN_ID)) {
        *reply = json!(hex::quantity(other));
    } else if *reply == json!(CHAIN_ID.to_string()) {
        *reply = json!(other.to_string());
    } else if reply.is_object() {
        reply["chainId"] = json!(hex::quantity(other));
        reply["genesisHash"] = json!(hex::encode(&keccak256(b"another chain")));
    }
}

/// A block that names the real head as its parent. Anyone can make one: only signatures could tell.
pub(super) fn forged_child(ask: &Ask<'_>, honest: Told) -> Told {
    let snapshot = ask.context.snapshot;
    let head = snapshot.header(snapshot.head())?.ok_or_else(RpcError::unknown_block)?;
    let victim = Population::new(ask.context.node.config().seed, 0).eoa(0);
    let leaf = rich_leaf(&victim);
    let block = SourceBlock {
        number: head.number + 1,
        timestamp: head.timestamp + BLOCK_INTERVAL,
        origin: head.origin,
        writes: WriteSet::default(),
        content: None,
    };
    let commitments = vec![(mpt::NAME.to_owned(), keccak256(&leaf).to_vec())];
    let child = ask.context.node.header_on(head.hash(), &block, commitments);
    let hash = json!(hex::encode(&child.hash()));
    let number = json!(hex::quantity(child.number));
    let first = ask.params[0].as_str().unwrap_or_default();
    let asks_for_child = first == "latest" || json!(first) == hash || json!(first) == number;
    match ask.method {
        "eth_blockNumber" => Ok(number),
        "lp_status" => honest.map(|mut status| {
            status["head"] = json!({ "number": number, "hash": hash });
            status["systems"][mpt::NAME]["window"][1] = number;
            status
        }),
        "lp_getHeader" if asks_for_child => Ok(json!(hex::encode(&child.encode()))),
        "lp_getHeaders" => honest.map(|mut headers| {
            let wanted = ask.params[1]
                .as_u64()
                .or_else(|| hex::decode_quantity(ask.params[1].as_str()?).ok());
            if let Some(list) =
                headers.as_array_mut().filter(|list| (list.len() as u64) < wanted.unwrap_or(0))
            {
                list.push(json!(hex::encode(&child.encode())));
            }
            headers
        }),
        "eth_getBlockByNumber" | "eth_getBlockByHash" if asks_for_child => {
            let mut block = ask.context.answer("eth_getBlockByNumber", &json!(["latest"]))?;
            block["parentHash"] = block["hash"].take();
            (block["hash"], block["number"]) = (hash, number);
            block["stateRoot"] = json!(hex::encode(&keccak256(&leaf)));
            block["timestamp"] = json!(hex::quantity(child.timestamp));
            Ok(block)
        }
        "eth_getProof" if forged_block(&ask.params[2], &hash, &number) => {
            Ok(rich_proof(&ask.params[0], &leaf))
        }
        _ => honest,
    }
}

fn forged_block(block: &Value, hash: &Value, number: &Value) -> bool {
    let block = if block.is_object() { &block["blockHash"] } else { block };
    block == "latest" || block == hash || block == number
}

fn rich_account() -> Account {
    Account { balance: Wei::from(1_000_000_000_000_000_000_000_000_000_u128), ..Account::default() }
}

/// A trie of one leaf.
fn rich_leaf(address: &Address) -> Vec<u8> {
    let path = hex_prefix(&unpack(&keccak256(address)), true);
    Item::List(vec![Item::bytes(path), Item::bytes(rich_account().encode())]).encode()
}

fn rich_proof(address: &Value, leaf: &[u8]) -> Value {
    let account = rich_account();
    json!({
        "address": address,
        "accountProof": [hex::encode(leaf)],
        "balance": hex::quantity_of_bytes(&account.balance.0),
        "codeHash": hex::encode(&account.code_hash),
        "nonce": hex::quantity(account.nonce),
        "storageHash": hex::encode(&account.storage_root),
        "storageProof": [],
    })
}

/// Changes the header's RLP wherever a reply holds one: a string, or a list of them.
fn change(reply: &mut Value, edit: &dyn Fn(&mut Header)) {
    change_rlp(reply, &|bytes| {
        let mut header = Header::decode(bytes)?;
        edit(&mut header);
        Some(header.encode())
    });
}

fn change_rlp(reply: &mut Value, edit: &dyn Fn(&[u8]) -> Option<Vec<u8>>) {
    match reply {
        Value::String(text) => {
            if let Some(bytes) = hex::decode(text).ok().and_then(|bytes| edit(&bytes)) {
                *text = hex::encode(&bytes);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| change_rlp(item, edit)),
        _ => {}
    }
}

/// Changes a field of a wallet's block; `new` gets the old value if that is a quantity.
fn change_field(reply: &mut Value, field: &str, new: impl FnOnce(u64) -> String) {
    if let Some(value) = reply.get_mut(field) {
        let old = value.as_str().and_then(|text| hex::decode_quantity(text).ok());
        *value = json!(new(old.unwrap_or(0)));
    }
}
