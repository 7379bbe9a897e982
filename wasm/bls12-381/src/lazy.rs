//! The base field again, for products that are summed before they are reduced.
//!
//! A reduction costs as much as the product before it. So here products stay in columns, which are
//! added, and each coefficient of a result is reduced once, however many products it is the sum of.
//! Residues are only near zero, in signed limbs: they are added without a carry.
//!
//! Residues are in Montgomery form for R = 2³⁹², arkworks' for 2³⁸⁴. A *tight* one is at most p in
//! size, its limbs 2²⁷.

// Of constants, to constant places: that keeps columns in registers.
#![allow(clippy::inline_always, clippy::cast_possible_truncation)]

use ark_ff::{BigInt, BigInteger, Field, MontConfig, MontFp};
use lightproof_limbs::{limb, part};

use crate::field::{Fq, FqConfig};

const LIMBS: usize = 14;
const HALF: usize = LIMBS / 2;
const BITS: u32 = 28;

/// A residue modulo p: the sum of limb · 2^(28·place).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residue([i64; LIMBS]);

/// A sum of products of residues: one column for each place, the last one zero. Parts of a sum may
/// exceed 64 bits and wrap around, the whole does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns([i64; 2 * LIMBS]);

/// Products of tight residues in a sum that is reduced: six of elements of 𝔽\_p² are a coefficient
/// of one of elements of 𝔽\_p¹², three times two such one of a cyclotomic square. A factor ξ adds
/// none: for x and y of the size of b, |x − y| + |x + y| is at most 2·b.
const PRODUCTS: u128 = 12;

const P: [i64; LIMBS] = split(&FqConfig::MODULUS.0, 0);
/// −1/p modulo 2²⁸: arkworks' is the same modulo 2⁶⁴.
const INVERSE: i64 = FqConfig::INV.cast_signed();
/// 2⁴⁰⁰ modulo p: by it, a product leads from arkworks' form to this one.
const HERE: Residue = limbs_of(MontFp!("65536"));
/// 2³⁸⁴ modulo p, which leads back.
const BACK: Residue = limbs_of(Fq::ONE);
/// What multiplies arkworks' form where no product does: 2⁸.
const SHIFT: u32 = LIMBS as u32 * BITS - 384;
/// 2⁴⁰ by p's highest limb.
const RECIPROCAL: i64 = (1 << 40) / P[LIMBS - 1];

/// Largest sizes of a tight residue's limbs. All below the highest are at most half a unit of it,
/// so that one is at most p's and 1.
const TIGHT: [u128; LIMBS] = sizes(1 << (BITS - 1), P[LIMBS - 1].cast_unsigned() as u128 + 1);
/// Those of a loose one, which has no sign: 2⁸ times a value below p.
const LOOSE: [u128; LIMBS] =
    sizes((1 << BITS) - 1, (P[LIMBS - 1].cast_unsigned() as u128 + 1) << SHIFT);
/// Residues that are added to a sum that is reduced, or limbs of tight ones that are.
const ADDED: u128 = 8;

const fn sizes(lower: u128, highest: u128) -> [u128; LIMBS] {
    let mut sizes = [lower; LIMBS];
    sizes[LIMBS - 1] = highest;
    sizes
}

/// Largest sizes of the columns while products of such limbs are divided by R: column c of a
/// product is the sum over a + b = c, each of the 14 steps adds |q| ≤ 2²⁷ times p's limbs, and each
/// column on the left a carry to the next.
const fn columns(count: u128, left: &[u128; LIMBS], right: &[u128; LIMBS]) -> [u128; 2 * LIMBS] {
    let mut columns = [0; 2 * LIMBS];
    let mut a = 0;
    while a < LIMBS {
        let mut b = 0;
        while b < LIMBS {
            columns[a + b] += count * left[a] * right[b];
            columns[a + b] += (P[b].cast_unsigned() as u128) << (BITS - 1);
            b += 1;
        }
        a += 1;
    }
    let mut at = 0;
    while at < LIMBS {
        columns[at + 1] += (columns[at] >> BITS) + 1;
        at += 1;
    }
    columns
}

/// No column leaves 63 bits, nor does anything that is made of one.
const fn fits(columns: &[u128; 2 * LIMBS]) {
    let mut at = 0;
    while at < 2 * LIMBS {
        // With a limb of what is added, and the carry to round by.
        assert!(columns[at] + (ADDED << BITS) + (1 << BITS) < 1 << 63);
        at += 1;
    }
    let highest = columns[2 * LIMBS - 1] + ADDED * TIGHT[LIMBS - 1];
    let high = highest + (columns[2 * LIMBS - 2] >> BITS) + 1;
    assert!(high * (RECIPROCAL.cast_unsigned() as u128) + (1 << 39) < 1 << 63);
}

const _: () = {
    fits(&columns(PRODUCTS, &TIGHT, &TIGHT));
    fits(&columns(1, &LOOSE, &TIGHT));
};

/// Limbs of 2^shift times a value.
const fn split(words: &[u64; 6], shift: u32) -> [i64; LIMBS] {
    let mut limbs = [0; LIMBS];
    let mut place = 0;
    while place < LIMBS {
        limbs[place] = limb(words, BITS * place as u32, shift, BITS).cast_signed();
        place += 1;
    }
    limbs
}

/// Limbs of arkworks' form as it stands.
const fn limbs_of(element: Fq) -> Residue {
    Residue(split(&element.0.0, 0))
}

/// With one macro for the first place and all others.
macro_rules! places {
    ($do:ident) => {
        $do!(0, 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
}

type Half = [i64; HALF];

/// The half with a value for each place.
macro_rules! halved {
    ($at:ident => $value:expr) => {
        halved!($at => $value, 0 1 2 3 4 5 6)
    };
    ($at:ident => $value:expr, $($place:literal)*) => {
        [$({ const $at: usize = $place; $value }),*]
    };
}

impl Residue {
    pub(crate) const ZERO: Self = Self([0; LIMBS]);
    pub(crate) const ONE: Self = limbs_of(MontFp!("256"));

    pub(crate) fn new(element: &Fq) -> Self {
        limbs_of(*element).product(&HERE)
    }

    /// Not tight, and cheap: up to 2⁸·p in size, limbs up to 2²⁸. For one product with a tight one.
    pub(crate) const fn loose(element: &Fq) -> Self {
        Self(split(&element.0.0, SHIFT))
    }

    pub(crate) fn element(&self) -> Fq {
        let Self(limbs) = self.product(&BACK);
        let (mut words, mut carry) = ([0; 6], 0);
        // With p, it is above zero.
        for (place, (limb, p)) in (0..).zip(limbs.into_iter().zip(P)) {
            let sum = limb + p + carry;
            carry = sum >> BITS;
            let limb = sum.cast_unsigned() & ((1 << BITS) - 1);
            for (at, word) in (0..).zip(&mut words) {
                *word |= part(limb, BITS * place, 64 * at);
            }
        }
        let mut value = BigInt(words);
        if value >= FqConfig::MODULUS {
            value.sub_with_borrow(&FqConfig::MODULUS);
        }
        Fq::new_unchecked(value)
    }

    pub(crate) fn inverse(&self) -> Option<Self> {
        self.element().inverse().map(|inverse| Self::new(&inverse))
    }

    /// Sets columns to those of the product, by three products of halves (Karatsuba).
    #[inline(never)]
    pub(crate) fn times(&self, other: &Self, Columns(product): &mut Columns) {
        let ([a0, a1], [b0, b1]) = (self.halves(), other.halves());
        let (low, high) = (half_product(a0, b0), half_product(a1, b1));
        let [a, b] = [[a0, a1], [b0, b1]].map(|[one, other]| halved!(AT => one[AT] + other[AT]));
        let both = half_product(a, b);
        let middle = |at: usize| both[at].wrapping_sub(low[at]).wrapping_sub(high[at]);
        macro_rules! set {
            ($($place:literal)*) => {
                $(product[$place] = low[$place];
                product[HALF + $place] = low[HALF + $place].wrapping_add(middle($place));
                product[LIMBS + $place] = high[$place].wrapping_add(middle(HALF + $place));
                product[LIMBS + HALF + $place] = high[HALF + $place];)*
            };
        }
        set!(0 1 2 3 4 5 6);
    }

    #[inline(always)]
    fn halves(&self) -> [Half; 2] {
        [halved!(AT => self.0[AT]), halved!(AT => self.0[HALF + AT])]
    }

    /// The tight residue of the product.
    pub(crate) fn product(&self, other: &Self) -> Self {
        let mut product = Columns::ZERO;
        self.times(other, &mut product);
        product.reduced()
    }

    #[inline(always)]
    pub(crate) fn plus(&self, other: &Self) -> Self {
        macro_rules! sum {
            ($first:literal, $($place:literal)*) => {
                Self([self.0[0] + other.0[0] $(, self.0[$place] + other.0[$place])*])
            };
        }
        places!(sum)
    }

    #[inline(always)]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        macro_rules! difference {
            ($first:literal, $($place:literal)*) => {
                Self([self.0[0] - other.0[0] $(, self.0[$place] - other.0[$place])*])
            };
        }
        places!(difference)
    }

    pub(crate) fn negated(&self) -> Self {
        Self::ZERO.minus(self)
    }
}

/// Columns of a product of halves, the last one zero.
#[inline(always)]
fn half_product(a: Half, b: Half) -> [i64; LIMBS] {
    let (mut product, mut columns) = ([0; LIMBS], [0_i64; HALF]);
    macro_rules! rows {
        ($($place:literal)*) => {
            $(let sums = halved!(AT => columns[AT].wrapping_add(a[$place].wrapping_mul(b[AT])));
            product[$place] = sums[0];
            columns = [sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], 0];)*
            $(product[HALF + $place] = columns[$place];)*
        };
    }
    rows!(0 1 2 3 4 5 6);
    product
}

impl Columns {
    pub(crate) const ZERO: Self = Self([0; 2 * LIMBS]);

    /// This divided by R. Tight, for a value up to 2⁹·p² in size: that is p/4 · R.
    #[inline(never)]
    pub(crate) fn reduced(&self) -> Residue {
        Residue(carried(self.divided()))
    }

    /// The same, and another residue, which may be a sum of a few.
    #[inline(never)]
    pub(crate) fn reduced_plus(&self, other: &Residue) -> Residue {
        let mut columns = self.divided();
        columns.iter_mut().zip(&other.0).for_each(|(column, limb)| *column += limb);
        // How often p is in it, by the highest bits: lower columns are some 2⁻¹¹ of a p.
        let high = columns[LIMBS - 1] + (columns[LIMBS - 2] >> BITS);
        let times = (high * RECIPROCAL + (1 << 39)) >> 40;
        columns.iter_mut().zip(P).for_each(|(column, limb)| *column -= times * limb);
        Residue(carried(columns))
    }

    /// Columns of this divided by R, and a multiple of p/R up to p/2 in size.
    #[inline(always)]
    fn divided(&self) -> [i64; LIMBS] {
        let (low, high) = self.0.split_at(LIMBS);
        let mut columns = [0_i64; LIMBS];
        columns.copy_from_slice(low);
        for next in high {
            let low = columns[0];
            // The lowest 28 bits, as a number with a sign.
            let q = low.wrapping_mul(INVERSE) << (64 - BITS) >> (64 - BITS);
            macro_rules! step {
                ($first:literal, $($place:literal)*) => {
                    columns = [$(columns[$place] + q * P[$place],)* *next];
                    columns[0] += (low + q * P[0]) >> BITS;
                };
            }
            places!(step);
        }
        columns
    }

    #[inline(never)]
    pub(crate) fn add(&mut self, other: &Self) {
        let all = self.0.iter_mut().zip(&other.0);
        all.for_each(|(column, other)| *column = column.wrapping_add(*other));
    }

    #[inline(never)]
    pub(crate) fn subtract(&mut self, other: &Self) {
        let all = self.0.iter_mut().zip(&other.0);
        all.for_each(|(column, other)| *column = column.wrapping_sub(*other));
    }

    #[inline(never)]
    pub(crate) fn scale(&mut self, by: i64) {
        self.0.iter_mut().for_each(|column| *column = column.wrapping_mul(by));
    }

    /// Sets the two to their difference and their sum.
    #[inline(never)]
    pub(crate) fn turn(&mut self, other: &mut Self) {
        for (one, other) in self.0.iter_mut().zip(&mut other.0) {
            (*one, *other) = (one.wrapping_sub(*other), one.wrapping_add(*other));
        }
    }

    /// Sets the two to their difference, and to what a sum has beside them.
    #[inline(never)]
    pub(crate) fn separate(&mut self, other: &mut Self, sum: &Self) {
        for ((one, other), sum) in self.0.iter_mut().zip(&mut other.0).zip(&sum.0) {
            let rest = sum.wrapping_sub(*one).wrapping_sub(*other);
            (*one, *other) = (one.wrapping_sub(*other), rest);
        }
    }
}

/// Limbs from −2²⁷ to 2²⁷, but for the highest.
#[inline(always)]
fn carried(mut columns: [i64; LIMBS]) -> [i64; LIMBS] {
    macro_rules! carry {
        ($first:literal, $($place:literal)*) => {
            $(let carry = (columns[$place - 1] + (1 << (BITS - 1))) >> BITS;
            columns[$place - 1] -= carry << BITS;
            columns[$place] += carry;)*
        };
    }
    places!(carry);
    columns
}
