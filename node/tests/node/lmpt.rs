//! lmpt on the devnet: every header commits to it, the window is provable in both formats, also
//! after a restart, and no lie about layers is believed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lightproof_core::system::lmpt::Lmpt;
use lightproof_node::service::Service;
use lightproof_node::system::Selection;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::lmpt::prove::{Question, encode};
use lightproof_prover::system::lmpt::{self, Format, conflux};
use serde_json::{Value, json};

use crate::client::Client;
use crate::lies::lies_of;
use crate::model::Model;

const SEED: u64 = 23;
const HEAD: u64 = 30;
const INTERVAL: u64 = 4;
const WINDOW: u64 = 12;

type Key = [u8; 52];

/// Every slot's value after every block, zeros where it is cleared.
fn states() -> Vec<BTreeMap<Key, [u8; 32]>> {
    let (mut model, mut states) = (Model::default(), Vec::new());
    for block in 0..=HEAD {
        let writes = block_writes(SEED, block, &model).unwrap();
        let mut state: BTreeMap<_, _> = states.last().cloned().unwrap_or_default();
        state.extend(writes.key_values().map(|(key, value)| (key, value.unwrap_or_default())));
        model.apply(&writes);
        states.push(state);
    }
    states
}

const LMPT: lmpt::Config =
    lmpt::Config { format: Format::Layered, interval: INTERVAL, window: WINDOW };

fn config(lmpt: lmpt::Config) -> Config {
    Selection::parse("mpt").unwrap().usual(SEED, 16).with(lmpt)
}

fn open(directory: &Path, format: Format) -> Service {
    Service::new(
        Arc::new(Chain::of_workload(directory, config(lmpt::Config { format, ..LMPT })).unwrap()),
        None,
    )
}

fn asked(format: Format, key: &Key) -> Vec<u8> {
    match format {
        Format::Layered => key.to_vec(),
        Format::Conflux => conflux::snapshot_key(key),
    }
}

/// The verdict on what a client is answered.
fn verdict(
    service: &Service,
    format: Format,
    block: u64,
    keys: &[Key],
    variants: &[&str],
) -> Result<Value, i64> {
    let question = |key| Question { key: asked(format, key), storage_roots: false };
    let query = encode(&keys.iter().map(question).collect::<Vec<_>>());
    Client::<Lmpt>::of(service).ask(service, block, &query, variants)
}

fn check(
    service: &Service,
    format: Format,
    states: &[BTreeMap<Key, [u8; 32]>],
    block: u64,
    rng: &mut Rng,
) {
    let state = &states[usize::try_from(block).unwrap()];
    let known: Vec<Key> = states.last().unwrap().keys().copied().collect();
    let mut keys: Vec<Key> = (0..5).map(|_| rng.pick(&known)).collect();
    keys.extend([[7; 52]]);
    keys.sort_unstable();
    keys.dedup();
    let variants = if format == Format::Layered { &["plain", "adjacent"][..] } else { &["plain"] };
    for variant in variants {
        let verdict = verdict(service, format, block, &keys, &[variant]).unwrap();
        assert_eq!(verdict["status"], "proven", "{verdict}");
        for (key, value) in keys.iter().zip(verdict["fact"]["values"].as_array().unwrap()) {
            assert_eq!(value["key"], json!(hex::encode(&asked(format, key))));
            match state.get(key).filter(|value| **value != [0; 32]) {
                Some(expected) => {
                    assert_eq!(value["status"], "present");
                    assert_eq!(value["value"], json!(hex::encode(expected)));
                }
                None => assert!(["absent", "deleted"].contains(&value["status"].as_str().unwrap())),
            }
        }
    }
}

#[test]
fn the_window_is_provable_before_and_after_a_restart_in_both_formats() {
    let states = states();
    for format in [Format::Layered, Format::Conflux] {
        let directory = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(SEED, "lmpt-node", 0);
        let service = open(directory.path(), format);
        service.node().produce(HEAD - 5).unwrap();
        for _ in 0..5 {
            service.node().produce(1).unwrap();
        }
        let mut service = Some(service);
        for _ in 0..2 {
            let running = service.take().unwrap_or_else(|| open(directory.path(), format));
            for block in HEAD + 1 - WINDOW..=HEAD {
                check(&running, format, &states, block, &mut rng);
            }
            let old = verdict(&running, format, HEAD - WINDOW, &[[7; 52]], &["plain"]);
            assert_eq!(old, Err(-32_012));
            let other = verdict(&running, format, HEAD, &[[7; 52]], &["hinted"]);
            assert_eq!(other, Err(-32_015));
        }
    }
}

#[test]
fn a_directory_of_another_configuration_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), Format::Layered));
    let other = lmpt::Config { format: Format::Conflux, ..LMPT };
    let slower = lmpt::Config { interval: INTERVAL + 1, ..LMPT };
    for lmpt in [other, slower] {
        let error = Chain::of_workload(directory.path(), config(lmpt)).unwrap_err();
        assert!(error.to_string().contains("lmpt"), "{error}");
    }
}

/// Each lie, and what the verifier answers about a key that the delta holds, and about one that
/// only the snapshot does.
const LIES: &[(&str, &str, &str)] = &[
    ("lmpt-delta-dropped", "verify.incomplete", "verify.root"),
    ("lmpt-delta-empty", "verify.incomplete", "verify.incomplete"),
    ("lmpt-stale", "verify.root", "verify.root"),
    ("lmpt-stale-layer", "verify.root", "verify.root"),
    ("lmpt-layers-swapped", "verify.root", "verify.root"),
    ("lmpt-value", "verify.merkle", "verify.merkle"),
    ("lmpt-tombstone", "verify.merkle", "verify.merkle"),
    ("lmpt-cut", "verify.incomplete", "verify.incomplete"),
    ("lmpt-surplus", "verify.surplus", "decode.shape"),
    ("lmpt-other-key", "verify.incomplete", "verify.merkle"),
    ("lmpt-variant", "decode.shape", "decode.shape"),
];

#[test]
fn every_lie_about_layers_is_rejected() {
    assert_eq!(
        LIES.iter().map(|(name, ..)| *name).collect::<Vec<_>>(),
        lies_of("lmpt").map(|lie| lie.name).collect::<Vec<_>>()
    );
    let directory = tempfile::tempdir().unwrap();
    let node = Arc::new(Chain::of_workload(directory.path(), config(LMPT)).unwrap());
    node.produce(HEAD).unwrap();
    let honest = Service::new(Arc::clone(&node), None);
    let states = states();
    let key_in = |layer: &str| {
        let mut keys = states.last().unwrap().keys();
        let answers = |key: &&Key| {
            let verdict = verdict(&honest, Format::Layered, HEAD, &[**key], &["plain"]).unwrap();
            let value = &verdict["fact"]["values"][0];
            value["layer"] == layer && value["status"] == "present"
        };
        *keys.find(answers).unwrap()
    };
    let (newest, oldest) = (key_in("delta"), key_in("snapshot"));
    for (lie, (_, in_delta, in_snapshot)) in lies_of("lmpt").zip(LIES) {
        let service = Service::new(Arc::clone(&node), Some(lie));
        for (key, code) in [(newest, in_delta), (oldest, in_snapshot)] {
            let verdict = verdict(&service, Format::Layered, HEAD, &[key], &["plain"]).unwrap();
            assert_eq!(verdict["code"], *code, "{}: {verdict}", lie.name);
        }
    }
}
