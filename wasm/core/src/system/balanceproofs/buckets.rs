//! Checks of `bucketed` and `two-layer` proofs that open every bucket by points of its own (§4.2,
//! App. A): for a bucket b with positions K in outer bucket i and inner bucket j, and c\_b, A\_b
//! interpolated over ηᵏ, e(C − \[c\_b(γ)\]₁ + φⁱΠᵢ + θʲΨ\_b, \[1\]₂) = e(Πᵢ, \[α\]₂) · e(Ψ\_b,
//! \[β\]₂) · e(π\_b, \[A\_b(γ)\]₂).

use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{One, Zero};

use super::params::{Right, Shape};
use super::polynomial;
use super::proof::{OuterProof, Place};
use super::query::{Inner, Outer};
use super::{Equations, Statement};
use crate::algebra::Point;
use crate::error::VerifyError;
use crate::transcript::Transcript;

impl Statement<'_, '_> {
    /// The equation of every bucket, each by itself.
    pub(super) fn buckets(&self, proofs: &[OuterProof], todo: &mut Equations) {
        let Shape { outer, middle, .. } = &self.params.shape;
        let one = Right::One;
        let commitment = todo.given(self.commitment);
        for (bucket, proof) in self.query.buckets(&self.params.shape).iter().zip(proofs) {
            let big = todo.of_proof(proof.proof);
            for (Inner { j, members }, (psi, pi)) in bucket.inner.iter().zip(&proof.inner) {
                let equation = self.equation().times(one, commitment, Fr::one());
                let equation = equation.times(one, big, outer.root(bucket.i));
                let mut equation = equation.times(Right::Alpha, big, -Fr::one());
                if let Some(psi) = psi {
                    let psi = todo.of_proof(*psi);
                    equation = equation.times(one, psi, middle.root(*j));
                    equation = equation.times(Right::Beta, psi, -Fr::one());
                }
                let equation = self.interpolated(equation, members.clone(), *pi, todo);
                todo.push(equation);
            }
        }
    }

    /// T1, all buckets by four pairings. With r\_b the powers of r, E = \[Σ r\_b·φ\_b(γ)\]₁ for
    /// φ\_b = c\_b + A\_b·q\_b; at z drawn after E, U opens Σ r\_b (φ\_b − c\_b(z) −
    /// A\_b(z)·q\_b) to 0; δ is drawn after U.
    pub(super) fn first_hint(
        &self,
        proofs: &[OuterProof],
        [mask, hint]: &[Place; 2],
        todo: &mut Equations,
    ) -> Result<(), VerifyError> {
        let Shape { outer, middle, inner, .. } = &self.params.shape;
        let buckets = self.query.buckets(&self.params.shape);
        let mut transcript = self.header("balanceproofs/two-layer/T1/v1");
        transcript.number(buckets.len() as u64);
        for (bucket, proof) in buckets.iter().zip(proofs) {
            transcript.number(bucket.i);
            self.absorb(&mut transcript, &[proof.proof]);
            transcript.number(bucket.inner.len() as u64);
            for (one, (psi, pi)) in bucket.inner.iter().zip(&proof.inner) {
                self.absorb_bucket(&mut transcript, one);
                self.absorb(&mut transcript, psi.as_slice());
                self.absorb(&mut transcript, &[*pi]);
            }
        }
        let r: Fr = transcript.challenge();
        self.absorb(&mut transcript, &[*mask]);
        let z: Fr = transcript.challenge();
        self.absorb(&mut transcript, &[*hint]);
        let delta: Fr = transcript.challenge();
        if inner.vanishing(z).is_zero() {
            return Err(self.refused());
        }

        let (one, mut equation) = (Right::One, self.equation());
        let (mut power, mut total, mut constant) = (Fr::one(), Fr::zero(), Fr::zero());
        let mut evaluated = self.evaluated(&buckets, z).into_iter();
        for (bucket, proof) in buckets.iter().zip(proofs) {
            let before = total;
            for (small, (psi, pi)) in bucket.inner.iter().zip(&proof.inner) {
                let (a, c) = evaluated.next().ok_or(self.refused())?;
                if let Some(psi) = psi.map(|psi| todo.of_proof(psi)) {
                    equation = equation.times(one, psi, power * middle.root(small.j));
                    equation = equation.times(Right::Beta, psi, -power);
                }
                let pi = todo.of_proof(*pi);
                equation = equation.times(one, pi, -delta * power * a);
                constant += power * c;
                total += power;
                power *= r;
            }
            let big = todo.of_proof(proof.proof);
            let share = total - before;
            equation = equation.times(one, big, share * outer.root(bucket.i));
            equation = equation.times(Right::Alpha, big, -share);
        }
        let (commitment, mask, hint) =
            (todo.given(self.commitment), todo.of_proof(*mask), todo.of_proof(*hint));
        let equation = equation.times(one, commitment, total).times(one, mask, delta - Fr::one());
        let equation = equation.times(one, Point::Fixed(0), -delta * constant);
        let equation = equation.times(one, hint, delta * z);
        todo.push(equation.times(Right::Last, hint, -delta));
        Ok(())
    }

    /// A transcript that has taken the key, the sides and C.
    pub(super) fn header(&self, tag: &str) -> Transcript {
        let Shape { outer, middle, inner, .. } = &self.params.shape;
        self.transcript(tag, &[outer.size(), middle.size(), inner.size()])
    }

    /// Takes an inner bucket: j, |K|, positions, values.
    pub(super) fn absorb_bucket(&self, transcript: &mut Transcript, bucket: &Inner) {
        let Inner { j, members } = bucket;
        transcript.number(*j);
        transcript.number(members.len() as u64);
        for position in self.query.positions.get(members.clone()).unwrap_or_default() {
            let [_, _, k] = self.params.shape.split(*position);
            transcript.number(k);
        }
        let words: &[[u8; 32]] = self.proof.value_bytes.as_chunks().0;
        for value in words.get(members.clone()).unwrap_or_default() {
            transcript.absorb(value);
        }
    }

    /// A\_b(z) and c\_b(z) of every inner bucket, in order.
    pub(super) fn evaluated(&self, buckets: &[Outer], z: Fr) -> Vec<(Fr, Fr)> {
        let inner = buckets.iter().flat_map(|bucket| &bucket.inner);
        let members: Vec<_> = inner.map(|inner| self.members(inner.members.clone())).collect();
        let roots = |members: &Vec<(Fr, Fr)>| members.iter().map(|(x, _)| *x).collect();
        let weights = polynomial::weights(&members.iter().map(roots).collect::<Vec<_>>());
        let each = members.iter().zip(&weights);
        each.map(|(members, weights)| {
            let terms = members.iter().zip(weights);
            polynomial::at(z, terms.map(|((x, value), weight)| (*x, *value * weight)))
        })
        .collect()
    }
}
