//! The tower over 𝔽\_p², by products that are summed before they are reduced: over it v³ = ξ, over
//! that w² = v. Whoever has summed products up reduces them. They are written where they are added
//! up, since copies of hundreds of bytes cost as much as sums.

use ark_ff::{Field, Fp2, Fp2Config, Fp6, Fp6Config, Fp12, Fp12Config};

/// An element of 𝔽\_p²: [`quadratic_field!`](crate::quadratic_field) defines one.
pub trait Quadratic: Copy {
    /// arkworks' form of the extension.
    type Config: Fp2Config;
    /// Sums of products.
    type Sums: Sums<Element = Self>;

    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// From arkworks' form.
    fn new(element: &Fp2<Self::Config>) -> Self;

    /// In arkworks' form.
    fn element(&self) -> Fp2<Self::Config>;

    /// The sum, which is not reduced.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;

    /// The difference, which is not reduced.
    #[must_use]
    fn minus(&self, other: &Self) -> Self;

    /// The element with its sign changed.
    #[must_use]
    fn negated(&self) -> Self {
        Self::ZERO.minus(self)
    }

    /// re − im·u.
    #[must_use]
    fn conjugate(&self) -> Self;

    /// The element times ξ.
    #[must_use]
    fn times_xi(&self) -> Self;

    /// Sets sums to the product.
    fn times(&self, other: &Self, product: &mut Self::Sums);

    /// Sets sums to the square.
    fn squared(&self, square: &mut Self::Sums);

    /// The product, reduced.
    #[must_use]
    fn product(&self, other: &Self) -> Self {
        let mut product = Self::Sums::ZERO;
        self.times(other, &mut product);
        product.reduced()
    }

    /// Each coefficient times that in its place, reduced.
    #[must_use]
    fn scaled(&self, by: &Self) -> Self;

    /// What multiplies it to 1; `None` for 0.
    #[must_use]
    fn inverse(&self) -> Option<Self>;
}

/// Sums of products of elements of 𝔽\_p², not reduced.
pub trait Sums: Copy {
    /// What they are reduced to.
    type Element;

    /// Of no product.
    const ZERO: Self;

    /// The element.
    #[must_use]
    fn reduced(&self) -> Self::Element;

    /// The same, and another element, which may be a sum of a few.
    #[must_use]
    fn reduced_plus(&self, other: &Self::Element) -> Self::Element;

    /// Adds others.
    fn add(&mut self, other: &Self);

    /// Subtracts others.
    fn subtract(&mut self, other: &Self);

    /// Multiplies by 2.
    fn double(&mut self);

    /// Multiplies by 3, by functions that are not inlined: a compiler that sees both makes a product
    /// of 64 bits of them, which takes an engine ten instructions.
    fn triple(&mut self) {
        let once = *self;
        self.double();
        self.add(&once);
    }

    /// Multiplies by ξ.
    fn turn(&mut self);
}

/// c0 + c1·v + c2·v².
#[derive(Clone, Copy, Debug)]
pub struct Six<T>([T; 3]);

/// low + high·w.
#[derive(Clone, Copy, Debug)]
pub struct Twelve<T> {
    low: Six<T>,
    high: Six<T>,
}

impl<T: Quadratic> Six<T> {
    const ZERO: Self = Self([T::ZERO; 3]);

    fn new<P: Fp6Config<Fp2Config = T::Config>>(element: &Fp6<P>) -> Self {
        Self([&element.c0, &element.c1, &element.c2].map(T::new))
    }

    fn element<P: Fp6Config<Fp2Config = T::Config>>(&self) -> Fp6<P> {
        let [c0, c1, c2] = self.0.each_ref().map(T::element);
        Fp6::new(c0, c1, c2)
    }

    #[inline(never)]
    fn plus(&self, other: &Self) -> Self {
        let (Self([a0, a1, a2]), Self([b0, b1, b2])) = (self, other);
        Self([a0.plus(b0), a1.plus(b1), a2.plus(b2)])
    }

    #[inline(never)]
    fn negated(&self) -> Self {
        Self(self.0.each_ref().map(T::negated))
    }

    #[inline(never)]
    fn times_v(&self) -> Self {
        let Self([c0, c1, c2]) = self;
        Self([c2.times_xi(), *c0, *c1])
    }

    /// Sets columns to those of the product, by six products (Karatsuba).
    #[inline(never)]
    fn times(&self, other: &Self, Six([c0, c1, c2]): &mut Six<T::Sums>) {
        let (Self([a0, a1, a2]), Self([b0, b1, b2])) = (self, other);
        let (mut v0, mut v1, mut v2) = (T::Sums::ZERO, T::Sums::ZERO, T::Sums::ZERO);
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

    /// Sets columns to those of the square (Chung, Hasan, "Asymmetric squaring formulae", SQR2).
    #[inline(never)]
    fn squared(&self, Six([c0, c1, c2]): &mut Six<T::Sums>) {
        let Self([a0, a1, a2]) = self;
        let (mut s0, mut s3, mut s4) = (T::Sums::ZERO, T::Sums::ZERO, T::Sums::ZERO);
        a0.squared(&mut s0);
        a0.times(a1, c1);
        c1.double();
        a0.minus(a1).plus(a2).squared(c2);
        a1.times(a2, &mut s3);
        s3.double();
        a2.squared(&mut s4);
        // 2·a0·a2 + a1².
        c2.add(c1);
        c2.add(&s3);
        c2.subtract(&s0);
        c2.subtract(&s4);
        s4.turn();
        c1.add(&s4);
        s3.turn();
        *c0 = s0;
        c0.add(&s3);
    }

    /// Sets columns to those of the product with b0 + b1·v, by five products.
    #[inline(never)]
    fn times_01(&self, b0: &T, b1: &T, Six([c0, c1, c2]): &mut Six<T::Sums>) {
        let Self([a0, a1, a2]) = self;
        let mut other = T::Sums::ZERO;
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
            (T::Sums::ZERO, T::Sums::ZERO, T::Sums::ZERO, T::Sums::ZERO);
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
fn cross<T: Quadratic>(
    [a0, a1]: [&T; 2],
    [b0, b1]: [&T; 2],
    products: [&T::Sums; 2],
    result: &mut T::Sums,
) {
    a0.plus(a1).times(&b0.plus(b1), result);
    for product in products {
        result.subtract(product);
    }
}

impl<S: Sums> Six<S> {
    const COLUMNS: Self = Self([S::ZERO; 3]);

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

    #[inline(never)]
    fn reduced(&self) -> Six<S::Element> {
        let Self([c0, c1, c2]) = self;
        Six([c0.reduced(), c1.reduced(), c2.reduced()])
    }
}

impl<T: Quadratic> Twelve<T> {
    /// 1.
    pub const ONE: Self = Self { low: Six([T::ONE, T::ZERO, T::ZERO]), high: Six::ZERO };

    /// From arkworks' form.
    pub fn new<P: Fp12Config<Fp6Config: Fp6Config<Fp2Config = T::Config>>>(
        element: &Fp12<P>,
    ) -> Self {
        Self { low: Six::new(&element.c0), high: Six::new(&element.c1) }
    }

    /// In arkworks' form.
    pub fn element<P: Fp12Config<Fp6Config: Fp6Config<Fp2Config = T::Config>>>(&self) -> Fp12<P> {
        Fp12::new(self.low.element(), self.high.element())
    }

    /// The product.
    #[inline(never)]
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let (mut low, mut high, mut middle) = (Six::COLUMNS, Six::COLUMNS, Six::COLUMNS);
        self.low.times(&other.low, &mut low);
        self.high.times(&other.high, &mut high);
        let sum = self.low.plus(&self.high);
        sum.times(&other.low.plus(&other.high), &mut middle);
        Self::joined(&mut low, &high, &mut middle)
    }

    /// From the products of low parts, of high parts, and of sums of both.
    fn joined(low: &mut Six<T::Sums>, high: &Six<T::Sums>, middle: &mut Six<T::Sums>) -> Self {
        middle.subtract(low);
        middle.subtract(high);
        low.add_turned(high);
        Self { low: low.reduced(), high: middle.reduced() }
    }

    /// Squares.
    #[inline(never)]
    pub fn square(&mut self) {
        // low² + v·high² and 2·low·high.
        let (mut low, mut high, mut product) = (Six::COLUMNS, Six::COLUMNS, Six::COLUMNS);
        self.low.squared(&mut low);
        self.high.squared(&mut high);
        low.add_turned(&high);
        self.low.times(&self.high, &mut product);
        for coefficient in &mut product.0 {
            coefficient.double();
        }
        *self = Self { low: low.reduced(), high: product.reduced() };
    }

    /// Multiplies by c0 + c1·v + v·w.
    #[inline(never)]
    pub fn multiply_by_unit_line(&mut self, c0: &T, c1: &T) {
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
    pub fn multiply_by_line(&mut self, c0: &T, c1: &T, c2: &T) {
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

    /// Multiplies by c0 + (c1 + c2·v)·w.
    #[inline(never)]
    pub fn multiply_by_other_line(&mut self, c0: &T, c1: &T, c2: &T) {
        let (mut low, mut high, mut middle) = (Six::COLUMNS, Six::COLUMNS, Six::COLUMNS);
        let (Six([a0, a1, a2]), Six([d0, d1, d2])) = (&self.low, &mut low);
        a0.times(c0, d0);
        a1.times(c0, d1);
        a2.times(c0, d2);
        self.high.times_01(c1, c2, &mut high);
        self.low.plus(&self.high).times_01(&c0.plus(c1), c2, &mut middle);
        *self = Self::joined(&mut low, &high, &mut middle);
    }

    /// The conjugate over 𝔽\_p⁶: the inverse, in the cyclotomic subgroup.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        Self { low: self.low, high: self.high.negated() }
    }

    /// What multiplies it to 1; `None` for 0.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
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
    pub fn cyclotomic_square(&mut self) {
        let (Six([z0, z4, z3]), Six([z2, z1, z5])) = (&self.low, &self.high);
        let ((t0, t1), (t2, t3), (t4, mut t5)) =
            (thrice_squared(z0, z1), thrice_squared(z2, z3), thrice_squared(z4, z5));
        t5.turn();
        let less = |square: &T::Sums, z: &T| square.reduced_plus(&z.plus(z).negated());
        let more = |square: &T::Sums, z: &T| square.reduced_plus(&z.plus(z));
        *self = Self {
            low: Six([less(&t0, z0), less(&t2, z4), less(&t4, z3)]),
            high: Six([more(&t5, z2), more(&t1, z1), more(&t3, z5)]),
        };
    }

    /// To the power of p^`power`.
    #[inline(never)]
    #[must_use]
    pub fn frobenius<P: Fp12Config<Fp6Config: Fp6Config<Fp2Config = T::Config>>>(
        &self,
        power: usize,
    ) -> Self {
        let map = |element: &T, factor: &Fp2<T::Config>| {
            let image = if power % 2 == 1 { element.conjugate() } else { *element };
            image.product(&T::new(factor))
        };
        let six = |Six([c0, c1, c2]): &Six<T>, by: &Fp2<T::Config>| {
            let factor = |all: &[Fp2<T::Config>]| all.get(power).copied().unwrap_or_default() * by;
            Six([
                map(c0, by),
                map(c1, &factor(P::Fp6Config::FROBENIUS_COEFF_FP6_C1)),
                map(c2, &factor(P::Fp6Config::FROBENIUS_COEFF_FP6_C2)),
            ])
        };
        let by = P::FROBENIUS_COEFF_FP12_C1.get(power).copied().unwrap_or_default();
        Self { low: six(&self.low, &Field::ONE), high: six(&self.high, &by) }
    }
}

/// Columns of 3·(a² + ξ·b²) and 3·2·a·b, which are three times the square of a + b·√ξ.
#[inline(never)]
fn thrice_squared<T: Quadratic>(a: &T, b: &T) -> (T::Sums, T::Sums) {
    let (mut low, mut high, mut other) = (T::Sums::ZERO, T::Sums::ZERO, T::Sums::ZERO);
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
