//! balanceproofs on the devnet: every header commits to the balances, the window is provable in
//! every scheme and variant, also after a restart, and no lie about them is believed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lightproof_core::system::balanceproofs::{BalanceProofs, Scheme};
use lightproof_node::service::Service;
use lightproof_node::system::Selection;
use lightproof_prover::chain::Address;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::{Config as Vectors, Source as Secrets};
use serde_json::{Value, json};

use crate::client::Client;
use crate::lies::lies_of;
use crate::model::Model;

const SEED: u64 = 29;
const HEAD: u64 = 14;
const WINDOW: u64 = 5;

/// Every position's balance after every block.
fn states(size: usize) -> Vec<Vec<u128>> {
    let mut order: BTreeMap<Address, usize> = BTreeMap::new();
    let (mut model, mut states) = (Model::default(), Vec::new());
    let mut balances = vec![0; size];
    for block in 0..=HEAD {
        let writes = block_writes(SEED, block, &model).unwrap();
        for (address, balance) in writes.balances() {
            let next = order.len();
            let position = *order.entry(address).or_insert(next);
            if let Some(place) = balances.get_mut(position) {
                *place = balance.try_into().unwrap();
            }
        }
        model.apply(&writes);
        states.push(balances.clone());
    }
    states
}

fn config(balanceproofs: Vectors) -> Config {
    let chain = Selection::parse("mpt").unwrap().usual(SEED, 16);
    chain.with(Vectors { window: WINDOW, ..balanceproofs })
}

fn open(directory: &Path, vectors: Vectors) -> Service {
    Service::new(Arc::new(Chain::of_workload(directory, config(vectors)).unwrap()), None)
}

/// The verdict on what a client is answered.
fn verdict(
    service: &Service,
    block: u64,
    positions: &[u64],
    variants: &[&str],
) -> Result<Value, i64> {
    let query =
        Item::List(positions.iter().map(|position| Item::uint(*position)).collect()).encode();
    Client::<BalanceProofs>::of(service).ask(service, block, &query, variants)
}

fn check(service: &Service, states: &[Vec<u128>], block: u64, variants: &[&str]) {
    let state = &states[usize::try_from(block).unwrap()];
    let size = u64::try_from(state.len()).unwrap();
    let positions = [0, 1, 2, 17, 40, size - 1];
    let verdict = verdict(service, block, &positions, variants).unwrap();
    assert_eq!(verdict["status"], "proven", "{verdict}");
    for (position, value) in positions.iter().zip(verdict["fact"]["values"].as_array().unwrap()) {
        let balance = state[usize::try_from(*position).unwrap()];
        assert_eq!(value["value"], json!(format!("0x{balance:064x}")));
    }
}

#[test]
fn the_window_is_provable_before_and_after_a_restart_in_every_scheme() {
    let secrets = Secrets::Seed(1);
    for (vectors, variants) in [
        (Vectors::DEFAULT, &["hinted", "commit-hinted", "plain", "singles"][..]),
        (
            Vectors {
                scheme: Scheme::Bucketed,
                sides: [8, 1, 8],
                source: secrets,
                ..Vectors::DEFAULT
            },
            &["plain", "halved"],
        ),
        (
            Vectors {
                scheme: Scheme::TwoLayer,
                sides: [4, 4, 4],
                source: secrets,
                ..Vectors::DEFAULT
            },
            &["plain", "halved", "T1", "T3"],
        ),
    ] {
        let size = usize::try_from(vectors.sides.iter().product::<u64>()).unwrap();
        let states = states(size);
        let directory = tempfile::tempdir().unwrap();
        let service = open(directory.path(), vectors);
        service.node().produce(HEAD - 3).unwrap();
        for _ in 0..3 {
            service.node().produce(1).unwrap();
        }
        let mut service = Some(service);
        for _ in 0..2 {
            let running = service.take().unwrap_or_else(|| open(directory.path(), vectors));
            for block in [HEAD + 1 - WINDOW, HEAD - 1, HEAD] {
                check(&running, &states, block, variants);
            }
            for variant in variants {
                check(&running, &states, HEAD, &[variant]);
            }
            let old = verdict(&running, HEAD - WINDOW, &[1], variants);
            assert_eq!(old, Err(-32_012));
            assert_eq!(verdict(&running, HEAD, &[1], &["other"]), Err(-32_015));
            assert_eq!(verdict(&running, HEAD, &[3, 1], variants), Err(-32_602));
        }
    }
}

#[test]
fn a_directory_of_another_configuration_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), Vectors::DEFAULT));
    let other = Vectors {
        scheme: Scheme::TwoLayer,
        sides: [4, 4, 4],
        source: Secrets::Seed(1),
        ..Vectors::DEFAULT
    };
    let error = Chain::of_workload(directory.path(), config(other)).unwrap_err();
    assert!(error.to_string().contains("balanceproofs"), "{error}");
}

/// Each lie, and what the verifier answers.
const LIES: &[(&str, &str)] = &[
    ("balances-value", "verify.opening"),
    ("balances-richer", "verify.opening"),
    ("balances-moved", "verify.opening"),
    ("balances-dropped", "decode.shape"),
    ("balances-negated", "verify.opening"),
    ("balances-cut", "decode.shape"),
    ("balances-stale", "verify.opening"),
    ("balances-other-position", "verify.opening"),
    ("balances-variant", "decode.shape"),
];

#[test]
fn every_lie_about_balances_is_rejected() {
    assert_eq!(
        LIES.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        lies_of("balanceproofs").map(|lie| lie.name).collect::<Vec<_>>()
    );
    let directory = tempfile::tempdir().unwrap();
    let node = Arc::new(Chain::of_workload(directory.path(), config(Vectors::DEFAULT)).unwrap());
    node.produce(HEAD).unwrap();
    for (lie, (_, code)) in lies_of("balanceproofs").zip(LIES) {
        let service = Service::new(Arc::clone(&node), Some(lie));
        let verdict = verdict(&service, HEAD, &[0, 1, 7], &["hinted"]).unwrap();
        assert_eq!(verdict["code"], *code, "{}: {verdict}", lie.name);
    }
}
