//! Readers of a store that another node writes: every answer is the writer's, or proven, whatever
//! becomes of the writer and of other readers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lightproof_core::system::cole::Cole;
use lightproof_core::system::lmpt::Lmpt;
use lightproof_core::system::lvmt::Lvmt;
use lightproof_core::system::verkle::Verkle;
use lightproof_node::rpc::error::RpcError;
use lightproof_node::service::Service;
use lightproof_node::system;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::config::{CACHE_BYTES, Config};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::SourceError;
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::error::StoreError;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::object::Object;
use lightproof_prover::store::object::follow::Follower;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::lmpt::prove::{Question, encode};
use lightproof_prover::system::{cole, lmpt, lvmt, verkle};
use serde_json::{Value, json};

use crate::client::Client;

const SEED: u64 = 11;
/// Short, so that blocks are pruned while they are read.
const SHORT: u64 = 6;
const OUTSIDE: i64 = -32_012;

/// Small memory and short intervals, so that flushes and merges happen.
fn config(window: u64) -> Config {
    let history = cole::Config { capacity: 40, window, ..cole::Config::DEFAULT };
    let layers = lmpt::Config { interval: 3, window, ..lmpt::Config::DEFAULT };
    let terms = Some(Terms { size: 8, period: 4 });
    let usual = system::config(SEED, window).with(history).with(layers);
    let usual = usual.with(lvmt::Config { window, ..lvmt::Config::DEFAULT });
    let usual = usual.with(verkle::Config { window, ..verkle::Config::DEFAULT });
    Config { terms, ..usual }
}

fn url(directory: &Path) -> String {
    format!("file://{}", directory.display())
}

fn writer(directory: &Path, config: &Config) -> Service {
    let store = Box::new(Object::open(&url(directory), CACHE_BYTES).unwrap());
    let chain = Chain::open_in(store, "the store", config.clone(), &config.workload());
    Service::new(Arc::new(chain.unwrap()), None)
}

fn reader(directory: &Path, config: &Config) -> Service {
    let store = Box::new(Follower::open(&url(directory), CACHE_BYTES).unwrap());
    let chain = Chain::follow_in(store, "the store", config.clone());
    Service::new(Arc::new(chain.unwrap()), None)
}

/// Waits until a reader shows a block.
fn follow(reader: &Service, head: u64) {
    // A block is durable in the store when the writer says so.
    assert_eq!(reader.node().follow().unwrap(), head);
}

fn ask(service: &Service, method: &str, params: &Value) -> Result<Value, RpcError> {
    service.call(&service.snapshot().unwrap(), method, params)
}

/// Addresses and slots that the workload writes.
fn keys() -> Vec<[u8; 52]> {
    let samples = Population::new(SEED, 0).samples();
    let of = |address: &[u8; 20], slot: &[u8; 32]| {
        [address.as_slice(), slot].concat().try_into().unwrap()
    };
    samples
        .iter()
        .flat_map(|one| one.slots.iter().map(move |slot| of(&one.address, slot)))
        .collect()
}

/// Calls about a block that a node answers from its state.
fn calls(hash: &str, number: u64, key: &[u8; 52]) -> Vec<(&'static str, Value)> {
    let (address, slot) = (hex::encode(&key[..20]), hex::encode(&key[20..]));
    let block = json!({ "blockHash": hash });
    let at = u32::try_from(number).unwrap();
    let history = Query { as_of: true, address: *key, from: at, to: at };
    let proof =
        |system: &str, query: &[u8]| ("lp_getProof", json!([system, hex::encode(query), block]));
    vec![
        proof("cole", &history.encode()),
        proof("lmpt", &encode(&[Question { key: key.to_vec(), storage_roots: false }])),
        proof("lvmt", &Item::List(vec![Item::bytes(key)]).encode()),
        proof("verkle", &verkle::prove::encode(&[*key])),
        proof("balanceproofs", &Item::List(vec![Item::uint(1_u64), Item::uint(3_u64)]).encode()),
        ("eth_getProof", json!([address, [slot], block])),
        ("eth_getBalance", json!([address, block])),
        ("eth_getTransactionCount", json!([address, block])),
        ("eth_getCode", json!([address, block])),
        ("eth_getStorageAt", json!([address, slot, block])),
        ("eth_getBlockByHash", json!([hash, false])),
        ("lp_getHeader", json!([hash])),
        ("lp_getBootstrap", json!([hash])),
    ]
}

fn hash_of(service: &Service, number: u64) -> String {
    let snapshot = service.snapshot().unwrap();
    hex::encode(&snapshot.header(number).unwrap().unwrap().hash())
}

/// Asks a reader what the writer is asked, about blocks of the whole window.
fn compare(writer: &Service, reader: &Service, rng: &mut Rng) {
    let head = writer.snapshot().unwrap().head();
    follow(reader, head);
    for (method, params) in [
        ("lp_status", json!([])),
        ("lp_getFinality", json!([])),
        ("lp_getUpdates", json!([0, 16])),
        ("lp_getHeaders", json!([0, 1_000])),
        ("eth_blockNumber", json!([])),
        ("eth_chainId", json!([])),
        ("lp_getProof", json!(["lmpt", "0xc0", { "blockHash": hash_of(writer, 0) }])),
    ] {
        assert_eq!(ask(reader, method, &params), ask(writer, method, &params), "{method}");
    }
    let keys = keys();
    let oldest = writer.snapshot().unwrap().oldest_state();
    for number in [oldest, oldest + rng.below(head - oldest + 1), head] {
        let hash = hash_of(writer, number);
        for (method, params) in calls(&hash, number, &rng.pick(&keys)) {
            let expected = ask(writer, method, &params);
            assert_eq!(
                ask(reader, method, &params),
                expected,
                "{method} {params}, {number}/{head}"
            );
            assert!(expected.is_ok(), "{method} {params}: {expected:?}, {number}/{head}");
        }
    }
}

#[test]
fn two_readers_answer_as_the_writer_does_also_the_one_after_it() {
    for window in [SHORT, 64] {
        let directory = tempfile::tempdir().unwrap();
        let config = config(window);
        let mut rng = Rng::new(SEED, "readers", window);
        let mut writes = writer(directory.path(), &config);
        let readers = [(); 2].map(|()| reader(directory.path(), &config));
        for round in 0..3_u64 {
            for _ in 0..2 {
                writes.node().produce(1 + rng.below(4)).unwrap();
                for reader in &readers {
                    compare(&writes, reader, &mut rng);
                }
            }
            // The next writer fences the one before, which is closed, or hangs like a process that
            // was stopped.
            let before = writes.clone();
            let head = before.snapshot().unwrap().head();
            if round % 2 == 0 {
                drop((before, writes));
            } else {
                std::mem::forget((before, writes));
            }
            // Meanwhile there is none.
            for reader in &readers {
                follow(reader, head);
                let hash = hash_of(reader, head);
                for (method, params) in calls(&hash, head, &rng.pick(&keys())) {
                    assert!(ask(reader, method, &params).is_ok(), "{method} {params}");
                }
            }
            writes = writer(directory.path(), &config);
        }
        let late = reader(directory.path(), &config);
        compare(&writes, &late, &mut rng);
        // None of them writes.
        let refused = late.node().produce(1);
        assert!(matches!(refused, Err(SourceError::Store(StoreError::ReadOnly))), "{refused:?}");
    }
}

#[test]
fn what_is_pruned_behind_a_reader_is_never_answered_wrongly() {
    let directory = tempfile::tempdir().unwrap();
    let config = Config { terms: None, ..config(SHORT) };
    let writes = writer(directory.path(), &config);
    writes.node().produce(20).unwrap();
    // It keeps nothing of the files that it has read.
    let store = Box::new(Follower::open(&url(directory.path()), 1).unwrap());
    let chain = Chain::follow_in(store, "the store", config.clone()).unwrap();
    let service = Service::new(Arc::new(chain), None);
    let clients = (
        Client::<Cole>::of(&service),
        Client::<Lmpt>::of(&service),
        Client::<Lvmt>::of(&service),
        Client::<Verkle>::of(&service),
    );
    let (keys, mut rng) = (keys(), Rng::new(SEED, "pruned", 0));
    let (mut proven, mut refused) = (0, 0);
    let mut ask = |rng: &mut Rng| {
        let snapshot = service.snapshot().unwrap();
        let (key, at) = (rng.pick(&keys), snapshot.oldest_state() + rng.below(2));
        drop(snapshot);
        let number = u32::try_from(at).unwrap();
        let history = Query { as_of: true, address: key, from: number, to: number };
        let list = Item::List(vec![Item::bytes(key)]).encode();
        let layered = encode(&[Question { key: key.to_vec(), storage_roots: false }]);
        let verdicts = [
            clients.0.ask(&service, at, &history.encode(), &["plain"]),
            clients.1.ask(&service, at, &layered, &["plain"]),
            clients.2.ask(&service, at, &list, &["hybrid"]),
            clients.3.ask(&service, at, &verkle::prove::encode(&[key]), &["plain"]),
        ];
        for (system, verdict) in verdicts.into_iter().enumerate() {
            match verdict {
                Ok(verdict) => {
                    assert_eq!(verdict["status"], "proven", "{system}, {at}: {verdict}");
                    proven += 1;
                }
                Err(code) => {
                    assert_eq!((system, code), (0, OUTSIDE), "{at}");
                    refused += 1;
                }
            }
        }
    };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..60 {
                writes.node().produce(1).unwrap();
            }
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            // Seldom, so that what it shows is pruned behind it. Files may go while it looks.
            if rng.below(4) == 0 {
                let _ = service.node().follow();
            }
            ask(&mut rng);
        }
    });
    // Far behind, without the files of what it shows.
    service.node().follow().unwrap();
    writes.node().produce(60).unwrap();
    (0..8).for_each(|_| ask(&mut rng));
    // Rows stay as they were; a file of cole may be gone.
    assert!(proven > 0, "{refused} refused");
}
