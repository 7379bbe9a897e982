//! Sums of multiples of points of BLS12-381: `blst`'s Pippenger, by its safe interface, over halves
//! of the factors.
//!
//! Time of arkworks' sums over that of `blst`'s with whole factors, interleaved, on one thread of a
//! busy x86-64 with ADX, medians of six runs:
//!
//! | points | 2 | 4 | 8 | 16 | 32 | 64 | 256 | 1,024 |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | ratio | 2.7 | 2.3 | 1.7 | 1.6 | 1.7 | 1.7 | 1.5 | 1.5 |
//!
//! With half-length factors, proofs of 1,024 and 4,096 kept positions of balanceproofs, which are
//! such sums, took 0.73 to 0.96 of the time, in eight pairs of runs.

use ark_bls12_381::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::AffineRepr as _;
use ark_ff::{BigInt, Zero as _};
use blst::{MultiPoint as _, blst_fp, blst_p1_affine};

use crate::glv::{halves, turned};

/// Bits of half a factor.
const BITS: usize = 128;

/// The sum of points, each times its factor, on one thread.
pub(crate) fn sum(points: &[G1Affine], factors: &[Fr]) -> G1Projective {
    let count = points.len().min(factors.len());
    if count == 0 {
        return G1Projective::zero();
    }
    let mut short = Vec::with_capacity(count * 2);
    let mut scalars = Vec::with_capacity(count * 2 * size_of::<u128>());
    for (point, factor) in points[..count].iter().zip(factors) {
        let (negative, low, high) = halves(*factor);
        let point = if negative { -*point } else { *point };
        short.extend([prepared(&point), prepared(&turned(&point))]);
        scalars.extend([low, high].into_iter().flat_map(u128::to_le_bytes));
    }
    let sum = short.mult(&scalars, BITS);
    let [x, y, z] = [sum.x, sum.y, sum.z].map(|one| Fq::new_unchecked(BigInt(one.l)));
    // Jacobian coordinates in both libraries.
    G1Projective::new_unchecked(x, y, z)
}

/// A point for `blst`. Both libraries keep coordinates as Montgomery residues of six limbs.
fn prepared(point: &G1Affine) -> blst_p1_affine {
    // The identity has zeros for coordinates.
    let Some((x, y)) = point.xy() else { return blst_p1_affine::default() };
    blst_p1_affine { x: blst_fp { l: x.0.0 }, y: blst_fp { l: y.0.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use ark_ec::{CurveGroup as _, PrimeGroup as _};
    use ark_ff::{AdditiveGroup as _, Field as _, One as _};

    #[test]
    fn sums_agree_with_multiples_one_by_one() {
        // Among the points are the identity and equal ones.
        let mut rng = Rng::new(4, "sums", 0);
        let multiples = (0..300_u64).map(|n| G1Projective::generator() * Fr::from(n / 2));
        let points = G1Projective::normalize_batch(&multiples.collect::<Vec<_>>());
        let mut factors = vec![Fr::one(), -Fr::one(), Fr::ZERO, Fr::from(1 << 11), Fr::one()];
        factors.resize_with(points.len(), || Fr::from(rng.next_u64()).pow([rng.next_u64()]));
        for count in [0, 1, 2, 3, 7, 8, 31, 32, 40, 300] {
            let expected: G1Projective =
                points.iter().zip(&factors[..count]).map(|(point, factor)| *point * factor).sum();
            assert_eq!(sum(&points, &factors[..count]), expected, "{count} factors");
            assert_eq!(sum(&points[..count], &factors), expected, "{count} points");
        }
        // A sum that is the identity.
        assert_eq!(sum(&points[..40], &[Fr::ZERO; 40]), G1Projective::ZERO);
    }
}
