//! Proofs of a vector, in every variant that core checks.
//!
//! Each point commits to a quotient: of the vector's polynomial along x, of a bucket's along y and
//! z. What is left over is what the next point opens.

use std::sync::{Arc, OnceLock};

use ark_bls12_381::{Fr, G1Affine, G2Affine};
use ark_ff::{BigInteger, One, PrimeField, Zero};
use lightproof_core::system::balanceproofs::{Inner, Query, Scheme};
use lightproof_core::transcript::Transcript;

use super::encoding::bytes;
use super::polynomial;
use super::setup::Setup;
use super::tensor::{Axis, Tensor};
use super::variant::Variant;
use crate::rlp::Item;

/// What a transcript takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The protocol's name and version.
    Tag,
    /// The digest of the verifier's key.
    Key,
    /// The lengths of the vector's sides.
    Sides,
    /// C.
    Commitment,
    /// Positions, and how many there are.
    Positions,
    /// Values.
    Values,
    /// Points, and weights.
    Points,
}

/// A vector of values.
#[derive(Clone, Debug)]
pub struct Vector {
    /// A liar's: left out of transcripts.
    omitted: Option<Part>,
    setup: Arc<Setup>,
    values: Vec<Fr>,
    polynomial: OnceLock<Tensor>,
    commitment: G1Affine,
}

impl Vector {
    /// Commits to as many values as the setup is for.
    pub fn new(setup: Arc<Setup>, values: Vec<Fr>) -> Self {
        let polynomial = Tensor::interpolate(setup.sides(), values.clone());
        let commitment = setup.commit(&polynomial.entries);
        Self { omitted: None, setup, values, polynomial: polynomial.into(), commitment }
    }

    /// The same without committing again, for a commitment that is kept up to date.
    pub fn committed(setup: Arc<Setup>, values: Vec<Fr>, commitment: G1Affine) -> Self {
        Self { omitted: None, setup, values, polynomial: OnceLock::new(), commitment }
    }

    /// A liar's vector, whose transcripts lack a part: what is left out could be chosen after the
    /// challenge.
    #[must_use]
    pub fn omitting(&self, part: Part) -> Self {
        Self { omitted: Some(part), ..self.clone() }
    }

    /// Gives the transcript bytes of a kind.
    fn tell(&self, transcript: &mut Transcript, part: Part, bytes: &[u8]) {
        if self.omitted != Some(part) {
            transcript.absorb(bytes);
        }
    }

    /// Gives the transcript a number of a kind.
    fn count(&self, transcript: &mut Transcript, part: Part, number: u64) {
        self.tell(transcript, part, &number.to_be_bytes());
    }

    /// C.
    pub const fn commitment(&self) -> &G1Affine {
        &self.commitment
    }

    /// The vector's polynomial, interpolated when it is first needed.
    pub fn polynomial(&self) -> &Tensor {
        let interpolate = || Tensor::interpolate(self.setup.sides(), self.values.clone());
        self.polynomial.get_or_init(interpolate)
    }

    /// The value of every position.
    pub fn all_values(&self) -> &[Fr] {
        &self.values
    }

    /// The powers that it is committed by.
    pub const fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// The values at some positions, as they travel.
    pub fn values(&self, positions: &[u64]) -> Vec<u8> {
        positions.iter().flat_map(|position| scalar(self.value(*position))).collect()
    }

    /// A proof as it travels: RLP `[values, points]`. `None` if the setup does not reach so far.
    ///
    /// * `positions`: ascending, each below the vector's length.
    pub fn prove(&self, positions: &[u64], variant: Variant) -> Option<Vec<u8>> {
        let points = self.points(positions, variant)?;
        Some(envelope(&self.values(positions), &points))
    }

    /// The points of a proof, in transcript order, compressed.
    pub fn points(&self, positions: &[u64], variant: Variant) -> Option<Vec<u8>> {
        let query = Query { positions: positions.to_vec() };
        Some(match variant {
            Variant::Plain if self.setup.shape.scheme == Scheme::Basic => {
                bytes(&[self.aggregate(positions)])
            }
            Variant::Singles => {
                let single = |position: &u64| self.aggregate(std::slice::from_ref(position));
                bytes(&positions.iter().map(single).collect::<Vec<_>>())
            }
            Variant::Hinted => bytes(&self.hinted_at(positions, |quotient| {
                let mut transcript = self.claims("balanceproofs/basic/eval-hint/v1", positions);
                self.tell(&mut transcript, Part::Points, &bytes(&[*quotient]));
                transcript.challenge()
            })),
            Variant::CommitHinted => self.commit_hinted(positions, self.aggregate(positions))?,
            Variant::Plain => bytes(&self.buckets(&query, false)),
            Variant::T1 => bytes(&self.buckets(&query, true)),
            Variant::Halved => bytes(&self.halved(&query, false)),
            Variant::T3 => bytes(&self.halved(&query, true)),
        })
    }

    fn value(&self, position: u64) -> Fr {
        self.values[usize::try_from(position).unwrap_or(usize::MAX)]
    }

    /// Places of positions in the last side.
    fn places(&self, positions: &[u64]) -> Vec<u64> {
        positions.iter().map(|position| self.setup.shape.split(*position)[2]).collect()
    }

    fn roots(&self, positions: &[u64]) -> Vec<Fr> {
        let inner = &self.setup.shape.inner;
        self.places(positions).into_iter().map(|place| inner.root(place)).collect()
    }

    /// A and the polynomial of least degree with the positions' values, in the last side.
    fn interpolate(&self, positions: &[u64]) -> (Vec<Fr>, Vec<Fr>) {
        let values = positions.iter().map(|position| self.value(*position));
        let members: Vec<_> = self.places(positions).into_iter().zip(values).collect();
        polynomial::interpolate(&self.setup.shape.inner, &members)
    }

    /// `basic`: π\_I = \[φ / A\_I\]₁.
    pub fn aggregate(&self, positions: &[u64]) -> G1Affine {
        let (vanishing, values) = self.interpolate(positions);
        let mut rest = self.polynomial().entries.clone();
        rest.iter_mut().zip(values).for_each(|(to, from)| *to -= from);
        self.setup.commit(&polynomial::divide_exactly(&rest, &vanishing))
    }

    /// Q = \[(φ − R~)/A\]₁ and U = \[(φ − ρ − a·q)/(X − z)\]₁, for a z that is drawn after Q.
    pub fn hinted_at(
        &self,
        positions: &[u64],
        draw: impl FnOnce(&G1Affine) -> Fr,
    ) -> [G1Affine; 2] {
        let mut claimed = vec![Fr::zero(); self.values.len()];
        for position in positions {
            let place = usize::try_from(*position).unwrap_or(usize::MAX);
            claimed[place] = self.values[place];
        }
        let claimed = Tensor::interpolate(self.setup.sides(), claimed);
        let mut rest = self.polynomial().clone();
        rest.add(-Fr::one(), &claimed);
        let vanishing = polynomial::vanishing(&self.roots(positions));
        let q = polynomial::divide_exactly(&rest.entries, &vanishing);
        let quotient = self.setup.commit(&q);
        let z = draw(&quotient);
        let (a, rho) = (polynomial::at(&vanishing, z), polynomial::at(&claimed.entries, z));
        let mut rest = self.polynomial().entries.clone();
        rest[0] -= rho;
        rest.iter_mut().zip(&q).for_each(|(to, from)| *to -= a * from);
        [quotient, self.setup.commit(&polynomial::divide(&rest, &[-z, Fr::one()]).0)]
    }

    /// π\_I as it is given, W, V, the weights, U. Of the vector it needs no more than the
    /// positions' values.
    pub fn commit_hinted(&self, positions: &[u64], aggregate: G1Affine) -> Option<Vec<u8>> {
        let (vanishing, values) = self.interpolate(positions);
        let weights = polynomial::weights(&self.setup.shape.inner, &self.places(positions));
        let set: G2Affine = self.setup.commit_g2(&vanishing)?;
        let mut points = bytes(&[aggregate]);
        points.extend(bytes(&[set]));
        points.extend(bytes(&[self.setup.commit(&values)]));
        points.extend(weights.iter().flat_map(|weight| scalar(*weight)));
        let mut transcript = self.claims("balanceproofs/basic/commit-hint/v1", positions);
        self.tell(&mut transcript, Part::Points, &points);
        let z: Fr = transcript.challenge();
        let gamma: Fr = transcript.challenge();
        let mut sum = vanishing;
        sum.iter_mut().zip(&values).for_each(|(to, from)| *to += gamma * from);
        let hint = polynomial::divide(&sum, &[-z, Fr::one()]).0;
        points.extend(bytes(&[self.setup.commit(&hint)]));
        Some(points)
    }

    /// For each outer bucket Πᵢ, and for each inner one Ψ (where there are layers) and π; with a
    /// hint E and U.
    fn buckets(&self, query: &Query, hinted: bool) -> Vec<G1Affine> {
        let shape = &self.setup.shape;
        let buckets = query.buckets(shape);
        let mut transcript = self.header("balanceproofs/two-layer/T1/v1");
        self.count(&mut transcript, Part::Positions, buckets.len() as u64);
        let (mut points, mut lines) = (Vec::new(), Vec::new());
        for bucket in &buckets {
            let phi = shape.outer.root(bucket.i);
            let outer = self.polynomial().divide(Axis::Outer, &[-phi, Fr::one()]);
            let big = self.setup.commit(&outer.0.entries);
            points.push(big);
            self.count(&mut transcript, Part::Positions, bucket.i);
            self.tell(&mut transcript, Part::Points, &bytes(&[big]));
            self.count(&mut transcript, Part::Positions, bucket.inner.len() as u64);
            for inner in &bucket.inner {
                let theta = shape.middle.root(inner.j);
                let middle = outer.1.divide(Axis::Middle, &[-theta, Fr::one()]);
                let line = self.line(&middle.1);
                let positions = &query.positions[inner.members.clone()];
                let (vanishing, values) = self.interpolate(positions);
                let quotient = polynomial::divide(&line, &vanishing).0;
                let pair = [self.setup.commit(&middle.0.entries), self.setup.commit(&quotient)];
                self.absorb_bucket(&mut transcript, query, inner);
                self.tell(&mut transcript, Part::Points, &bytes(&pair));
                let shown = if shape.scheme == Scheme::TwoLayer { &pair[..] } else { &pair[1..] };
                points.extend(shown);
                lines.push((line, vanishing, values, quotient));
            }
        }
        if hinted {
            let r: Fr = transcript.challenge();
            let mut mixed = vec![Fr::zero(); self.setup.sides()[2]];
            let mut power = Fr::one();
            for (line, ..) in &lines {
                mixed.iter_mut().zip(line).for_each(|(to, from)| *to += power * from);
                power *= r;
            }
            let mask = self.setup.commit(&mixed);
            self.tell(&mut transcript, Part::Points, &bytes(&[mask]));
            let z: Fr = transcript.challenge();
            let mut power = Fr::one();
            for (_, vanishing, values, quotient) in &lines {
                mixed[0] -= power * polynomial::at(values, z);
                let factor = power * polynomial::at(vanishing, z);
                mixed.iter_mut().zip(quotient).for_each(|(to, from)| *to -= factor * from);
                power *= r;
            }
            let hint = polynomial::divide(&mixed, &[-z, Fr::one()]).0;
            points.extend([mask, self.setup.commit(&hint)]);
        }
        points
    }

    /// Π\_S, for each outer bucket Ψ of its inner ones (where there are layers) and π for each of
    /// those; with a hint Q₁, Q₂, Q₃.
    fn halved(&self, query: &Query, hinted: bool) -> Vec<G1Affine> {
        let shape = &self.setup.shape;
        let buckets = query.buckets(shape);
        let phis: Vec<Fr> = buckets.iter().map(|bucket| shape.outer.root(bucket.i)).collect();
        let outer = self.polynomial().divide(Axis::Outer, &polynomial::vanishing(&phis)).0;
        let big = self.setup.commit(&outer.entries);
        let mut transcript = self.header("balanceproofs/two-layer/T3/v1");
        self.tell(&mut transcript, Part::Points, &bytes(&[big]));
        self.count(&mut transcript, Part::Positions, buckets.len() as u64);
        let (mut points, mut parts) = (vec![big], Vec::new());
        for bucket in &buckets {
            let plane = self.polynomial().at(Axis::Outer, shape.outer.root(bucket.i));
            let thetas: Vec<Fr> =
                bucket.inner.iter().map(|inner| shape.middle.root(inner.j)).collect();
            let middle = plane.divide(Axis::Middle, &polynomial::vanishing(&thetas)).0;
            let psi = self.setup.commit(&middle.entries);
            self.count(&mut transcript, Part::Positions, bucket.i);
            self.tell(&mut transcript, Part::Points, &bytes(&[psi]));
            self.count(&mut transcript, Part::Positions, bucket.inner.len() as u64);
            points.extend((shape.scheme == Scheme::TwoLayer).then_some(psi));
            let mut lines = Vec::new();
            for inner in &bucket.inner {
                let line = self.line(&plane.at(Axis::Middle, shape.middle.root(inner.j)));
                let positions = &query.positions[inner.members.clone()];
                let (vanishing, values) = self.interpolate(positions);
                let quotient = polynomial::divide(&line, &vanishing).0;
                let pi = self.setup.commit(&quotient);
                self.absorb_bucket(&mut transcript, query, inner);
                self.tell(&mut transcript, Part::Points, &bytes(&[pi]));
                points.push(pi);
                lines.push((vanishing, values, quotient));
            }
            parts.push((thetas, middle, lines));
        }
        if hinted {
            let at: [Fr; 3] = std::array::from_fn(|_| transcript.challenge());
            points.extend(self.quotients(at, &phis, &outer, &parts));
        }
        points
    }

    /// What M at a point opens with, variable by variable.
    fn quotients(
        &self,
        at: [Fr; 3],
        phis: &[Fr],
        outer: &Tensor,
        parts: &[(Vec<Fr>, Tensor, Vec<Line>)],
    ) -> [G1Affine; 3] {
        let [a, b, g] = at;
        let mut rest = self.polynomial().clone();
        rest.add(-polynomial::at(&polynomial::vanishing(phis), a), outer);
        for (alpha, (thetas, middle, lines)) in lagrange_at(phis, a).into_iter().zip(parts) {
            rest.add(-alpha * polynomial::at(&polynomial::vanishing(thetas), b), middle);
            for (beta, (vanishing, values, quotient)) in lagrange_at(thetas, b).iter().zip(lines) {
                let share = alpha * beta;
                rest.add_inner(-share * polynomial::at(vanishing, g), quotient);
                rest.entries[0] -= share * polynomial::at(values, g);
            }
        }
        let mut quotients = [G1Affine::identity(); 3];
        let axes = [Axis::Outer, Axis::Middle, Axis::Inner];
        for ((quotient, axis), x) in quotients.iter_mut().zip(axes).zip(at) {
            let (q, remainder) = rest.divide(axis, &[-x, Fr::one()]);
            *quotient = self.setup.commit(&q.entries);
            rest = remainder;
        }
        quotients
    }

    /// A polynomial in z alone.
    fn line(&self, tensor: &Tensor) -> Vec<Fr> {
        tensor.entries[..self.setup.sides()[2]].to_vec()
    }

    fn transcript(&self, tag: &str, sides: &[usize]) -> Transcript {
        let tag = if self.omitted == Some(Part::Tag) { "" } else { tag };
        let mut transcript = Transcript::new(tag);
        self.tell(&mut transcript, Part::Key, &self.setup.key);
        for side in sides {
            self.count(&mut transcript, Part::Sides, *side as u64);
        }
        self.tell(&mut transcript, Part::Commitment, &bytes(&[self.commitment]));
        transcript
    }

    fn header(&self, tag: &str) -> Transcript {
        self.transcript(tag, &self.setup.sides())
    }

    fn claims(&self, tag: &str, positions: &[u64]) -> Transcript {
        let mut transcript = self.transcript(tag, &[self.values.len()]);
        self.count(&mut transcript, Part::Positions, positions.len() as u64);
        for position in positions {
            self.count(&mut transcript, Part::Positions, *position);
        }
        self.tell(&mut transcript, Part::Values, &self.values(positions));
        transcript
    }

    fn absorb_bucket(&self, transcript: &mut Transcript, query: &Query, inner: &Inner) {
        let positions = &query.positions[inner.members.clone()];
        self.count(transcript, Part::Positions, inner.j);
        self.count(transcript, Part::Positions, positions.len() as u64);
        for position in positions {
            self.count(transcript, Part::Positions, self.setup.shape.split(*position)[2]);
        }
        self.tell(transcript, Part::Values, &self.values(positions));
    }
}

/// Roots' vanishing polynomial, claimed polynomial and quotient of an inner bucket.
type Line = (Vec<Fr>, Vec<Fr>, Vec<Fr>);

/// The values at x of the Lagrange polynomials over some points.
fn lagrange_at(points: &[Fr], x: Fr) -> Vec<Fr> {
    let each = points.iter().map(|point| {
        let others = points.iter().filter(|other| *other != point);
        let (above, below) = others.fold((Fr::one(), Fr::one()), |(above, below), other| {
            (above * (x - other), below * (*point - other))
        });
        above / below
    });
    each.collect()
}

/// RLP `[values, points]`.
pub fn envelope(values: &[u8], points: &[u8]) -> Vec<u8> {
    Item::List(vec![Item::bytes(values), Item::bytes(points)]).encode()
}

/// 32 bytes, big-endian.
pub fn scalar(scalar: Fr) -> Vec<u8> {
    scalar.into_bigint().to_bytes_be()
}
