//! The loop over pairs of points whose lines nobody keeps. The lines are made where they are
//! multiplied by, of sums of products that are reduced once each, and with them the multiple of a
//! point by the curve's parameter, which also tells whether the point is in the subgroup.

extern crate alloc;
use alloc::vec::Vec;

use ark_ec::AffineRepr;
use lightproof_limbs::tower::{Quadratic, Twelve};

use super::g2::{Multiple, has_order_r};
use super::miller::{Factor, run};
use super::{G1Affine, G2Affine};
use crate::field::Fq12;
use crate::lazy::Two;

/// A pair of points; without coordinates on the left, or without a multiple on the right, it is one
/// with infinity, by which nothing is multiplied.
struct Pair<'a> {
    /// x and −y.
    left: Option<[Two; 2]>,
    right: &'a G2Affine,
    multiple: Option<Multiple>,
}

/// The product of the loops of pairs, and for each point on the right whether it is in the subgroup,
/// infinity included. The product means nothing if one is not.
///
/// The loop ends with T = |x|·Q for each Q, as a product by the parameter x does, and Q is in the
/// subgroup if and only if ψ(Q) = xQ = −T ([`has_order_r`]). Where [`Multiple`]'s formulas fail there
/// is no T, and Q is outside: they add Q to kQ for leading bits k of |x|, 1 < k < r, and fail if kQ is
/// infinity or Q. No point of order r meets either; of all others those of order 13 do, at k = 104.
pub fn miller_loop<'a>(
    left: &[G1Affine],
    right: &'a [G2Affine],
) -> (Fq12, impl DoubleEndedIterator<Item = bool> + use<'a>) {
    let pair = |(left, right): (&G1Affine, &'a G2Affine)| {
        let left = left.xy().map(|(x, y)| [x, -y].map(|coordinate| Two::both(&coordinate)));
        Pair { left, right, multiple: Multiple::new(right) }
    };
    let mut pairs: Vec<_> = left.iter().zip(right).map(pair).collect();
    let product = run(&mut pairs);
    (product, pairs.into_iter().map(|pair| pair.is_in_subgroup()))
}

impl Pair<'_> {
    fn is_in_subgroup(&self) -> bool {
        let Some(multiple) = &self.multiple else { return true };
        multiple.value().is_some_and(|value| has_order_r(self.right, &value))
    }
}

/// Lines are those of arkworks' up to a factor in 𝔽\_p², which the power removes.
impl Factor for Pair<'_> {
    fn double(&mut self, f: &mut Twelve<Two>) {
        let Some(multiple) = &mut self.multiple else { return };
        let Some([x, minus_y]) = &self.left else {
            multiple.double();
            return;
        };
        let rise = multiple.rise_of_tangent();
        let [rest, run] = multiple.double();
        f.multiply_by_line(&rest, &rise.scaled(x), &run.scaled(minus_y));
    }

    fn add(&mut self, f: &mut Twelve<Two>) {
        let Some(multiple) = &mut self.multiple else { return };
        let line @ [theta, lambda] = &multiple.add();
        if let Some([x, minus_y]) = &self.left {
            let rest = multiple.rest_of_line(line);
            f.multiply_by_line(&rest, &theta.scaled(x), &lambda.scaled(minus_y));
        }
    }
}
