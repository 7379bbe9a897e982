//! What balanceproofs costs: `cargo bench -p lightproof-prover --bench balanceproofs`. Prints one line a measurement; one thread.

#![allow(clippy::cast_precision_loss, clippy::expect_used)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ark_bls12_381::Fr;
use lightproof_core::system::balanceproofs::{BalanceProofs, Scheme};
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Root, verify};
use lightproof_prover::hash::keccak256;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::balanceproofs::fk20::Powers;
use lightproof_prover::system::balanceproofs::setup::bytes;
use lightproof_prover::system::balanceproofs::{
    Config, Maintained, Setup, Source, Variant, Vector,
};

/// The least of some runs.
fn least(runs: u32, mut work: impl FnMut()) -> Duration {
    let timed = (0..runs).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    timed.min().unwrap_or_default()
}

fn row(what: &str, took: Duration, bytes: Option<usize>) {
    let size = bytes.map_or(String::new(), |bytes| format!("{bytes:>10} bytes"));
    println!("{what:<48} {:>10.2} ms{size}", took.as_secs_f64() * 1e3);
}

fn values(count: usize) -> Vec<Fr> {
    (0..count as u64).map(|n| Fr::from(u128::from(n) * 1_000_000_007 + 5)).collect()
}

/// Proves and verifies positions spread over the vector.
fn openings(setup: &Arc<Setup>, config: &Config, variants: &[Variant], counts: &[usize]) {
    let n: usize = setup.sides().iter().product();
    let vector = Vector::new(Arc::clone(setup), values(n));
    let format = config.format_name();
    let system =
        Item::List(vec![Item::bytes(format), Item::bytes(keccak256(&setup.params))]).encode();
    let system = SystemConfig::from_rlp(&system).expect("a configuration");
    let params = BalanceProofs::params(&system, &setup.params).expect("parameters");
    let root = bytes(&[*vector.commitment()]);
    let root = Root::<BalanceProofs>::pinned(&params, &root, 0).expect("a commitment");
    for variant in variants {
        for count in counts {
            let positions: Vec<u64> =
                (0..*count).map(|place| (place * (n / count)) as u64).collect();
            if !setup.reaches(&positions, *variant) {
                continue;
            }
            let name = format!("{format} {} n = {n} k = {count}", variant.name());
            let mut proof = Vec::new();
            let took = least(2, || proof = vector.prove(&positions, *variant).unwrap_or_default());
            row(&format!("{name}: prove"), took, Some(proof.len() - 32 * count));
            let query = Item::List(positions.iter().map(|one| Item::uint(*one)).collect()).encode();
            let claim =
                Claim { root: &root, query: &query, variant: variant.name(), proof: &proof };
            let took = least(5, || {
                let verdict = verify(&params, &[claim], [1; 32], &mut ()).remove(0);
                assert!(verdict.is_ok(), "{verdict:?}");
            });
            row(&format!("{name}: verify, decoding included"), took, None);
        }
    }
}

fn main() {
    let ceremony = Config::DEFAULT;
    let setup = Setup::of(&ceremony);
    let _ = (setup.g1(), setup.lagranges());
    openings(&setup, &ceremony, &[Variant::Hinted], &[1, 16, 64, 256, 1024, 4096]);
    openings(&setup, &ceremony, &[Variant::Plain, Variant::CommitHinted], &[1, 16, 64]);

    let config = Config { sides: [1, 1, 8192], source: Source::Seed(1), ..ceremony };
    let insecure = Arc::new(Setup::insecure(&config, 1, 4096));
    openings(&insecure, &config, &[Variant::Plain, Variant::CommitHinted], &[256, 1024]);

    let config = Config {
        scheme: Scheme::TwoLayer,
        sides: [16, 16, 16],
        source: Source::Seed(1),
        ..ceremony
    };
    openings(&Setup::of(&config), &config, &[Variant::T1, Variant::T3], &[16, 64, 256, 1024]);

    let vector = Vector::new(Arc::clone(&setup), values(4096));
    let mut powers = None;
    row("fk20: powers, n = 4096", least(1, || powers = Some(Powers::new(setup.g1()))), None);
    if let Some(powers) = powers {
        let coefficients = &vector.polynomial().entries;
        row(
            "fk20: open all, n = 4096",
            least(1, || drop(black_box(powers.open_all(coefficients)))),
            None,
        );
    }
    let mut kept = Maintained::new(Arc::clone(&setup), values(4096), 1);
    let rounds = 160_u32;
    let mut worst = Duration::ZERO;
    let start = Instant::now();
    for round in 0..rounds {
        let one = Instant::now();
        kept.update((round as usize * 37) % 4096, Fr::from(u64::from(round) + 1));
        worst = worst.max(one.elapsed());
    }
    row("maintained: update, n = 4096, mean", start.elapsed() / rounds, None);
    row("maintained: update, n = 4096, worst", worst, None);
    row("maintained: query, log nearly full", least(5, || _ = black_box(kept.open(99))), None);
    let many: Vec<usize> = (0..64).collect();
    row("maintained: aggregate, k = 64", least(2, || _ = black_box(kept.aggregate(&many))), None);
}
