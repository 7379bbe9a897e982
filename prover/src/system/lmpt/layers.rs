//! The layers, block by block (the paper's Fig. 9).
//!
//! After the writes of block h with h mod I = 0: the merge that began at h - I ends, its result
//! becomes the snapshot, the delta becomes the intermediate layer, an empty one takes its place,
//! and the next merge begins. Only then are the roots of h taken. So roots depend on blocks alone,
//! however long a merge takes, and a view's three layers are always those of one block.

use super::config::{Config, Format};
use super::merge::{Key, Writes};
use super::tree::Tree;
use super::tree::stored::Records;
use super::{conflux, payload};
use crate::error::StoreError;
use crate::hash::{EMPTY_ROOT, Word, keccak256};
use crate::trie::nibbles::unpack;

/// Snapshot, intermediate, delta.
pub type Roots = [Word; 3];

/// The layers after one block.
#[derive(Clone, Debug)]
pub struct View {
    /// The block.
    pub block: u64,
    /// What the header commits to.
    pub roots: Roots,
    /// `lmpt/conflux`: the roots one interval before, once there are.
    pub previous: Option<Roots>,
    /// Writes since the last boundary.
    pub delta: Tree,
    /// Writes of the interval before.
    pub intermediate: Tree,
    /// `lmpt/conflux`: everything older; `lmpt/1` has it in the database.
    pub snapshot: Option<Tree>,
}

impl View {
    /// The bytes in the header: R, or for `lmpt/conflux` the hashes of this block's roots and of
    /// those one interval before.
    pub fn commitment(&self) -> Vec<u8> {
        let previous = self.previous.iter().flat_map(|roots| keccak256(&roots.concat()));
        keccak256(&self.roots.concat()).into_iter().chain(previous).collect()
    }

    /// The newest write of a key that the layers above the snapshot hold; the inner `None` is a
    /// deletion.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub fn written(
        &mut self,
        format: Format,
        key: &Key,
        records: &impl Records,
    ) -> Result<Option<Option<Vec<u8>>>, StoreError> {
        let keys = match format {
            Format::Layered => [Some(keccak256(key).to_vec()), Some(keccak256(key).to_vec())],
            Format::Conflux => self.padded(&conflux::snapshot_key(key)),
        };
        for (layer, key) in [&mut self.delta, &mut self.intermediate].into_iter().zip(keys) {
            let Some(key) = key else { continue };
            layer.load(&unpack(&key), records)?;
            if let Some(payload) = layer.get(&key) {
                let value = match format {
                    Format::Layered => payload.get(1..).unwrap_or_default(),
                    Format::Conflux => payload,
                };
                return Ok(Some(Some(value.to_vec()).filter(|value| !value.is_empty())));
            }
        }
        Ok(None)
    }

    /// `lmpt/conflux`: a snapshot key as the delta and the intermediate layer store it.
    pub fn padded(&self, key: &[u8]) -> [Option<Vec<u8>>; 2] {
        let below = |roots: &Roots| conflux::padded(&conflux::padding(roots), key);
        [Some(below(&self.roots)), self.previous.as_ref().map(below)]
    }

    /// Reads all nodes of the layers above the snapshot.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub fn load_all(&mut self, records: &impl Records) -> Result<(), StoreError> {
        self.delta.load_all(records)?;
        self.intermediate.load_all(records)
    }
}

/// The newest layers.
#[derive(Debug)]
pub(super) struct Layers {
    config: Config,
    pub(super) delta: Tree,
    pub(super) intermediate: Tree,
    pub(super) snapshot: Snapshot,
    /// What scatters the delta's keys.
    padding: Word,
}

/// The snapshot under the newest layers.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) root: Word,
    /// `lmpt/conflux`: everything that it holds.
    pub(super) tree: Option<Tree>,
}

impl Layers {
    /// Layers of which two lie above a snapshot.
    pub(super) fn new(config: Config, snapshot: Snapshot, intermediate: Tree, delta: Tree) -> Self {
        let mut layers = Self { config, delta, intermediate, snapshot, padding: [0; 32] };
        // The delta's root takes no part in it: it is the same until the layers move on.
        layers.padding = conflux::padding(&layers.roots());
        layers
    }

    /// A snapshot with nothing above it.
    pub(super) fn above(config: Config, snapshot: Snapshot) -> Self {
        Self::new(config, snapshot, Tree::new(config.format), Tree::new(config.format))
    }

    pub(super) fn roots(&self) -> Roots {
        [self.snapshot.root, self.intermediate.root(), self.delta.root()]
    }

    /// A block's writes; a deletion always leaves a tombstone.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub(super) fn write(
        &mut self,
        writes: &Writes,
        records: &impl Records,
    ) -> Result<(), StoreError> {
        for (key, value) in writes {
            let (key, value) = match self.config.format {
                Format::Layered => (keccak256(key).to_vec(), payload(value.as_ref())),
                Format::Conflux => {
                    let key = conflux::padded(&self.padding, &conflux::snapshot_key(key));
                    (key, value.map_or(Vec::new(), |value| value.to_vec()))
                }
            };
            self.delta.set(&key, value, records)?;
        }
        Ok(())
    }

    /// `merge_update` of Fig. 8.
    pub(super) fn rotate(&mut self, snapshot: Snapshot) {
        self.snapshot = snapshot;
        self.intermediate = std::mem::replace(&mut self.delta, Tree::new(self.config.format));
        self.padding = conflux::padding(&self.roots());
    }

    pub(super) fn view(&self, block: u64, previous: Option<Roots>) -> View {
        View {
            block,
            roots: self.roots(),
            previous: previous.filter(|_| self.config.format == Format::Conflux),
            delta: self.delta.clone(),
            intermediate: self.intermediate.clone(),
            snapshot: self.snapshot.tree.clone(),
        }
    }
}

/// A snapshot without keys.
pub(super) fn no_snapshot(config: &Config) -> Snapshot {
    let tree = (config.format == Format::Conflux).then(|| Tree::new(config.format));
    Snapshot { root: tree.as_ref().map_or(EMPTY_ROOT, Tree::root), tree }
}
