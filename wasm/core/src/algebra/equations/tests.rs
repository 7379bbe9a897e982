use alloc::vec;

use ark_bls12_381::Bls12_381;
use ark_bn254::Bn254;
use ark_ec::{AffineRepr, PrimeGroup};

use super::*;
use crate::observer::Counts;
use crate::system::Equations as _;

/// G1: the generator. G2: the generator, and twice it.
#[derive(Clone, Debug)]
struct Points<P>(core::marker::PhantomData<P>);

impl<P: Pairing<G1Affine: affine::Point>> Fixed for Points<P> {
    type Curve = P;

    fn g1(&self, index: usize) -> Option<Base<P::G1Affine>> {
        (index == 0).then(|| Base::from(P::G1Affine::generator()))
    }

    fn g2(&self, FixedG2(index): FixedG2) -> Option<P::G2Prepared> {
        let times = [1_u64, 2].get(index)?;
        Some(power::<P::G2>(*times).into())
    }
}

fn power<G: PrimeGroup + CurveGroup>(times: u64) -> G::Affine {
    (G::generator() * G::ScalarField::from(times)).into_affine()
}

/// Terms, Miller loops, final exponentiations.
fn took(terms: usize, loops: usize, exponentiations: usize) -> Counts {
    Counts { terms, loops, exponentiations, ..Counts::default() }
}

/// e((left + error)·G, 2·H) = e(2·left·G, H), as a point given and a multiple of the fixed one.
fn equation<P: Pairing>(
    todo: &mut Equations<P>,
    left: u64,
    error: P::ScalarField,
    at: usize,
) -> Equation<P> {
    let point = P::G1::generator() * (P::ScalarField::from(left) + error);
    let point = todo.given(point.into_affine());
    Equation::new(Span { start: at, end: at + 1 })
        .times(FixedG2(1), point, P::ScalarField::one())
        .times(FixedG2(0), Point::Fixed(0), -P::ScalarField::from(2 * left))
}

/// Settles equations with the given errors, one list of them for each claim.
fn settle<P: Pairing<G1Affine: affine::Point>>(
    claims: &[&[i64]],
    seed: u8,
) -> (Vec<(usize, Span)>, Counts) {
    let mut todo = Equations::<P>::default();
    for (claim, errors) in claims.iter().enumerate() {
        system::Equations::<Points<P>>::begin(&mut todo, claim);
        for (at, error) in errors.iter().enumerate() {
            let size = P::ScalarField::from(error.unsigned_abs());
            let error = if *error < 0 { -size } else { size };
            let equation = equation(&mut todo, 7 + at as u64, error, at);
            todo.push(equation);
        }
    }
    let mut counted = Counts::default();
    let points = Points(core::marker::PhantomData);
    let failed = todo.settle(&points, Hash([seed; 32]), &mut counted);
    let again = todo.settle(&points, Hash([seed; 32]), &mut ());
    assert_eq!(failed, again);
    let failed = failed.into_iter().map(|(claim, error)| (claim, error.span().unwrap()));
    (failed.collect(), counted)
}

fn at(start: usize) -> Span {
    Span { start, end: start + 1 }
}

fn on_both(claims: &[&[i64]], expected: &[(usize, Span)]) {
    for seed in 0..4 {
        assert_eq!(settle::<Bls12_381>(claims, seed).0, expected);
        assert_eq!(settle::<Bn254>(claims, seed).0, expected);
    }
}

#[test]
fn settles_true_equations_by_one_product() {
    on_both(&[&[0, 0], &[], &[0]], &[]);
    // Three points given; the generator's terms are one.
    assert_eq!(settle::<Bls12_381>(&[&[0, 0], &[], &[0]], 1).1, took(4, 2, 1));
    assert_eq!(settle::<Bn254>(&[&[0, 0], &[], &[0]], 1).1, took(4, 2, 1));
}

#[test]
fn gives_each_claim_its_verdict() {
    on_both(&[&[0, 1], &[0], &[0, 0, 3], &[0, 0]], &[(0, at(1)), (2, at(2))]);
    on_both(&[&[5]], &[(0, at(0))]);
    on_both(&[&[1], &[1], &[1]], &[(0, at(0)), (1, at(0)), (2, at(0))]);
}

/// Each claim is summed once with all and once alone, whatever the number of false ones.
#[test]
fn false_claims_cost_no_more_each_where_there_are_many() {
    for count in [4_usize, 16, 64] {
        let claims = vec![[1].as_slice(); count];
        let (failed, counts) = settle::<Bn254>(&claims, 1);
        assert_eq!(failed.len(), claims.len());
        // Terms: a point of each and the generator together, then both of each alone. Loops: two
        // points of G2 each time.
        assert_eq!(counts, took(3 * count + 1, 2 * count + 2, count + 1));
    }
}

/// A rejected claim's equations are not settled, and its points are forgotten.
#[test]
fn abandoned_equations_cost_nothing() {
    let mut todo = Equations::<Bn254>::default();
    for (claim, error) in [0_u64, 1, 0].into_iter().enumerate() {
        system::Equations::<Points<Bn254>>::begin(&mut todo, claim);
        let equation = equation(&mut todo, 7, error.into(), claim);
        todo.push(equation);
        if error > 0 {
            system::Equations::<Points<Bn254>>::abandon(&mut todo);
        }
    }
    let mut counted = Counts::default();
    let points = Points(core::marker::PhantomData);
    assert_eq!(todo.settle(&points, Hash([1; 32]), &mut counted), []);
    assert_eq!(counted, took(3, 2, 1));
}

#[test]
fn a_product_is_made_of_its_factors() {
    let (left, right) =
        (power::<<Bls12_381 as Pairing>::G1>(2), power::<<Bls12_381 as Pairing>::G2>(3));
    let mut todo = Equations::<Bls12_381>::default();
    todo.push(Equation::new(Span::default()).times_pair(left, right));
    let mut settlement = Settlement {
        equations: &todo,
        params: &Points(core::marker::PhantomData),
        given: 0..0,
        coefficients: vec![One::one()],
        tally: Tally::default(),
    };
    let factor = miller::<Bls12_381>(&[left], vec![right.into()]);
    assert_eq!(settlement.product(0..1), Some(factor));
}

/// Points, terms and pairs fill it; what is abandoned does not.
#[test]
fn so_many_equations_are_settled_first() {
    type Todo = Equations<Bn254>;
    let full = system::Equations::<Points<Bn254>>::is_full;
    let zero = <Bn254 as Pairing>::ScalarField::zero();
    let point = power::<<Bn254 as Pairing>::G1>(2);
    let pair = (point, power::<<Bn254 as Pairing>::G2>(3));
    let term = || Equation::new(Span::default()).times(FixedG2(0), Point::Fixed(0), zero);
    let takes = |weight: usize, add: &dyn Fn(&mut Todo)| {
        let mut todo = Todo::default();
        for count in 1..=FULL {
            add(&mut todo);
            assert_eq!(full(&todo), count * weight >= FULL, "{count} of {weight}");
        }
    };
    takes(1, &|todo| _ = todo.given(point));
    takes(1, &|todo| todo.push(term()));
    takes(2, &|todo| {
        todo.given(point);
        todo.push(term());
    });
    takes(17, &|todo| todo.push(term().times_pair(pair.0, pair.1)));
    let mut todo = Todo::default();
    for claim in 0..2 {
        system::Equations::<Points<Bn254>>::begin(&mut todo, claim);
        (1..FULL).for_each(|_| todo.push(term()));
        assert_eq!(full(&todo), claim == 1);
    }
    system::Equations::<Points<Bn254>>::abandon(&mut todo);
    assert!(!full(&todo));
    todo.push(term());
    assert!(full(&todo));
}

/// A claim that is rejected before it pushes anything does not take the claim before it along.
#[test]
fn an_abandoned_claim_leaves_the_one_before_to_its_verdict() {
    let mut todo = Equations::<Bn254>::default();
    assert!(system::Equations::<Points<Bn254>>::is_empty(&todo));
    system::Equations::<Points<Bn254>>::begin(&mut todo, 0);
    let equation = equation(&mut todo, 7, One::one(), 3);
    todo.push(equation);
    assert!(!system::Equations::<Points<Bn254>>::is_empty(&todo));
    system::Equations::<Points<Bn254>>::begin(&mut todo, 1);
    system::Equations::<Points<Bn254>>::abandon(&mut todo);
    let points = Points(core::marker::PhantomData);
    let failed = todo.settle(&points, Hash([1; 32]), &mut ());
    assert_eq!(failed, [(0, VerifyError::Opening { span: at(3) })]);
}

#[test]
fn errors_that_cancel_are_caught() {
    on_both(&[&[1, -1]], &[(0, at(0))]);
    on_both(&[&[1], &[-1], &[0]], &[(0, at(0)), (1, at(0))]);
    on_both(&[&[0, 2], &[-2]], &[(0, at(1)), (1, at(0))]);
}

#[test]
fn terms_of_one_point_are_one_term() {
    fn check<P: Pairing<G1Affine: affine::Point>>() {
        let mut todo = Equations::<P>::default();
        let shared = todo.given(power::<P::G1>(6));
        for left in [3_u64, 6] {
            let scalar = P::ScalarField::from(left);
            let equation = Equation::new(Span::default()).times(FixedG2(0), shared, scalar).times(
                FixedG2(1),
                Point::Fixed(0),
                -scalar * P::ScalarField::from(3_u64),
            );
            todo.push(equation);
        }
        let mut counted = Counts::default();
        let points = Points(core::marker::PhantomData);
        assert_eq!(todo.settle(&points, Hash::ZERO, &mut counted), []);
        assert_eq!(counted, took(2, 2, 1));
    }
    check::<Bls12_381>();
    check::<Bn254>();
}

#[test]
fn free_pairs_are_raised_to_their_equations_power() {
    fn check<P: Pairing<G1Affine: affine::Point>>() {
        for (factor, expected) in [(6_u64, 0), (5, 1)] {
            let mut todo = Equations::<P>::default();
            for _ in 0..2 {
                let equation = Equation::new(Span::default())
                    .times(FixedG2(0), Point::Fixed(0), -P::ScalarField::from(factor))
                    .times_pair(power::<P::G1>(2), power::<P::G2>(3));
                todo.push(equation);
            }
            let points = Points(core::marker::PhantomData);
            assert_eq!(todo.settle(&points, Hash::ZERO, &mut ()).len(), expected);
        }
    }
    check::<Bls12_381>();
    check::<Bn254>();
}

#[test]
fn an_unknown_point_is_no_proof() {
    let all =
        [(2, Point::Fixed(0)), (0, Point::Fixed(1)), (0, Point::Given(0)), (0, Point::Unknown)];
    for (right, point) in all {
        let mut todo = Equations::<Bn254>::default();
        let zero = <Bn254 as Pairing>::ScalarField::zero();
        todo.push(Equation::new(Span::default()).times(FixedG2(right), point, zero));
        let points = Points(core::marker::PhantomData);
        assert_eq!(todo.settle(&points, Hash::ZERO, &mut ()).len(), 1);
    }
}

#[test]
fn coefficients_follow_the_seed_and_the_index() {
    type S = ark_bn254::Fr;
    let drawn = |seed, index| coefficient::<S>(Hash([seed; 32]), index);
    assert!(drawn(1, 0).is_one());
    let all = [drawn(1, 1), drawn(1, 2), drawn(2, 1), drawn(2, 2)];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one));
        assert!(one.into_bigint().0[2..] == [0, 0]);
    }
}
