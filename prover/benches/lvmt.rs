//! LVMT and its verifier, native: reads and writes against one trie, proofs of every form and
//! level, and what a kept proof tree costs. One JSON object per row on stdout, each with its `id`.
//!
//! `cargo bench -p lightproof-prover --bench lvmt -- [--keys N] [--tree none|I/N] [--mpt]
//! [--records FILE]`
//!
//! * `--keys`: random keys of the state, 1,000,000 by default;
//! * `--tree`: shard whose proof tree is kept, none by default;
//! * `--mpt`: the same reads and writes on one trie, block by block in turn;
//! * `--records`: also proves keys of every level, and writes the proofs as `npm run bench` reads
//!   them.

#![allow(clippy::cast_precision_loss, clippy::unwrap_used)]

#[path = "support/clock.rs"]
mod clock;
#[path = "../tests/it/lvmt/ground.rs"]
mod ground;

use std::hint::black_box;
use std::path::Path;

use ark_bn254::{Bn254, Fr, G1Affine, G2Affine};
use ark_ec::AffineRepr as _;
use ark_ec::pairing::Pairing as _;
use lightproof_core::hash::Hash;
use lightproof_core::system::lvmt::Lvmt as Verifier;
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Presence, Root, verify};
use lightproof_prover::chain::Slot;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::rng::{Rng, digest};
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::System as _;
use lightproof_prover::system::lvmt::prove::VARIANTS;
use lightproof_prover::system::lvmt::{Config, Lvmt};
use lightproof_prover::system::mpt::{Mpt, State};
use serde_json::{Value, json};

const CONTRACT: [u8; 20] = [0x4c; 20];
/// Keys that a block reads and writes.
const WRITES: u64 = 1_000;
const BLOCKS: u64 = 12;
/// Keys of a block that fills the state.
const FILL: u64 = 20_000;
const WINDOW: u64 = 8;
/// Blocks after which both drop as much as they add, and as much of ours waits for its table as
/// comes to wait: what filled the state is older than all of that.
const WARM: u64 = 64 + WINDOW + 9;
/// As the node's.
const CACHE_BYTES: usize = 64 * 1024 * 1024;
/// What may wait in memory is taken from the cache, so that both have the same.
const WAITING_BYTES: usize = 24 * 1024 * 1024;

type Writes = Vec<(Vec<u8>, Vec<u8>)>;

fn slot(number: u64) -> Slot {
    digest(1, "bench-slot", number)
}

fn key(number: u64) -> Vec<u8> {
    [CONTRACT.as_slice(), &slot(number)].concat()
}

fn numbers(keys: u64, block: u64) -> Vec<u64> {
    let mut rng = Rng::new(1, "bench", block);
    (0..WRITES).map(|_| rng.below(keys)).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Median microseconds of the processor in some runs.
fn micros(runs: usize, mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let start = clock::used();
        work();
        clock::micros_since(start)
    };
    median((0..runs).map(run).collect())
}

fn database(directory: &Path, name: &str, cache: usize) -> Embedded {
    Embedded::create(&directory.join(format!("{name}.redb")), cache).unwrap()
}

struct Chain {
    database: Embedded,
    lvmt: Lvmt,
    root: Vec<u8>,
    next: u64,
}

impl Chain {
    fn new(directory: &Path, config: Config) -> Self {
        let database = database(directory, "lvmt", CACHE_BYTES - WAITING_BYTES);
        Self { database, lvmt: Lvmt::new(config), root: Vec::new(), next: 0 }
    }

    fn block(&mut self, writes: Writes) {
        let root = store::write(&self.database, |batch| self.lvmt.write(batch, self.next, writes));
        self.root = root.unwrap();
        self.next += 1;
    }

    fn fill(&mut self, keys: u64) {
        let mut from = 0;
        while from < keys {
            let to = keys.min(from + FILL);
            self.block((from..to).map(|number| (key(number), slot(number).to_vec())).collect());
            from = to;
        }
    }

    /// Microseconds of the processor that one read and write takes.
    fn turn(&mut self, numbers: &[u64]) -> f64 {
        let start = clock::used();
        let reading = self.database.reader().unwrap();
        let keys = numbers.iter().map(|number| key(*number));
        let values = self.lvmt.values(&*reading, keys.clone()).unwrap();
        let writes = keys.zip(values).map(|(key, value)| {
            let mut value = value.unwrap();
            value[0] ^= 1;
            (key, value)
        });
        let writes = writes.collect();
        self.block(writes);
        clock::micros_since(start) / numbers.len() as f64
    }
}

struct Trie {
    database: Embedded,
    mpt: Mpt,
    next: u64,
}

impl Trie {
    fn block(&mut self, writes: &WriteSet) {
        store::write(&self.database, |batch| self.mpt.commit(batch, self.next, writes)).unwrap();
        self.next += 1;
    }

    fn filled(directory: &Path, keys: u64) -> Self {
        let database = database(directory, "mpt", CACHE_BYTES);
        let mut trie = Self { database, mpt: Mpt::new(WINDOW), next: 0 };
        let mut set = WriteSet::default();
        set.account(CONTRACT, 1, 0);
        (0..keys).for_each(|number| set.slot(CONTRACT, slot(number), slot(number)));
        trie.block(&set);
        trie
    }

    fn turn(&mut self, numbers: &[u64]) -> f64 {
        let start = clock::used();
        let reading = self.database.reader().unwrap();
        let state = State::after(&*reading, self.next - 1);
        let mut set = WriteSet::default();
        for number in numbers {
            let mut value = state.slot(&CONTRACT, &slot(*number)).unwrap().value;
            value[0] ^= 1;
            set.slot(CONTRACT, slot(*number), value);
        }
        self.block(&set);
        clock::micros_since(start) / numbers.len() as f64
    }
}

/// Highest resident memory of this process, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) * 1_024
}

fn say(row: &Value) {
    println!("{row}");
}

/// An opening in pairs by arkworks alone: 32 pairings apart, as the paper's authors' verifier has
/// them, and 18 in one product.
fn arkworks() {
    let g1: Vec<G1Affine> =
        (1..=32_u64).map(|n| (G1Affine::generator() * Fr::from(n)).into()).collect();
    let g2: Vec<G2Affine> =
        (1..=32_u64).map(|n| (G2Affine::generator() * Fr::from(n)).into()).collect();
    let apart = micros(9, || {
        for (g1, g2) in g1.iter().zip(&g2) {
            let _ = black_box(Bn254::pairing(g1, g2));
        }
    });
    let product = micros(9, || {
        let _ = black_box(Bn254::multi_pairing(&g1[..18], &g2[..18]));
    });
    say(&json!({ "id": "lvmt-arkworks-apart", "us": apart }));
    say(&json!({ "id": "lvmt-arkworks-product", "us": product }));
}

/// Proofs of keys of each level in every form, and of a hundred keys.
fn proofs(chain: &Chain, is_short: bool) -> Vec<Value> {
    let lvmt = &chain.lvmt;
    let (params, digest) = (lvmt.params().unwrap(), lvmt.spec().params.unwrap());
    let own =
        SystemConfig { format: lvmt.spec().format.as_bytes(), params_digest: Some(Hash(digest)) };
    let parsed = Verifier::params(&own, &params).unwrap();
    let head = chain.next - 1;
    let root = Root::<Verifier>::pinned(&parsed, &chain.root, head).unwrap();
    let reading = chain.database.reader().unwrap();
    let prove =
        |keys: &[Vec<u8>], variant: &str| lvmt.prove_keys(&*reading, head, keys, variant).unwrap();
    let levels = |keys: &[Vec<u8>], variant: &str, proof: &[u8]| -> Vec<usize> {
        let query = Item::List(keys.iter().map(Item::bytes).collect()).encode();
        let claim = Claim { root: &root, query: &query, variant, proof };
        let proven = verify(&parsed, &[claim], [9; 32], &mut ()).remove(0).unwrap();
        let answers = proven.fact().answers.iter().map(|(_, answer)| match answer {
            Presence::Present(present) => present.level,
            _ => usize::MAX,
        });
        answers.collect()
    };
    // Keys that are filled in first stand at level 0, the last ones of a large state at level 1;
    // ground ones at level 2.
    let (of_0, of_2) = (vec![key(0)], vec![ground::deep().remove(5)]);
    let of_1 = vec![ground::deep().remove(0)];
    let hundred: Vec<Vec<u8>> = (0..100).map(key).collect();
    let mut records = Vec::new();
    for (name, asked, level) in
        [("level-0", of_0, 0), ("level-1", of_1, 1), ("level-2", of_2, 2), ("100-keys", hundred, 0)]
    {
        let variants = if name == "100-keys" { &VARIANTS[..1] } else { VARIANTS };
        for variant in variants {
            let proof = prove(&asked, variant);
            assert!(levels(&asked, variant, &proof).iter().all(|found| *found == level), "{name}");
            let runs = if is_short { 1 } else { 9 };
            let id = format!("lvmt-{name}-{variant}");
            let query = Item::List(asked.iter().map(Item::bytes).collect()).encode();
            say(&json!({
                "id": id,
                "bytes": proof.len(),
                "proveUs": micros(runs, || drop(prove(&asked, variant))),
                "verifyUs": micros(runs, || drop(levels(&asked, variant, &proof))),
            }));
            records.push(json!({
                "id": id,
                "chain": { "kind": "devnet", "chainId": 19_536, "genesisHash": hex::encode(&[0; 32]) },
                "system": "lvmt",
                "config": {
                    "format": lvmt.spec().format,
                    "paramsDigest": hex::encode(&digest),
                    "params": hex::encode(&params),
                },
                "source": {
                    "root": { "number": hex::quantity(head), "bytes": hex::encode(&chain.root) },
                },
                "query": hex::encode(&query),
                "variant": variant,
                "proof": hex::encode(&proof),
            }));
        }
    }
    records
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let keys = option("--keys").map_or(1_000_000, |text| text.parse().expect("--keys: a number"));
    let tree = option("--tree").unwrap_or_else(|| "none".to_owned());
    let base = Config { window: WINDOW, ..Config::DEFAULT };
    let config = match tree.as_str() {
        "none" => Config { keeps_tree: false, ..base },
        shard => Config { shard: shard.parse().expect("--tree: none or i/n"), ..base },
    };
    let directory = tempfile::tempdir().unwrap();
    let mut chain = Chain::new(directory.path(), config);
    let start = clock::used();
    // A full leaf at level 0, and a full one below it.
    let first = |keys: Vec<Vec<u8>>| keys.into_iter().map(|key| (key, vec![1; 32])).collect();
    chain.block(first(ground::leaf().drain(..5).collect()));
    chain.block(first(ground::deep().drain(..5).collect()));
    chain.block(first(ground::deep().drain(5..).collect()));
    chain.fill(keys);
    let fill = clock::micros_since(start) / keys as f64;
    let mut other = arguments
        .iter()
        .any(|argument| argument == "--mpt")
        .then(|| Trie::filled(directory.path(), keys));
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for block in 0..WARM + BLOCKS {
        let numbers = numbers(keys, block);
        let time = chain.turn(&numbers);
        let other = other.as_mut().map(|other| other.turn(&numbers));
        if block >= WARM {
            ours.push(time);
            theirs.extend(other);
            ratios.extend(other.map(|other| other / time));
        }
    }
    if !theirs.is_empty() {
        let us = median(theirs);
        say(&json!({ "id": "lvmt-write-mpt", "us": us, "keys": keys, "ratio": median(ratios) }));
    }
    let us = median(ours);
    say(&json!({ "id": format!("lvmt-new-{tree}"), "us": fill, "keys": keys }));
    say(&json!({ "id": format!("lvmt-write-{tree}"), "us": us, "keys": keys, "peak": peak() }));
    if let Some(file) = option("--records") {
        arkworks();
        let is_short = arguments.iter().any(|argument| argument == "--short");
        let records = proofs(&chain, is_short);
        std::fs::write(file, json!(records).to_string()).unwrap();
    }
}
