//! What a check costs, in operations: no machine's load is in these figures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ark_bls12_381::Fr;
use ark_ff::One;
use lightproof_core::observer::{Cost, Counts, Field, Observer, Step};
use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::{Claim, Root, verify};

use super::super::balanceproofs::Parts;
use super::super::balanceproofs::setup::{Setup, texts, uncompressed};
use super::world::{Groups, World, be};

/// The numbers of all steps, each added up, and the costs.
#[derive(Default)]
struct Numbers(BTreeMap<&'static str, u64>, Counts);

impl Observer for Numbers {
    fn step(&mut self, step: Step<'_>) {
        for (name, field) in step.fields {
            if let Field::Number(number) = field {
                *self.0.entry(name).or_default() += number;
            }
        }
    }

    fn cost(&mut self, cost: Cost) {
        self.1.cost(cost);
    }
}

/// Miller loops, final exponentiations, terms of the sums in G1 and in G2, and points decoded, of every variant.
#[test]
fn a_check_takes_so_many_operations_and_no_more() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("balanceproofs_counted");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, scheme, sides) in [
        ("basic", "basic", [1, 1, 128]),
        ("onelayer", "bucketed", [16, 1, 4]),
        ("twolayer", "two-layer", [4, 8, 2]),
    ] {
        let world = World::new(name, scheme, sides, 9);
        let set: Vec<u64> = world.values.keys().copied().take(12).collect();
        let claim = world.claim(&set, &world.values_of(&set), Fr::one(), true);
        fs::write(folder.join("params.json"), world.params(set.len()).to_string()).unwrap();
        let setup = Setup::of(&folder, &world.described(std::slice::from_ref(&claim)));
        let params = setup.prepared();
        let root = world.g1(world.commitment());
        let root = Root::<BalanceProofs>::pinned(&params, &root, 0).unwrap();

        let mut all: Vec<(&str, Parts)> = setup
            .parts(&claim)
            .into_iter()
            .map(|(variant, parts)| (variant, parts.unwrap()))
            .collect();
        let mut hinted = |variant, points| {
            let values = world.values_of(&set).into_iter().flat_map(be).collect();
            all.push((variant, Parts { positions: set.clone(), values, variant, points }));
        };
        if scheme == "basic" {
            let hint = world.evaluation_hint(&set);
            hinted("hinted", texts(&[&hint[0], &hint[1]]));
            hinted("commit-hinted", world.commitment_hint(&set));
            let single = |place: &u64| world.g1(world.inner(0, 0, &[*place], world.secrets));
            hinted("singles", set.iter().flat_map(single).collect());
        }
        if scheme == "two-layer" {
            let (first, third) = (world.first_hint(&set), world.third_hint(&set));
            let first = texts(&[&first["E"], &first["U"]]);
            let third = third["Q"].as_array().unwrap().iter().collect::<Vec<_>>();
            let first = [Setup::whole(&claim), first].concat();
            let third = [Setup::half(&claim), texts(&third)].concat();
            for (variant, points) in [("T1", first), ("T3", third)] {
                hinted(variant, uncompressed(&points));
                hinted(variant, points);
            }
        }

        let groups = world.groups(&set);
        let outer = groups.len() as u64;
        let buckets = groups.values().map(|inner| inner.len() as u64).sum::<u64>();
        for (variant, parts) in all {
            let (query, proof) = parts.encode();
            let is_compressed = parts.points[0] & 0x80 != 0;
            let claim = Claim { root: &root, query: &query, variant, proof: &proof };
            let mut numbers = Numbers::default();
            verify(&params, &[claim], [5; 32], &mut numbers).remove(0).unwrap();
            let Counts { loops, exponentiations, terms, .. } = numbers.1;
            let counted = [loops, exponentiations, terms].map(|count| count as u64);
            let expected = match (scheme, variant) {
                // e(C − [R], [1]) · e(−π, [A]).
                ("basic", "plain") => [2, 1, 1 + set.len() as u64 + 1],
                // C, G, Q and U; U again.
                ("basic", "hinted") => [2, 1, 5],
                // C, V, G and U; δ·G − π, added up before; U again.
                ("basic", "commit-hinted") => [3, 1, 6],
                // C and G; every π, twice.
                ("basic", "singles") => [2, 1, 2 + 2 * set.len() as u64],
                // C, E, U and G, every Π, Ψ and π; Π, Ψ and U again.
                (_, "T1") => [4, 1, 4 + outer + 2 * buckets + outer + buckets + 1],
                // C, Π, G, every Ψ and π; Q₁, Q₂ and Q₃, twice.
                (_, "T3") => [4, 1, 3 + outer + buckets + 6],
                // C; a pairing for Π, each Ψ of a layer, each π, and each claimed polynomial.
                ("bucketed", "halved") => [2 + 2 * buckets, 1, 2 + 2 * buckets],
                (_, "halved") => [2 + outer + 2 * buckets, 1, 2 + outer + 2 * buckets],
                // C and the powers of G; Π and Ψ, twice; π twice in a bucket of one, elsewhere once with a point of G2.
                _ => {
                    let lengths = groups.values().flatten().map(|(_, places)| places.len() as u64);
                    let (longest, alone) =
                        (lengths.clone().max().unwrap(), lengths.filter(|one| *one == 1).count());
                    let (layers, psi) = if scheme == "two-layer" { (3, buckets) } else { (2, 0) };
                    let alone = alone as u64;
                    let loops = layers + u64::from(alone > 0) + buckets - alone;
                    [loops, 1, 1 + longest + 2 * (outer + psi) + buckets + alone]
                }
            };
            assert_eq!(counted, expected, "{name} {variant}");

            let expected = read_and_summed(scheme, variant, set.len() as u64, &groups);
            let [terms, read, g2] = expected;
            let [compressed, raw] = if is_compressed { [read, 0] } else { [0, read] };
            let counted =
                ["g2_terms", "compressed", "uncompressed", "g2"].map(|name| numbers.0[name]);
            assert_eq!(counted, [terms, compressed, raw, g2], "{name} {variant}");
        }
    }
}

/// Terms of the sums in G2, points of G1 and points of G2 in a proof of k positions.
fn read_and_summed(scheme: &str, variant: &str, k: u64, groups: &Groups) -> [u64; 3] {
    let outer = groups.len() as u64;
    let buckets = groups.values().map(|inner| inner.len() as u64).sum::<u64>();
    let is_layered = scheme == "two-layer";
    let psi = if is_layered { buckets } else { 0 };
    match (scheme, variant) {
        ("basic", "plain") => [k + 1, 1, 0],
        ("basic", "hinted") => [0, 2, 0],
        ("basic", "commit-hinted") => [0, 3, 1],
        ("basic", "singles") => [0, k, 0],
        (_, "plain") => {
            // A of every bucket that has two positions or more.
            let lengths = groups.values().flatten().map(|(_, places)| places.len() as u64);
            let terms = lengths.filter(|one| *one > 1).map(|one| one + 1).sum();
            [terms, outer + psi + buckets, 0]
        }
        (_, "T1") => [0, outer + psi + buckets + 2, 0],
        (_, "T3") => [0, 1 + outer + buckets + 3, 0],
        _ => {
            // The grid's points for each factor: for A over S; for l times A over T; for both l's times A over K, and for both alone.
            let (mut terms, mut points) = (outer + 1, 1 + buckets);
            for inner in groups.values() {
                let below = if is_layered { inner.len() as u64 } else { 1 };
                if is_layered {
                    terms += outer * (below + 1);
                    points += 1;
                }
                let places = inner.values().map(|places| places.len() as u64);
                terms += places.map(|one| outer * below * (one + 1 + 1)).sum::<u64>();
            }
            [terms, points, 0]
        }
    }
}
