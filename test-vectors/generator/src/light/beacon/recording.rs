//! `beacon.json`: what a beacon node and an execution node answer about a chain of our own, by
//! mainnet's rules and with 512 keys, from a checkpoint in Deneb to a block of Electra.
//!
//! Clients that pin mainnet follow it, since they pin the checkpoint too. The keys are INSECURE.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::answers;
use super::blocks::Payload;
use super::mainnet::{GENESIS, KNOWN, RULES, signed_by_most};
use super::rules::{Rules, Shape};
use super::scene::{Scene, Update};
use super::tree::{leaf, pair};
use crate::light::case::{Consensus, Setting};
use crate::mpt::reply::{Query, Reply, SlotReply};
use crate::mpt::scene::{self as accounts, End};
use crate::mpt::world::World;
use lightproof_prover::chain::workload::population::low_slot;
use lightproof_prover::hash::{EMPTY_ROOT, keccak256, sha256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;

/// The last period of Deneb but one, the last, and the first of Electra.
const FIRST_PERIOD: u64 = 1420;
const PERIOD: u64 = 8_192;
const PINNED: u64 = FIRST_PERIOD * PERIOD + 96;
/// Attested blocks of the updates, one a period.
const UPDATES: [u64; 3] = [
    FIRST_PERIOD * PERIOD + 4_000,
    (FIRST_PERIOD + 1) * PERIOD + 4_000,
    (FIRST_PERIOD + 2) * PERIOD + 200,
];
/// Attested by the finality update, and by the optimistic update.
const FINALITY: u64 = HEAD - 8;
const HEAD: u64 = (FIRST_PERIOD + 2) * PERIOD + 4_400;

const SEED: u64 = 29;

/// Names and values of an execution block's header.
type Fields = Vec<(&'static str, Vec<u8>)>;

/// Fields that JSON-RPC writes as quantities, and RLP as integers.
const QUANTITIES: [&str; 8] = [
    "difficulty",
    "number",
    "gasLimit",
    "gasUsed",
    "timestamp",
    "baseFeePerGas",
    "blobGasUsed",
    "excessBlobGas",
];

/// An execution block with the state after it.
struct Executed<'a> {
    payload: Payload,
    fields: Fields,
    world: &'a World,
}

impl<'a> Executed<'a> {
    /// The block of a slot, over a state.
    fn new(slot: u64, world: &'a World) -> Self {
        let mut payload = Payload {
            number: slot - 1_000_000,
            time: RULES.time(slot),
            state_root: world.root,
            ..Payload::of(slot, Shape::Electra)
        };
        let fields = header(&payload, slot);
        let items = fields.iter().map(|(name, bytes)| {
            if QUANTITIES.contains(name) { Item::uint_bytes(bytes) } else { Item::bytes(bytes) }
        });
        payload.hash = keccak256(&Item::List(items.collect()).encode());
        Self { payload, fields, world }
    }

    /// The block as `eth_getBlockByHash` has it, and answers to `eth_getProof` about it, each with
    /// what the plain model says.
    fn json(&self) -> Value {
        let field = |(name, bytes): &(&str, Vec<u8>)| {
            let text = if QUANTITIES.contains(name) {
                hex::quantity_of_bytes(bytes)
            } else {
                hex::encode(bytes)
            };
            ((*name).to_owned(), json!(text))
        };
        let mut block: Map<String, Value> = self.fields.iter().map(field).collect();
        block.insert("hash".to_owned(), json!(hex::encode(&self.payload.hash)));
        let absent = accounts::Scene::absent(self.world, End::Branch);
        let queries = [
            Query::account(accounts::eoa()),
            Query::slots(accounts::contract(), &[low_slot(3), low_slot(1_000)]),
            Query::account(absent),
        ];
        let proofs = queries.map(|query| {
            json!({
                "fact": self.world.fact(&query),
                "proof": proof(&self.world.reply(&query)),
            })
        });
        json!({ "block": block, "proofs": proofs })
    }
}

/// The header that a payload stands for, in the order of its RLP. Integers are big-endian.
fn header(payload: &Payload, slot: u64) -> Fields {
    let given: BTreeMap<_, _> = payload.fields(true).into_iter().collect();
    let same = |name: &str| given[name].big_endian();
    vec![
        ("parentHash", same("parent_hash")),
        ("sha3Uncles", keccak256(&[0xc0]).to_vec()),
        ("miner", same("fee_recipient")),
        ("stateRoot", same("state_root")),
        ("transactionsRoot", EMPTY_ROOT.to_vec()),
        ("receiptsRoot", same("receipts_root")),
        ("logsBloom", same("logs_bloom")),
        ("difficulty", vec![]),
        ("number", same("block_number")),
        ("gasLimit", same("gas_limit")),
        ("gasUsed", same("gas_used")),
        ("timestamp", same("timestamp")),
        ("extraData", same("extra_data")),
        ("mixHash", same("prev_randao")),
        ("nonce", vec![0; 8]),
        ("baseFeePerGas", same("base_fee_per_gas")),
        ("withdrawalsRoot", EMPTY_ROOT.to_vec()),
        ("blobGasUsed", same("blob_gas_used")),
        ("excessBlobGas", same("excess_blob_gas")),
        ("parentBeaconBlockRoot", sha256(&[b"parent", &slot.to_be_bytes()]).to_vec()),
        ("requestsHash", sha256(&[]).to_vec()),
    ]
}

/// An answer to `eth_getProof`.
fn proof(reply: &Reply) -> Value {
    let nodes = |nodes: &[Vec<u8>]| nodes.iter().map(|node| hex::encode(node)).collect::<Vec<_>>();
    let slot = |slot: &SlotReply| {
        json!({
            "key": hex::encode(&slot.key),
            "value": hex::quantity_of_bytes(&slot.value),
            "proof": nodes(&slot.nodes),
        })
    };
    json!({
        "address": hex::encode(&reply.address),
        "nonce": hex::quantity_of_bytes(&reply.nonce),
        "balance": hex::quantity_of_bytes(&reply.balance),
        "storageHash": hex::encode(&reply.storage_hash),
        "codeHash": hex::encode(&reply.code_hash),
        "accountProof": nodes(&reply.nodes),
        "storageProof": reply.slots.iter().map(slot).collect::<Vec<_>>(),
    })
}

/// An update in the octet stream: its length, its fork's digest, SSZ.
fn chunk(update: &Update) -> Vec<u8> {
    let ssz = update.ssz("update");
    let (_, version, _) = RULES.fork(update.attested.slot);
    let digest = pair(&leaf(&version), &RULES.validators);
    let length = u64::try_from(ssz.len() + 4).unwrap_or(u64::MAX);
    [&length.to_le_bytes(), &digest[..4], &ssz].concat()
}

/// `beacon.json` as a JSON value. The same every time.
pub fn json() -> Value {
    let state = accounts::Scene::new();
    let (head, last) = (Executed::new(HEAD, &state.world), RULES.finalized(FINALITY));
    let last = Executed::new(last, &state.stale);
    let payloads = [(HEAD, &head), (RULES.finalized(FINALITY), &last)];
    let payloads = payloads.map(|(slot, block)| (slot, block.payload.clone()));
    let scene = Scene::of(RULES, PINNED).around(payloads.into(), SEED);

    let shape = |slot| scene.shape(slot);
    let made = |slot| signed_by_most(&scene, slot, slot);
    let signed = |slot, form| answers::answer(shape(slot), &answers::update(&made(slot), form));
    let stream: Vec<u8> = UPDATES.iter().flat_map(|slot| chunk(&made(*slot))).collect();
    // What mainnet pins, which has no epoch for Gloas yet.
    let consensus = Consensus::Beacon(Rules { forks: KNOWN, ..RULES });
    let setting = Setting { chain_id: 1, genesis_hash: GENESIS, consensus };
    json!({
        "schema": 1,
        "kind": "recording",
        "source": concat!(
            "lightproof-prover ", env!("CARGO_PKG_VERSION"),
            "; facts by a plain model, keys INSECURE: made from a seed"
        ),
        "chain": setting.json(),
        "checkpoint": hex::encode(&scene.block(PINNED).root()),
        "firstPeriod": FIRST_PERIOD,
        "beacon": {
            "bootstrap": answers::answer(shape(PINNED), &answers::bootstrap(&scene.bootstrap(PINNED))),
            "updates": UPDATES.map(|slot| signed(slot, "update")),
            "stream": hex::encode(&stream),
            "finality": signed(FINALITY, "finality"),
            "optimistic": signed(HEAD, "optimistic"),
        },
        "execution": [head.json(), last.json()],
    })
}
