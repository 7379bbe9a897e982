//! What a check costs, in operations: no machine's load is in these figures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ark_bls12_381::Fr;
use ark_ff::One;
use lightproof_core::error::Span;
use lightproof_core::observer::{Cost, Counts, Field, Kind, Observer, Step};
use lightproof_core::system::System;
use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::{Claim, Root, verify};

use super::super::balanceproofs::Parts;
use super::super::balanceproofs::setup::{Setup, texts, uncompressed};
use super::world::{Groups, World, be};

/// What steps said.
#[derive(Default)]
struct Numbers {
    /// The numbers of all steps, each added up.
    sums: BTreeMap<&'static str, u64>,
    costs: Counts,
    /// Positions and values, and where the values stand.
    values: Vec<(u64, Vec<u8>, Span)>,
    /// Challenges and equations, by what they are of.
    counts: Vec<(&'static str, u64)>,
    scheme: Option<&'static str>,
}

impl Observer for Numbers {
    fn step(&mut self, step: Step<'_>) {
        for (name, field) in step.fields {
            if let Field::Number(number) = field {
                *self.sums.entry(name).or_default() += number;
            }
        }
        let field = |wanted| step.fields.iter().find(|(name, _)| *name == wanted);
        if let (Some((_, Field::Number(position))), Some((_, Field::Bytes(value)))) =
            (field("position"), field("value"))
        {
            self.values.push((*position, value.to_vec(), step.span.unwrap()));
        }
        if let Some((_, Field::Word(scheme))) = field("scheme") {
            self.scheme = Some(scheme);
        }
        if let (Kind::Drew | Kind::Opened, Some((_, Field::Number(count)))) =
            (step.kind, field("count"))
        {
            self.counts.push((step.what, *count));
        }
    }

    fn cost(&mut self, cost: Cost) {
        self.costs.cost(cost);
    }
}

/// Miller loops, final exponentiations, terms of the sums in G1 and in G2, and points decoded, of
/// every variant.
#[test]
fn a_check_takes_so_many_operations_and_no_more() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("balanceproofs_counted");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut digests = BTreeSet::new();
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
        // The seed of the batching coefficients binds it.
        assert!(digests.insert(BalanceProofs::digest(&params).0));
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
            for ((position, value, span), asked) in numbers.values.iter().zip(&set) {
                assert_eq!((position, &proof[span.start..span.end]), (asked, value.as_slice()));
            }
            assert_eq!((numbers.values.len(), numbers.scheme), (set.len(), Some(scheme)));
            let (drawn, what, opened) = told(variant, set.len() as u64, buckets);
            let mut expected = vec![(what, opened)];
            expected.splice(0..0, drawn.map(|count| ("challenges", count)));
            assert_eq!(numbers.counts, expected, "{name} {variant}");
            let Counts { loops, exponentiations, terms, .. } = numbers.costs;
            let counted = [loops, exponentiations, terms].map(|count| count as u64);
            let expected = match (scheme, variant) {
                // e(C − [R], [1]) · e(−π, [A]).
                ("basic", "plain") => [2, 1, 1 + set.len() as u64 + 1],
                // C, G, Q and U; U again.
                ("basic", "hinted") => [2, 1, 5],
                // C, V, G and U; δ·G and π; U again.
                ("basic", "commit-hinted") => [3, 1, 7],
                // C and G; every π, twice.
                ("basic", "singles") => [2, 1, 2 + 2 * set.len() as u64],
                // C, E, U and G, every Π, Ψ and π; Π, Ψ and U again.
                (_, "T1") => [4, 1, 4 + outer + 2 * buckets + outer + buckets + 1],
                // C, Π, G, every Ψ and π; Q₁, Q₂ and Q₃, twice.
                (_, "T3") => [4, 1, 3 + outer + buckets + 6],
                // C; a pairing for Π, each Ψ of a layer, each π, and each claimed polynomial, which
                // has a term for each position.
                ("bucketed", "halved") => [2 + 2 * buckets, 1, 2 + buckets + set.len() as u64],
                (_, "halved") => {
                    [2 + outer + 2 * buckets, 1, 2 + outer + buckets + set.len() as u64]
                }
                // C and the powers of G; Π and Ψ, twice; π twice in a bucket of one, elsewhere once
                // with a point of G2.
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
                ["g2_terms", "compressed", "uncompressed", "g2"].map(|name| numbers.sums[name]);
            assert_eq!(counted, [terms, compressed, raw, g2], "{name} {variant}");
        }
    }
}

/// How many challenges are drawn, and what is opened by how many equations, of k positions in some
/// buckets.
fn told(variant: &str, k: u64, buckets: u64) -> (Option<u64>, &'static str, u64) {
    match variant {
        "singles" => (None, "singles", k),
        "hinted" => (Some(1), "hinted aggregate", 1),
        "commit-hinted" => (Some(3), "commit-hinted aggregate", 1),
        "T1" => (Some(3), "hinted buckets", 1),
        "T3" => (Some(3), "hinted halved buckets", 1),
        "halved" => (None, "halved buckets", 1),
        _ if buckets == 1 => (None, "aggregate", 1),
        _ => (None, "buckets", buckets),
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
            // The grid's points for each factor: for A over S; for l times A over T; for both l's
            // times A over K, and for both alone.
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
