//! Openings of the top node, kept from proof to proof: every proof has one, and it takes a sum over
//! all of the node's slots.
//!
//! An opening is linear in the vector that it opens, so that an opening of another version of the
//! node moves by that of the difference: as many terms as slots have changed. Versions are known by
//! their commitments, never by block: what was written and given up, or belongs to another block of
//! the window, has another one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::CurveGroup as _;
use ark_ff::Zero as _;

use super::commitment::{Committer, Compressed};

/// Versions that are remembered. With k = 1,024 each takes 32 kB.
const VERSIONS: usize = 64;

/// Every slot of a node.
pub type Vector = Arc<Vec<Fr>>;

/// What is known of versions of the top node.
#[derive(Debug, Default)]
pub struct Openings(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By commitment, oldest first.
    versions: VecDeque<(Compressed, Vector)>,
    /// By digit: the newest opening, and the version that it opens.
    openings: BTreeMap<usize, (Compressed, G1Affine)>,
}

impl Known {
    fn version(&self, commitment: &Compressed) -> Option<Vector> {
        let mut versions = self.versions.iter();
        versions.find(|(known, _)| known == commitment).map(|(_, vector)| Arc::clone(vector))
    }
}

impl Openings {
    /// The version with this commitment, if it is remembered.
    pub fn version(&self, commitment: &Compressed) -> Option<Vector> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).version(commitment)
    }

    /// Opens a slot of the version `vector`, whose commitment is `commitment`.
    pub fn open(
        &self,
        committer: &dyn Committer,
        commitment: &Compressed,
        vector: &Vector,
        digit: usize,
    ) -> G1Affine {
        let known = self.start(digit);
        let opening = match known {
            Some((version, _, opening)) if version == *commitment => return opening,
            Some((_, old, opening)) => {
                let change: Vec<_> =
                    vector.iter().zip(old.iter()).map(|(new, old)| *new - old).collect();
                if occupied(&change) < occupied(vector) {
                    committer.open(&change, digit) + opening
                } else {
                    committer.open(vector, digit)
                }
            }
            None => committer.open(vector, digit),
        };
        let opening = opening.into_affine();
        self.keep(commitment, vector, digit, opening);
        opening
    }

    /// The opening to start from, with its version.
    fn start(&self, digit: usize) -> Option<(Compressed, Vector, G1Affine)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (version, opening) = known.openings.get(&digit)?;
        Some((*version, known.version(version)?, *opening))
    }

    fn keep(&self, commitment: &Compressed, vector: &Vector, digit: usize, opening: G1Affine) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version(commitment).is_none() {
            known.versions.push_back((*commitment, Arc::clone(vector)));
            if known.versions.len() > VERSIONS
                && let Some((forgotten, _)) = known.versions.pop_front()
            {
                known.openings.retain(|_, (version, _)| *version != forgotten);
            }
        }
        known.openings.insert(digit, (*commitment, opening));
    }
}

/// Slots that hold something.
pub fn occupied(vector: &[Fr]) -> usize {
    vector.iter().filter(|value| !value.is_zero()).count()
}
