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
use ark_ff::{One, Zero, batch_inversion};
use lightproof_core::system::balanceproofs::Domain;

use super::fk20::{Job, Powers};
use super::polynomial;
use super::setup::Setup;
use super::tensor::{Axis, Tensor};

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
    powers: Powers,
    /// \[Lⱼ(β)·Lₖ(γ)\]₁.
    planes: Vec<G1Affine>,
    /// \[Lₖ(γ)\]₁.
    lines: Vec<G1Affine>,
    capacity: usize,
}

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
        let polynomial = Tensor::interpolate([p, t, m], values.clone());
        let powers = Powers::new(&setup.g1()[..m]);
        let (mut outer, mut middle, mut buckets) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..p {
            let root = setup.shape.outer.root(i as u64);
            let (quotient, plane) = polynomial.divide(Axis::Outer, &[-root, Fr::one()]);
            outer.push(setup.commit(&quotient.entries).into());
            for j in 0..t {
                let root = setup.shape.middle.root(j as u64);
                let (quotient, line) = plane.divide(Axis::Middle, &[-root, Fr::one()]);
                middle.push(setup.commit(&quotient.entries).into());
                let proofs = powers.open_all(&line.entries[..m]);
                buckets.push(Bucket { proofs, older: vec![], recent: vec![], job: None });
            }
        }
        let planes = folded(setup.lagranges(), t * m);
        let lines = folded(&planes, m);
        let commitment = setup.commit(&polynomial.entries).into();
        let capacity = (factor * m.isqrt()).max(1);
        Self { setup, values, commitment, outer, middle, buckets, powers, planes, lines, capacity }
    }

    /// C.
    pub fn commitment(&self) -> G1Affine {
        self.commitment.into_affine()
    }

    /// Adds to the value at a position.
    pub fn update(&mut self, position: usize, change: Fr) {
        let [p, t, m] = self.setup.sides();
        let (i, j, k) = (position / (t * m), position / m % t, position % m);
        let (outer, middle) = (&self.setup.shape.outer, &self.setup.shape.middle);
        self.values[position] += change;
        let lagranges = self.setup.lagranges();
        self.commitment += lagranges[position] * change;
        let column: Vec<G1Affine> = (0..p).map(|i| lagranges[(i * t + j) * m + k]).collect();
        for (other, proof) in self.outer.iter_mut().enumerate() {
            *proof += moved(outer, &column, i, other, change);
        }
        let column: Vec<G1Affine> = (0..t).map(|j| self.planes[j * m + k]).collect();
        for (other, proof) in self.middle[i * t..][..t].iter_mut().enumerate() {
            *proof += moved(middle, &column, j, other, change);
        }
        let number = i * t + j;
        let values = &self.values[number * m..][..m];
        self.buckets[number].update((k, change), values, self.capacity, &self.powers);
    }

    /// Πᵢ, Ψᵢⱼ and π of a position.
    pub fn open(&self, position: usize) -> [G1Affine; 3] {
        let [_, t, m] = self.setup.sides();
        let number = position / m;
        let inner = &self.setup.shape.inner;
        let pi = self.buckets[number].open(position % m, inner, &self.lines);
        let all = [self.outer[number / t], self.middle[number], pi];
        all.map(CurveGroup::into_affine)
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
    fn update(&mut self, change: (usize, Fr), values: &[Fr], capacity: usize, powers: &Powers) {
        self.recent.push(change);
        if let Some(job) = &mut self.job {
            job.advance(Job::work(values.len()).div_ceil(capacity));
            if let Some(proofs) = job.proofs() {
                self.proofs = proofs;
                self.older.clear();
                self.job = None;
            }
        }
        if self.recent.len() >= capacity && self.job.is_none() {
            self.older = std::mem::take(&mut self.recent);
            let line = Tensor::interpolate([1, 1, values.len()], values.to_vec());
            self.job = Some(powers.start(&line.entries));
        }
    }

    fn open(&self, k: usize, domain: &Domain, lines: &[G1Affine]) -> G1Projective {
        let mut proof: G1Projective = self.proofs[k].into();
        for (changed, change) in self.older.iter().chain(&self.recent) {
            proof += moved(domain, lines, *changed, k, *change);
        }
        proof
    }
}

/// What a change of the value at one root does to the proof at another, by commitments l to one at each root: for L the Lagrange
/// polynomial of `changed`, \[L/(X − ω^at)\]₁ = (l − `(ω^changed/ω^at)·l_at`)/(ω^changed − ω^at); at itself, \[(L − 1)/(X − ω^at)\]₁ is the
/// negative of the sum of all others', since the vector of ones has proofs of zero.
fn moved(domain: &Domain, l: &[G1Affine], changed: usize, at: usize, change: Fr) -> G1Projective {
    let root = |place: usize| domain.root(place as u64);
    let here = root(at);
    if changed != at {
        let factor = change / (root(changed) - here);
        return l[changed] * factor - l[at] * (factor * root(changed) / here);
    }
    let others: Vec<usize> = (0..l.len()).filter(|other| *other != at).collect();
    let mut factors: Vec<Fr> = others.iter().map(|other| root(*other) - here).collect();
    batch_inversion(&mut factors);
    let (mut points, mut scalars, mut own) = (Vec::new(), Vec::new(), Fr::zero());
    for (other, factor) in others.into_iter().zip(factors) {
        points.push(l[other]);
        scalars.push(-change * factor);
        own += change * factor * root(other) / here;
    }
    points.push(l[at]);
    scalars.push(own);
    G1Projective::msm_unchecked(&points, &scalars)
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
            if round % 3 == 0 || round + 1 == rounds {
                let fresh = Vector::new(Arc::clone(&setup), values.clone());
                assert_eq!(kept.commitment(), *fresh.commitment());
                for position in 0..count {
                    let [big, psi, pi] = kept.open(position);
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
        holds(Scheme::TwoLayer, [2, 4, 4], 1, 24);
        holds(Scheme::TwoLayer, [4, 2, 2], 3, 12);
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
