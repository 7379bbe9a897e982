//! verkle on the devnet: every header commits to it, the window is provable with both commitments,
//! also after a restart, and no lie about the tree is believed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lightproof_core::system::verkle::Verkle;
use lightproof_node::service::Service;
use lightproof_node::system::Selection;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::verkle::prove::encode;
use lightproof_prover::system::verkle::{self, Commitment};
use serde_json::{Value, json};

use crate::client::Client;
use crate::lies::lies_of;
use crate::model::Model;

const SEED: u64 = 29;
const HEAD: u64 = 14;
const WINDOW: u64 = 6;

type Key = [u8; 52];

const KZG: verkle::Config = verkle::Config { commitment: Commitment::Kzg, bits: 8, window: WINDOW };
const CF: verkle::Config =
    verkle::Config { commitment: Commitment::CfInsecure(3), bits: 5, window: WINDOW };

/// Every slot's value after every block.
fn histories() -> Vec<BTreeMap<Key, Option<[u8; 32]>>> {
    let (mut model, mut states) = (Model::default(), Vec::new());
    for block in 0..=HEAD {
        let writes = block_writes(SEED, block, &model).unwrap();
        let mut state: BTreeMap<_, _> = states.last().cloned().unwrap_or_default();
        state.extend(writes.key_values());
        model.apply(&writes);
        states.push(state);
    }
    states
}

fn config(verkle: verkle::Config) -> Config {
    Selection::parse("mpt").unwrap().usual(SEED, 16).with(verkle)
}

fn open(directory: &Path, verkle: verkle::Config) -> Service {
    Service::new(Arc::new(Chain::of_workload(directory, config(verkle)).unwrap()), None)
}

/// The verdict on what a client is answered.
fn verdict(
    client: &Client<Verkle>,
    service: &Service,
    block: u64,
    keys: &[Key],
    variant: &str,
) -> Result<Value, i64> {
    client.ask(service, block, &encode(keys), &[variant])
}

#[test]
fn the_window_is_provable_before_and_after_a_restart_with_both_commitments() {
    let states = histories();
    for tree in [KZG, CF] {
        let directory = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(SEED, "verkle-node", 0);
        let service = open(directory.path(), tree);
        service.node().produce(HEAD - 3).unwrap();
        service.node().produce(3).unwrap();
        let mut service = Some(service);
        for _ in 0..2 {
            let running = service.take().unwrap_or_else(|| open(directory.path(), tree));
            let client = Client::of(&running);
            for block in HEAD + 1 - WINDOW..=HEAD {
                let state = &states[usize::try_from(block).unwrap()];
                let known: Vec<Key> = states.last().unwrap().keys().copied().collect();
                let mut keys: Vec<Key> = (0..3).map(|_| rng.pick(&known)).collect();
                keys.push([7; 52]);
                keys.sort_unstable();
                keys.dedup();
                for variant in ["plain", "aggregated"] {
                    let shown = verdict(&client, &running, block, &keys, variant).unwrap();
                    assert_eq!(shown["status"], "proven", "{shown}");
                    let values = shown["fact"]["values"].as_array().unwrap();
                    for (key, value) in keys.iter().zip(values) {
                        let expected = state.get(key).copied().flatten();
                        assert_eq!(value["key"], json!(hex::encode(key)));
                        let kind = if expected.is_some() { "present" } else { "absent" };
                        assert_eq!(value["status"], kind);
                        let shown = expected.map(|value| hex::encode(&value));
                        assert_eq!(value.get("value"), shown.map(|value| json!(value)).as_ref());
                    }
                }
            }
            let old = verdict(&client, &running, HEAD - WINDOW, &[[7; 52]], "plain");
            assert_eq!(old, Err(-32_012));
            let other = verdict(&client, &running, HEAD, &[[7; 52]], "hinted");
            assert_eq!(other, Err(-32_015));
        }
    }
}

#[test]
fn a_directory_of_another_tree_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), CF));
    let other = verkle::Config { commitment: Commitment::CfInsecure(4), ..CF };
    for tree in [KZG, other] {
        let error = Chain::of_workload(directory.path(), config(tree)).unwrap_err();
        assert!(error.to_string().contains("verkle"), "{error}");
    }
}

/// Each lie, and what the verifier answers about a key that is there, aggregated and plain.
const LIES: &[(&str, &str, &str)] = &[
    ("verkle-value", "verify.opening", "verify.opening"),
    ("verkle-absent", "verify.opening", "verify.opening"),
    ("verkle-own-leaf", "verify.absence", "verify.absence"),
    ("verkle-empty", "verify.absence", "verify.absence"),
    ("verkle-opening", "verify.opening", "verify.opening"),
    ("verkle-stale", "verify.opening", "verify.opening"),
    ("verkle-other-key", "verify.absence", "verify.absence"),
    ("verkle-variant", "decode.shape", "decode.shape"),
];

#[test]
fn every_lie_about_the_tree_is_rejected() {
    assert_eq!(
        LIES.iter().map(|(name, ..)| *name).collect::<Vec<_>>(),
        lies_of("verkle").map(|lie| lie.name).collect::<Vec<_>>()
    );
    let directory = tempfile::tempdir().unwrap();
    let node = Arc::new(Chain::of_workload(directory.path(), config(KZG)).unwrap());
    node.produce(HEAD).unwrap();
    let honest = Service::new(Arc::clone(&node), None);
    let client = Client::of(&honest);
    let states = histories();
    let mut keys = states.last().unwrap().iter();
    let (key, _) = keys.find(|(_, value)| value.is_some()).unwrap();
    for (lie, (_, aggregated, plain)) in lies_of("verkle").zip(LIES) {
        let service = Service::new(Arc::clone(&node), Some(lie));
        for (variant, code) in [("aggregated", aggregated), ("plain", plain)] {
            let verdict = verdict(&client, &service, HEAD, &[*key], variant).unwrap();
            assert_eq!(verdict["code"], *code, "{} {variant}: {verdict}", lie.name);
        }
    }
}
