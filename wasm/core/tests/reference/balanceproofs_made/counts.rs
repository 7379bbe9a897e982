//! What a check costs, in operations: no machine's load is in these figures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ark_bls12_381::Fr;
use ark_ff::One;
use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::trace::{Field, Kind, Step, Trace};
use lightproof_core::{Claim, Root, verify};
use serde_json::json;

use super::super::balanceproofs::Parts;
use super::super::balanceproofs::setup::{Setup, texts};
use super::world::{World, be};

/// The numbers of the settlement.
#[derive(Default)]
struct Settled(BTreeMap<&'static str, u64>);

impl Trace for Settled {
    fn step(&mut self, step: Step<'_>) {
        for (name, field) in step.fields {
            if let (Kind::Settled, Field::Number(number)) = (step.kind, field) {
                *self.0.entry(name).or_default() += number;
            }
        }
    }
}

/// Miller loops, final exponentiations, and terms of the sums in G1 of every variant.
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
        let [p, t, m] = sides;
        let mut file =
            json!({ "params": "params.json", "n": world.n(), "aggregate": [claim.clone()] });
        if scheme != "basic" {
            (file["p"], file["m"]) = (json!(p), json!(m));
        }
        if scheme == "two-layer" {
            file["t"] = json!(t);
        }
        fs::write(folder.join("params.json"), world.params(set.len()).to_string()).unwrap();
        let setup = Setup::of(&folder, &file);
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
            hinted("T1", [Setup::whole(&claim), first].concat());
            let third = third["Q"].as_array().unwrap().iter().collect::<Vec<_>>();
            hinted("T3", [Setup::half(&claim), texts(&third)].concat());
        }

        let groups = world.groups(&set);
        let outer = groups.len() as u64;
        let buckets = groups.values().map(|inner| inner.len() as u64).sum::<u64>();
        for (variant, parts) in all {
            let (query, proof) = parts.encode();
            let claim = Claim { root: &root, query: &query, variant, proof: &proof };
            let mut settled = Settled::default();
            verify(&params, &[claim], [5; 32], &mut settled).remove(0).unwrap();
            let counted = ["loops", "exponentiations", "terms"].map(|name| settled.0[name]);
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
        }
    }
}
