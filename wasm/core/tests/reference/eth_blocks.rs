//! `eth-blocks/`: blocks of a real network, with all their transactions and, where a source has
//! them, receipts.

use std::path::Path;

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use lightproof_core::body::{Body, Fact, Transaction};
use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::hash::Hash;
use lightproof_core::json::ToJson;
use lightproof_core::wire::{Bytes, Uint256};
use lightproof_core::{Claim, Rejection, Root, TrustedHeader, verify};
use lightproof_testkit::{body, hex, keccak};
use serde_json::Value;

use super::{Report, entries, say};

/// Runs every JSON file in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "json") {
            report.files += 1;
            let json: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            let blocks = json.as_array().cloned().unwrap_or_else(|| vec![json]);
            for block in &blocks {
                report.case(&format!("{name} {}", block["number"]), self::block(block));
            }
        } else if name != "README.md" {
            say(&format!("{}: NOT RUN, no JSON file", path.display()));
        }
    }
}

/// The lists of a block, as its tries hold them.
struct Lists {
    transactions: Vec<Vec<u8>>,
    receipts: Option<Vec<Vec<u8>>>,
    withdrawals: Option<Vec<Vec<u8>>>,
}

fn block(case: &Value) -> Result<(), String> {
    let json = &case["block"];
    let root = root(case)?;
    let list = |json: &Value, encode: fn(&Value) -> Vec<u8>| {
        json.as_array().map(|all| all.iter().map(encode).collect::<Vec<_>>())
    };
    let lists = Lists {
        transactions: list(&json["transactions"], body::transaction).ok_or("no transactions")?,
        receipts: list(&case["receipts"], body::receipt),
        withdrawals: list(&json["withdrawals"], body::withdrawal),
    };
    transactions(&root, &lists, json)?;
    if let Some(all) = &lists.receipts {
        receipts(&root, &lists.transactions, all, &case["receipts"])?;
        logs(&root, &lists.transactions, all, &case["receipts"])?;
        forged_receipts(&root, &lists.transactions, all)?;
    }
    withdrawals(&root, lists.withdrawals.as_deref(), json)?;
    forged_transactions(&root, &lists.transactions)
}

/// What the block's own header commits to.
fn root(case: &Value) -> Result<Root<Body>, String> {
    let rlp = hex::decode(case["header"].as_str().ok_or("no header")?);
    let hash = Hash(hex::array(case["block"]["hash"].as_str().ok_or("no hash")?));
    let genesis = "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3";
    let chain = Chain {
        kind: ChainKind::Ethereum,
        chain_id: 1,
        genesis_hash: Hash(hex::array(genesis)),
        consensus: None,
    };
    let header = TrustedHeader::pinned(&chain, hash, &rlp).map_err(|error| describe(&error))?;
    Root::committed(&(), &header).map_err(|error| describe(&error))
}

fn ask(root: &Root<Body>, query: &[u8], lists: &[&[Vec<u8>]]) -> Result<Fact, Rejection> {
    let proof = body::proof(lists);
    let claim = Claim { root, query, variant: "plain", proof: &proof };
    verify(&(), &[claim], [0; 32], &mut ()).remove(0).map(|proven| proven.fact().clone())
}

fn proven(root: &Root<Body>, query: &[u8], lists: &[&[Vec<u8>]]) -> Result<Value, String> {
    let fact = ask(root, query, lists).map_err(|error| describe(&error))?;
    let mut text = String::new();
    fact.to_json(&mut text);
    serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))
}

fn describe(rejection: &Rejection) -> String {
    format!("{}: {rejection}", rejection.code())
}

fn refused(what: &str, code: &str, verdict: Result<Fact, Rejection>) -> Result<(), String> {
    match verdict {
        Err(rejection) if rejection.code() == code => Ok(()),
        Err(rejection) => Err(format!("{what}: refused with {}, not {code}", rejection.code())),
        Ok(fact) => Err(format!("{what}: proven {fact:?}")),
    }
}

/// Every field that is proven is what the node wrote; fields that nodes leave out or call otherwise
/// are not compared.
fn same(what: &str, proven: &Value, recorded: &Value) -> Result<(), String> {
    for (name, value) in proven.as_object().ok_or("no object")? {
        let other = match (name.as_str(), &recorded[name]) {
            ("yParity", Value::Null) => &recorded["v"],
            (_, other) => other,
        };
        if other.is_null() && (!value.is_null() || name != "to") {
            let optional =
                ["type", "signingHash", "blobGasUsed", "transactionHash", "effectiveGasPrice"];
            if optional.contains(&name.as_str()) {
                continue;
            }
            return Err(format!("{what}: {name} is proven, and not recorded"));
        }
        if normal(value) != normal(other) {
            return Err(format!("{what}: {name} is proven {value}, recorded {other}"));
        }
    }
    Ok(())
}

/// Lower case, and names that only some nodes write left out of lists' objects.
fn normal(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.to_lowercase()),
        Value::Array(all) => all.iter().map(normal).collect(),
        Value::Object(members) => {
            let known = ["address", "storageKeys", "chainId", "nonce", "yParity", "r", "s"];
            let log = ["logIndex", "topics", "data"];
            let kept = members
                .iter()
                .filter(|(name, _)| known.contains(&name.as_str()) || log.contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), normal(value))).collect()
        }
        other => other.clone(),
    }
}

fn transactions(root: &Root<Body>, lists: &Lists, json: &Value) -> Result<(), String> {
    let recorded = json["transactions"].as_array().ok_or("no transactions")?;
    let all = &lists.transactions;
    let fact = proven(root, &body::query("transactions", &[]), &[all])?;
    let found = fact["transactions"].as_array().ok_or("no list")?;
    if fact["count"] != recorded.len() || found.len() != recorded.len() {
        return Err("another number of transactions".into());
    }
    for ((fact, recorded), bytes) in found.iter().zip(recorded).zip(all) {
        same("transaction", fact, recorded)?;
        sender(bytes, recorded)?;
    }
    let last = recorded.len().saturating_sub(1) as u64;
    let some = proven(root, &body::query("transactions", &[last, last + 7]), &[all])?;
    let expected: Vec<&Value> = found.last().into_iter().collect();
    if some["transactions"].as_array().ok_or("no list")?.iter().collect::<Vec<_>>() != expected {
        return Err("one transaction is proven otherwise than among all".into());
    }
    Ok(())
}

fn wide(bytes: &[u8]) -> [u8; 32] {
    Uint256::from_be(bytes).unwrap().0
}

/// What core says was signed, and the signature, give the sender that the node wrote.
fn sender(bytes: &[u8], recorded: &Value) -> Result<(), String> {
    let bytes = Bytes { bytes, span: lightproof_core::error::Span::default() };
    let read = Transaction::read(bytes).map_err(|error| error.to_string())?;
    let transaction = read.ok_or("an unknown type")?;
    let lightproof_core::body::Signature { r, s, .. } = transaction.signature;
    let signature = Signature::from_scalars(wide(r), wide(s)).map_err(|error| error.to_string())?;
    let odd = RecoveryId::new(transaction.parity() == 1, false);
    let (signature, odd) = match signature.normalize_s() {
        // Signatures before Homestead have s in the upper half.
        Some(low) => (low, RecoveryId::new(!odd.is_y_odd(), false)),
        None => (signature, odd),
    };
    let hash = transaction.signing_hash().0;
    let key = VerifyingKey::recover_from_prehash(&hash, &signature, odd)
        .map_err(|error| error.to_string())?;
    let sender = &keccak(&key.to_encoded_point(false).as_bytes()[1..])[12..];
    let expected = hex::decode(recorded["from"].as_str().ok_or("no sender")?);
    if sender == expected { Ok(()) } else { Err("the signature gives another sender".into()) }
}

fn receipts(
    root: &Root<Body>,
    transactions: &[Vec<u8>],
    receipts: &[Vec<u8>],
    recorded: &Value,
) -> Result<(), String> {
    let fact = proven(root, &body::query("receipts", &[]), &[transactions, receipts])?;
    let found = fact["receipts"].as_array().ok_or("no list")?;
    let recorded = recorded.as_array().ok_or("no receipts")?;
    if fact["count"] != recorded.len() || found.len() != recorded.len() {
        return Err("another number of receipts".into());
    }
    found.iter().zip(recorded).try_for_each(|(fact, recorded)| same("receipt", fact, recorded))
}

/// Addresses, and topics by position.
type Filter = (Vec<Vec<u8>>, Vec<Vec<Vec<u8>>>);

/// Filters made of what the logs hold, against a plain search.
fn logs(
    root: &Root<Body>,
    transactions: &[Vec<u8>],
    receipts: &[Vec<u8>],
    recorded: &Value,
) -> Result<(), String> {
    let all: Vec<&Value> = recorded
        .as_array()
        .ok_or("no receipts")?
        .iter()
        .flat_map(|receipt| receipt["logs"].as_array().into_iter().flatten())
        .collect();
    let bytes = |json: &Value| hex::decode(json.as_str().unwrap_or_default());
    let mut filters: Vec<Filter> = vec![
        (vec![], vec![]),
        (vec![], vec![vec![]]),
        (vec![], vec![vec![], vec![], vec![], vec![]]),
        (vec![vec![0xab; 20]], vec![]),
        (vec![], vec![vec![vec![0xcd; 32]]]),
    ];
    for log in all.iter().step_by(1 + all.len() / 8) {
        let topics: Vec<Vec<u8>> = log["topics"].as_array().unwrap().iter().map(bytes).collect();
        let address = vec![bytes(&log["address"])];
        filters.push((address.clone(), vec![]));
        filters.push((vec![], topics.iter().map(|topic| vec![topic.clone()]).collect()));
        filters.push((address, vec![vec![], topics.iter().take(3).cloned().collect()]));
    }
    for (addresses, topics) in filters {
        let expected: Vec<&Value> = all
            .iter()
            .copied()
            .filter(|log| {
                let held = log["topics"].as_array().unwrap();
                (addresses.is_empty() || addresses.contains(&bytes(&log["address"])))
                    && topics.len() <= held.len()
                    && topics.iter().zip(held).all(|(any, held)| {
                        any.is_empty() || any.iter().any(|topic| *topic == bytes(held))
                    })
            })
            .collect();
        for hashes in [false, true] {
            let query = body::filter("logs", &addresses, &topics, Some(hashes));
            let with: &[&[Vec<u8>]] = if hashes { &[transactions, receipts] } else { &[receipts] };
            let fact = proven(root, &query, with)?;
            let found = fact["logs"].as_array().ok_or("no list")?;
            if found.len() != expected.len() {
                return Err(format!("{} logs, not {}", found.len(), expected.len()));
            }
            for (fact, recorded) in found.iter().zip(&expected) {
                same("log", fact, recorded)?;
                if fact.get("transactionHash").is_some() != hashes {
                    return Err("a hash that was not asked for, or none".into());
                }
            }
        }
        let query = body::filter("bloom", &addresses, &topics, None);
        let bloom = proven(root, &query, &[])?;
        if bloom["bloom"] == false && !expected.is_empty() {
            return Err("the Bloom filter excludes a log that is there".into());
        }
    }
    let nobody = body::filter("bloom", &[], &[vec![keccak(b"nobody").to_vec()]], None);
    match (all.is_empty(), proven(root, &nobody, &[])?["bloom"] == true) {
        (true, true) => Err("a block without logs may have one".into()),
        _ => Ok(()),
    }
}

fn withdrawals(root: &Root<Body>, all: Option<&[Vec<u8>]>, json: &Value) -> Result<(), String> {
    let query = lightproof_testkit::Rlp::strings(["withdrawals"]).encode();
    let Some(all) = all else {
        let none = proven(root, &query, &[&[]])?;
        let made_up = vec![vec![0xc4, 1, 1, 1, 1]];
        if none["withdrawals"] != serde_json::json!([]) || ask(root, &query, &[&made_up]).is_ok() {
            return Err("withdrawals before there were any".into());
        }
        return Ok(());
    };
    let fact = proven(root, &query, &[all])?;
    let (found, recorded) = (&fact["withdrawals"], &json["withdrawals"]);
    for (fact, recorded) in found.as_array().unwrap().iter().zip(recorded.as_array().unwrap()) {
        same("withdrawal", fact, recorded)?;
    }
    if let Some((_, rest)) = all.split_first() {
        refused("one withdrawal less", "verify.root", ask(root, &query, &[rest]))?;
    }
    Ok(())
}

/// Lists that differ in one place.
fn changes(all: &[Vec<u8>]) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let mut changed: Vec<(&str, Vec<Vec<u8>>)> = Vec::new();
    if let [.., last] = all {
        changed.push(("the last left out", all[..all.len() - 1].to_vec()));
        changed.push(("the first left out", all[1..].to_vec()));
        changed.push(("the last twice", all.iter().chain([last]).cloned().collect()));
    }
    if all.len() > 1 {
        let mut exchanged = all.to_vec();
        exchanged.swap(0, all.len() - 1);
        changed.push(("two exchanged", exchanged));
        changed.push(("in reverse", all.iter().rev().cloned().collect()));
    }
    changed
}

fn forged_transactions(root: &Root<Body>, all: &[Vec<u8>]) -> Result<(), String> {
    let query = body::query("transactions", &[]);
    for (what, list) in changes(all) {
        if list != all {
            refused(what, "verify.root", ask(root, &query, &[&list]))?;
        }
    }
    refused("a list too many", "decode.shape", ask(root, &query, &[all, all]))?;
    refused("no list", "decode.shape", ask(root, &query, &[]))?;
    let Some(first) = all.first() else { return Ok(()) };
    // A typed envelope around the legacy list, or the list without its envelope.
    let moved =
        if first[0] >= 0xc0 { [&[2], first.as_slice()].concat() } else { first[1..].to_vec() };
    let list: Vec<Vec<u8>> = [moved].into_iter().chain(all[1..].iter().cloned()).collect();
    match ask(root, &query, &[&list]) {
        Err(Rejection::Decode(_)) => Ok(()),
        other => Err(format!("another envelope gave {other:?}")),
    }
}

fn forged_receipts(
    root: &Root<Body>,
    transactions: &[Vec<u8>],
    receipts: &[Vec<u8>],
) -> Result<(), String> {
    let query = body::query("receipts", &[]);
    for (what, list) in changes(receipts) {
        if list != receipts {
            refused(what, "verify.root", ask(root, &query, &[transactions, &list]))?;
        }
    }
    let mut changed = receipts.to_vec();
    if let Some(last) = changed.last_mut() {
        // In the Bloom filter of a receipt without logs, in the last log's data or topics else.
        let at = last.len() - 2;
        last[at] ^= 1;
        match ask(root, &query, &[transactions, &changed]) {
            Err(Rejection::Verify(_) | Rejection::Decode(_)) => {}
            other => return Err(format!("a changed receipt gave {other:?}")),
        }
    }
    let logs = body::filter("logs", &[], &[], Some(false));
    if let Some((_, rest)) = receipts.split_last() {
        refused("logs left out", "verify.root", ask(root, &logs, &[rest]))?;
    }
    // The wrong list under the name.
    if transactions != receipts && !receipts.is_empty() {
        match ask(root, &logs, &[transactions]) {
            Err(Rejection::Decode(_)) => {}
            other => return Err(format!("transactions as receipts gave {other:?}")),
        }
    }
    Ok(())
}
