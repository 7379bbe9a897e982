//! The base field and the tower over it.

use ark_bls12_381 as ark;
use ark_ff::{
    AdditiveGroup, Field, Fp, Fp2, Fp2Config, Fp6, Fp6Config, Fp12, Fp12Config, MontBackend,
};

lightproof_limbs::base_field! {
    /// The base field's arithmetic.
    FqConfig as ark_bls12_381::FqConfig, words 0 1 2 3 4 5, bits 28, limbs [0 1 2 3 4 5 6 7 8 9 10 11 12 13]
}

/// The base field.
pub type Fq = Fp<MontBackend<FqConfig, 6>, 6>;

/// An element of arkworks' field in this one.
pub(crate) const fn fq(element: ark::Fq) -> Fq {
    Fq::new_unchecked(element.0)
}

pub(crate) const fn fq2(element: ark::Fq2) -> Fq2 {
    Fq2::new(fq(element.c0), fq(element.c1))
}

/// The first elements of a list of the base field.
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)] // When compiled, if at all.
pub(crate) const fn reals<const N: usize>(from: &[ark::Fq]) -> [Fq; N] {
    let mut to = [Fq::ZERO; N];
    let mut at = 0;
    while at < N {
        to[at] = fq(from[at]);
        at += 1;
    }
    to
}

/// The first elements of a list.
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)] // When compiled, if at all.
pub(crate) const fn all<const N: usize>(from: &[ark::Fq2]) -> [Fq2; N] {
    let mut to = [Fq2::ZERO; N];
    let mut at = 0;
    while at < N {
        to[at] = fq2(from[at]);
        at += 1;
    }
    to
}

/// 𝔽\_p(u), u² = −1.
#[derive(Clone, Copy, Debug)]
pub struct Fq2Config;

/// 𝔽\_p(u).
pub type Fq2 = Fp2<Fq2Config>;

impl Fp2Config for Fq2Config {
    type Fp = Fq;

    const NONRESIDUE: Fq = fq(ark::Fq2Config::NONRESIDUE);
    const FROBENIUS_COEFF_FP2_C1: &'static [Fq] = &[Fq::ONE, Self::NONRESIDUE];

    fn mul_fp_by_nonresidue_in_place(fp: &mut Fq) -> &mut Fq {
        fp.neg_in_place()
    }

    fn sub_and_mul_fp_by_nonresidue(y: &mut Fq, x: &Fq) {
        *y += x;
    }

    fn mul_fp_by_nonresidue_plus_one_and_add(y: &mut Fq, x: &Fq) {
        *y = *x;
    }

    fn mul_fp_by_nonresidue_and_add(y: &mut Fq, x: &Fq) {
        y.neg_in_place();
        *y += x;
    }
}

/// 𝔽\_p²(v), v³ = u + 1.
#[derive(Clone, Copy, Debug)]
pub struct Fq6Config;

/// 𝔽\_p²(v).
pub type Fq6 = Fp6<Fq6Config>;

impl Fp6Config for Fq6Config {
    type Fp2Config = Fq2Config;

    const NONRESIDUE: Fq2 = fq2(ark::Fq6Config::NONRESIDUE);
    const FROBENIUS_COEFF_FP6_C1: &'static [Fq2] =
        &all::<6>(ark::Fq6Config::FROBENIUS_COEFF_FP6_C1);
    const FROBENIUS_COEFF_FP6_C2: &'static [Fq2] =
        &all::<6>(ark::Fq6Config::FROBENIUS_COEFF_FP6_C2);

    fn mul_fp2_by_nonresidue_in_place(element: &mut Fq2) -> &mut Fq2 {
        let real = element.c0;
        element.c0 -= &element.c1;
        element.c1 += &real;
        element
    }
}

/// 𝔽\_p⁶(w), w² = v.
#[derive(Clone, Copy, Debug)]
pub struct Fq12Config;

/// 𝔽\_p⁶(w).
pub type Fq12 = Fp12<Fq12Config>;

impl Fp12Config for Fq12Config {
    type Fp6Config = Fq6Config;

    const NONRESIDUE: Fq6 = Fq6::new(Fq2::ZERO, Fq2::ONE, Fq2::ZERO);
    const FROBENIUS_COEFF_FP12_C1: &'static [Fq2] =
        &all::<12>(ark::Fq12Config::FROBENIUS_COEFF_FP12_C1);
}
