//! Sums of multiples of points that stay the same (Pippenger), from some of their multiples that are kept.

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ff::AdditiveGroup;
use rayon::prelude::*;

use super::lanes;

/// Bits from one kept multiple to the next.
const STEP: usize = 12;

/// Kept multiples of a point, by 2⁰, 2¹², …: signed digits of 128 bits need a bit more than those.
const KEPT: usize = 11;

/// Points that one thread works on, at least.
const SHARE: usize = 512;

/// Points, and multiples of them: 1,056 bytes for each.
#[derive(Debug)]
pub struct Bases {
    /// By point, and then by power.
    multiples: Vec<G1Affine>,
}

impl Bases {
    /// Prepares points.
    pub fn new(points: &[G1Affine]) -> Self {
        let chunks = points.par_chunks(SHARE).flat_map_iter(|points| {
            let mut powers = vec![points.to_vec()];
            for last in 1..KEPT {
                let mut next = powers[last - 1].clone();
                (0..STEP).for_each(|_| lanes::double(&mut next));
                powers.push(next);
            }
            let count = points.len();
            (0..count * KEPT).map(move |place| powers[place % KEPT][place / KEPT])
        });
        Self { multiples: chunks.collect() }
    }

    /// The sum of the first points, each times its factor.
    pub fn sum(&self, factors: &[Fr]) -> G1Projective {
        let share = factors.len().div_ceil(rayon::current_num_threads()).max(SHARE);
        let shares = factors.par_chunks(share).zip(self.multiples.par_chunks(share * KEPT));
        shares.map(|(factors, multiples)| sum(factors, multiples)).sum()
    }
}

/// The width of digits, a divisor of [`STEP`], that needs the fewest multiplications of the base field.
fn width(count: usize) -> usize {
    let cost = |width: &usize| {
        let additions = count * 2 * (KEPT * STEP / width) * 6;
        let buckets = (STEP / width) << (width - 1);
        additions + buckets * 27
    };
    [3, 4, 6, 12].into_iter().min_by_key(cost).unwrap_or(STEP)
}

fn sum(factors: &[Fr], multiples: &[G1Affine]) -> G1Projective {
    let width = width(factors.len());
    // A digit of weight 2^(12a + b) counts for the multiple by 2^(12a), in the buckets of b.
    let groups = STEP / width;
    let each = 1 << (width - 1);
    let mut entries: Vec<(usize, Addend)> = Vec::with_capacity(factors.len() * 2 * KEPT * groups);
    for (number, factor) in factors.iter().enumerate() {
        let (negative, low, high) = lanes::halves(*factor);
        for (half, is_turned) in [(low, false), (high, true)] {
            for (place, digit) in digits(half, width).enumerate().filter(|(_, digit)| *digit != 0) {
                let multiple = number * KEPT + place / groups;
                let bucket = place % groups * each + usize::from(digit.unsigned_abs()) - 1;
                let is_negative = (digit < 0) != negative;
                entries.push((bucket, Addend { multiple, is_turned, is_negative }));
            }
        }
    }
    let buckets = gather(&entries, groups * each, multiples);
    let mut total = G1Projective::ZERO;
    for buckets in buckets.chunks(each).rev() {
        (0..width).for_each(|_| {
            total.double_in_place();
        });
        let mut above = G1Projective::ZERO;
        for bucket in buckets.iter().rev() {
            above += bucket;
            total += above;
        }
    }
    total
}

/// A kept multiple, or what x² or −1 make of it.
#[derive(Clone, Copy, Debug, Default)]
struct Addend {
    multiple: usize,
    is_turned: bool,
    is_negative: bool,
}

impl Addend {
    fn point(self, multiples: &[G1Affine]) -> G1Affine {
        let point = multiples[self.multiple];
        let point = if self.is_turned { lanes::turned(&point) } else { point };
        if self.is_negative { -point } else { point }
    }
}

/// Digits of a number to the base 2^width, the lowest first, from −2^(width − 1) on to below its negative.
fn digits(number: u128, width: usize) -> impl Iterator<Item = i16> {
    let mut carry = 0;
    (0..(KEPT * STEP) / width).map(move |place| {
        let shift = place * width;
        let bits = if shift < 128 { number >> shift & ((1 << width) - 1) } else { 0 };
        let digit = i16::try_from(bits).unwrap_or(0) + carry;
        carry = i16::from(digit >= 1 << (width - 1));
        digit - (carry << width)
    })
}

/// The sums of the points in each of so many buckets.
fn gather(entries: &[(usize, Addend)], count: usize, multiples: &[G1Affine]) -> Vec<G1Affine> {
    let mut sizes = vec![0_usize; count];
    for (bucket, _) in entries {
        sizes[*bucket] += 1;
    }
    let starts = sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end - size)
    });
    let mut ends: Vec<usize> = starts.collect();
    let mut ordered = vec![Addend::default(); entries.len()];
    for (bucket, addend) in entries {
        ordered[ends[*bucket]] = *addend;
        ends[*bucket] += 1;
    }
    // Points move from where they are kept once, and from then on side by side.
    let mut points = paired(&mut sizes, |place| ordered[place].point(multiples));
    while sizes.iter().any(|size| *size > 1) {
        points = paired(&mut sizes, |place| points[place]);
    }
    let mut points = points.into_iter();
    let only = |size: &usize| match size {
        0 => G1Affine::identity(),
        _ => points.next().unwrap_or_default(),
    };
    sizes.iter().map(only).collect()
}

/// Adds up the points of each bucket in pairs; buckets stand one after the other.
fn paired(sizes: &mut [usize], point: impl Fn(usize) -> G1Affine) -> Vec<G1Affine> {
    let (mut sums, mut addends) = (Vec::new(), Vec::new());
    let mut start = 0;
    for size in sizes {
        let end = start + *size;
        for place in (start..end).step_by(2) {
            if place + 1 < end {
                addends.push((sums.len(), point(place + 1)));
            }
            sums.push(point(place));
            if addends.len() == lanes::LANES {
                lanes::add_at(&mut sums, &addends);
                addends.clear();
            }
        }
        start = end;
        *size = size.div_ceil(2);
    }
    lanes::add_at(&mut sums, &addends);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::{Field, One};

    #[test]
    fn sums_agree_with_the_curves_own() {
        // As many as each width of digits serves best, and the identity and equal points among them.
        let mut rng = Rng::new(4, "balanceproofs/bases", 0);
        let multiples = (0..700_u64).map(|n| G1Projective::generator() * Fr::from(n / 2));
        let points = G1Projective::normalize_batch(&multiples.collect::<Vec<_>>());
        let bases = Bases::new(&points);
        let mut factors = vec![Fr::one(), -Fr::one(), Fr::ZERO, Fr::from(1 << 11), Fr::one()];
        factors.resize_with(points.len(), || Fr::from(rng.next_u64()).pow([rng.next_u64()]));
        let mut widths = Vec::new();
        for count in [0, 1, 5, 40, 300, 700] {
            let factors = &factors[..count];
            let expected: G1Projective =
                points.iter().zip(factors).map(|(point, factor)| *point * factor).sum();
            assert_eq!(bases.sum(factors), expected, "{count}");
            widths.push(width(count));
        }
        widths.dedup();
        assert_eq!(widths, [3, 4, 6, 12]);
    }

    #[test]
    fn digits_add_up_to_their_number() {
        for number in [0, 1, (1 << 11) - 1, 1 << 11, u128::MAX, u128::MAX / 3] {
            for width in [3, 4, 6, 12] {
                let digits: Vec<i16> = digits(number, width).collect();
                let base = Fr::from(1_u64 << width);
                let sum =
                    digits.iter().rev().fold(Fr::ZERO, |sum, digit| sum * base + Fr::from(*digit));
                assert_eq!(sum, Fr::from(number));
            }
        }
    }
}
