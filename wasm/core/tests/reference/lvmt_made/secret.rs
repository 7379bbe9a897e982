//! Commitments and openings of AMTs over a τ that is known: every point is one multiple of a
//! generator, so a node is a sum over its leaves and its proof a quotient, both of scalars.

use std::collections::BTreeMap;

use ark_bn254::{Fq, Fr, G1Projective, G2Projective};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{BigInteger, FftField, Field, One, PrimeField, Zero};
use serde_json::{Value, json};

pub(super) const K: u32 = 16;
const N: u64 = 1 << K;

/// Versions at a leaf: of the AMT below, then of five keys.
pub(super) type Versions = [u64; 6];
/// Leaves of an AMT that are not zero.
pub(super) type Leaves = BTreeMap<u32, Versions>;

pub(super) struct Secret {
    tau: Fr,
    omega: Fr,
}

impl Secret {
    pub(super) fn new(seed: u64) -> Self {
        let tau = Fr::from(seed).pow([0x1234_5677]);
        Self { tau, omega: Fr::get_root_of_unity(N).unwrap() }
    }

    /// `params_n65536.json`, as far as a verifier needs it.
    pub(super) fn params(&self) -> Value {
        let power = |j| point_g2(G2Projective::generator() * self.tau.pow([1_u64 << j]));
        json!({ "k": K, "n": N, "tau_pow2_g2": (0..=K).map(power).collect::<Vec<_>>() })
    }

    /// Of node (d, t), the leaves ≡ t mod 2ᵈ.
    pub(super) fn node(&self, leaves: &Leaves, d: u32, t: u32) -> Fr {
        let inside = leaves.iter().filter(|(leaf, _)| *leaf % (1 << d) == t);
        inside.map(|(leaf, versions)| entry(versions) * self.lagrange(*leaf)).sum()
    }

    /// Its proof: that it is zero at all other leaves.
    pub(super) fn batch(&self, leaves: &Leaves, d: u32, t: u32) -> Fr {
        let m = N >> d;
        let own = self.tau.pow([m]) - self.omega.pow([u64::from(t) * m]);
        self.node(leaves, d, t) * own / (self.tau.pow([N]) - Fr::one())
    }

    fn lagrange(&self, leaf: u32) -> Fr {
        let x = self.omega.pow([u64::from(leaf)]);
        x * (self.tau.pow([N]) - Fr::one()) / (Fr::from(N) * (self.tau - x))
    }

    /// The nodes beside a leaf's path, and their proofs; that nearest the root first.
    pub(super) fn siblings(&self, leaves: &Leaves, index: u32) -> impl Iterator<Item = [Fr; 2]> {
        (1..=K).map(move |d| {
            let sibling = (index % (1 << d)) ^ (1 << (d - 1));
            [self.node(leaves, d, sibling), self.batch(leaves, d, sibling)]
        })
    }

    /// What a proof holds of a leaf.
    pub(super) fn open(&self, leaves: &Leaves, index: u32) -> Value {
        let versions = leaves.get(&index).copied().unwrap_or_default();
        let siblings = self.siblings(leaves, index).map(|both| both.map(point));
        let path = (1..=K).map(|d| point(self.batch(leaves, d, index % (1 << d))));
        json!({
            "index": index,
            "commitment": point(self.node(leaves, 0, 0)),
            "node_value": plain_hex(&packed(&versions)),
            "node_versions": versions,
            "amt_siblings": siblings.collect::<Vec<_>>(),
            "amt_path_h": path.collect::<Vec<_>>(),
        })
    }
}

/// Six versions of 40 bits as one integer, the first one lowest.
fn packed(versions: &Versions) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (version, at) in versions.iter().rev().zip((2..).step_by(5)) {
        bytes[at..at + 5].copy_from_slice(&version.to_be_bytes()[3..]);
    }
    bytes
}

fn entry(versions: &Versions) -> Fr {
    Fr::from_be_bytes_mod_order(&packed(versions))
}

/// x ‖ y of a multiple of the generator; zeros for the identity.
pub(super) fn coordinates(scalar: Fr) -> [[u8; 32]; 2] {
    let affine = (G1Projective::generator() * scalar).into_affine();
    affine.xy().map_or([[0; 32]; 2], |(x, y)| [big_endian(x), big_endian(y)])
}

pub(super) fn point(scalar: Fr) -> String {
    plain_hex(coordinates(scalar).as_flattened())
}

/// A point whose x is written as x + p.
pub(super) fn unreduced(scalar: Fr) -> String {
    let affine = (G1Projective::generator() * scalar).into_affine();
    let (x, y) = affine.xy().unwrap();
    let mut wide = x.into_bigint();
    assert!(!wide.add_with_carry(&Fq::MODULUS));
    plain_hex(&[wide.to_bytes_be(), big_endian(y).to_vec()].concat())
}

fn point_g2(point: G2Projective) -> String {
    let (x, y) = point.into_affine().xy().unwrap();
    plain_hex([x.c1, x.c0, y.c1, y.c0].map(big_endian).as_flattened())
}

fn big_endian(field: Fq) -> [u8; 32] {
    field.into_bigint().to_bytes_be().try_into().unwrap()
}

pub(super) fn plain_hex(bytes: &[u8]) -> String {
    lightproof_testkit::hex::encode(bytes).trim_start_matches("0x").to_owned()
}

pub(super) fn little_endian(scalar: Fr) -> Vec<u8> {
    assert!(!scalar.is_zero(), "the identity is in no proof");
    coordinates(scalar).iter().flat_map(|coordinate| coordinate.iter().rev().copied()).collect()
}
