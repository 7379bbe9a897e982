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

/// Why a ceremony is refused that somebody changed, by its file.
fn refused(change: impl FnOnce(&mut Ceremony)) -> Fault {
    let mut ceremony = held();
    change(&mut ceremony);
    Ceremony::read(&ceremony.encode(), &[7; 32]).unwrap_err()
}

fn more(point: G1Affine) -> G1Affine {
    (point + G1Affine::generator()).into_affine()
}

fn more_g2(point: G2Affine) -> G2Affine {
    (point + G2Affine::generator()).into_affine()
}

const GENERATOR: Fault = Fault::Grid("the first point of G1 or of G2 is not the generator");
const ALPHA: Fault = Fault::Grid("powers of alpha in G1");
const BETA: Fault = Fault::Grid("powers of beta in G1");
const GAMMA: Fault = Fault::Grid("powers of gamma in G1");
const GAMMA_G2: Fault = Fault::Grid("powers of gamma in G2");

/// What a changed point of G1 breaks first: sides are 2, 4, 4.
fn line_of(place: usize) -> Fault {
    match place {
        0 => GENERATOR,
        1..4 => GAMMA,
        4..16 => BETA,
        _ => ALPHA,
    }
}

#[test]
fn altered_points_are_refused() {
    for place in 0..held().g1.len() {
        let fault = refused(|other| other.g1[place] = more(other.g1[place]));
        assert_eq!(fault, line_of(place), "{place}");
    }
    for (place, expected) in [
        (0, GENERATOR),
        (1, Fault::Grid("gamma in G2 is not the contributors' secret")),
        (2, GAMMA_G2),
        (3, GAMMA_G2),
        (4, GAMMA_G2),
    ] {
        assert_eq!(refused(|other| other.g2[place] = more_g2(other.g2[place])), expected);
    }
    for (place, expected) in [
        (0, Fault::Grid("alpha in G2 is not the contributors' secret")),
        (1, Fault::Grid("beta in G2 is not the contributors' secret")),
    ] {
        assert_eq!(refused(|other| other.outer[place] = more_g2(other.outer[place])), expected);
    }
    let mut other = held();
    other.g1.pop();
    assert_eq!(other.verify(&[7; 32]), Err(Fault::Shape));
}

#[test]
fn exchanged_points_are_refused() {
    for first in 0..held().g1.len() - 1 {
        let fault = refused(|other| other.g1.swap(first, first + 1));
        assert_eq!(fault, line_of(first), "{first}");
    }
    for (first, second, expected) in [(4, 8, BETA), (5, 9, BETA), (16, 24, ALPHA), (2, 31, GAMMA)] {
        assert_eq!(refused(|other| other.g1.swap(first, second)), expected);
    }
    for (first, second) in [(1, 2), (2, 4), (3, 4)] {
        let fault = refused(|other| other.g2.swap(first, second));
        assert!(matches!(fault, Fault::Grid(_)), "{first} {second}");
    }
    assert_eq!(
        refused(|other| other.outer.swap(0, 1)),
        Fault::Grid("alpha in G2 is not the contributors' secret")
    );
}

/// Two changes that cancel in a sum without weights.
#[test]
fn changes_that_cancel_are_refused() {
    let g = G1Affine::generator();
    let fault = refused(|other| {
        other.g1[18] = (other.g1[18] + g).into_affine();
        other.g1[19] = (other.g1[19] - g).into_affine();
    });
    assert_eq!(fault, ALPHA);
    let fault = refused(|other| {
        other.g2[3] = (other.g2[3] + G2Affine::generator()).into_affine();
        other.g2[4] = (other.g2[4] - G2Affine::generator()).into_affine();
    });
    assert_eq!(fault, GAMMA_G2);
}

/// Powers in one group that are consistent, and those of another secret in the other group.
#[test]
fn another_secret_in_one_group_is_refused() {
    let mut foreign = Ceremony::new([2, 4, 4]).unwrap();
    foreign.contribute(&[9; 64]);
    let Ceremony { g1, outer, g2, .. } = foreign;
    let named = |what| Fault::Grid(what);
    assert_eq!(
        refused(|other| other.g2.clone_from(&g2)),
        named("gamma in G2 is not the contributors' secret")
    );
    assert_eq!(
        refused(|other| other.outer[1] = outer[1]),
        named("beta in G2 is not the contributors' secret")
    );
    assert_eq!(refused(|other| other.g1.clone_from(&g1)), GAMMA);
    // γ itself stays, and the powers after it are another's.
    let fault = refused(|other| other.g2[2..].copy_from_slice(&g2[2..]));
    assert_eq!(fault, GAMMA_G2);
    // All points are one secret's, but no contributor's.
    let fault = refused(|other| {
        other.g1.clone_from(&g1);
        other.g2.clone_from(&g2);
        other.outer = outer;
    });
    assert_eq!(fault, named("alpha in G2 is not the contributors' secret"));
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
