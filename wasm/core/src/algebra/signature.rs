//! What checking a committee's signature takes: sums of keys, and a product of pairings.
//!
//! Arithmetic is in functions of its own that do not know the observer, so that it is compiled here
//! and not again by every crate that checks with another observer.

use ark_bls12_381::{Bls12_381, Fq, Fq2, G1Affine, G1Projective, G2Affine, miller_loop};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, One};

use super::equations::is_one;
use super::root;
use crate::observer::{Cost, Observer};

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

/// A product of pairings, some factors at a time.
#[derive(Clone, Debug)]
pub(crate) struct Product(<Bls12_381 as Pairing>::TargetField);

impl Product {
    /// The empty product.
    pub(crate) fn new() -> Self {
        Self(One::one())
    }

    /// Multiplies it by e(a, b) for each a on the left and the b in its place on the right. Returns
    /// for each b whether it is in the subgroup: the loop learns it, so that points on the curve
    /// need no other check. The product means nothing if one is not.
    pub(crate) fn times<'a, O: Observer>(
        &mut self,
        left: &[G1Affine],
        right: &'a [G2Affine],
        observer: &mut O,
    ) -> impl DoubleEndedIterator<Item = bool> + use<'a, O> {
        observer.cost(Cost::Loops(left.len()));
        self.multiply(left, right)
    }

    fn multiply<'a>(
        &mut self,
        left: &[G1Affine],
        right: &'a [G2Affine],
    ) -> impl DoubleEndedIterator<Item = bool> + use<'a> {
        let (product, orders) = miller_loop(left, right);
        self.0 *= product;
        orders
    }

    /// Whether it is one.
    pub(crate) fn is_one(&self, observer: &mut impl Observer) -> bool {
        observer.cost(Cost::Exponentiations(1));
        self.holds()
    }

    fn holds(&self) -> bool {
        is_one::<Bls12_381>(self.0)
    }
}

/// Whether e(a₁, b₁) · e(a₂, b₂) · … = 1, for points of the groups.
pub(crate) fn pairings_cancel<const N: usize>(
    left: [G1Affine; N],
    right: [G2Affine; N],
    observer: &mut impl Observer,
) -> bool {
    let mut product = Product::new();
    drop(product.times(&left, &right, observer));
    product.is_one(observer)
}

/// Σ weight · point, by one chain of doublings. The scalars are half as long as others, so tables
/// of multiples would save only a part of the time of a committee's handover, and would take 12 kB
/// of every page, whether it ever sees one or not.
pub(crate) fn weighted<G: AffineRepr>(terms: &[(G, u128)]) -> G::Group {
    let mut sum = G::Group::default();
    for bit in (0..u128::BITS).rev() {
        sum.double_in_place();
        for (point, weight) in terms {
            if (weight >> bit) & 1 == 1 {
                sum += point;
            }
        }
    }
    sum
}

/// A sum of points of G1's curve.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum(G1Projective);

impl Sum {
    /// Adds a point.
    pub(crate) fn add(&mut self, point: &G1Affine, observer: &mut impl Observer) {
        observer.cost(Cost::Terms(1));
        self.plus(point);
    }

    fn plus(&mut self, point: &G1Affine) {
        self.0 += point;
    }

    /// The sum.
    pub(crate) fn total(self) -> G1Affine {
        self.0.into_affine()
    }

    /// What remains of `whole` without the sum.
    pub(crate) fn subtracted_from(
        self,
        whole: &G1Affine,
        observer: &mut impl Observer,
    ) -> G1Affine {
        observer.cost(Cost::Terms(1));
        self.rest(whole)
    }

    fn rest(self, whole: &G1Affine) -> G1Affine {
        (whole.into_group() - self.0).into_affine()
    }
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::Fr;
    use ark_ec::PrimeGroup;

    use super::*;

    fn point(times: u64) -> G1Affine {
        (G1Projective::generator() * Fr::from(times)).into_affine()
    }

    #[test]
    fn points_are_added_as_often_as_they_weigh() {
        let terms = [(point(1), 3), (point(2), 5), (point(7), 0), (point(4), 1 << 127)];
        let last = point(4) * (Fr::from(1_u128 << 127));
        assert_eq!(weighted(&terms), last + point(13));
    }

    #[test]
    fn factors_are_multiplied() {
        let right = G2Affine::generator();
        let mut product = Product::new();
        assert!(product.multiply(&[point(2)], &[right]).eq([true]));
        let factor = Bls12_381::multi_miller_loop([point(2)], [right]).0;
        assert_eq!(product.0, factor);
        drop(product.multiply(&[point(2)], &[right]));
        assert_eq!(product.0, factor * factor);
    }
}
