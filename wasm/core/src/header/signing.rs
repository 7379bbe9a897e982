//! Committee signatures: `FastAggregateVerify` of draft-irtf-cfrg-bls-signature-05 §3.3.4, keys in
//! G1, signatures in G2, and what is signed.

use ark_bls12_381::G1Affine;
use ark_ec::AffineRepr;
use core::ops::Neg;

use crate::algebra::{Product, hash_to_g2};
use crate::chain::{Beacon, Chain};
use crate::error::{Rejection, VerifyError};
use crate::hash::{Hash, merkle, sha256};
use crate::observer::{Cost, Observer};
use crate::wire::{Bytes, point};

/// The ciphersuite, which separates its messages from those of others.
pub const CIPHERSUITE: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// `DOMAIN_SYNC_COMMITTEE` of the beacon chain.
const BEACON_DOMAIN: [u8; 4] = [0x07, 0, 0, 0];

/// The devnet's domain, "LP".
const DEVNET_DOMAIN: [u8; 4] = [0x4c, 0x50, 0, 0];

/// What a sync committee signs for a beacon header: `compute_signing_root` of the Altair spec.
///
/// * `root`: the header's `hash_tree_root`; `slot`: the slot of the signature, not of the header.
///
/// The fork version is that of the slot before the signature. `None` before the table's first fork.
pub fn beacon_message(
    beacon: &Beacon,
    root: Hash,
    slot: u64,
    observer: &mut impl Observer,
) -> Option<Hash> {
    let fork = beacon.fork(before(slot))?;
    Some(message_of(beacon, fork.version, root, observer))
}

/// The same for the version that would follow the table's last; `None` where the slot does not lie
/// in the last fork.
pub fn message_beyond(
    beacon: &Beacon,
    root: Hash,
    slot: u64,
    observer: &mut impl Observer,
) -> Option<Hash> {
    let version = beacon.next_version(before(slot))?;
    Some(message_of(beacon, version, root, observer))
}

/// The slot that says which fork a signature in `slot` is for.
fn before(slot: u64) -> u64 {
    slot.max(1).saturating_sub(1)
}

fn message_of(beacon: &Beacon, version: [u8; 4], root: Hash, observer: &mut impl Observer) -> Hash {
    let mut leaf = Hash::ZERO;
    for (to, from) in leaf.0.iter_mut().zip(version) {
        *to = from;
    }
    let fork_data = merkle::pair(&leaf, &beacon.genesis_validators_root, observer);
    merkle::pair(&root, &domain(BEACON_DOMAIN, fork_data), observer)
}

/// What a devnet committee signs for a header: SHA-256(header hash ‖ domain), the domain bound to
/// the genesis block and the chain id.
pub fn devnet_message(chain: &Chain, header_hash: Hash) -> Hash {
    let network = sha256(&[&chain.genesis_hash.0, &chain.chain_id.to_be_bytes()]);
    sha256(&[&header_hash.0, &domain(DEVNET_DOMAIN, network).0])
}

/// Four bytes of kind, then the first 28 of `tail`.
fn domain(kind: [u8; 4], tail: Hash) -> Hash {
    let mut domain = Hash::ZERO;
    for (to, from) in domain.0.iter_mut().zip(kind.iter().chain(&tail.0)) {
        *to = *from;
    }
    domain
}

/// Checks e(Σ keys, H(message)) = e(g₁, signature).
///
/// * `keys`: sum of the participants' keys; infinity is refused, since with it an infinity
///   signature would stand for any message.
/// * `signature`: 96 bytes compressed, in the subgroup, not infinity.
///
/// # Errors
/// `decode.point` for the signature's form, [`VerifyError::Signature`] if the equation fails.
pub(super) fn verify(
    keys: G1Affine,
    message: Hash,
    signature: Bytes<'_>,
    observer: &mut impl Observer,
) -> Result<(), Rejection> {
    let wrong = |reason| Err(VerifyError::Signature { reason, span: signature.span }.into());
    let point = point::g2_on_curve(signature, "signature")?;
    observer.cost(Cost::Decompressed(1));
    let hashed = hash_to_g2(&message.0, CIPHERSUITE, observer);
    let mut product = Product::new();
    let right = [hashed, point];
    let mut orders = product.times(&[keys, G1Affine::generator().neg()], &right, observer);
    if orders.next_back() != Some(true) {
        return Err(point::outside(signature, "signature").into());
    }
    if keys.is_zero() {
        return wrong("the participants' keys sum to infinity");
    }
    if product.is_one(observer) { Ok(()) } else { wrong("the pairing equation does not hold") }
}
