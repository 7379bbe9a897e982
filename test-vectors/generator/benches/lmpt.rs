//! Layers against one trie, native: write throughput for the same workload, bytes of proofs and
//! time to make and to check them over the same state. One JSON object per row on stdout, each with
//! its `id`.
//!
//! `cargo bench -p lightproof-generator --bench lmpt -- [--keys N] [--rounds N] [--records FILE]`
//!
//! * `--keys`: slots of the one contract, 1,000,000 by default.
//! * `--rounds`: in each, either system makes the same blocks, one transaction each; 5 by default.
//! * `--records`: also writes the proofs, as `npm run bench` reads them.

#![allow(clippy::cast_precision_loss, clippy::unwrap_used)]

use std::path::Path;
use std::time::Instant;

use lightproof_core::Verifier;
use lightproof_core::system::System as Verified;
use lightproof_core::system::lmpt::Lmpt as VerifiedLmpt;
use lightproof_core::system::mpt::Mpt as VerifiedMpt;
use lightproof_generator::case::{Case, Expected, Setting, Source};
use lightproof_generator::mpt::reply::{Query, Reply, SlotReply, minimal, minimal_bytes};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::chain::{Address, CHAIN_ID, Slot};
use lightproof_prover::hex;
use lightproof_prover::rng::{Rng, digest};
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::lmpt::prove::{ADJACENT, Question, encode};
use lightproof_prover::system::lmpt::{self, Lmpt};
use lightproof_prover::system::mpt::{Mpt, State};
use lightproof_prover::system::{PLAIN, System};
use serde_json::{Value, json};

const CONTRACT: Address = [0x4c; 20];
/// Slots written by a block.
const WRITES: u64 = 1_000;
/// Blocks between two merges, and of history; a round has two merges.
const INTERVAL: u64 = 16;
const WINDOW: u64 = 64;
const ROUND: u64 = 2 * INTERVAL;
/// As the node's.
const CACHE_BYTES: usize = 64 * 1024 * 1024;

fn slot(number: u64) -> Slot {
    digest(1, "bench-slot", number)
}

fn writes(keys: u64, block: u64) -> WriteSet {
    let mut set = WriteSet::default();
    if block == 0 {
        set.account(CONTRACT, 1, 0);
        (0..keys).for_each(|number| {
            set.slot(CONTRACT, slot(number), digest(1, "bench-value", number));
        });
        return set;
    }
    let mut rng = Rng::new(1, "bench", block);
    for number in 0..WRITES {
        // One in eight clears a slot, or writes it again.
        let clears = number % 8 == 0 && rng.one_in(2);
        let value = digest(block, "bench-value", number);
        set.slot(CONTRACT, slot(rng.below(keys)), if clears { [0; 32] } else { value });
    }
    set
}

/// A system in a database of its own.
struct Chain<S> {
    database: Embedded,
    system: S,
    root: Vec<u8>,
    head: u64,
}

impl<S: System> Chain<S> {
    fn new(directory: &Path, system: S, genesis: &WriteSet) -> Self {
        let file = directory.join(format!("{}.redb", system.spec().name));
        let database = Embedded::create(&file, CACHE_BYTES).unwrap();
        let mut chain = Self { database, system, root: Vec::new(), head: 0 };
        let start = Instant::now();
        chain.append(0, genesis);
        eprintln!(
            "{}: genesis in {:.1} s",
            chain.system.spec().name,
            start.elapsed().as_secs_f64()
        );
        chain
    }

    fn append(&mut self, block: u64, writes: &WriteSet) {
        self.system.begin(&self.database.reader().unwrap());
        let commit = store::write(&self.database, |batch| self.system.commit(batch, block, writes));
        self.root = commit.unwrap();
        self.system.durable().unwrap();
        self.head = block;
    }

    /// Seconds that each block takes.
    fn round(&mut self, blocks: &[WriteSet]) -> Vec<f64> {
        let time = |writes| {
            let start = Instant::now();
            self.append(self.head + 1, writes);
            start.elapsed().as_secs_f64()
        };
        blocks.iter().map(time).collect()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Median microseconds of some runs.
fn micros(mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e6
    };
    median((0..301).map(run).collect())
}

fn check<V: Verified>(setting: &Setting, case: &Case) -> (Value, f64) {
    let (chain, config, claims) = (setting.chain_rlp(), setting.config_rlp(), case.claims_rlp());
    let verifier = Verifier::<V>::new(&chain, &config, &[]).unwrap();
    let verify = || verifier.verify(&claims, [0; 32], &mut ());
    let verdict: Value = serde_json::from_str(&verify()).unwrap();
    assert_eq!(verdict[0]["status"], "proven", "{}: {verdict}", case.comment);
    (verdict[0]["fact"].clone(), micros(|| drop(std::hint::black_box(verify()))))
}

fn setting(format: &'static str) -> Setting {
    Setting {
        kind: "devnet",
        chain_id: CHAIN_ID,
        genesis_hash: [7; 32],
        format,
        params_digest: None,
        params: Vec::new(),
    }
}

fn case(
    comment: &str,
    number: u64,
    root: &[u8],
    query: Vec<u8>,
    variant: &'static str,
    proof: Vec<u8>,
) -> Case {
    Case {
        comment: comment.to_owned(),
        flags: Vec::new(),
        source: Source::Root { number, bytes: root.to_vec() },
        query,
        variant,
        proof,
        expected: Expected::Invalid(""),
    }
}

fn record(system: &str, id: &str, setting: &Setting, case: &Case, fact: &Value) -> Value {
    let Source::Root { number, bytes } = &case.source else { return Value::Null };
    json!({
        "id": id,
        "title": case.comment,
        "record": {
            "chain": {
                "kind": setting.kind,
                "chainId": setting.chain_id,
                "genesisHash": hex::encode(&setting.genesis_hash),
            },
            "system": system,
            "config": { "format": setting.format },
            "source": { "root": { "number": hex::quantity(*number), "bytes": hex::encode(bytes) } },
            "query": hex::encode(&case.query),
            "variant": case.variant,
            "proof": hex::encode(&case.proof),
        },
        "expected": fact,
    })
}

fn lmpt_case(
    chain: &Chain<Lmpt>,
    comment: &str,
    slot: &Slot,
    variant: &'static str,
) -> (Case, f64) {
    let key = [CONTRACT.as_slice(), slot].concat();
    let query = encode(&[Question { key, storage_roots: false }]);
    let reader = chain.database.reader().unwrap();
    let prove = || chain.system.prove(&*reader, chain.head, &query, &[variant]).unwrap();
    let (proof, time) = (prove(), micros(|| drop(prove())));
    (case(comment, chain.head, &chain.root, query.clone(), variant, proof.bytes), time)
}

fn mpt_case(chain: &Chain<Mpt>, comment: &str, slot: &Slot) -> (Case, f64) {
    let reader = chain.database.reader().unwrap();
    let prove = || {
        let state = State::after(&*reader, chain.head);
        let account = state.account(&CONTRACT).unwrap();
        let found = account.account.unwrap();
        let shown = state.slot(&CONTRACT, slot).unwrap();
        Reply {
            address: CONTRACT.to_vec(),
            nonce: minimal(found.nonce),
            balance: minimal(u128::try_from(found.balance).unwrap()),
            storage_hash: found.storage_root.to_vec(),
            code_hash: found.code_hash.to_vec(),
            nodes: account.nodes,
            slots: vec![SlotReply {
                key: slot.to_vec(),
                value: minimal_bytes(&shown.value),
                nodes: shown.nodes,
            }],
            code: None,
        }
    };
    let (proof, time) = (prove().encode(), micros(|| drop(prove().encode())));
    let query = Query::slots(CONTRACT, &[*slot]).encode();
    (case(comment, chain.head, &chain.root, query, PLAIN, proof), time)
}

/// Proofs of both systems after the same blocks; the newest of them stay in the layers above the
/// snapshot.
fn proofs(layers: &Chain<Lmpt>, one: &Chain<Mpt>, keys: u64, blocks: &[WriteSet]) -> Vec<Value> {
    let newest = |from: usize, back: usize, clears: bool| {
        let mut writes = blocks[from - back].slots.iter().map(|((_, slot), value)| (*slot, *value));
        let later = &blocks[from - back + 1..];
        let kept =
            |slot: &Slot| later.iter().all(|set| !set.slots.contains_key(&(CONTRACT, *slot)));
        writes.find(|(slot, value)| (*value == [0; 32]) == clears && kept(slot)).unwrap().0
    };
    let last = blocks.len() - 1;
    let interval = usize::try_from(INTERVAL).unwrap();
    let written = |slot: &Slot| blocks.iter().any(|set| set.slots.contains_key(&(CONTRACT, *slot)));
    let untouched = (0..keys).map(slot).find(|slot| !written(slot)).unwrap();
    let questions = [
        ("delta", "value in the delta", newest(last, 1, false)),
        ("deleted", "deleted in the delta", newest(last, 1, true)),
        ("intermediate", "value in the intermediate layer", newest(last, interval, false)),
        ("snapshot", "value in the snapshot", untouched),
        ("absent", "absent in all three layers", slot(keys + 1)),
    ];
    let mut records = Vec::new();
    let mut row = |system: &str,
                   id: &str,
                   setting: &Setting,
                   case: &Case,
                   made: f64,
                   (fact, verified): (Value, f64)| {
        println!(
            "{}",
            json!({
                "id": id, "bytes": case.proof.len(), "proveUs": made, "verifyUs": verified,
            })
        );
        records.push(record(system, id, setting, case, &fact));
    };
    for (id, title, slot) in questions {
        for (variant, name) in [(PLAIN, "lmpt"), (ADJACENT, "lmpt, adjacent paths")] {
            let (case, made) = lmpt_case(layers, &format!("{name}: {title}"), &slot, variant);
            let setting = setting("lmpt/1");
            let checked = check::<VerifiedLmpt>(&setting, &case);
            row("lmpt", &format!("lmpt-{id}-{variant}"), &setting, &case, made, checked);
        }
        let (case, made) = mpt_case(one, &format!("mpt: {title} of lmpt"), &slot);
        let setting = setting("mpt/1");
        let checked = check::<VerifiedMpt>(&setting, &case);
        row("mpt", &format!("lmpt-{id}-mpt"), &setting, &case, made, checked);
    }
    records
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let number =
        |name: &str, default: u64| option(name).map_or(default, |text| text.parse().unwrap());
    let (keys, rounds) = (number("--keys", 1_000_000), number("--rounds", 5));
    let directory = tempfile::tempdir().unwrap();
    let genesis = writes(keys, 0);
    let config = lmpt::Config { interval: INTERVAL, window: WINDOW, ..lmpt::Config::DEFAULT };
    let mut layers = Chain::new(directory.path(), Lmpt::new(config), &genesis);
    let mut one = Chain::new(directory.path(), Mpt::new(WINDOW), &genesis);
    drop(genesis);
    let (mut ratios, mut times, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let (mut slowest, mut slowest_other) = (0.0_f64, 0.0_f64);
    // Later rounds write to layers that are all in use; the last blocks leave a delta.
    for round in 0..=rounds {
        let first = layers.head + 1;
        let blocks: Vec<_> = (first..first + ROUND).map(|block| writes(keys, block)).collect();
        let (layered, plain) = (layers.round(&blocks), one.round(&blocks));
        if round == 0 {
            continue;
        }
        let (a, b): (f64, f64) = (layered.iter().sum(), plain.iter().sum());
        ratios.push(b / a);
        times.push((ROUND * WRITES) as f64 / a);
        others.push((ROUND * WRITES) as f64 / b);
        slowest = layered.into_iter().fold(slowest, f64::max);
        slowest_other = plain.into_iter().fold(slowest_other, f64::max);
    }
    let row = json!({
        "id": "lmpt-writes", "keys": keys, "writesPerBlock": WRITES, "interval": INTERVAL, "rounds": rounds,
        "lmptPerSecond": median(times), "mptPerSecond": median(others), "ratio": median(ratios),
        "lmptSlowestBlockMs": slowest * 1e3, "mptSlowestBlockMs": slowest_other * 1e3,
    });
    println!("{row}");
    let first = layers.head + 1;
    let blocks: Vec<_> = (first..first + ROUND - 3).map(|block| writes(keys, block)).collect();
    layers.round(&blocks);
    one.round(&blocks);
    let records = proofs(&layers, &one, keys, &blocks);
    if let Some(file) = option("--records") {
        std::fs::write(file, format!("{:#}\n", json!(records))).unwrap();
    }
}
