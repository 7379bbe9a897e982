//! Everything against arkworks' own.

extern crate std;

use ark_bn254 as ark;
use std::vec::Vec;

use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField};
use lightproof_limbs::testing::compare;
use lightproof_limbs::tower::{Quadratic, Twelve};

use crate::curve::{Bn254, G1Affine, G1Projective, G2Affine, G2Projective};
use crate::field::{Fq12, Fq12Config, FqConfig, fq, fq2};
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

/// Elements with coefficients at the edges of the field, and some in between.
fn twelves() -> Vec<ark::Fq12> {
    let (zero, one) = (ark::Fq::ZERO, ark::Fq::ONE);
    // Stored as p − 1, and as all ones below the highest word.
    let edges = [ark::Fq::new_unchecked((-one).into_bigint()), {
        let mut words = ark_ff::BigInt([u64::MAX; 4]);
        words.0[3] = 0x3064_4e72_e131_a028;
        ark::Fq::new_unchecked(words)
    }];
    let mut state = ark::Fq::from(7_u64);
    let coefficient = |round: usize, place: usize, state: ark::Fq| match round {
        0 => zero,
        1 => [zero, one][usize::from(place == 0)],
        2..4 => edges[round - 2],
        4 => edges[place % 2],
        5 => [zero, edges[0], -edges[0]][place % 3],
        _ => state,
    };
    let rounds = (0..12).filter_map(|round| {
        let coefficients: Vec<_> = (0..12)
            .map(|place| {
                state = state.square() + one;
                coefficient(round, place, state)
            })
            .collect();
        ark::Fq12::from_base_prime_field_elems(coefficients)
    });
    rounds.collect()
}

#[test]
fn the_tower_is_arkworks_tower() {
    let all = twelves();
    assert_eq!(all.len(), 12);
    let ours = |element: &ark::Fq12| -> Twelve<Two> {
        Twelve::new(
            &Fq12::from_base_prime_field_elems(element.to_base_prime_field_elements().map(fq))
                .unwrap(),
        )
    };
    let same = |ours: &Twelve<Two>, theirs: ark::Fq12, what: &str| {
        let left = ours.element::<Fq12Config>();
        let right = theirs.to_base_prime_field_elements().map(fq);
        assert!(left.to_base_prime_field_elements().eq(right), "{what}");
    };
    let two = |element: &ark::Fq2| Two::new(&fq2(*element));
    for (index, a) in all.iter().enumerate() {
        same(&ours(a), *a, "as it is");
        let mut square = ours(a);
        square.square();
        same(&square, a.square(), "square");
        square.square();
        same(&square, a.square().square(), "square of a square");
        for power in 0..4 {
            same(&ours(a).frobenius::<Fq12Config>(power), a.frobenius_map(power), "frobenius");
        }
        assert_eq!(ours(a).inverse().is_some(), index != 0);
        if let Some(inverse) = a.inverse() {
            same(&ours(a).inverse().unwrap(), inverse, "inverse");
            // Of the cyclotomic subgroup.
            let mut unit = *a;
            unit.conjugate_in_place();
            unit *= inverse;
            unit *= unit.frobenius_map(2);
            let mut square = ours(&unit);
            for _ in 0..3 {
                square.cyclotomic_square();
                unit.square_in_place();
                same(&square, unit, "cyclotomic square");
            }
        }
        for b in &all {
            same(&ours(a).times(&ours(b)), a * b, "product");
            let (c0, c1, c2) = (b.c0.c0, b.c0.c1, b.c1.c1);
            let (mut line, mut theirs) = (ours(a), *a);
            line.multiply_by_other_line(&two(&c0), &two(&c1), &two(&c2));
            theirs.mul_by_034(&c0, &c1, &c2);
            same(&line, theirs, "line");
            let scaled = Two::loose(&fq2(c0)).scaled(&Two::both(&fq(c1.c0)));
            assert_eq!(scaled.element(), fq2(ark::Fq2::new(c0.c0 * c1.c0, c0.c1 * c1.c0)));
        }
    }
}

#[test]
fn powers_are_arkworks_powers() {
    for element in twelves() {
        let theirs = ark::Bn254::final_exponentiation(MillerLoopOutput(element));
        let theirs: Option<Vec<_>> =
            theirs.map(|power| power.0.to_base_prime_field_elements().map(fq).collect());
        let element =
            Fq12::from_base_prime_field_elems(element.to_base_prime_field_elements().map(fq));
        let ours = Bn254::final_exponentiation(MillerLoopOutput(element.unwrap()));
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
