//! Sums of multiples of points that stay the same: `blst`'s Pippenger, by its safe interface.
//!
//! Processor time over that of the sums from kept multiples that it replaced, interleaved, on one
//! thread of an x86-64 with ADX. Those took 1,056 bytes a point; this takes 96.
//!
//! | points | 16 | 64 | 256 | 1,024 | 4,096 | 8,192 |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | ratio | 1.61 | 1.36 | 1.16 | 1.16 | 0.97 | 0.86 |

use ark_bls12_381::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::AffineRepr as _;
use ark_ff::{BigInt, PrimeField as _};
use blst::{MultiPoint as _, blst_fp, blst_p1_affine};
use rayon::prelude::*;

/// Bits of a factor.
const BITS: usize = 255;

/// Points that one thread sums up at least.
const SHARE: usize = 256;

/// Points in the form that `blst` works on.
#[derive(Debug)]
pub struct Bases(Vec<blst_p1_affine>);

impl Bases {
    /// Prepares points.
    pub fn new(points: &[G1Affine]) -> Self {
        Self(points.iter().map(prepared).collect())
    }

    /// The sum of the first points, each times its factor.
    pub fn sum(&self, factors: &[Fr]) -> G1Projective {
        // Rayon divides the work: `blst` is built without threads of its own.
        let share = factors.len().div_ceil(rayon::current_num_threads()).max(SHARE);
        self.0.par_chunks(share).zip(factors.par_chunks(share)).map(sum).sum()
    }
}

/// The sum on one thread. There is at least one factor.
fn sum((points, factors): (&[blst_p1_affine], &[Fr])) -> G1Projective {
    let limbs = factors.iter().flat_map(|factor| factor.into_bigint().0);
    let scalars: Vec<u8> = limbs.flat_map(u64::to_le_bytes).collect();
    let sum = points[..factors.len()].mult(&scalars, BITS);
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
    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::{AdditiveGroup, Field, One};

    #[test]
    fn sums_agree_with_the_curves_own() {
        // Among the points are the identity and equal ones.
        let mut rng = Rng::new(4, "balanceproofs/bases", 0);
        let multiples = (0..700_u64).map(|n| G1Projective::generator() * Fr::from(n / 2));
        let points = G1Projective::normalize_batch(&multiples.collect::<Vec<_>>());
        let bases = Bases::new(&points);
        let mut factors = vec![Fr::one(), -Fr::one(), Fr::ZERO, Fr::from(1 << 11), Fr::one()];
        factors.resize_with(points.len(), || Fr::from(rng.next_u64()).pow([rng.next_u64()]));
        for count in [0, 1, 2, 5, 31, 32, 40, 300, 700] {
            let factors = &factors[..count];
            let expected: G1Projective =
                points.iter().zip(factors).map(|(point, factor)| *point * factor).sum();
            assert_eq!(bases.sum(factors), expected, "{count}");
        }
        // A sum that is the identity.
        assert_eq!(bases.sum(&[Fr::one(), Fr::one(), Fr::ZERO]), G1Projective::ZERO);
        assert_eq!(bases.sum(&[Fr::ZERO; 40]), G1Projective::ZERO);
    }
}
