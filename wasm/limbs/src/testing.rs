//! A field of [`base_field!`](crate::base_field), and the tower over it, against arkworks' own.

#![allow(clippy::missing_panics_doc, clippy::unwrap_used)] // For tests alone.

extern crate alloc;

use alloc::vec;
use alloc::vec::Vec;

use ark_ff::{
    AdditiveGroup, BigInt, BigInteger, CyclotomicMultSubgroup, Field, Fp, Fp2, Fp2Config,
    Fp6Config, Fp12, Fp12Config, MontBackend, MontConfig, PrimeField,
};

use crate::tower::{Quadratic, Twelve};

type Element<C, const W: usize> = Fp<MontBackend<C, W>, W>;

/// Residues at the edges of words and of limbs, and some in between.
fn samples<C: MontConfig<W>, const W: usize>() -> Vec<Element<C, W>> {
    let mut largest = C::MODULUS;
    largest.0[0] -= 1;
    let mut high = largest;
    high.0[W - 1] -= 1;
    let mut one = [0; W];
    one[0] = 1;
    let mut all = vec![BigInt([0; W]), BigInt(one), largest, high];
    let spare = C::MODULUS.0[W - 1].leading_zeros() + 1;
    for bit in (0..64 * W).step_by(7) {
        let mut words = [0; W];
        words[bit / 64] = 1 << (bit % 64);
        all.push(BigInt(words));
        let mut ones = [u64::MAX; W];
        ones[W - 1] >>= spare;
        ones[bit / 64] ^= 1 << (bit % 64);
        all.push(BigInt(ones));
    }
    all.extend([0x0fff_ffff_ffff_ffff, 0x1000_0000_f000_0001].map(|word| BigInt([word; W])));
    // As they are stored: residues in Montgomery form, below p.
    all.retain(|words| *words < C::MODULUS);
    let mut elements: Vec<_> = all.into_iter().map(Fp::new_unchecked).collect();
    let mut element = Fp::from(5_u64);
    for _ in 0..40 {
        element = element.square() + Element::<C, W>::ONE;
        elements.push(element);
    }
    elements
}

/// Panics unless elements of `Ours` add and multiply as those of `Theirs` do.
pub fn compare<Ours: MontConfig<W>, Theirs: MontConfig<W>, const W: usize>() {
    let ours = |element: Element<Theirs, W>| Element::<Ours, W>::new_unchecked(element.0);
    let samples = samples::<Theirs, W>();
    assert!(samples.len() > 75, "{}", samples.len());
    assert!((Ours::MODULUS, Ours::GENERATOR) == (Theirs::MODULUS, ours(Theirs::GENERATOR)));
    for (index, &a) in samples.iter().enumerate() {
        assert_eq!(ours(a).square(), ours(a.square()));
        assert_eq!(ours(a).double(), ours(a.double()));
        assert_eq!(-ours(a), ours(-a));
        assert_eq!(ours(a).inverse(), a.inverse().map(ours));
        assert_eq!(ours(a).into_bigint(), a.into_bigint());
        assert_eq!(Element::from_bigint(a.into_bigint()), Some(ours(a)));
        assert_eq!(ours(a).sqrt(), a.sqrt().map(ours));
        for (other, &b) in samples.iter().enumerate() {
            assert_eq!(ours(a) * ours(b), ours(a * b), "{index} {other}");
            assert_eq!(ours(a) + ours(b), ours(a + b), "{index} {other}");
            assert_eq!(ours(a) - ours(b), ours(a - b), "{index} {other}");
            let [c, d] = [1, 2].map(|step| samples[(index + other * step) % samples.len()]);
            let sum = Ours::sum_of_products(&[ours(a), ours(c)], &[ours(b), ours(d)]);
            assert_eq!(sum, ours(a * b + c * d), "{index} {other}");
            let (left, right) = ([a, b, c].map(ours), [b, c, d].map(ours));
            let sum = Ours::sum_of_products(&left, &right);
            assert_eq!(sum, ours(a * b + b * c + c * d), "{index} {other}");
        }
    }
}

type Extension<P> = <<P as Fp12Config>::Fp6Config as Fp6Config>::Fp2Config;
type Base<P> = <Extension<P> as Fp2Config>::Fp;

/// Elements with coefficients at the edges of the field, and some in between; the first is zero.
pub fn twelves<P: Fp12Config>() -> Vec<Fp12<P>> {
    let (zero, one) = (Base::<P>::ZERO, Base::<P>::ONE);
    // Stored as p − 1, and as p with all ones below the highest word and less in that one.
    let mut largest = Base::<P>::MODULUS;
    largest.sub_with_borrow(&1_u64.into());
    let mut ones = largest;
    let words = ones.as_mut();
    let (highest, below) = words.split_last_mut().unwrap();
    *highest -= 1;
    below.fill(u64::MAX);
    let radix = Base::<P>::from(2_u64).pow([64 * below.len() as u64 + 64]);
    let edges = [largest, ones].map(|stored| Base::<P>::from_bigint(stored).unwrap() / radix);
    let mut state = Base::<P>::from(7_u64);
    let mut all = Vec::new();
    for round in 0..12 {
        let coefficients = (0..12).map(|place| {
            state = state.square() + one;
            match round {
                0 => zero,
                1 => [zero, one][usize::from(place == 0)],
                2 | 3 => edges[round - 2],
                4 => edges[place % 2],
                5 => [zero, edges[0], -edges[0]][place % 3],
                _ => state,
            }
        });
        let coefficients: Vec<_> = coefficients.collect();
        all.push(Fp12::from_base_prime_field_elems(coefficients).unwrap());
    }
    all
}

/// Panics unless elements of the tower over `T` do as arkworks' generic ones of the same field.
pub fn compare_towers<P, T>()
where
    P: Fp12Config<Fp6Config: Fp6Config<Fp2Config = T::Config>>,
    T: Quadratic,
{
    let all = twelves::<P>();
    let ours = |element: &Fp12<P>| Twelve::<T>::new(element);
    let same = |ours: &Twelve<T>, theirs: Fp12<P>, what: &str| {
        assert_eq!(ours.element::<P>(), theirs, "{what}");
    };
    for (index, a) in all.iter().enumerate() {
        same(&ours(a), *a, "as it is");
        let mut square = ours(a);
        square.square();
        same(&square, a.square(), "square");
        square.square();
        same(&square, a.square().square(), "square of a square");
        for power in 0..4 {
            let image = ours(a).frobenius::<P>(power);
            same(&image, a.frobenius_map(power), "frobenius");
        }
        assert_eq!(ours(a).inverse().is_some(), index != 0);
        if let Some(inverse) = a.inverse() {
            same(&ours(a).inverse().unwrap(), inverse, "inverse");
            // Of the cyclotomic subgroup.
            let mut unit = *a;
            unit.cyclotomic_inverse_in_place();
            unit *= inverse;
            unit *= unit.frobenius_map(2);
            let mut square = ours(&unit);
            for _ in 0..3 {
                square.cyclotomic_square();
                unit.square_in_place();
                same(&square, unit, "cyclotomic square");
            }
        }
        for b in &all {
            same(&ours(a).times(&ours(b)), *a * b, "product");
            compare_lines(a, [b.c0.c0, b.c0.c1, b.c1.c1], ours(a));
        }
    }
}

fn compare_lines<P, T>(a: &Fp12<P>, [c0, c1, c2]: [Fp2<T::Config>; 3], ours: Twelve<T>)
where
    P: Fp12Config<Fp6Config: Fp6Config<Fp2Config = T::Config>>,
    T: Quadratic,
{
    let [d0, d1, d2] = [c0, c1, c2].map(|element| T::new(&element));
    let (mut line, mut theirs) = (ours, *a);
    line.multiply_by_line(&d0, &d1, &d2);
    theirs.mul_by_014(&c0, &c1, &c2);
    assert_eq!(line.element::<P>(), theirs, "line");
    line.multiply_by_unit_line(&d0, &d1);
    theirs.mul_by_014(&c0, &c1, &Fp2::ONE);
    assert_eq!(line.element::<P>(), theirs, "unit line");
    line.multiply_by_other_line(&d0, &d1, &d2);
    theirs.mul_by_034(&c0, &c1, &c2);
    assert_eq!(line.element::<P>(), theirs, "line of the other twist");
}
