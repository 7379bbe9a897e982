//! Points of every source stand where they should.

use ark_bls12_381::Bls12_381;
use ark_ec::pairing::Pairing;

use super::*;

#[test]
fn the_ceremonys_bytes_are_those_that_ethereum_uses() {
    let digest = |bytes: &[u8]| crate::hex::encode(&Sha256::digest(bytes));
    let expected = [
        "0x08797579f6cfd5788eddc1a215d64dcfabd04acbcaf2953fb2c1afb830f43315",
        "0x52c7615a9bd3eb20df67eb5a81ee701c96787c82a5ff638740b54fbadfde960b",
        "0xd0d2cbf40c8f01e707f1c0b9ac1dbbceb89a18041cbce09eb3ec025d5ecd6d43",
    ];
    assert_eq!([CEREMONY_G1, CEREMONY_LAGRANGE, CEREMONY_G2].map(digest), expected);
}

/// Weights that nobody chose.
fn weights(count: u64) -> Vec<Fr> {
    let weight = |place| Fr::from_be_bytes_mod_order(&rng::digest(7, "weights", place)[..16]);
    (0..count).map(weight).collect()
}

#[test]
fn the_ceremonys_powers_are_those_of_one_secret() {
    let setup = Setup::of(&Config::DEFAULT);
    let (g1, g2) = (setup.g1(), &setup.g2);
    assert_eq!((g1.len(), g2.len()), (4096, 65));
    let (g, h) = (G1Affine::generator(), G2Affine::generator());
    assert_eq!((g1[0], g2[0]), (g, h));
    let rho = weights(4095);
    let [later, first] =
        [&g1[1..], &g1[..4095]].map(|points| G1Projective::msm_unchecked(points, &rho));
    assert_eq!(Bls12_381::pairing(later, h), Bls12_381::pairing(first, g2[1]));
    let rho = &rho[..64];
    let [later, first] =
        [&g2[1..], &g2[..64]].map(|points| G2Projective::msm_unchecked(points, rho));
    assert_eq!(Bls12_381::pairing(g, later), Bls12_381::pairing(g1[1], first));
}

#[test]
fn the_ceremonys_lagrange_points_are_those_of_its_powers_in_natural_order() {
    let setup = Setup::of(&Config::DEFAULT);
    let points: Vec<_> = (0..4096).map(|position| setup.lagrange(position)).collect();
    // Σ cᵢ·ωⁱᵏ: the values of a polynomial with coefficients that nobody chose.
    let coefficients = weights(4096);
    let mut values = coefficients.clone();
    fft::forward(&mut values);
    let sum = G1Projective::msm_unchecked(&points, &values);
    assert_eq!(sum, G1Projective::msm_unchecked(setup.g1(), &coefficients));
}

#[test]
fn an_insecure_setups_lagrange_points_are_too() {
    let config = Config {
        scheme: Scheme::TwoLayer,
        sides: [2, 4, 8],
        source: Source::Seed(3),
        window: 1,
        ..Config::DEFAULT
    };
    let setup = Setup::of(&config);
    let [x, y, z] = [2, 4, 8].map(|count| powers_of(fft::omega(count), count));
    let points: Vec<_> = (0..64).map(|position| setup.lagrange(position)).collect();
    let sum = G1Projective::msm_unchecked(&points, &products([&x, &y, &z])).into_affine();
    assert_eq!(sum, setup.g1()[32 + 8 + 1]);
}

#[test]
fn a_ceremonys_lagrange_points_are_those_of_its_powers() {
    let mut ceremony = Ceremony::new([2, 4, 8]).unwrap();
    ceremony.contribute(&[3; 64]);
    let setup = Setup::of(&Config::on(Box::leak(Box::new(ceremony))));
    let [x, y, z] = [2, 4, 8].map(|count| powers_of(fft::omega(count), count));
    let sum = G1Projective::msm_unchecked(setup.lagranges(), &products([&x, &y, &z]));
    assert_eq!(sum.into_affine(), setup.g1()[32 + 8 + 1]);
}
