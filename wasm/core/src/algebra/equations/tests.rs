use alloc::collections::BTreeSet;
use alloc::vec;
use core::cell::Cell;
use core::marker::PhantomData;

use ark_bls12_381::{Bls12_381, G1Affine, G2Affine};
use ark_bn254::Bn254;
use ark_ec::{AffineRepr, PrimeGroup};

use super::*;
use crate::error::Malformed;
use crate::observer::Counts;
use crate::system::{Equations as _, Join as _};

/// G1: the generator. G2: the generator, and twice it.
#[derive(Clone, Debug)]
struct Points<P>(PhantomData<P>);

impl<P: Pairing<G1Affine: affine::Point>> Fixed for Points<P> {
    type Curve = P;

    fn g1(&self, index: usize) -> Option<Base<P::G1Affine>> {
        (index == 0).then(|| Base::from(P::G1Affine::generator()))
    }

    fn g2(&self, FixedG2(index): FixedG2) -> Option<P::G2Prepared> {
        let times = [1_u64, 2].get(index)?;
        Some(power::<P::G2>(*times).into())
    }

    fn right(&self, terms: &[(Summand<P>, P::ScalarField)]) -> Option<P::G2Affine> {
        let mut sum = P::G2::zero();
        for (summand, scalar) in terms {
            sum += match summand {
                Summand::Fixed(index) => power::<P::G2>(*[1, 2].get(*index)?),
                Summand::Given(point) => *point,
            } * scalar;
        }
        Some(sum.into_affine())
    }

    /// A byte: how many times the generator, up to 100.
    fn read(&self, points: &[Encoded<'_>]) -> Result<Vec<Base<P::G1Affine>>, DecodeError> {
        let read = |Encoded { from, field, .. }: &Encoded<'_>| {
            let times = from.bytes.first().filter(|times| **times <= 100);
            let times = times.ok_or(Malformed::Point.at(field, "too large", from.span))?;
            Ok(Base::from(power::<P::G1>((*times).into())))
        };
        points.iter().map(read).collect()
    }
}

/// The equation e(2·G, 3·H) = e(`factor`·G, H), true for 6.
fn paired<P: Pairing>(factor: u64) -> Equation<P> {
    let scalar = |times: u64| P::ScalarField::from(times);
    // 2 = 5 - 3, and 3 = 2·2 - 1.
    let left = vec![(Point::Fixed(0), scalar(5)), (Point::Fixed(0), -scalar(3))];
    let right =
        vec![(Summand::Fixed(1), scalar(2)), (Summand::Given(power::<P::G2>(1)), -scalar(1))];
    Equation::new(Span::default())
        .times(FixedG2(0), Point::Fixed(0), -scalar(factor))
        .times_pair(left, right)
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
    let points = Points(PhantomData);
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
    let points = Points(PhantomData);
    assert_eq!(todo.settle(&points, Hash([1; 32]), &mut counted), []);
    assert_eq!(counted, took(3, 2, 1));
}

#[test]
fn a_product_is_made_of_its_factors() {
    let (left, right) =
        (power::<<Bls12_381 as Pairing>::G1>(2), power::<<Bls12_381 as Pairing>::G2>(3));
    let mut todo = Equations::<Bls12_381>::default();
    let sides = (vec![(Point::Fixed(0), 2.into())], vec![(Summand::Fixed(0), 3.into())]);
    todo.push(Equation::new(Span::default()).times_pair(sides.0, sides.1));
    let mut settlement = Settlement {
        equations: &todo,
        params: &Points(PhantomData),
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
    let sides = (vec![(Point::Fixed(0), zero); 3], vec![(Summand::Fixed(0), zero); 5]);
    let term = || Equation::new(Span::default()).times(FixedG2(0), Point::Fixed(0), zero);
    let lazily = <Todo as system::Equations<Points<Bn254>>>::lazily;
    let takes = |weight: usize, add: &dyn Fn(&mut Todo)| {
        for (mut todo, most) in [(Todo::default(), 4096), (lazily(), 16_384)] {
            for count in 1..=most {
                add(&mut todo);
                assert_eq!(full(&todo), count * weight >= most, "{count} of {weight}");
            }
        }
    };
    takes(1, &|todo| _ = todo.given(point));
    takes(1, &|todo| todo.push(term()));
    takes(2, &|todo| {
        todo.given(point);
        todo.push(term());
    });
    let paired = || term().times_pair(sides.0.clone(), sides.1.clone());
    takes(25, &|todo| todo.push(paired()));
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
    let points = Points(PhantomData);
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
        let points = Points(PhantomData);
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
                todo.push(paired(factor));
            }
            let points = Points(PhantomData);
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
        let points = Points(PhantomData);
        assert_eq!(todo.settle(&points, Hash::ZERO, &mut ()).len(), 1);
    }
}

/// Parameters without points of G2 for sums.
struct NoSums;

impl Fixed for NoSums {
    type Curve = Bls12_381;

    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        Points::<Bls12_381>(PhantomData).g1(index)
    }

    fn g2(&self, _index: FixedG2) -> Option<<Bls12_381 as Pairing>::G2Prepared> {
        None
    }

    fn read(&self, _points: &[Encoded<'_>]) -> Result<Vec<Base<G1Affine>>, DecodeError> {
        Ok(Vec::new())
    }
}

/// [`Points`] on a machine that computes some products wrongly: their points of G2 are exchanged.
/// Each product asks for two.
struct Erring {
    /// For each product, in order, whether it is wrong.
    errs: &'static [bool],
    /// How many points of G2 were asked for.
    asked: Cell<usize>,
}

impl Fixed for Erring {
    type Curve = Bls12_381;

    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        Points(PhantomData::<Bls12_381>).g1(index)
    }

    fn g2(&self, FixedG2(index): FixedG2) -> Option<<Bls12_381 as Pairing>::G2Prepared> {
        let product = self.asked.replace(self.asked.get() + 1) / 2;
        let errs = self.errs[product];
        Points(PhantomData::<Bls12_381>).g2(FixedG2(if errs { 1 - index } else { index }))
    }

    fn read(&self, points: &[Encoded<'_>]) -> Result<Vec<Base<G1Affine>>, DecodeError> {
        Points(PhantomData::<Bls12_381>).read(points)
    }
}

/// The products of two true claims: of both, of each alone, and of both once more.
#[test]
fn true_claims_are_proven_by_a_product_alone() {
    let (none, all) = (vec![], vec![0, 1]);
    for (errs, rejected) in [
        (&[false][..], &none),
        (&[true, false, false, false], &none),
        (&[true, false, false, true], &all),
        (&[true, true, false], &vec![0]),
        (&[true, false, true], &vec![1]),
    ] {
        let mut todo = Equations::default();
        for claim in 0..2 {
            system::Equations::<Erring>::begin(&mut todo, claim);
            let equation = equation::<Bls12_381>(&mut todo, 7, Zero::zero(), 0);
            todo.push(equation);
        }
        let params = Erring { errs, asked: Cell::new(0) };
        let mut counted = Counts::default();
        let failed = todo.settle(&params, Hash([7; 32]), &mut counted);
        assert_eq!(failed.iter().map(|(claim, _)| *claim).collect::<Vec<_>>(), *rejected);
        assert_eq!(counted.exponentiations, errs.len());
        assert_eq!(params.asked.get(), 2 * errs.len());
    }
}

#[test]
fn an_unknown_sum_is_no_proof() {
    let mut todo = Equations::<Bls12_381>::default();
    // With infinity it would be true.
    let left = vec![(Point::Fixed(0), One::one())];
    todo.push(Equation::new(Span::default()).times_pair(left, Vec::new()));
    assert_eq!(todo.settle(&NoSums, Hash::ZERO, &mut ()).len(), 1);
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

type Curve = Bls12_381;
type Todo = Equations<Curve>;
type Params = Points<Curve>;

const PARAMS: Params = Points(PhantomData);
const SEED: Hash = Hash([3; 32]);

/// Two claims whose equations name `bytes` as points, read or waiting: for each byte b at place i,
/// e(b·G, 2·H) = e(2·b·G, H), with the second of each four claimed as one more.
///
/// * `wrong`: what is added to the right side of the first.
fn points(mut todo: Todo, bytes: &[u8], wrong: u64) -> Option<Todo> {
    type Scalar = <Curve as Pairing>::ScalarField;
    for (claim, bytes) in bytes.chunks(bytes.len().div_ceil(2)).enumerate() {
        system::Equations::<Params>::begin(&mut todo, claim);
        let root = todo.given(power::<<Curve as Pairing>::G1>(9));
        let encoded: Vec<_> = bytes.chunks(1).map(|bytes| encoded(bytes)).collect();
        todo.read(&PARAMS, &encoded).ok()?;
        for (place, byte) in bytes.iter().enumerate() {
            let wrong = if claim == 0 && place == 0 { wrong } else { 0 };
            let (point, again) = (todo.of_proof(place), todo.of_proof(0));
            let total = 2 * u64::from(*byte) + 18 + u64::from(bytes[0]) + wrong;
            let equation = Equation::new(Span::default())
                .times(FixedG2(1), point, Scalar::one())
                .times(FixedG2(1), root, Scalar::one())
                .times(FixedG2(0), again, Scalar::one())
                .times(FixedG2(0), Point::Fixed(0), -Scalar::from(total));
            todo.push(equation);
        }
    }
    Some(todo)
}

fn encoded(bytes: &[u8]) -> Encoded<'_> {
    let from = crate::wire::Bytes { bytes, span: Span::default() };
    Encoded { from, field: "point", is_finite: false }
}

fn lazily(bytes: &[u8], wrong: u64) -> Todo {
    points(system::Equations::<Params>::lazily(), bytes, wrong).unwrap()
}

fn parts(todo: &Todo, of: usize) -> Option<Vec<Vec<u8>>> {
    (0..of).map(|number| todo.part(&PARAMS, SEED, Part { number, of })).collect()
}

fn join(parts: &[Vec<u8>]) -> bool {
    let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
    Todo::join(&parts)
}

#[test]
fn parts_show_what_the_whole_shows() {
    let bytes = [5, 8, 0, 3, 100, 3, 7];
    for (wrong, is_true) in [(0, true), (1, false)] {
        let whole = points(Todo::default(), &bytes, wrong).unwrap();
        assert_eq!(whole.settle(&PARAMS, SEED, &mut ()).is_empty(), is_true);
        for of in 1..=40 {
            for todo in [&whole, &lazily(&bytes, wrong)] {
                let parts = parts(todo, of).unwrap();
                assert_eq!(join(&parts), is_true, "{of}");
                // With so few, none is empty.
                assert!(!is_true || !(2..=3).contains(&of) || !join(&parts[1..]));
            }
        }
    }
}

/// Every part alone says nothing, but their product is the product of the whole.
#[test]
fn parts_are_factors() {
    type Target = <Curve as Pairing>::TargetField;
    let todo = lazily(&[5, 8, 0, 3], 1);
    let whole = Settlement::new(&points(Todo::default(), &[5, 8, 0, 3], 1).unwrap(), &PARAMS, SEED)
        .product(0..4)
        .map(|product| Curve::final_exponentiation(MillerLoopOutput(product)));
    for of in 1..6 {
        let parts = parts(&todo, of).unwrap();
        let parts = parts.iter().map(|part| part::from_bytes::<Target>(part).unwrap());
        let product = parts.product();
        assert_eq!(Some(Curve::final_exponentiation(MillerLoopOutput(product))), whole);
    }
}

/// What waits was not read, so that nothing is settled by it.
#[test]
fn points_that_wait_are_no_proof() {
    let failed = lazily(&[5, 8], 0).settle(&PARAMS, SEED, &mut ());
    assert_eq!(failed.iter().map(|(claim, _)| *claim).collect::<Vec<_>>(), [0, 1]);
}

/// A point that is none is seen at once, or by the part that reads it, whether a term names it or
/// not.
#[test]
fn every_point_is_read() {
    assert!(points(Todo::default(), &[5, 101], 0).is_none());
    for bytes in [[5, 101, 7, 8], [101, 5, 7, 8], [5, 7, 8, 101]] {
        let todo = lazily(&bytes, 0);
        for of in 1..=20 {
            assert_eq!(parts(&todo, of), None);
        }
    }
    let mut todo: Todo = system::Equations::<Params>::lazily();
    system::Equations::<Params>::begin(&mut todo, 0);
    todo.read(&PARAMS, &[encoded(&[101])]).unwrap();
    for of in 1..4 {
        assert_eq!(parts(&todo, of), None);
    }
}

/// The points of a claim that is rejected wait no longer; those before and after it do.
#[test]
fn what_is_abandoned_is_not_read() {
    let mut todo = lazily(&[5, 8], 0);
    system::Equations::<Params>::begin(&mut todo, 2);
    todo.read(&PARAMS, &[encoded(&[101]), encoded(&[101])]).unwrap();
    system::Equations::<Params>::abandon(&mut todo);
    assert!(join(&parts(&todo, 2).unwrap()));
    let todo = points(todo, &[3, 7], 0).unwrap();
    assert!(join(&parts(&todo, 2).unwrap()));
}

/// The terms of all parts are all terms, each once, by either cut.
#[test]
fn every_term_is_in_one_part() {
    type Scalar = <Curve as Pairing>::ScalarField;
    let pair = Pair::<Curve> { left: vec![(Point::Given(2), Scalar::one())], right: Vec::new() };
    for (rights, lefts) in [(1, 30), (30, 1), (6, 6), (0, 0)] {
        let names = (0..rights).flat_map(|right| (0..lefts).map(move |left| (right, left)));
        let name = |(right, left)| (FixedG2(right), Point::Given(left));
        let fixed: Vec<_> = names.map(|names| (name(names), Scalar::one())).collect();
        let pairs: Vec<_> = (0..12_u64).map(|at| (&pair, Scalar::from(at))).collect();
        for of in 1..=8 {
            let part = |number| {
                let terms = Terms::<Curve> { fixed: fixed.clone(), pairs: pairs.clone() };
                terms.part(Part { number, of }, lefts)
            };
            let parts: Vec<_> = (0..of).map(part).collect();
            let mut found: Vec<_> = parts.iter().flat_map(|part| part.fixed.clone()).collect();
            found.sort_by_key(|(name, _)| *name);
            assert_eq!(found, fixed);
            let mut found: Vec<_> = parts.iter().flat_map(|part| part.pairs.clone()).collect();
            found.sort_by_key(|(_, scalar)| *scalar);
            assert!(
                found.iter().map(|(_, scalar)| scalar).eq(pairs.iter().map(|(_, scalar)| scalar))
            );
            let most = parts.iter().map(|part| part.pairs.len()).max().unwrap();
            assert!(most <= pairs.len().div_ceil(of) + 1, "{most} pairs in {of}");
            let most = parts.iter().map(|part| part.fixed.len()).max().unwrap();
            assert!(most <= fixed.len().div_ceil(of) + 12, "{most} of {} in {of}", fixed.len());
            for part in parts {
                assert!(part.fixed.is_sorted_by_key(|(name, _)| *name));
            }
        }
    }
}

#[test]
fn a_part_has_one_form() {
    type Target = <Curve as Pairing>::TargetField;
    let element = Curve::pairing(G1Affine::generator(), G2Affine::generator()).0;
    let bytes = part::to_bytes(&element);
    assert_eq!(bytes.len(), 576);
    assert_eq!(part::from_bytes::<Target>(&bytes), Some(element));
    assert_eq!(part::from_bytes::<Target>(&bytes[..575]), None);
    assert_eq!(part::from_bytes::<Target>(&bytes[..528]), None);
    assert_eq!(part::from_bytes::<Target>(&[bytes.clone(), vec![0; 48]].concat()), None);
    assert_eq!(part::from_bytes::<Target>(&[]), None);
    assert_eq!(part::from_bytes::<Target>(&[0xff; 576]), None);
    assert!(!join(&[bytes[..575].to_vec()]));
}

/// Points of G1 and of G2 in all parts of terms of these points, counted once for each part.
fn cut(terms: impl IntoIterator<Item = (usize, usize)>, of: usize) -> [usize; 2] {
    let terms: BTreeSet<_> = terms.into_iter().collect();
    let count = terms.len();
    let part = |number| {
        let fixed =
            terms.iter().map(|(right, left)| ((FixedG2(*right), Point::Given(*left)), One::one()));
        let all = Terms::<Bn254> { fixed: fixed.collect(), pairs: Vec::new() };
        all.part(Part { number, of }, 100).fixed
    };
    let parts: Vec<_> = (0..of).map(part).collect();
    assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), count);
    assert!(parts.iter().all(|part| part.len() * of <= 2 * count), "a part is too large");
    let lefts =
        |part: &Vec<_>| part.iter().map(|((_, left), _)| *left).collect::<BTreeSet<Point>>().len();
    let rights = |part: &Vec<_>| {
        part.iter().map(|((right, _), _)| *right).collect::<BTreeSet<FixedG2>>().len()
    };
    [parts.iter().map(lefts).sum(), parts.iter().map(rights).sum()]
}

/// A point of G1 is read and a point of G2 is paired as seldom as can be.
#[test]
fn terms_are_cut_where_it_is_cheap() {
    let grid = |rights: usize, lefts: usize| {
        (0..rights).flat_map(move |right| (0..lefts).map(move |left| (right, left)))
    };
    // Two loops more, and no point is read twice.
    assert_eq!(cut(grid(2, 40), 2), [40, 4]);
    // Of few points of G1 parts would not be equal.
    assert_eq!(cut(grid(2, 9), 2), [9, 4]);
    assert_eq!(cut(grid(2, 8), 2), [16, 2]);
    // As dear either way.
    assert_eq!(cut(grid(10, 30), 2), [60, 10]);
    // A loop counts for more than a term.
    let own = (0..60).map(|left: usize| (left.saturating_sub(29), left));
    assert_eq!(cut(own, 2), [60, 31]);
    // A point is read once for all its terms.
    let once = (20..220).map(|left| (0, left));
    assert_eq!(cut(grid(10, 20).chain(once), 2), [220, 11]);
    // Every point has its own.
    assert_eq!(cut((0..40).map(|index| (index, index)), 4), [40, 40]);
}
