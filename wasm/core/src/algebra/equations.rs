//! Pairing equations of many claims, settled by one product, or by the parts of one.

mod part;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{One, PrimeField, Zero};

use self::part::Waiting;
use super::affine;
use super::straus::{Base, Term, sums};
use crate::error::{DecodeError, Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::observer::{Cost, Observer, note};
use crate::system::{self, Encoded, Part};
use crate::wire::short;

/// Points and terms that are held before they are settled: a final exponentiation costs a tenth of
/// what so many do, and without a limit claims hold sixty times their bytes.
const FULL: usize = 4096;

/// The same where points wait: parts are made of all claims at once, and there is no other way.
const FULL_OF_WAITING: usize = 16_384;

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

    /// A sum of multiples of points of G2; `None` if one of them is unknown.
    fn right(
        &self,
        _terms: &[Multiple<Self::Curve>],
    ) -> Option<<Self::Curve as Pairing>::G2Affine> {
        None
    }

    /// Reads points of a proof.
    ///
    /// # Errors
    /// `decode.point` for the first that is none.
    fn read(&self, points: &[Encoded<'_>]) -> Result<Vec<Given<Self::Curve>>, DecodeError>;
}

/// A point of G1 that a proof gives.
type Given<P> = Base<<P as Pairing>::G1Affine>;

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
    pairs: Vec<Pair<P>>,
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

    /// Multiplies the left side by e(`left`, `right`), for two sums of multiples of points.
    #[must_use]
    pub fn times_pair(
        mut self,
        left: Vec<(Point, P::ScalarField)>,
        right: Vec<Multiple<P>>,
    ) -> Self {
        self.pairs.push(Pair { left, right });
        self
    }
}

/// A point of G2 in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summand<P: Pairing> {
    /// One that the parameters fix, by its index among those of [`Fixed::right`].
    Fixed(usize),
    /// One of a proof.
    Given(P::G2Affine),
}

/// A multiple of a point of G2.
pub type Multiple<P> = (Summand<P>, <P as Pairing>::ScalarField);

/// Two sums that are paired.
#[derive(Clone, Debug)]
struct Pair<P: Pairing> {
    left: Vec<(Point, P::ScalarField)>,
    right: Vec<Multiple<P>>,
}

impl<P: Pairing> Pair<P> {
    /// For how many terms it counts.
    fn weight(&self) -> usize {
        PAIR.saturating_add(self.left.len()).saturating_add(self.right.len())
    }
}

/// A claim: its number, where its points and its equations start, and what came before it.
#[derive(Clone, Copy, Debug, Default)]
struct Claim {
    number: usize,
    points: usize,
    start: usize,
    weight: usize,
    /// Where the points of its proof start.
    proof: usize,
}

/// Equations of many claims. An equation names points of its own claim alone.
#[derive(Clone, Debug)]
pub struct Equations<P: Pairing> {
    /// Infinity for a point that waits.
    given: Vec<Base<P::G1Affine>>,
    /// Points that are read where a part needs them; `None` where all are read at once.
    waiting: Option<Vec<Waiting>>,
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
        Self { given, waiting: None, all, claims, current: Claim::default(), weight: 0 }
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

    /// A point of the current claim's proof, by its place among those that were read.
    pub fn of_proof(&self, place: usize) -> Point {
        Point::Given(self.current.proof.saturating_add(place))
    }

    /// Adds an equation to the current claim, which holds if all its equations do.
    pub fn push(&mut self, equation: Equation<P>) {
        if self.claims.last().is_none_or(|claim| claim.number != self.current.number) {
            self.claims.push(self.current);
        }
        let pairs = equation.pairs.iter().map(Pair::weight);
        let weight = pairs.fold(equation.terms.len(), usize::saturating_add);
        self.weight = self.weight.saturating_add(weight);
        self.all.push(equation);
    }
}

/// Settles under one seed and one set of parameters.
struct Settlement<'a, P: Pairing> {
    equations: &'a Equations<P>,
    params: &'a dyn Fixed<Curve = P>,
    /// The points that the equations at hand may name.
    given: Range<usize>,
    coefficients: Vec<P::ScalarField>,
    tally: Tally,
}

impl<'a, P: Pairing<G1Affine: affine::Point>> Settlement<'a, P> {
    fn new(equations: &'a Equations<P>, params: &'a dyn Fixed<Curve = P>, seed: Hash) -> Self {
        let coefficients = (0..equations.all.len()).map(|index| coefficient(seed, index)).collect();
        let given = 0..equations.given.len();
        Self { equations, params, given, coefficients, tally: Tally::default() }
    }

    /// Whether all equations hold.
    fn all_hold(&mut self) -> bool {
        self.given = 0..self.equations.given.len();
        self.holds(0..self.equations.all.len())
    }

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
            is_one::<P>(product)
        })
    }

    /// The product before its final exponentiation; `None` if an equation names an unknown point.
    fn product(&mut self, range: Range<usize>) -> Option<P::TargetField> {
        let given = self.equations.given.get(self.given.clone())?.to_vec();
        let first = self.given.start;
        let terms = self.terms(range)?;
        self.product_of(&terms, given, &|index| index.checked_sub(first))
    }

    /// The terms of some equations, by their points of G2, and their pairs.
    fn terms(&self, range: Range<usize>) -> Option<Terms<'a, P>> {
        let coefficients = self.coefficients.get(range.clone())?;
        let (mut sums, mut pairs) = (BTreeMap::new(), Vec::new());
        let equations = self.equations;
        for (equation, coefficient) in equations.all.get(range)?.iter().zip(coefficients) {
            for (at, point, scalar) in &equation.terms {
                let total = sums.entry((*at, *point)).or_insert_with(Zero::zero);
                *total += *coefficient * scalar;
            }
            pairs.extend(equation.pairs.iter().map(|pair| (pair, *coefficient)));
        }
        Some(Terms { fixed: sums.into_iter().collect(), pairs })
    }

    /// The product of terms, before its final exponentiation.
    ///
    /// * `given`: points, and `place`: which of them a term names by its number among all.
    fn product_of(
        &mut self,
        terms: &Terms<'_, P>,
        given: Vec<Given<P>>,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> Option<P::TargetField> {
        let (left, right) = self.factors(terms, given, place)?;
        let left = P::G1::normalize_batch(&left);
        let mut product = P::TargetField::one();
        for (left, right) in left.chunks(MILLER_CHUNK).zip(right.chunks(MILLER_CHUNK)) {
            let right: Option<Vec<_>> = right.iter().map(|right| self.prepare(right)).collect();
            product *= miller::<P>(left, right?);
            self.tally.loops = self.tally.loops.saturating_add(left.len());
        }
        Some(product)
    }

    fn prepare(&self, right: &Right<'_, P>) -> Option<P::G2Prepared> {
        match right {
            Right::Fixed(index) => self.params.g2(*index),
            Right::Free(terms) => self.params.right(terms).map(Into::into),
        }
    }

    /// One factor for each fixed point of G2 that occurs, and one for each free pair.
    fn factors<'t>(
        &mut self,
        terms: &Terms<'t, P>,
        mut bases: Vec<Given<P>>,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> Option<Factors<'t, P>> {
        let given = bases.len();
        let (mut right, mut summed) = (Vec::new(), Vec::new());
        // Where the parameters' points stand that were met.
        let mut met: Vec<Option<usize>> = Vec::new();
        let mut base = |point: Point| match point {
            Point::Given(index) => place(index).filter(|index| *index < given),
            Point::Fixed(index) => {
                let known = met.get(index).copied().flatten();
                if known.is_some() {
                    return known;
                }
                let point = self.params.g1(index)?;
                met.resize(met.len().max(index.saturating_add(1)), None);
                let at = bases.len();
                bases.push(point);
                *met.get_mut(index)? = Some(at);
                Some(at)
            }
            Point::Unknown => None,
        };
        for (pair, coefficient) in &terms.pairs {
            for (point, factor) in &pair.left {
                let scalar = *coefficient * factor;
                summed.push(Term { sum: right.len(), base: base(*point)?, scalar });
            }
            right.push(Right::Free(pair.right.as_slice()));
        }
        let mut last = None;
        for ((at, point), scalar) in &terms.fixed {
            if last.replace(*at) != Some(*at) {
                right.push(Right::Fixed(*at));
            }
            let sum = right.len().saturating_sub(1);
            summed.push(Term { sum, base: base(*point)?, scalar: *scalar });
        }
        self.tally.terms = self.tally.terms.saturating_add(summed.len());
        Some((sums(&bases, &summed, right.len()), right))
    }
}

/// What is paired: sums of multiples with fixed points of G2, and free pairs with their powers.
struct Terms<'a, P: Pairing> {
    /// Ascending by the point of G2.
    fixed: Vec<((FixedG2, Point), P::ScalarField)>,
    pairs: Vec<(&'a Pair<P>, P::ScalarField)>,
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
enum Right<'a, P: Pairing> {
    Fixed(FixedG2),
    Free(&'a [Multiple<P>]),
}

/// Left sides, and right sides.
type Factors<'a, P> = (Vec<<P as Pairing>::G1>, Vec<Right<'a, P>>);

impl<P: Pairing> system::Join for Equations<P> {
    fn join(parts: &[&[u8]]) -> bool {
        let product = parts.iter().try_fold(P::TargetField::one(), |product, part| {
            Some(product * part::from_bytes::<P::TargetField>(part)?)
        });
        product.is_some_and(is_one::<P>)
    }
}

impl<F: Fixed> system::Equations<F> for Equations<F::Curve> {
    fn begin(&mut self, claim: usize) {
        let (points, start) = (self.given.len(), self.all.len());
        let weight = self.weight;
        self.current = Claim { number: claim, points, start, weight, proof: points };
    }

    fn abandon(&mut self) {
        self.given.truncate(self.current.points);
        if let Some(waiting) = &mut self.waiting {
            waiting.retain(|point| point.place < self.current.points);
        }
        self.all.truncate(self.current.start);
        self.weight = self.current.weight;
        self.claims.pop_if(|claim| claim.number == self.current.number);
    }

    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn is_full(&self) -> bool {
        let full = if self.waiting.is_some() { FULL_OF_WAITING } else { FULL };
        self.given.len().saturating_add(self.weight) >= full
    }

    fn lazily() -> Self {
        Self { waiting: Some(Vec::new()), ..Self::default() }
    }

    fn read(&mut self, params: &F, points: &[Encoded<'_>]) -> Result<(), DecodeError> {
        self.current.proof = self.given.len();
        match &mut self.waiting {
            None => self.given.extend(params.read(points)?),
            Some(waiting) => {
                for (place, point) in (self.current.proof..).zip(points) {
                    waiting.push(Waiting::new(place, *point));
                    self.given.push(<F::Curve as Pairing>::G1Affine::zero().into());
                }
            }
        }
        Ok(())
    }

    fn part(&self, params: &F, seed: Hash, part: Part) -> Option<Vec<u8>> {
        let product = Settlement::new(self, params, seed).part(part)?;
        Some(part::to_bytes(&product))
    }

    fn settle(
        &self,
        params: &F,
        seed: Hash,
        observer: &mut impl Observer,
    ) -> Vec<(usize, VerifyError)> {
        let all_fail = || {
            let error = VerifyError::Opening { span: Span::default() };
            self.claims.iter().map(|claim| (claim.number, error)).collect()
        };
        // Of points that wait nothing was read.
        if self.waiting.is_some() {
            return all_fail();
        }
        let mut settlement = Settlement::new(self, params, seed);
        let mut failed = Vec::new();
        if !settlement.all_hold() {
            failed = settlement.each();
            // The product of true claims is one. If it was not, the machine erred: an engine may
            // compile a function wrongly. Only the product proves claims, so it is computed again.
            if failed.is_empty() && !settlement.all_hold() {
                failed = all_fail();
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
    short(half)
}

#[cfg(test)]
mod tests;
