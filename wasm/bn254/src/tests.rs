//! Everything against arkworks' own.

extern crate std;

use ark_bn254 as ark;
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{Field, PrimeField};
use lightproof_limbs::testing::compare;

use crate::curve::{Bn254, G1Affine, G1Projective, G2Affine, G2Projective};
use crate::field::{Fq12, FqConfig, fq, fq2};

#[test]
fn elements_add_and_multiply_as_arkworks_elements_do() {
    compare::<FqConfig, ark::FqConfig, 4>();
}

fn point1(point: ark::G1Affine) -> G1Affine {
    G1Affine::new_unchecked(fq(point.x), fq(point.y))
}

fn point2(point: ark::G2Affine) -> G2Affine {
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
