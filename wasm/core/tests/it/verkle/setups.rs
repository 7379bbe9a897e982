//! Parameters that must not be taken.

use ark_bls12_381::Fr;
use ark_ff::One;
use lightproof_core::InputError;
use lightproof_core::system::verkle::{Commitment, Verkle, hash_to_scalar};
use lightproof_core::system::{System, SystemConfig};
use lightproof_testkit::{Rlp, hex};

use super::model::{Setup, g1, g2};

fn refused(setup: &Setup) -> &'static str {
    match setup.params().unwrap_err() {
        InputError::Params(reason) => reason,
        error => panic!("{error}"),
    }
}

#[test]
fn parameters_are_those_that_the_configuration_pins() {
    let setup = Setup::new("kzg", 5);
    let read = |format: &str, digest: &[u8], points: &[u8]| {
        let config = Rlp::list([Rlp::str(format), Rlp::str(digest)]).encode();
        Verkle::params(&SystemConfig::from_rlp(&config)?, points)
    };
    let code =
        |format: &str, digest: &[u8]| read(format, digest, &setup.points).unwrap_err().code();
    let params = read("verkle/kzg-32", &setup.digest(), &setup.points).unwrap();
    // The seed of the batching coefficients binds it.
    assert_eq!(Verkle::digest(&params).0, setup.digest());
    assert_eq!([Commitment::Cf, Commitment::Kzg].map(Commitment::name), ["cf", "kzg"]);
    assert_eq!(code("verkle/kzg-256", &setup.digest()), "input.params");
    assert_eq!(code("verkle/cf-32", &setup.digest()), "input.params");
    assert_eq!(code("verkle/kzg-32", &[]), "input.params");
    assert_eq!(code("verkle/kzg-32", &[7; 32]), "input.params");
    assert_eq!(code("verkle/kzg-64", &setup.digest()), "input.config");
    assert_eq!(code("verkle", &setup.digest()), "input.config");
}

#[test]
fn two_slots_never_share_a_secret_up_to_its_sign() {
    let honest = Setup::new("cf", 5).secrets;
    for factor in [Fr::one(), -Fr::one()] {
        let mut secrets = honest.clone();
        secrets[9] = factor * secrets[4];
        let setup = Setup::with_secrets("cf", 5, secrets);
        assert_eq!(refused(&setup), "two slots have the same secret");
    }
}

#[test]
fn both_points_of_a_slot_hide_one_secret() {
    let honest = Setup::new("cf", 5);
    for at in [0, 1, 31] {
        let mut setup = honest.clone();
        setup.points[48 * at..48 * (at + 1)].copy_from_slice(&g1(Fr::from(5_u64)));
        assert_eq!(refused(&setup), "a slot's points differ in their secret");
        let mut setup = honest.clone();
        let start = 48 * 32 + 96 * at;
        setup.points[start..start + 96].copy_from_slice(&g2(Fr::from(5_u64)));
        assert_eq!(refused(&setup), "a slot's points differ in their secret");
    }
    // Two errors that cancel without coefficients.
    let mut setup = honest.clone();
    for (at, error) in [(3, Fr::one()), (4, -Fr::one())] {
        setup.points[48 * at..48 * (at + 1)].copy_from_slice(&g1(honest.secrets[at] + error));
    }
    assert_eq!(refused(&setup), "a slot's points differ in their secret");
}

#[test]
fn no_secret_is_zero_and_every_point_is_whole() {
    for (kind, lengths) in [("cf", [48, 96]), ("kzg", [48, 96])] {
        let honest = Setup::new(kind, 5);
        let end = honest.points.len();
        for (start, length) in [(0, lengths[0]), (end - 96, lengths[1])] {
            let mut setup = honest.clone();
            let identity =
                if length == 48 { g1(Fr::from(0)).to_vec() } else { g2(Fr::from(0)).to_vec() };
            setup.points[start..start + length].copy_from_slice(&identity);
            assert_eq!(refused(&setup), "infinity");
            let mut setup = honest.clone();
            setup.points[start] &= 0x7f;
            assert_eq!(refused(&setup), "not compressed");
        }
        let mut setup = honest.clone();
        setup.points.push(0);
        assert_eq!(refused(&setup), "trailing bytes");
        setup.points.truncate(end - 1);
        assert_eq!(refused(&setup), "truncated");
    }
}

#[test]
fn the_generators_are_the_curves() {
    let honest = Setup::new("kzg", 8);
    let mut setup = honest.clone();
    setup.points[..48].copy_from_slice(&g1(Fr::from(2_u64)));
    assert_eq!(refused(&setup), "not the curve's generators");
    let mut setup = honest;
    setup.points[48..144].copy_from_slice(&g2(Fr::from(2_u64)));
    assert_eq!(refused(&setup), "not the curve's generators");
}

/// The vectors of RFC 9380 §K.1 have 32 and 128 bytes; this one of 48 was made by a program of
/// Python's that gives theirs.
#[test]
fn hashes_to_scalars_as_the_rfc_says() {
    let scalar = hash_to_scalar(b"QUUX-V01-CS02-with-expander-SHA256-128", &[b"ab", b"c"]);
    let bytes = ark_ff::BigInteger::to_bytes_be(&ark_ff::PrimeField::into_bigint(scalar));
    assert_eq!(hex::encode(&bytes), EXPECTED);
}

const EXPECTED: &str = "0x25de2d06c63a80fbddfa3d574a394db9b5367ea15dbeec23dd4b580826da6270";
