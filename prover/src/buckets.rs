//! Sums of multiples of points by buckets (Pippenger). Points are added in affine coordinates: one
//! inversion serves many additions, so that each costs six multiplications of the base field where
//! a projective one costs eleven.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::AdditiveGroup as _;

/// Additions that share an inversion: enough for it to vanish, few enough to stay in the cache.
const LANES: usize = 1_024;

/// A curve whose points are added with one inversion for many sums.
pub(crate) trait Lanes: SWCurveConfig {
    /// What the slope of the line through two points is divided by, or the inverse of it.
    type Run: Copy;

    /// What the slope of the line through two points is to be divided by; zero if their sum needs
    /// no line.
    fn run(left: &Affine<Self>, right: &Affine<Self>) -> Self::Run;

    /// Replaces each by its inverse; zeros stay zero.
    fn invert(runs: &mut [Self::Run]);

    /// The sum of two points by the inverse of their [`run`](Self::run).
    fn add(left: &Affine<Self>, right: &Affine<Self>, inverse: Self::Run) -> Affine<Self>;
}

/// How factors are cut into digits. All points whose factors have the same digit in the same window
/// are a bucket.
///
/// A digit is row · columns + column, so that a window's sum is that of its rows and that of its
/// columns: two short sums in projective coordinates instead of one as long as there are buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    /// Bits of a digit.
    pub(crate) width: usize,
    /// Bits of its column.
    pub(crate) low: usize,
    rows: usize,
    columns: usize,
}

impl Digits {
    /// Digits of so many bits, at least 2.
    pub(crate) const fn new(width: usize) -> Self {
        let low = width / 2;
        Self { width, low, rows: (1 << (width - 1 - low)) + 1, columns: 1 << low }
    }

    /// The digits of a number of 64-bit limbs, from −2^(width − 1) + 1 to 2^(width − 1), the lowest first: what is
    /// carried out of the last one is lost.
    ///
    /// * `width` is at most 15.
    pub(crate) fn of<const N: usize>(
        self,
        number: [u64; N],
        count: usize,
    ) -> impl Iterator<Item = i16> {
        let Self { width, .. } = self;
        let mut carry = 0;
        (0..count).map(move |place| {
            let digit = i16::try_from(bits(&number, place * width, width)).unwrap_or(0) + carry;
            carry = i16::from(digit > 1 << (width - 1));
            digit - (carry << width)
        })
    }

    /// For each window Σ row · point and Σ column · point.
    ///
    /// * `terms`: a window below `windows`, a digit of at most 2^(width − 1) in magnitude, and the
    ///   point that it multiplies.
    pub(crate) fn sums<C: Lanes>(
        self,
        windows: usize,
        terms: impl Iterator<Item = (usize, i16, Affine<C>)> + Clone,
    ) -> Vec<[Projective<C>; 2]> {
        let Self { rows, columns, .. } = self;
        let buckets = rows * columns;
        let terms = terms.filter(|(_, digit, _)| *digit != 0).map(|(window, digit, point)| {
            let bucket = window * buckets + usize::from(digit.unsigned_abs());
            (bucket, if digit < 0 { -point } else { point })
        });
        let sums = Lists::new(windows * buckets, terms).sums();
        let sums = sums.iter().enumerate().filter_map(|(bucket, sum)| Some((bucket, (*sum)?)));
        let terms = sums.flat_map(|(bucket, sum)| {
            let first = bucket / buckets * (rows + columns);
            let (row, column) = (bucket % buckets / columns, bucket % columns);
            // Row 0 and column 0 are multiplied by zero.
            let row = (row > 0).then_some((first + row, sum));
            let column = (column > 0).then_some((first + rows + column, sum));
            row.into_iter().chain(column)
        });
        let sums = Lists::new(windows * (rows + columns), terms).sums();
        let window = |sums: &[Option<Affine<C>>]| {
            let (rows, columns) = sums.split_at(rows);
            [weighted(rows), weighted(columns)]
        };
        sums.chunks(rows + columns).map(window).collect()
    }
}

/// Some bits of a number, of which there are fewer than 64.
fn bits(limbs: &[u64], from: usize, count: usize) -> u64 {
    let limb = |at: usize| limbs.get(at).copied().unwrap_or(0);
    let (at, shift) = (from / 64, from % 64);
    let both = u128::from(limb(at)) | u128::from(limb(at + 1)) << 64;
    u64::try_from(both >> shift & ((1 << count) - 1)).unwrap_or(0)
}

/// Σ place · point.
fn weighted<C: SWCurveConfig>(points: &[Option<Affine<C>>]) -> Projective<C> {
    let (mut sum, mut total) = (Projective::ZERO, Projective::ZERO);
    for point in points.iter().skip(1).rev() {
        if let Some(point) = point {
            sum += point;
        }
        total += sum;
    }
    total
}

/// Lists of points that are added up, one list after the other.
struct Lists<C: Lanes> {
    points: Vec<Affine<C>>,
    lengths: Vec<usize>,
}

impl<C: Lanes> Lists<C> {
    /// So many lists, and the points of each.
    fn new(count: usize, terms: impl Iterator<Item = (usize, Affine<C>)> + Clone) -> Self {
        let mut lengths = vec![0; count];
        for (list, _) in terms.clone() {
            lengths[list] += 1;
        }
        let mut end = 0;
        let starts = lengths.iter().map(|length| {
            end += length;
            end - length
        });
        let mut next: Vec<usize> = starts.collect();
        let mut points = vec![Affine::identity(); end];
        for (list, point) in terms {
            points[next[list]] = point;
            next[list] += 1;
        }
        Self { points, lengths }
    }

    /// The sum of each list; `None` for a list without points.
    fn sums(mut self) -> Vec<Option<Affine<C>>> {
        while self.lengths.iter().any(|length| *length > 1) {
            self.halve();
        }
        let mut points = self.points.into_iter();
        self.lengths.iter().map(|length| points.by_ref().take(*length).next()).collect()
    }

    /// Adds up each list's pairs of neighbours.
    fn halve(&mut self) {
        let mut slopes = Vec::with_capacity(self.points.len() / 2);
        let mut start = 0;
        for length in &self.lengths {
            let (pairs, _) = self.points[start..start + length].as_chunks::<2>();
            slopes.extend(pairs.iter().map(|[left, right]| C::run(left, right)));
            start += length;
        }
        slopes.chunks_mut(LANES).for_each(C::invert);
        let mut slopes = &slopes[..];
        let (mut from, mut to) = (0, 0);
        for length in &mut self.lengths {
            let pairs = *length / 2;
            let (own, rest) = slopes.split_at(pairs);
            slopes = rest;
            for (index, inverse) in own.iter().enumerate() {
                let left = from + 2 * index;
                let sum = C::add(&self.points[left], &self.points[left + 1], *inverse);
                self.points[to + index] = sum;
            }
            if *length > 2 * pairs {
                // The last one of an odd number.
                self.points[to + pairs] = self.points[from + 2 * pairs];
            }
            from += *length;
            *length -= pairs;
            to += *length;
        }
        self.points.truncate(to);
    }
}
