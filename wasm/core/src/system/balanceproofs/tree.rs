//! A polynomial by its roots, as a tree of products: k·log² k steps for what takes k² one by one.
//!
//! For A = ∏ (X − xᵢ), i < k, write q(x) for the coefficients of A/(X − x), *highest first*. Two
//! linear maps are wanted:
//!
//! * [`Tree::sum`], of weights: Σ wᵢ·A/(X − xᵢ). Highest coefficient first it is M·w, for the
//!   matrix M with columns q(xᵢ). With A = L·R for the halves of the roots, it is R·(sum of the
//!   left weights) + L·(sum of the right ones).
//! * [`Tree::derivatives`], the values of f = A' at all roots: V·f for the matrix V with rows 1,
//!   xᵢ, xᵢ², …
//!
//! The second one is made of the first by transposition. X^k·A(1/X) is P = ∏ (1 − xᵢX), so M·w are
//! the coefficients of P·Σ wᵢ/(1 − xᵢX). Divided by P, coefficient j is Σ wᵢ·xᵢʲ, which is Vᵀ·w.
//! With 1/P = Σ gᵢ·Xⁱ and T the matrix of the product by it, Vᵀ = T·M, and so V = Mᵀ·Tᵀ:
//!
//! 1. Tᵀ·f: element j is Σᵢ gᵢ·fᵢ₊ⱼ ([`Tree::derivatives`]; g by [`Tree::inverse`]).
//! 2. Mᵀ of that ([`Node::values`]): at a node, the left half's share of a vector s has the
//!    elements Σᵢ rᵢ·sᵢ₊ⱼ, r the coefficients of R, highest first; the right half's is the same of
//!    L. With few roots, element i is q(xᵢ)·s.
//!
//! A sum Σᵢ rᵢ·sᵢ₊ⱼ is a coefficient of the product of s and of r from behind: those from the
//! degree of r on.
//!
//! The tests do the same one by one, from the definitions.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{One, Zero};

use super::transform::Transform;

/// Up to this many roots everything is done one by one. A power of two.
const SCHOOL: usize = 16;

/// A = ∏ (X − x) over distinct points x.
#[derive(Clone, Debug)]
pub(super) struct Tree<'a> {
    points: &'a [Fr],
    transform: Transform,
    root: Node,
}

impl<'a> Tree<'a> {
    /// A by its roots.
    pub(super) fn new(points: &'a [Fr]) -> Self {
        let transform = Transform::new(points.len().next_power_of_two() * 2);
        let root = Node::new(points, &transform);
        Self { points, transform, root }
    }

    /// Coefficients of A, lowest first.
    pub(super) fn product(&self) -> &[Fr] {
        &self.root.product
    }

    /// A'(x) for each root.
    pub(super) fn derivatives(&self) -> Vec<Fr> {
        let mut power = Fr::zero();
        let derivative = self.root.product.iter().skip(1).map(|coefficient| {
            power += Fr::one();
            *coefficient * power
        });
        let derivative: Vec<Fr> = derivative.collect();
        // Step 1.
        let mut inverse = self.inverse(self.points.len());
        inverse.reverse();
        let size = self.points.len().next_power_of_two() * 2;
        let mut product = self.transform.forth(&derivative, size);
        scale(&mut product, &self.transform.forth(&inverse, size));
        let sums = self.transform.back(product).split_off(self.points.len().saturating_sub(1));
        let mut values = Vec::with_capacity(self.points.len());
        self.root.values(self.points, &sums, &self.transform, &mut values);
        values
    }

    /// Coefficients of Σ w·A/(X − x), a weight w for each root x, zero for those that are missing.
    pub(super) fn sum(&self, weights: &[Fr]) -> Vec<Fr> {
        self.root.sum(self.points, weights, &self.transform)
    }

    /// The first coefficients of 1/∏ (1 − x·X), by Newton's iteration: g becomes g − g·(M·g − 1),
    /// twice as long.
    fn inverse(&self, count: usize) -> Vec<Fr> {
        let reversed: Vec<Fr> = self.root.product.iter().rev().copied().collect();
        let mut inverse = vec![Fr::one()];
        while inverse.len() < count {
            let (known, size) = (inverse.len(), inverse.len() * 2);
            let own = self.transform.forth(&inverse, size);
            let mut error = self.transform.forth(reversed.get(..size).unwrap_or(&reversed), size);
            scale(&mut error, &own);
            // What does not fit falls on what is known to be 1, 0, 0, …
            let error = self.transform.back(error).split_off(known);
            let mut next = self.transform.forth(&error, size);
            scale(&mut next, &own);
            let next = self.transform.back(next);
            inverse.extend(next.into_iter().take(known).map(|coefficient| -coefficient));
        }
        inverse.truncate(count);
        inverse
    }
}

#[derive(Clone, Debug)]
struct Node {
    product: Vec<Fr>,
    /// Both halves, unless there are few roots.
    halves: Option<Box<[Half; 2]>>,
}

#[derive(Clone, Debug)]
struct Half {
    node: Node,
    /// The transform of its product, as long as the whole.
    transformed: Vec<Fr>,
}

impl Node {
    fn new(points: &[Fr], transform: &Transform) -> Self {
        if points.len() <= SCHOOL {
            let mut product = vec![Fr::one()];
            for x in points {
                // (X − x) times what there is.
                product.insert(0, Fr::zero());
                let upper: Vec<Fr> = product.iter().skip(1).copied().collect();
                product.iter_mut().zip(upper).for_each(|(to, from)| *to -= from * x);
            }
            return Self { product, halves: None };
        }
        let size = points.len().next_power_of_two();
        let (left, right) = points.split_at(size / 2);
        let halves = [left, right].map(|points| {
            let node = Self::new(points, transform);
            let transformed = transform.forth(&node.product, size);
            Half { node, transformed }
        });
        let [left, right] = &halves;
        let mut product = left.transformed.clone();
        scale(&mut product, &right.transformed);
        let mut product = transform.back(product);
        // The highest coefficient is 1; if there is no place for it, it stands with the lowest.
        if points.len() == size {
            product.iter_mut().take(1).for_each(|lowest| *lowest -= Fr::one());
            product.push(Fr::one());
        }
        product.truncate(points.len().saturating_add(1));
        Self { product, halves: Some(Box::new(halves)) }
    }

    /// Adds to `out` for each of the node's points x the product of q(x) and `sums`: step 2, the
    /// transpose of [`Node::sum`].
    fn values(&self, points: &[Fr], sums: &[Fr], transform: &Transform, out: &mut Vec<Fr>) {
        let Some(halves) = &self.halves else {
            return out.extend(points.iter().map(|x| {
                let quotient = self.quotient(*x);
                sums.iter().zip(quotient).map(|(sum, coefficient)| *sum * coefficient).sum::<Fr>()
            }));
        };
        let size = points.len().next_power_of_two();
        let count = points.len();
        let (left_points, right_points) = points.split_at(size / 2);
        let sums = transform.forth(sums.get(..count).unwrap_or(sums), size);
        let [left, right] = &**halves;
        for (own, points, other) in [(left, left_points, right), (right, right_points, left)] {
            let mut product = sums.clone();
            scale(&mut product, &other.transformed);
            // From the other half's degree on. What does not fit falls on what is below.
            let product = transform.back(product).split_off(count.saturating_sub(points.len()));
            own.node.values(points, &product, transform, out);
        }
    }

    /// As [`Tree::sum`], of the node's own points.
    fn sum(&self, points: &[Fr], weights: &[Fr], transform: &Transform) -> Vec<Fr> {
        let Some(halves) = &self.halves else {
            let mut sum = vec![Fr::zero(); points.len()];
            for (x, weight) in points.iter().zip(weights) {
                let quotient = self.quotient(*x);
                sum.iter_mut().rev().zip(quotient).for_each(|(to, from)| *to += from * weight);
            }
            return sum;
        };
        let size = points.len().next_power_of_two();
        let [left, right] = &**halves;
        let (points, other_points) = points.split_at(size / 2);
        let (weights, other_weights) = weights.split_at(weights.len().min(size / 2));
        let mut sum = transform.forth(&left.node.sum(points, weights, transform), size);
        scale(&mut sum, &right.transformed);
        let other = right.node.sum(other_points, other_weights, transform);
        let mut other = transform.forth(&other, size);
        scale(&mut other, &left.transformed);
        sum.iter_mut().zip(other).for_each(|(to, from)| *to += from);
        let mut sum = transform.back(sum);
        sum.truncate(points.len().saturating_add(other_points.len()));
        sum
    }

    /// Coefficients of A/(X − x) for a root x, highest first.
    fn quotient(&self, x: Fr) -> impl Iterator<Item = Fr> {
        let mut last = Fr::zero();
        let from = self.product.iter().skip(1).rev();
        from.map(move |coefficient| {
            last = last * x + coefficient;
            last
        })
    }
}

/// Multiplies one by one.
fn scale(values: &mut [Fr], by: &[Fr]) {
    values.iter_mut().zip(by).for_each(|(value, by)| *value *= by);
}

#[cfg(test)]
mod tests;
