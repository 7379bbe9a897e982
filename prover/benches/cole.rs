//! The COLE engine and verifier, native: bytes of proofs, time to make and to check them, time per state inserted,
//! storage per state. One JSON object per row on stdout.

#![allow(clippy::cast_precision_loss)]

use std::time::Instant;

use lightproof_core::hash::keccak256;
use lightproof_core::system::cole::Cole;
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::rng::{Rng, digest};
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::cole::view::View;
use lightproof_prover::system::cole::{Config, Engine, Format, Kind};
use serde_json::json;

const BLOCKS: u32 = 2_000;
const WRITES: u64 = 100;
const ADDRESSES: u64 = 10_000;

fn address(number: u64) -> Address {
    let (account, slot) = (digest(1, "bench-account", number), digest(1, "bench-slot", number));
    let mut address = [0; 52];
    address[..20].copy_from_slice(&account[..20]);
    address[20..].copy_from_slice(&slot);
    address
}

/// Address 0 is written in every block, the others at random.
fn blocks() -> Vec<Vec<(Address, [u8; 32])>> {
    let addresses: Vec<Address> = (0..ADDRESSES).map(address).collect();
    let writes = |block: u32| {
        let mut rng = Rng::new(1, "bench", block.into());
        let mut writes = std::collections::BTreeMap::from([(addresses[0], [7; 32])]);
        while (writes.len() as u64) < WRITES {
            let value = digest(1, "bench-value", rng.next_u64());
            writes.insert(rng.pick(&addresses), value);
        }
        writes.into_iter().collect()
    };
    (1..=BLOCKS).map(writes).collect()
}

fn micros(rounds: u32, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..rounds {
        work();
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(rounds)
}

fn measure(view: &View, query: &Query, what: &str) {
    let config = &view.config;
    let params = config.params();
    let system = SystemConfig {
        format: config.format_name().as_bytes(),
        params_digest: Some(keccak256(&params)),
    };
    let params = Cole::params(&system, &params).expect("well-formed");
    let root = Root::<Cole>::pinned(&params, &view.state, view.block.into()).expect("a root");
    let (proof, asked) = (view.prove(query).expect("provable"), query.encode());
    let check = || {
        let claim = Claim { root: &root, query: &asked, variant: "plain", proof: &proof };
        let verdict = verify(&params, &[claim], [0; 32], &mut ()).remove(0);
        assert!(verdict.is_ok(), "{what}");
    };
    let prove = || drop(view.prove(query).expect("provable"));
    let row = json!({
        "format": config.format_name(),
        "system": config.system(),
        "what": what,
        "bytes": proof.len(),
        "proveMicros": micros(50, prove),
        "verifyMicros": micros(200, check),
    });
    println!("{row}");
}

fn main() {
    let blocks = blocks();
    let formats = [Format::One, Format::Fast24 { filters: true }];
    for (format, kind) in
        formats.into_iter().flat_map(|one| [(one, Kind::Cole), (one, Kind::ColeStar)])
    {
        let config = Config { format, kind, capacity: 4_096, window: 8, ..Config::default() };
        let directory = tempfile::tempdir().expect("a directory");
        let mut engine = Engine::create(directory.path(), config).expect("an engine");
        let start = Instant::now();
        for (block, writes) in (1..).zip(&blocks) {
            engine.apply(block, writes).expect("applied");
            engine.durable().expect("durable");
        }
        let states = f64::from(BLOCKS) * WRITES as f64;
        let insert = start.elapsed().as_secs_f64() * 1e6 / states;
        let files = std::fs::read_dir(directory.path()).expect("a directory");
        let bytes: u64 =
            files.map(|file| file.and_then(|one| one.metadata()).map_or(0, |one| one.len())).sum();
        let row = json!({
            "format": config.format_name(), "system": config.system(), "what": "insert",
            "microsPerState": insert, "bytesPerState": bytes as f64 / states,
        });
        println!("{row}");
        let view = engine.view(BLOCKS).expect("the head");
        for q in [2, 4, 8, 16, 32, 64, 128] {
            let latest =
                Query { as_of: false, address: address(0), from: BLOCKS + 1 - q, to: BLOCKS };
            measure(&view, &latest, &format!("latest {q}"));
            let middle = Query {
                as_of: false,
                address: address(0),
                from: BLOCKS / 2,
                to: BLOCKS / 2 + q - 1,
            };
            measure(&view, &middle, &format!("mid-history {q}"));
        }
        let never =
            Query { as_of: true, address: address(ADDRESSES), from: u32::MAX, to: u32::MAX };
        measure(&view, &never, "never written");
        let all = Query { as_of: false, address: address(ADDRESSES), from: 0, to: BLOCKS };
        measure(&view, &all, "never written, whole history");
        println!("{}", json!({ "sources": view.sources().count() }));
    }
}
