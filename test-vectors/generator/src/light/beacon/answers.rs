//! Light-client containers as the Beacon API's JSON writes them: integers in decimal, bytes in hex.

use ark_ff::BigInt;
use serde_json::{Map, Value as Json, json};

use super::blocks::Header;
use super::rules::Shape;
use super::scene::{Bootstrap, Update};
use super::ssz::Value;
use lightproof_prover::chain::committee::KEY_BYTES;
use lightproof_prover::hash::Word;
use lightproof_prover::hex;

/// `{version, data}`: an answer in the containers of a shape.
pub(super) fn answer(shape: Shape, data: &Json) -> Json {
    json!({ "version": shape.name(), "data": data })
}

/// `LightClientBootstrap`.
pub(super) fn bootstrap(bootstrap: &Bootstrap) -> Json {
    json!({
        "header": header(&bootstrap.header),
        "current_sync_committee": committee(&bootstrap.committee),
        "current_sync_committee_branch": branch(&bootstrap.branch),
    })
}

/// `LightClientUpdate`, `LightClientFinalityUpdate` or `LightClientOptimisticUpdate`, as
/// [`Update::ssz`].
pub(super) fn update(update: &Update, form: &str) -> Json {
    let mut data = json!({ "attested_header": header(&update.attested) });
    if form == "update" {
        data["next_sync_committee"] = committee(&update.next);
        data["next_sync_committee_branch"] = branch(&update.next_branch);
    }
    if form != "optimistic" {
        data["finalized_header"] = header(&update.finalized);
        data["finality_branch"] = branch(&update.finality_branch);
    }
    data["sync_aggregate"] = json!({
        "sync_committee_bits": hex::encode(&update.bits),
        "sync_committee_signature": hex::encode(&update.signature),
    });
    data["signature_slot"] = json!(update.signature_slot.to_string());
    data
}

/// A header with its payload, from Deneb to Fulu.
fn header(header: &Header) -> Json {
    let payload = header.payload.fields(true);
    let payload: Map<String, Json> =
        payload.iter().map(|(name, field)| ((*name).to_owned(), value(field))).collect();
    json!({
        "beacon": {
            "slot": header.slot.to_string(),
            "proposer_index": header.proposer.to_string(),
            "parent_root": hex::encode(&header.parent_root),
            "state_root": hex::encode(&header.state_root),
            "body_root": hex::encode(&header.body_root),
        },
        "execution": payload,
        "execution_branch": branch(&header.execution_branch),
    })
}

fn value(value: &Value) -> Json {
    json!(match value {
        Value::Uint(integer) => integer.to_string(),
        Value::Uint256(bytes) => {
            let limbs = bytes.as_chunks::<8>().0.iter().map(|limb| u64::from_le_bytes(*limb));
            let mut integer = BigInt::<4>::default();
            integer.0.iter_mut().zip(limbs).for_each(|(own, limb)| *own = limb);
            integer.to_string()
        }
        Value::Bytes(bytes) | Value::List(bytes) => hex::encode(bytes),
    })
}

/// Keys, then their sum.
fn committee(listed: &[u8]) -> Json {
    let keys: Vec<_> = listed.chunks(KEY_BYTES).map(hex::encode).collect();
    let (sum, keys) = keys.split_last().unzip();
    json!({ "pubkeys": keys, "aggregate_pubkey": sum })
}

fn branch(nodes: &[Word]) -> Json {
    nodes.iter().map(|node| hex::encode(node)).collect()
}
