//! Proofs of possession: whoever lists a key shows that they know its secret.
//!
//! Without them a key can be made from the others': a·g₁ − Σ keys makes the sum of all a·g₁, and
//! whoever knows a signs alone for everyone. Ethereum checks the same when a validator deposits, so
//! only committees of our own chains bring proofs.
//!
//! Source: draft-irtf-cfrg-bls-signature-05 §3.3.2 and §3.3.3, `PopProve` and `PopVerify`.

// Operators on group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;
use core::ops::Neg;

use ark_bls12_381::{G1Affine, G1Projective, G2Projective};
use ark_ec::{AffineRepr, CurveGroup};

use crate::algebra::{Product, hash_to_g2, weighted};
use crate::error::{Rejection, Span, VerifyError};
use crate::hash::{Hash, sha256};
use crate::observer::{Cost, Observer};
use crate::wire::Bytes;
use crate::wire::point::{self, G1_BYTES, G2_BYTES};

/// The ciphersuite, which separates proofs from signatures: no signature is a proof.
pub const CIPHERSUITE: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// Separates the weights from other uses of SHA-256.
const DOMAIN: &[u8] = b"lightproof possession/1";

/// Keys taken at once, which bounds what is held.
const CHUNK: usize = 16;

/// Checks that e(keyᵢ, H(keyᵢ)) = e(g₁, proofᵢ) for every key, H under [`CIPHERSUITE`].
///
/// * `keys`: compressed, 48 bytes each; `points`: the same, in the subgroup and not infinity.
/// * `proofs`: 96 bytes for each key, compressed, in the subgroup, not infinity.
///
/// All equations are checked as one product of N + 1 pairings, each to the power of a weight of 128
/// bits that follows from every key and every proof: whoever chooses false ones to cancel changes
/// the weights by it, and succeeds once in 2^128 attempts.
///
/// # Errors
/// `decode.point` for a proof, [`VerifyError::Committee`] if one is false.
pub(super) fn check(
    keys: &[[u8; G1_BYTES]],
    points: &[G1Affine],
    proofs: Bytes<'_>,
    observer: &mut impl Observer,
) -> Result<(), Rejection> {
    let (each, _) = proofs.bytes.as_chunks::<G2_BYTES>();
    let seed = sha256(&[DOMAIN, keys.as_flattened(), proofs.bytes]);
    let (mut product, mut sum) = (Product::new(), G2Projective::default());
    let chunks = keys.chunks(CHUNK).zip(points.chunks(CHUNK)).zip(each.chunks(CHUNK));
    for (number, ((keys, points), each)) in chunks.enumerate() {
        let first = number.saturating_mul(CHUNK);
        let weights: Vec<u128> = (first..).map(|at| weight(seed, at)).take(keys.len()).collect();
        let mut terms = Vec::with_capacity(each.len());
        for (at, (proof, weight)) in each.iter().zip(&weights).enumerate() {
            let start = first.saturating_add(at).saturating_mul(G2_BYTES);
            let start = proofs.span.start.saturating_add(start);
            let span = Span { start, end: start.saturating_add(G2_BYTES) };
            let proof = point::g2(Bytes { bytes: proof, span }, "proof of possession")?;
            observer.cost(Cost::Decompressed(1));
            terms.push((proof, *weight));
        }
        sum += weighted(&terms);
        let hashed: Vec<_> =
            keys.iter().map(|key| hash_to_g2(key, CIPHERSUITE, observer)).collect();
        let left =
            points.iter().zip(&weights).map(|(point, weight)| weighted(&[(*point, *weight)]));
        let left = G1Projective::normalize_batch(&left.collect::<Vec<_>>());
        drop(product.times(&left, &hashed, observer));
    }
    drop(product.times(&[G1Affine::generator().neg()], &[sum.into_affine()], observer));
    if each.len() == keys.len() && product.is_one(observer) {
        return Ok(());
    }
    let reason = "a key without a true proof of possession";
    Err(VerifyError::Committee { reason, span: proofs.span }.into())
}

/// 128 bits of the seed.
fn weight(seed: Hash, index: usize) -> u128 {
    let index = u64::try_from(index).unwrap_or(u64::MAX);
    let Hash(digest) = sha256(&[&seed.0, &index.to_be_bytes()]);
    digest.first_chunk().map_or(0, |half| u128::from_be_bytes(*half))
}
