//! 𝔽\_p² for products that are summed before they are reduced.

// Of constants, to constant places: that keeps columns in registers.
#![allow(clippy::inline_always, clippy::cast_possible_truncation)]

// In a sum of a point's double (curve/g2/multiple.rs) are 26 products, in a square of the cyclotomic
// subgroup 24. The sum of three coefficients of an element of 𝔽_p⁶ is squared, by sums of both
// parts, in sums of both halves: twelve residues.
lightproof_limbs::quadratic_field! {
    crate::field::Fq2Config, over crate::field::Fq, crate::field::FqConfig, words 6, bits 28,
    limbs [0 1 2 3 4 5 6 7 8 9 10 11 12 13], half [0 1 2 3 4 5 6],
    above [14 15 16 17 18 19 20 21 22 23 24 25 26 27],
    xi 1, products 26, factor 12
}
