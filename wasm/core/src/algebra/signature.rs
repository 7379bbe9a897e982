//! What checking a committee's signature takes: sums of keys, and a product of pairings.

use ark_bls12_381::{Bls12_381, Fq, Fq2, G1Affine, G1Projective, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};

use super::equations::{is_one, miller};
use super::root;
use crate::hash::merkle::Work;

/// The root of an element of Fq, if it has one there.
pub(crate) fn real_square_root(a: Fq) -> Option<Fq> {
    root::real(a)
}

/// The root of an element of Fq², if it has one.
pub(crate) fn square_root(a: Fq2) -> Option<Fq2> {
    match root::root(a) {
        root::Root::Of(root) => Some(root),
        root::Root::OfZetaTimes(_) => None,
    }
}

/// Whether e(a₁, b₁) · e(a₂, b₂) · … = 1, by one product of Miller loops and one final
/// exponentiation.
pub(crate) fn pairings_cancel<const N: usize>(
    left: [G1Affine; N],
    right: [G2Affine; N],
    work: &mut Work,
) -> bool {
    work.loops = work.loops.saturating_add(u32::try_from(N).unwrap_or(u32::MAX));
    work.exponentiations = work.exponentiations.saturating_add(1);
    let right = right.into_iter().map(Into::into).collect();
    is_one::<Bls12_381>(miller::<Bls12_381>(&left, right))
}

/// A sum of points of G1's curve.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum(G1Projective);

impl Sum {
    /// Adds a point.
    pub(crate) fn add(&mut self, point: &G1Affine, work: &mut Work) {
        self.0 += point;
        work.added = work.added.saturating_add(1);
    }

    /// The sum.
    pub(crate) fn total(self) -> G1Affine {
        self.0.into_affine()
    }

    /// What remains of `whole` without the sum.
    pub(crate) fn subtracted_from(self, whole: &G1Affine, work: &mut Work) -> G1Affine {
        work.added = work.added.saturating_add(1);
        (whole.into_group() - self.0).into_affine()
    }
}
