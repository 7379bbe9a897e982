//! The Verkle tree and its verifier, native: time to build, change, prove and check it, bytes of
//! proofs beside those of a binary Merkle tree. One JSON object per row on stdout; times are the
//! processor's.
//!
//! `cargo bench -p lightproof-prover --bench verkle -- [--leaves N] [--trees NAME,…] [--records
//! FILE]`
//!
//! * `N`: leaves, 16,384 by default;
//! * `NAME`: formats, by default all but the slow setup of `verkle/cf-1024`;
//! * `FILE`: gets the proofs as records of the one file schema, each with the `id` of its row.

#![allow(clippy::cast_precision_loss)]

use std::collections::BTreeSet;
use std::time::Duration;

#[path = "support/clock.rs"]
mod clock;

use lightproof_core::system::verkle::Verkle as Verifier;
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::hash::sha256;
use lightproof_prover::hex;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::verkle::prove::encode;
use lightproof_prover::system::verkle::{Commitment, Config, Verkle};
use lightproof_prover::system::{Proof, System as _};
use serde_json::{Value, json};

const FORMATS: [(&str, Commitment, usize); 6] = [
    ("verkle/cf-32", Commitment::CfInsecure(1), 5),
    ("verkle/cf-256", Commitment::CfInsecure(1), 8),
    ("verkle/cf-1024", Commitment::CfInsecure(1), 10),
    ("verkle/kzg-32", Commitment::Kzg, 5),
    ("verkle/kzg-256", Commitment::Kzg, 8),
    ("verkle/kzg-1024", Commitment::Kzg, 10),
];
const DEFAULT: &str = "verkle/cf-32,verkle/cf-256,verkle/kzg-32,verkle/kzg-256,verkle/kzg-1024";

/// Leaves that one block changes.
const UPDATE: u64 = 100;

fn key(index: u64) -> Vec<u8> {
    format!("bench key {index}").into_bytes()
}

/// Median microseconds of one piece of work: some nine times, fewer if that takes more than two
/// seconds.
fn median(work: impl FnMut()) -> f64 {
    median_after(|| (), work)
}

/// The same; what comes before each time is not measured.
fn median_after(mut before: impl FnMut(), mut work: impl FnMut()) -> f64 {
    const MOST: usize = 9;
    const ENOUGH: Duration = Duration::from_secs(2);
    let (start, mut samples) = (clock::used(), Vec::new());
    while samples.len() < MOST
        && (samples.len() < 3 || clock::used().saturating_sub(start) < ENOUGH)
    {
        before();
        let one = clock::used();
        work();
        samples.push(clock::micros_since(one));
    }
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or_default()
}

/// Writes keys `range` in one block; microseconds.
fn write(
    verkle: &Verkle,
    database: &Embedded,
    block: u64,
    range: impl Iterator<Item = u64>,
) -> f64 {
    let value = |index: u64| [block.to_be_bytes(), index.to_be_bytes()].concat();
    let writes: Vec<_> = range.map(|index| (key(index), Some(value(index)))).collect();
    let start = clock::used();
    let _top = store::write(database, |batch| verkle.write(batch, block, writes)).expect("written");
    clock::micros_since(start)
}

/// Bytes of the hashes that prove some keys in a balanced binary Merkle tree of all, sorted by
/// their hashes: 32 a sibling that the other keys do not give.
fn merkle_bytes(leaves: u64, asked: impl Iterator<Item = u64>) -> usize {
    let mut hashes: Vec<_> = (0..leaves).map(|index| sha256(&[&key(index)])).collect();
    hashes.sort_unstable();
    let place = |index| hashes.binary_search(&sha256(&[&key(index)])).expect("a leaf");
    let mut known: BTreeSet<usize> = asked.map(place).collect();
    let mut siblings = 0;
    for _ in 0..leaves.next_power_of_two().ilog2() {
        siblings += known.iter().filter(|place| !known.contains(&(*place ^ 1))).count();
        known = known.iter().map(|place| place >> 1).collect();
    }
    siblings * 32
}

fn tree(format: &str, leaves: u64, records: &mut Vec<Value>) {
    let (_, commitment, bits) =
        *FORMATS.iter().find(|(name, ..)| *name == format).expect("a format of verkle");
    let config = Config { commitment, bits, window: 8 };
    let start = clock::used();
    let verkle = Verkle::new(config);
    // What the setup makes once.
    let _ = verkle.committer().basis(0);
    let setup = clock::micros_since(start);
    println!("{}", json!({ "id": format!("{format}-setup"), "us": setup }));
    let database = Embedded::in_memory().expect("a database");
    let build = write(&verkle, &database, 0, 0..leaves) / leaves as f64;
    println!("{}", json!({ "id": format!("{format}-build"), "us": build }));
    let update = write(&verkle, &database, 1, (0..UPDATE).map(|index| index * 97 % leaves));
    println!("{}", json!({ "id": format!("{format}-update"), "us": update / UPDATE as f64 }));

    let (params, digest) = (verkle.committer().params(), verkle.committer().digest());
    let own = SystemConfig {
        format: format.as_bytes(),
        params_digest: Some(lightproof_core::hash::Hash(digest)),
    };
    let load = median(|| drop(Verifier::params(&own, &params).expect("well-formed")));
    println!("{}", json!({ "id": format!("{format}-load"), "us": load, "bytes": params.len() }));
    let parsed = Verifier::params(&own, &params).expect("well-formed");
    let reader = database.reader().expect("a reader");
    let bytes = verkle.root(&*reader, 1).expect("a root");
    let root = Root::<Verifier>::pinned(&parsed, &bytes, 1).expect("a root");
    for (keys, variant) in [(1, "plain"), (1, "aggregated"), (100, "plain"), (100, "aggregated")] {
        let asked = (0..keys).map(|index| index * 151 % leaves);
        let query = encode(&asked.clone().map(key).collect::<Vec<_>>());
        let prove = |verkle: &Verkle, block| -> Proof {
            verkle.prove(&*reader, block, &query, &[variant]).expect("provable")
        };
        let proof = prove(&verkle, 1);
        let id = format!("{format}-{variant}-{keys}");
        let check = || {
            let claim = Claim { root: &root, query: &query, variant, proof: &proof.bytes };
            assert!(verify(&parsed, &[claim], [0; 32], &mut ()).remove(0).is_ok(), "{id}");
        };
        let row = json!({
            "id": id,
            "bytes": proof.bytes.len(),
            "merkleBytes": merkle_bytes(leaves, asked),
            // With the openings of the top node as another block left them, and without.
            "proveUs": median_after(|| drop(prove(&verkle, 0)), || drop(prove(&verkle, 1))),
            "proveAnewUs": median(|| drop(prove(&Verkle::new(config), 1))),
            "verifyUs": median(check),
        });
        println!("{row}");
        records.push(json!({
            "id": id,
            "chain": { "kind": "devnet", "chainId": 19_536, "genesisHash": hex::encode(&[0; 32]) },
            "system": "verkle",
            "config": {
                "format": format,
                "paramsDigest": hex::encode(&digest),
                "params": hex::encode(&params),
            },
            "source": { "root": { "number": "0x1", "bytes": hex::encode(&bytes) } },
            "query": hex::encode(&query),
            "variant": variant,
            "proof": hex::encode(&proof.bytes),
        }));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let leaves =
        option("--leaves").map_or(1 << 14, |text| text.parse().expect("--leaves: a number"));
    let trees = option("--trees").unwrap_or_else(|| DEFAULT.to_owned());
    let mut records = Vec::new();
    for format in trees.split(',') {
        tree(format, leaves, &mut records);
    }
    if let Some(file) = option("--records") {
        std::fs::write(file, json!(records).to_string()).expect("the records are written");
    }
}
