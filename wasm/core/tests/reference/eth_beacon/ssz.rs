//! Beacon-API JSON as SSZ, written apart from core: what the SDK does before it calls core.

use lightproof_core::hash::sha256;
use lightproof_testkit::{getproof, hex};
use serde_json::Value;

/// The generation of containers that a fork's JSON has.
pub(super) fn shape(version: &str) -> &'static str {
    match version {
        "altair" | "bellatrix" => "altair",
        "capella" => "capella",
        "deneb" => "deneb",
        "electra" | "fulu" => "electra",
        "gloas" => "gloas",
        other => panic!("unknown version {other}"),
    }
}

/// A field of a container: in place, or at its end with an offset in its place.
enum Field {
    Fixed(Vec<u8>),
    Variable(Vec<u8>),
}

/// A container of fields.
fn container(fields: Vec<Field>) -> Vec<u8> {
    let size: usize = fields
        .iter()
        .map(|field| match field {
            Field::Fixed(bytes) => bytes.len(),
            Field::Variable(_) => 4,
        })
        .sum();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Fixed(bytes) => head.extend(bytes),
            Field::Variable(bytes) => {
                head.extend(u32::try_from(size + tail.len()).unwrap().to_le_bytes());
                tail.extend(bytes);
            }
        }
    }
    head.extend(tail);
    head
}

/// `LightClientBootstrap`.
pub(super) fn bootstrap(data: &Value, shape: &str) -> Vec<u8> {
    container(vec![
        header(&data["header"], shape),
        Field::Fixed(committee(&data["current_sync_committee"])),
        Field::Fixed(branch(&data["current_sync_committee_branch"])),
    ])
}

/// `LightClientUpdate`, `LightClientFinalityUpdate` or `LightClientOptimisticUpdate`, by what is
/// there.
pub(super) fn update(data: &Value, shape: &str) -> Vec<u8> {
    let mut fields = vec![header(&data["attested_header"], shape)];
    if let Some(next) = data.get("next_sync_committee") {
        fields.push(Field::Fixed(committee(next)));
        fields.push(Field::Fixed(branch(&data["next_sync_committee_branch"])));
    }
    if let Some(finalized) = data.get("finalized_header") {
        fields.push(header(finalized, shape));
        fields.push(Field::Fixed(branch(&data["finality_branch"])));
    }
    fields.push(Field::Fixed(aggregate(data)));
    fields.push(Field::Fixed(u64_of(&data["signature_slot"]).to_le_bytes().to_vec()));
    container(fields)
}

/// `SyncAggregate` of an update.
pub(super) fn aggregate(data: &Value) -> Vec<u8> {
    let aggregate = &data["sync_aggregate"];
    let bits = getproof::bytes(&aggregate["sync_committee_bits"]);
    [bits, getproof::bytes(&aggregate["sync_committee_signature"])].concat()
}

/// `LightClientHeader` on its own.
pub(super) fn light_header(json: &Value, shape: &str) -> Vec<u8> {
    match header(json, shape) {
        Field::Fixed(bytes) | Field::Variable(bytes) => bytes,
    }
}

fn header(json: &Value, shape: &str) -> Field {
    let mut fields = vec![Field::Fixed(beacon(&json["beacon"]))];
    match shape {
        "altair" => return Field::Fixed(container(fields)),
        "gloas" => {
            fields.push(Field::Fixed(getproof::bytes(&json["execution_block_hash"])));
            fields.push(Field::Fixed(branch(&json["execution_branch"])));
            return Field::Fixed(container(fields));
        }
        _ => {}
    }
    fields.push(Field::Variable(payload(&json["execution"], shape)));
    fields.push(Field::Fixed(branch(&json["execution_branch"])));
    Field::Variable(container(fields))
}

fn beacon(json: &Value) -> Vec<u8> {
    let mut out = u64_of(&json["slot"]).to_le_bytes().to_vec();
    out.extend(u64_of(&json["proposer_index"]).to_le_bytes());
    for name in ["parent_root", "state_root", "body_root"] {
        out.extend(getproof::bytes(&json[name]));
    }
    out
}

fn payload(json: &Value, shape: &str) -> Vec<u8> {
    let bytes = |name: &str| Field::Fixed(getproof::bytes(&json[name]));
    let integer = |name: &str| Field::Fixed(u64_of(&json[name]).to_le_bytes().to_vec());
    let mut fields = vec![
        bytes("parent_hash"),
        bytes("fee_recipient"),
        bytes("state_root"),
        bytes("receipts_root"),
        bytes("logs_bloom"),
        bytes("prev_randao"),
        integer("block_number"),
        integer("gas_limit"),
        integer("gas_used"),
        integer("timestamp"),
        Field::Variable(getproof::bytes(&json["extra_data"])),
        Field::Fixed(u256(&json["base_fee_per_gas"])),
        bytes("block_hash"),
        bytes("transactions_root"),
        bytes("withdrawals_root"),
    ];
    if shape != "capella" {
        fields.extend([integer("blob_gas_used"), integer("excess_blob_gas")]);
    }
    container(fields)
}

fn committee(json: &Value) -> Vec<u8> {
    let mut out: Vec<u8> =
        json["pubkeys"].as_array().unwrap().iter().flat_map(getproof::bytes).collect();
    out.extend(getproof::bytes(&json["aggregate_pubkey"]));
    out
}

fn branch(json: &Value) -> Vec<u8> {
    json.as_array().unwrap().iter().flat_map(getproof::bytes).collect()
}

pub(super) fn u64_of(json: &Value) -> u64 {
    json.as_str().unwrap().parse().unwrap()
}

/// A decimal string as 32 bytes, little-endian.
fn u256(json: &Value) -> Vec<u8> {
    let value: u128 = json.as_str().unwrap().parse().unwrap();
    let mut out = value.to_le_bytes().to_vec();
    out.resize(32, 0);
    out
}

/// `hash_tree_root(BeaconBlockHeader)`: the checkpoint that stands for a block.
pub(super) fn root(beacon: &Value) -> [u8; 32] {
    let integer = |name: &str| {
        let mut leaf = [0; 32];
        leaf[..8].copy_from_slice(&u64_of(&beacon[name]).to_le_bytes());
        leaf
    };
    let hash = |name: &str| hex::array(beacon[name].as_str().unwrap());
    let mut nodes: Vec<[u8; 32]> = vec![
        integer("slot"),
        integer("proposer_index"),
        hash("parent_root"),
        hash("state_root"),
        hash("body_root"),
    ];
    nodes.resize(8, [0; 32]);
    while let [_, _, ..] = nodes.as_slice() {
        nodes = nodes.chunks(2).map(|pair| sha256(&[&pair[0], &pair[1]]).0).collect();
    }
    nodes[0]
}
