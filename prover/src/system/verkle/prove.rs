//! Proofs: the way to every key, with openings made on the spot.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::CurveGroup as _;

use super::commitment::{
    Claim, Committer, Compressed, Opened, coefficient, compress, digit, scalar_bytes,
};
use super::openings::{Openings, Vector};
use super::slots::{Held, Place, VALUES, View};
use crate::error::StoreError;
use crate::hash::{Word, sha256};
use crate::rlp::{self, Item};
use crate::store::Read;

/// Name of the variant with one opening for everything.
pub const AGGREGATED: &str = "aggregated";

/// Most keys in a query.
const MAX_KEYS: usize = 1_024;
/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1_024;

/// Reads RLP `[key, …]`; `None` if it is no query.
pub fn decode(query: &[u8]) -> Option<Vec<Vec<u8>>> {
    let item = rlp::decode(query).ok()?;
    let items = item.as_list().filter(|items| (1..=MAX_KEYS).contains(&items.len()))?;
    let mut keys: Vec<Vec<u8>> = Vec::new();
    for item in items {
        let key = item.as_bytes().filter(|key| (1..=MAX_KEY_BYTES).contains(&key.len()))?;
        if keys.iter().any(|other| other == key) {
            return None;
        }
        keys.push(key.to_vec());
    }
    Some(keys)
}

/// The query's bytes.
pub fn encode<K: AsRef<[u8]>>(keys: &[K]) -> Vec<u8> {
    Item::List(keys.iter().map(Item::bytes).collect()).encode()
}

/// What is shown of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// SHA-256 of the key.
    pub hash: Word,
    /// Its value; empty if it is absent.
    pub value: Vec<u8>,
    /// 0 present, 1 an empty slot, 2 another leaf.
    pub terminal: u8,
    /// The other leaf: hashes of its key and value.
    pub other: Option<(Word, Word)>,
    /// Every level: node, digit, scalar.
    pub levels: Vec<Level>,
}

/// One level of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The node's place.
    pub place: Place,
    /// Its commitment.
    pub commitment: Compressed,
    /// The slot that is opened.
    pub digit: usize,
    /// What it holds.
    pub scalar: Fr,
}

/// A tree after a block, with the nodes that were read so far.
#[derive(Debug)]
pub struct Prover<'a> {
    committer: &'a dyn Committer,
    top: &'a Openings,
    store: &'a dyn Read,
    slots: View<'a>,
    block: u64,
    vectors: BTreeMap<Place, Vector>,
    openings: BTreeMap<(Place, usize), G1Affine>,
}

impl<'a> Prover<'a> {
    /// The tree after `block`.
    ///
    /// * `top`: what other proofs left.
    pub fn new(
        committer: &'a dyn Committer,
        top: &'a Openings,
        store: &'a dyn Read,
        block: u64,
    ) -> Self {
        Self {
            committer,
            top,
            store,
            slots: View::new(store, block),
            block,
            vectors: BTreeMap::new(),
            openings: BTreeMap::new(),
        }
    }

    /// The way to a key.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn path(&self, key: &[u8]) -> Result<Path, StoreError> {
        let hash = sha256(&[key]);
        let mut path = Path { hash, value: vec![], terminal: 1, other: None, levels: vec![] };
        let Some((mut commitment, _)) = self.slots.top()? else { return Ok(path) };
        loop {
            let level = path.levels.len();
            let place = Place::on_way(&hash, level, self.committer.bits());
            let digit = digit(&hash, level, self.committer.bits());
            let slot = self.slots.slot(&place, digit)?;
            let scalar = slot.map_or_else(Fr::default, |slot| slot.scalar);
            path.levels.push(Level { place, commitment: compress(&commitment), digit, scalar });
            match slot.map(|slot| slot.held) {
                None => {}
                Some(Held::Node(below, _)) => {
                    commitment = below;
                    continue;
                }
                Some(Held::Leaf(found, _)) if found == hash => {
                    path.terminal = 0;
                    path.value = self.value(&hash)?;
                }
                Some(Held::Leaf(found, value)) => {
                    path.terminal = 2;
                    path.other = Some((found, value));
                }
            }
            return Ok(path);
        }
    }

    /// A value, behind the byte that tells an empty one from none.
    fn value(&self, hash: &Word) -> Result<Vec<u8>, StoreError> {
        let stored = self.store.newest(VALUES, hash, self.block)?;
        let stored = stored.ok_or(StoreError::Corrupt("a leaf of verkle has no value"))?;
        Ok(stored.value.get(1..).unwrap_or_default().to_vec())
    }

    fn vector(&mut self, level: &Level) -> Result<Vector, StoreError> {
        if let Some(vector) = self.vectors.get(&level.place) {
            return Ok(Arc::clone(vector));
        }
        let known = if level.place.is_top() { self.top.version(&level.commitment) } else { None };
        let vector = match known {
            Some(vector) => vector,
            None => Arc::new(self.read(&level.place)?),
        };
        self.vectors.insert(level.place.clone(), Arc::clone(&vector));
        Ok(vector)
    }

    fn read(&self, place: &Place) -> Result<Vec<Fr>, StoreError> {
        let mut vector = vec![Fr::default(); self.committer.k()];
        for (digit, slot) in self.slots.all(place)? {
            if let Some(scalar) = vector.get_mut(digit) {
                *scalar = slot.scalar;
            }
        }
        Ok(vector)
    }

    /// The opening of one level.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn opening(&mut self, level: &Level) -> Result<G1Affine, StoreError> {
        let slot = (level.place.clone(), level.digit);
        if let Some(opening) = self.openings.get(&slot) {
            return Ok(*opening);
        }
        let vector = self.vector(level)?;
        let opening = if level.place.is_top() {
            self.top.open(self.committer, &level.commitment, &vector, level.digit)
        } else {
            self.committer.open(&vector, level.digit).into_affine()
        };
        self.openings.insert(slot, opening);
        Ok(opening)
    }

    /// The opening of all levels of all paths, in the form that travels; empty if there are none.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn aggregate(&mut self, paths: &[Path]) -> Result<Vec<u8>, StoreError> {
        let levels: Vec<&Level> = paths.iter().flat_map(|path| &path.levels).collect();
        if levels.is_empty() {
            return Ok(vec![]);
        }
        let seed = seed(self.committer, &levels);
        let vectors = levels.iter().map(|level| self.vector(level));
        let vectors = vectors.collect::<Result<Vec<_>, _>>()?;
        let claims: Vec<_> = levels
            .iter()
            .zip(&vectors)
            .enumerate()
            .map(|(index, (level, vector))| Claim {
                vector,
                digit: level.digit,
                coefficient: coefficient(&seed, index),
            })
            .collect();
        if let Some(aggregate) = self.committer.aggregate_unopened(&claims, &seed) {
            return Ok(aggregate);
        }
        let mut opened = Vec::new();
        for (level, Claim { digit, coefficient, .. }) in levels.into_iter().zip(claims) {
            opened.push(Opened { opening: self.opening(level)?, digit, coefficient });
        }
        Ok(self.committer.aggregate(&opened, &seed))
    }

    /// The proof for keys: RLP `[value, path, …]`, and the opening after them if there is one for
    /// all.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn prove(&mut self, keys: &[Vec<u8>], aggregated: bool) -> Result<Vec<u8>, StoreError> {
        let paths: Vec<_> = keys.iter().map(|key| self.path(key)).collect::<Result<_, _>>()?;
        let mut items = Vec::new();
        let mut known = BTreeSet::new();
        for path in &paths {
            let mut openings = Vec::new();
            let mut nodes = Vec::new();
            for (index, level) in path.levels.iter().enumerate() {
                if !aggregated {
                    openings.push(compress(&self.opening(level)?));
                }
                let first = known.insert(level.place.clone());
                if index > 0 && (first || !aggregated) {
                    nodes.push(level.commitment);
                }
            }
            items.push(Item::bytes(&path.value));
            items.push(Item::Bytes(encode_path(path, &nodes, &openings)));
        }
        if aggregated {
            items.push(Item::Bytes(self.aggregate(&paths)?));
        }
        Ok(Item::List(items).encode())
    }
}

/// `t ‖ terminal ‖ C₁ … ‖ π₀ … ‖ [kh' ‖ vh']`.
pub fn encode_path(path: &Path, nodes: &[Compressed], openings: &[Compressed]) -> Vec<u8> {
    let levels = u8::try_from(path.levels.len()).unwrap_or(u8::MAX);
    let mut out = vec![levels, path.terminal];
    out.extend(nodes.concat());
    out.extend(openings.concat());
    out.extend(path.other.iter().flat_map(|(key, value)| [*key, *value].concat()));
    out
}

/// What the coefficients of an aggregate are made from.
pub fn seed(committer: &dyn Committer, levels: &[&Level]) -> Word {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
    let mut bytes = Vec::new();
    for Level { commitment, digit, scalar, .. } in levels {
        bytes.extend_from_slice(commitment);
        bytes.extend_from_slice(&u16::try_from(*digit).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend_from_slice(&scalar_bytes(*scalar));
    }
    let (k, count) = (number(committer.k()), number(levels.len()));
    sha256(&[b"KVT-aggregated-v1", &committer.digest(), &k, &count, &bytes])
}
