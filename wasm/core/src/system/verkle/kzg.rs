//! `kzg`: a node's slots are the values of a polynomial f at the k-th roots of unity, C = f(τ)·G1.
//!
//! Digit d is the place ωᵈ, ω = 7^((r − 1)/k). The opening of slot d is the commitment π to
//! (f(X) − y)/(X − ωᵈ): e(C − y·G1 + ωᵈ·π, G2) = e(π, τ·G2).
//!
//! The parameters are those of any ceremony that published powers of τ up to k − 1.

use alloc::vec::Vec;

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G2Affine};
use ark_ec::AffineRepr;
use ark_ff::{FftField, Field, One, batch_inversion};

use super::node::{Aggregate, NodeCommitment, Slot};
use crate::algebra::{Base, Equation, FixedG2, Point, Prepared};
use crate::error::{DecodeError, InputError, Span};
use crate::hash::{Hash, sha256};
use crate::wire::point::{G1_BYTES, G2_BYTES, g1, g2};
use crate::wire::{Cursor, reduced};

/// Where G1, G2 and τ·G2 stand among the fixed points.
const G1: Point = Point::Fixed(0);
const G2: FixedG2 = FixedG2(0);
const TAU_G2: FixedG2 = FixedG2(1);

/// The verifier's parameters.
#[derive(Clone, Debug)]
pub(super) struct Kzg {
    /// G2 and τ·G2.
    g2: [Prepared<Bls12_381>; 2],
    /// A primitive k-th root of unity.
    omega: Fr,
    k: u64,
}

impl Kzg {
    /// Reads G1, G2 and τ·G2. The first two are the curve's generators, as in Ethereum's ceremony.
    pub(super) fn read(k: usize, bytes: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: DecodeError| InputError::Params(error.reason);
        let mut cursor = Cursor::new(bytes, 0);
        let first =
            cursor.take(G1_BYTES, "G1").and_then(|from| g1(from, "G1")).map_err(malformed)?;
        let mut next = || cursor.take(G2_BYTES, "G2").and_then(|from| g2(from, "G2"));
        let (second, tau_g2) = (next().map_err(malformed)?, next().map_err(malformed)?);
        cursor.finish("parameters").map_err(malformed)?;
        if first != G1Affine::generator() || second != G2Affine::generator() {
            return Err(InputError::Params("not the curve's generators"));
        }
        let k = k as u64;
        let omega = Fr::get_root_of_unity(k).ok_or(InputError::Params("no root of unity"))?;
        Ok(Self { g2: [second, tau_g2].map(Prepared::new), omega, k })
    }

    fn place(&self, digit: usize) -> Fr {
        self.omega.pow([digit as u64])
    }
}

/// The challenge at which an aggregate is opened: SHA-256(seed ‖ D) modulo r.
pub(super) fn challenge(seed: Hash, sum: &[u8; G1_BYTES]) -> Fr {
    let Hash(bytes) = sha256(&[&seed.0, sum]);
    reduced(&bytes)
}

impl NodeCommitment for Kzg {
    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        (index == 0).then(|| G1Affine::generator().into())
    }

    fn g2(&self, FixedG2(index): FixedG2) -> Option<&Prepared<Bls12_381>> {
        self.g2.get(index)
    }

    fn opens(&self, slot: &Slot, opening: Point, span: Span) -> Equation<Bls12_381> {
        let Slot { commitment, digit, scalar } = *slot;
        Equation::new(span)
            .times(G2, commitment, Fr::one())
            .times(G2, G1, -scalar)
            .times(G2, opening, self.place(digit))
            .times(TAU_G2, opening, -Fr::one())
    }

    /// D commits to g(X) = Σ ρₗ·(fₗ(X) − mₗ)/(X − ωᵈ), and U shows that
    /// Σ ρₗ/(z − ωᵈ)·(fₗ(X) − mₗ) − g(X) is 0 at z:
    /// e(Σ ρₗ/(z − ωᵈ)·(Cₗ − mₗ·G1) − D + z·U, G2) = e(U, τ·G2).
    ///
    /// z comes after D, so D cannot be made to fit it.
    fn opens_all(
        &self,
        slots: &[(Slot, Fr)],
        aggregate: &Aggregate<Point>,
        seed: Hash,
        span: Span,
    ) -> Option<Equation<Bls12_381>> {
        let Aggregate::Quotient { sum_bytes, sum, quotient } = aggregate else { return None };
        let z = challenge(seed, sum_bytes);
        if z.pow([self.k]).is_one() {
            return None;
        }
        let mut factors: Vec<Fr> =
            slots.iter().map(|(slot, _)| z - self.place(slot.digit)).collect();
        batch_inversion(&mut factors);
        let mut equation = Equation::new(span);
        for ((slot, coefficient), inverse) in slots.iter().zip(factors) {
            let factor = *coefficient * inverse;
            equation =
                equation.times(G2, slot.commitment, factor).times(G2, G1, -slot.scalar * factor);
        }
        Some(equation.times(G2, *sum, -Fr::one()).times(G2, *quotient, z).times(
            TAU_G2,
            *quotient,
            -Fr::one(),
        ))
    }
}
