//! The tower over the base field in the forms of [`lazy`](crate::lazy): 𝔽\_p(u), u² = −1; over it
//! v³ = ξ = u + 1; over that w² = v. Products are in columns: whoever has summed them up reduces
//! them. They are written where they are added up, since copies of hundreds of bytes cost as much
//! as sums.

use ark_ff::{Field, Fp6Config, Fp12Config};

use crate::field::{Fq2, Fq6, Fq6Config, Fq12, Fq12Config};
use crate::lazy::{Columns, Two};

/// c0 + c1·v + c2·v².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Six<T>([T; 3]);

/// low + high·w.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twelve {
    low: Six<Two>,
    high: Six<Two>,
}

impl Six<Two> {
    const ZERO: Self = Self([Two::ZERO; 3]);

    fn new(element: &Fq6) -> Self {
        Self([&element.c0, &element.c1, &element.c2].map(Two::new))
    }

    fn element(&self) -> Fq6 {
        let [c0, c1, c2] = self.0.each_ref().map(Two::element);
        Fq6::new(c0, c1, c2)
    }

    #[inline(never)]
    fn plus(&self, other: &Self) -> Self {
        let (Self([a0, a1, a2]), Self([b0, b1, b2])) = (self, other);
        Self([a0.plus(b0), a1.plus(b1), a2.plus(b2)])
    }

    #[inline(never)]
    fn negated(&self) -> Self {
        Self(self.0.each_ref().map(Two::negated))
    }

    #[inline(never)]
    fn times_v(&self) -> Self {
        let Self([c0, c1, c2]) = self;
        Self([c2.times_xi(), *c0, *c1])
    }

    /// Sets columns to those of the product, by six products (Karatsuba).
    #[inline(never)]
    fn times(&self, other: &Self, Six([c0, c1, c2]): &mut Six<Columns>) {
        let (Self([a0, a1, a2]), Self([b0, b1, b2])) = (self, other);
        let (mut v0, mut v1, mut v2) = (Columns::ZERO, Columns::ZERO, Columns::ZERO);
        a0.times(b0, &mut v0);
        a1.times(b1, &mut v1);
        a2.times(b2, &mut v2);
        cross([a1, a2], [b1, b2], [&v1, &v2], c0);
        c0.turn();
        c0.add(&v0);
        cross([a0, a2], [b0, b2], [&v0, &v2], c2);
        c2.add(&v1);
        cross([a0, a1], [b0, b1], [&v0, &v1], c1);
        v2.turn();
        c1.add(&v2);
    }

    /// Sets columns to those of the product with b0 + b1·v, by five products.
    #[inline(never)]
    fn times_01(&self, b0: &Two, b1: &Two, Six([c0, c1, c2]): &mut Six<Columns>) {
        let Self([a0, a1, a2]) = self;
        let mut other = Columns::ZERO;
        a2.times(b1, c0);
        c0.turn();
        a0.times(b0, &mut other);
        a1.times(b1, c2);
        cross([a0, a1], [b0, b1], [&other, c2], c1);
        c0.add(&other);
        a2.times(b0, &mut other);
        c2.add(&other);
    }

    fn product(&self, other: &Self) -> Self {
        let mut product = Six::COLUMNS;
        self.times(other, &mut product);
        product.reduced()
    }

    fn inverse(&self) -> Option<Self> {
        let Self([a0, a1, a2]) = self;
        let (mut s0, mut s1, mut s2, mut other) =
            (Columns::ZERO, Columns::ZERO, Columns::ZERO, Columns::ZERO);
        // a0² − ξ·a1·a2, ξ·a2² − a0·a1, a1² − a0·a2.
        a0.squared(&mut s0);
        a1.times(a2, &mut other);
        other.turn();
        s0.subtract(&other);
        a2.squared(&mut s1);
        s1.turn();
        a0.times(a1, &mut other);
        s1.subtract(&other);
        a1.squared(&mut s2);
        a0.times(a2, &mut other);
        s2.subtract(&other);
        let all = [s0.reduced(), s1.reduced(), s2.reduced()];
        let [t0, t1, t2] = &all;
        // a0·t0 + ξ·(a2·t1 + a1·t2).
        a2.times(t1, &mut s0);
        a1.times(t2, &mut other);
        s0.add(&other);
        s0.turn();
        a0.times(t0, &mut other);
        s0.add(&other);
        let inverse = s0.reduced().inverse()?;
        Some(Self(all.map(|t| t.product(&inverse))))
    }
}

/// Sets columns to those of a0·b1 + a1·b0, given a0·b0 and a1·b1.
#[inline(never)]
fn cross([a0, a1]: [&Two; 2], [b0, b1]: [&Two; 2], products: [&Columns; 2], result: &mut Columns) {
    a0.plus(a1).times(&b0.plus(b1), result);
    for product in products {
        result.subtract(product);
    }
}

impl Six<Columns> {
    const COLUMNS: Self = Self([Columns::ZERO; 3]);

    fn subtract(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| one.subtract(other));
    }

    /// Adds v times the other.
    fn add_turned(&mut self, Self([d0, d1, d2]): &Self) {
        let Self([c0, c1, c2]) = self;
        let mut turned = *d2;
        turned.turn();
        c0.add(&turned);
        c1.add(d0);
        c2.add(d1);
    }

    /// Subtracts v times the other.
    fn subtract_turned(&mut self, Self([d0, d1, d2]): &Self) {
        let Self([c0, c1, c2]) = self;
        let mut turned = *d2;
        turned.turn();
        c0.subtract(&turned);
        c1.subtract(d0);
        c2.subtract(d1);
    }

    #[inline(never)]
    fn reduced(&self) -> Six<Two> {
        let Self([c0, c1, c2]) = self;
        Six([c0.reduced(), c1.reduced(), c2.reduced()])
    }
}

impl Twelve {
    pub(crate) const ONE: Self =
        Self { low: Six([Two::ONE, Two::ZERO, Two::ZERO]), high: Six::<Two>::ZERO };

    pub(crate) fn new(element: &Fq12) -> Self {
        Self { low: Six::new(&element.c0), high: Six::new(&element.c1) }
    }

    pub(crate) fn element(&self) -> Fq12 {
        Fq12::new(self.low.element(), self.high.element())
    }

    #[inline(never)]
    pub(crate) fn times(&self, other: &Self) -> Self {
        let (mut low, mut high, mut middle) = (Six::COLUMNS, Six::COLUMNS, Six::COLUMNS);
        self.low.times(&other.low, &mut low);
        self.high.times(&other.high, &mut high);
        let sum = self.low.plus(&self.high);
        sum.times(&other.low.plus(&other.high), &mut middle);
        Self::joined(&mut low, &high, &mut middle)
    }

    /// From the products of low parts, of high parts, and of sums of both.
    fn joined(low: &mut Six<Columns>, high: &Six<Columns>, middle: &mut Six<Columns>) -> Self {
        middle.subtract(low);
        middle.subtract(high);
        low.add_turned(high);
        Self { low: low.reduced(), high: middle.reduced() }
    }

    #[inline(never)]
    pub(crate) fn square(&mut self) {
        let (mut product, mut square) = (Six::COLUMNS, Six::COLUMNS);
        // (low + high)·(low + v·high) = low² + v·high² + low·high + v·low·high.
        self.low.plus(&self.high).times(&self.low.plus(&self.high.times_v()), &mut square);
        self.low.times(&self.high, &mut product);
        square.subtract(&product);
        square.subtract_turned(&product);
        for coefficient in &mut product.0 {
            coefficient.double();
        }
        *self = Self { low: square.reduced(), high: product.reduced() };
    }

    /// Multiplies by c0 + c1·v + v·w.
    #[inline(never)]
    pub(crate) fn multiply_by_unit_line(&mut self, c0: &Two, c1: &Two) {
        let (Six([a0, a1, a2]), Six([b0, b1, b2])) = (&self.low, &self.high);
        let mut columns = Six::COLUMNS;
        self.low.times_01(c0, c1, &mut columns);
        let Six([d0, d1, d2]) = &columns;
        let low = Six([
            d0.reduced_plus(&b1.times_xi()),
            d1.reduced_plus(&b2.times_xi()),
            d2.reduced_plus(b0),
        ]);
        self.high.times_01(c0, c1, &mut columns);
        let Six([d0, d1, d2]) = &columns;
        self.high =
            Six([d0.reduced_plus(&a2.times_xi()), d1.reduced_plus(a0), d2.reduced_plus(a1)]);
        self.low = low;
    }

    /// Multiplies by c0 + c1·v + c2·v·w.
    #[inline(never)]
    pub(crate) fn multiply_by_line(&mut self, c0: &Two, c1: &Two, c2: &Two) {
        let (mut low, mut high, mut middle) = (Six::COLUMNS, Six::COLUMNS, Six::COLUMNS);
        self.low.times_01(c0, c1, &mut low);
        let (Six([b0, b1, b2]), Six([d0, d1, d2])) = (&self.high, &mut high);
        b2.times(c2, d0);
        d0.turn();
        b0.times(c2, d1);
        b1.times(c2, d2);
        self.low.plus(&self.high).times_01(c0, &c1.plus(c2), &mut middle);
        *self = Self::joined(&mut low, &high, &mut middle);
    }

    /// The conjugate over 𝔽\_p⁶: the inverse, in the cyclotomic subgroup.
    pub(crate) fn conjugate(&self) -> Self {
        Self { low: self.low, high: self.high.negated() }
    }

    pub(crate) fn inverse(&self) -> Option<Self> {
        let (mut norm, mut other) = (Six::COLUMNS, Six::COLUMNS);
        self.low.times(&self.low, &mut norm);
        self.high.times(&self.high.times_v(), &mut other);
        norm.subtract(&other);
        let inverse = norm.reduced().inverse()?;
        Some(Self { low: self.low.product(&inverse), high: self.high.negated().product(&inverse) })
    }

    /// Squares, in the cyclotomic subgroup (Granger, Scott, "Faster squaring in the cyclotomic
    /// subgroup of sixth degree extensions", §3.2).
    #[inline(never)]
    pub(crate) fn cyclotomic_square(&mut self) {
        let (Six([z0, z4, z3]), Six([z2, z1, z5])) = (&self.low, &self.high);
        let ((t0, t1), (t2, t3), (t4, mut t5)) =
            (thrice_squared(z0, z1), thrice_squared(z2, z3), thrice_squared(z4, z5));
        t5.turn();
        let less = |square: &Columns, z: &Two| square.reduced_plus(&z.plus(z).negated());
        let more = |square: &Columns, z: &Two| square.reduced_plus(&z.plus(z));
        *self = Self {
            low: Six([less(&t0, z0), less(&t2, z4), less(&t4, z3)]),
            high: Six([more(&t5, z2), more(&t1, z1), more(&t3, z5)]),
        };
    }

    /// To the power of p^`power`.
    #[inline(never)]
    pub(crate) fn frobenius(&self, power: usize) -> Self {
        let map = |element: &Two, factor: &Fq2| {
            let image = if power % 2 == 1 { element.conjugate() } else { *element };
            image.product(&Two::new(factor))
        };
        let six = |Six([c0, c1, c2]): &Six<Two>, by: &Fq2| {
            let factor = |all: &[Fq2]| all.get(power).copied().unwrap_or_default() * by;
            Six([
                map(c0, by),
                map(c1, &factor(Fq6Config::FROBENIUS_COEFF_FP6_C1)),
                map(c2, &factor(Fq6Config::FROBENIUS_COEFF_FP6_C2)),
            ])
        };
        let by = Fq12Config::FROBENIUS_COEFF_FP12_C1.get(power).copied().unwrap_or_default();
        Self { low: six(&self.low, &Field::ONE), high: six(&self.high, &by) }
    }
}

/// Columns of 3·(a² + ξ·b²) and 3·2·a·b, which are three times the square of a + b·√ξ.
#[inline(never)]
fn thrice_squared(a: &Two, b: &Two) -> (Columns, Columns) {
    let (mut low, mut high, mut other) = (Columns::ZERO, Columns::ZERO, Columns::ZERO);
    a.squared(&mut low);
    b.squared(&mut other);
    a.plus(b).squared(&mut high);
    high.subtract(&low);
    high.subtract(&other);
    other.turn();
    low.add(&other);
    low.triple();
    high.triple();
    (low, high)
}
