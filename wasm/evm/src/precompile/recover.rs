//! Who signed: the precompile 0x01.
//!
//! Points are k256's. Scalars are plain integers, by the division of the instructions: k256's own
//! arithmetic of them, and its splitting of a scalar in two, take 10 kB of WebAssembly.

use alloc::vec::Vec;

use k256::elliptic_curve::point::DecompressPoint as _;
use k256::elliptic_curve::sec1::ToEncodedPoint as _;
use k256::{AffinePoint, FieldBytes, ProjectivePoint};
use lightproof_core::hash::keccak256;
use revm::primitives::U256;
use revm::primitives::ruint::aliases::U512;

use super::input::{padded, word};
use crate::instructions::division::{divide, mulmod};

/// The number of points.
const ORDER: U256 = U256::from_limbs([
    0xbfd2_5e8c_d036_4141,
    0xbaae_dce6_af48_a03b,
    0xffff_ffff_ffff_fffe,
    0xffff_ffff_ffff_ffff,
]);

/// `[hash, v, r, s]`, 32 bytes each: the address that signed, in 32 bytes.
#[allow(clippy::many_single_char_names, reason = "as the equation has them")]
pub(super) fn recover(input: &[u8]) -> Option<Vec<u8>> {
    let v = u8::try_from(word(input, 32)).ok()?;
    let is_odd = v.checked_sub(27).filter(|odd| *odd < 2)?;
    let scalar = |start| Some(word(input, start)).filter(|n| !n.is_zero() && *n < ORDER);
    let (r, s) = (scalar(64)?, scalar(96)?);
    let x = FieldBytes::clone_from_slice(&padded(input, 64, 32));
    let point = Option::<AffinePoint>::from(AffinePoint::decompress(&x, is_odd.into()))?;
    // The key Q for which the signature holds: Q = (s R - hash G) / r. Every s but zero will do.
    let inverse = inverse(r);
    let (u, v) = (mulmod(word(input, 0), inverse, ORDER), mulmod(s, inverse, ORDER));
    let key = combine((-ProjectivePoint::GENERATOR, u), (point.into(), v));
    // The identity has no coordinates: its encoding is one byte.
    let key = key.to_affine().to_encoded_point(false);
    let mut address = keccak256(key.as_bytes().get(1..65)?).0;
    address.first_chunk_mut::<12>()?.fill(0);
    Some(address.to_vec())
}

/// The inverse modulo the order, of a number below it and not zero: Euclid's algorithm, where every
/// remainder is `factor * number` modulo the order.
fn inverse(number: U256) -> U256 {
    let mut remainders = (ORDER, number);
    let mut factors = (U256::ZERO, U256::ONE);
    while !remainders.1.is_zero() {
        let (quotient, rest) = divide(U512::from(remainders.0), remainders.1);
        remainders = (remainders.1, rest);
        let product = mulmod(quotient, factors.1, ORDER);
        let (next, is_below) = factors.0.overflowing_sub(product);
        factors = (factors.1, if is_below { next.wrapping_add(ORDER) } else { next });
    }
    factors.0
}

/// u P + v Q, two bits of both at a time.
#[allow(clippy::arithmetic_side_effects, reason = "points of a group")]
fn combine((p, u): (ProjectivePoint, U256), (q, v): (ProjectivePoint, U256)) -> ProjectivePoint {
    // i P + j Q at 4 i + j.
    let mut sums = Vec::with_capacity(16);
    let mut row = ProjectivePoint::IDENTITY;
    for _ in 0..4 {
        let mut sum = row;
        for _ in 0..4 {
            sums.push(sum);
            sum += q;
        }
        row += p;
    }
    let mut sum = ProjectivePoint::IDENTITY;
    for at in (0_usize..256).step_by(2).rev() {
        let two = |scalar: U256| {
            usize::from(scalar.bit(at.saturating_add(1))) << 1 | usize::from(scalar.bit(at))
        };
        sum = sum.double().double();
        let place = two(u) << 2 | two(v);
        if let Some(step) = sums.get(place).filter(|_| place != 0) {
            sum += *step;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signatures that hold, with both parities and a high s; zeros, and numbers over the order.
    #[test]
    fn the_engine_recovers_the_same() {
        let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
        let order = U256::from_str_radix(order, 16).unwrap_or_default();
        let some = |seed: u8| U256::from_be_bytes(keccak256(&[seed]).0);
        let numbers: Vec<U256> = (0..20)
            .map(some)
            .chain([U256::ZERO, U256::ONE, order, order.wrapping_sub(U256::ONE), U256::MAX])
            .collect();
        let mut recovered = 0;
        for v in [0, 26, 27, 28, 29, 256 + 27] {
            for r in &numbers {
                for s in numbers.iter().step_by(3).chain([&U256::ZERO, &U256::ONE]) {
                    let words = [some(99), U256::from(v), *r, *s];
                    let input: Vec<u8> = words.iter().flat_map(U256::to_be_bytes::<32>).collect();
                    let theirs = revm::precompile::secp256k1::ec_recover_run(&input, 3_000);
                    let theirs = theirs.map(|output| output.bytes.to_vec()).unwrap_or_default();
                    assert_eq!(recover(&input).unwrap_or_default(), theirs, "{words:?}");
                    recovered += usize::from(!theirs.is_empty());
                }
            }
        }
        assert!(recovered > 50, "{recovered}");
    }
}
