//! Prime fields for arkworks, multiplied in limbs of fewer than 32 bits.
//!
//! WebAssembly has no wide multiplication: a product of 64-bit limbs takes it four, and the carries
//! between them. A product of limbs of 28 or 29 bits is one, and all products of a column add up in
//! 64 bits, so that nothing is carried until the end.
//!
//! [`base_field!`] makes a field's arithmetic from arkworks' own configuration: residues are stored
//! as arkworks stores them, in Montgomery form in words of 64 bits, and only multiplications split
//! them. A macro, since columns stay in registers only if every place is a constant, and since
//! generic code would be compiled where it is called, for size.

#![no_std]

#[doc(hidden)]
pub use ark_ff;

pub mod lanes;
mod lazy;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tower;

/// Defines a field's arithmetic, in place of arkworks' of the same field.
///
/// `words` are all places of stored words and `limbs` all places of limbs, from zero; limbs are of
/// `bits` bits. For W words, L limbs and p < 2^(64·W):
///
/// * 64·W <= L·bits, less than a limb more: steps divide by 2^(L·bits), so that one factor takes
///   the rest, and still has L limbs;
/// * 3·L·2^(2·bits) + 2^(64 − bits) < 2^64: a column takes at most L products of each of a·b, c·d
///   and q·p, and a carry;
/// * 2·p < 2^(64·W): (a·b + c·d)/2^(64·W) + p < 2·p, one subtraction from its residue.
///
/// All three are checked when it is compiled.
#[macro_export]
macro_rules! base_field {
    (
        $(#[$about:meta])*
        $name:ident as $ark:ty, words $first_word:literal $($word:literal)*, bits $bits:literal, limbs $places:tt
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $crate::ark_ff::MontConfig<{ arithmetic::WORDS }> for $name {
            const MODULUS: $crate::ark_ff::BigInt<{ arithmetic::WORDS }> =
                <$ark as $crate::ark_ff::MontConfig<{ arithmetic::WORDS }>>::MODULUS;
            const GENERATOR: Element = element(<$ark as $crate::ark_ff::MontConfig<_>>::GENERATOR);
            const TWO_ADIC_ROOT_OF_UNITY: Element =
                element(<$ark as $crate::ark_ff::MontConfig<_>>::TWO_ADIC_ROOT_OF_UNITY);

            fn add_assign(a: &mut Element, b: &Element) {
                a.0.0 = arithmetic::add(&a.0.0, &b.0.0);
            }

            fn sub_assign(a: &mut Element, b: &Element) {
                a.0.0 = arithmetic::subtract(&a.0.0, &b.0.0);
            }

            fn double_in_place(a: &mut Element) {
                a.0.0 = arithmetic::add(&a.0.0, &a.0.0);
            }

            fn mul_assign(a: &mut Element, b: &Element) {
                a.0.0 = arithmetic::multiply(&a.0.0, &b.0.0);
            }

            fn square_in_place(a: &mut Element) {
                a.0.0 = arithmetic::multiply(&a.0.0, &a.0.0);
            }

            fn sum_of_products<const M: usize>(a: &[Element; M], b: &[Element; M]) -> Element {
                match (a.as_slice(), b.as_slice()) {
                    ([a, c], [b, d]) => {
                        let words = arithmetic::multiply_two([&a.0.0, &c.0.0], [&b.0.0, &d.0.0]);
                        Element::new_unchecked($crate::ark_ff::BigInt(words))
                    }
                    _ => a.iter().zip(b).map(|(a, b)| *a * b).sum(),
                }
            }
        }

        type Element = $crate::ark_ff::Fp<
            $crate::ark_ff::MontBackend<$name, { arithmetic::WORDS }>,
            { arithmetic::WORDS },
        >;

        /// An element of arkworks' field in this one.
        const fn element(
            element: $crate::ark_ff::Fp<
                $crate::ark_ff::MontBackend<$ark, { arithmetic::WORDS }>,
                { arithmetic::WORDS },
            >,
        ) -> Element {
            Element::new_unchecked(element.0)
        }

        /// Sums and products modulo p. Nothing is inlined into callers: they are many, and the module is downloaded.
        // No sum overflows: see `base_field!`.
        #[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]
        mod arithmetic {
            use $crate::ark_ff::MontConfig;
            use $crate::{limb, part};

            pub(super) const WORDS: usize = [$first_word $(, $word)*].len();
            const LIMBS: usize = $crate::count!($places);
            const BITS: u32 = $bits;
            const MASK: u64 = (1 << BITS) - 1;

            /// A residue as it is stored: Montgomery form for 2^(64·W), below p.
            pub(super) type Words = [u64; WORDS];
            type Limbs = [u64; LIMBS];

            const P: Words = <$ark as MontConfig<WORDS>>::MODULUS.0;
            const MODULUS: Limbs = split(&P, 0);
            /// −1/p modulo 2^BITS: arkworks' is the same modulo 2⁶⁴.
            const INVERSE: u64 = <$ark as MontConfig<WORDS>>::INV & MASK;
            /// As many steps as there are limbs divide by 2^(L·BITS), and what is stored is for 2^(64·W).
            const SHIFT: u32 = LIMBS as u32 * BITS - 64 * WORDS as u32;

            const _: () = {
                assert!(SHIFT < BITS);
                assert!(3 * (LIMBS as u128) * (1 << (2 * BITS)) + (1 << (64 - BITS)) < 1 << 64);
                assert!(P[WORDS - 1] < u64::MAX / 2);
            };

            /// a·b/R.
            #[inline(never)]
            pub(super) fn multiply(a: &Words, b: &Words) -> Words {
                let (a, b) = (split(a, SHIFT), split(b, 0));
                let mut columns = [0; LIMBS];
                // By reference: an array's own iterator may become a function that is called for every limb.
                for a in &a {
                    $crate::step!(columns, AT => *a * b[AT], $places);
                }
                join(columns)
            }

            /// (a·b + c·d)/R.
            #[inline(never)]
            pub(super) fn multiply_two([a, c]: [&Words; 2], [b, d]: [&Words; 2]) -> Words {
                let (a, b) = (split(a, SHIFT), split(b, 0));
                let (c, d) = (split(c, SHIFT), split(d, 0));
                let mut columns = [0; LIMBS];
                for (a, c) in a.iter().zip(&c) {
                    $crate::step!(columns, AT => *a * b[AT] + *c * d[AT], $places);
                }
                join(columns)
            }

            /// Limbs of a residue times 2^shift.
            #[inline(always)]
            const fn split(words: &Words, shift: u32) -> Limbs {
                $crate::limbs!(words, BITS, shift, $places)
            }

            /// The residue of columns whose value is below 2·p.
            #[inline]
            fn join(mut columns: Limbs) -> Words {
                $crate::carry!(columns, BITS, MASK, $places);
                reduce(&[
                    $crate::word!(columns, BITS, $first_word, $places)
                    $(, $crate::word!(columns, BITS, $word, $places))*
                ])
            }

            /// a + b.
            #[inline(never)]
            pub(super) fn add(a: &Words, b: &Words) -> Words {
                // Two residues have no more bits than the words.
                reduce(&added(a, b))
            }

            /// a − b.
            #[inline(never)]
            pub(super) fn subtract(a: &Words, b: &Words) -> Words {
                let (difference, borrow) = subtracted(a, b);
                let mask = u64::from(borrow).wrapping_neg();
                added(&difference, &[P[$first_word] & mask $(, P[$word] & mask)*])
            }

            /// A value below 2·p, modulo p.
            #[inline]
            fn reduce(value: &Words) -> Words {
                let (less, borrow) = subtracted(value, &P);
                // No branch: it would go either way as often.
                let mask = u64::from(borrow).wrapping_neg();
                let choose = |at: usize| less[at] ^ (less[at] ^ value[at]) & mask;
                [choose($first_word) $(, choose($word))*]
            }

            #[inline(always)]
            fn added(a: &Words, b: &Words) -> Words {
                let mut sum = [0; WORDS];
                let carry;
                (sum[0], carry) = a[0].carrying_add(b[0], false);
                $(let (word, carry) = a[$word].carrying_add(b[$word], carry);
                sum[$word] = word;)*
                // What is carried at last is nothing, or what a difference borrowed.
                let _ = carry;
                sum
            }

            #[inline(always)]
            fn subtracted(a: &Words, b: &Words) -> (Words, bool) {
                let mut difference = [0; WORDS];
                let borrow;
                (difference[0], borrow) = a[0].borrowing_sub(b[0], false);
                $(let (word, borrow) = a[$word].borrowing_sub(b[$word], borrow);
                difference[$word] = word;)*
                (difference, borrow)
            }
        }
    };
}

/// How many there are.
#[doc(hidden)]
#[macro_export]
macro_rules! count {
    ([$($place:literal)*]) => { [$($place),*].len() };
}

/// One step: `$columns` take `$product`, at each place `$at`, and as often p as makes the lowest
/// one a multiple of 2^BITS; that one carries over and falls out.
#[doc(hidden)]
#[macro_export]
macro_rules! step {
    ($columns:ident, $at:ident => $product:expr, [$first:literal $($place:literal)*]) => {
        let low = $columns[0] + { const $at: usize = $first; $product };
        let q = ((low & MASK) * INVERSE) & MASK;
        $columns = [
            $($columns[$place] + { const $at: usize = $place; $product } + q * MODULUS[$place],)*
            0,
        ];
        $columns[0] += (low + q * MODULUS[0]) >> BITS;
    };
}

/// All limbs of words times 2^`$shift`.
#[doc(hidden)]
#[macro_export]
macro_rules! limbs {
    ($words:ident, $bits:ident, $shift:ident, [$($place:literal)*]) => {
        [$(limb($words, $bits * $place, $shift, $bits)),*]
    };
}

/// Carries all columns but the highest.
#[doc(hidden)]
#[macro_export]
macro_rules! carry {
    ($columns:ident, $bits:ident, $mask:ident, [$first:literal $($place:literal)*]) => {
        $($columns[$place] += $columns[$place - 1] >> $bits;
        $columns[$place - 1] &= $mask;)*
    };
}

/// One word of carried columns.
#[doc(hidden)]
#[macro_export]
macro_rules! word {
    ($columns:ident, $bits:ident, $word:literal, [$($place:literal)*]) => {
        0 $(| part($columns[$place], $bits * $place, 64 * $word))*
    };
}

/// Bits `start` to `start + count` of words times 2^`shift`, `shift` below `count`.
#[doc(hidden)]
#[allow(clippy::inline_always, clippy::indexing_slicing)] // Of constants: a shift or two are left.
#[inline(always)]
pub const fn limb<const W: usize>(words: &[u64; W], start: u32, shift: u32, count: u32) -> u64 {
    let mask = (1 << count) - 1;
    if start < shift {
        return words[0] << (shift - start) & mask;
    }
    let (word, bit) = ((start - shift) as usize / 64, (start - shift) % 64);
    let high = if bit + count > 64 && word + 1 < W { words[word + 1] << (64 - bit) } else { 0 };
    (words[word] >> bit | high) & mask
}

/// What a limb that starts at bit `low` gives to the word that starts at bit `start`.
#[doc(hidden)]
#[allow(clippy::inline_always)]
#[inline(always)]
pub const fn part(limb: u64, low: u32, start: u32) -> u64 {
    match (low.checked_sub(start), start.checked_sub(low)) {
        (Some(up), _) if up < 64 => limb << up,
        (_, Some(down)) if down < 32 => limb >> down,
        _ => 0,
    }
}
