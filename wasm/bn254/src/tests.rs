//! Everything against arkworks' own.

extern crate std;

use ark_bn254 as ark;
use std::vec::Vec;

use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{Field, PrimeField};
use lightproof_limbs::testing::{compare, compare_towers, twelves};
use lightproof_limbs::tower::Quadratic;

use crate::curve::{Bn254, G1Affine, G1Projective, G2Affine, G2Projective};
use crate::field::{Fq2, Fq12, Fq12Config, FqConfig, fq, fq2};
use crate::lazy::Two;

#[test]
fn elements_add_and_multiply_as_arkworks_elements_do() {
    compare::<FqConfig, ark::FqConfig, 4>();
}

fn point1(point: ark::G1Affine) -> G1Affine {
    if point.is_zero() {
        return G1Affine::identity();
    }
    G1Affine::new_unchecked(fq(point.x), fq(point.y))
}

fn point2(point: ark::G2Affine) -> G2Affine {
    if point.is_zero() {
        return G2Affine::identity();
    }
    G2Affine::new_unchecked(fq2(point.x), fq2(point.y))
}

#[test]
fn pairings_are_arkworks_pairings() {
    let (g, h) = (ark::G1Affine::generator(), ark::G2Affine::generator());
    for scalar in [1_u64, 2, 0x1234_5678_9abc_def1] {
        let left = (g * ark::Fr::from(scalar)).into_affine();
        let right = (h * ark::Fr::from(scalar + 5)).into_affine();
        let theirs = ark::Bn254::pairing(left, right).0;
        let ours: Fq12 = Bn254::pairing(point1(left), point2(right)).0;
        let ours = ours.to_base_prime_field_elements();
        assert!(ours.eq(theirs.to_base_prime_field_elements().map(fq)));
    }
}

#[test]
fn products_of_pairings_are_arkworks_products() {
    let (g, h) = (ark::G1Affine::generator(), ark::G2Affine::generator());
    let points = |scalar: u64| {
        let left = (g * ark::Fr::from(scalar)).into_affine();
        (left, (h * ark::Fr::from(3 * scalar + 1)).into_affine())
    };
    let (mut left, mut right): (Vec<_>, Vec<_>) = (1..8).map(points).unzip();
    left[1] = ark::G1Affine::identity();
    right[2] = ark::G2Affine::identity();
    for count in 0..=left.len() {
        let (left, right) = (&left[..count], &right[..count]);
        let theirs = ark::Bn254::multi_pairing(left, right).0;
        let ours = Bn254::multi_pairing(
            left.iter().copied().map(point1),
            right.iter().copied().map(point2),
        );
        let theirs = theirs.to_base_prime_field_elements().map(fq);
        assert!(ours.0.to_base_prime_field_elements().eq(theirs), "{count}");
    }
}

#[test]
fn the_tower_is_arkworks_tower() {
    compare_towers::<Fq12Config, Two>();
    for element in twelves::<Fq12Config>() {
        let (a, b) = (element.c0.c0, element.c1.c2.c0);
        let scaled = Two::loose(&a).scaled(&Two::both(&b));
        assert_eq!(scaled.element(), Fq2::new(a.c0 * b, a.c1 * b));
    }
}

#[test]
fn powers_are_arkworks_powers() {
    for element in twelves::<Fq12Config>() {
        let theirs = ark::Fq12::from_base_prime_field_elems(
            element.to_base_prime_field_elements().map(|one| ark::Fq::new_unchecked(one.0)),
        );
        let theirs = ark::Bn254::final_exponentiation(MillerLoopOutput(theirs.unwrap()));
        let theirs: Option<Vec<_>> =
            theirs.map(|power| power.0.to_base_prime_field_elements().map(fq).collect());
        let ours = Bn254::final_exponentiation(MillerLoopOutput(element));
        let ours: Option<Vec<_>> =
            ours.map(|power| power.0.to_base_prime_field_elements().collect());
        assert_eq!(ours, theirs);
    }
}

#[test]
fn points_add_and_double_as_arkworks_points_do() {
    let (g, h) = (ark::G1Affine::generator(), ark::G2Affine::generator());
    assert_eq!((G1Affine::generator(), G2Affine::generator()), (point1(g), point2(h)));
    let scalar = ark::Fr::from(0xfedc_ba98_7654_3210_u64).square().square();
    let bits = scalar.into_bigint();
    assert_eq!(
        G1Projective::generator().mul_bigint(bits).into_affine(),
        point1((g * scalar).into_affine())
    );
    assert_eq!(
        G2Projective::generator().mul_bigint(bits).into_affine(),
        point2((h * scalar).into_affine())
    );
}

#[test]
fn groups_are_arkworks_groups() {
    let mut outside = 0;
    for x in 0..12_u64 {
        let x = ark::Fq2::new(ark::Fq::from(x), ark::Fq::from(1_u64));
        let Some(point) = ark::G2Affine::get_point_from_x_unchecked(x, false) else { continue };
        let is_inside = point.is_in_correct_subgroup_assuming_on_curve();
        outside += usize::from(!is_inside);
        assert!(point2(point).is_on_curve() && !point2(-point).is_zero());
        assert_eq!(point2(point).is_in_correct_subgroup_assuming_on_curve(), is_inside);
    }
    assert!(outside > 2, "{outside}");
    assert!(point2(ark::G2Affine::generator()).is_in_correct_subgroup_assuming_on_curve());
}
