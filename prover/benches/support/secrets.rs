//! Proofs of `two-layer` vectors by someone who knows the setup's secrets: every point is one
//! multiple of the generator, so that the check of 2²⁰ values can be measured without their 2²⁰
//! powers. Core judges every proof.

// The names of the paper.
#![allow(clippy::many_single_char_names)]

use std::collections::BTreeMap;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{PrimeGroup, ScalarMul};
use ark_ff::{One, Zero};
use lightproof_core::system::balanceproofs::{Outer, Query, Shape};
use lightproof_core::transcript::Transcript;
use lightproof_prover::hash::Word;
use lightproof_prover::system::balanceproofs::encoding::bytes;
use lightproof_prover::system::balanceproofs::opening::scalar;
use lightproof_prover::system::balanceproofs::setup::lagrange;

/// A vector whose values are zero but for some.
pub(crate) struct Known<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) key: Word,
    /// α, β, γ.
    pub(crate) secrets: [Fr; 3],
    pub(crate) values: BTreeMap<u64, Fr>,
}

/// φ at a point, and each φᵢ and φᵢⱼ there.
struct Sums {
    at: [Fr; 3],
    whole: Fr,
    outer: BTreeMap<u64, Fr>,
    inner: BTreeMap<(u64, u64), Fr>,
}

impl Known<'_> {
    /// \[φ(α, β, γ)\]₁.
    pub(crate) fn commitment(&self) -> G1Affine {
        multiples(&[self.sums(self.secrets).whole])[0]
    }

    /// The values at some positions.
    pub(crate) fn values(&self, positions: &[u64]) -> Vec<u8> {
        positions.iter().flat_map(|position| scalar(self.value(*position))).collect()
    }

    fn value(&self, position: u64) -> Fr {
        self.values.get(&position).copied().unwrap_or_default()
    }

    /// The points of `plain` and, behind them, those of `T1`.
    pub(crate) fn every_bucket(&self, query: &Query) -> (Vec<G1Affine>, [G1Affine; 2]) {
        let (buckets, sums) = (query.buckets(self.shape), self.sums(self.secrets));
        let [alpha, beta, gamma] = self.secrets;
        let mut scalars = Vec::new();
        for bucket in &buckets {
            let plane = sums.plane(bucket.i);
            scalars.push((sums.whole - plane) / (alpha - self.shape.outer.root(bucket.i)));
            for inner in &bucket.inner {
                let line = sums.line(bucket.i, inner.j);
                let (a, c) = self.claimed(&query.positions[inner.members.clone()], gamma);
                scalars.push((plane - line) / (beta - self.shape.middle.root(inner.j)));
                scalars.push((line - c) / a);
            }
        }
        let points = multiples(&scalars);
        let mut transcript = self.header("balanceproofs/two-layer/T1/v1");
        transcript.number(buckets.len() as u64);
        let mut rest = points.iter();
        let mut take = |transcript: &mut Transcript, count| {
            transcript.absorb(&bytes(&rest.by_ref().take(count).copied().collect::<Vec<_>>()));
        };
        for bucket in &buckets {
            transcript.number(bucket.i);
            take(&mut transcript, 1);
            transcript.number(bucket.inner.len() as u64);
            for inner in &bucket.inner {
                self.absorb(&mut transcript, inner.j, &query.positions[inner.members.clone()]);
                take(&mut transcript, 2);
            }
        }
        let r: Fr = transcript.challenge();
        let lines: Vec<_> =
            each(&buckets).map(|(i, inner)| (sums.line(i, inner.j), inner)).collect();
        let mask = lines.iter().rev().fold(Fr::zero(), |sum, (line, _)| sum * r + line);
        let mask = multiples(&[mask])[0];
        transcript.absorb(&bytes(&[mask]));
        let z: Fr = transcript.challenge();
        let hint = lines.iter().rev().fold(Fr::zero(), |sum, (line, inner)| {
            let positions = &query.positions[inner.members.clone()];
            let (whole, part) = (self.claimed(positions, gamma), self.claimed(positions, z));
            sum * r + line - part.1 - part.0 * (*line - whole.1) / whole.0
        });
        (points, [mask, multiples(&[hint / (gamma - z)])[0]])
    }

    /// The points of `halved` and, behind them, those of `T3`.
    pub(crate) fn joined(&self, query: &Query) -> (Vec<G1Affine>, Vec<G1Affine>) {
        let (buckets, sums) = (query.buckets(self.shape), self.sums(self.secrets));
        let mut scalars = vec![self.whole_outer(&buckets, &sums)];
        for bucket in &buckets {
            scalars.push(self.whole_middle(bucket, &sums));
            for inner in &bucket.inner {
                let positions = &query.positions[inner.members.clone()];
                let (a, c) = self.claimed(positions, self.secrets[2]);
                scalars.push((sums.line(bucket.i, inner.j) - c) / a);
            }
        }
        let points = multiples(&scalars);
        let mut transcript = self.header("balanceproofs/two-layer/T3/v1");
        transcript.absorb(&bytes(&points[..1]));
        transcript.number(buckets.len() as u64);
        let mut rest = points[1..].iter();
        let mut take = |transcript: &mut Transcript| {
            transcript.absorb(&bytes(&rest.by_ref().take(1).copied().collect::<Vec<_>>()));
        };
        for bucket in &buckets {
            transcript.number(bucket.i);
            take(&mut transcript);
            transcript.number(bucket.inner.len() as u64);
            for inner in &bucket.inner {
                self.absorb(&mut transcript, inner.j, &query.positions[inner.members.clone()]);
                take(&mut transcript);
            }
        }
        let [a, b, g]: [Fr; 3] = std::array::from_fn(|_| transcript.challenge());
        let [alpha, beta, gamma] = self.secrets;
        let steps = [[alpha, beta, gamma], [a, beta, gamma], [a, b, gamma], [a, b, g]]
            .map(|at| self.rest(query, &buckets, &self.sums(at), [a, b, g]));
        let below = [alpha - a, beta - b, gamma - g];
        let hints: Vec<Fr> =
            steps.windows(2).zip(below).map(|(pair, below)| (pair[0] - pair[1]) / below).collect();
        (points, multiples(&hints))
    }

    /// M, which `T3` opens at (a, b, g) to zero, somewhere.
    fn rest(&self, query: &Query, buckets: &[Outer], sums: &Sums, [a, b, g]: [Fr; 3]) -> Fr {
        let tops: Vec<Fr> = buckets.iter().map(|bucket| self.shape.outer.root(bucket.i)).collect();
        let mut rest = sums.whole - vanishing(&tops, a) * self.whole_outer(buckets, sums);
        for (l, bucket) in basis(&tops, a).into_iter().zip(buckets) {
            let roots = self.middles(bucket);
            rest -= l * vanishing(&roots, b) * self.whole_middle(bucket, sums);
            for (other, inner) in basis(&roots, b).into_iter().zip(&bucket.inner) {
                let positions = &query.positions[inner.members.clone()];
                let (here, there) =
                    (self.claimed(positions, sums.at[2]), self.claimed(positions, g));
                let quotient = (sums.line(bucket.i, inner.j) - here.1) / here.0;
                rest -= l * other * (there.0 * quotient + there.1);
            }
        }
        rest
    }

    /// Π\_S.
    fn whole_outer(&self, buckets: &[Outer], sums: &Sums) -> Fr {
        let tops: Vec<Fr> = buckets.iter().map(|bucket| self.shape.outer.root(bucket.i)).collect();
        let planes = buckets.iter().map(|bucket| sums.plane(bucket.i));
        let known: Fr =
            basis(&tops, sums.at[0]).iter().zip(planes).map(|(l, plane)| plane * l).sum();
        (sums.whole - known) / vanishing(&tops, sums.at[0])
    }

    /// Ψᵢ of all its inner buckets.
    fn whole_middle(&self, bucket: &Outer, sums: &Sums) -> Fr {
        let (roots, y) = (self.middles(bucket), sums.at[1]);
        let lines = bucket.inner.iter().map(|inner| sums.line(bucket.i, inner.j));
        let known: Fr = basis(&roots, y).iter().zip(lines).map(|(l, line)| line * l).sum();
        (sums.plane(bucket.i) - known) / vanishing(&roots, y)
    }

    fn middles(&self, bucket: &Outer) -> Vec<Fr> {
        bucket.inner.iter().map(|inner| self.shape.middle.root(inner.j)).collect()
    }

    /// A\_K and c\_K at z.
    fn claimed(&self, positions: &[u64], z: Fr) -> (Fr, Fr) {
        let root = |position: &u64| self.shape.inner.root(self.shape.split(*position)[2]);
        let roots: Vec<Fr> = positions.iter().map(root).collect();
        let terms = basis(&roots, z).into_iter().zip(positions);
        (vanishing(&roots, z), terms.map(|(l, position)| l * self.value(*position)).sum())
    }

    fn sums(&self, at: [Fr; 3]) -> Sums {
        let sides = [&self.shape.outer, &self.shape.middle, &self.shape.inner];
        let [x, y, z]: [Vec<Fr>; 3] = std::array::from_fn(|side| {
            lagrange(at[side], usize::try_from(sides[side].size()).expect("a side"))
        });
        let place = |number: u64| usize::try_from(number).expect("a place");
        let (mut outer, mut inner) = (BTreeMap::new(), BTreeMap::new());
        for (position, value) in &self.values {
            let [i, j, k] = self.shape.split(*position);
            *inner.entry((i, j)).or_insert(Fr::zero()) += *value * z[place(k)];
        }
        for ((i, j), line) in &inner {
            *outer.entry(*i).or_insert(Fr::zero()) += *line * y[place(*j)];
        }
        let whole = outer.iter().map(|(i, plane)| *plane * x[place(*i)]).sum();
        Sums { at, whole, outer, inner }
    }

    fn header(&self, tag: &str) -> Transcript {
        let mut transcript = Transcript::new(tag);
        transcript.absorb(&self.key);
        for side in [&self.shape.outer, &self.shape.middle, &self.shape.inner] {
            transcript.number(side.size());
        }
        transcript.absorb(&bytes(&[self.commitment()]));
        transcript
    }

    fn absorb(&self, transcript: &mut Transcript, j: u64, positions: &[u64]) {
        transcript.number(j);
        transcript.number(positions.len() as u64);
        for position in positions {
            transcript.number(self.shape.split(*position)[2]);
        }
        transcript.absorb(&self.values(positions));
    }
}

impl Sums {
    fn plane(&self, i: u64) -> Fr {
        self.outer.get(&i).copied().unwrap_or_default()
    }

    fn line(&self, i: u64, j: u64) -> Fr {
        self.inner.get(&(i, j)).copied().unwrap_or_default()
    }
}

/// Every inner bucket, with its outer one's number.
fn each(
    buckets: &[Outer],
) -> impl Iterator<Item = (u64, &lightproof_core::system::balanceproofs::Inner)> {
    buckets.iter().flat_map(|bucket| bucket.inner.iter().map(|inner| (bucket.i, inner)))
}

/// ∏ (x − root).
fn vanishing(roots: &[Fr], x: Fr) -> Fr {
    roots.iter().map(|root| x - root).product()
}

/// The values at x of the Lagrange polynomials over some points.
fn basis(points: &[Fr], x: Fr) -> Vec<Fr> {
    let one = |(place, point): (usize, &Fr)| {
        let others = points.iter().enumerate().filter(|(other, _)| *other != place);
        let (above, below) = others.fold((Fr::one(), Fr::one()), |(above, below), (_, other)| {
            (above * (x - other), below * (*point - other))
        });
        above / below
    };
    points.iter().enumerate().map(one).collect()
}

fn multiples(scalars: &[Fr]) -> Vec<G1Affine> {
    G1Projective::generator().batch_mul(scalars)
}
