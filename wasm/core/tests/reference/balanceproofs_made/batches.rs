//! Several claims in one call.

use std::fs;
use std::path::Path;

use ark_bls12_381::Fr;
use ark_ff::One;
use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::{Claim, Root, verify};

use super::super::balanceproofs::setup::Setup;
use super::world::World;

/// One claim with a value too high and one with the same too low: without coefficients of their
/// own, their product is one.
#[test]
fn errors_that_cancel_across_claims_are_caught() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("balanceproofs_batches");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, scheme, sides) in [
        ("basic", "basic", [1, 1, 128]),
        ("onelayer", "bucketed", [16, 1, 4]),
        ("twolayer", "two-layer", [4, 8, 2]),
    ] {
        let world = World::new(name, scheme, sides, 11);
        let set: Vec<u64> = world.values.keys().copied().take(5).collect();
        let honest = world.values_of(&set);
        let shifted = |by: Fr| {
            let mut values = honest.clone();
            values[2] += by;
            values
        };
        let (up, down) = (shifted(Fr::one()), shifted(-Fr::one()));
        fs::write(folder.join("params.json"), world.params(set.len()).to_string()).unwrap();
        let claim = world.claim(&set, &honest, Fr::one(), true);
        let setup = Setup::of(&folder, &world.described(&[claim]));
        let params = setup.prepared();
        let root = world.g1(world.commitment());
        let root = Root::<BalanceProofs>::pinned(&params, &root, 0).unwrap();
        let claims: Vec<_> = [&honest, &up, &down, &honest]
            .into_iter()
            .flat_map(|values| setup.parts(&world.claim(&set, values, Fr::one(), true)))
            .map(|(variant, parts)| (variant, parts.unwrap().encode()))
            .collect();
        let variants = claims.len() / 4;
        let claims: Vec<Claim<'_, BalanceProofs>> = claims
            .iter()
            .map(|(variant, (query, proof))| Claim { root: &root, query, variant, proof })
            .collect();
        let verdicts = verify(&params, &claims, [6; 32], &mut ());
        let proven: Vec<bool> = verdicts.iter().map(Result::is_ok).collect();
        let expected = [true, false, false, true].map(|proven| vec![proven; variants]);
        assert_eq!(proven, expected.concat(), "{name}");
    }
}
