//! The discrete Fourier transform, by which polynomials of hundreds of coefficients are multiplied.

use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{Field, Zero};

use super::domain::Domain;

/// Roots of unity for transforms up to some size.
#[derive(Clone, Debug)]
pub(super) struct Transform(Vec<Fr>);

impl Transform {
    /// Transforms of at most `size` values, a power of two that is at least 2.
    pub(super) fn new(size: usize) -> Self {
        let domain = Domain::new(size as u64);
        let roots = domain.map(|domain| (0..size as u64 / 2).map(|at| domain.root(at)).collect());
        Self(roots.unwrap_or_default())
    }

    /// Values of a polynomial at `size` roots of unity, a power of two, in an order that only
    /// [`Transform::back`] knows.
    pub(super) fn forth(&self, coefficients: &[Fr], size: usize) -> Vec<Fr> {
        let mut values = coefficients.to_vec();
        values.resize(size, Fr::zero());
        let mut width = size;
        while width > 1 {
            let half = width / 2;
            for block in values.chunks_mut(width) {
                let (low, high) = block.split_at_mut(half);
                for ((low, high), root) in low.iter_mut().zip(high).zip(self.roots(half)) {
                    let difference = *low - *high;
                    *low += *high;
                    *high = difference * root;
                }
            }
            width = half;
        }
        values
    }

    /// The coefficients of the polynomial of least degree with these values.
    pub(super) fn back(&self, mut values: Vec<Fr>) -> Vec<Fr> {
        let size = values.len();
        let mut half = 1;
        while half < size {
            for block in values.chunks_mut(half * 2) {
                let (low, high) = block.split_at_mut(half);
                for ((low, high), root) in low.iter_mut().zip(high).zip(self.roots(half)) {
                    let turned = *high * root;
                    *high = *low - turned;
                    *low += turned;
                }
            }
            half *= 2;
        }
        // What was turned forth again must be turned back: the coefficient of Xʲ stands at −j.
        if let Some((_, rest)) = values.split_first_mut() {
            rest.reverse();
        }
        let scale = Fr::from(size as u64).inverse().unwrap_or_default();
        for value in &mut values {
            *value *= scale;
        }
        values
    }

    /// The first `half` powers of a root of unity of order 2·`half`.
    fn roots(&self, half: usize) -> impl Iterator<Item = &Fr> {
        self.0.iter().step_by((self.0.len() / half).max(1))
    }
}
