//! A block's transactions, receipts and withdrawals, from JSON-RPC to the bytes that its tries
//! hold.

use serde_json::Value;

use crate::getproof::bytes;
use crate::hex;
use crate::rlp::Rlp;

/// A transaction in its envelope. `gasPrice` is also written in transactions of types 2 and later,
/// where it is not signed.
///
/// # Panics
/// If the type is not one of 0 to 4.
pub fn transaction(json: &Value) -> Vec<u8> {
    let kind = json["type"].as_str().map_or(0, number);
    let mut fields: Vec<Rlp> = Vec::new();
    if kind > 0 {
        fields.push(uint(json, "chainId"));
    }
    fields.push(uint(json, "nonce"));
    if kind < 2 {
        fields.push(uint(json, "gasPrice"));
    } else {
        fields.extend([uint(json, "maxPriorityFeePerGas"), uint(json, "maxFeePerGas")]);
    }
    fields.push(uint(json, "gas"));
    fields.push(Rlp::Str(json["to"].as_str().map_or_else(Vec::new, hex::decode)));
    fields.extend([uint(json, "value"), Rlp::Str(bytes(&json["input"]))]);
    if kind > 0 {
        fields.push(Rlp::list(items(json, "accessList").map(|entry| {
            let slots = items(entry, "storageKeys").map(bytes);
            Rlp::list([Rlp::Str(bytes(&entry["address"])), Rlp::strings(slots)])
        })));
    }
    if kind == 3 {
        fields.push(uint(json, "maxFeePerBlobGas"));
        fields.push(Rlp::strings(items(json, "blobVersionedHashes").map(bytes)));
    }
    if kind == 4 {
        fields.push(Rlp::list(items(json, "authorizationList").map(|each| {
            let address = Rlp::Str(bytes(&each["address"]));
            let head = [uint(each, "chainId"), address, uint(each, "nonce")];
            Rlp::list(head.into_iter().chain(signature(each, "yParity")))
        })));
    }
    fields.extend(signature(json, "v"));
    assert!(kind <= 4, "unknown type {kind}");
    typed(kind, &Rlp::List(fields))
}

/// A receipt in its envelope.
pub fn receipt(json: &Value) -> Vec<u8> {
    let outcome = match json.get("root").and_then(Value::as_str) {
        Some(root) => Rlp::Str(hex::decode(root)),
        None => uint(json, "status"),
    };
    let logs = items(json, "logs").map(|log| {
        let topics = Rlp::strings(items(log, "topics").map(bytes));
        Rlp::list([Rlp::Str(bytes(&log["address"])), topics, Rlp::Str(bytes(&log["data"]))])
    });
    let bloom = Rlp::Str(bytes(&json["logsBloom"]));
    let fields = [outcome, uint(json, "cumulativeGasUsed"), bloom, Rlp::list(logs)];
    typed(json["type"].as_str().map_or(0, number), &Rlp::list(fields))
}

/// A withdrawal.
pub fn withdrawal(json: &Value) -> Vec<u8> {
    let address = Rlp::Str(bytes(&json["address"]));
    let head = [uint(json, "index"), uint(json, "validatorIndex"), address];
    Rlp::list(head.into_iter().chain([uint(json, "amount")])).encode()
}

/// Lists as a proof holds them.
pub fn proof(lists: &[&[Vec<u8>]]) -> Vec<u8> {
    Rlp::list(lists.iter().map(|list| Rlp::strings(list.iter()))).encode()
}

/// The query for all items of a kind, or those of some indices.
pub fn query(kind: &str, indices: &[u64]) -> Vec<u8> {
    let indices = indices.iter().map(|index| Rlp::uint(*index));
    Rlp::list([Rlp::str(kind), Rlp::list(indices)]).encode()
}

/// The query for logs (`bloom` without `hashes`).
pub fn filter(
    kind: &str,
    addresses: &[Vec<u8>],
    topics: &[Vec<Vec<u8>>],
    hashes: Option<bool>,
) -> Vec<u8> {
    let topics = Rlp::list(topics.iter().map(|position| Rlp::strings(position.iter())));
    let head = [Rlp::str(kind), Rlp::strings(addresses.iter()), topics];
    Rlp::list(head.into_iter().chain(hashes.map(|hashes| Rlp::uint(hashes.into())))).encode()
}

fn typed(kind: u64, fields: &Rlp) -> Vec<u8> {
    let first = (kind > 0).then(|| u8::try_from(kind).expect("a type is a byte"));
    first.into_iter().chain(fields.encode()).collect()
}

/// * `parity`: the name of the first item; nodes write `v` in every transaction.
fn signature(json: &Value, parity: &str) -> [Rlp; 3] {
    [uint(json, parity), uint(json, "r"), uint(json, "s")]
}

fn uint(json: &Value, name: &str) -> Rlp {
    Rlp::Str(hex::minimal(&bytes(&json[name])))
}

fn number(hex: &str) -> u64 {
    hex::decode(hex).iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
}

fn items<'a>(json: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    json[name].as_array().into_iter().flatten()
}
