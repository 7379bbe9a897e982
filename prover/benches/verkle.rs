//! The Verkle tree and its verifier, native: time to build, change, prove and check it, bytes of proofs beside those of a binary
//! Merkle tree. One JSON object per row on stdout.
//!
//! `cargo bench -p lightproof-prover --bench verkle -- [--leaves N] [--trees NAME,…] [--records FILE]`
//!
//! * `N`: leaves, 16,384 by default;
//! * `NAME`: formats, by default all but the slow setup of `verkle/cf-1024`;
//! * `FILE`: gets the proofs as records of the one file schema, each with the `id` of its row.

#![allow(clippy::cast_precision_loss)]

use std::time::Instant;

use lightproof_core::system::verkle::Verkle as Verifier;
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::hex;
use lightproof_prover::system::verkle::prove::encode;
use lightproof_prover::system::verkle::{Commitment, Config, Verkle};
use lightproof_prover::system::{Proof, System as _};
use redb::{Builder, Database, ReadableDatabase as _, backends::InMemoryBackend};
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

/// Median microseconds of one piece of work.
fn micros(mut work: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Writes keys `range` in one block; microseconds.
fn write(
    verkle: &Verkle,
    database: &Database,
    block: u64,
    range: impl Iterator<Item = u64>,
) -> f64 {
    let value = |index: u64| [block.to_be_bytes(), index.to_be_bytes()].concat();
    let writes: Vec<_> = range.map(|index| (key(index), Some(value(index)))).collect();
    let start = Instant::now();
    let transaction = database.begin_write().expect("a transaction");
    let _top = verkle.write(&transaction, block, writes).expect("written");
    transaction.commit().expect("committed");
    start.elapsed().as_secs_f64() * 1e6
}

/// Bytes of a binary Merkle proof of one of `leaves` keys in a balanced tree: a hash of 32 bytes a level.
fn merkle_bytes(leaves: u64, keys: usize) -> usize {
    keys * 32 * usize::try_from(leaves.next_power_of_two().ilog2()).unwrap_or_default()
}

fn tree(format: &str, leaves: u64, records: &mut Vec<Value>) {
    let (_, commitment, bits) =
        *FORMATS.iter().find(|(name, ..)| *name == format).expect("a format of verkle");
    let config = Config { commitment, bits, window: 8 };
    let start = Instant::now();
    let verkle = Verkle::new(config);
    // What the setup makes once.
    let _ = verkle.committer().basis(0);
    println!(
        "{}",
        json!({ "id": format!("{format}-setup"), "us": start.elapsed().as_secs_f64() * 1e6 })
    );
    let database = Builder::new().create_with_backend(InMemoryBackend::new()).expect("a database");
    let build = write(&verkle, &database, 0, 0..leaves) / leaves as f64;
    println!("{}", json!({ "id": format!("{format}-build"), "us": build }));
    let update = write(&verkle, &database, 1, (0..UPDATE).map(|index| index * 97 % leaves));
    println!("{}", json!({ "id": format!("{format}-update"), "us": update / UPDATE as f64 }));

    let (params, digest) = (verkle.committer().params(), verkle.committer().digest());
    let own = SystemConfig {
        format: format.as_bytes(),
        params_digest: Some(lightproof_core::hash::Hash(digest)),
    };
    let load = micros(|| drop(Verifier::params(&own, &params).expect("well-formed")));
    println!("{}", json!({ "id": format!("{format}-load"), "us": load, "bytes": params.len() }));
    let parsed = Verifier::params(&own, &params).expect("well-formed");
    let transaction = database.begin_read().expect("a transaction");
    let bytes = verkle.root(&transaction, 1).expect("a root");
    let root = Root::<Verifier>::pinned(&parsed, &bytes, 1).expect("a root");
    for (keys, variant) in [(1, "plain"), (1, "aggregated"), (100, "plain"), (100, "aggregated")] {
        let asked: Vec<_> = (0..keys).map(|index| key(index * 151 % leaves)).collect();
        let query = encode(&asked);
        let prove =
            || -> Proof { verkle.prove(&transaction, 1, &query, &[variant]).expect("provable") };
        let proof = prove();
        let id = format!("{format}-{variant}-{keys}");
        let check = || {
            let claim = Claim { root: &root, query: &query, variant, proof: &proof.bytes };
            assert!(verify(&parsed, &[claim], [0; 32], &mut ()).remove(0).is_ok(), "{id}");
        };
        let row = json!({
            "id": id,
            "bytes": proof.bytes.len(),
            "merkleBytes": merkle_bytes(leaves, asked.len()),
            "proveUs": micros(|| drop(prove())),
            "verifyUs": micros(check),
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
