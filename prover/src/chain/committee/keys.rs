//! BLS12-381 keys and signatures: keys in G1, signatures in G2, one for all participants; and for
//! each key a proof that its owner knows the secret.

use std::sync::OnceLock;

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective, g2};
use ark_ec::hashing::HashToCurve as _;
use ark_ec::hashing::curve_maps::wb::WBMap;
use ark_ec::hashing::map_to_curve_hasher::MapToCurveBasedHasher;
use ark_ec::scalar_mul::ScalarMul as _;
use ark_ec::{AffineRepr as _, CurveGroup as _};
use ark_ff::PrimeField as _;
use ark_ff::field_hashers::DefaultFieldHasher;
use ark_serialize::CanonicalSerialize;
use lightproof_core::header::{possession, signing};
use sha2::Sha256;

use crate::hash::{Word, sha256};
use crate::rng;

/// Bytes of a key, a compressed point of G1.
pub const KEY_BYTES: usize = 48;
/// Bytes of a signature, a compressed point of G2.
pub const SIGNATURE_BYTES: usize = 96;

/// A committee with its secret keys.
#[derive(Clone, Debug)]
pub struct Committee {
    secrets: Vec<Fr>,
    keys: Vec<[u8; KEY_BYTES]>,
    aggregate: [u8; KEY_BYTES],
    root: Word,
    /// Made when they are first asked for: each is a point of G2 and a multiplication.
    proofs: OnceLock<Vec<u8>>,
}

impl Committee {
    /// INSECURE: the committee of a period, its secret keys made from the chain's seed.
    pub fn insecure(seed: u64, period: u64, size: u64) -> Self {
        let secret = |index| {
            let number = period.wrapping_mul(size).wrapping_add(index);
            Fr::from_be_bytes_mod_order(&rng::digest(seed, "INSECURE committee key", number))
        };
        Self::from_secrets((0..size).map(secret).collect())
    }

    /// INSECURE: a committee of chosen secret keys. Zero makes a key at infinity, opposite ones
    /// cancel: what no honest chain has.
    pub fn of_small(secrets: &[i64]) -> Self {
        Self::from_secrets(secrets.iter().copied().map(Fr::from).collect())
    }

    fn from_secrets(secrets: Vec<Fr>) -> Self {
        let sum: Fr = secrets.iter().sum();
        let points = G1Projective::from(G1Affine::generator()).batch_mul(&secrets);
        let keys: Vec<_> = points.iter().map(compressed).collect();
        let aggregate = compressed(&(G1Affine::generator() * sum).into_affine());
        let root = root(&keys, &aggregate);
        Self { secrets, keys, aggregate, root, proofs: OnceLock::new() }
    }

    /// N keys, 48 bytes each, one after the other.
    pub fn keys(&self) -> Vec<u8> {
        self.keys.concat()
    }

    /// INSECURE: this committee with a last key that is made from the others', so that all add up
    /// to that of the small secret `own`: whoever knows it signs for everyone, and cannot prove
    /// that they possess the key.
    #[must_use]
    pub fn with_rogue_key(&self, own: i64) -> Self {
        let mut secrets = self.secrets.clone();
        let others: Fr = secrets.iter().rev().skip(1).sum();
        if let Some(last) = secrets.last_mut() {
            *last = Fr::from(own) - others;
        }
        Self::from_secrets(secrets)
    }

    /// Proofs of possession, 96 bytes for each key, one after the other: the key's bytes signed
    /// under a ciphersuite of their own (draft-irtf-cfrg-bls-signature-05 §3.3.2).
    pub fn proofs(&self) -> Vec<u8> {
        let prove = || self.secrets.iter().zip(&self.keys).map(|(secret, key)| proof(secret, key));
        self.proofs.get_or_init(|| prove().collect::<Vec<_>>().concat()).clone()
    }

    /// The sum of the keys.
    pub fn aggregate(&self) -> [u8; KEY_BYTES] {
        self.aggregate
    }

    /// SSZ `hash_tree_root(SyncCommittee[N])`.
    pub fn root(&self) -> Word {
        self.root
    }

    /// The participants' signature of a message: one multiplication by the sum of their secrets.
    pub fn sign(&self, bits: &[u8], message: &Word) -> [u8; SIGNATURE_BYTES] {
        let takes_part =
            |index: usize| bits.get(index / 8).is_some_and(|b| b >> (index % 8) & 1 == 1);
        let secrets = self.secrets.iter().enumerate().filter(|(index, _)| takes_part(*index));
        let sum: Fr = secrets.map(|(_, secret)| secret).sum();
        compressed(&(hash_to_g2(message, signing::CIPHERSUITE) * sum).into_affine())
    }
}

/// INSECURE: a signature of any bytes by a small secret, under a ciphersuite.
pub fn signed_by_small(secret: i64, bytes: &[u8], ciphersuite: &[u8]) -> [u8; SIGNATURE_BYTES] {
    compressed(&(hash_to_g2(bytes, ciphersuite) * Fr::from(secret)).into_affine())
}

pub(super) fn proof(secret: &Fr, key: &[u8; KEY_BYTES]) -> [u8; SIGNATURE_BYTES] {
    compressed(&(hash_to_g2(key, possession::CIPHERSUITE) * secret).into_affine())
}

/// The SSZ root, written out: a leaf of two chunks for each key, a tree of them filled up with
/// zeros, the aggregate beside.
pub fn root(keys: &[[u8; KEY_BYTES]], aggregate: &[u8; KEY_BYTES]) -> Word {
    let leaf = |key: &[u8; KEY_BYTES]| sha256(&[key, &[0; 16]]);
    let mut nodes: Vec<Word> = keys.iter().map(leaf).collect();
    nodes.resize(nodes.len().next_power_of_two(), [0; 32]);
    while nodes.len() > 1 {
        nodes =
            nodes.as_chunks::<2>().0.iter().map(|[left, right]| sha256(&[left, right])).collect();
    }
    sha256(&[&nodes.concat(), &leaf(aggregate)])
}

/// RFC 9380, suite `BLS12381G2_XMD:SHA-256_SSWU_RO_`.
pub(super) fn hash_to_g2(message: &[u8], ciphersuite: &[u8]) -> G2Affine {
    type Hasher =
        MapToCurveBasedHasher<G2Projective, DefaultFieldHasher<Sha256>, WBMap<g2::Config>>;
    // Invariant: the suite's constants are valid, and every message has a point.
    Hasher::new(ciphersuite).and_then(|hasher| hasher.hash(message)).unwrap_or_default()
}

pub(super) fn compressed<const BYTES: usize>(point: &impl CanonicalSerialize) -> [u8; BYTES] {
    let mut bytes = Vec::with_capacity(BYTES);
    // Writing to a Vec cannot fail.
    let _ = point.serialize_compressed(&mut bytes);
    bytes.try_into().unwrap_or([0; BYTES])
}

#[cfg(test)]
mod tests {
    use lightproof_core::header::committee;

    use super::*;

    #[test]
    fn the_root_is_the_verifiers() {
        let ours = Committee::insecure(7, 3, 8);
        let bytes = [ours.keys(), ours.aggregate().to_vec()].concat();
        let theirs = committee::Committee::trusted(&bytes, 8).unwrap();
        assert_eq!(theirs.root().0, ours.root());
        assert_ne!(ours.root(), Committee::insecure(7, 4, 8).root());
        assert_ne!(ours.root(), Committee::insecure(8, 3, 8).root());
    }
}
