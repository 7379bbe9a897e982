//! Pairing equations of many claims, settled by one product.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use ark_ec::CurveGroup;
use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ff::{One, PrimeField, Zero};

use super::affine;
use super::straus::{Base, Term, sums};
use crate::error::{Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::observer::{Cost, Observer, note};
use crate::system;

/// Points and terms that are held before they are settled: a final exponentiation costs a tenth of
/// what so many do, and without a limit claims hold sixty times their bytes.
const FULL: usize = 4096;

/// For how many terms a free pair counts: it takes that much memory, and a Miller loop of its own.
const PAIR: usize = 16;

/// Prepared points of G2 that are held at once; each takes some 20 kB.
const MILLER_CHUNK: usize = 32;

/// Points that a system's parameters fix. An index that they do not have makes the equation false.
pub trait Fixed {
    /// The groups.
    type Curve: Pairing<G1Affine: affine::Point>;

    /// A point of G1.
    fn g1(&self, index: usize) -> Option<Base<<Self::Curve as Pairing>::G1Affine>>;

    /// A point of G2, prepared for the Miller loop.
    fn g2(&self, index: FixedG2) -> Option<<Self::Curve as Pairing>::G2Prepared>;
}

/// A point of G2 that the parameters fix, by its index among those of G2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FixedG2(pub usize);

/// A point of G1 in an equation. Terms of one point and one point of G2 become one term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// A point that the parameters fix, by its index.
    Fixed(usize),
    /// A point of a root or a proof, as [`Equations::given`] returned it.
    Given(usize),
    /// No point: an equation with it is false.
    Unknown,
}

/// One equation Π e(s·P, Qⱼ) · Π e(P, Q) = 1: each Qⱼ a fixed point of G2, each Q a free one.
#[derive(Clone, Debug)]
pub struct Equation<P: Pairing> {
    terms: Vec<(FixedG2, Point, P::ScalarField)>,
    pairs: Vec<(P::G1Affine, P::G2Affine)>,
    span: Span,
}

impl<P: Pairing> Equation<P> {
    /// An equation without factors, true as it stands.
    ///
    /// * `span`: the bytes of the proof that are to blame if it is false.
    pub const fn new(span: Span) -> Self {
        Self { terms: Vec::new(), pairs: Vec::new(), span }
    }

    /// Multiplies the left side by e(`scalar` · `point`, `right`).
    #[must_use]
    pub fn times(
        mut self,
        right: impl Into<FixedG2>,
        point: Point,
        scalar: P::ScalarField,
    ) -> Self {
        self.terms.push((right.into(), point, scalar));
        self
    }

    /// Multiplies the left side by e(`left`, `right`), for a `right` that the parameters do not
    /// fix.
    #[must_use]
    pub fn times_pair(mut self, left: P::G1Affine, right: P::G2Affine) -> Self {
        self.pairs.push((left, right));
        self
    }
}

/// A claim: its number, where its points and its equations start, and what came before it.
#[derive(Clone, Copy, Debug, Default)]
struct Claim {
    number: usize,
    points: usize,
    start: usize,
    weight: usize,
}

/// Equations of many claims. An equation names points of its own claim alone.
#[derive(Clone, Debug)]
pub struct Equations<P: Pairing> {
    given: Vec<Base<P::G1Affine>>,
    all: Vec<Equation<P>>,
    /// Claims that pushed anything, ascending.
    claims: Vec<Claim>,
    current: Claim,
    /// Terms of all equations, and what their pairs count for.
    weight: usize,
}

impl<P: Pairing> Default for Equations<P> {
    fn default() -> Self {
        let (given, all, claims) = (Vec::new(), Vec::new(), Vec::new());
        Self { given, all, claims, current: Claim::default(), weight: 0 }
    }
}

/// What settling took.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    terms: usize,
    loops: usize,
    exponentiations: usize,
}

impl<P: Pairing> Equations<P> {
    /// Takes a point, so that equations that share it can name it.
    pub fn given(&mut self, point: impl Into<Base<P::G1Affine>>) -> Point {
        self.given.push(point.into());
        Point::Given(self.given.len().saturating_sub(1))
    }

    /// Adds an equation to the current claim, which holds if all its equations do.
    pub fn push(&mut self, equation: Equation<P>) {
        if self.claims.last().is_none_or(|claim| claim.number != self.current.number) {
            self.claims.push(self.current);
        }
        let weight = equation.terms.len().saturating_add(PAIR.saturating_mul(equation.pairs.len()));
        self.weight = self.weight.saturating_add(weight);
        self.all.push(equation);
    }
}

/// Settles under one seed and one set of parameters.
struct Settlement<'a, F: Fixed> {
    equations: &'a Equations<F::Curve>,
    params: &'a F,
    /// The points that the equations at hand may name.
    given: Range<usize>,
    coefficients: Vec<<F::Curve as Pairing>::ScalarField>,
    tally: Tally,
}

impl<F: Fixed> Settlement<'_, F> {
    /// The claims that fail, each alone. Halving would be faster for a single false one among many,
    /// but sum every claim's points over and over where there are more.
    fn each(&mut self) -> Vec<(usize, VerifyError)> {
        let claims = &self.equations.claims;
        let mut failed = Vec::new();
        for (index, claim) in claims.iter().enumerate() {
            let end = claims.get(index.saturating_add(1));
            self.given = claim.points..end.map_or(self.equations.given.len(), |next| next.points);
            let range = claim.start..end.map_or(self.equations.all.len(), |next| next.start);
            if !self.holds(range.clone()) {
                let span = self.culprit(range);
                failed.push((claim.number, VerifyError::Opening { span }));
            }
        }
        failed
    }

    /// The first false equation among some that do not hold together.
    fn culprit(&mut self, mut range: Range<usize>) -> Span {
        while range.len() > 1 {
            let middle = range.start.midpoint(range.end);
            if self.holds(range.start..middle) {
                range.start = middle;
            } else {
                range.end = middle;
            }
        }
        self.equations.all.get(range.start).map_or(Span::default(), |equation| equation.span)
    }

    /// Whether the product of some equations, each to the power of its coefficient, is one.
    fn holds(&mut self, range: Range<usize>) -> bool {
        self.product(range).is_some_and(|product| {
            self.tally.exponentiations = self.tally.exponentiations.saturating_add(1);
            is_one::<F::Curve>(product)
        })
    }

    /// The product before its final exponentiation; `None` if an equation names an unknown point.
    fn product(&mut self, range: Range<usize>) -> Option<<F::Curve as Pairing>::TargetField> {
        let (left, right) = self.factors(range)?;
        let left = <F::Curve as Pairing>::G1::normalize_batch(&left);
        let mut product = <F::Curve as Pairing>::TargetField::one();
        for (left, right) in left.chunks(MILLER_CHUNK).zip(right.chunks(MILLER_CHUNK)) {
            let right: Option<Vec<_>> = right.iter().map(|right| self.prepare(right)).collect();
            product *= miller::<F::Curve>(left, right?);
            self.tally.loops = self.tally.loops.saturating_add(left.len());
        }
        Some(product)
    }

    fn prepare(&self, right: &Right<F::Curve>) -> Option<<F::Curve as Pairing>::G2Prepared> {
        match right {
            Right::Fixed(index) => self.params.g2(*index),
            Right::Free(point) => Some((*point).into()),
        }
    }

    /// One factor for each fixed point of G2 that occurs, and one for each free pair.
    fn factors(&mut self, range: Range<usize>) -> Option<Factors<F::Curve>> {
        let equations = self.equations;
        let mut right = Vec::new();
        let given = equations.given.get(self.given.clone())?;
        let mut bases = given.to_vec();
        let mut summed = Vec::new();
        let mut terms = BTreeMap::new();
        let coefficients = self.coefficients.get(range.clone())?;
        for (equation, coefficient) in equations.all.get(range)?.iter().zip(coefficients) {
            for (at, point, scalar) in &equation.terms {
                let total = terms.entry((*at, *point)).or_insert_with(Zero::zero);
                *total += *coefficient * scalar;
            }
            for (point, other) in &equation.pairs {
                summed.push(Term { sum: right.len(), base: bases.len(), scalar: *coefficient });
                bases.push((*point).into());
                right.push(Right::Free(*other));
            }
        }
        let mut last = None;
        for ((at, point), scalar) in terms {
            if last.replace(at) != Some(at) {
                right.push(Right::Fixed(at));
            }
            let base = match point {
                Point::Given(index) => {
                    index.checked_sub(self.given.start).filter(|index| *index < given.len())?
                }
                Point::Fixed(index) => {
                    bases.push(self.params.g1(index)?);
                    bases.len().saturating_sub(1)
                }
                Point::Unknown => return None,
            };
            summed.push(Term { sum: right.len().saturating_sub(1), base, scalar });
        }
        self.tally.terms = self.tally.terms.saturating_add(summed.len());
        Some((sums(&bases, &summed, right.len()), right))
    }
}

/// The product of pairings before its final exponentiation. Everything that pairs does so here: the
/// loop is large, and generic over what it iterates.
pub(crate) fn miller<P: Pairing>(
    left: &[P::G1Affine],
    right: Vec<P::G2Prepared>,
) -> P::TargetField {
    P::multi_miller_loop(left.iter().copied(), right).0
}

/// Whether a product of Miller loops is one.
pub(crate) fn is_one<P: Pairing>(product: P::TargetField) -> bool {
    P::final_exponentiation(MillerLoopOutput(product)).is_some_and(|result| result.0.is_one())
}

/// The right side of a factor.
enum Right<P: Pairing> {
    Fixed(FixedG2),
    Free(P::G2Affine),
}

/// Left sides, and right sides.
type Factors<P> = (Vec<<P as Pairing>::G1>, Vec<Right<P>>);

impl<F: Fixed> system::Equations<F> for Equations<F::Curve> {
    fn begin(&mut self, claim: usize) {
        let (points, start) = (self.given.len(), self.all.len());
        self.current = Claim { number: claim, points, start, weight: self.weight };
    }

    fn abandon(&mut self) {
        self.given.truncate(self.current.points);
        self.all.truncate(self.current.start);
        self.weight = self.current.weight;
        self.claims.pop_if(|claim| claim.number == self.current.number);
    }

    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn is_full(&self) -> bool {
        self.given.len().saturating_add(self.weight) >= FULL
    }

    fn settle(
        &self,
        params: &F,
        seed: Hash,
        observer: &mut impl Observer,
    ) -> Vec<(usize, VerifyError)> {
        let coefficients = (0..self.all.len()).map(|index| coefficient(seed, index)).collect();
        let mut settlement = Settlement {
            equations: self,
            params,
            given: 0..self.given.len(),
            coefficients,
            tally: Tally::default(),
        };
        let mut failed = Vec::new();
        if !settlement.holds(0..self.all.len()) {
            failed = settlement.each();
            if failed.is_empty() {
                // A false product of true factors: whatever went wrong, nothing is proven.
                let span = Span::default();
                let all = self.claims.iter();
                failed.extend(all.map(|claim| (claim.number, VerifyError::Opening { span })));
            }
        }
        let Tally { terms, loops, exponentiations } = settlement.tally;
        observer.cost(Cost::Terms(terms));
        observer.cost(Cost::Loops(loops));
        observer.cost(Cost::Exponentiations(exponentiations));
        note!(observer, Settled "equations", None, equations: self.all.len());
        failed
    }
}

/// The power that an equation is raised to: one for the first, 128 bits of the seed for the others.
///
/// The product of a set with a false equation is one for at most one choice of that equation's
/// coefficient, given the others'.
fn coefficient<S: PrimeField>(seed: Hash, index: usize) -> S {
    if index == 0 {
        return S::one();
    }
    let mut input = [0; 40];
    let (head, tail) = input.split_at_mut(32);
    head.copy_from_slice(&seed.0);
    tail.copy_from_slice(&(index as u64).to_be_bytes());
    let Hash(digest) = keccak256(&input);
    let half = digest.first_chunk().map_or(0, |half| u128::from_be_bytes(*half));
    S::from(half)
}

#[cfg(test)]
mod tests;
