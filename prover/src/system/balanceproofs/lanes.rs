//! Arithmetic on many points of G1 at once, in affine coordinates: one inversion serves all, so that an addition costs six
//! multiplications of the base field where a projective one costs eleven to sixteen.

use ark_bls12_381::{Fq, Fr, G1Affine, G1Projective, g1};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField, Zero, batch_inversion};
use rayon::prelude::*;

/// |x|, the parameter of the curve: multiplying by −x² costs one multiplication of the base field.
const X: u64 = 0xd201_0000_0001_0000;

/// Points that share an inversion: enough for it to vanish, few enough to stay in the cache.
pub const LANES: usize = 1_024;

/// Points that one thread multiplies.
const SHARE: usize = 128;

/// Digits of a factor are odd and below 2^(WIDTH − 1) in magnitude.
const WIDTH: u32 = 5;

/// Adds to each point the one beside it.
///
/// # Panics
/// If there are not as many of both.
pub fn add(points: &mut [G1Affine], addends: &[G1Affine]) {
    assert_eq!(points.len(), addends.len());
    add_at(points, &addends.iter().copied().enumerate().collect::<Vec<_>>());
}

/// Adds points at places, of which none comes twice.
pub fn add_at(points: &mut [G1Affine], addends: &[(usize, G1Affine)]) {
    for addends in addends.chunks(LANES) {
        let run = addends.iter().map(|(place, addend)| run(&points[*place], addend));
        let mut inverses: Vec<Fq> = run.collect();
        // Zeros stay zero.
        batch_inversion(&mut inverses);
        for ((place, addend), inverse) in addends.iter().zip(inverses) {
            points[*place] = sum(&points[*place], addend, inverse);
        }
    }
}

/// What the slope of the line through two points is to be divided by; zero if their sum needs no line.
fn run(left: &G1Affine, right: &G1Affine) -> Fq {
    if left.is_zero() || right.is_zero() {
        Fq::ZERO
    } else if left.x != right.x {
        right.x - left.x
    } else if left.y == right.y {
        left.y.double()
    } else {
        Fq::ZERO
    }
}

fn sum(left: &G1Affine, right: &G1Affine, inverse: Fq) -> G1Affine {
    if inverse.is_zero() {
        return match (left.is_zero(), right.is_zero()) {
            (true, _) => *right,
            (_, true) => *left,
            _ => G1Affine::identity(),
        };
    }
    let rise = if left.x == right.x {
        let square = left.x.square();
        square.double() + square
    } else {
        right.y - left.y
    };
    let slope = rise * inverse;
    let x = slope.square() - left.x - right.x;
    G1Affine::new_unchecked(x, slope * (left.x - x) - left.y)
}

/// Doubles each point.
pub fn double(points: &mut [G1Affine]) {
    for points in points.chunks_mut(LANES) {
        // Of the identity, which has coordinates of zero, this is zero; of no other point, since their order is odd.
        let mut inverses: Vec<Fq> = points.iter().map(|point| point.y.double()).collect();
        batch_inversion(&mut inverses);
        for (point, inverse) in points.iter_mut().zip(inverses) {
            if !inverse.is_zero() {
                *point = sum(point, &{ *point }, inverse);
            }
        }
    }
}

/// x² times a point.
pub fn turned(point: &G1Affine) -> G1Affine {
    -g1::endomorphism(point)
}

/// A factor as (low + high·x²), negated if true comes first; both halves are below x². The root of unity of order 4 is x³, so that its
/// halves have 64 bits.
pub fn halves(factor: Fr) -> (bool, u128, u128) {
    let (plus, minus) = (factor.into_bigint(), (-factor).into_bigint());
    let negative = minus < plus;
    let mut number = if negative { minus.0 } else { plus.0 };
    let first = divide(&mut number);
    let second = divide(&mut number);
    let low = u128::from(second) * u128::from(X) + u128::from(first);
    (negative, low, u128::from(number[1]) << 64 | u128::from(number[0]))
}

/// Divides by |x|; the remainder.
fn divide(number: &mut [u64; 4]) -> u64 {
    let mut rest = 0;
    for limb in number.iter_mut().rev() {
        let dividend = u128::from(rest) << 64 | u128::from(*limb);
        let quotient = dividend / u128::from(X);
        // Both fit, since what was left over before is below |x|.
        *limb = u64::try_from(quotient).unwrap_or(u64::MAX);
        rest = u64::try_from(dividend - quotient * u128::from(X)).unwrap_or(u64::MAX);
    }
    rest
}

/// Each point times its factor.
pub fn multiply(points: &[G1Affine], factors: &[Fr]) -> Vec<G1Affine> {
    let chunks = points.par_chunks(SHARE).zip(factors.par_chunks(SHARE));
    chunks.flat_map_iter(|(points, factors)| products(points, factors)).collect()
}

/// The same on one thread. A projective doubling takes less than one with a share of an inversion, but an addition of an affine
/// point takes less than that of a projective one.
fn products(points: &[G1Affine], factors: &[Fr]) -> Vec<G1Affine> {
    // Odd multiples, up to the largest digit.
    let mut odd = vec![points.to_vec()];
    let mut twice = points.to_vec();
    double(&mut twice);
    for last in 0..(1 << (WIDTH - 2)) - 1 {
        let mut next: Vec<G1Affine> = odd[last].clone();
        add(&mut next, &twice);
        odd.push(next);
    }
    let product = |(lane, factor): (usize, &Fr)| {
        let (negative, low, high) = halves(*factor);
        let [low, high] = [low, high].map(|half| digits(half, negative));
        let mut product = G1Projective::ZERO;
        for place in (0..low.len().max(high.len())).rev() {
            product.double_in_place();
            for (digits, is_high) in [(&low, false), (&high, true)] {
                let digit = digits.get(place).copied().unwrap_or(0);
                if digit != 0 {
                    let multiple = odd[usize::from(digit.unsigned_abs() / 2)][lane];
                    let multiple = if digit < 0 { -multiple } else { multiple };
                    product += if is_high { turned(&multiple) } else { multiple };
                }
            }
        }
        product
    };
    let products: Vec<G1Projective> = factors.iter().enumerate().map(product).collect();
    G1Projective::normalize_batch(&products)
}

/// Digits of a number or its negative, the lowest first; each is zero or odd, and after an odd one come at least four zeros.
fn digits(mut number: u128, negative: bool) -> Vec<i8> {
    let mut digits = Vec::with_capacity(129);
    while number != 0 {
        let mut digit = 0;
        if number & 1 == 1 {
            let low = number & ((1 << WIDTH) - 1);
            number -= low;
            digit = i8::try_from(low).unwrap_or(0);
            if digit >= 1 << (WIDTH - 1) {
                digit -= 1 << WIDTH;
                number += 1 << WIDTH;
            }
        }
        digits.push(if negative { -digit } else { digit });
        number >>= 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::PrimeGroup;
    use ark_ff::{FftField, One};

    use crate::rng::Rng;

    fn factors() -> Vec<Fr> {
        let mut rng = Rng::new(3, "balanceproofs/lanes", 0);
        let small = [0, 1, 2, 15, 16, 17, 31, 33, X - 1, X, X + 1, u64::MAX].map(Fr::from);
        let square = Fr::from(X) * Fr::from(X);
        let edges =
            [square - Fr::one(), square, square + Fr::one(), square * square, square * Fr::from(X)];
        let roots = (1..6).map(|log| Fr::get_root_of_unity(1 << log).unwrap());
        let few: Vec<Fr> = small.into_iter().chain(edges).chain(roots).collect();
        let both = few.iter().flat_map(|factor| [*factor, -*factor]);
        let random = (0..16).map(|_| Fr::from(rng.next_u64()).pow([rng.next_u64()]));
        both.chain(random).collect()
    }

    fn points(count: usize) -> Vec<G1Affine> {
        let generator = G1Projective::generator();
        let multiples = (0..count as u64).map(|n| generator * Fr::from(n * n));
        G1Projective::normalize_batch(&multiples.collect::<Vec<_>>())
    }

    #[test]
    fn products_agree_with_the_curves_own() {
        let factors = factors();
        for count in [1, factors.len()] {
            let points = points(count);
            let expected: Vec<G1Affine> = points
                .iter()
                .zip(&factors)
                .map(|(point, by)| (*point * by).into_affine())
                .collect();
            assert_eq!(multiply(&points, &factors[..count]), expected);
        }
    }

    #[test]
    fn halves_of_a_factor_add_up_to_it() {
        let square = Fr::from(X) * Fr::from(X);
        for factor in factors() {
            let (negative, low, high) = halves(factor);
            let sum = Fr::from(low) + Fr::from(high) * square;
            assert_eq!(if negative { -sum } else { sum }, factor);
        }
        let root = halves(Fr::get_root_of_unity(4).unwrap());
        assert!(root == (root.0, 0, u128::from(X)), "{root:?}");
    }

    #[test]
    fn sums_need_no_care_from_their_caller() {
        let [zero, one] = [G1Affine::identity(), G1Affine::generator()];
        let two = (one + one).into_affine();
        let mut sums = [zero, zero, one, one, one, two];
        add(&mut sums, &[zero, one, zero, one, -one, -one]);
        assert_eq!(sums, [zero, one, one, two, zero, one]);
        let mut doubled = [zero, one];
        double(&mut doubled);
        assert_eq!(doubled, [zero, two]);
    }
}
