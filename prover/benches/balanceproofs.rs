//! What balanceproofs costs, native and on one thread: time to prove, decode and check aggregates, to make all proofs, to update
//! and to ask. One JSON object per row on stdout.
//!
//! `cargo bench -p lightproof-prover --bench balanceproofs -- [--counts K,…] [--records FILE]`
//!
//! * `K`: positions of a claim, by default 1, 16, 64, 256, 1024, 4096;
//! * `FILE`: gets the proofs as records of the one file schema, each with the `id` of its row.

#![allow(clippy::cast_precision_loss)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use ark_bls12_381::Fr;
use lightproof_core::system::balanceproofs::{BalanceProofs as Verifier, Scheme};
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::fk20::Lines;
use lightproof_prover::system::balanceproofs::setup::bytes;
use lightproof_prover::system::balanceproofs::{
    Config, Maintained, Setup, Source, Variant, Vector,
};
use serde_json::{Value, json};

/// Microseconds of one piece of work.
fn once<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64() * 1e6, result)
}

/// Median microseconds: of nine samples, of one where that takes a second.
fn micros(mut work: impl FnMut()) -> f64 {
    let mut samples = vec![once(&mut work).0];
    if samples[0] < 1e6 {
        samples.extend((0..8).map(|_| once(&mut work).0));
    }
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn values(count: usize) -> Vec<Fr> {
    (0..count as u64).map(|n| Fr::from(u128::from(n) * 1_000_000_007 + 5)).collect()
}

/// Proves, decodes and checks positions spread over the vector.
fn openings(
    name: &str,
    (setup, config): (&Arc<Setup>, &Config),
    cases: &[(Variant, &[usize])],
    counts: &[usize],
    records: &mut Vec<Value>,
) {
    let n: usize = setup.sides().iter().product();
    // Everything that a setup prepares once.
    let _ = setup.commit(&[Fr::from(1)]);
    let vector = Vector::new(Arc::clone(setup), values(n));
    let format = config.format_name();
    let own = SystemConfig {
        format: format.as_bytes(),
        params_digest: Some(lightproof_core::hash::Hash(setup.digest())),
    };
    let params = Verifier::params(&own, &setup.params).expect("parameters");
    let commitment = bytes(&[*vector.commitment()]);
    let root = Root::<Verifier>::pinned(&params, &commitment, 0).expect("a commitment");
    for (variant, all) in cases {
        for count in all.iter().filter(|count| counts.contains(count)) {
            let positions: Vec<u64> =
                (0..*count).map(|place| (place * (n / count)) as u64).collect();
            assert!(setup.reaches(&positions, *variant), "{name} {count}");
            let id = format!("balanceproofs-{name}-{}-{count}", variant.name());
            let (prove, proof) = once(|| vector.prove(&positions, *variant).expect("provable"));
            let query = Item::List(positions.iter().map(|one| Item::uint(*one)).collect()).encode();
            let claim =
                Claim { root: &root, query: &query, variant: variant.name(), proof: &proof };
            let check = || {
                let verdict = verify(&params, &[claim], [1; 32], &mut ()).remove(0);
                assert!(verdict.is_ok(), "{id}");
            };
            let read = Verifier::query(&params, &query).expect("a query");
            let decode = || {
                drop(black_box(Verifier::decode(&params, &read, variant.name(), &proof)));
            };
            let row = json!({
                "id": id,
                "bytes": proof.len() - 32 * count,
                "proveUs": prove,
                "decodeUs": micros(decode),
                "verifyUs": micros(check),
            });
            println!("{row}");
            records.push(json!({
                "id": id,
                "chain": { "kind": "devnet", "chainId": 19_536, "genesisHash": hex::encode(&[0; 32]) },
                "system": "balanceproofs",
                "config": {
                    "format": format,
                    "paramsDigest": hex::encode(&setup.digest()),
                    "params": hex::encode(&setup.params),
                },
                "source": { "root": { "number": "0x1", "bytes": hex::encode(&commitment) } },
                "query": hex::encode(&query),
                "variant": variant.name(),
                "proof": hex::encode(&proof),
            }));
        }
    }
}

/// All proofs of a vector at once, and kept while values change.
fn maintenance(name: &str, setup: &Arc<Setup>) {
    let n: usize = setup.sides().iter().product();
    let _ = (setup.commit(&[Fr::from(1)]), setup.lagranges());
    let (all, mut kept) = once(|| Maintained::new(Arc::clone(setup), values(n), 1));
    println!("{}", json!({ "id": format!("balanceproofs-{name}-open-all"), "us": all }));
    // Until a full log is worked off beside the updates, and some more.
    let rounds = setup.sides()[2].isqrt() + 8;
    let mut samples: Vec<f64> = (0..rounds)
        .map(|round| once(|| kept.update(round * 37 % n, Fr::from(round as u64 + 1))).0)
        .collect();
    let worst = samples.split_off(rounds - 8).into_iter().fold(0.0, f64::max);
    println!("{}", json!({ "id": format!("balanceproofs-{name}-update"), "us": worst }));
    if setup.shape.scheme == Scheme::Basic {
        let lines = Lines::new(setup.g1(), setup.lagranges());
        let (again, _) = once(|| lines.open_all(&values(n)));
        println!("{}", json!({ "id": format!("balanceproofs-{name}-open-again"), "us": again }));
        for count in [16, 64, 256, 1024] {
            let positions: Vec<usize> = (0..count).map(|place| place * (n / count)).collect();
            let (all, _) = once(|| kept.aggregate(&positions));
            let id = format!("balanceproofs-{name}-aggregate-{count}");
            println!("{}", json!({ "id": id, "us": all }));
        }
    }
    let ask = micros(|| _ = black_box(kept.open(99)));
    println!("{}", json!({ "id": format!("balanceproofs-{name}-query"), "us": ask }));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let counts = option("--counts").unwrap_or_else(|| "1,16,64,256,1024,4096".to_owned());
    let counts: Vec<usize> =
        counts.split(',').map(|count| count.parse().expect("--counts: numbers")).collect();
    let mut records = Vec::new();

    let config = Config::DEFAULT;
    let setup = Setup::of(&config);
    let _ = (setup.g1(), setup.lagranges());
    let few: &[usize] = &[16, 64];
    let cases = [
        (Variant::Singles, &[1][..]),
        (Variant::Hinted, &[16, 64, 256, 1024]),
        (Variant::Plain, few),
        (Variant::CommitHinted, few),
    ];
    openings("basic", (&setup, &config), &cases, &counts, &mut records);
    if counts.contains(&1024) {
        maintenance("basic", &setup);
    }

    let config = Config { sides: [1, 1, 8192], source: Source::Seed(1), ..config };
    let many: &[usize] = &[256, 1024, 4096];
    let cases =
        [(Variant::Hinted, &[4096][..]), (Variant::Plain, many), (Variant::CommitHinted, many)];
    if counts.iter().any(|count| many.contains(count)) {
        let setup = Arc::new(Setup::insecure(&config, 1, 4096));
        openings("insecure", (&setup, &config), &cases, &counts, &mut records);
    }

    let config = Config { scheme: Scheme::Bucketed, sides: [64, 1, 64], ..config };
    let setup = Setup::of(&config);
    let all: &[usize] = &[16, 64, 256, 1024, 4096];
    openings("bucketed", (&setup, &config), &[(Variant::Plain, all)], &counts, &mut records);

    let config = Config { scheme: Scheme::TwoLayer, sides: [16, 16, 16], ..config };
    let setup = Setup::of(&config);
    let cases = [(Variant::Plain, all), (Variant::T1, all), (Variant::T3, all)];
    openings("two-layer", (&setup, &config), &cases, &counts, &mut records);
    if counts.contains(&1024) {
        maintenance("two-layer", &setup);
    }
    if let Some(file) = option("--records") {
        std::fs::write(file, json!(records).to_string()).expect("the records are written");
    }
}
