//! Every proof of a vector, kept while values change (§3.2, §4.2, App. A).
//!
//! Bucket proofs are updated at once, by the commitments to one at the positions concerned: the
//! paper's parameters r and s are sums of those. Proofs within a `bucket` stay as they are; changes
//! are logged, and a question adds up what they mean for its positions. When a log is full, all
//! proofs of the bucket are made anew, a part with every further update, while a second log fills.

// The names of the paper.
#![allow(clippy::many_single_char_names)]

mod bucket;
mod side;

use std::sync::Arc;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{One, Zero};
use lightproof_core::system::balanceproofs::{Domain, Query, Scheme, Shape};
use rayon::prelude::*;

use super::encoding::bytes;
use super::opening::Vector;
use super::setup::Setup;
use super::tensor::{Axis, Tensor};
use super::variant::Variant;
use super::{lanes, polynomial};
use bucket::Bucket;
pub(super) use bucket::Innermost;
use side::{Side, Term};

use crate::sums::sum;

/// A vector with all its proofs.
#[derive(Debug)]
pub struct Maintained {
    setup: Arc<Setup>,
    values: Vec<Fr>,
    commitment: G1Projective,
    /// Πᵢ.
    outer: Vec<G1Projective>,
    /// Ψᵢⱼ.
    middle: Vec<G1Projective>,
    buckets: Vec<Bucket>,
    /// \[Lⱼ(β)·Lₖ(γ)\]₁.
    planes: Vec<G1Affine>,
    inner: Innermost,
    sides: [Side; 2],
    capacity: usize,
}

impl Maintained {
    /// A vector of zeros, which has nothing to prove: each of its proofs is the identity.
    ///
    /// * `factor`: c, so that a log holds c·√m changes of a bucket of m positions; less makes
    ///   questions faster, more updates.
    pub fn zeros(setup: Arc<Setup>, factor: usize) -> Self {
        let [p, t, m] = setup.sides();
        let planes = folded(setup.lagranges(), t * m);
        let lines = folded(&planes, m);
        let inner = Innermost::new(&setup, lines);
        let sides = [&setup.shape.outer, &setup.shape.middle].map(Side::new);
        let zero = G1Projective::zero();
        Self {
            values: vec![Fr::zero(); p * t * m],
            commitment: zero,
            outer: vec![zero; p],
            middle: vec![zero; p * t],
            buckets: vec![Bucket::zeros(m); p * t],
            planes,
            inner,
            sides,
            capacity: (factor * m.isqrt()).max(1),
            setup,
        }
    }

    /// Makes all proofs of a vector; `factor` as above.
    pub fn new(setup: Arc<Setup>, values: Vec<Fr>, factor: usize) -> Self {
        let mut kept = Self::zeros(setup, factor);
        let setup = Arc::clone(&kept.setup);
        let [p, t, m] = setup.sides();
        let polynomial = Tensor::interpolate([p, t, m], values.clone());
        for i in 0..p {
            let root = setup.shape.outer.root(i as u64);
            let (quotient, plane) = polynomial.divide(Axis::Outer, &[-root, Fr::one()]);
            kept.outer[i] = setup.commit(&quotient.entries).into();
            kept.middle[i * t..][..t].par_iter_mut().enumerate().for_each(|(j, proof)| {
                let root = setup.shape.middle.root(j as u64);
                let (quotient, _) = plane.divide(Axis::Middle, &[-root, Fr::one()]);
                *proof = setup.commit(&quotient.entries).into();
            });
        }
        let lines = &kept.inner.prepared;
        kept.buckets = values.par_chunks(m).map(|values| Bucket::new(values, lines)).collect();
        kept.commitment = setup.commit(&polynomial.entries).into();
        kept.values = values;
        kept
    }

    /// C.
    pub fn commitment(&self) -> G1Affine {
        self.commitment.into_affine()
    }

    /// Adds to the value at a position.
    pub fn update(&mut self, position: usize, change: Fr) {
        let [p, t, m] = self.setup.sides();
        let (i, j, k) = (position / (t * m), position / m % t, position % m);
        self.values[position] += change;
        let lagranges = self.setup.lagranges();
        // What each sum gets, the commitment first, then Πᵢ and Ψᵢⱼ.
        let mut terms = vec![vec![(lagranges[position], change)]];
        let mut note = |side: &Side, column: &[G1Affine], changed: usize| {
            terms.extend((0..column.len()).map(|at| side.moved(column, changed, at, change)));
        };
        let column: Vec<G1Affine> = (0..p).map(|i| lagranges[(i * t + j) * m + k]).collect();
        note(&self.sides[0], &column, i);
        let column: Vec<G1Affine> = (0..t).map(|j| self.planes[j * m + k]).collect();
        note(&self.sides[1], &column, j);
        let changes = lanes::combine(&terms.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let proofs = self.outer.iter_mut().chain(&mut self.middle[i * t..][..t]);
        let sums = std::iter::once(&mut self.commitment).chain(proofs);
        sums.zip(changes).for_each(|(sum, change)| *sum += change);
        let number = i * t + j;
        let values = &self.values[number * m..][..m];
        self.buckets[number].update((k, change), values, self.capacity, &self.inner.prepared);
    }

    /// Πᵢ, Ψᵢⱼ and π of a position.
    pub fn open(&self, position: usize) -> [G1Affine; 3] {
        let [_, t, m] = self.setup.sides();
        let number = position / m;
        let pi = self.buckets[number].sum(&[(position % m, Fr::one())], &self.inner);
        let all = [self.outer[number / t], self.middle[number], pi];
        all.map(CurveGroup::into_affine)
    }

    /// A proof that somebody holds, after a change at some position: the paper's `UpdProof`. It
    /// needs the setup alone.
    pub fn follow(
        &self,
        [outer, middle, inner]: [G1Affine; 3],
        position: usize,
        (changed, change): (usize, Fr),
    ) -> [G1Affine; 3] {
        let [p, t, m] = self.setup.sides();
        let split = |position: usize| [position / (t * m), position / m % t, position % m];
        let ([i, j, k], [at_i, at_j, at_k]) = (split(changed), split(position));
        let lagranges = self.setup.lagranges();
        let column: Vec<G1Affine> = (0..p).map(|i| lagranges[(i * t + j) * m + k]).collect();
        let plane: Vec<G1Affine> = (0..t).map(|j| self.planes[j * m + k]).collect();
        let [first, second] = &self.sides;
        let sum = |proof: G1Affine, terms: Vec<Term>| {
            let start = G1Projective::from(proof);
            terms.into_iter().fold(start, |sum, (point, factor)| sum + point * factor).into_affine()
        };
        let outer = sum(outer, first.moved(&column, i, at_i, change));
        if i != at_i {
            return [outer, middle, inner];
        }
        let middle = sum(middle, second.moved(&plane, j, at_j, change));
        if j != at_j {
            return [outer, middle, inner];
        }
        let terms = self.inner.side.moved(&self.inner.lines, k, at_k, change);
        [outer, middle, sum(inner, terms)]
    }

    /// The points of a proof that kept proofs make, in transcript order, compressed: a single
    /// proof, or an aggregate for each bucket, or one for each layer. `None` if the variant
    /// needs the vector's polynomial, or powers that the setup lacks.
    ///
    /// * `positions`: ascending, each below the vector's length.
    pub fn points(&self, positions: &[u64], variant: Variant) -> Option<Vec<u8>> {
        let shape = &self.setup.shape;
        let buckets = Query { positions: positions.to_vec() }.buckets(shape);
        let (basic, layers) = (shape.scheme == Scheme::Basic, shape.scheme == Scheme::TwoLayer);
        let is_halved = match variant {
            Variant::Singles => {
                let single = |position: &u64| self.open(place(*position))[2];
                return Some(bytes(&positions.iter().map(single).collect::<Vec<_>>()));
            }
            Variant::CommitHinted => {
                let values = self.values.clone();
                let vector = Vector::committed(Arc::clone(&self.setup), values, self.commitment());
                let aggregate = self.aggregate(0, positions).into_affine();
                return vector.commit_hinted(positions, aggregate);
            }
            Variant::Plain => false,
            Variant::Halved => true,
            _ => return None,
        };
        let mut points = Vec::new();
        if is_halved {
            let outer: Vec<u64> = buckets.iter().map(|bucket| bucket.i).collect();
            points.push(joined(&shape.outer, &outer, &self.outer));
        }
        for bucket in &buckets {
            let number = place(bucket.i) * self.setup.sides()[1];
            let proofs = &self.middle[number..];
            if is_halved && layers {
                let inner: Vec<u64> = bucket.inner.iter().map(|inner| inner.j).collect();
                points.push(joined(&shape.middle, &inner, proofs));
            } else if !is_halved && !basic {
                points.push(self.outer[place(bucket.i)]);
            }
            for inner in &bucket.inner {
                if layers && !is_halved {
                    points.push(proofs[place(inner.j)]);
                }
                let members = &positions[inner.members.clone()];
                points.push(self.aggregate(number + place(inner.j), members));
            }
        }
        Some(bytes(&G1Projective::normalize_batch(&points)))
    }

    /// The aggregate of some positions of an innermost bucket.
    fn aggregate(&self, bucket: usize, positions: &[u64]) -> G1Projective {
        self.buckets[bucket].sum(&weighted(&self.setup.shape, positions), &self.inner)
    }
}

/// Some positions of an innermost bucket, each with its proof's factor in their aggregate.
pub(super) fn weighted(shape: &Shape, positions: &[u64]) -> Vec<(usize, Fr)> {
    let members: Vec<u64> = positions.iter().map(|position| shape.split(*position)[2]).collect();
    let weights = polynomial::weights(&shape.inner, &members);
    members.into_iter().map(place).zip(weights).collect()
}

/// The proof that opens several buckets of a layer at once, of theirs: Σ Πᵢ/A'(φⁱ) (Lemma C.3).
fn joined(domain: &Domain, places: &[u64], proofs: &[G1Projective]) -> G1Projective {
    let weights = polynomial::weights(domain, places);
    let own: Vec<G1Projective> = places.iter().map(|at| proofs[place(*at)]).collect();
    sum(&G1Projective::normalize_batch(&own), &weights)
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The sums of points whose places are equal modulo `count`.
fn folded(points: &[G1Affine], count: usize) -> Vec<G1Affine> {
    let mut sums = vec![G1Projective::zero(); count];
    for chunk in points.chunks(count) {
        sums.iter_mut().zip(chunk).for_each(|(sum, point)| *sum += point);
    }
    G1Projective::normalize_batch(&sums)
}

#[cfg(test)]
mod tests;
