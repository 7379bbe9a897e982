//! 𝔽\_p² for products that are summed before they are reduced.

// Of constants, to constant places: that keeps columns in registers.
#![allow(clippy::inline_always, clippy::cast_possible_truncation)]

// A square of the cyclotomic subgroup is the largest sum: three times twice a product of elements,
// times ξ. The sum of three coefficients of an element of 𝔽_p⁶ is squared, by sums of both parts, in
// sums of both halves: twelve residues.
lightproof_limbs::quadratic_field! {
    crate::field::Fq2Config, over crate::field::Fq, crate::field::FqConfig, words 4, bits 27,
    limbs [0 1 2 3 4 5 6 7 8 9], half [0 1 2 3 4], above [10 11 12 13 14 15 16 17 18 19],
    xi 9, products 120, factor 12
}
