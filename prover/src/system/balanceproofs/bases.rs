//! Sums of multiples of points that stay the same.
//!
//! The first sums are `blst`'s. After them multiples of every point are kept: one for each digit of
//! a factor, so that all digits share one set of buckets.
//!
//! Processor time of `blst`'s over that of the sums with kept multiples, in turn, on one thread of a
//! busy x86-64 with ADX. A point takes two kilobytes.
//!
//! | points | 64 | 1,024 | 4,096 |
//! | --- | --- | --- | --- |
//! | ratio | 2.5 | 2.0 | 1.9 |

use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ff::{AdditiveGroup as _, PrimeField as _};
use rayon::prelude::*;

use super::lanes;
use crate::buckets::Digits;
use crate::sums;

/// Points that one thread sums up at least.
const SHARE: usize = 256;

/// Sums that are made before multiples are kept. To make the multiples takes about as long as
/// they save in so many sums.
const FIRST: usize = 16;

/// Bits of a factor, and one for what is carried out of the highest digit.
const BITS: usize = 256;

/// What is kept of points for their sums.
#[derive(Debug, Default)]
pub struct Bases {
    multiples: OnceLock<Multiples>,
    /// Sums that were begun before there were multiples.
    begun: AtomicUsize,
    /// Sums that are being made.
    running: AtomicUsize,
}

impl Bases {
    /// The sum of the first points, each times its factor.
    ///
    /// * `points` must be the same each time, and at least as many as `factors`.
    pub fn sum(&self, points: &[G1Affine], factors: &[Fr]) -> G1Projective {
        let multiples = self.multiples(points);
        let running = self.running.fetch_add(1, Relaxed) + 1;
        let share = share(factors.len(), rayon::current_num_threads(), running);
        let chunks = factors.par_chunks(share).enumerate();
        let sum = chunks
            .map(|(index, factors)| match multiples {
                Some(multiples) => multiples.sum(index * share, factors),
                None => sums::sum(&points[index * share..], factors),
            })
            .sum();
        self.running.fetch_sub(1, Relaxed);
        sum
    }

    /// `None` until they are made. The sum after the first [`FIRST`] makes them; sums beside it go
    /// on without.
    fn multiples(&self, points: &[G1Affine]) -> Option<&Multiples> {
        let made = self.multiples.get();
        if made.is_some() || self.begun.fetch_add(1, Relaxed) != FIRST {
            return made;
        }
        // Not within the cell's own function: what waits there for other threads can wait for ever.
        let made = Multiples::new(points);
        Some(self.multiples.get_or_init(|| made))
    }
}

/// Points that one thread sums up. Rayon divides the work; but not among threads that other sums
/// keep busy: two halves of a sum of 4,096 points take a sixth longer than the whole.
fn share(count: usize, threads: usize, running: usize) -> usize {
    count.div_ceil(threads.div_ceil(running)).max(SHARE)
}

/// Each point times the base of each digit of a factor.
#[derive(Debug)]
struct Multiples {
    digits: Digits,
    /// By digit, the lowest first.
    powers: Vec<Vec<G1Affine>>,
}

impl Multiples {
    fn new(points: &[G1Affine]) -> Self {
        // About as many buckets as points: fewer additions than with one more bit or less.
        let width = (points.len().max(1).ilog2() as usize + 1).clamp(8, 13);
        let chunks = points.par_chunks(SHARE).map(|points| {
            let mut power = points.to_vec();
            let mut powers = vec![power.clone()];
            for _ in 1..BITS.div_ceil(width) {
                for _ in 0..width {
                    lanes::double(&mut power);
                }
                powers.push(power.clone());
            }
            powers
        });
        let chunks: Vec<_> = chunks.collect();
        let power = |at: usize| chunks.iter().flat_map(|powers| powers[at].clone()).collect();
        let powers = (0..BITS.div_ceil(width)).map(power).collect();
        Self { digits: Digits::new(width), powers }
    }

    /// The sum of points, each times its factor, from the first one on.
    fn sum(&self, first: usize, factors: &[Fr]) -> G1Projective {
        let count = self.powers.len();
        let digits =
            factors.iter().flat_map(|factor| self.digits.of(factor.into_bigint().0, count));
        let digits: Vec<i16> = digits.collect();
        let terms = self.powers.iter().enumerate().flat_map(|(place, points)| {
            let digits = digits.iter().skip(place).step_by(count);
            points[first..].iter().zip(digits).map(|(point, digit)| (0, *digit, *point))
        });
        let mut sums = self.digits.sums(1, terms);
        let Some([mut sum, columns]) = sums.pop() else { return G1Projective::ZERO };
        for _ in 0..self.digits.low {
            sum.double_in_place();
        }
        sum + columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::{AdditiveGroup, Field, One};

    #[test]
    fn sums_share_the_threads() {
        let shares = [1, 2, 3, 4, 9].map(|running| share(4_096, 4, running));
        assert_eq!(shares, [1_024, 2_048, 2_048, 4_096, 4_096]);
        assert_eq!([share(0, 4, 1), share(300, 4, 1)], [SHARE; 2]);
    }

    #[test]
    fn sums_agree_with_the_curves_own() {
        // Among the points are the identity and equal ones.
        let mut rng = Rng::new(4, "balanceproofs/bases", 0);
        let multiples = (0..700_u64).map(|n| G1Projective::generator() * Fr::from(n / 2));
        let points = G1Projective::normalize_batch(&multiples.collect::<Vec<_>>());
        let bases = Bases { begun: AtomicUsize::new(FIRST), ..Bases::default() };
        let mut factors = vec![Fr::one(), -Fr::one(), Fr::ZERO, Fr::from(1 << 11), Fr::one()];
        factors.resize_with(points.len(), || Fr::from(rng.next_u64()).pow([rng.next_u64()]));
        for count in [0, 1, 2, 5, 31, 32, 40, 300, 700] {
            let factors = &factors[..count];
            let expected: G1Projective =
                points.iter().zip(factors).map(|(point, factor)| *point * factor).sum();
            for bases in [&Bases::default(), &bases] {
                assert_eq!(bases.sum(&points, factors), expected, "{count}");
            }
        }
        // A sum that is the identity.
        assert_eq!(bases.sum(&points, &[Fr::one(), Fr::one(), Fr::ZERO]), G1Projective::ZERO);
        assert_eq!(bases.sum(&points, &[Fr::ZERO; 40]), G1Projective::ZERO);
        assert_eq!(bases.running.into_inner(), 0);
    }
}
