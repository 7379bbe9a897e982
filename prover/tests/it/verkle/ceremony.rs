//! Ceremonies: what contributors make, and what a loader refuses.

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::{AffineRepr as _, CurveGroup as _};
use ark_ff::Field as _;
use lightproof_prover::system::verkle::ceremony::{Ceremony, CeremonyError, check_points};
use lightproof_prover::system::verkle::cf::{Points, insecure_secrets};

fn two() -> Ceremony {
    let mut ceremony = Ceremony::new(5);
    ceremony.contribute(&[1; 64]);
    ceremony.contribute(&[2; 64]);
    ceremony
}

fn wrong(ceremony: &Ceremony) -> String {
    Ceremony::read(&ceremony.encode()).unwrap_err().to_string()
}

#[test]
fn contributions_follow_each_other() {
    let whole = two();
    assert_eq!(Ceremony::read(&whole.encode()), Ok(whole.clone()));
    assert!(wrong(&Ceremony::new(5)).contains("nobody contributed"));
    let mut lie = whole.clone();
    lie.contributions.remove(0);
    assert!(wrong(&lie).contains("does not know their own factor"));
    let mut lie = whole.clone();
    lie.contributions.swap(0, 1);
    assert!(wrong(&lie).contains("leads to other points"));
    let mut lie = whole.clone();
    lie.contributions[0][3].response += Fr::from(1_u64);
    assert!(wrong(&lie).contains("does not know their own factor"));
    // The last one starts over, and knows every secret alone.
    let mut alone = Ceremony::new(5);
    alone.contribute(&[3; 64]);
    let mut lie = whole.clone();
    lie.points = alone.points.clone();
    assert!(wrong(&lie).contains("leads to other points"));
    let mut replaced =
        Ceremony { contributions: vec![whole.contributions[0].clone()], ..Ceremony::new(5) };
    replaced.contribute(&[4; 64]);
    assert!(wrong(&replaced).contains("does not follow from the one before"));
}

#[test]
fn a_file_has_one_form() {
    let bytes = two().encode();
    let refused =
        |bytes: &[u8]| assert!(matches!(Ceremony::read(bytes), Err(CeremonyError::Form(_))));
    refused(&[&bytes[..], &[0]].concat());
    refused(&bytes[..bytes.len() - 1]);
    refused(&bytes[1..]);
    refused(&[]);
    let mut other = bytes.clone();
    other[21] = 33;
    refused(&other);
    let mut off_curve = bytes;
    off_curve[30] ^= 1;
    assert!(Ceremony::read(&off_curve).is_err());
}

#[test]
fn points_of_bad_secrets_are_refused() {
    let secrets = insecure_secrets(5, 1);
    let honest = Points::of(&secrets);
    assert_eq!(check_points(&honest), Ok(()));
    let refused = |points: &Points, reason: &str| {
        let error = check_points(points).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    let with = |at: usize, secret: Fr| {
        let mut secrets = secrets.clone();
        secrets[at] = secret;
        Points::of(&secrets)
    };
    refused(&with(3, Fr::from(0_u64)), "zero");
    refused(&with(3, secrets[9]), "the same secret");
    refused(&with(3, -secrets[9]), "the same secret");
    let other = with(3, Fr::from(5_u64));
    let mut mixed = honest.clone();
    mixed.h[3] = other.h[3];
    refused(&mixed, "a slot's points differ in their secret");
    let mut mixed = honest.clone();
    mixed.hh[3] = other.hh[3];
    refused(&mixed, "a slot's points differ in their secret");
    // A square among the products would open anything in its slot.
    let square = (G1Affine::generator() * secrets[3].square()).into_affine();
    for at in [Points::place(3, 4), Points::place(0, 1), Points::place(31, 30)] {
        let mut planted = honest.clone();
        planted.cross[at] = square;
        refused(&planted, "a product of secrets is another one's");
    }
    let mut swapped = honest;
    swapped.cross.swap(5, 6);
    refused(&swapped, "a product of secrets is another one's");
}
