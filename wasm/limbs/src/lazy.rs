//! 𝔽\_p(u), u² = −1, for products that are summed before they are reduced.

/// Defines such a form of the extension of a field that [`base_field!`](crate::base_field) defines:
/// `Two` and `Columns`.
///
/// A reduction costs as much as the product before it. So here products stay in columns, which are
/// added, and each coefficient of a result is reduced once, however many products it is the sum of.
/// Residues are only near zero, in signed limbs: they are added without a carry. Both coefficients
/// of an element go the same way in one register, so that an instruction makes two products of limbs
/// ([`lanes`](crate::lanes)).
///
/// Residues are in Montgomery form for R = 2^(L·bits), arkworks' for 2^(64·W). A *tight* one is at
/// most p in size, its limbs half a unit of the next.
///
/// * `limbs` are all places of limbs, an even number of them, `half` those of the lower half, `above`
///   the places of as many columns above the limbs.
/// * `xi`: the tower goes on over ξ = u + xi, 1 or 9.
/// * `products` of tight residues are in a sum that is reduced, at most. Two are in a coefficient of
///   a product or a square of elements; a factor ξ makes xi + 1 times as many.
/// * `factor` tight residues are added to be one factor, at most, both halves of it counted.
///
/// That sums fit in their limbs and columns, and that what is reduced is tight, is checked when it is
/// compiled.
#[macro_export]
macro_rules! quadratic_field {
    (
        $extension:ty, over $fq:ty, $config:ty, words $words:literal, bits $bits:literal,
        limbs [0 1 $($limb:literal)*], half [0 $($half:literal)*], above [$($above:literal)*],
        xi $xi:literal, products $products:literal, factor $factor:literal
    ) => {
        use core::hint::black_box;

        use $crate::ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, MontConfig};
        use $crate::lanes::{Long, Quad};
        use $crate::tower::{Quadratic, Sums};
        use $crate::{limb, part};

        type Fq = $fq;
        type Fq2 = $crate::ark_ff::Fp2<$extension>;
        type Limbs = [i32; LIMBS];

        const LIMBS: usize = 2 * HALF;
        const HALF: usize = [0 $(, $half)*].len();
        const BITS: u32 = $bits;

        /// re + im·u. A residue is the sum of limb · 2^(bits·place); quad k has the limbs of re and
        /// im at place k, and those at place k of the upper half.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Two([Quad; HALF]);

        /// Sums of products of residues, those of re and of im: a column for each place, the last one
        /// zero. Parts of a sum may exceed 64 bits and wrap around, the whole does not.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Columns([Long; 2 * LIMBS]);

        const P: Limbs = split(&<$config>::MODULUS.0, 0);
        const HIGHEST: i32 = P[LIMBS - 1];
        /// What multiplies arkworks' form where no product does: 2^SHIFT.
        const SHIFT: u32 = LIMBS as u32 * BITS - 64 * $words;
        /// A product with it leads from arkworks' form to this one,
        const HERE: Two = both(&power_of_two(2 * SHIFT));
        /// and with this one back.
        const BACK: Two = both(&Fq::ONE);
        /// 2⁴⁰ by p's highest limb.
        const RECIPROCAL: i32 = ((1 << 40) / HIGHEST as i64) as i32;
        /// Makes a number of 64 bits one without a sign, and what that adds to it when it is shifted.
        const LIFT: i64 = i64::MIN;
        const LIFTED: i64 = 1 << (63 - BITS);

        /// What a reduction multiplies and adds.
        struct Constants {
            p: [Quad; HALF],
            /// −1/p modulo 2^bits: arkworks' is the same modulo 2⁶⁴.
            inverse: Quad,
            reciprocal: Quad,
            lift: Long,
            lift_and_round: Long,
            lifted: Long,
        }

        static CONSTANTS: Constants = Constants {
            p: pairs(&P, &P),
            inverse: Quad::new([<$config>::INV as i32; 4]),
            reciprocal: Quad::new([RECIPROCAL; 4]),
            lift: Long::both(LIFT),
            lift_and_round: Long::both(LIFT + (1 << (BITS - 1))),
            lifted: Long::both(LIFTED),
        };

        /// Numbers that the compiler does not know: it would multiply by those that it knows in
        /// another way, which takes an engine several instructions.
        fn constants() -> &'static Constants {
            black_box(&CONSTANTS)
        }

        /// Largest sizes of a tight residue's limbs. All below the highest are at most half a unit of
        /// it, so that one is at most p's and 1.
        const TIGHT: [u128; LIMBS] = sizes(1 << (BITS - 1), HIGHEST as u128 + 1);
        /// Those of a loose one, which has no sign: 2^SHIFT times a value below p.
        const LOOSE: [u128; LIMBS] = sizes((1 << BITS) - 1, (HIGHEST as u128 + 1) << SHIFT);
        /// Residues that are added to a sum that is reduced.
        const ADDED: u128 = 12;

        const fn sizes(lower: u128, highest: u128) -> [u128; LIMBS] {
            let mut sizes = [lower; LIMBS];
            sizes[LIMBS - 1] = highest;
            sizes
        }

        /// No column leaves 63 bits while products of such limbs are divided by R, nor does anything
        /// that is made of one: column c of a product is the sum over a + b = c, each step adds
        /// |q| ≤ 2^(bits − 1) times p's limbs, and each column on the left a carry to the next.
        const fn fits(count: u128, left: &[u128; LIMBS], right: &[u128; LIMBS]) {
            let mut columns = [0; 2 * LIMBS];
            let mut a = 0;
            while a < LIMBS {
                let mut b = 0;
                while b < LIMBS {
                    columns[a + b] += count * left[a] * right[b];
                    columns[a + b] += (P[b] as u128) << (BITS - 1);
                    b += 1;
                }
                a += 1;
            }
            let mut at = 0;
            while at < 2 * LIMBS {
                if at < LIMBS {
                    columns[at + 1] += (columns[at] >> BITS) + 1;
                }
                // With a limb of what is added, and the carry to round by.
                assert!(columns[at] + (ADDED << BITS) + (1 << BITS) < 1 << 63);
                at += 1;
            }
        }

        const _: () = {
            assert!(SHIFT < BITS && LIMBS == [0, 1 $(, $limb)*].len());
            fits($products, &TIGHT, &TIGHT);
            fits(1, &LOOSE, &TIGHT);
            // A value up to p/4 · R is tight after it was divided by R: p/2 is added at most.
            assert!(4 * $products * (HIGHEST as u128 + 1) <= 1 << BITS);
            assert!(4 * (1 << SHIFT) * (HIGHEST as u128 + 1) <= 1 << BITS);
            assert!($factor * TIGHT[0] < 1 << 31 && 2 * LOOSE[0] < 1 << 31);
        };

        /// Limbs of 2^shift times a value.
        const fn split(words: &[u64; $words], shift: u32) -> Limbs {
            let mut limbs = [0; LIMBS];
            let mut place = 0;
            while place < LIMBS {
                limbs[place] = limb(words, BITS * place as u32, shift, BITS) as i32;
                place += 1;
            }
            limbs
        }

        const fn pairs(re: &Limbs, im: &Limbs) -> [Quad; HALF] {
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

        const fn power_of_two(bits: u32) -> Fq {
            let mut words = [0; $words];
            words[0] = 1 << bits;
            Fq::new(BigInt(words))
        }

        /// The half with a value for each place.
        macro_rules! halved {
            ($at:ident => $value:expr) => {
                [
                    { const $at: usize = 0; $value },
                    $({ const $at: usize = $half; $value }),*
                ]
            };
        }

        impl Two {
            /// For [`scaled`](Quadratic::scaled): the same real number in place of both coefficients.
            pub(crate) fn both(element: &Fq) -> Self {
                both(element).scaled(&HERE)
            }

            /// Not tight, and cheap: up to 2^SHIFT·p in size. For one product with a tight one.
            pub(crate) const fn loose(element: &Fq2) -> Self {
                stored(&element.c0, &element.c1, SHIFT)
            }

            /// Sets columns to those of each coefficient times that in its place, by three products
            /// of halves (Karatsuba).
            #[inline(never)]
            fn multiply(&self, Self(b): &Self, Columns(product): &mut Columns) {
                let Self(a) = self;
                let low = half_product(*a, *b, Quad::low);
                let high = half_product(*a, *b, Quad::high);
                let [a, b] = [a, b].map(|quads| halved!(AT => quads[AT].plus(quads[AT].crossed())));
                let both = half_product(a, b, Quad::low);
                let middle = |at: usize| both[at].minus(low[at]).minus(high[at]);
                let _ = halved!(AT => {
                    product[AT] = low[AT];
                    product[HALF + AT] = low[HALF + AT].plus(middle(AT));
                    product[LIMBS + AT] = high[AT].plus(middle(HALF + AT));
                    product[LIMBS + HALF + AT] = high[HALF + AT];
                });
            }

            /// The same value, tight, of one that is a few times as large.
            #[inline(never)]
            fn tight(&self) -> Self {
                let constants = constants();
                settled(self.plus_columns([Long::ZERO; LIMBS]), constants)
            }

            #[inline(always)]
            fn plus_columns(&self, mut columns: [Long; LIMBS]) -> [Long; LIMBS] {
                const ONE: Quad = Quad::new([1; 4]);
                let _ = halved!(AT => {
                    columns[AT] = columns[AT].plus(self.0[AT].low(ONE));
                    columns[HALF + AT] = columns[HALF + AT].plus(self.0[AT].high(ONE));
                });
                columns
            }
        }

        impl Quadratic for Two {
            type Config = $extension;
            type Sums = Columns;

            const ZERO: Self = Self([Quad::new([0; 4]); HALF]);
            const ONE: Self = stored(&power_of_two(SHIFT), &Fq::ZERO, 0);

            fn new(element: &Fq2) -> Self {
                stored(&element.c0, &element.c1, 0).scaled(&HERE)
            }

            fn element(&self) -> Fq2 {
                let Self(quads) = self.scaled(&BACK);
                let (mut re, mut im) = ([0; LIMBS], [0; LIMBS]);
                for (at, quad) in quads.into_iter().enumerate() {
                    [re[at], im[at], re[HALF + at], im[HALF + at]] = quad.numbers();
                }
                Fq2::new(element(re), element(im))
            }

            #[inline(never)]
            fn plus(&self, other: &Self) -> Self {
                Self(halved!(AT => self.0[AT].plus(other.0[AT])))
            }

            #[inline(never)]
            fn minus(&self, other: &Self) -> Self {
                Self(halved!(AT => self.0[AT].minus(other.0[AT])))
            }

            fn conjugate(&self) -> Self {
                Self(halved!(AT => self.0[AT].conjugate()))
            }

            #[inline(never)]
            fn times_xi(&self) -> Self {
                let times_u = |quad: Quad| quad.conjugate().swapped();
                if $xi == 1 {
                    return Self(halved!(AT => self.0[AT].plus(times_u(self.0[AT]))));
                }
                Self(halved!(AT => {
                    let twice = self.0[AT].plus(self.0[AT]);
                    let four = twice.plus(twice);
                    four.plus(four).plus(self.0[AT]).plus(times_u(self.0[AT]))
                }))
                .tight()
            }

            #[inline(never)]
            fn times(&self, other: &Self, product: &mut Columns) {
                let mut im = Columns::ZERO;
                self.multiply(&other.conjugate(), product);
                self.multiply(&Self(halved!(AT => other.0[AT].swapped())), &mut im);
                for (column, im) in product.0.iter_mut().zip(&im.0) {
                    *column = column.sums(*im);
                }
            }

            #[inline(never)]
            fn squared(&self, square: &mut Columns) {
                // (re + im)·(re − im) and 2·re·im.
                let sums = halved!(AT => self.0[AT].firsts().plus(self.0[AT].swapped()));
                let rest = halved!(AT => self.0[AT].minus(self.0[AT].seconds()));
                Self(sums).multiply(&Self(rest), square);
            }

            fn scaled(&self, by: &Self) -> Self {
                let mut product = Columns::ZERO;
                self.multiply(by, &mut product);
                product.reduced()
            }

            fn inverse(&self) -> Option<Self> {
                let mut norm = Columns::ZERO;
                self.multiply(self, &mut norm);
                norm.0.iter_mut().for_each(|column| *column = column.sums(*column));
                let inverse = norm.reduced().element().c0.inverse()?;
                Some(self.conjugate().scaled(&Self::both(&inverse)))
            }
        }

        /// The element of a tight residue that is arkworks' form.
        fn element(limbs: Limbs) -> Fq {
            let (mut words, mut carry) = ([0; $words], 0);
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
            if value >= <$config>::MODULUS {
                value.sub_with_borrow(&<$config>::MODULUS);
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
            let mut row = |at: usize| {
                let sums = halved!(AT => columns[AT].plus(times(a[at], b[AT])));
                product[at] = sums[0];
                columns = [$(sums[$half],)* Long::ZERO];
            };
            row(0);
            $(row($half);)*
            let _ = halved!(AT => product[HALF + AT] = columns[AT]);
            product
        }

        impl Sums for Columns {
            type Element = Two;

            const ZERO: Self = Self([Long::ZERO; 2 * LIMBS]);

            #[inline(never)]
            fn reduced(&self) -> Two {
                let constants = constants();
                carried(self.divided(constants), constants)
            }

            #[inline(never)]
            fn reduced_plus(&self, other: &Two) -> Two {
                let constants = constants();
                settled(other.plus_columns(self.divided(constants)), constants)
            }

            #[inline(never)]
            fn add(&mut self, other: &Self) {
                let all = self.0.iter_mut().zip(&other.0);
                all.for_each(|(column, other)| *column = column.plus(*other));
            }

            #[inline(never)]
            fn subtract(&mut self, other: &Self) {
                let all = self.0.iter_mut().zip(&other.0);
                all.for_each(|(column, other)| *column = column.minus(*other));
            }

            #[inline(never)]
            fn double(&mut self) {
                self.0.iter_mut().for_each(|column| *column = column.plus(*column));
            }

            #[inline(never)]
            fn turn(&mut self) {
                // A shift by a number that the compiler knows, and a sum, would become a product of
                // 64 bits, which takes an engine ten instructions.
                let bits = if $xi == 1 { 0 } else { black_box(3) };
                for column in &mut self.0 {
                    let times_u = column.swapped().first_negated();
                    let times_eight = if $xi == 1 { Long::ZERO } else { column.up(bits) };
                    *column = times_eight.plus(*column).plus(times_u);
                }
            }
        }

        impl Columns {
            /// Columns of this divided by R, and a multiple of p/R up to p/2 in size.
            #[inline(always)]
            fn divided(&self, constants: &Constants) -> [Long; LIMBS] {
                let Self(all) = self;
                let mut columns = [all[0], all[1] $(, all[$limb])*];
                $(columns = step(&columns, all[$above], constants);)*
                columns
            }
        }

        /// Columns without the lowest one, which a multiple of p makes zero but for its carry.
        #[inline(always)]
        fn step(columns: &[Long; LIMBS], next: Long, constants: &Constants) -> [Long; LIMBS] {
            let low = columns[0];
            // The lowest bits, as numbers with a sign.
            let q = low.lowest().lowest_product(constants.inverse, 32 - BITS);
            let times = |at: usize| match at.checked_sub(HALF) {
                None => q.low(constants.p[at]),
                Some(at) => q.high(constants.p[at]),
            };
            let carry = low.plus(constants.lift).plus(times(0)).down(BITS).minus(constants.lifted);
            [
                columns[1].plus(times(1)).plus(carry),
                $(columns[$limb].plus(times($limb)),)*
                next,
            ]
        }

        /// Tight limbs of a value that is a few times p.
        #[inline(always)]
        fn settled(mut columns: [Long; LIMBS], constants: &Constants) -> Two {
            // How often p is in it, by the highest bits: what is below them is a small part of p. The
            // value is at most some ten times p, so these bits are few.
            let carry = columns[LIMBS - 2].plus(constants.lift).down(BITS).minus(constants.lifted);
            let high = columns[LIMBS - 1].plus(carry).lowest().low(constants.reciprocal);
            let times = high.plus(Long::both(1 << 39)).down(32).lowest().down(40 - 32);
            let _ = halved!(AT => {
                columns[AT] = columns[AT].minus(times.low(constants.p[AT]));
                columns[HALF + AT] = columns[HALF + AT].minus(times.high(constants.p[AT]));
            });
            carried(columns, constants)
        }

        /// Limbs up to half a unit of the next in size, but for the highest.
        #[inline(always)]
        fn carried(mut columns: [Long; LIMBS], constants: &Constants) -> Two {
            let mut carry = |at: usize| {
                let column = columns[at - 1];
                let carry = column.plus(constants.lift_and_round).down(BITS);
                let carry = carry.minus(constants.lifted);
                columns[at - 1] = column.minus(carry.up(BITS));
                columns[at] = columns[at].plus(carry);
            };
            carry(1);
            $(carry($limb);)*
            Two(halved!(AT => columns[AT].joined(columns[HALF + AT])))
        }
    };
}
