//! 𝔽\_p(u), u² = −1, for products that are summed before they are reduced.
//!
//! A reduction costs as much as the product before it. So here products stay in columns, which are
//! added, and each coefficient of a result is reduced once, however many products it is the sum of.
//! Residues are only near zero, in signed limbs: they are added without a carry.
//!
//! Both coefficients of an element go the same way in one register, so that an instruction makes
//! two products of limbs ([`lanes`](lightproof_limbs::lanes)).
//!
//! Residues are in Montgomery form for R = 2³⁹², arkworks' for 2³⁸⁴. A *tight* one is at most p in
//! size, its limbs 2²⁷.

// Of constants, to constant places: that keeps columns in registers.
#![allow(clippy::inline_always, clippy::cast_possible_truncation)]

use core::hint::black_box;

use ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, MontConfig, MontFp};
use lightproof_limbs::lanes::{Long, Quad};
use lightproof_limbs::{limb, part};

use crate::field::{Fq, Fq2, FqConfig};

const LIMBS: usize = 14;
const HALF: usize = LIMBS / 2;
const BITS: u32 = 28;

/// re + im·u. A residue is the sum of limb · 2^(28·place); quad k has the limbs of re and im at
/// place k, and those at place k + 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two([Quad; HALF]);

/// Sums of products of residues, those of re and of im: a column for each place, the last one zero.
/// Parts of a sum may exceed 64 bits and wrap around, the whole does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns([Long; 2 * LIMBS]);

/// Products of tight residues in a sum that is reduced: six of elements of 𝔽\_p² are a coefficient
/// of one of elements of 𝔽\_p¹², three times two such one of a cyclotomic square. A factor ξ adds
/// none: for x and y of the size of b, |x − y| + |x + y| is at most 2·b.
const PRODUCTS: u128 = 12;
/// In steps of a point's multiples (g2/multiple.rs): a square of an element is two.
const PRODUCTS_OF_POINTS: u128 = 26;

const P: [i32; LIMBS] = split(&FqConfig::MODULUS.0, 0);
/// What multiplies arkworks' form where no product does: 2⁸.
const SHIFT: u32 = LIMBS as u32 * BITS - 384;
/// By 2⁴⁰⁰ modulo p, a product leads from arkworks' form to this one,
const HERE: Two = both(&MontFp!("65536"));
/// and by 2³⁸⁴ back.
const BACK: Two = both(&Fq::ONE);
/// 2⁴⁰ by p's highest limb.
const RECIPROCAL: i32 = ((1 << 40) / P[LIMBS - 1] as i64) as i32;
/// Makes a number of 64 bits one without a sign, and what that adds to it when it is shifted.
const LIFT: i64 = i64::MIN;
const LIFTED: i64 = 1 << (63 - BITS);

/// What a reduction multiplies and adds.
struct Constants {
    p: [Quad; HALF],
    /// −1/p modulo 2²⁸: arkworks' is the same modulo 2⁶⁴.
    inverse: Quad,
    reciprocal: Quad,
    lift: Long,
    lift_and_round: Long,
    lifted: Long,
}

static CONSTANTS: Constants = Constants {
    p: pairs(&P, &P),
    inverse: Quad::new([FqConfig::INV as i32; 4]),
    reciprocal: Quad::new([RECIPROCAL; 4]),
    lift: Long::both(LIFT),
    lift_and_round: Long::both(LIFT + (1 << (BITS - 1))),
    lifted: Long::both(LIFTED),
};

/// Numbers that the compiler does not know: it would multiply by those that it knows in another way,
/// which takes an engine several instructions.
fn constants() -> &'static Constants {
    black_box(&CONSTANTS)
}

/// Largest sizes of a tight residue's limbs. All below the highest are at most half a unit of it,
/// so that one is at most p's and 1.
const TIGHT: [u128; LIMBS] = sizes(1 << (BITS - 1), P[LIMBS - 1].cast_unsigned() as u128 + 1);
/// Those of a loose one, which has no sign: 2⁸ times a value below p.
const LOOSE: [u128; LIMBS] =
    sizes((1 << BITS) - 1, (P[LIMBS - 1].cast_unsigned() as u128 + 1) << SHIFT);
/// Residues that are added to a sum that is reduced, or limbs of tight ones that are.
const ADDED: u128 = 8;
/// Limbs of tight residues that are a factor: of low + v·high of an element of 𝔽\_p¹² three, of two
/// such coefficients six, and of both halves.
const FACTOR: u128 = 12;
const _: () = assert!(FACTOR * TIGHT[0] < 1 << 31 && 2 * LOOSE[0] < 1 << 31);

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
}

const _: () = {
    fits(&columns(PRODUCTS, &TIGHT, &TIGHT));
    fits(&columns(PRODUCTS_OF_POINTS, &TIGHT, &TIGHT));
    fits(&columns(1, &LOOSE, &TIGHT));
};

/// Limbs of 2^shift times a value.
const fn split(words: &[u64; 6], shift: u32) -> [i32; LIMBS] {
    let mut limbs = [0; LIMBS];
    let mut place = 0;
    while place < LIMBS {
        limbs[place] = limb(words, BITS * place as u32, shift, BITS) as i32;
        place += 1;
    }
    limbs
}

const fn pairs(re: &[i32; LIMBS], im: &[i32; LIMBS]) -> [Quad; HALF] {
    let mut quads = [Quad::new([0; 4]); HALF];
    let mut at = 0;
    while at < HALF {
        quads[at] = Quad::new([re[at], im[at], re[HALF + at], im[HALF + at]]);
        at += 1;
    }
    quads
}

/// arkworks' form as it stands, times 2^shift.
const fn stored(re: &Fq, im: &Fq, shift: u32) -> Two {
    Two(pairs(&split(&re.0.0, shift), &split(&im.0.0, shift)))
}

const fn both(element: &Fq) -> Two {
    stored(element, element, 0)
}

/// The half with a value for each place.
macro_rules! halved {
    ($at:ident => $value:expr) => {
        halved!($at => $value, 0 1 2 3 4 5 6)
    };
    ($at:ident => $value:expr, $($place:literal)*) => {
        [$({ const $at: usize = $place; $value }),*]
    };
}

impl Two {
    pub(crate) const ZERO: Self = Self([Quad::new([0; 4]); HALF]);
    pub(crate) const ONE: Self = stored(&MontFp!("256"), &Fq::ZERO, 0);

    pub(crate) fn new(element: &Fq2) -> Self {
        stored(&element.c0, &element.c1, 0).scaled(&HERE)
    }

    /// For [`scaled`](Self::scaled): the same real number in place of both coefficients.
    pub(crate) fn both(element: &Fq) -> Self {
        both(element).scaled(&HERE)
    }

    /// Not tight, and cheap: up to 2⁸·p in size, limbs up to 2²⁸. For one product with a tight one.
    pub(crate) const fn loose(element: &Fq2) -> Self {
        stored(&element.c0, &element.c1, SHIFT)
    }

    pub(crate) fn element(&self) -> Fq2 {
        let Self(quads) = self.scaled(&BACK);
        let (mut re, mut im) = ([0; LIMBS], [0; LIMBS]);
        for (at, quad) in quads.into_iter().enumerate() {
            [re[at], im[at], re[HALF + at], im[HALF + at]] = quad.numbers();
        }
        Fq2::new(element(re), element(im))
    }

    #[inline(never)]
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(halved!(AT => self.0[AT].plus(other.0[AT])))
    }

    #[inline(never)]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(halved!(AT => self.0[AT].minus(other.0[AT])))
    }

    pub(crate) fn negated(&self) -> Self {
        Self::ZERO.minus(self)
    }

    pub(crate) fn conjugate(&self) -> Self {
        Self(halved!(AT => self.0[AT].conjugate()))
    }

    /// Times ξ = u + 1.
    #[inline(never)]
    pub(crate) fn times_xi(&self) -> Self {
        Self(halved!(AT => self.0[AT].plus(self.0[AT].conjugate().swapped())))
    }

    /// Sets columns to those of the product.
    #[inline(never)]
    pub(crate) fn times(&self, other: &Self, product: &mut Columns) {
        let mut im = Columns::ZERO;
        self.multiply(&other.conjugate(), product);
        self.multiply(&Self(halved!(AT => other.0[AT].swapped())), &mut im);
        for (column, im) in product.0.iter_mut().zip(&im.0) {
            *column = column.sums(*im);
        }
    }

    #[inline(never)]
    pub(crate) fn squared(&self, square: &mut Columns) {
        // (re + im)·(re − im) and 2·re·im.
        let sums = halved!(AT => self.0[AT].firsts().plus(self.0[AT].swapped()));
        let rest = halved!(AT => self.0[AT].minus(self.0[AT].seconds()));
        Self(sums).multiply(&Self(rest), square);
    }

    pub(crate) fn product(&self, other: &Self) -> Self {
        let mut product = Columns::ZERO;
        self.times(other, &mut product);
        product.reduced()
    }

    /// Each coefficient times that in its place.
    pub(crate) fn scaled(&self, by: &Self) -> Self {
        let mut product = Columns::ZERO;
        self.multiply(by, &mut product);
        product.reduced()
    }

    /// Sets columns to those of each coefficient times that in its place, by three products of
    /// halves (Karatsuba).
    #[inline(never)]
    fn multiply(&self, Self(b): &Self, Columns(product): &mut Columns) {
        let Self(a) = self;
        let (low, high) = (half_product(*a, *b, Quad::low), half_product(*a, *b, Quad::high));
        let [a, b] = [a, b].map(|quads| halved!(AT => quads[AT].plus(quads[AT].crossed())));
        let both = half_product(a, b, Quad::low);
        let middle = |at: usize| both[at].minus(low[at]).minus(high[at]);
        macro_rules! set {
            ($($place:literal)*) => {
                $(product[$place] = low[$place];
                product[HALF + $place] = low[HALF + $place].plus(middle($place));
                product[LIMBS + $place] = high[$place].plus(middle(HALF + $place));
                product[LIMBS + HALF + $place] = high[HALF + $place];)*
            };
        }
        set!(0 1 2 3 4 5 6);
    }

    pub(crate) fn inverse(&self) -> Option<Self> {
        let mut norm = Columns::ZERO;
        self.multiply(self, &mut norm);
        norm.0.iter_mut().for_each(|column| *column = column.sums(*column));
        let inverse = norm.reduced().element().c0.inverse()?;
        Some(self.conjugate().scaled(&Self::both(&inverse)))
    }
}

/// The element of a tight residue that is arkworks' form.
fn element(limbs: [i32; LIMBS]) -> Fq {
    let (mut words, mut carry) = ([0; 6], 0);
    // With p, it is above zero.
    for (place, (limb, p)) in (0..).zip(limbs.into_iter().zip(P)) {
        let sum = i64::from(limb) + i64::from(p) + carry;
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

/// Columns of products of halves, the last one zero.
#[inline(always)]
fn half_product(
    a: [Quad; HALF],
    b: [Quad; HALF],
    times: impl Fn(Quad, Quad) -> Long,
) -> [Long; LIMBS] {
    let (mut product, mut columns) = ([Long::ZERO; LIMBS], [Long::ZERO; HALF]);
    macro_rules! rows {
        ($($place:literal)*) => {
            $(let sums = halved!(AT => columns[AT].plus(times(a[$place], b[AT])));
            product[$place] = sums[0];
            columns = [sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], Long::ZERO];)*
            $(product[HALF + $place] = columns[$place];)*
        };
    }
    rows!(0 1 2 3 4 5 6);
    product
}

impl Columns {
    pub(crate) const ZERO: Self = Self([Long::ZERO; 2 * LIMBS]);

    /// This divided by R. Tight, for a value up to 2⁹·p² in size: that is p/4 · R.
    #[inline(never)]
    pub(crate) fn reduced(&self) -> Two {
        let constants = constants();
        carried(self.divided(constants), constants)
    }

    /// The same, and another element, whose coefficients may be sums of a few.
    #[inline(never)]
    pub(crate) fn reduced_plus(&self, Two(other): &Two) -> Two {
        const ONE: Quad = Quad::new([1; 4]);
        let constants = constants();
        let mut columns = self.divided(constants);
        for (at, quad) in other.iter().enumerate() {
            columns[at] = columns[at].plus(quad.low(ONE));
            columns[HALF + at] = columns[HALF + at].plus(quad.high(ONE));
        }
        // How often p is in it, by the highest bits: lower columns are some 2⁻¹¹ of a p. The value
        // is at most nine times p, so these bits are few.
        let carry = columns[LIMBS - 2].plus(constants.lift).down(BITS).minus(constants.lifted);
        let high = columns[LIMBS - 1].plus(carry).lowest().low(constants.reciprocal);
        let times = high.plus(Long::both(1 << 39)).down(32).lowest().down(40 - 32);
        for (at, p) in constants.p.iter().enumerate() {
            columns[at] = columns[at].minus(times.low(*p));
            columns[HALF + at] = columns[HALF + at].minus(times.high(*p));
        }
        carried(columns, constants)
    }

    /// Columns of this divided by R, and a multiple of p/R up to p/2 in size.
    #[inline(always)]
    fn divided(&self, constants: &Constants) -> [Long; LIMBS] {
        let Self(all) = self;
        let mut columns = halved!(AT => all[AT], 0 1 2 3 4 5 6 7 8 9 10 11 12 13);
        macro_rules! steps {
            ($($next:literal)*) => { $(columns = step(&columns, all[$next], constants);)* };
        }
        steps!(14 15 16 17 18 19 20 21 22 23 24 25 26 27);
        columns
    }

    #[inline(never)]
    pub(crate) fn add(&mut self, other: &Self) {
        let all = self.0.iter_mut().zip(&other.0);
        all.for_each(|(column, other)| *column = column.plus(*other));
    }

    #[inline(never)]
    pub(crate) fn subtract(&mut self, other: &Self) {
        let all = self.0.iter_mut().zip(&other.0);
        all.for_each(|(column, other)| *column = column.minus(*other));
    }

    #[inline(never)]
    pub(crate) fn double(&mut self) {
        self.0.iter_mut().for_each(|column| *column = column.plus(*column));
    }

    /// By functions of their own: a compiler that sees both makes a product of 64 bits of them, which
    /// takes an engine ten instructions.
    pub(crate) fn triple(&mut self) {
        let once = *self;
        self.double();
        self.add(&once);
    }

    /// Multiplies by ξ.
    #[inline(never)]
    pub(crate) fn turn(&mut self) {
        for column in &mut self.0 {
            *column = column.plus(column.swapped().first_negated());
        }
    }
}

/// Columns without the lowest one, which a multiple of p makes zero but for its carry.
#[inline(always)]
fn step(columns: &[Long; LIMBS], next: Long, constants: &Constants) -> [Long; LIMBS] {
    let low = columns[0];
    // The lowest 28 bits, as numbers with a sign.
    let q = low.lowest().lowest_product(constants.inverse, 32 - BITS);
    let times = |at: usize| match at.checked_sub(HALF) {
        None => q.low(constants.p[at]),
        Some(at) => q.high(constants.p[at]),
    };
    let carry = low.plus(constants.lift).plus(times(0)).down(BITS).minus(constants.lifted);
    macro_rules! sums {
        ($($place:literal)*) => {
            [columns[1].plus(times(1)).plus(carry), $(columns[$place].plus(times($place)),)* next]
        };
    }
    sums!(2 3 4 5 6 7 8 9 10 11 12 13)
}

/// Limbs from −2²⁷ to 2²⁷, but for the highest.
#[inline(always)]
fn carried(mut columns: [Long; LIMBS], constants: &Constants) -> Two {
    macro_rules! carry {
        ($($place:literal)*) => {
            $(let column = columns[$place - 1];
            let carry = column.plus(constants.lift_and_round).down(BITS).minus(constants.lifted);
            columns[$place - 1] = column.minus(carry.up(BITS));
            columns[$place] = columns[$place].plus(carry);)*
        };
    }
    carry!(1 2 3 4 5 6 7 8 9 10 11 12 13);
    Two(halved!(AT => columns[AT].joined(columns[HALF + AT])))
}
