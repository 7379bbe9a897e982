//! Positions of a bucket beside the powers of the setup. Without the limit the vanishing polynomial
//! of a larger set would lose its highest coefficients, and values that are false at some of the
//! positions would be proven.

use std::fs;
use std::path::Path;

use ark_bls12_381::Fr;
use ark_ff::One;
use lightproof_core::system::balanceproofs::{BalanceProofs, Params};
use lightproof_core::{Claim, Root, verify};
use serde_json::Value;

use super::super::balanceproofs::Parts;
use super::super::balanceproofs::setup::{Setup, texts};
use super::world::{World, be};

/// Why a proof is refused.
fn refusal(world: &World, params: &Params, parts: &Parts) -> Option<&'static str> {
    let root = world.g1(world.commitment());
    let root = Root::<BalanceProofs>::pinned(params, &root, 0).unwrap();
    let (query, proof) = parts.encode();
    let claim = Claim { root: &root, query: &query, variant: parts.variant, proof: &proof };
    verify(params, &[claim], [5; 32], &mut ()).remove(0).err().map(|rejection| rejection.code())
}

/// The claim with hints, for which two powers are enough.
fn hinted(world: &World, set: &[u64], claim: &Value) -> [Parts; 2] {
    let (first, third) = (world.first_hint(set), world.third_hint(set));
    let third = third["Q"].as_array().unwrap().iter().collect::<Vec<_>>();
    let first = [Setup::whole(claim), texts(&[&first["E"], &first["U"]])].concat();
    let third = [Setup::half(claim), texts(&third)].concat();
    [("T1", first), ("T3", third)].map(|(variant, points)| Parts {
        positions: set.to_vec(),
        values: world.values_of(set).into_iter().flat_map(be).collect(),
        variant,
        points,
    })
}

#[test]
fn a_bucket_has_no_more_positions_than_the_setup_has_powers() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("balanceproofs_limits");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, scheme, sides) in
        [("onelayer", "bucketed", [4, 1, 4]), ("twolayer", "two-layer", [2, 2, 4])]
    {
        let world = World::new(name, scheme, sides, 11);
        let claim = |set: &[u64]| world.claim(set, &world.values_of(set), Fr::one(), true);
        // All in the first bucket.
        let (few, many) = (claim(&[0, 1]), claim(&[0, 1, 2]));
        fs::write(folder.join("params.json"), world.params(2).to_string()).unwrap();
        let setup = Setup::of(&folder, &world.described(std::slice::from_ref(&few)));
        let params = setup.prepared();
        for (claim, expected) in [(&few, None), (&many, Some("decode.limit"))] {
            let all = setup.parts(claim);
            assert_eq!(all.len(), 2);
            for (variant, parts) in all {
                assert_eq!(refusal(&world, &params, &parts.unwrap()), expected, "{name} {variant}");
            }
        }
        if scheme == "two-layer" {
            for parts in hinted(&world, &[0, 1, 2], &many) {
                assert_eq!(refusal(&world, &params, &parts), None, "{}", parts.variant);
            }
        }
    }
}
