//! Checks of `bucketed` and `two-layer` proofs that open all buckets of a layer by one point (§4.2,
//! Lemma C.3), for the Lagrange polynomials lᵢ over φⁱ, i in S, and lⱼ over θʲ, j in Tᵢ:
//! C = A\_S(α)·Π\_S + Σᵢ lᵢ(α)·(A\_Tᵢ(β)·Ψᵢ + Σⱼ lⱼ(β)·(A\_K(γ)·π\_K + c\_K(γ)·G)).

use alloc::vec;
use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{One, Zero};

use super::params::{Right, Scheme, Shape};
use super::polynomial;
use super::proof::{Halved, Place};
use super::query::{Inner, Outer};
use super::{Equations, Statement, SumOfG2, Summand};
use crate::algebra::Point;
use crate::error::VerifyError;

impl Statement<'_, '_> {
    /// By one pairing for every term: points of the grid make the right sides.
    pub(super) fn halved(&self, proof: &Halved, todo: &mut Equations) {
        let unit = [Fr::one()];
        let buckets = self.query.buckets(&self.params.shape);
        let commitment = todo.given(self.commitment);
        let equation = self.equation().times(Right::One, commitment, Fr::one());
        let (vanishing, outer) = polynomial::lagrange(&self.outer_roots(&buckets));
        let minus = |place| vec![(todo.of_proof(place), -Fr::one())];
        let right = self.grid([&vanishing, &unit, &unit]);
        let mut equation = equation.times_pair(minus(proof.outer), right);
        for ((bucket, alpha), (psi, proofs)) in buckets.iter().zip(&outer).zip(&proof.inner) {
            let (vanishing, middle) = polynomial::lagrange(&self.middle_roots(bucket));
            if let Some(psi) = psi {
                let right = self.grid([alpha, &vanishing, &unit]);
                equation = equation.times_pair(minus(*psi), right);
            }
            for ((Inner { members, .. }, beta), pi) in bucket.inner.iter().zip(&middle).zip(proofs)
            {
                let (vanishing, values) = polynomial::interpolate(&self.members(members.clone()));
                equation = equation.times_pair(minus(*pi), self.grid([alpha, beta, &vanishing]));
                let values = values.into_iter().map(|value| -value);
                let claimed = (0..self.params.g1.len()).map(Point::Fixed).zip(values).collect();
                equation = equation.times_pair(claimed, self.grid([alpha, beta, &unit]));
            }
        }
        todo.push(equation);
    }

    /// \[a(α)·b(β)·c(γ)\]₂ for three polynomials by their coefficients.
    fn grid(&self, [alpha, beta, gamma]: [&[Fr]; 3]) -> SumOfG2 {
        let Shape { scheme, middle, inner, .. } = &self.params.shape;
        let side = |size: u64| usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
        let inner = side(inner.size());
        let middle = if *scheme == Scheme::TwoLayer { side(middle.size()) } else { 1 };
        let mut terms = Vec::new();
        let first = self.params.g2.len();
        let points: Vec<_> = (first..).take(self.params.grid.len()).map(Summand::Fixed).collect();
        let planes = points.chunks(inner.saturating_mul(middle));
        for (plane, alpha) in planes.zip(alpha) {
            for (row, beta) in plane.chunks(inner).zip(beta) {
                let factor = *alpha * beta;
                terms.extend(row.iter().zip(gamma).map(|(point, gamma)| (*point, factor * gamma)));
            }
        }
        self.right(terms)
    }

    /// T3: M, the commitment without the right side above at a point (a, b, g) that is drawn, opens
    /// there to 0: e(M + aQ₁ + bQ₂ + gQ₃, \[1\]₂) · e(−Q₁, \[α\]₂) · e(−Q₂, \[β\]₂) · e(−Q₃,
    /// \[γ\]₂) = 1.
    pub(super) fn third_hint(
        &self,
        proof: &Halved,
        hints: &[Place; 3],
        todo: &mut Equations,
    ) -> Result<(), VerifyError> {
        let Shape { outer, middle, inner, .. } = &self.params.shape;
        let buckets = self.query.buckets(&self.params.shape);
        let mut transcript = self.header("balanceproofs/two-layer/T3/v1");
        self.absorb(&mut transcript, &[proof.outer]);
        transcript.number(buckets.len() as u64);
        for (bucket, (psi, proofs)) in buckets.iter().zip(&proof.inner) {
            transcript.number(bucket.i);
            self.absorb(&mut transcript, psi.as_slice());
            transcript.number(bucket.inner.len() as u64);
            for (one, pi) in bucket.inner.iter().zip(proofs) {
                self.absorb_bucket(&mut transcript, one);
                self.absorb(&mut transcript, &[*pi]);
            }
        }
        let (a, b, g): (Fr, Fr, Fr) =
            (transcript.challenge(), transcript.challenge(), transcript.challenge());
        if [outer.vanishing(a), middle.vanishing(b), inner.vanishing(g)].contains(&Fr::zero()) {
            return Err(self.refused());
        }

        let one = Right::One;
        let mut top = lagrange_at(a, &[self.outer_roots(&buckets)]);
        let (vanishing, alphas) = top.pop().ok_or(self.refused())?;
        let tops = lagrange_at(
            b,
            &buckets.iter().map(|bucket| self.middle_roots(bucket)).collect::<Vec<_>>(),
        );
        let (commitment, big) = (todo.given(self.commitment), todo.of_proof(proof.outer));
        let equation = self.equation().times(one, commitment, Fr::one());
        let mut equation = equation.times(one, big, -vanishing);
        let mut evaluated = self.evaluated(&buckets, g).into_iter();
        let mut constant = Fr::zero();
        for ((alpha, (vanishing, betas)), (psi, proofs)) in
            alphas.iter().zip(&tops).zip(&proof.inner)
        {
            if let Some(psi) = psi {
                equation = equation.times(one, todo.of_proof(*psi), -*alpha * vanishing);
            }
            for (beta, pi) in betas.iter().zip(proofs) {
                let (a, c) = evaluated.next().ok_or(self.refused())?;
                let share = *alpha * beta;
                equation = equation.times(one, todo.of_proof(*pi), -share * a);
                constant += share * c;
            }
        }
        equation = equation.times(one, Point::Fixed(0), -constant);
        let rights = [Right::Alpha, Right::Beta, Right::Last];
        for ((hint, at), right) in hints.iter().zip([a, b, g]).zip(rights) {
            let hint = todo.of_proof(*hint);
            equation = equation.times(one, hint, at).times(right, hint, -Fr::one());
        }
        todo.push(equation);
        Ok(())
    }

    /// φⁱ for each i in S.
    fn outer_roots(&self, buckets: &[Outer]) -> Vec<Fr> {
        buckets.iter().map(|bucket| self.params.shape.outer.root(bucket.i)).collect()
    }

    /// θʲ for each j in Tᵢ.
    fn middle_roots(&self, bucket: &Outer) -> Vec<Fr> {
        bucket.inner.iter().map(|inner| self.params.shape.middle.root(inner.j)).collect()
    }
}

/// For each list of points, ∏ (z − x) and the value at z of each Lagrange polynomial, z none of the
/// points.
fn lagrange_at(z: Fr, lists: &[Vec<Fr>]) -> Vec<(Fr, Vec<Fr>)> {
    let weights = polynomial::weights(lists);
    let each = lists.iter().zip(weights).map(|(roots, weights)| {
        let (vanishing, _) = polynomial::at(z, roots.iter().map(|x| (*x, Fr::zero())));
        let mut below: Vec<Fr> = roots.iter().map(|x| z - x).collect();
        ark_ff::batch_inversion(&mut below);
        let values = below.iter().zip(weights).map(|(below, weight)| vanishing * below * weight);
        (vanishing, values.collect())
    });
    each.collect()
}
