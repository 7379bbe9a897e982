//! Everything against arkworks' own.

extern crate std;

use std::vec::Vec;

use ark_bls12_381 as ark;
use ark_ec::bls12::G2Prepared;
use ark_ec::hashing::curve_maps::wb::WBConfig;
use ark_ec::pairing::{MillerLoopOutput, Pairing, PairingOutput};
use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{FftField, Field, PrimeField, Zero};
use lightproof_limbs::testing::{compare, compare_towers, twelves};
use lightproof_limbs::tower::Quadratic;

use crate::curve::{Bls12_381, Config, G1Affine, G2Affine, g1, g2, miller_loop};
use crate::field::{Fq2, Fq12, Fq12Config, FqConfig, fq, fq2};
use crate::lazy::Two;
use crate::scalar::{Fr, FrConfig, fr};

#[test]
fn elements_add_and_multiply_as_arkworks_elements_do() {
    compare::<FqConfig, ark::FqConfig, 6>();
    compare::<FrConfig, ark::FrConfig, 4>();
}

/// arkworks' field has roots of unity of three times as many orders, which nothing here asks for.
#[test]
fn roots_of_unity_are_arkworks_roots() {
    for log in 0..=33 {
        let theirs = ark::Fr::get_root_of_unity(1 << log);
        assert_eq!(Fr::get_root_of_unity(1 << log), theirs.map(fr));
    }
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
        let theirs = ark::Bls12_381::pairing(left, right).0;
        let ours: Fq12 = Bls12_381::pairing(point1(left), point2(right)).0;
        let ours = ours.to_base_prime_field_elements();
        assert!(ours.eq(theirs.to_base_prime_field_elements().map(fq)));
    }
}

/// Lines with a last coefficient of one, as points that are paired again and again are kept.
fn normalised(point: G2Affine) -> G2Prepared<Config> {
    let mut prepared = G2Prepared::from(point);
    for (c0, c1, c2) in &mut prepared.ell_coeffs {
        let inverse = c2.inverse().unwrap();
        *c0 *= inverse;
        *c1 *= inverse;
        *c2 = Fq2::ONE;
    }
    prepared
}

/// By the loop that makes lines as it goes.
fn of_points(left: &[G1Affine], right: &[ark::G2Affine]) -> PairingOutput<Bls12_381> {
    let right: Vec<_> = right.iter().copied().map(point2).collect();
    let (product, mut orders) = miller_loop(left, &right);
    assert!(orders.all(|is_in_subgroup| is_in_subgroup));
    Bls12_381::final_exponentiation(MillerLoopOutput(product)).unwrap()
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
        let theirs = ark::Bls12_381::multi_pairing(left, right).0;
        let theirs: Vec<_> = theirs.to_base_prime_field_elements().map(fq).collect();
        let left = || left.iter().copied().map(point1);
        let prepared = |(at, &point): (usize, &ark::G2Affine)| {
            // Both kinds of lines, one after the other.
            let point = point2(point);
            if at % 2 == 0 { normalised(point) } else { point.into() }
        };
        let mixed = right.iter().enumerate().map(prepared);
        for ours in [
            Bls12_381::multi_pairing(left(), mixed),
            Bls12_381::multi_pairing(left(), right.iter().copied().map(point2)),
            of_points(&left().collect::<Vec<_>>(), right),
        ] {
            assert!(ours.0.to_base_prime_field_elements().eq(theirs.iter().copied()), "{count}");
        }
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
        let theirs = ark::Bls12_381::final_exponentiation(MillerLoopOutput(theirs.unwrap()));
        let theirs: Option<Vec<_>> =
            theirs.map(|power| power.0.to_base_prime_field_elements().map(fq).collect());
        let ours = Bls12_381::final_exponentiation(MillerLoopOutput(element));
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
        G1Affine::generator().mul_bigint(bits).into_affine(),
        point1((g * scalar).into_affine())
    );
    assert_eq!(
        G2Affine::generator().mul_bigint(bits).into_affine(),
        point2((h * scalar).into_affine())
    );
    let image = <ark::g1::Config as GLVConfig>::endomorphism_affine(&g);
    assert_eq!(<g1::Config as GLVConfig>::endomorphism_affine(&point1(g)), point1(image));
    let image = <g1::Config as GLVConfig>::endomorphism(&point1(g).into_group());
    assert_eq!(image.into_affine(), <g1::Config as GLVConfig>::endomorphism_affine(&point1(g)));
}

#[test]
fn g2_has_arkworks_subgroup() {
    let mut outside = 0;
    for x in 0..12_u64 {
        let x = ark::Fq2::new(ark::Fq::from(x), ark::Fq::from(1_u64));
        let Some(point) = ark::G2Affine::get_point_from_x_unchecked(x, false) else { continue };
        outside += usize::from(!point.is_in_correct_subgroup_assuming_on_curve());
        for theirs in [point, point.clear_cofactor()] {
            assert!(point2(theirs).is_on_curve());
            let is_inside = theirs.is_in_correct_subgroup_assuming_on_curve();
            assert_eq!(point2(theirs).is_in_correct_subgroup_assuming_on_curve(), is_inside);
            assert_eq!(point2(theirs).clear_cofactor(), point2(theirs.clear_cofactor()));
        }
    }
    assert!(outside > 2, "{outside}");
}

/// Points of small orders, whose multiples on the way are infinity or the point's negative, and of
/// others, in the subgroup and outside.
fn of_many_orders() -> Vec<ark::G2Affine> {
    let points = (0..20_u64).filter_map(|x| {
        let x = ark::Fq2::new(ark::Fq::from(x), ark::Fq::from(3_u64));
        ark::G2Affine::get_point_from_x_unchecked(x, true)
    });
    let (mut all, mut small) = (Vec::new(), 0);
    for point in points {
        let torsion = point.mul_bigint(ark::Fr::MODULUS).into_affine();
        let inside = point.clear_cofactor();
        all.extend([point, torsion, inside]);
        for order in [13, 23] {
            let of_order = multiple_of_order(&torsion, order);
            small += usize::from(!of_order.is_zero());
            all.extend([point, torsion, inside].map(|other| (of_order + other).into_affine()));
            all.push(of_order);
        }
    }
    assert!(small > 4, "{small}");
    all
}

#[test]
fn points_of_small_orders_are_multiplied_as_arkworks_points_are() {
    for theirs in of_many_orders() {
        assert_eq!(point2(theirs).clear_cofactor(), point2(theirs.clear_cofactor()));
        let is_inside = theirs.is_in_correct_subgroup_assuming_on_curve();
        let ours = point2(theirs).is_in_correct_subgroup_assuming_on_curve();
        assert_eq!(ours, is_inside);
    }
}

#[test]
fn the_loop_of_points_tells_which_are_in_the_subgroup() {
    let all = of_many_orders();
    let theirs: Vec<_> =
        all.iter().map(ark::G2Affine::is_in_correct_subgroup_assuming_on_curve).collect();
    for kind in [true, false] {
        assert!(theirs.iter().filter(|is_inside| **is_inside == kind).count() > 4);
    }
    let right: Vec<_> = all.into_iter().map(point2).collect();
    // Whatever they are paired with.
    for left in [G1Affine::generator(), G1Affine::identity()] {
        let left: Vec<_> = right.iter().map(|_| left).collect();
        assert!(miller_loop(&left, &right).1.eq(theirs.iter().copied()));
    }
}

/// A multiple of a point without component of order r, of a small prime order, or infinity.
fn multiple_of_order(torsion: &ark::G2Affine, order: u64) -> ark::G2Affine {
    let words = <ark::g2::Config as ark_ec::CurveConfig>::COFACTOR;
    let mut rest = words.to_vec();
    // The cofactor holds 13² and 23².
    for _ in 0..2 {
        let mut remainder = 0_u128;
        for word in rest.iter_mut().rev() {
            let value = (remainder << 64) | u128::from(*word);
            *word = u64::try_from(value / u128::from(order)).unwrap();
            remainder = value % u128::from(order);
        }
        assert_eq!(remainder, 0);
    }
    let small = torsion.mul_bigint(&rest);
    let next = small.into_affine().mul_bigint([order]);
    if next.is_zero() { small.into_affine() } else { next.into_affine() }
}

#[test]
fn messages_are_mapped_over_arkworks_isogeny() {
    type Theirs = <ark::g2::Config as WBConfig>::IsogenousCurve;
    type Ours = <g2::Config as WBConfig>::IsogenousCurve;
    let theirs = &<ark::g2::Config as WBConfig>::ISOGENY_MAP;
    let ours = &<g2::Config as WBConfig>::ISOGENY_MAP;
    assert_eq!(Ours::COEFF_A, fq2(Theirs::COEFF_A));
    assert_eq!(Ours::COEFF_B, fq2(Theirs::COEFF_B));
    for (ours, theirs) in [
        (ours.x_map_numerator, theirs.x_map_numerator),
        (ours.x_map_denominator, theirs.x_map_denominator),
        (ours.y_map_numerator, theirs.y_map_numerator),
        (ours.y_map_denominator, theirs.y_map_denominator),
    ] {
        let theirs: Vec<Fq2> = theirs.iter().copied().map(fq2).collect();
        assert_eq!(ours, theirs);
    }
}
