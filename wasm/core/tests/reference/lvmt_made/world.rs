//! A plain model of the state: blocks of writes, AMTs of versions, tuples and their trees.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ark_bn254::Fr;
use serde_json::{Value, json};
use sha3::{Digest as _, Keccak256};

use super::secret::{Leaves, Secret, little_endian, plain_hex, point};

pub(super) type Key = [u8; 32];
type Hash = [u8; 32];
/// Indices from the root AMT down.
type Path = Vec<u32>;

/// A write, where its key's version stands, and which it is.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) key: Key,
    pub(super) value: Vec<u8>,
    pub(super) level: usize,
    /// 0 to 4.
    pub(super) slot: usize,
    pub(super) version: u64,
}

pub(super) struct World {
    pub(super) secret: Secret,
    trees: BTreeMap<Path, Leaves>,
    /// By leaf and slot.
    owners: BTreeMap<(Path, usize), Written>,
    /// Places of the keys, the newest one last.
    places: BTreeMap<Key, Vec<(Path, usize)>>,
    /// Hashes of each block's tuples.
    blocks: Vec<Vec<Hash>>,
    /// Block and position of a tuple, by its bytes.
    tuples: BTreeMap<Vec<u8>, (usize, usize)>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let (trees, owners) = (BTreeMap::from([(vec![], Leaves::new())]), BTreeMap::new());
        let (places, blocks, tuples) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        Self { secret: Secret::new(seed), trees, owners, places, blocks, tuples }
    }

    /// As the reference does: keys are not deduplicated, and a new one that is written twice in a
    /// block gets two slots.
    pub(super) fn commit(&mut self, writes: &[(Key, &str)]) {
        let before = self.places.clone();
        let (mut tuples, mut changed) = (Vec::new(), BTreeSet::new());
        for (key, value) in writes {
            let known = before.get(key).and_then(|places| places.last().cloned());
            let (path, slot) = known.unwrap_or_else(|| self.allocate(key));
            let (index, tree) = path.split_last().unwrap();
            let leaf = self.trees.entry(tree.to_vec()).or_default().entry(*index).or_default();
            leaf[1 + slot] += 1;
            let (level, version) = (tree.len(), leaf[1 + slot]);
            let write =
                Written { key: *key, value: value.as_bytes().to_vec(), level, slot, version };
            tuples.push(write.tuple());
            changed.extend((1..=level).map(|length| tree[..length].to_vec()));
            self.owners.insert((path, slot), write);
        }
        let mut changed: Vec<Path> = changed.into_iter().collect();
        changed.sort_by_key(|path| Reverse(path.len()));
        for path in changed {
            let (index, parent) = path.split_last().unwrap();
            self.trees.get_mut(parent).unwrap().get_mut(index).unwrap()[0] += 1;
            tuples.push(self.tree_tuple(&path));
        }
        for (position, tuple) in tuples.iter().enumerate() {
            self.tuples.insert(tuple.clone(), (self.blocks.len(), position));
        }
        self.blocks.push(tuples.iter().map(|tuple| keccak(&[tuple])).collect());
    }

    /// The first leaf on the key's path that has a free slot.
    fn allocate(&mut self, key: &Key) -> (Path, usize) {
        let path = (1..=16).map(|length| chunks(key, length)).find(|path| self.used(path) < 5);
        let place = path.map(|path| (path.clone(), self.used(&path))).unwrap();
        self.places.entry(*key).or_default().push(place.clone());
        place
    }

    fn used(&self, path: &Path) -> usize {
        (0..5).take_while(|slot| self.version(path, 1 + slot) > 0).count()
    }

    fn version(&self, path: &[u32], slot: usize) -> u64 {
        let (index, tree) = path.split_last().unwrap();
        self.trees.get(tree).and_then(|leaves| leaves.get(index)).map_or(0, |leaf| leaf[slot])
    }

    fn tree_tuple(&self, path: &[u32]) -> Vec<u8> {
        let indices = path.iter().flat_map(|index| index.to_le_bytes());
        let length = [u8::try_from(path.len()).unwrap()].into_iter();
        let mut tuple: Vec<u8> = length.chain(indices).collect();
        tuple.extend(self.version(path, 0).to_le_bytes());
        tuple.extend(little_endian(self.root_of(path)));
        tuple.push(0);
        tuple
    }

    pub(super) fn root_of(&self, path: &[u32]) -> Fr {
        self.secret.node(&self.trees[path], 0, 0)
    }

    pub(super) fn header(&self) -> Value {
        let trees: Vec<_> = self.blocks.iter().map(|block| rows(block)).collect();
        let roots = trees.iter().map(|rows| plain_hex(&rows.last().unwrap()[0]));
        json!({
            "aroot": point(self.root_of(&[])),
            "block_merkle_roots": roots.collect::<Vec<_>>(),
            "block_merkle_depths": trees.iter().map(|rows| rows.len() - 1).collect::<Vec<_>>(),
            "next_epoch": self.blocks.len(),
        })
    }

    /// What stands at the key's places, the first one first.
    pub(super) fn written(&self, key: &Key) -> Vec<Written> {
        self.places[key].iter().map(|place| self.owners[place].clone()).collect()
    }

    pub(super) fn keys(&self) -> Vec<Key> {
        self.places.keys().copied().collect()
    }

    /// The record that shows a write.
    pub(super) fn show(&self, write: &Written) -> Value {
        let Written { key, value, level, slot, version } = write;
        let mut levels = self.levels(key, *level, "merkle");
        levels[*level]["merkle"] = self.place(&write.tuple());
        json!({
            "key": plain_hex(key),
            "value": plain_hex(value),
            "ver_info": { "level": level, "slot_index": slot, "version": version },
            "levels": levels,
            "expected": "accept",
        })
    }

    /// The record that shows that a key was never written.
    pub(super) fn show_absent(&self, key: &Key) -> Value {
        let deeper = |level: &usize| self.version(&chunks(key, level + 1), 0) > 0;
        let last = (0..16).take_while(deeper).count();
        let mut levels = self.levels(key, last, "subamt_merkle");
        for (number, level) in levels.iter_mut().enumerate() {
            let path = chunks(key, number + 1);
            let owner = |slot| {
                let owner: &Written = &self.owners[&(path.clone(), slot)];
                json!({
                    "key": plain_hex(&owner.key),
                    "value": plain_hex(&owner.value),
                    "version": owner.version,
                    "level": owner.level,
                    "slot_index": slot,
                    "merkle": self.place(&owner.tuple()),
                })
            };
            level["owners"] = (0..self.used(&path)).map(owner).collect();
        }
        let used = self.used(&chunks(key, last + 1));
        let terminal = if used < 5 { "vacant_slot" } else { "no_subamt" };
        json!({
            "class": format!("level {last}, {used} slots used"),
            "key": plain_hex(key),
            "levels": levels,
            "terminal": terminal,
        })
    }

    /// Scalars of the siblings on the last level of a write, node and proof, nearest the root
    /// first.
    pub(super) fn siblings(&self, write: &Written) -> Vec<[Fr; 2]> {
        let path = chunks(&write.key, write.level + 1);
        let (index, tree) = path.split_last().unwrap();
        self.secret.siblings(&self.trees[tree], *index).collect()
    }

    /// Openings on the key's path, and the place of each AMT's tuple in the one above.
    fn levels(&self, key: &Key, last: usize, place: &str) -> Vec<Value> {
        let level = |number| {
            let path = chunks(key, number + 1);
            let (index, tree) = path.split_last().unwrap();
            let mut level = self.secret.open(&self.trees[tree], *index);
            if number < last {
                level[place] = self.place(&self.tree_tuple(&path));
            }
            level
        };
        (0..=last).map(level).collect()
    }

    pub(super) fn place(&self, tuple: &[u8]) -> Value {
        let (epoch, position) = self.tuples[tuple];
        let rows = rows(&self.blocks[epoch]);
        let siblings = rows[..rows.len() - 1].iter().enumerate();
        let path = siblings.map(|(height, row)| plain_hex(&row[(position >> height) ^ 1]));
        json!({ "epoch": epoch, "position": position, "path": path.collect::<Vec<_>>() })
    }
}

impl Written {
    pub(super) fn tuple(&self) -> Vec<u8> {
        let Self { key, value, level, slot, version } = self;
        let mut tuple = (key.len() as u64).to_le_bytes().to_vec();
        tuple.extend(key);
        tuple.extend(version.to_le_bytes());
        tuple.extend([level, slot].map(|byte| u8::try_from(*byte).unwrap()));
        tuple.extend((value.len() as u64).to_le_bytes());
        tuple.extend(value);
        tuple
    }
}

/// From the tuples up to the root, each row padded with one hash of nothing where it is odd.
fn rows(leaves: &[Hash]) -> Vec<Vec<Hash>> {
    let mut rows = vec![if leaves.is_empty() { vec![[0; 32]] } else { leaves.to_vec() }];
    while let Some(row) = rows.last_mut().filter(|row| row.len() > 1) {
        if row.len() % 2 == 1 {
            row.push(keccak(&[]));
        }
        let above = row.chunks(2).map(|pair| keccak(&[&pair[0], &pair[1]])).collect();
        rows.push(above);
    }
    rows
}

fn keccak(parts: &[&[u8]]) -> Hash {
    let hasher = parts.iter().fold(Keccak256::new(), Keccak256::chain_update);
    hasher.finalize().into()
}

/// The first indices of a key: 16 bits each.
fn chunks(key: &Key, count: usize) -> Path {
    key.chunks(2).take(count).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).collect()
}
