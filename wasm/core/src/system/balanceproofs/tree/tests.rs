//! The tree's steps, held against their definitions, one root after the other.

use super::*;

/// Counts about those where a step is done in another way: few roots, and powers of two.
const COUNTS: [usize; 18] =
    [1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 47, 63, 64, 65, 100, 128, 129, 200];

fn sample(seed: u64, count: usize) -> Vec<Fr> {
    let mut state = Fr::from(seed);
    let next = |_| {
        state = state * state + Fr::one();
        state
    };
    (0..count).map(next).collect()
}

fn value(polynomial: &[Fr], x: Fr) -> Fr {
    polynomial.iter().rev().fold(Fr::zero(), |sum, coefficient| sum * x + coefficient)
}

/// ∏ (X − x), one factor after the other.
fn product(points: &[Fr]) -> Vec<Fr> {
    points.iter().fold(vec![Fr::one()], |product, x| {
        let mut next = vec![Fr::zero(); product.len() + 1];
        for (place, coefficient) in product.iter().enumerate() {
            next[place + 1] += coefficient;
            next[place] -= *coefficient * x;
        }
        next
    })
}

/// The points but one.
fn without(points: &[Fr], index: usize) -> Vec<Fr> {
    [&points[..index], &points[index + 1..]].concat()
}

#[test]
fn products_and_sums_are_those_of_the_definitions() {
    for count in COUNTS {
        let (points, weights) = (sample(2, count), sample(3, count));
        let tree = Tree::new(&points);
        assert_eq!(tree.product(), product(&points));
        let mut expected = vec![Fr::zero(); count];
        for (index, weight) in weights.iter().enumerate() {
            let quotient = product(&without(&points, index));
            expected.iter_mut().zip(quotient).for_each(|(to, from)| *to += from * weight);
        }
        assert_eq!(tree.sum(&weights), expected);
        // Weights that are missing are zero.
        for known in [0, 1, count / 2, count - 1] {
            let mut padded = weights[..known].to_vec();
            padded.resize(count, Fr::zero());
            assert_eq!(tree.sum(&weights[..known]), tree.sum(&padded));
        }
    }
}

#[test]
fn derivatives_are_products_of_differences() {
    for count in COUNTS {
        let points = sample(4, count);
        let expected = points.iter().enumerate().map(|(index, x)| {
            without(&points, index).iter().map(|other| *x - other).product::<Fr>()
        });
        assert_eq!(Tree::new(&points).derivatives(), expected.collect::<Vec<_>>());
    }
}

#[test]
fn the_inverse_of_the_reversed_product_is_that_of_long_division() {
    for count in COUNTS {
        let points = sample(5, count);
        let mut reversed = product(&points);
        reversed.reverse();
        let mut inverse: Vec<Fr> = vec![Fr::one()];
        for place in 1..count {
            let below = (1..=place).map(|back| reversed[back] * inverse[place - back]);
            inverse.push(-below.sum::<Fr>());
        }
        assert_eq!(Tree::new(&points).inverse(count), inverse);
    }
}

#[test]
fn values_are_the_transpose_of_sums() {
    for count in COUNTS {
        let (points, vector) = (sample(6, count), sample(7, count));
        let tree = Tree::new(&points);
        let mut values = Vec::new();
        tree.root.values(&points, &vector, &tree.transform, &mut values);
        // q(x)·s, q highest first.
        let expected = (0..count).map(|index| {
            let quotient = product(&without(&points, index));
            quotient.iter().rev().zip(&vector).map(|(left, right)| *left * right).sum::<Fr>()
        });
        assert_eq!(values, expected.collect::<Vec<_>>());
        let weights = sample(8, count);
        let dot = |left: &[Fr], right: &[Fr]| {
            left.iter().zip(right).map(|(left, right)| *left * right).sum::<Fr>()
        };
        let mut sum = tree.sum(&weights);
        sum.reverse();
        assert_eq!(dot(&values, &weights), dot(&vector, &sum));
    }
}

/// The two steps of the head of this file, for any polynomial.
#[test]
fn both_steps_together_evaluate() {
    for count in COUNTS {
        let (points, polynomial) = (sample(9, count), sample(10, count));
        let tree = Tree::new(&points);
        let inverse = tree.inverse(count);
        let shifted = (0..count)
            .map(|place| polynomial[place..].iter().zip(&inverse).map(|(f, g)| *f * g).sum::<Fr>());
        let shifted: Vec<Fr> = shifted.collect();
        let mut values = Vec::new();
        tree.root.values(&points, &shifted, &tree.transform, &mut values);
        let expected = points.iter().map(|x| value(&polynomial, *x));
        assert_eq!(values, expected.collect::<Vec<_>>());
    }
}
