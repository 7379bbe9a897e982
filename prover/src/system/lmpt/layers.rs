//! The layers, block by block (the paper's Fig. 9).
//!
//! After the writes of block h with h mod I = 0: the merge that began at h - I ends, its result
//! becomes the snapshot, the delta becomes the intermediate layer, an empty one takes its place,
//! and the next merge begins. Only then are the roots of h taken. So roots depend on blocks alone,
//! however long a merge takes, and a view's three layers are always those of one block.

use std::sync::Arc;

use super::config::{Config, Format};
use super::merge::{Key, Merged, Writes};
use super::tree::Tree;
use super::{conflux, payload};
use crate::hash::{EMPTY_ROOT, Word, keccak256};

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

    /// The newest write of a key that the layers in memory hold; the inner `None` is a deletion.
    pub fn written(&self, format: Format, key: &Key) -> Option<Option<Vec<u8>>> {
        let payload = match format {
            Format::Layered => {
                let key = keccak256(key);
                self.delta.get(&key).or_else(|| self.intermediate.get(&key))?.split_first()?.1
            }
            Format::Conflux => {
                let key = conflux::snapshot_key(key);
                let of = |roots: &Roots| conflux::padded(&conflux::padding(roots), &key);
                let before = || self.intermediate.get(&of(self.previous.as_ref()?));
                self.delta.get(&of(&self.roots)).or_else(before)?
            }
        };
        Some(Some(payload.to_vec()).filter(|value| !value.is_empty()))
    }
}

/// The newest layers, and the writes that they hold.
#[derive(Debug)]
pub(super) struct Layers {
    config: Config,
    delta: Tree,
    intermediate: Tree,
    pub(super) snapshot: Merged,
    delta_writes: Writes,
    pub(super) intermediate_writes: Arc<Writes>,
    /// What scatters the delta's keys.
    padding: Word,
}

impl Layers {
    /// Layers above a snapshot.
    pub(super) fn above(config: Config, snapshot: Merged) -> Self {
        let mut layers = Self {
            config,
            delta: Tree::new(config.format),
            intermediate: Tree::new(config.format),
            snapshot,
            delta_writes: Writes::new(),
            intermediate_writes: Arc::default(),
            padding: [0; 32],
        };
        layers.padding = conflux::padding(&layers.roots());
        layers
    }

    pub(super) fn roots(&self) -> Roots {
        [self.snapshot.root, self.intermediate.root(), self.delta.root()]
    }

    /// Takes over writes that an older run of this process or another one made the intermediate
    /// layer of.
    pub(super) fn with_intermediate(mut self, writes: Writes, padding: Word) -> Self {
        self.padding = padding;
        self.write(writes);
        let snapshot = self.snapshot.clone();
        self.rotate(snapshot);
        self
    }

    /// A block's writes; a deletion always leaves a tombstone.
    pub(super) fn write(&mut self, writes: impl IntoIterator<Item = (Key, Option<Word>)>) {
        for (key, value) in writes {
            match self.config.format {
                Format::Layered => self.delta.insert(&keccak256(&key), payload(value.as_ref())),
                Format::Conflux => {
                    let key = conflux::padded(&self.padding, &conflux::snapshot_key(&key));
                    self.delta.insert(&key, value.map_or(Vec::new(), |value| value.to_vec()));
                }
            }
            self.delta_writes.insert(key, value);
        }
    }

    /// `merge_update` of Fig. 8.
    pub(super) fn rotate(&mut self, snapshot: Merged) {
        self.snapshot = snapshot;
        self.intermediate = std::mem::replace(&mut self.delta, Tree::new(self.config.format));
        self.intermediate_writes = Arc::new(std::mem::take(&mut self.delta_writes));
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
pub(super) fn no_snapshot(config: &Config) -> Merged {
    let tree = (config.format == Format::Conflux).then(|| Tree::new(config.format));
    Merged { root: tree.as_ref().map_or(EMPTY_ROOT, Tree::root), nodes: Arc::default(), tree }
}
