//! A tree whose setup's secrets are known, so that commitments and openings are products of
//! scalars: no code of core's or the prover's is in it.

use std::collections::BTreeMap;

use ark_bls12_381::{Fr, G1Affine, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, Field, One, PrimeField, Zero};
use ark_serialize::CanonicalSerialize;
use lightproof_core::hash::sha256;
use lightproof_core::system::verkle::{Params, Verkle};
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{InputError, Presence, Rejection, Root, verify};
use lightproof_testkit::Rlp;

/// `cf` or `kzg`, its secrets and its public points.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) kind: &'static str,
    pub(crate) bits: usize,
    /// cf: every zᵢ; kzg: τ.
    pub(crate) secrets: Vec<Fr>,
    pub(crate) points: Vec<u8>,
}

pub(crate) fn g1(exponent: Fr) -> [u8; 48] {
    let mut out = [0; 48];
    let point = (G1Affine::generator() * exponent).into_affine();
    point.serialize_compressed(out.as_mut_slice()).unwrap();
    out
}

pub(crate) fn g2(exponent: Fr) -> [u8; 96] {
    let mut out = [0; 96];
    let point = (G2Affine::generator() * exponent).into_affine();
    point.serialize_compressed(out.as_mut_slice()).unwrap();
    out
}

impl Setup {
    pub(crate) fn new(kind: &'static str, bits: usize) -> Self {
        let draw = |index: u64| Fr::from(0x9e37_79b9_7f4a_7c15_u64 ^ index).pow([7 + index]);
        let count = if kind == "cf" { 1 << bits } else { 1 };
        Self::with_secrets(kind, bits, (0..count).map(draw).collect())
    }

    pub(crate) fn with_secrets(kind: &'static str, bits: usize, secrets: Vec<Fr>) -> Self {
        let points = if kind == "cf" {
            let h = secrets.iter().flat_map(|secret| g1(*secret));
            h.chain(secrets.iter().flat_map(|secret| g2(*secret))).collect()
        } else {
            [&g1(Fr::one())[..], &g2(Fr::one()), &g2(secrets[0])].concat()
        };
        Self { kind, bits, secrets, points }
    }

    pub(crate) fn k(&self) -> usize {
        1 << self.bits
    }

    fn tag(&self, name: &str) -> String {
        format!("KVT-{}-v1{name}", self.kind.to_uppercase())
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        let k = u32::try_from(self.k()).unwrap().to_be_bytes();
        sha256(&[self.tag("").as_bytes(), &k, &self.points]).0
    }

    pub(crate) fn format(&self) -> String {
        format!("verkle/{}-{}", self.kind, self.k())
    }

    pub(crate) fn params(&self) -> Result<Params, InputError> {
        let config = Rlp::list([Rlp::str(self.format()), Rlp::str(self.digest())]).encode();
        Verkle::params(&SystemConfig::from_rlp(&config)?, &self.points)
    }

    fn scalar(&self, name: &str, message: &[u8]) -> Fr {
        expand(self.tag(name).as_bytes(), message)
    }

    pub(crate) fn leaf(&self, key: &[u8; 32], value: &[u8; 32]) -> Fr {
        self.scalar("/leaf", &[*key, *value].concat())
    }

    pub(crate) fn inner(&self, commitment: &[u8; 48]) -> Fr {
        self.scalar("/inner-node", commitment)
    }

    pub(crate) fn place(&self, digit: usize) -> Fr {
        let exponent = (-Fr::one()).into_bigint().0;
        // (r − 1)/k.
        let mut exponent = ark_ff::BigInt::<4>(exponent);
        for _ in 0..self.bits {
            exponent.div2();
        }
        Fr::from(7_u64).pow(exponent).pow([digit as u64])
    }

    /// Exponent of a vector's commitment.
    pub(crate) fn commit(&self, slots: &BTreeMap<usize, Fr>) -> Fr {
        let term = |(digit, scalar): (&usize, &Fr)| {
            *scalar
                * if self.kind == "cf" {
                    self.secrets[*digit]
                } else {
                    let (tau, place) = (self.secrets[0], self.place(*digit));
                    let k = Fr::from(self.k() as u64);
                    place * (tau.pow([self.k() as u64]) - Fr::one()) / (k * (tau - place))
                }
        };
        slots.iter().map(term).sum()
    }

    /// Exponent of the opening of a slot to `scalar`: for a false one, what only who knows the
    /// secrets can make.
    pub(crate) fn open(&self, commitment: Fr, digit: usize, scalar: Fr) -> Fr {
        if self.kind == "cf" {
            let secret = self.secrets[digit];
            secret * (commitment - scalar * secret)
        } else {
            (commitment - scalar) / (self.secrets[0] - self.place(digit))
        }
    }
}

/// RFC 9380 §5.3.1 with SHA-256, 48 bytes modulo r.
fn expand(tag: &[u8], message: &[u8]) -> Fr {
    let tag = [tag, &[u8::try_from(tag.len()).unwrap()]].concat();
    let first = sha256(&[&[0; 64], message, &[0, 48, 0], &tag]).0;
    let second = sha256(&[&first, &[1], &tag]).0;
    let mixed: Vec<u8> = first.iter().zip(second).map(|(a, b)| a ^ b).collect();
    let third = sha256(&[&mixed, &[2], &tag]).0;
    let big_endian = [&second[..], &third[..16]].concat();
    Fr::from_be_bytes_mod_order(&big_endian)
}

pub(crate) fn digit(hash: &[u8; 32], level: usize, bits: usize) -> usize {
    let all: Vec<usize> = hash
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| usize::from(byte >> bit & 1)))
        .collect();
    all[level * bits..(level + 1) * bits].iter().fold(0, |digit, bit| 2 * digit + bit)
}

/// What a slot holds.
#[derive(Clone, Debug)]
pub(crate) enum Child {
    Leaf([u8; 32], [u8; 32]),
    Node(Box<Node>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) children: BTreeMap<usize, Child>,
    pub(crate) slots: BTreeMap<usize, Fr>,
    pub(crate) exponent: Fr,
    pub(crate) bytes: Vec<u8>,
}

/// A map, committed to.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) setup: Setup,
    pub(crate) map: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(crate) top: Node,
}

impl Tree {
    pub(crate) fn new(setup: &Setup, map: BTreeMap<Vec<u8>, Vec<u8>>) -> Self {
        let leaves: Vec<_> =
            map.iter().map(|(key, value)| (sha256(&[key]).0, sha256(&[value]).0)).collect();
        let top = node(setup, &leaves, 0);
        Self { setup: setup.clone(), map, top }
    }

    pub(crate) fn root(&self) -> [u8; 48] {
        self.top.bytes.clone().try_into().unwrap()
    }

    /// The honest answer for one key.
    pub(crate) fn show(&self, key: &[u8]) -> Shown {
        let hash = sha256(&[key]).0;
        let value = self.map.get(key).cloned();
        let mut shown = Shown {
            key: key.to_vec(),
            value: value.clone().unwrap_or_default(),
            levels: 0,
            terminal: 1,
            nodes: vec![],
            openings: vec![],
            other: None,
            said: vec![],
        };
        if self.map.is_empty() {
            return shown;
        }
        let mut at = &self.top;
        loop {
            let digit = digit(&hash, usize::from(shown.levels), self.setup.bits);
            let scalar = at.slots.get(&digit).copied().unwrap_or_default();
            shown.levels += 1;
            shown.openings.push(self.setup.open(at.exponent, digit, scalar));
            shown.said.push((at.bytes.clone(), digit, scalar));
            match at.children.get(&digit) {
                None => shown.terminal = 1,
                Some(Child::Leaf(found, _)) if *found == hash => shown.terminal = 0,
                Some(Child::Leaf(found, value)) => {
                    shown.terminal = 2;
                    shown.other = Some((*found, *value));
                }
                Some(Child::Node(node)) => {
                    shown.nodes.push(node.bytes.clone());
                    at = node;
                    continue;
                }
            }
            return shown;
        }
    }
}

fn node(setup: &Setup, leaves: &[([u8; 32], [u8; 32])], level: usize) -> Node {
    let mut below: BTreeMap<usize, Vec<_>> = BTreeMap::new();
    for leaf in leaves {
        below.entry(digit(&leaf.0, level, setup.bits)).or_default().push(*leaf);
    }
    let mut made = Node::default();
    for (digit, leaves) in below {
        let (child, scalar) = if let [(key, value)] = leaves.as_slice() {
            (Child::Leaf(*key, *value), setup.leaf(key, value))
        } else {
            let node = node(setup, &leaves, level + 1);
            let scalar = setup.inner(&node.bytes.clone().try_into().unwrap());
            (Child::Node(Box::new(node)), scalar)
        };
        made.children.insert(digit, child);
        made.slots.insert(digit, scalar);
    }
    made.exponent = setup.commit(&made.slots);
    made.bytes = g1(made.exponent).to_vec();
    made
}

/// What is shown of one key; openings by their exponents.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) key: Vec<u8>,
    pub(crate) value: Vec<u8>,
    pub(crate) levels: u8,
    pub(crate) terminal: u8,
    pub(crate) nodes: Vec<Vec<u8>>,
    pub(crate) openings: Vec<Fr>,
    pub(crate) other: Option<([u8; 32], [u8; 32])>,
    /// Commitment, digit and scalar of every level.
    pub(crate) said: Vec<(Vec<u8>, usize, Fr)>,
}

impl Shown {
    pub(crate) fn path(&self) -> Vec<u8> {
        let mut out = vec![self.levels, self.terminal];
        out.extend(self.nodes.concat());
        out.extend(self.openings.iter().flat_map(|opening| g1(*opening)));
        out.extend(self.other.iter().flat_map(|(key, value)| [*key, *value].concat()));
        out
    }
}

pub(crate) fn query(keys: &[&[u8]]) -> Vec<u8> {
    Rlp::strings(keys).encode()
}

/// A `plain` proof.
pub(crate) fn plain(shown: &[Shown]) -> Vec<u8> {
    let pairs = shown.iter().flat_map(|one| [Rlp::str(&one.value), Rlp::Str(one.path())]);
    Rlp::list(pairs).encode()
}

/// Seed and coefficients of an `aggregated` proof.
pub(crate) fn weights(setup: &Setup, shown: &[Shown]) -> ([u8; 32], Vec<Fr>) {
    let said: Vec<_> = shown.iter().flat_map(|one| &one.said).collect();
    let mut bytes = b"KVT-aggregated-v1".to_vec();
    bytes.extend(setup.digest());
    bytes.extend((setup.k() as u32).to_be_bytes());
    bytes.extend((said.len() as u32).to_be_bytes());
    for (commitment, digit, scalar) in &said {
        bytes.extend(commitment);
        bytes.extend((*digit as u16).to_be_bytes());
        bytes.extend(scalar.into_bigint().to_bytes_be());
    }
    let seed = sha256(&[&bytes]).0;
    let weight = |index: u32| {
        let digest = sha256(&[&seed, &index.to_be_bytes()]).0;
        Fr::from(u128::from_be_bytes(digest[..16].try_into().unwrap()))
    };
    let count = said.len() as u32;
    let all = (0..count).map(|index| if index == 0 { Fr::one() } else { weight(index) });
    (seed, all.collect())
}

/// The opening of an `aggregated` proof.
pub(crate) fn opening(tree: &Tree, shown: &[Shown]) -> Vec<u8> {
    let setup = &tree.setup;
    let (seed, weights) = weights(setup, shown);
    let openings: Vec<Fr> = shown.iter().flat_map(|one| one.openings.clone()).collect();
    if openings.is_empty() {
        return vec![];
    }
    let sum: Fr = openings.iter().zip(&weights).map(|(opening, weight)| *opening * weight).sum();
    if setup.kind == "cf" {
        return g1(sum).to_vec();
    }
    let z = Fr::from_be_bytes_mod_order(&sha256(&[&seed, &g1(sum)]).0);
    // F(τ) = Σ ρ/(z − ω)·(f(τ) − m) − g(τ); f(τ) − m is the opening times τ − ω.
    let tau = setup.secrets[0];
    let said = shown.iter().flat_map(|one| &one.said);
    let total: Fr = said
        .zip(&openings)
        .zip(&weights)
        .map(|(((_, digit, _), opening), weight)| {
            let place = setup.place(*digit);
            *weight * *opening * (tau - place) / (z - place)
        })
        .sum();
    [g1(sum), g1((total - sum) / (tau - z))].concat()
}

/// Paths of an `aggregated` proof: without openings, and each node once.
pub(crate) fn short_paths(setup: &Setup, shown: &[Shown]) -> Vec<Vec<u8>> {
    let mut known = BTreeMap::new();
    let mut paths = Vec::new();
    for one in shown {
        let hash = sha256(&[&one.key]).0;
        let mut short = Shown { openings: vec![], nodes: vec![], ..one.clone() };
        for (index, node) in one.nodes.iter().enumerate() {
            let place: Vec<_> = (0..=index).map(|level| digit(&hash, level, setup.bits)).collect();
            if known.insert(place, node.clone()).is_none() {
                short.nodes.push(node.clone());
            }
        }
        paths.push(short.path());
    }
    paths
}

/// An `aggregated` proof.
pub(crate) fn aggregated(tree: &Tree, shown: &[Shown]) -> Vec<u8> {
    let paths = short_paths(&tree.setup, shown);
    let pairs = shown.iter().zip(paths);
    let mut items: Vec<_> =
        pairs.flat_map(|(one, path)| [Rlp::str(&one.value), Rlp::Str(path)]).collect();
    items.push(Rlp::Str(opening(tree, shown)));
    Rlp::list(items).encode()
}

/// What core makes of one proof.
pub(crate) fn judge(
    params: &Params,
    root: &[u8],
    keys: &[&[u8]],
    variant: &str,
    proof: &[u8],
) -> Result<Vec<Presence<Vec<u8>>>, Rejection> {
    let root = Root::<Verkle>::pinned(params, root, 0)?;
    let query = query(keys);
    let claim = lightproof_core::Claim { root: &root, query: &query, variant, proof };
    let proven = verify(params, &[claim], [3; 32], &mut ()).remove(0)?;
    let answers = proven.fact().answers.iter();
    Ok(answers.map(|(_, answer)| answer.clone()).collect())
}

/// A map of `count` keys.
pub(crate) fn map(count: usize) -> BTreeMap<Vec<u8>, Vec<u8>> {
    (0..count).map(|index| (key(index), format!("value{index}").into_bytes())).collect()
}

pub(crate) fn key(index: usize) -> Vec<u8> {
    format!("key{index}").into_bytes()
}

/// Every tree that the tests know, with a hundred keys.
pub(crate) fn trees() -> Vec<Tree> {
    let kinds = [("cf", 5), ("cf", 8), ("kzg", 5), ("kzg", 8), ("kzg", 10)];
    kinds.map(|(kind, bits)| Tree::new(&Setup::new(kind, bits), map(100))).into()
}

impl Default for Tree {
    fn default() -> Self {
        let top = Node { bytes: g1(Fr::zero()).to_vec(), ..Node::default() };
        Self { setup: Setup::new("kzg", 8), map: BTreeMap::new(), top }
    }
}
