//! An aggregate that a liar solves for: what would pass if the challenge did not follow from its
//! first point.

use ark_bls12_381::{Fr, G1Projective};
use ark_ec::{AffineRepr as _, PrimeGroup as _};
use ark_ff::PrimeField as _;

use super::scene::{Result, Scene, hash};
use crate::case::Claim;
use crate::edit::{Edit as _, changed};
use lightproof_prover::hash::sha256;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::verkle::commitment::{coefficient, compressed, read_point};
use lightproof_prover::system::verkle::kzg::place;
use lightproof_prover::system::verkle::prove::{AGGREGATED, seed};

/// Another value of `present`, with U = G1 and D = Σ ρ/(z − ω)·(C − m·G1) + z·U − τ·U: the equation
/// holds for z = SHA-256(seed), which D was made from.
pub(super) fn another_value(scene: &Scene, present: &[u8]) -> Result<Claim> {
    let (committer, bits) = (scene.committer(), scene.config.bits);
    let mut shown = scene.shown(present)?;
    let value = b"another".to_vec();
    if let Some(level) = shown.path.levels.last_mut() {
        level.scalar = committer.leaf(&shown.path.hash, &hash(&value));
    }
    shown.path.value = value;

    let levels: Vec<_> = shown.path.levels.iter().collect();
    let seed = seed(committer, &levels);
    let z = Fr::from_be_bytes_mod_order(&sha256(&[&seed]));
    // X at every root of unity: τ·G1.
    let places: Vec<_> = (0..committer.k()).map(|digit| (digit, place(bits, digit))).collect();
    let generator = G1Projective::generator();
    let mut sum = generator * z - committer.combine(&places);
    for (index, level) in levels.iter().enumerate() {
        let node = read_point(&level.commitment).unwrap_or_default().into_group();
        let factor = coefficient(&seed, index) / (z - place(bits, level.digit));
        sum += (node - generator * level.scalar) * factor;
    }

    let honest = scene.encode(std::slice::from_ref(&shown), AGGREGATED)?;
    let opening = [compressed(sum), compressed(generator)].concat();
    let proof = changed(&honest, |proof| proof.set(&[2], Item::Bytes(opening)));
    scene.says(&[present.to_vec()], AGGREGATED, proof)
}
