//! Polynomials by their roots and values: how claimed values become scalars.
//!
//! Points x are distinct everywhere: they are roots of unity of different exponents.

use alloc::vec;
use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{One, Zero, batch_inversion};

/// ∏ (z − x), and Σ s·∏ (z − x') over the others: for weights s = v/A'(x) these are A(z) and the value at z of the polynomial
/// through all (x, v).
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
    let mut all: Vec<Fr> = Vec::new();
    for list in lists {
        for (index, x) in list.iter().enumerate() {
            let others = list.iter().enumerate().filter(|(other, _)| *other != index);
            all.push(others.map(|(_, other)| *x - other).product());
        }
    }
    batch_inversion(&mut all);
    let mut rest = all.into_iter();
    lists.iter().map(|list| rest.by_ref().take(list.len()).collect()).collect()
}

/// Coefficients, lowest first, of A = ∏ (X − x) and of Σ s·A/(X − x).
pub(super) fn coefficients(terms: &[(Fr, Fr)]) -> (Vec<Fr>, Vec<Fr>) {
    match terms {
        [] => (vec![Fr::one()], vec![]),
        [(x, weight)] => (vec![-*x, Fr::one()], vec![*weight]),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            let ((left, left_sum), (right, right_sum)) = (coefficients(left), coefficients(right));
            let mut sum = times(&left, &right_sum);
            for (to, from) in sum.iter_mut().zip(times(&right, &left_sum)) {
                *to += from;
            }
            (times(&left, &right), sum)
        }
    }
}

/// The product of two polynomials, both not empty.
pub(super) fn times(left: &[Fr], right: &[Fr]) -> Vec<Fr> {
    let mut product = vec![Fr::zero(); left.len().saturating_add(right.len()).saturating_sub(1)];
    for (shift, factor) in left.iter().enumerate() {
        for (to, from) in product.iter_mut().skip(shift).zip(right) {
            *to += *factor * from;
        }
    }
    product
}
