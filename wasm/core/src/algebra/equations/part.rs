//! A part of a settlement: some of the terms of the one product. The products of all parts, times
//! each other, are the whole product, whichever terms are in which part.

use alloc::vec::Vec;

use ark_ec::pairing::Pairing;
use ark_ff::{BigInteger, Field, PrimeField};

use super::{Point, Settlement, Terms, affine};
use crate::error::Span;
use crate::system::{Encoded, Part};
use crate::wire::Bytes;

/// What a Miller loop, a point to read and a term of a sum cost, roughly: on both curves a loop
/// takes five to six times a term's time, and a point up to twice.
const LOOP: usize = 6;
const READ: usize = 2;
const TERM: usize = 1;

/// Points of G1 for each part, from which parts are about equal that are cut by them.
const EVEN: usize = 4;

/// A point of a proof that was not read yet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// Its place among the points that are given.
    pub(super) place: usize,
    bytes: Vec<u8>,
    span: Span,
    field: &'static str,
    is_finite: bool,
}

impl Waiting {
    pub(super) fn new(place: usize, point: Encoded<'_>) -> Self {
        let Encoded { from: Bytes { bytes, span }, field, is_finite } = point;
        Self { place, bytes: bytes.to_vec(), span, field, is_finite }
    }

    fn encoded(&self) -> Encoded<'_> {
        let from = Bytes { bytes: &self.bytes, span: self.span };
        Encoded { from, field: self.field, is_finite: self.is_finite }
    }
}

impl<P: Pairing<G1Affine: affine::Point>> Settlement<'_, P> {
    /// The product of a part's terms, before its final exponentiation, for points that are read for
    /// it alone; `None` if one of them is no point.
    ///
    /// Every point is read for one part at least: the first one reads those that no term names.
    pub(super) fn part(&mut self, part: Part) -> Option<P::TargetField> {
        let all = self.terms(0..self.equations.all.len())?;
        let count = self.equations.given.len();
        let is_named = all.named(count);
        let terms = all.part(part, count);
        let mut is_wanted = terms.named(count);
        if part.number == 0 {
            is_wanted.iter_mut().zip(is_named).for_each(|(wanted, named)| *wanted |= !named);
        }
        let is_wanted = |place: usize| is_wanted.get(place).copied().unwrap_or(false);

        let waiting: Vec<_> = self.equations.waiting.iter().flatten().collect();
        let encoded = waiting.iter().filter(|point| is_wanted(point.place));
        let encoded: Vec<_> = encoded.map(|point| point.encoded()).collect();
        let mut read = self.params.read(&encoded).ok()?.into_iter();
        let mut waiting = waiting.into_iter().peekable();
        let (mut bases, mut places) = (Vec::new(), Vec::with_capacity(count));
        for (place, point) in self.equations.given.iter().enumerate() {
            let waits = waiting.next_if(|point| point.place == place).is_some();
            places.push(is_wanted(place).then_some(bases.len()));
            if is_wanted(place) {
                bases.push(if waits { read.next()? } else { point.clone() });
            }
        }
        self.product_of(&terms, bases, &|index| places.get(index).copied().flatten())
    }
}

impl<P: Pairing> Terms<'_, P> {
    /// Which of the points that are given are named.
    fn named(&self, count: usize) -> Vec<bool> {
        let mut is_named = alloc::vec![false; count];
        let paired = self.pairs.iter().flat_map(|(pair, _)| &pair.left);
        let fixed = self.fixed.iter().map(|((_, point), _)| point);
        for point in fixed.chain(paired.map(|(point, _)| point)) {
            if let Some(is_named) = given(*point).and_then(|index| is_named.get_mut(index)) {
                *is_named = true;
            }
        }
        is_named
    }

    /// The terms of a part, of points that are `count` in number.
    ///
    /// Cut by points of G2, parts share no loop, but read points again that are paired with several
    /// of them; cut by points of G1, it is the other way round. The cheaper cut is taken.
    pub(super) fn part(mut self, part: Part, count: usize) -> Self {
        let lefts = self.named(count).into_iter().filter(|is_named| *is_named).count();
        let rights = self.fixed.chunk_by(|((one, _), _), ((next, _), _)| one == next).count();
        let again = |different: usize| self.fixed.len().saturating_sub(different).min(different);
        let is_by_left = lefts > part.of.saturating_mul(EVEN)
            && again(rights).saturating_mul(LOOP) < again(lefts).saturating_mul(READ);
        let parts = if is_by_left { self.by_left(part.of, count) } else { self.by_right(part.of) };
        let mut parts = parts.into_iter();
        self.fixed.retain(|_| parts.next() == Some(part.number));
        let weights = self.pairs.iter().map(|(pair, _)| pair.weight());
        let mut parts = spread(&weights.collect::<Vec<_>>(), part.of).into_iter();
        self.pairs.retain(|_| parts.next() == Some(part.number));
        self
    }

    /// The part of each term, where terms with one point of G2 stay together as far as they can.
    fn by_right(&self, of: usize) -> Vec<usize> {
        let mut last = None;
        let weights = self.fixed.iter().map(|((right, _), _)| {
            let is_other = last.replace(*right) != Some(*right);
            READ.saturating_add(TERM).saturating_add(if is_other { LOOP } else { 0 })
        });
        spread(&weights.collect::<Vec<_>>(), of)
    }

    /// The part of each term, where terms with one point of G1 stay together.
    fn by_left(&self, of: usize, count: usize) -> Vec<usize> {
        // The last one is for those that the parameters fix.
        let mut weights = alloc::vec![0_usize; count.saturating_add(1)];
        let place = |point| given(point).unwrap_or(count).min(count);
        for ((_, point), _) in &self.fixed {
            if let Some(weight) = weights.get_mut(place(*point)) {
                let read = if *weight == 0 { READ } else { 0 };
                *weight = weight.saturating_add(TERM).saturating_add(read);
            }
        }
        let parts = spread(&weights, of);
        let part = |point| parts.get(place(point)).copied().unwrap_or(0);
        self.fixed.iter().map(|((_, point), _)| part(*point)).collect()
    }
}

fn given(point: Point) -> Option<usize> {
    match point {
        Point::Given(index) => Some(index),
        Point::Fixed(_) | Point::Unknown => None,
    }
}

/// Spreads weights over parts, in their order and about equally: the part of each.
fn spread(weights: &[usize], of: usize) -> Vec<usize> {
    let total: usize = weights.iter().sum();
    let mut before = 0_usize;
    let part = |weight: &usize| {
        let part = before.saturating_mul(of).checked_div(total).unwrap_or(0);
        before = before.saturating_add(*weight);
        part.min(of.saturating_sub(1))
    };
    weights.iter().map(part).collect()
}

/// An element of an extension: its coefficients over the prime field, little-endian words.
pub(super) fn to_bytes<F: Field>(element: &F) -> Vec<u8> {
    let coefficients = element.to_base_prime_field_elements();
    coefficients.flat_map(|coefficient| coefficient.into_bigint().to_bytes_le()).collect()
}

/// The element of [`to_bytes`]; `None` for other bytes.
pub(super) fn from_bytes<F: Field>(bytes: &[u8]) -> Option<F> {
    let mut integer = <F::BasePrimeField as PrimeField>::BigInt::default();
    let size = integer.as_ref().len().saturating_mul(8);
    let coefficients: Option<Vec<_>> = bytes
        .chunks(size.max(1))
        .map(|chunk| {
            let (words, []) = chunk.as_chunks::<8>() else { return None };
            if words.len() != integer.as_ref().len() {
                return None;
            }
            for (limb, word) in integer.as_mut().iter_mut().zip(words) {
                *limb = u64::from_le_bytes(*word);
            }
            F::BasePrimeField::from_bigint(integer)
        })
        .collect();
    F::from_base_prime_field_elems(coefficients?)
}
