//! Committees of operators: each keeps a secret key of its own, and proves that it does.

use std::sync::{Mutex, PoisonError};

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::{AffineRepr as _, CurveGroup as _};
use ark_ff::{BigInteger as _, PrimeField as _, Zero as _};
use ark_serialize::CanonicalDeserialize as _;
use lightproof_core::hash::Hash;
use lightproof_core::header::committee as verifier;
use lightproof_core::header::signing;

use super::forms::Listed;
use super::keys::{KEY_BYTES, SIGNATURE_BYTES, compressed, hash_to_g2, proof, root};
use crate::hash::{Word, sha256};

/// A public key, compressed.
pub type Key = [u8; KEY_BYTES];
/// A signature, or a proof of possession, compressed.
pub type Signature = [u8; SIGNATURE_BYTES];

/// The secret key of one operator.
#[derive(Clone)]
pub struct SecretKey(Fr);

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretKey(…)")
    }
}

impl SecretKey {
    /// A key from 64 bytes that nobody else knows.
    pub fn random(entropy: &[u8; 64]) -> Self {
        Self(Fr::from_be_bytes_mod_order(entropy))
    }

    /// The key with these bytes, big-endian; `None` for zero and for what is not below the group
    /// order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let key = Self(Fr::from_be_bytes_mod_order(bytes));
        (key.to_bytes() == *bytes && !key.0.is_zero()).then_some(key)
    }

    /// The key as bytes, big-endian.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.into_bigint().to_bytes_be().try_into().unwrap_or([0; 32])
    }

    /// The public key.
    pub fn public(&self) -> Key {
        compressed(&(G1Affine::generator() * self.0).into_affine())
    }

    /// The proof that its owner has the key.
    pub fn proof(&self) -> Signature {
        proof(&self.0, &self.public())
    }

    /// The signature of a message.
    pub fn sign(&self, message: &Word) -> Signature {
        compressed(&(hash_to_g2(message, signing::CIPHERSUITE) * self.0).into_affine())
    }
}

/// One signature for all; `None` if one of them is no point of G2.
pub fn add(signatures: &[Signature]) -> Option<Signature> {
    let mut sum = G2Projective::default();
    for signature in signatures {
        sum += G2Affine::deserialize_compressed(signature.as_slice()).ok()?;
    }
    Some(compressed(&sum.into_affine()))
}

/// A committee: its members' public keys, each with a proof of possession that holds.
#[derive(Debug)]
pub struct Members {
    keys: Vec<Key>,
    aggregate: Key,
    proofs: Vec<u8>,
    root: Word,
    /// Checks signatures as clients do.
    verifier: Mutex<verifier::Committee>,
}

impl Members {
    /// A committee of 1 to 512 members, in the order of their bits.
    ///
    /// # Errors
    /// A sentence that says which check of clients would refuse it.
    pub fn new(members: &[(Key, Signature)]) -> Result<Self, String> {
        let mut sum = G1Projective::default();
        for (index, (key, _)) in members.iter().enumerate() {
            let point = G1Affine::deserialize_compressed(key.as_slice());
            sum += point.map_err(|_| format!("key {index} is no point of the group"))?;
        }
        let aggregate: Key = compressed(&sum.into_affine());
        let keys: Vec<Key> = members.iter().map(|(key, _)| *key).collect();
        let proofs = members.iter().map(|(_, proof)| *proof).collect::<Vec<_>>().concat();
        let bytes = [keys.as_flattened(), aggregate.as_slice(), &proofs].concat();
        let verifier = verifier::Committee::checked(&bytes).map_err(|error| error.to_string())?;
        let root = root(&keys, &aggregate);
        Ok(Self { keys, aggregate, proofs, root, verifier: Mutex::new(verifier) })
    }

    /// The members' keys.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The position of a key.
    pub fn position(&self, key: &Key) -> Option<usize> {
        self.keys.iter().position(|member| member == key)
    }

    /// SSZ `hash_tree_root`.
    pub fn root(&self) -> Word {
        self.root
    }

    /// The fewest signers that are two thirds.
    pub fn two_thirds(&self) -> usize {
        (self.keys.len() * 2).div_ceil(3)
    }

    /// The bits of these members: bit i = byte i/8, least significant first.
    pub fn bits(&self, members: impl IntoIterator<Item = usize>) -> Vec<u8> {
        let mut bits = vec![0; self.keys.len().div_ceil(8)];
        for index in members {
            if let Some(byte) = bits.get_mut(index / 8) {
                *byte |= 1 << (index % 8);
            }
        }
        bits
    }

    /// How many bits are set.
    pub fn count(&self, bits: &[u8]) -> usize {
        let ones = |sum: usize, byte: &u8| sum + usize::try_from(byte.count_ones()).unwrap_or(0);
        bits.iter().fold(0, ones)
    }

    /// Whether those whose bits are set signed a message, however few they are.
    pub fn signed(&self, bits: &[u8], signature: &Signature, message: &Word) -> bool {
        let mut verifier = self.verifier.lock().unwrap_or_else(PoisonError::into_inner);
        verifier.signed(&[bits, signature].concat(), Hash(*message)).is_ok()
    }
}

/// The committees of a chain, as its operators wrote them down. A committee signs from its period
/// on, until the next one does.
#[derive(Debug)]
pub struct Roster {
    period: u64,
    committees: Vec<(u64, Members)>,
}

impl Roster {
    /// * `period`: blocks of a period, at least 1.
    /// * `committees`: the first period of each, ascending from 0, and its members.
    ///
    /// # Errors
    /// A sentence that says what is wrong with them.
    pub fn new(period: u64, committees: Vec<(u64, Members)>) -> Result<Self, String> {
        if period == 0 {
            return Err("expected periods of at least one block".to_owned());
        }
        if committees.first().is_none_or(|(from, _)| *from != 0) {
            return Err("expected a first committee from period 0".to_owned());
        }
        if committees.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err("expected committees in ascending order of their periods".to_owned());
        }
        Ok(Self { period, committees })
    }

    /// Blocks of a period.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// The period that a block lies in.
    pub fn period_of(&self, number: u64) -> u64 {
        number / self.period
    }

    /// Last block of a period.
    pub fn last_block(&self, period: u64) -> u64 {
        period.saturating_add(1).saturating_mul(self.period).saturating_sub(1)
    }

    /// The committee of a period.
    pub fn of(&self, period: u64) -> &Members {
        let found = self.committees.iter().rev().find(|(from, _)| *from <= period);
        // Invariant: the first one is from period 0.
        found.map_or(&self.committees[0].1, |(_, members)| members)
    }

    /// Whether a committee has this key.
    pub fn names(&self, key: &Key) -> bool {
        self.committees.iter().any(|(_, members)| members.position(key).is_some())
    }

    /// The committee that signs a block.
    pub fn at(&self, number: u64) -> &Members {
        self.of(self.period_of(number))
    }

    /// What a header says of the committees: SHA-256(root(p) ‖ root(p+1)), p the block's period.
    pub fn root_at(&self, number: u64) -> Word {
        let period = self.period_of(number);
        sha256(&[&self.of(period).root(), &self.of(period.saturating_add(1)).root()])
    }

    /// The committee of a period as it is sent beside the root of another.
    pub fn listed(&self, period: u64, sibling: u64) -> Listed {
        let committee = self.of(period);
        Listed {
            keys: committee.keys.concat(),
            aggregate: committee.aggregate.to_vec(),
            proofs: committee.proofs.clone(),
            sibling: self.of(sibling).root().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: u8) -> Vec<SecretKey> {
        (1..=count).map(|byte| SecretKey::random(&[byte; 64])).collect()
    }

    fn members(secrets: &[SecretKey]) -> Members {
        let all: Vec<_> = secrets.iter().map(|key| (key.public(), key.proof())).collect();
        Members::new(&all).unwrap()
    }

    #[test]
    fn a_key_is_what_it_was_written_as() {
        let key = SecretKey::random(&[7; 64]);
        let again = SecretKey::from_bytes(&key.to_bytes()).unwrap();
        assert_eq!(again.public(), key.public());
        assert!(SecretKey::from_bytes(&[0; 32]).is_none());
        assert!(SecretKey::from_bytes(&[0xff; 32]).is_none());
        assert_eq!(format!("{key:?}"), "SecretKey(…)");
    }

    #[test]
    fn members_sign_together_and_alone() {
        let (secrets, message) = (keys(3), [9; 32]);
        let committee = members(&secrets);
        let signatures: Vec<_> = secrets.iter().map(|key| key.sign(&message)).collect();
        let bits = committee.bits([0, 2]);
        let sum = add(&[signatures[0], signatures[2]]).unwrap();
        assert!(committee.signed(&bits, &sum, &message));
        assert!(!committee.signed(&committee.bits([0, 1]), &sum, &message));
        assert!(!committee.signed(&bits, &sum, &[8; 32]));
        assert!(committee.signed(&committee.bits([1]), &signatures[1], &message));
        assert!(add(&[[0; SIGNATURE_BYTES]]).is_none());
        assert_eq!(
            (committee.two_thirds(), committee.position(&secrets[2].public())),
            (2, Some(2))
        );
    }

    #[test]
    fn a_key_without_a_proof_of_its_own_is_refused() {
        let secrets = keys(2);
        let [one, other] = [&secrets[0], &secrets[1]];
        let wrong = Members::new(&[(one.public(), one.proof()), (other.public(), one.proof())]);
        assert!(wrong.unwrap_err().contains("possession"), "another's proof");
        // A rogue key: the sum of both is that of a secret that one alone knows.
        let rogue = SecretKey(SecretKey::random(&[9; 64]).0 - one.0);
        let (own, public) = (SecretKey::random(&[9; 64]), rogue.public());
        let best = proof(&own.0, &public);
        assert!(Members::new(&[(one.public(), one.proof()), (public, best)]).is_err());
        let twice = Members::new(&[(one.public(), one.proof()), (one.public(), one.proof())]);
        assert!(twice.unwrap_err().contains("twice"), "listed twice");
        assert!(Members::new(&[]).is_err());
    }

    #[test]
    fn a_committee_signs_until_the_next_one_does() {
        let (first, second) = (keys(3), keys(4));
        let roster = Roster::new(10, vec![(0, members(&first)), (3, members(&second))]).unwrap();
        let sizes = [0, 29, 30, 1000].map(|number| roster.at(number).keys().len());
        assert_eq!(sizes, [3, 3, 4, 4]);
        assert_ne!(roster.root_at(19), roster.root_at(20));
        assert_eq!((roster.last_block(2), roster.period_of(29)), (29, 2));
        assert!(Roster::new(10, vec![(1, members(&first))]).is_err());
        assert!(Roster::new(0, vec![(0, members(&first))]).is_err());
        let again = vec![(0, members(&first)), (0, members(&second))];
        assert!(Roster::new(10, again).is_err());
    }
}
