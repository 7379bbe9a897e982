//! Prove, then verify: whatever the node proves about random accounts and slots at random blocks,
//! the verifier finds exactly what a plain model of the chain holds.

use std::sync::Arc;

use crate::model::Model;
use crate::verify::{query, reply, setting, verify, verify_headers};
use lightproof_generator::case::Source;
use lightproof_node::service::Service;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::chain::workload::population::{
    EMBEDDED_PAIRS, Population, low_slot, mapping_slot,
};
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use serde_json::{Value, json};

const SEED: u64 = 21;
const HEAD: u64 = 40;

fn fact(model: &Model, address: &Address, slots: &[Slot]) -> Value {
    let Some(fields) = model.accounts.get(address) else {
        let absent = |slot: &Slot| json!({ "key": hex::encode(slot), "status": "absent" });
        let slots: Vec<_> = slots.iter().map(absent).collect();
        return json!({ "account": { "status": "absent" }, "slots": slots, "code": "0x" });
    };
    let slot = |slot: &Slot| match model.slots.get(address).and_then(|slots| slots.get(slot)) {
        Some(value) => {
            json!({ "key": hex::encode(slot), "status": "present", "value": hex::quantity_of_bytes(value) })
        }
        None => json!({ "key": hex::encode(slot), "status": "absent" }),
    };
    json!({
        "account": {
            "status": "present",
            "nonce": hex::quantity(fields.nonce),
            "balance": hex::quantity_of_bytes(&fields.balance.0),
            "storageHash": hex::encode(&model.storage_root(address)),
            "codeHash": hex::encode(&keccak256(&fields.code)),
        },
        "slots": slots.iter().map(slot).collect::<Vec<_>>(),
        "code": hex::encode(&fields.code),
    })
}

fn any_address(population: &Population, rng: &mut Rng) -> Address {
    match rng.below(4) {
        0 => population.absent(rng.below(1_000)),
        1 => population.eoa(rng.below(population.eoas + 4)),
        _ => population.contract(rng.below(population.contracts + 1)),
    }
}

fn any_slots(rng: &mut Rng) -> Vec<Slot> {
    let mut slots: Vec<Slot> = (0..rng.below(6))
        .map(|_| match rng.below(3) {
            0 => low_slot(rng.below(14)),
            1 => mapping_slot(rng.below(100)),
            _ => {
                let (a, b) = rng.pick(&EMBEDDED_PAIRS);
                low_slot(rng.pick(&[a, b]))
            }
        })
        .collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

#[test]
fn what_is_proven_is_what_the_model_holds() {
    let directory = tempfile::tempdir().unwrap();
    let node = Arc::new(Chain::of_workload(directory.path(), system::config(SEED, 64)).unwrap());
    node.produce(HEAD).unwrap();
    let service = Service::new(Arc::clone(&node), None);
    let snapshot = service.snapshot().unwrap();
    let setting = setting(&node);
    let mut rng = Rng::new(SEED, "prove-test", 0);
    let mut model = Model::default();
    let (mut present, mut absent) = (0, 0);
    for number in 0..=HEAD {
        let writes = block_writes(SEED, number, &model).unwrap();
        model.apply(&writes);
        let header = snapshot.header(number).unwrap().unwrap();
        for _ in 0..12 {
            let address = any_address(&Population::new(SEED, number), &mut rng);
            let slots = any_slots(&mut rng);
            let block = json!({ "blockHash": hex::encode(&header.hash()) });
            let keys: Vec<_> = slots.iter().map(|slot| hex::encode(slot)).collect();
            let call = |method, params| service.call(&snapshot, method, &params).unwrap();
            let proof = call("eth_getProof", json!([hex::encode(&address), keys, block]));
            let code = call("eth_getCode", json!([hex::encode(&address), block]));
            let reply = reply(&proof, Some(&code)).unwrap();
            let source = Source::Header { hash: header.hash(), rlps: vec![header.encode()] };
            let verdict = verify(&setting, source, &query(address, &slots, true), &reply);
            assert_eq!(
                verdict["fact"],
                fact(&model, &address, &slots),
                "block {number}: {verdict}"
            );
            assert_eq!(verdict["block"]["number"], hex::quantity(number));
            if verdict["fact"]["account"]["status"] == "absent" {
                absent += 1;
            } else {
                present += 1;
            }
        }
    }
    assert!(present > 100 && absent > 30, "{present} present, {absent} absent");
}

#[test]
fn headers_lead_from_the_head_to_genesis() {
    let directory = tempfile::tempdir().unwrap();
    let node = Chain::of_workload(directory.path(), system::config(SEED, 64)).unwrap();
    node.produce(20).unwrap();
    let snapshot = node.snapshot().unwrap();
    let headers: Vec<_> =
        (0..=20).rev().map(|number| snapshot.header(number).unwrap().unwrap()).collect();
    let rlps: Vec<_> =
        headers.iter().map(lightproof_prover::chain::header::Header::encode).collect();
    let verdict = verify_headers(&setting(&node), &headers[0].hash(), &rlps);
    assert_eq!(verdict["status"], "trusted", "{verdict}");
    for (header, seen) in headers.iter().zip(verdict["headers"].as_array().unwrap()) {
        assert_eq!(seen["hash"], json!(hex::encode(&header.hash())));
        assert_eq!(
            seen["commitments"]["mpt"],
            json!(hex::encode(header.commitment("mpt").unwrap()))
        );
    }
}
