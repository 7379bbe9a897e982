//! Committees whose secret keys are known: key i of committee c is (1000·c + i + 1)·g₁.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ark_bls12_381::{Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine, G2Projective, g2};
use ark_ec::hashing::HashToCurve;
use ark_ec::hashing::curve_maps::wb::WBMap;
use ark_ec::hashing::map_to_curve_hasher::MapToCurveBasedHasher;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::field_hashers::DefaultFieldHasher;
use ark_serialize::CanonicalSerialize;
use lightproof_core::hash::sha256;

const CIPHERSUITE: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
const POSSESSION: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// The point at infinity, compressed.
pub(crate) const INFINITY_G1: [u8; 48] = {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
};

/// The same in G2.
pub(crate) const INFINITY_G2: [u8; 96] = {
    let mut bytes = [0; 96];
    bytes[0] = 0xc0;
    bytes
};

/// A committee, and the keys behind it.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    secrets: Vec<Fr>,
    /// 48 bytes each.
    pub(crate) public: Vec<[u8; 48]>,
    pub(crate) aggregate: [u8; 48],
}

impl Keys {
    /// Committee number `number`, of `size` keys.
    pub(crate) fn new(number: u64, size: usize) -> Self {
        let secrets = (1..=size as u64).map(|index| Fr::from(1000 * number + index)).collect();
        Self::of(secrets)
    }

    /// A committee whose first `paired` keys cancel in pairs.
    pub(crate) fn cancelling(paired: u64, size: usize) -> Self {
        let pairs = (1..=paired / 2).flat_map(|index| [Fr::from(index), -Fr::from(index)]);
        Self::of(pairs.chain((1000_u64..).map(Fr::from)).take(size).collect())
    }

    /// The same committee, its last key that of its first.
    pub(crate) fn twice(mut self) -> Self {
        self.secrets.pop();
        self.secrets.push(self.secrets[0]);
        Self::of(self.secrets)
    }

    fn of(secrets: Vec<Fr>) -> Self {
        let points: Vec<G1Projective> =
            secrets.iter().map(|secret| G1Affine::generator() * secret).collect();
        let sum: G1Projective = points.iter().sum();
        Self {
            public: points.iter().map(|point| compressed(&point.into_affine())).collect(),
            aggregate: compressed(&sum.into_affine()),
            secrets,
        }
    }

    /// The first keys of a committee, and one made from them: whoever knows `own` signs for all.
    pub(crate) fn rogue(number: u64, size: usize, own: u64) -> Self {
        let mut secrets = Self::new(number, size).secrets;
        let others: Fr = secrets[1..].iter().sum();
        secrets[0] = Fr::from(own) - others;
        Self::of(secrets)
    }

    /// A proof of possession for each key, 96 bytes each; those of one set of keys are made once.
    pub(crate) fn proofs(&self) -> Vec<u8> {
        static MADE: Mutex<BTreeMap<Vec<[u8; 48]>, Vec<u8>>> = Mutex::new(BTreeMap::new());
        if let Some(made) = MADE.lock().unwrap().get(&self.public) {
            return made.clone();
        }
        let prove = |(secret, key): (&Fr, &[u8; 48])| prove(*secret, key);
        let proofs = self.secrets.iter().zip(&self.public).map(prove).collect::<Vec<_>>().concat();
        MADE.lock().unwrap().insert(self.public.clone(), proofs.clone());
        proofs
    }

    /// `keys ‖ aggregate`.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        [self.public.concat(), self.aggregate.to_vec()].concat()
    }

    /// `hash_tree_root(SyncCommittee)`, written out.
    pub(crate) fn root(&self) -> [u8; 32] {
        let key = |key: &[u8; 48]| sha256(&[key, &[0; 16]]).0;
        let mut nodes: Vec<[u8; 32]> = self.public.iter().map(key).collect();
        nodes.resize(nodes.len().next_power_of_two(), [0; 32]);
        while nodes.len() > 1 {
            nodes = nodes.chunks(2).map(|pair| sha256(&[&pair[0], &pair[1]]).0).collect();
        }
        sha256(&[&nodes[0], &key(&self.aggregate)]).0
    }

    /// The aggregate signature of those that `signs` names, and their bits.
    pub(crate) fn sign(&self, message: [u8; 32], signs: impl Fn(usize) -> bool) -> Signed {
        let mut bits = vec![0; self.secrets.len().div_ceil(8)];
        let mut secret = Fr::from(0_u64);
        for (index, key) in self.secrets.iter().enumerate().filter(|(index, _)| signs(*index)) {
            bits[index / 8] |= 1 << (index % 8);
            secret += key;
        }
        let signature = compressed(&(hash_to_g2(&message, CIPHERSUITE) * secret).into_affine());
        Signed { bits, signature }
    }
}

/// Bits and signature.
#[derive(Clone, Debug)]
pub(crate) struct Signed {
    pub(crate) bits: Vec<u8>,
    pub(crate) signature: [u8; 96],
}

/// Everyone signs.
pub(crate) fn all(_index: usize) -> bool {
    true
}

/// One who knows `secret` alone signs; the bits say that a whole committee of `size` did.
pub(crate) fn alone(secret: u64, message: [u8; 32], size: usize) -> Signed {
    let signature = hash_to_g2(&message, CIPHERSUITE) * Fr::from(secret);
    Signed { bits: vec![0xff; size / 8], signature: compressed(&signature.into_affine()) }
}

/// The proof of possession that whoever knows `secret` makes for a key.
pub(crate) fn prove(secret: Fr, key: &[u8; 48]) -> [u8; 96] {
    compressed(&(hash_to_g2(key, POSSESSION) * secret).into_affine())
}

fn hash_to_g2(message: &[u8], ciphersuite: &[u8]) -> G2Affine {
    type Hasher =
        MapToCurveBasedHasher<G2Projective, DefaultFieldHasher<sha2::Sha256>, WBMap<g2::Config>>;
    Hasher::new(ciphersuite).unwrap().hash(message).unwrap()
}

fn compressed<const N: usize>(point: &impl CanonicalSerialize) -> [u8; N] {
    let mut bytes = Vec::new();
    point.serialize_compressed(&mut bytes).unwrap();
    bytes.try_into().unwrap()
}

/// A point of G1's curve outside its subgroup.
pub(crate) fn stray_g1() -> [u8; 48] {
    let outside = |x: &u64| {
        G1Affine::get_point_from_x_unchecked(Fq::from(*x), false)
            .filter(|point| !point.is_in_correct_subgroup_assuming_on_curve())
    };
    compressed(&(1..).find_map(|x| outside(&x)).unwrap())
}

/// A point of G2's curve outside its subgroup.
pub(crate) fn stray_g2() -> [u8; 96] {
    let outside = |x: &u64| {
        G2Affine::get_point_from_x_unchecked(Fq2::from(*x), false)
            .filter(|point| !point.is_in_correct_subgroup_assuming_on_curve())
    };
    compressed(&(1..).find_map(|x| outside(&x)).unwrap())
}
