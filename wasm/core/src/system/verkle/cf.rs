//! `cf`: the commitment of Catalano and Fiore to a vector, under powers of k secrets zᵢ.
//!
//! hᵢ = zᵢ·G1 and ĥᵢ = zᵢ·G2; C = Σ mᵢ·hᵢ, and the opening of slot i is πᵢ = Σ_{j ≠ i} mⱼ·zᵢzⱼ·G1:
//! e(C − m·hᵢ, ĥᵢ) = e(πᵢ, G2).
//!
//! Binding rests on zᵢ²·G1 never having been made (it forges any opening of slot i), which nobody
//! can check, and on the zᵢ being independent: zⱼ = 2zᵢ would give zᵢzⱼ·G1 = 2zᵢ²·G1 away. That is
//! what the parameters' digest is trusted for.

use alloc::vec::Vec;

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::One;

use super::node::{Aggregate, Known, NodeCommitment, Slot, coefficient};
use crate::algebra::{Base, Equation, FixedG2, Point, Prepared, pairings_cancel, sum};
use crate::error::{DecodeError, InputError, Span};
use crate::hash::Hash;
use crate::wire::Cursor;
use crate::wire::point::{G1_BYTES, G2_BYTES, compress, g1_with_multiples, g2};

/// The verifier's parameters: all hᵢ, all ĥᵢ.
#[derive(Clone, Debug)]
pub(super) struct Cf {
    h: Vec<Base<G1Affine>>,
    hh: Vec<Prepared<Bls12_381>>,
    g2: Prepared<Bls12_381>,
}

impl Cf {
    /// Reads k points hᵢ and k points ĥᵢ, and checks that each pair hides one secret, all
    /// different.
    ///
    /// * `digest`: of the bytes; the pairs are checked together under coefficients that it decides.
    pub(super) fn read(k: usize, bytes: &[u8], digest: Hash) -> Result<Self, InputError> {
        let malformed = |error: DecodeError| InputError::Params(error.reason);
        let mut cursor = Cursor::new(bytes, 0);
        let h: Result<Vec<_>, _> = (0..k).map(|_| cursor.take(G1_BYTES, "h")).collect();
        let h = h.and_then(|h| g1_with_multiples(&h, "h")).map_err(malformed)?;
        let mut hh = Vec::with_capacity(k);
        let mut seen = Known::new();
        for (slot, Base { point, .. }) in h.iter().enumerate() {
            let mut bytes = compress(point);
            let [first, ..] = &mut bytes;
            // The sign: zⱼ = −zᵢ would give −zᵢ² away.
            *first &= 0x1f;
            if seen.insert(bytes, slot).is_some() {
                return Err(InputError::Params("two slots have the same secret"));
            }
        }
        for _ in 0..k {
            let from = cursor.take(G2_BYTES, "hh").map_err(malformed)?;
            hh.push(Prepared::new(g2(from, "hh").map_err(malformed)?));
        }
        cursor.finish("parameters").map_err(malformed)?;
        let own = Self { h, hh, g2: Prepared::new(G2Affine::generator()) };
        if own.hides_one_secret_a_slot(digest) {
            Ok(own)
        } else {
            Err(InputError::Params("a slot's points differ in their secret"))
        }
    }

    /// e(Σ ρᵢ·hᵢ, G2) = e(G1, Σ ρᵢ·ĥᵢ): false if any e(hᵢ, G2) ≠ e(G1, ĥᵢ).
    fn hides_one_secret_a_slot(&self, digest: Hash) -> bool {
        let coefficients = || (0..self.h.len()).map(|index| coefficient(digest, index));
        let left: Vec<_> = self.h.iter().map(|base| base.point).zip(coefficients()).collect();
        let right: Vec<_> = self.hh.iter().map(Prepared::point).zip(coefficients()).collect();
        pairings_cancel(
            [sum(&left).into_affine(), -G1Affine::generator()],
            [G2Affine::generator(), sum(&right).into_affine()],
            &mut (),
        )
    }

    /// G2 itself, behind the last ĥᵢ.
    const fn last(&self) -> FixedG2 {
        FixedG2(self.hh.len())
    }

    /// Multiplies by e(C − m·hᵢ, ĥᵢ)^coefficient.
    fn left(equation: Equation<Bls12_381>, slot: &Slot, coefficient: Fr) -> Equation<Bls12_381> {
        let Slot { commitment, digit, scalar } = *slot;
        let (h, hh) = (Point::Fixed(digit), FixedG2(digit));
        equation.times(hh, commitment, coefficient).times(hh, h, -scalar * coefficient)
    }
}

impl NodeCommitment for Cf {
    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        self.h.get(index).cloned()
    }

    fn g2(&self, index: FixedG2) -> Option<&Prepared<Bls12_381>> {
        self.hh.get(index.0).or((index == self.last()).then_some(&self.g2))
    }

    fn opens(&self, slot: &Slot, opening: Point, span: Span) -> Equation<Bls12_381> {
        let equation = Self::left(Equation::new(span), slot, Fr::one());
        equation.times(self.last(), opening, -Fr::one())
    }

    /// Π e(ρₗ·(Cₗ − mₗ·hᵢ), ĥᵢ) = e(π, G2), i the digit of slot l.
    fn opens_all(
        &self,
        slots: &[(Slot, Fr)],
        aggregate: &Aggregate<Point>,
        _seed: Hash,
        span: Span,
    ) -> Option<Equation<Bls12_381>> {
        let Aggregate::Sum(opening) = aggregate else { return None };
        let equation = slots.iter().fold(Equation::new(span), |equation, (slot, coefficient)| {
            Self::left(equation, slot, *coefficient)
        });
        Some(equation.times(self.last(), *opening, -Fr::one()))
    }
}
