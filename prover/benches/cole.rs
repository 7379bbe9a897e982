//! The COLE engine and verifier, native: bytes of proofs, time to make and to check them, time per
//! state inserted, storage per state, beside the same workload in one trie that keeps its history.
//! One JSON object per row on stdout; times are the processor's, of all threads.
//!
//! `cargo bench -p lightproof-prover --bench cole -- [--blocks N] [--addresses N] [--capacity N]
//! [--records FILE]`
//!
//! * `--blocks`: of 100 writes to random addresses each, 2,000 by default;
//! * `--addresses`: how many there are, 10,000 by default; the paper's queries for histories have
//!   100. One of them is written as often as if there were 100, in 63 of 100 blocks: its history is
//!   asked for;
//! * `--capacity`: B, entries in memory, 4,096 by default; the paper has 64 MB, 762,600 of them;
//! * `FILE`: gets the proofs as records of the one file schema, each with the `id` of its row.

#![allow(clippy::cast_precision_loss)]

#[path = "support/clock.rs"]
mod clock;
#[path = "support/yardstick.rs"]
mod yardstick;

use std::collections::BTreeSet;
use std::time::Instant;

use lightproof_core::hash::keccak256;
use lightproof_core::system::cole::Cole;
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::hex;
use lightproof_prover::rng::{Rng, digest};
use lightproof_prover::store;
use lightproof_prover::store::blobs::Directory;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::system::System as _;
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::cole::view::View;
use lightproof_prover::system::cole::{Config, Engine, Format, Kind};
use lightproof_prover::system::mpt::Mpt;
use serde_json::{Value, json};

const WRITES: u64 = 100;
const ADDRESSES: u64 = 10_000;
/// Of a thousand blocks, those that write one of 100 addresses at least once: 1 − 0.99¹⁰⁰.
const ASKED_IN: u64 = 634;

fn address(number: u64) -> Address {
    let (account, slot) = (digest(1, "bench-account", number), digest(1, "bench-slot", number));
    let mut address = [0; 52];
    address[..20].copy_from_slice(&account[..20]);
    address[20..].copy_from_slice(&slot);
    address
}

/// Writes to random addresses; of a block's writes to one address, the last stays.
fn blocks(count: u32, addresses: u64) -> Vec<Vec<(Address, [u8; 32])>> {
    let all: Vec<Address> = (0..addresses).map(address).collect();
    let writes = |block: u32| {
        let mut rng = Rng::new(1, "bench", block.into());
        let mut writes = std::collections::BTreeMap::new();
        for _ in 0..WRITES {
            writes.insert(rng.pick(&all), digest(1, "bench-value", rng.next_u64()));
        }
        if addresses > WRITES && rng.below(1_000) < ASKED_IN {
            writes.insert(all[0], [7; 32]);
        }
        writes.into_iter().collect()
    };
    (1..=count).map(writes).collect()
}

/// Median microseconds of one piece of work.
fn micros(mut work: impl FnMut()) -> f64 {
    const RUNS: u32 = 10;
    let mut samples: Vec<f64> = (0..41)
        .map(|_| {
            let start = clock::used();
            (0..RUNS).for_each(|_| work());
            clock::micros_since(start) / f64::from(RUNS)
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Prints the row of a question and returns its record.
fn measure(view: &View, query: &Query, id: &str) -> Value {
    let config = &view.config;
    let params = config.params();
    let digest = config.params_digest();
    let system = SystemConfig {
        format: config.format_name().as_bytes(),
        params_digest: Some(keccak256(&params)),
    };
    let parsed = Cole::params(&system, &params).expect("well-formed");
    let root = Root::<Cole>::pinned(&parsed, &view.state, view.block.into()).expect("a root");
    let (proof, asked) = (view.prove(query).expect("provable"), query.encode());
    let check = || {
        let claim = Claim { root: &root, query: &asked, variant: "plain", proof: &proof };
        let verdict = verify(&parsed, &[claim], [0; 32], &mut ()).remove(0);
        assert!(verdict.is_ok(), "{id}");
    };
    let (prove, check) = (micros(|| drop(view.prove(query).expect("provable"))), micros(check));
    println!("{}", json!({ "id": id, "bytes": proof.len(), "proveUs": prove, "verifyUs": check }));
    json!({
        "id": id,
        "chain": { "kind": "devnet", "chainId": 19_536, "genesisHash": hex::encode(&[0; 32]) },
        "system": "cole",
        "config": {
            "format": config.format_name(),
            "paramsDigest": hex::encode(&digest),
            "params": hex::encode(&params),
        },
        "source": {
            "root": { "number": hex::quantity(view.block), "bytes": hex::encode(&view.state) },
        },
        "query": hex::encode(&asked),
        "variant": "plain",
        "proof": hex::encode(&proof),
    })
}

/// The questions about a view: the newest q blocks of address 0, q blocks in the middle, an
/// address that none wrote.
fn questions(head: u32, addresses: u64) -> Vec<(String, Query)> {
    let range = |from: u32, q: u32| Query {
        as_of: false,
        address: address(0),
        from,
        to: (from + q - 1).min(head),
    };
    let mut all = Vec::new();
    for q in [2, 4, 8, 16, 32, 64, 128] {
        all.push((format!("latest-{q}"), range((head + 1).saturating_sub(q), q)));
        all.push((format!("middle-{q}"), range(head / 2, q)));
    }
    let nobody = address(addresses);
    let latest = Query { as_of: true, address: nobody, from: u32::MAX, to: u32::MAX };
    all.push(("never".to_owned(), latest));
    let history = Query { as_of: false, address: nobody, from: 0, to: head };
    all.push(("never-history".to_owned(), history));
    all
}

/// The same writes in one Merkle Patricia trie that keeps every block's nodes: each address is an
/// account of one slot.
fn trie(blocks: &[Vec<(Address, [u8; 32])>]) -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("mpt.redb");
    let mut database = Embedded::create(&file, 1 << 30).expect("a database");
    let system = Mpt::new(u64::MAX);
    let mut known = BTreeSet::new();
    let append = |database: &Embedded, block: u64, writes: &WriteSet| {
        store::write(database, |batch| system.commit(batch, block, writes)).expect("durable");
    };
    append(&database, 0, &WriteSet::default());
    let start = clock::used();
    for (block, writes) in (1..).zip(blocks) {
        let mut set = WriteSet::default();
        for (address, value) in writes {
            let (account, slot) = address.split_first_chunk::<20>().expect("52 bytes");
            if known.insert(*account) {
                set.account(*account, 1, 0);
            }
            set.slot(*account, slot.try_into().expect("32 bytes"), *value);
        }
        append(&database, block, &set);
    }
    let states = states(blocks);
    let insert = clock::micros_since(start) / states;
    // What the database has reserved and does not use is not the trie's.
    database.compact().expect("compacted");
    let bytes = std::fs::metadata(&file).expect("a file").len();
    json!({ "id": "mpt-insert", "insertUs": insert, "bytes": bytes as f64 / states })
}

fn states(blocks: &[Vec<(Address, [u8; 32])>]) -> f64 {
    blocks.iter().map(Vec::len).sum::<usize>() as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let number = |name: &str, default: u64| {
        option(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let count = u32::try_from(number("--blocks", 2_000)).expect("--blocks: below 2^32");
    let (addresses, capacity) = (number("--addresses", ADDRESSES), number("--capacity", 4_096));
    let blocks = blocks(count, addresses);
    let formats = [Format::One, Format::Fast24 { filters: true }];
    let mut records = Vec::new();
    let entries = yardstick::entries();
    let hashed = micros(|| yardstick::keccaks(&entries));
    let bytes = entries.as_flattened().len();
    println!("{}", json!({ "id": "yardstick", "bytes": bytes, "verifyUs": hashed }));
    println!("{}", trie(&blocks));
    for (format, kind) in
        formats.into_iter().flat_map(|one| [(one, Kind::Cole), (one, Kind::ColeStar)])
    {
        let config = Config { format, kind, capacity, window: 8, ..Config::default() };
        let system = if kind == Kind::Cole { "cole" } else { "cole-star" };
        let name = format!("{}-{system}", config.format_name());
        let directory = tempfile::tempdir().expect("a directory");
        let mut engine =
            Engine::create(Directory::files(directory.path()), config).expect("an engine");
        let (start, wall) = (clock::used(), Instant::now());
        for (block, writes) in (1..).zip(&blocks) {
            engine.apply(block, writes).expect("applied");
            engine.durable().expect("durable");
        }
        let states = states(&blocks);
        let insert = clock::micros_since(start) / states;
        let wall = wall.elapsed().as_secs_f64() * 1e6 / states;
        let files = std::fs::read_dir(directory.path()).expect("a directory");
        let bytes: u64 =
            files.map(|file| file.and_then(|one| one.metadata()).map_or(0, |one| one.len())).sum();
        let view = engine.view(count).expect("the head");
        let row = json!({
            "id": format!("{name}-insert"), "insertUs": insert, "wallUs": wall, "bytes": bytes as f64 / states,
            "sources": view.sources().count(),
        });
        println!("{row}");
        for (what, query) in questions(count, addresses) {
            records.push(measure(&view, &query, &format!("{name}-{what}")));
        }
    }
    if let Some(file) = option("--records") {
        std::fs::write(file, json!(records).to_string()).expect("the records are written");
    }
}
