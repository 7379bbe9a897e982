//! Polynomials in one variable, by coefficients, lowest first.

use ark_bls12_381::Fr;
use ark_ff::{FftField, Field, One, Zero, batch_inversion};

use super::fft;

/// Below this many coefficients the product is taken as at school.
const SCHOOL: usize = 64;

/// The product.
pub fn multiply(left: &[Fr], right: &[Fr]) -> Vec<Fr> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let count = left.len() + right.len() - 1;
    if left.len().min(right.len()) <= SCHOOL {
        let mut product = vec![Fr::zero(); count];
        for (shift, factor) in left.iter().enumerate() {
            for (to, from) in product[shift..].iter_mut().zip(right) {
                *to += *factor * from;
            }
        }
        return product;
    }
    let size = count.next_power_of_two();
    let spread = |from: &[Fr]| {
        let mut values = from.to_vec();
        values.resize(size, Fr::zero());
        fft::forward(&mut values);
        values
    };
    let (mut left, right) = (spread(left), spread(right));
    left.iter_mut().zip(right).for_each(|(left, right)| *left *= right);
    fft::inverse(&mut left);
    left.truncate(count);
    left
}

/// ∏ (X − x), and Σ w·∏ (X − x') over the others.
pub fn combine(terms: &[(Fr, Fr)]) -> (Vec<Fr>, Vec<Fr>) {
    match terms {
        [] => (vec![Fr::one()], Vec::new()),
        [(x, weight)] => (vec![-*x, Fr::one()], vec![*weight]),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            let ((left, left_sum), (right, right_sum)) = (combine(left), combine(right));
            let mut sum = multiply(&left, &right_sum);
            let other = multiply(&right, &left_sum);
            sum.iter_mut().zip(other).for_each(|(to, from)| *to += from);
            (multiply(&left, &right), sum)
        }
    }
}

/// ∏ (X − x).
pub fn vanishing(roots: &[Fr]) -> Vec<Fr> {
    combine(&roots.iter().map(|x| (*x, Fr::zero())).collect::<Vec<_>>()).0
}

/// 1/A'(x) for each root x of A = ∏ (X − x). All roots differ.
pub fn weights(roots: &[Fr]) -> Vec<Fr> {
    let derivative: Vec<Fr> = vanishing(roots)
        .iter()
        .enumerate()
        .skip(1)
        .map(|(power, coefficient)| *coefficient * Fr::from(power as u64))
        .collect();
    let mut all: Vec<Fr> = roots.iter().map(|x| at(&derivative, *x)).collect();
    batch_inversion(&mut all);
    all
}

/// A, and the polynomial of least degree with these values.
pub fn interpolate(members: &[(Fr, Fr)]) -> (Vec<Fr>, Vec<Fr>) {
    let weights = weights(&members.iter().map(|(x, _)| *x).collect::<Vec<_>>());
    let terms = members.iter().zip(weights).map(|((x, value), weight)| (*x, *value * weight));
    combine(&terms.collect::<Vec<_>>())
}

/// The value at x.
pub fn at(polynomial: &[Fr], x: Fr) -> Fr {
    polynomial.iter().rev().fold(Fr::zero(), |sum, coefficient| sum * x + coefficient)
}

/// Quotient and remainder by a monic polynomial.
pub fn divide(dividend: &[Fr], divisor: &[Fr]) -> (Vec<Fr>, Vec<Fr>) {
    let degree = divisor.len() - 1;
    let mut rest = dividend.to_vec();
    if rest.len() <= degree {
        return (Vec::new(), rest);
    }
    let mut quotient = vec![Fr::zero(); rest.len() - degree];
    for place in (0..quotient.len()).rev() {
        let factor = rest[place + degree];
        quotient[place] = factor;
        for (to, from) in rest[place..].iter_mut().zip(divisor) {
            *to -= factor * from;
        }
    }
    rest.truncate(degree);
    (quotient, rest)
}

/// The quotient by a polynomial that divides, has roots in the domain of the dividend's length alone, and at most that degree.
pub fn divide_exactly(dividend: &[Fr], divisor: &[Fr]) -> Vec<Fr> {
    let count = dividend.len();
    // Off the domain nothing vanishes.
    let shift = Fr::GENERATOR;
    let spread = |from: &[Fr]| {
        let mut values = vec![Fr::zero(); count];
        let mut power = Fr::one();
        for (place, coefficient) in from.iter().enumerate() {
            values[place % count] += power * coefficient;
            power *= shift;
        }
        fft::forward(&mut values);
        values
    };
    let (mut quotient, mut below) = (spread(dividend), spread(divisor));
    batch_inversion(&mut below);
    quotient.iter_mut().zip(below).for_each(|(value, below)| *value *= below);
    fft::inverse(&mut quotient);
    let back = shift.inverse().unwrap_or_default();
    let mut power = Fr::one();
    for coefficient in &mut quotient {
        *coefficient *= power;
        power *= back;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(count: u64, seed: u64) -> Vec<Fr> {
        (0..count).map(|n| Fr::from(n * 77 + seed).square() + Fr::one()).collect()
    }

    #[test]
    fn division_undoes_multiplication() {
        let divisor = vanishing(&sample(70, 3));
        let (quotient, rest) = (sample(130, 1), sample(70, 2));
        let mut dividend = multiply(&divisor, &quotient);
        dividend.iter_mut().zip(&rest).for_each(|(to, from)| *to += from);
        assert_eq!(divide(&dividend, &divisor), (quotient, rest));
    }

    #[test]
    fn exact_division_agrees_with_the_other() {
        let root = fft::omega(256);
        let roots: Vec<Fr> = (0..100_u64).map(|n| root.pow([n * 2 + 1])).collect();
        for count in [1, 99, 100] {
            let divisor = vanishing(&roots[..count]);
            let mut dividend = multiply(&divisor, &sample(256 - count as u64, 5));
            dividend.resize(256, Fr::zero());
            let mut quotient = divide(&dividend, &divisor).0;
            quotient.resize(256, Fr::zero());
            assert_eq!(divide_exactly(&dividend, &divisor), quotient);
        }
    }

    #[test]
    fn interpolation_meets_its_values() {
        let members: Vec<_> = sample(80, 9).into_iter().zip(sample(80, 4)).collect();
        let (vanishing, values) = interpolate(&members);
        for (x, value) in members {
            assert_eq!((at(&vanishing, x), at(&values, x)), (Fr::zero(), value));
        }
    }
}
