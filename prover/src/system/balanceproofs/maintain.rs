//! Every proof of a vector, kept while values change (§3.2, §4.2, App. A).
//!
//! Bucket proofs are updated at once, by the commitments to one at the positions concerned: the paper's parameters r and s are sums of
//! those. Proofs within a bucket stay as they are; changes are logged, and a question adds up what they mean for its position. When
//! a log is full, all proofs of the bucket are made anew, a part with every further update, while a second log fills.

// The names of the paper.
#![allow(clippy::many_single_char_names)]

use std::sync::Arc;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{Field, One, Zero, batch_inversion};
use lightproof_core::system::balanceproofs::Domain;
use rayon::prelude::*;

use super::fk20::{Job, Lines};
use super::setup::Setup;
use super::tensor::{Axis, Tensor};
use super::{lanes, polynomial};

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

/// What all innermost buckets share.
#[derive(Debug)]
struct Innermost {
    side: Side,
    /// \[Lₖ(γ)\]₁.
    lines: Vec<G1Affine>,
    prepared: Lines,
}

/// A term of a sum: a point and its factor.
type Term = (G1Affine, Fr);

/// Proofs of the positions of an innermost bucket.
#[derive(Clone, Debug)]
struct Bucket {
    proofs: Vec<G1Affine>,
    /// Changes since `proofs`, position and difference: those that `job` knows, and those after.
    older: Vec<(usize, Fr)>,
    recent: Vec<(usize, Fr)>,
    job: Option<Job>,
}

impl Maintained {
    /// Makes all proofs of a vector.
    ///
    /// * `factor`: c, so that a log holds c·√m changes of a bucket of m positions; less makes questions faster, more updates.
    pub fn new(setup: Arc<Setup>, values: Vec<Fr>, factor: usize) -> Self {
        let [p, t, m] = setup.sides();
        let planes = folded(setup.lagranges(), t * m);
        let lines = folded(&planes, m);
        let prepared = Lines::new(&setup.g1()[..m], &lines);
        let polynomial = Tensor::interpolate([p, t, m], values.clone());
        let (mut outer, mut middle) = (Vec::new(), Vec::new());
        for i in 0..p {
            let root = setup.shape.outer.root(i as u64);
            let (quotient, plane) = polynomial.divide(Axis::Outer, &[-root, Fr::one()]);
            outer.push(setup.commit(&quotient.entries).into());
            middle.par_extend((0..t).into_par_iter().map(|j| {
                let root = setup.shape.middle.root(j as u64);
                let (quotient, _) = plane.divide(Axis::Middle, &[-root, Fr::one()]);
                G1Projective::from(setup.commit(&quotient.entries))
            }));
        }
        let buckets = values.par_chunks(m).map(|values| {
            let proofs = prepared.open_all(values);
            Bucket { proofs, older: vec![], recent: vec![], job: None }
        });
        let buckets = buckets.collect();
        let commitment = setup.commit(&polynomial.entries).into();
        let capacity = (factor * m.isqrt()).max(1);
        let inner = Innermost { side: Side::new(&setup.shape.inner), lines, prepared };
        let sides = [&setup.shape.outer, &setup.shape.middle].map(Side::new);
        Self { setup, values, commitment, outer, middle, buckets, planes, inner, sides, capacity }
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
        // All multiplications at once, and for which sum each of them is.
        let mut terms = vec![(lagranges[position], change)];
        let mut ends = vec![terms.len()];
        let mut note = |side: &Side, column: &[G1Affine], changed: usize| {
            for at in 0..column.len() {
                terms.extend(side.moved(column, changed, at, change));
                ends.push(terms.len());
            }
        };
        let column: Vec<G1Affine> = (0..p).map(|i| lagranges[(i * t + j) * m + k]).collect();
        note(&self.sides[0], &column, i);
        let column: Vec<G1Affine> = (0..t).map(|j| self.planes[j * m + k]).collect();
        note(&self.sides[1], &column, j);
        let (points, factors): (Vec<_>, Vec<_>) = terms.into_iter().unzip();
        let products = lanes::multiply(&points, &factors);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let parts = starts.zip(&ends).map(|(start, end)| &products[start..*end]);
        let proofs = self.outer.iter_mut().chain(&mut self.middle[i * t..][..t]);
        for (sum, part) in std::iter::once(&mut self.commitment).chain(proofs).zip(parts) {
            for product in part {
                *sum += product;
            }
        }
        let number = i * t + j;
        let values = &self.values[number * m..][..m];
        self.buckets[number].update((k, change), values, self.capacity, &self.inner.prepared);
    }

    /// Πᵢ, Ψᵢⱼ and π of a position.
    pub fn open(&self, position: usize) -> [G1Affine; 3] {
        let [_, t, m] = self.setup.sides();
        let number = position / m;
        let pi = self.buckets[number].open(position % m, &self.inner);
        let all = [self.outer[number / t], self.middle[number], pi];
        all.map(CurveGroup::into_affine)
    }

    /// A proof that somebody holds, after a change at some position: the paper's `UpdProof`. It needs the setup alone.
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

    /// `basic`: the aggregate of the positions' proofs, Σ πᵢ/A'(ωⁱ).
    pub fn aggregate(&self, positions: &[usize]) -> G1Affine {
        let inner = &self.setup.shape.inner;
        let roots: Vec<Fr> = positions.iter().map(|one| inner.root(*one as u64)).collect();
        let proofs: Vec<G1Affine> = positions.iter().map(|one| self.open(*one)[2]).collect();
        let weights = polynomial::weights(&roots);
        G1Projective::msm_unchecked(&proofs, &weights).into_affine()
    }
}

impl Bucket {
    fn update(&mut self, change: (usize, Fr), values: &[Fr], capacity: usize, lines: &Lines) {
        self.recent.push(change);
        if let Some(job) = &mut self.job {
            job.advance(Job::work(values.len()).div_ceil(capacity));
            if let Some(proofs) = job.proofs() {
                self.proofs = proofs.to_vec();
                self.older.clear();
                self.job = None;
            }
        }
        if self.recent.len() >= capacity && self.job.is_none() {
            self.older = std::mem::take(&mut self.recent);
            self.job = Some(lines.start(values));
        }
    }

    /// The proof as it was made, and what changes since then do to it.
    fn open(&self, k: usize, inner: &Innermost) -> G1Projective {
        let changes = self.older.iter().chain(&self.recent);
        let moved = changes.flat_map(|(changed, change)| {
            if *changed == k {
                let own = (inner.lines[k], inner.prepared.sum(k));
                inner.side.own(k, *change, own).to_vec()
            } else {
                inner.side.moved(&inner.lines, *changed, k, *change)
            }
        });
        let (mut points, mut factors): (Vec<_>, Vec<_>) = moved.unzip();
        points.push(self.proofs[k]);
        factors.push(Fr::one());
        G1Projective::msm_unchecked(&points, &factors)
    }
}

/// Roots of unity, and what is divided by along their side.
#[derive(Debug)]
struct Side {
    /// ωᵈ.
    roots: Vec<Fr>,
    /// 1/(ωᵈ − 1), zero for d = 0.
    inverses: Vec<Fr>,
}

impl Side {
    fn new(domain: &Domain) -> Self {
        let roots: Vec<Fr> = (0..domain.size()).map(|exponent| domain.root(exponent)).collect();
        let mut inverses: Vec<Fr> = roots.iter().map(|root| *root - Fr::one()).collect();
        batch_inversion(&mut inverses);
        Self { roots, inverses }
    }

    /// d for ωᵈ = ω^at / ω^other.
    fn distance(&self, at: usize, other: usize) -> usize {
        (at + self.roots.len() - other) % self.roots.len()
    }

    /// 1/(ω^changed − ω^at); zero where they are the same.
    fn inverse(&self, changed: usize, at: usize) -> Fr {
        self.inverses[self.distance(changed, at)] * self.roots[self.distance(0, at)]
    }

    /// What a change of the value at one root does to the proof at another, by commitments l to one at each root: for L the Lagrange
    /// polynomial of `changed`, \[L/(X − ω^at)\]₁ = (l − `(ω^changed/ω^at)·l_at`)/(ω^changed − ω^at).
    fn moved(&self, l: &[G1Affine], changed: usize, at: usize, change: Fr) -> Vec<Term> {
        if changed == at {
            let others = (0..l.len()).filter(|other| *other != at);
            let others = others.map(|other| (l[other], -change * self.inverse(other, at)));
            let [own, _] = self.own(at, change, (l[at], G1Affine::identity()));
            return others.chain([own]).collect();
        }
        let factor = change * self.inverse(changed, at);
        let back = factor * self.roots[self.distance(changed, at)];
        vec![(l[changed], factor), (l[at], -back)]
    }

    /// What a change does to the proof at its own root: \[(L − 1)/(X − ω^at)\]₁ is the negative of the sum of all others', since the
    /// vector of ones has proofs of zero: `(n − 1)/2·ω^−at·l_at` − Λ, with Λ the sum of the others' l/(ω^other − ω^at).
    fn own(&self, at: usize, change: Fr, (l, sum): (G1Affine, G1Affine)) -> [Term; 2] {
        let half = Fr::from(2).inverse().unwrap_or_default();
        let slope = half * Fr::from(self.roots.len() as u64 - 1) * self.roots[self.distance(0, at)];
        [(l, change * slope), (sum, -change)]
    }
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
mod tests {
    use lightproof_core::system::balanceproofs::Scheme;

    use super::*;
    use crate::rng::Rng;
    use crate::system::balanceproofs::{Config, Source, Variant, Vector, setup::bytes};

    /// Random updates, then all proofs against those of a vector that was made so.
    fn holds(scheme: Scheme, sides: [u64; 3], factor: usize, rounds: usize) {
        let config = Config { scheme, sides, source: Source::Seed(5), window: 1 };
        let setup = Setup::of(&config);
        let count = setup.sides().iter().product();
        let mut rng = Rng::new(9, "balanceproofs/maintain", factor as u64);
        let mut values: Vec<Fr> = (0..count).map(|_| Fr::from(rng.next_u64())).collect();
        let mut kept = Maintained::new(Arc::clone(&setup), values.clone(), factor);
        let mut followed: Vec<_> = (0..count).map(|position| kept.open(position)).collect();
        for round in 0..rounds {
            let position = usize::try_from(rng.below(count as u64)).unwrap();
            // Now and then the same again, to zero, and far.
            let change = match round % 4 {
                0 => -values[position],
                1 => -Fr::one(),
                _ => Fr::from(rng.next_u64()),
            };
            values[position] += change;
            kept.update(position, change);
            for (at, proof) in followed.iter_mut().enumerate() {
                *proof = kept.follow(*proof, at, (position, change));
            }
            if round % 3 == 0 || round + 1 == rounds {
                let fresh = Vector::new(Arc::clone(&setup), values.clone());
                assert_eq!(kept.commitment(), *fresh.commitment());
                for (position, followed) in followed.iter().enumerate() {
                    let [big, psi, pi] = kept.open(position);
                    assert_eq!(*followed, [big, psi, pi], "round {round}, {position}");
                    let points = match scheme {
                        Scheme::Basic => bytes(&[pi]),
                        Scheme::Bucketed => bytes(&[big, pi]),
                        Scheme::TwoLayer => bytes(&[big, psi, pi]),
                    };
                    let expected = fresh.points(&[position as u64], Variant::Plain).unwrap();
                    assert_eq!(points, expected, "round {round}, position {position}");
                }
            }
        }
    }

    #[test]
    fn updates_of_a_vector_agree_with_fresh_proofs() {
        holds(Scheme::Basic, [1, 1, 16], 1, 26);
        holds(Scheme::Basic, [1, 1, 16], 2, 26);
        holds(Scheme::Basic, [1, 1, 1], 1, 3);
        holds(Scheme::Basic, [1, 1, 2], 1, 4);
    }

    #[test]
    fn updates_of_buckets_agree_with_fresh_proofs() {
        holds(Scheme::Bucketed, [4, 1, 4], 1, 20);
        holds(Scheme::Bucketed, [2, 1, 4], 2, 12);
        holds(Scheme::TwoLayer, [2, 4, 4], 1, 24);
        holds(Scheme::TwoLayer, [4, 2, 2], 3, 12);
    }

    #[test]
    fn logs_hold_no_more_than_twice_their_length() {
        for factor in [1, 2] {
            let config = Config { sides: [1, 1, 16], source: Source::Seed(7), ..Config::DEFAULT };
            let values = vec![Fr::one(); 16];
            let mut kept = Maintained::new(Setup::of(&config), values, factor);
            let mut renewals = 0;
            for round in 0..48 {
                let before = kept.buckets[0].proofs[5];
                kept.update(round * 3 % 16, Fr::from(round as u64 + 1));
                let bucket = &kept.buckets[0];
                assert!(bucket.recent.len() <= 4 * factor && bucket.older.len() <= 4 * factor);
                renewals += usize::from(bucket.proofs[5] != before);
            }
            // Each log is worked off while the next one fills.
            assert_eq!(renewals, 48 / (4 * factor) - 1);
        }
    }

    #[test]
    fn kept_proofs_aggregate_to_the_proof_of_their_set() {
        let config = Config { sides: [1, 1, 16], source: Source::Seed(6), ..Config::DEFAULT };
        let setup = Setup::of(&config);
        let values: Vec<Fr> = (0..16_u64).map(|n| Fr::from(n * n)).collect();
        let mut kept = Maintained::new(Arc::clone(&setup), values.clone(), 1);
        kept.update(3, Fr::from(7_u64));
        let mut values = values;
        values[3] += Fr::from(7_u64);
        let fresh = Vector::new(setup, values);
        assert_eq!(kept.aggregate(&[2, 3, 9]), fresh.aggregate(&[2, 3, 9]));
    }
}
