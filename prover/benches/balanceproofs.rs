//! What balanceproofs costs natively, on one thread and by the processor's clock: time to prove,
//! decode and check aggregates, to make all proofs, to update and to ask. One JSON object per row
//! on stdout.
//!
//! `cargo bench -p lightproof-prover --bench balanceproofs -- [--counts K,…] [--records FILE]`
//!
//! * `K`: positions of a claim, by default 1, 16, 64, 256, 1024, 4096;
//! * `FILE`: gets the proofs as records of the one file schema, each with the `id` of its row.

#[path = "support/clock.rs"]
mod clock;
#[path = "support/secrets.rs"]
mod secrets;

use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use ark_bls12_381::{Fr, G1Affine};
use ark_serialize::CanonicalSerialize;
use lightproof_core::system::balanceproofs::{
    BalanceProofs as Verifier, Params, Query, Scheme, Shape,
};
use lightproof_core::system::{System as _, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::balanceproofs::encoding::bytes;
use lightproof_prover::system::balanceproofs::fft;
use lightproof_prover::system::balanceproofs::fk20::Lines;
use lightproof_prover::system::balanceproofs::opening::envelope;
use lightproof_prover::system::balanceproofs::setup::insecure_secrets;
use lightproof_prover::system::balanceproofs::{
    Config, Maintained, Setup, Source, Variant, Vector,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

/// Positions of a claim.
const COUNTS: [usize; 6] = [1, 16, 64, 256, 1024, 4096];

/// The seed of INSECURE setups.
const SEED: u64 = 1;

/// Microseconds of one piece of work, which has one thread: on two that share a core, each takes
/// longer.
fn once<T: Send>(work: impl FnOnce() -> T + Send) -> (f64, T) {
    static ONE: LazyLock<ThreadPool> =
        LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().expect("a thread"));
    ONE.install(|| {
        let start = clock::used();
        let result = work();
        (clock::micros_since(start), result)
    })
}

/// Median microseconds: of nine samples, of fewer where they take more than half a second.
fn micros(mut work: impl FnMut() + Send) -> f64 {
    const MOST: usize = 9;
    const ENOUGH: Duration = Duration::from_millis(500);
    let (start, mut samples) = (clock::used(), Vec::new());
    while samples.is_empty()
        || (samples.len() < MOST && clock::used().saturating_sub(start) < ENOUGH)
    {
        samples.push(once(&mut work).0);
    }
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn values(count: usize) -> Vec<Fr> {
    (0..count as u64).map(|n| Fr::from(u128::from(n) * 1_000_000_007 + 5)).collect()
}

/// Claims about one vector, and where their rows go.
struct Bench<'a> {
    name: &'a str,
    config: Config,
    setup: &'a Setup,
    params: Params,
    commitment: G1Affine,
    records: &'a mut Vec<Value>,
}

impl<'a> Bench<'a> {
    fn new(
        name: &'a str,
        config: Config,
        setup: &'a Setup,
        commitment: G1Affine,
        records: &'a mut Vec<Value>,
    ) -> Self {
        let own = SystemConfig {
            format: config.format_name().as_bytes(),
            params_digest: Some(lightproof_core::hash::Hash(setup.digest())),
        };
        let params = Verifier::params(&own, &setup.params).expect("parameters");
        Self { name, config, setup, params, commitment, records }
    }

    /// Decodes and checks a proof.
    fn row(&mut self, variant: Variant, suffix: &str, positions: &[u64], proof: &[u8], us: f64) {
        let commitment = bytes(&[self.commitment]);
        let root = Root::<Verifier>::pinned(&self.params, &commitment, 0).expect("a commitment");
        let count = positions.len();
        let id = format!("balanceproofs-{}-{}{suffix}-{count}", self.name, variant.name());
        let query = Item::List(positions.iter().map(|one| Item::uint(*one)).collect()).encode();
        let claim = Claim { root: &root, query: &query, variant: variant.name(), proof };
        let check = || {
            let verdict = verify(&self.params, &[claim], [1; 32], &mut ()).remove(0);
            assert!(verdict.is_ok(), "{id}");
        };
        let read = Verifier::query(&self.params, &query).expect("a query");
        let decode = || {
            drop(black_box(Verifier::decode(&self.params, &read, variant.name(), proof)));
        };
        let mut row = json!({ "id": id, "bytes": proof.len() - 32 * count });
        row["decodeUs"] = json!(micros(decode));
        row["verifyUs"] = json!(micros(check));
        if us > 0.0 {
            row["proveUs"] = json!(us);
        }
        println!("{row}");
        self.records.push(json!({
            "id": id,
            "chain": { "kind": "devnet", "chainId": 19_536, "genesisHash": hex::encode(&[0; 32]) },
            "system": "balanceproofs",
            "config": {
                "format": self.config.format_name(),
                "paramsDigest": hex::encode(&self.setup.digest()),
                "params": hex::encode(&self.setup.params),
            },
            "source": { "root": { "number": "0x1", "bytes": hex::encode(&commitment) } },
            "query": hex::encode(&query),
            "variant": variant.name(),
            "proof": hex::encode(proof),
        }));
    }
}

/// Proves, decodes and checks positions spread over a vector.
fn openings(
    name: &str,
    (setup, config): (&Arc<Setup>, Config),
    cases: &[(Variant, &[usize])],
    counts: &[usize],
    records: &mut Vec<Value>,
) {
    let asked = |all: &[usize]| all.iter().any(|count| counts.contains(count));
    if !cases.iter().any(|(_, all)| asked(all)) {
        return;
    }
    let n: usize = setup.sides().iter().product();
    // Everything that a setup prepares once.
    let _ = setup.commit(&[Fr::from(1)]);
    let vector = Vector::new(Arc::clone(setup), values(n));
    let mut bench = Bench::new(name, config, setup, *vector.commitment(), records);
    for (variant, all) in cases {
        for count in all.iter().filter(|count| counts.contains(count)) {
            let positions = spread(*count, n);
            assert!(setup.reaches(&positions, *variant), "{name} {count}");
            let proof = vector.prove(&positions, *variant).expect("provable");
            let prove = micros(|| _ = black_box(vector.prove(&positions, *variant)));
            bench.row(*variant, "", &positions, &proof, prove);
        }
    }
}

/// 1,024 random positions of 2²⁰ values in two layers, by proofs from known secrets; compressed,
/// and where that is a form, not.
fn large(records: &mut Vec<Value>) {
    let sides = [32, 32, 1024];
    let config =
        Config { scheme: Scheme::TwoLayer, sides, source: Source::Seed(SEED), ..Config::DEFAULT };
    let setup = Setup::of(&config);
    let shape = Shape::new(Scheme::TwoLayer, &sides).expect("a shape");
    let mut rng = Rng::new(SEED, "balanceproofs/bench", 0);
    let mut positions: Vec<u64> = Vec::new();
    while positions.len() < 1024 {
        let position = rng.below(shape.size());
        if let Err(place) = positions.binary_search(&position) {
            positions.insert(place, position);
        }
    }
    // Each with another value in its bucket that is not asked for.
    let others = positions.iter().map(|position| position ^ 1);
    let values = positions.iter().copied().chain(others);
    let known = secrets::Known {
        shape: &shape,
        key: setup.key,
        secrets: insecure_secrets(SEED),
        values: values.map(|position| (position, Fr::from(position * 1_000_007 + 5))).collect(),
    };
    let query = Query { positions: positions.clone() };
    let (every, first) = known.every_bucket(&query);
    let (joined, third) = known.joined(&query);
    let mut bench = Bench::new("large", config, &setup, known.commitment(), records);
    let shown = known.values(&positions);
    for (variant, points) in [
        (Variant::Plain, every.clone()),
        (Variant::T1, [&every[..], &first].concat()),
        (Variant::T3, [&joined[..], &third].concat()),
    ] {
        bench.row(variant, "", &positions, &envelope(&shown, &bytes(&points)), 0.0);
        if variant != Variant::Plain {
            let proof = envelope(&shown, &uncompressed(&points));
            bench.row(variant, "-uncompressed", &positions, &proof, 0.0);
        }
    }
    large_maintenance(&setup);
}

fn uncompressed(points: &[G1Affine]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for point in points {
        point.serialize_uncompressed(&mut bytes).expect("written to memory");
    }
    bytes
}

fn print(id: &str, us: f64) {
    println!("{}", json!({ "id": format!("balanceproofs-{id}"), "us": us }));
}

/// Positions spread over a vector.
fn spread(count: usize, n: usize) -> Vec<u64> {
    (0..count).map(|place| (place * (n / count)) as u64).collect()
}

/// All proofs of a vector at once, and kept while values change.
fn maintenance(name: &str, (setup, config): (&Arc<Setup>, Config), records: &mut Vec<Value>) {
    let n: usize = setup.sides().iter().product();
    let _ = (setup.commit(&[Fr::from(1)]), setup.lagranges());
    let (all, mut kept) = once(|| Maintained::new(Arc::clone(setup), values(n), 1));
    print(&format!("{name}-open-all"), all);
    let is_basic = setup.shape.scheme == Scheme::Basic;
    if is_basic {
        let lines = Lines::new(setup.g1(), setup.lagranges());
        let (again, proofs) = once(|| lines.open_all(&values(n)));
        print(&format!("{name}-open-again"), again);
        let vector = Vector::new(Arc::clone(setup), values(n));
        let mut bench = Bench::new(name, config, setup, *vector.commitment(), records);
        for count in COUNTS.into_iter().filter(|count| *count > 64) {
            let positions = spread(count, n);
            let singles: Vec<G1Affine> =
                positions.iter().map(|at| proofs[usize::try_from(*at).expect("a place")]).collect();
            let proof = envelope(&vector.values(&positions), &bytes(&singles));
            bench.row(Variant::Singles, "", &positions, &proof, 0.0);
        }
    }
    print(&format!("{name}-update"), updates(&mut kept, setup));
    let joins: &[Variant] = if is_basic {
        &[Variant::Plain, Variant::CommitHinted]
    } else {
        &[Variant::Plain, Variant::Halved]
    };
    for variant in joins {
        for count in COUNTS.into_iter().filter(|count| *count > 1 && *count <= n) {
            let positions = spread(count, n);
            if !setup.reaches(&positions, *variant) && *variant == Variant::CommitHinted {
                continue;
            }
            let us = micros(|| _ = black_box(kept.points(&positions, *variant)));
            print(&format!("{name}-kept-{}-{count}", variant.name()), us);
        }
    }
    print(&format!("{name}-query"), micros(|| _ = black_box(kept.open(3))));
}

/// Microseconds of the worst update while a full log is worked off beside the updates, and another
/// fills.
fn updates(kept: &mut Maintained, setup: &Setup) -> f64 {
    let rounds = setup.sides()[2].isqrt();
    let positions = setup.sides()[2];
    let mut update =
        |round: usize| once(|| kept.update(round * 37 % positions, Fr::from(round as u64 + 1))).0;
    (0..rounds).for_each(|round| _ = update(round));
    (rounds..rounds * 2 - 1).map(update).fold(0.0, f64::max)
}

/// 2²⁰ values in two layers: all proofs of one of the 1,024 buckets, and what is kept while values
/// change, from zeros on.
fn large_maintenance(setup: &Arc<Setup>) {
    let m = setup.sides()[2];
    let last = &setup.g1()[..m];
    let mut lagranges = last.to_vec();
    fft::inverse(&mut lagranges);
    let lines = Lines::new(last, &lagranges);
    print("large-open-bucket", once(|| lines.open_all(&values(m))).0);
    let mut kept = Maintained::zeros(Arc::clone(setup), 1);
    let mut rng = Rng::new(SEED, "balanceproofs/bench/updates", 0);
    let random: Vec<usize> = (0..64)
        .map(|_| usize::try_from(rng.below(setup.shape.size())).expect("a position"))
        .collect();
    let all = once(|| random.iter().for_each(|at| kept.update(*at, Fr::from(1_000_007)))).0;
    print("large-update-random", all / 64.0);
    print("large-update", updates(&mut kept, setup));
    print("large-query", micros(|| _ = black_box(kept.open(3))));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let counts: Vec<usize> = match option("--counts") {
        Some(counts) => counts.split(',').map(|one| one.parse().expect("a number")).collect(),
        None => COUNTS.to_vec(),
    };
    let mut records = Vec::new();
    let all: &[usize] = &COUNTS;

    let config = Config::DEFAULT;
    let setup = Setup::of(&config);
    let _ = (setup.g1(), setup.lagranges());
    let few: &[usize] = &[1, 16, 64];
    let cases = [
        (Variant::Singles, few),
        (Variant::Hinted, all),
        (Variant::Plain, few),
        (Variant::CommitHinted, few),
    ];
    openings("basic", (&setup, config), &cases, &counts, &mut records);
    let keeps = counts.contains(&1024);
    if keeps {
        maintenance("basic", (&setup, config), &mut records);
    }

    let config = Config { sides: [1, 1, 8192], source: Source::Seed(SEED), ..config };
    let many: &[usize] = &[256, 1024, 4096];
    let cases =
        [(Variant::Hinted, &[4096][..]), (Variant::Plain, many), (Variant::CommitHinted, many)];
    let setup = Arc::new(Setup::insecure(&config, SEED, 4096));
    openings("insecure", (&setup, config), &cases, &counts, &mut records);

    let config = Config { scheme: Scheme::Bucketed, sides: [64, 1, 64], ..config };
    let setup = Setup::of(&config);
    openings("bucketed", (&setup, config), &[(Variant::Plain, all)], &counts, &mut records);
    if keeps {
        maintenance("bucketed", (&setup, config), &mut records);
    }

    let config = Config { scheme: Scheme::TwoLayer, sides: [16, 16, 16], ..config };
    let setup = Setup::of(&config);
    let cases = [(Variant::Plain, all), (Variant::T1, all), (Variant::T3, all)];
    openings("two-layer", (&setup, config), &cases, &counts, &mut records);
    if keeps {
        maintenance("two-layer", (&setup, config), &mut records);
        large(&mut records);
    }

    // Those without a hint need a grid of G2, so their vectors are small.
    let halves = [(Variant::Halved, few)];
    let config = Config { scheme: Scheme::Bucketed, sides: [16, 1, 16], ..config };
    let all_halves = [(Variant::Halved, &[1, 16, 64, 256][..])];
    openings("bucketed-small", (&Setup::of(&config), config), &all_halves, &counts, &mut records);
    let config = Config { scheme: Scheme::TwoLayer, sides: [4, 4, 8], ..config };
    openings("two-layer-small", (&Setup::of(&config), config), &halves, &counts, &mut records);
    if let Some(file) = option("--records") {
        std::fs::write(file, json!(records).to_string()).expect("the records are written");
    }
}
