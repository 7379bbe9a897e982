//! Multiplication modulo p in limbs of 28 bits.
//!
//! A product of two limbs has 56 bits, so that all products of a column add up in 64 bits and nothing is carried until the end; a
//! product of 64-bit limbs takes WebAssembly, which has no wide multiplication, four multiplications and the carries between them.
//!
//! Nothing is inlined into callers: they are many, and the module is downloaded.

// The names of limbs are letters. No sum overflows: a column takes at most 42 products below 2⁵⁶.
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::many_single_char_names)]

use ark_bls12_381::FqConfig as Ark;
use ark_ff::MontConfig;

/// A residue as it is stored: Montgomery form for R = 2³⁸⁴, below p.
pub(crate) type Words = [u64; 6];

/// The same in limbs of 28 bits.
type Limbs = [u64; 14];

const BITS: u32 = 28;
const MASK: u64 = (1 << BITS) - 1;
const P: Words = Ark::MODULUS.0;
const MODULUS: Limbs = split(&P);
/// −1/p modulo 2²⁸: arkworks' is the same modulo 2⁶⁴.
const INVERSE: u64 = Ark::INV & MASK;

/// One step: `$columns` take `$product`, at each place `$at`, and as often p as makes the lowest one a multiple of 2²⁸; that one
/// carries over and falls out. A macro, since columns stay in registers only if every place is a constant.
macro_rules! step {
    ($columns:ident, $at:ident => $product:expr) => {
        step!($columns, $at => $product, 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
    ($columns:ident, $at:ident => $product:expr, $($place:literal)*) => {
        let low = $columns[0] + { const $at: usize = 0; $product };
        let q = ((low & MASK) * INVERSE) & MASK;
        $columns = [
            $($columns[$place] + { const $at: usize = $place; $product } + q * MODULUS[$place],)*
            0,
        ];
        $columns[0] += (low + q * MODULUS[0]) >> BITS;
    };
}

/// a·b/R.
#[inline(never)]
pub(crate) fn multiply(a: &Words, b: &Words) -> Words {
    let (a, b) = (split_shifted(a), split(b));
    let mut columns = [0; 14];
    for a in a {
        step!(columns, AT => a * b[AT]);
    }
    join(columns)
}

/// (a·b + c·d)/R.
#[inline(never)]
pub(crate) fn multiply_two([a, c]: [&Words; 2], [b, d]: [&Words; 2]) -> Words {
    let (a, b) = (split_shifted(a), split(b));
    let (c, d) = (split_shifted(c), split(d));
    let mut columns = [0; 14];
    for (a, c) in a.into_iter().zip(c) {
        step!(columns, AT => a * b[AT] + c * d[AT]);
    }
    join(columns)
}

#[inline]
const fn split(words: &Words) -> Limbs {
    let [a, b, c, d, e, f] = *words;
    [
        a & MASK,
        (a >> 28) & MASK,
        (a >> 56 | b << 8) & MASK,
        (b >> 20) & MASK,
        (b >> 48 | c << 16) & MASK,
        (c >> 12) & MASK,
        (c >> 40 | d << 24) & MASK,
        (d >> 4) & MASK,
        (d >> 32) & MASK,
        (d >> 60 | e << 4) & MASK,
        (e >> 24) & MASK,
        (e >> 52 | f << 12) & MASK,
        (f >> 16) & MASK,
        f >> 44,
    ]
}

/// Limbs of 2⁸ times a residue: fourteen steps divide by 2³⁹², and what is stored is for 2³⁸⁴.
#[inline]
const fn split_shifted(words: &Words) -> Limbs {
    let [a, b, c, d, e, f] = *words;
    [
        (a << 8) & MASK,
        (a >> 20) & MASK,
        (a >> 48 | b << 16) & MASK,
        (b >> 12) & MASK,
        (b >> 40 | c << 24) & MASK,
        (c >> 4) & MASK,
        (c >> 32) & MASK,
        (c >> 60 | d << 4) & MASK,
        (d >> 24) & MASK,
        (d >> 52 | e << 12) & MASK,
        (e >> 16) & MASK,
        (e >> 44 | f << 20) & MASK,
        (f >> 8) & MASK,
        f >> 36,
    ]
}

/// The residue of columns whose value is below 2p: two products and a shift of 8 bits are below 2³⁹²·p.
#[inline]
fn join(columns: Limbs) -> Words {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = columns;
    let b = b + (a >> BITS);
    let c = c + (b >> BITS);
    let d = d + (c >> BITS);
    let e = e + (d >> BITS);
    let f = f + (e >> BITS);
    let g = g + (f >> BITS);
    let h = h + (g >> BITS);
    let i = i + (h >> BITS);
    let j = j + (i >> BITS);
    let k = k + (j >> BITS);
    let l = l + (k >> BITS);
    let m = m + (l >> BITS);
    let n = n + (m >> BITS);
    let low = |limb: u64| limb & MASK;
    reduce(&[
        low(a) | low(b) << 28 | c << 56,
        low(c) >> 8 | low(d) << 20 | e << 48,
        low(e) >> 16 | low(f) << 12 | g << 40,
        low(g) >> 24 | low(h) << 4 | low(i) << 32 | j << 60,
        low(j) >> 4 | low(k) << 24 | l << 52,
        low(l) >> 12 | low(m) << 16 | n << 44,
    ])
}

/// Words of a sum or difference, one after the other, and what is carried at last.
macro_rules! chain {
    ($a:expr, $method:ident, $b:expr) => {{
        let ([a, b, c, d, e, f], other) = ($a, $b);
        let (a, carry) = a.$method(other[0], false);
        let (b, carry) = b.$method(other[1], carry);
        let (c, carry) = c.$method(other[2], carry);
        let (d, carry) = d.$method(other[3], carry);
        let (e, carry) = e.$method(other[4], carry);
        let (f, carry) = f.$method(other[5], carry);
        ([a, b, c, d, e, f], carry)
    }};
}

/// a + b.
#[inline(never)]
pub(crate) fn add(a: &Words, b: &Words) -> Words {
    // Both are below 2³⁸¹.
    let (sum, _) = chain!(*a, carrying_add, b);
    reduce(&sum)
}

/// a − b.
#[inline(never)]
pub(crate) fn subtract(a: &Words, b: &Words) -> Words {
    let (difference, borrow) = chain!(*a, borrowing_sub, b);
    if borrow { chain!(difference, carrying_add, P).0 } else { difference }
}

/// A value below 2p, modulo p.
#[inline]
fn reduce(value: &Words) -> Words {
    let (less, borrow) = chain!(*value, borrowing_sub, P);
    if borrow { *value } else { less }
}
