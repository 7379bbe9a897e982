//! Honest ceremonies, and what they refuse.

use super::*;

fn held() -> Ceremony {
    let mut ceremony = Ceremony::new([2, 4, 4]).unwrap();
    for one in 1..=2 {
        ceremony.contribute(&[one; 64]);
    }
    ceremony
}

#[test]
fn contributions_are_accepted() {
    assert_eq!(held().verify(&[7; 32]), Ok(()));
}

#[test]
fn nobodys_contribution_is_refused() {
    assert_eq!(Ceremony::new([2, 4, 4]).unwrap().verify(&[7; 32]), Err(Fault::Dependent));
    assert_eq!(Ceremony::new([2, 3, 4]).unwrap_err(), Fault::Shape);
}

#[test]
fn altered_points_are_refused() {
    let honest = held();
    for place in 0..honest.g1.len() {
        let mut other = honest.clone();
        other.g1[place] = (other.g1[place] + G1Affine::generator()).into_affine();
        assert_eq!(other.verify(&[7; 32]), Err(Fault::Grid), "{place}");
    }
    for place in 0..honest.g2.len() {
        let mut other = honest.clone();
        other.g2[place] = (other.g2[place] + G2Affine::generator()).into_affine();
        assert!(other.verify(&[7; 32]).is_err(), "{place}");
    }
    for place in 0..2 {
        let mut other = honest.clone();
        other.outer[place] = (other.outer[place] + G2Affine::generator()).into_affine();
        assert_eq!(other.verify(&[7; 32]), Err(Fault::Grid));
    }
    let mut other = honest;
    other.g1.pop();
    assert_eq!(other.verify(&[7; 32]), Err(Fault::Shape));
}

#[test]
fn a_contribution_must_be_known_and_follow() {
    let honest = held();
    for (number, at) in [(0, 0), (1, 2)] {
        let mut other = honest.clone();
        other.contributions[number].secrets[at].response += Fr::one();
        assert_eq!(other.verify(&[7; 32]), Err(Fault::Contribution(number)));
    }
    let mut dropped = honest.clone();
    dropped.contributions.remove(0);
    assert_eq!(dropped.verify(&[7; 32]), Err(Fault::Contribution(0)));
    let mut swapped = honest;
    swapped.contributions.swap(0, 1);
    assert_eq!(swapped.verify(&[7; 32]), Err(Fault::Contribution(0)));
}

#[test]
fn secrets_that_depend_on_each_other_are_refused() {
    let mut ceremony = held();
    // β = γ², everywhere and in both groups.
    let [p, t, m] = ceremony.sides;
    let (x, z) = (Fr::from(5_u64), Fr::from(3_u64));
    let scalars = (0..p * t * m).map(|place| {
        use ark_ff::Field;
        let (i, j, k) = (place / (t * m), place / m % t, place % m);
        G1Affine::generator() * (x.pow([i as u64]) * z.pow([(2 * j + k) as u64]))
    });
    ceremony.g1 = G1Projective::normalize_batch(&scalars.collect::<Vec<_>>());
    let other = |scalar: Fr| (G2Affine::generator() * scalar).into_affine();
    ceremony.outer = [other(x), other(z * z)];
    ceremony.g2 = powers(z, m + 1).into_iter().map(other).collect();
    assert_eq!(ceremony.verify(&[7; 32]), Err(Fault::Dependent));
}

#[test]
fn a_file_holds_everything() {
    let honest = held();
    let bytes = honest.encode();
    assert_eq!(Ceremony::decode(&bytes), Ok(honest));
    for end in (0..bytes.len()).step_by(7) {
        assert!(Ceremony::decode(&bytes[..end]).is_err(), "{end}");
    }
    assert!(Ceremony::decode(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn a_changed_byte_shows() {
    let bytes = held().encode();
    for place in (0..bytes.len()).step_by(5) {
        let mut other = bytes.clone();
        other[place] ^= 1;
        let read = Ceremony::decode(&other);
        assert!(read.and_then(|read| read.verify(&[9; 32])).is_err(), "{place}");
    }
}
