//! Checks of `basic` (§3), for R the polynomial of least degree with the claimed values and A = ∏
//! (X − ωⁱ) over the positions.

use alloc::vec;

use ark_bls12_381::Fr;
use ark_ff::{Field, One, PrimeField, Zero};

use super::params::Right;
use super::polynomial;
use super::proof::{Committed, Place};
use super::{Equation, Equations, Statement, Summand};
use crate::algebra::Point;
use crate::error::VerifyError;
use crate::transcript::Transcript;
use crate::wire::point::compress_g2;

/// \[1\]₁ among the parameters' points.
const GENERATOR: Point = Point::Fixed(0);

impl Statement<'_, '_> {
    /// e(C − \[R\]₁, \[1\]₂) = e(π, \[A\]₂).
    pub(super) fn plain(&self, aggregate: Place, todo: &mut Equations) {
        let commitment = todo.given(self.commitment);
        let equation = self.equation().times(Right::One, commitment, Fr::one());
        let equation = self.interpolated(equation, 0..self.query.count(), aggregate, todo);
        todo.push(equation);
    }

    /// Multiplies an equation by e(−\[R\]₁, \[1\]₂) · e(−π, \[A\]₂), R and A for some places of the
    /// query.
    pub(super) fn interpolated(
        &self,
        mut equation: Equation,
        places: core::ops::Range<usize>,
        aggregate: Place,
        todo: &Equations,
    ) -> Equation {
        let (one, last) = (Right::One, Right::Last);
        let members = self.members(places);
        let aggregate = todo.of_proof(aggregate);
        if let [(x, value)] = members.as_slice() {
            return equation.times(one, GENERATOR, -*value).times(one, aggregate, *x).times(
                last,
                aggregate,
                -Fr::one(),
            );
        }
        let (vanishing, values) = polynomial::interpolate(&members);
        for (power, coefficient) in values.into_iter().enumerate() {
            equation = equation.times(one, Point::Fixed(power), -coefficient);
        }
        let right = (0..self.params.g2.len()).map(Summand::Fixed).zip(vanishing).collect();
        equation.times_pair(vec![(aggregate, -Fr::one())], self.right(right))
    }

    /// e(C − mᵢ·G + ωⁱ·πᵢ, \[1\]₂) = e(πᵢ, \[τ\]₂) for each position.
    pub(super) fn singles(&self, proofs: &[Place], todo: &mut Equations) {
        let commitment = todo.given(self.commitment);
        for (place, proof) in proofs.iter().enumerate() {
            let equation = self.equation().times(Right::One, commitment, Fr::one());
            let places = place..place.saturating_add(1);
            let equation = self.interpolated(equation, places, *proof, todo);
            todo.push(equation);
        }
    }

    /// Evaluation hint: for R~ = Σ mᵢ·Lᵢ over the *full* domain, Q = \[(φ − R~)/A\]₁ and
    /// U = \[(φ − ρ − a·q)/(X − z)\]₁ at z drawn after Q, with a = A(z) and ρ = R~(z):
    /// e(C − ρ·G − a·Q + z·U, \[1\]₂) · e(−U, \[τ\]₂) = 1.
    pub(super) fn hinted(
        &self,
        [quotient, hint]: &[Place; 2],
        todo: &mut Equations,
    ) -> Result<(), VerifyError> {
        let mut transcript = self.claims("balanceproofs/basic/eval-hint/v1");
        self.absorb(&mut transcript, &[*quotient]);
        let z: Fr = transcript.challenge();
        let (a, rho) = self.evaluate(z).ok_or(self.refused())?;
        let commitment = todo.given(self.commitment);
        let (quotient, hint) = (todo.of_proof(*quotient), todo.of_proof(*hint));
        let one = Right::One;
        let equation = self.equation().times(one, commitment, Fr::one());
        let equation = equation.times(one, GENERATOR, -rho).times(one, quotient, -a);
        let equation = equation.times(one, hint, z).times(Right::Last, hint, -Fr::one());
        todo.push(equation);
        Ok(())
    }

    /// A(z) and R~(z) = (zⁿ − 1)/n · Σ mᵢ·ωⁱ/(z − ωⁱ); nothing for a z in the domain.
    fn evaluate(&self, z: Fr) -> Option<(Fr, Fr)> {
        let domain = &self.params.shape.inner;
        let members = self.members(0..self.query.count());
        let (a, sum) = polynomial::at(z, members.into_iter().map(|(x, value)| (x, value * x)));
        let vanishing = domain.vanishing(z);
        // Zero only in the domain.
        vanishing.inverse()?;
        let below = (a * Fr::from(domain.size())).inverse()?;
        Some((a, vanishing * sum * below))
    }

    /// Commitment hint: W = \[A\]₂, V = \[R\]₁ and the weights cᵢ = 1/A'(ωⁱ) are sent. At z drawn
    /// after them, a = A(z) and ρ = R(z); U = \[((A − a) + γ(R − ρ))/(X − z)\]₁ for γ drawn
    /// after z; δ after U: e(C − V + δ(γV − (a + γρ)G + zU), \[1\]₂) · e(δG − π, W) · e(−δU,
    /// \[τ\]₂) = 1.
    ///
    /// # Soundness
    /// In the algebraic group model with a random oracle. Each point that the prover sends is
    /// \[w\] for a polynomial w that he knows: π, v, u in G1 (φ for C, which whoever made the
    /// commitment knows) and w in G2. A false polynomial identity that holds at τ would give τ
    /// away, so the equation holds in X:
    ///
    /// ```text
    /// (φ − v − π·w) + δ·(w + γ·v − a − γ·ρ − (X − z)·u) = 0
    /// ```
    ///
    /// The transcript orders what is fixed before what, and each step fails with a probability of
    /// at most a degree over r:
    ///
    /// 1. δ is drawn after everything in both brackets, u the last of it. So both are zero: φ − v =
    ///    π·w, and at X = z, w(z) + γ·v(z) = a + γ·ρ.
    /// 2. γ is independent of w, v, z and what a and ρ are computed from: values, weights, z. So
    ///    w(z) = a and v(z) = ρ.
    /// 3. z is drawn after w. The verifier computes a = A(z) from the query's positions alone, so
    ///    w(z) = A(z) at a point that w could not foresee: w = A.
    /// 4. z is drawn after the weights. Σ cᵢ·∏ (z − ωʲ) over j ≠ i is 1 at such a point, so as a
    ///    polynomial; at ωⁱ it says cᵢ·A'(ωⁱ) = 1: the weights are the right ones. **Without this,
    ///    ρ says nothing**: for weights cᵢ·mᵢ/m'ᵢ, it is the R(z) of values mᵢ while m'ᵢ are
    ///    claimed.
    /// 5. z is drawn after v and the values. With the right weights, ρ is R(z) for the R through
    ///    the claimed values, so v = R.
    /// 6. φ − R = π·A: the vector's polynomial has the claimed values where A is zero.
    ///
    /// W must be in the subgroup of order r, which its decoder checks: elsewhere, the pairing is no
    /// evaluation of w. A z in the domain is refused as in the other hinted forms; it comes up by
    /// chance once in r/n times.
    pub(super) fn committed(
        &self,
        committed: &Committed,
        todo: &mut Equations,
    ) -> Result<(), VerifyError> {
        let Committed { aggregate, set, values, weights, hint } = committed;
        let mut transcript = self.claims("balanceproofs/basic/commit-hint/v1");
        self.absorb(&mut transcript, &[*aggregate]);
        transcript.absorb(&compress_g2(set));
        self.absorb(&mut transcript, &[*values]);
        for weight in weights {
            absorb_scalar(&mut transcript, *weight);
        }
        let z: Fr = transcript.challenge();
        let gamma: Fr = transcript.challenge();
        self.absorb(&mut transcript, &[*hint]);
        let delta: Fr = transcript.challenge();
        let (a, rho) = self.weighted(z, weights).ok_or(self.refused())?;
        let left = vec![(GENERATOR, delta), (todo.of_proof(*aggregate), -Fr::one())];
        let (commitment, values) = (todo.given(self.commitment), todo.of_proof(*values));
        let hint = todo.of_proof(*hint);
        let one = Right::One;
        let equation = self.equation().times(one, commitment, Fr::one());
        let equation = equation.times(one, values, delta * gamma - Fr::one());
        let equation = equation.times(one, GENERATOR, -delta * (a + gamma * rho));
        let equation = equation.times(one, hint, delta * z);
        let equation = equation.times(Right::Last, hint, -delta);
        todo.push(equation.times_pair(left, vec![(Summand::Given(*set), Fr::one())]));
        Ok(())
    }

    /// A(z) and R(z) by weights that are sent, which are held against step 4 of
    /// [`Statement::committed`].
    fn weighted(&self, z: Fr, weights: &[Fr]) -> Option<(Fr, Fr)> {
        if self.params.shape.inner.vanishing(z).is_zero() {
            return None;
        }
        let members = self.members(0..self.query.count());
        let roots = members.iter().map(|(x, _)| *x);
        let (a, unit) = polynomial::at(z, roots.zip(weights.iter().copied()));
        let terms = members.iter().zip(weights);
        let (_, rho) = polynomial::at(z, terms.map(|((x, value), weight)| (*x, *weight * value)));
        (unit == Fr::one() && weights.len() == members.len()).then_some((a, rho))
    }

    /// A transcript of everything that is claimed: key, n, C, k, positions, values.
    fn claims(&self, tag: &str) -> Transcript {
        let mut transcript = self.transcript(tag, &[self.params.shape.size()]);
        transcript.number(self.query.count() as u64);
        for position in &self.query.positions {
            transcript.number(*position);
        }
        transcript.absorb(self.proof.value_bytes);
        transcript
    }
}

/// Takes a scalar: 32 bytes, big-endian.
fn absorb_scalar(transcript: &mut Transcript, scalar: Fr) {
    for limb in scalar.into_bigint().0.iter().rev() {
        transcript.number(*limb);
    }
}
