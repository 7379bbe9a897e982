//! A field of [`base_field!`](crate::base_field) against arkworks' own.

#![allow(clippy::missing_panics_doc)]

extern crate alloc;

use alloc::vec;
use alloc::vec::Vec;

use ark_ff::{AdditiveGroup, BigInt, Field, Fp, MontBackend, MontConfig, PrimeField};

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
