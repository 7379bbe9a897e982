//! lvmt on the devnet: every header commits to it, the window is provable in every form, also after
//! a restart, and no lie about versions is believed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lightproof_core::system::lvmt::Lvmt;
use lightproof_node::service::Service;
use lightproof_node::system::Selection;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::lvmt;
use serde_json::{Value, json};

use crate::client::Client;
use crate::lies::lies_of;
use crate::model::Model;

const SEED: u64 = 29;
const HEAD: u64 = 90;
const WINDOW: u64 = 64;
const FORMS: [&str; 4] = ["hybrid", "kzg", "fold", "pairs"];

type Key = [u8; 52];
/// Value, version, block of the last write.
type State = BTreeMap<Key, (Vec<u8>, u64, u64)>;

fn states() -> Vec<State> {
    let (mut model, mut states) = (Model::default(), Vec::<State>::new());
    for block in 0..=HEAD {
        let writes = block_writes(SEED, block, &model).unwrap();
        let mut state = states.last().cloned().unwrap_or_default();
        for (key, value) in writes.key_values() {
            let version = state.get(&key).map_or(0, |(_, version, _)| *version) + 1;
            state.insert(key, (value.map_or(Vec::new(), |value| value.to_vec()), version, block));
        }
        model.apply(&writes);
        states.push(state);
    }
    states
}

const LVMT: lvmt::Config = lvmt::Config { k: 8, window: WINDOW, ..lvmt::Config::DEFAULT };

fn config(lvmt: lvmt::Config) -> Config {
    Selection::parse("mpt").unwrap().usual(SEED, WINDOW).with(lvmt)
}

fn open(directory: &Path) -> Service {
    Service::new(Arc::new(Chain::of_workload(directory, config(LVMT)).unwrap()), None)
}

/// The verdict on what a client is answered.
fn verdict(service: &Service, block: u64, keys: &[Key], variants: &[&str]) -> Result<Value, i64> {
    let query = Item::List(keys.iter().map(Item::bytes).collect()).encode();
    Client::<Lvmt>::of(service).ask(service, block, &query, variants)
}

fn check(service: &Service, states: &[State], block: u64, rng: &mut Rng) {
    let state = &states[usize::try_from(block).unwrap()];
    let known: Vec<Key> = states.last().unwrap().keys().copied().collect();
    let mut keys: Vec<Key> = (0..5).map(|_| rng.pick(&known)).collect();
    keys.push([7; 52]);
    keys.sort_unstable();
    keys.dedup();
    let verdict = verdict(service, block, &keys, &[rng.pick(&FORMS)]).unwrap();
    assert_eq!(verdict["status"], "proven", "{verdict}");
    for (key, value) in keys.iter().zip(verdict["fact"]["values"].as_array().unwrap()) {
        assert_eq!(value["key"], json!(hex::encode(key)));
        let Some((expected, version, block)) = state.get(key) else {
            assert_eq!(value["status"], "absent");
            continue;
        };
        assert_eq!(value["value"], json!(hex::encode(expected)));
        assert_eq!(value["version"], json!(hex::quantity(*version)));
        assert_eq!(value["block"], json!(hex::quantity(*block)));
    }
}

#[test]
fn the_window_is_provable_in_every_form_before_and_after_a_restart() {
    let states = states();
    let directory = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(SEED, "lvmt-node", 0);
    let service = open(directory.path());
    service.node().produce(HEAD - 5).unwrap();
    for _ in 0..5 {
        service.node().produce(1).unwrap();
    }
    let mut service = Some(service);
    for _ in 0..2 {
        let running = service.take().unwrap_or_else(|| open(directory.path()));
        for block in (HEAD + 1 - WINDOW..=HEAD).step_by(3) {
            check(&running, &states, block, &mut rng);
        }
        assert_eq!(verdict(&running, HEAD - WINDOW, &[[7; 52]], &["kzg"]), Err(-32_012));
        assert_eq!(verdict(&running, HEAD, &[[7; 52]], &["plain"]), Err(-32_015));
    }
}

#[test]
fn a_shard_says_what_it_proves_and_refuses_the_rest() {
    let shard: lvmt::Shard = "1/2".parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let node = Chain::of_workload(directory.path(), config(lvmt::Config { shard, ..LVMT }));
    let node = Arc::new(node.unwrap());
    node.produce(20).unwrap();
    let service = Service::new(node, None);
    let snapshot = service.snapshot().unwrap();
    let told = service.call(&snapshot, "lp_status", &json!([])).unwrap();
    assert_eq!(told["systems"]["lvmt"]["shard"], json!({ "bits": 1, "index": 1 }));
    assert_eq!(told["systems"]["mpt"]["shard"], Value::Null);
    let states = states();
    let (own, others): (Vec<Key>, Vec<Key>) =
        states[20].keys().partition(|key| shard.has_key(lvmt::Format::One, 8, key.as_slice()));
    assert!(!own.is_empty() && !others.is_empty());
    let verdict = verdict(&service, 20, &own, &FORMS).unwrap();
    assert_eq!(verdict["status"], "proven", "{verdict}");
    let header = snapshot.header(20).unwrap().unwrap();
    let options = json!({ "blockHash": hex::encode(&header.hash()) });
    for key in others {
        // One key of another shard spoils the batch.
        let keys = [Item::bytes(own[0]), Item::bytes(key)];
        let query = hex::encode(&Item::List(keys.into()).encode());
        let error = service.call(&snapshot, "lp_getProof", &json!(["lvmt", query, options]));
        let error = error.unwrap_err();
        assert_eq!((error.code, error.data), (-32_013, Some(json!({ "bits": 1, "index": 1 }))));
    }
}

#[test]
fn a_directory_of_another_configuration_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()));
    let open = |lvmt| Chain::of_workload(directory.path(), config(lvmt));
    let error = open(lvmt::Config { k: 9, ..LVMT }).unwrap_err();
    assert!(error.to_string().contains("lvmt"), "{error}");
    // The same chain, but what it keeps of the proof tree is not what another shard needs.
    let shard = "1/2".parse().unwrap();
    let error = open(lvmt::Config { shard, ..LVMT }).unwrap_err();
    assert!(error.to_string().contains("holds lvmt with shard 0/1, not shard 1/2"), "{error}");
}

/// Each lie, and what the verifier answers about a key that has not been written for some blocks.
const LIES: &[(&str, &[&str])] = &[
    ("lvmt-stale", &["verify.opening"]),
    // The older path may have another length.
    ("lvmt-whole", &["verify.merkle", "verify.path"]),
    ("lvmt-value", &["verify.merkle"]),
    ("lvmt-point", &["verify.opening"]),
    ("lvmt-absent", &["verify.absence"]),
    // A stranger is absent, and so is its proof.
    ("lvmt-other-key", &["verify.opening", "verify.absence"]),
    ("lvmt-variant", &["decode.shape"]),
];

#[test]
fn every_lie_about_versions_is_rejected() {
    assert_eq!(
        LIES.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        lies_of("lvmt").map(|lie| lie.name).collect::<Vec<_>>()
    );
    let directory = tempfile::tempdir().unwrap();
    let node = Arc::new(Chain::of_workload(directory.path(), config(LVMT)).unwrap());
    node.produce(HEAD).unwrap();
    let states = states();
    let (key, _) =
        states.last().unwrap().iter().find(|(_, (_, _, block))| *block < HEAD - 10).unwrap();
    for (lie, (_, codes)) in lies_of("lvmt").zip(LIES) {
        let service = Service::new(Arc::clone(&node), Some(lie));
        let verdict = verdict(&service, HEAD, &[*key], &FORMS).unwrap();
        let code = verdict["code"].as_str().unwrap_or("proven");
        assert!(codes.contains(&code), "{}: {verdict}", lie.name);
    }
}
