//! Sums of multiples of points that stay the same (Pippenger), from some of their multiples that
//! are kept.
//!
//! Processor time of `blst` 0.3.17 over ours, interleaved, on one thread of an x86-64 with ADX:
//!
//! | points | 64 | 256 | 1,024 | 4,096 | 8,192 |
//! | --- | --- | --- | --- | --- | --- |
//! | its Pippenger, which keeps nothing | 1.36 | 1.18 | 1.15 | 1.01 | 0.93 |
//! | its tables, of 12 kB a point | 0.77 | 0.76 | 1.00 | – | – |

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ff::AdditiveGroup;
use rayon::prelude::*;

use super::lanes;

/// Bits from one kept multiple to the next.
const STEP: usize = 12;

/// Kept multiples of a point, by 2⁰, 2¹², …: signed digits of 128 bits need a bit more than those.
const KEPT: usize = 11;

/// Points that one thread works on at a time.
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
        let width = width(factors.len());
        // A digit of weight 2^(12a + b) counts for the multiple by 2^(12a), in the buckets of b.
        let each = 1 << (width - 1);
        let half = STEP / width * each;
        let chunks = factors.par_chunks(SHARE).enumerate();
        let addends = chunks.flat_map_iter(|(chunk, factors)| {
            let mut all = Vec::with_capacity(factors.len() * 2 * KEPT * STEP / width);
            for (number, factor) in (chunk * SHARE..).zip(factors) {
                push(&mut all, number, *factor, width);
            }
            all
        });
        // Those that x² is to turn have buckets of their own, so that it turns sums.
        let (sizes, addends) = ordered(&addends.collect::<Vec<_>>(), half * 2);
        let mut buckets = self.gather(&sizes, &addends);
        let turned: Vec<G1Affine> = buckets.drain(half..).map(|sum| lanes::turned(&sum)).collect();
        lanes::add(&mut buckets, &turned);
        let mut total = G1Projective::ZERO;
        for buckets in buckets.chunks(each).rev() {
            (0..width).for_each(|_| {
                total.double_in_place();
            });
            total += weighted(buckets);
        }
        total
    }

    /// The sums of the addends in each bucket.
    fn gather(&self, sizes: &[usize], addends: &[Addend]) -> Vec<G1Affine> {
        let share = sizes.len().div_ceil(rayon::current_num_threads());
        let starts = sizes.chunks(share).scan(0, |end, sizes| {
            let start = *end;
            *end += sizes.iter().sum::<usize>();
            Some(start)
        });
        let starts: Vec<usize> = starts.collect();
        let shares = sizes.par_chunks(share).zip(starts);
        let sums = shares.map(|(sizes, start)| {
            sums(sizes, |place| {
                let Addend { multiple, is_negative, .. } = addends[start + place];
                lanes::signed(&self.multiples[multiple as usize], is_negative)
            })
        });
        sums.collect::<Vec<_>>().concat()
    }
}

/// The width of digits, a divisor of [`STEP`], that needs the fewest multiplications of the base
/// field.
fn width(count: usize) -> usize {
    let cost = |width: &usize| {
        let additions = count * 2 * (KEPT * STEP / width) * 6;
        let each = 1 << (width - 1);
        additions + STEP / width * each * if each > ROW { 12 } else { 27 }
    };
    [3, 4, 6, 12].into_iter().min_by_key(cost).unwrap_or(STEP)
}

/// A kept multiple or its negative, and the bucket of its digit.
#[derive(Clone, Copy, Debug, Default)]
struct Addend {
    multiple: u32,
    bucket: u16,
    is_negative: bool,
}

/// Notes what a point of some number adds when it is multiplied.
fn push(addends: &mut Vec<Addend>, number: usize, factor: Fr, width: usize) {
    let groups = STEP / width;
    let each = 1 << (width - 1);
    let (negative, low, high) = lanes::halves(factor);
    for (half, first) in [(low, 0), (high, groups * each)] {
        for (place, digit) in digits(half, width).enumerate().filter(|(_, digit)| *digit != 0) {
            let bucket = first + place % groups * each + usize::from(digit.unsigned_abs()) - 1;
            addends.push(Addend {
                multiple: u32::try_from(number * KEPT + place / groups).unwrap_or(u32::MAX),
                bucket: u16::try_from(bucket).unwrap_or(u16::MAX),
                is_negative: (digit < 0) != negative,
            });
        }
    }
}

/// How many addends each of so many buckets gets, and the addends in the order of their buckets.
fn ordered(addends: &[Addend], count: usize) -> (Vec<usize>, Vec<Addend>) {
    let mut sizes = vec![0_usize; count];
    for addend in addends {
        sizes[usize::from(addend.bucket)] += 1;
    }
    let starts = sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end - size)
    });
    let mut ends: Vec<usize> = starts.collect();
    let mut ordered = vec![Addend::default(); addends.len()];
    for addend in addends {
        let end = &mut ends[usize::from(addend.bucket)];
        ordered[*end] = *addend;
        *end += 1;
    }
    (sizes, ordered)
}

/// The sum of the points of each bucket; buckets stand one after the other.
fn sums(sizes: &[usize], point: impl Fn(usize) -> G1Affine) -> Vec<G1Affine> {
    let mut sizes = sizes.to_vec();
    // Points move from where they are kept once, and from then on side by side.
    let mut points = paired(&mut sizes, point);
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

/// Adds up the points of each bucket in pairs.
fn paired(sizes: &mut [usize], point: impl Fn(usize) -> G1Affine) -> Vec<G1Affine> {
    let mut firsts = Vec::new();
    let mut start = 0;
    for size in sizes {
        let end = start + *size;
        firsts.extend((start..end).step_by(2).map(|first| (first, first + 1 < end)));
        start = end;
        *size = size.div_ceil(2);
    }
    let pair = |(first, has_other): &(usize, bool)| {
        let other = if *has_other { point(first + 1) } else { G1Affine::identity() };
        (point(*first), other)
    };
    let mut sums = Vec::with_capacity(firsts.len());
    for firsts in firsts.chunks(lanes::LANES) {
        sums.extend(lanes::sums(firsts.iter().map(pair)));
    }
    sums
}

/// Buckets in a row.
const ROW: usize = 64;

/// The first point, twice the second, three times the third, and so on: of 64·row + column + 1,
/// rows and columns are added up first, so that few are weighted one by one.
fn weighted(buckets: &[G1Affine]) -> G1Projective {
    let rows = buckets.len().div_ceil(ROW);
    let columns = buckets.len() / rows;
    let row_sums = sums(&vec![columns; rows - 1], |place| buckets[columns + place]);
    let column_sums =
        sums(&vec![rows; columns], |place| buckets[place % rows * columns + place / rows]);
    let mut total = climbed(&row_sums);
    (0..columns.ilog2()).for_each(|_| {
        total.double_in_place();
    });
    total + climbed(&column_sums)
}

/// The same, one by one.
fn climbed(points: &[G1Affine]) -> G1Projective {
    let (mut total, mut above) = (G1Projective::ZERO, G1Projective::ZERO);
    for point in points.iter().rev() {
        above += point;
        total += above;
    }
    total
}

/// Digits of a number to the base 2^width, the lowest first, from −2^(width − 1) on to below its
/// negative.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::{Field, One};

    #[test]
    fn sums_agree_with_the_curves_own() {
        // As many as each width of digits serves best, and the identity and equal points among
        // them.
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
