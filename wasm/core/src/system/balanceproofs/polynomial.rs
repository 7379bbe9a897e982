//! Polynomials by their roots and values: how claimed values become scalars.
//!
//! Points x are distinct everywhere: they are roots of unity of different exponents.

use alloc::vec;
use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{One, Zero, batch_inversion};

use super::tree::Tree;

/// Up to this many points derivatives are taken one by one.
const FEW: usize = 64;

/// ∏ (z − x), and Σ s·∏ (z − x') over the others: for weights s = v/A'(x) these are A(z) and the
/// value at z of the polynomial through all (x, v).
pub(super) fn at(z: Fr, terms: impl Iterator<Item = (Fr, Fr)>) -> (Fr, Fr) {
    let (mut product, mut sum) = (Fr::one(), Fr::zero());
    for (x, weight) in terms {
        let factor = z - x;
        sum = sum * factor + weight * product;
        product *= factor;
    }
    (product, sum)
}

/// 1/A'(x) for each x of each list, A the polynomial with that list's roots. One inversion in all.
pub(super) fn weights(lists: &[Vec<Fr>]) -> Vec<Vec<Fr>> {
    let mut all: Vec<Fr> = lists.iter().flat_map(|list| derivatives(list)).collect();
    batch_inversion(&mut all);
    let mut rest = all.into_iter();
    lists.iter().map(|list| rest.by_ref().take(list.len()).collect()).collect()
}

/// A'(x) for each x of a list.
fn derivatives(list: &[Fr]) -> Vec<Fr> {
    if list.len() > FEW {
        return Tree::new(list).derivatives();
    }
    let each = list.iter().enumerate().map(|(index, x)| {
        let others = list.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, other)| *x - other).product()
    });
    each.collect()
}

/// Coefficients, lowest first, of A and of the polynomial of least degree with these values.
pub(super) fn interpolate(members: &[(Fr, Fr)]) -> (Vec<Fr>, Vec<Fr>) {
    let (points, mut weights): (Vec<Fr>, Vec<Fr>) = members.iter().copied().unzip();
    let tree = Tree::new(&points);
    let mut below = tree.derivatives();
    batch_inversion(&mut below);
    weights.iter_mut().zip(below).for_each(|(weight, below)| *weight *= below);
    (tree.product().to_vec(), tree.sum(&weights))
}

/// Coefficients of A, and of each Lagrange polynomial over its roots.
pub(super) fn lagrange(points: &[Fr]) -> (Vec<Fr>, Vec<Vec<Fr>>) {
    let tree = Tree::new(points);
    let mut below = tree.derivatives();
    batch_inversion(&mut below);
    let each = below.iter().enumerate().map(|(index, below)| {
        let mut weights = vec![Fr::zero(); index];
        weights.push(*below);
        tree.sum(&weights)
    });
    (tree.product().to_vec(), each.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(count: usize) -> Vec<(Fr, Fr)> {
        let mut state = Fr::from(count as u64 + 2);
        let mut next = || {
            state = state * state + Fr::one();
            state
        };
        (0..count).map(|_| (next(), next())).collect()
    }

    fn value(polynomial: &[Fr], x: Fr) -> Fr {
        polynomial.iter().rev().fold(Fr::zero(), |sum, coefficient| sum * x + coefficient)
    }

    /// Sizes about those where a step is done in another way.
    #[test]
    fn interpolation_meets_its_values() {
        for count in [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 200] {
            let members = sample(count);
            let (vanishing, values) = interpolate(&members);
            assert_eq!((vanishing.len(), vanishing.last()), (count + 1, Some(&Fr::one())));
            assert_eq!(values.len(), count);
            for (x, expected) in members {
                assert_eq!((value(&vanishing, x), value(&values, x)), (Fr::zero(), expected));
            }
        }
    }

    #[test]
    fn lagrange_polynomials_are_one_at_one_point() {
        let points: Vec<Fr> = sample(20).into_iter().map(|(x, _)| x).collect();
        let (_, all) = lagrange(&points);
        for (index, polynomial) in all.iter().enumerate() {
            for (other, x) in points.iter().enumerate() {
                assert_eq!(value(polynomial, *x), Fr::from(u64::from(other == index)));
            }
        }
    }

    #[test]
    fn weights_of_many_points_are_those_of_few() {
        let points: Vec<Fr> = sample(FEW * 2 + 1).into_iter().map(|(x, _)| x).collect();
        let weights = weights(&[points.clone(), points[..3].to_vec()]);
        for (list, weights) in [&points[..], &points[..3]].into_iter().zip(weights) {
            for (x, weight) in list.iter().zip(weights) {
                let others = list.iter().filter(|other| *other != x);
                assert_eq!(others.map(|other| *x - other).product::<Fr>() * weight, Fr::one());
            }
        }
    }
}
