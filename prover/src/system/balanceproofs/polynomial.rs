//! Polynomials in one variable, by coefficients, lowest first.

use ark_bls12_381::Fr;
use ark_ff::{FftField, Field, One, Zero, batch_inversion};

use lightproof_core::system::balanceproofs::Domain;

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
    // What is longer by one than a power of two has its last coefficient fall onto its first.
    let last = (count - 1).is_power_of_two().then(|| left[left.len() - 1] * right[right.len() - 1]);
    let size = count.next_power_of_two() >> u32::from(last.is_some());
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
    if let Some(last) = last {
        left[0] -= last;
        left.push(last);
    }
    left
}

/// ∏ (X − x), and Σ w·∏ (X − x') over the others.
fn combine(terms: &[(Fr, Fr)]) -> (Vec<Fr>, Vec<Fr>) {
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
    if roots.len() <= SCHOOL {
        let mut product = vec![Fr::one()];
        for x in roots {
            product.push(Fr::one());
            for place in (1..product.len() - 1).rev() {
                product[place] = product[place - 1] - product[place] * x;
            }
            product[0] *= -*x;
        }
        return product;
    }
    let (left, right) = roots.split_at(roots.len() / 2);
    multiply(&vanishing(left), &vanishing(right))
}

/// 1/A'(x) for each root x of A = ∏ (X − x), roots of unity of these exponents. All differ.
pub fn weights(domain: &Domain, exponents: &[u64]) -> Vec<Fr> {
    let roots: Vec<Fr> = exponents.iter().map(|exponent| domain.root(*exponent)).collect();
    let derivative = vanishing(&roots).into_iter().enumerate().skip(1);
    let mut derivative: Vec<Fr> =
        derivative.map(|(power, coefficient)| coefficient * Fr::from(power as u64)).collect();
    let steps = domain.size() * u64::from(domain.log());
    let mut all: Vec<Fr> = if (roots.len() * roots.len()) as u64 > steps {
        derivative.resize(usize::try_from(domain.size()).unwrap_or(usize::MAX), Fr::zero());
        fft::forward(&mut derivative);
        let place = |exponent: &u64| usize::try_from(*exponent).unwrap_or(usize::MAX);
        exponents.iter().map(|exponent| derivative[place(exponent)]).collect()
    } else {
        roots.iter().map(|x| at(&derivative, *x)).collect()
    };
    batch_inversion(&mut all);
    all
}

/// A, and the polynomial of least degree with these values at its roots.
pub fn interpolate(domain: &Domain, members: &[(u64, Fr)]) -> (Vec<Fr>, Vec<Fr>) {
    let exponents: Vec<u64> = members.iter().map(|(exponent, _)| *exponent).collect();
    let weights = weights(domain, &exponents).into_iter();
    let terms = members.iter().zip(weights);
    let terms = terms.map(|((exponent, value), weight)| (domain.root(*exponent), *value * weight));
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

/// The quotient by a polynomial that divides, has roots in the domain of the dividend's length
/// alone, and at most that degree.
pub fn divide_exactly(dividend: &[Fr], divisor: &[Fr]) -> Vec<Fr> {
    let count = dividend.len();
    if divisor.len() <= SCHOOL {
        return divide(dividend, divisor).0;
    }
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
        for count in [1, 62, 63, 64, 100] {
            let divisor = vanishing(&roots[..count]);
            let mut dividend = multiply(&divisor, &sample(256 - count as u64, 5));
            dividend.resize(256, Fr::zero());
            let mut quotient = divide(&dividend, &divisor).0;
            quotient.resize(256, Fr::zero());
            let mut exact = divide_exactly(&dividend, &divisor);
            exact.resize(256, Fr::zero());
            assert_eq!(exact, quotient);
        }
    }

    #[test]
    fn interpolation_meets_its_values() {
        let domain = Domain::new(256).unwrap();
        // Derivatives one by one, and all at once; every root, too.
        for count in [1, 30, 80, 256] {
            let exponents = (0..count).map(|n| (n * 77 + 5) % 256);
            let members: Vec<_> = exponents.zip(sample(count, 4)).collect();
            let (vanishing, values) = interpolate(&domain, &members);
            assert_eq!((vanishing.len() as u64, vanishing.last()), (count + 1, Some(&Fr::one())));
            for (exponent, value) in members {
                let x = domain.root(exponent);
                assert_eq!((at(&vanishing, x), at(&values, x)), (Fr::zero(), value));
            }
        }
    }
}
