//! Chains that begin with a later block than 0, as they do where a state is imported: every system
//! proves the state and what follows, before and after a restart.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightproof_core::system::System;
use lightproof_core::system::cole::Cole;
use lightproof_core::system::lmpt::Lmpt;
use lightproof_core::system::lvmt::Lvmt;
use lightproof_core::system::verkle::Verkle;
use lightproof_node::service::Service;
use lightproof_node::system::Selection;
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, SourceBlock};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::lmpt::prove::{Question, encode};
use lightproof_prover::system::lmpt::{self, Format, conflux};
use lightproof_prover::system::{cole, lvmt, verkle};
use serde_json::{Value, json};

use crate::client::Client;

const WINDOW: u64 = 12;
/// No multiple of the interval: the first period is shorter.
const START: u64 = 37;
const INTERVAL: u64 = 5;
const HEAD: u64 = START + 30;

type Key = [u8; 52];
type State = BTreeMap<Key, [u8; 32]>;

fn block(number: u64, writes: &State) -> SourceBlock {
    let mut set = WriteSet::default();
    for (key, value) in writes {
        let (address, slot) = key.split_first_chunk().unwrap();
        set.slot(*address, slot.try_into().unwrap(), *value);
    }
    SourceBlock { number, timestamp: number, origin: [0; 32], writes: set, content: None }
}

fn genesis() -> Genesis {
    let SourceBlock { number, timestamp, writes, .. } = block(START, &writes(START));
    Genesis { chain_id: CHAIN_ID, number, timestamp, writes, ..Genesis::default() }
}

/// What a block writes: forty slots at first, then five of sixty.
fn writes(number: u64) -> State {
    let mut rng = Rng::new(31, "late", number);
    let count = if number == START { 40 } else { 5 };
    let each = (0..count).map(|_| {
        let mut key = [0x11; 52];
        key[51] = u8::try_from(rng.below(60)).unwrap();
        (key, [u8::try_from(number).unwrap(); 32])
    });
    each.collect()
}

/// The state after every block from the first one on.
fn states() -> BTreeMap<u64, State> {
    let (mut state, mut all) = (State::new(), BTreeMap::new());
    for number in START..=HEAD {
        state.extend(writes(number));
        all.insert(number, state.clone());
    }
    all
}

/// Asks for keys of every block of the window, one query after the other, at several heads and
/// after restarts.
fn check<S: System>(config: &Config, variants: &[&str], query: impl Fn(&Key, u64) -> Vec<u8>) {
    let states = states();
    let directory = tempfile::tempdir().unwrap();
    let mut head = START;
    let mut rng = Rng::new(31, S::NAME, 0);
    while head < HEAD {
        // Every step is another process.
        let chain = Chain::open(directory.path(), config.clone(), &genesis()).unwrap();
        let service = Service::new(Arc::new(chain), None);
        let client = Client::<S>::of(&service);
        for step in 0..3 {
            let snapshot = service.snapshot().unwrap();
            assert_eq!((snapshot.first(), snapshot.head()), (START, head));
            let oldest = (head + 1).saturating_sub(WINDOW).max(START);
            for block in oldest..=head {
                let known: Vec<_> = states[&block].keys().copied().collect();
                let key = rng.pick(&known);
                let variant = rng.pick(variants);
                let shown = client.ask(&service, block, &query(&key, block), &[variant]).unwrap();
                assert_eq!(shown["status"], "proven", "{} {block}/{head}: {shown}", S::NAME);
                assert_eq!(value(&shown), json!(hex::encode(&states[&block][&key])));
            }
            if oldest > START {
                let key = [0x11; 52];
                assert!(
                    client.ask(&service, oldest - 1, &query(&key, oldest - 1), variants).is_err()
                );
            }
            let count = if step == 0 { 1 } else { 4 };
            let next = head + 1..=(head + count).min(HEAD);
            let blocks = next.map(|number| block(number, &writes(number)));
            head += service.node().apply(blocks).unwrap().len() as u64;
        }
    }
}

fn value(verdict: &Value) -> Value {
    let fact = &verdict["fact"];
    let first = if fact["values"].is_array() { &fact["values"][0] } else { fact };
    let value = &first["value"];
    // cole says since when.
    if value.is_object() { value["value"].clone() } else { value.clone() }
}

fn with<C: lightproof_prover::system::Configuration + 'static>(system: C) -> Config {
    Selection::parse("mpt").unwrap().usual(31, WINDOW).with(system)
}

#[test]
fn lmpt_in_both_formats() {
    for format in [Format::Layered, Format::Conflux] {
        let config = with(lmpt::Config { format, interval: INTERVAL, window: WINDOW });
        let variants =
            if format == Format::Layered { &["plain", "adjacent"][..] } else { &["plain"] };
        check::<Lmpt>(&config, variants, |key, _| {
            let key = match format {
                Format::Layered => key.to_vec(),
                Format::Conflux => conflux::snapshot_key(key),
            };
            encode(&[Question { key, storage_roots: false }])
        });
    }
}

#[test]
fn lvmt_behind_blocks_that_wrote_nothing() {
    let config = with(lvmt::Config { k: 4, window: WINDOW, ..lvmt::Config::DEFAULT });
    check::<Lvmt>(&config, &["hybrid", "kzg"], |key, _| {
        Item::List(vec![Item::bytes(key)]).encode()
    });
    let other = lvmt::Config { format: lvmt::Format::Osdi23, k: 4, ..lvmt::Config::DEFAULT };
    let directory = tempfile::tempdir().unwrap();
    let refused = Chain::open(directory.path(), with(other), &genesis());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("begins at block 0"), "{refused}");
}

#[test]
fn verkle_and_cole() {
    let tree = verkle::Config { window: WINDOW, ..verkle::Config::DEFAULT };
    let query = |key: &Key, _| verkle::prove::encode(&[*key]);
    check::<Verkle>(&with(tree), &["plain", "aggregated"], query);
    let history = cole::Config { capacity: 16, window: WINDOW, ..cole::Config::DEFAULT };
    check::<Cole>(&with(history), &["plain"], |key, _| {
        Query { as_of: true, address: *key, from: u32::MAX, to: u32::MAX }.encode()
    });
}
