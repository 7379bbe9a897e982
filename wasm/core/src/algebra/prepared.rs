//! Points of G2 that parameters fix, as the Miller loop takes them. Preparing one is a tenth of a
//! pairing's work, and its lines take some 20 kB: they are made when a check first needs them, and
//! kept.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ark_ec::bls12::{Bls12, Bls12Config, G2Prepared};
use ark_ec::pairing::Pairing;
use ark_ff::{One, Zero, batch_inversion};
use once_cell::race::OnceBox;

/// A point of G2, and its lines once they were needed.
#[derive(Debug)]
pub struct Prepared<P: Pairing> {
    point: P::G2Affine,
    lines: OnceBox<P::G2Prepared>,
}

impl<P: Pairing> Prepared<P> {
    /// A point whose lines were not needed yet.
    pub const fn new(point: P::G2Affine) -> Self {
        Self { point, lines: OnceBox::new() }
    }

    /// The point.
    pub const fn point(&self) -> P::G2Affine {
        self.point
    }
}

impl<C: Bls12Config> Prepared<Bls12<C>> {
    /// Its lines, each with a last coefficient of one: that saves a quarter of what multiplying by
    /// them takes.
    pub fn lines(&self) -> G2Prepared<C> {
        self.lines.get_or_init(|| Box::new(normalised(self.point.into()))).clone()
    }
}

/// The lines up to factors in 𝔽\_p², which the final exponentiation removes.
fn normalised<C: Bls12Config>(mut prepared: G2Prepared<C>) -> G2Prepared<C> {
    let mut inverses: Vec<_> = prepared.ell_coeffs.iter().map(|line| line.2).collect();
    batch_inversion(&mut inverses);
    for ((c0, c1, c2), inverse) in prepared.ell_coeffs.iter_mut().zip(inverses) {
        // A vertical line, which points of order r do not meet, stays as it is.
        if !inverse.is_zero() {
            *c0 *= inverse;
            *c1 *= inverse;
            *c2 = One::one();
        }
    }
    prepared
}

impl<P: Pairing> Clone for Prepared<P> {
    fn clone(&self) -> Self {
        Self::new(self.point)
    }
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::{Bls12_381, G1Affine, G2Affine};
    use ark_ec::AffineRepr;

    use super::*;

    /// The same pairing, and nothing to multiply by in the last place of a line.
    #[test]
    fn lines_end_in_one_and_pair_as_before() {
        let (left, right) = (G1Affine::generator(), G2Affine::generator());
        let lines = Prepared::<Bls12_381>::new(right).lines();
        assert!(lines.ell_coeffs.iter().all(|(_, _, last)| last.is_one()));
        assert_eq!(Bls12_381::pairing(left, lines), Bls12_381::pairing(left, right));
    }
}
